//! Which people look the same to somebody who knows all rows of a person?

use std::collections::BTreeMap;

/// How many rows somebody has in each class, by what is known of them besides.
type Rows<'a> = BTreeMap<(usize, Vec<&'a str>), usize>;

/// For each set of people all of whose rows look the same, as many in each class of rows as the others have: all of their rows.
pub fn classes(of_rows: &[Vec<usize>], people: &[usize]) -> Vec<Vec<usize>> {
    classes_where(of_rows, people, |_| Vec::new())
}

/// The same for somebody who knows this of each row besides its class.
pub fn classes_where<'a>(
    of_rows: &[Vec<usize>],
    people: &[usize],
    known: impl Fn(usize) -> Vec<&'a str>,
) -> Vec<Vec<usize>> {
    // For everybody how many rows they have that look so.
    let mut looks: BTreeMap<usize, Rows<'a>> = BTreeMap::new();
    for (class, rows) in of_rows.iter().enumerate() {
        for &row in rows {
            *looks.entry(people[row]).or_default().entry((class, known(row))).or_default() += 1;
        }
    }
    let mut alike: BTreeMap<&Rows<'a>, Vec<usize>> = BTreeMap::new();
    for &row in of_rows.iter().flatten() {
        alike.entry(&looks[&people[row]]).or_default().push(row);
    }
    alike.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_one_row_more_is_another() {
        // A and B have a row in each class, C has two in the second.
        let of_rows = [vec![0, 1], vec![2, 3, 4, 5]];
        let mut alike = classes(&of_rows, &[0, 1, 0, 1, 2, 2]);
        alike.iter_mut().for_each(|rows| rows.sort_unstable());
        assert_eq!(alike, [vec![0, 1, 2, 3], vec![4, 5]]);
    }
}

//! How diverse are the sensitive values of a class, by each definition?

use std::collections::BTreeMap;

use super::quantity::Quantity;
use super::sensitive::SensitiveCells;
use crate::decimal::ONE;
use crate::requirement::{Groups, Milli};

/// Counts of the values present, largest first.
fn descending(counts: &[i128]) -> Vec<i128> {
    let mut sorted: Vec<i128> = counts.iter().copied().filter(|&count| count > 0).collect();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    sorted
}

pub fn distinct(counts: &[i128]) -> i128 {
    descending(counts).len() as i128
}

/// exp of the entropy.
pub fn entropy(counts: &[i128]) -> f64 {
    let counts = descending(counts);
    let size: i128 = counts.iter().sum();
    let share = |count: &i128| *count as f64 / size as f64;
    (-counts.iter().map(|count| share(count) * share(count).ln()).sum::<f64>()).exp()
}

/// r1 / (rl + .. + rm); with l = 1 nothing is asked.
pub fn recursive(counts: &[i128], l: u64) -> Option<Quantity> {
    let counts = descending(counts);
    (l > 1).then(|| Quantity::Ratio(counts[0], counts.iter().skip(l as usize - 1).sum()))
}

/// ry / (size - ry - the l - 2 largest of the other counts); none where nothing is asked.
pub fn pd_recursive(cells: &SensitiveCells, counts: &[i128], l: u64, disclosable: &[String]) -> Option<Quantity> {
    if l <= 1 {
        return None;
    }
    let guarded = (0..counts.len()).filter(|&leaf| !disclosable.contains(&cells.values[leaf]) && counts[leaf] > 0);
    let worst = guarded.max_by_key(|&leaf| counts[leaf])?;
    let mut others: Vec<i128> = (0..counts.len()).filter(|&leaf| leaf != worst).map(|leaf| counts[leaf]).collect();
    others.sort_unstable_by(|a, b| b.cmp(a));
    let size: i128 = counts.iter().sum();
    let ruled_out: i128 = others.iter().take(l as usize - 2).sum();
    Some(Quantity::Ratio(counts[worst], size - counts[worst] - ruled_out))
}

/// The percentage of the rarest of these values.
pub fn least_percentage(cells: &SensitiveCells, counts: &[i128], guarded: &[String]) -> Option<Quantity> {
    let size: i128 = counts.iter().sum();
    let count = |value: &String| cells.values.iter().position(|known| known == value).map_or(0, |leaf| counts[leaf]);
    guarded.iter().map(count).min().map(|least| Quantity::Ratio(100 * least, size))
}

/// The largest share of these values, of all if none are listed.
pub fn largest_share(cells: &SensitiveCells, counts: &[i128], values: Option<&[String]>) -> Quantity {
    let size: i128 = counts.iter().sum();
    let is_meant = |leaf: &usize| values.is_none_or(|values| values.contains(&cells.values[*leaf]));
    let most = (0..counts.len()).filter(is_meant).map(|leaf| counts[leaf]).max().unwrap_or(0);
    Quantity::Ratio(most, size)
}

/// The smallest tau that would do: the largest of (F(j) (l-1) - (j-1)) / (l-j) over j < l.
pub fn smallest_tau(counts: &[i128], l: u64) -> Quantity {
    let counts = descending(counts);
    let size: i128 = counts.iter().sum();
    let l = i128::from(l);
    let tau = |j: i128| {
        let most: i128 = counts.iter().take(j as usize).sum();
        Quantity::Ratio(most * (l - 1) - (j - 1) * size, size * (l - j))
    };
    (2..l).fold(tau(1), |worst, j| if tau(j).order(worst).is_gt() { tau(j) } else { worst })
}

/// The fewest values of a group that is present, and how many groups are; none where a value has no group.
pub fn alike(cells: &SensitiveCells, counts: &[i128], groups: &Groups) -> Option<(i128, i128)> {
    let mut present: BTreeMap<&str, i128> = BTreeMap::new();
    for leaf in (0..counts.len()).filter(|&leaf| counts[leaf] > 0) {
        *present.entry(group(cells, leaf, groups)?).or_default() += 1;
    }
    Some((*present.values().min()?, present.len() as i128))
}

/// The group of a value.
pub fn group<'a>(cells: &'a SensitiveCells, leaf: usize, groups: &'a Groups) -> Option<&'a str> {
    Some(match groups {
        Groups::Level(level) => cells.paths.as_ref()?[leaf].get(*level)?.as_str(),
        Groups::Listed(groups) => groups.iter().find(|(_, members)| members.contains(&cells.values[leaf]))?.0.as_str(),
    })
}

/// The size over the largest number of records near the value of one of them.
pub fn not_near(cells: &SensitiveCells, counts: &[i128], epsilon: Milli, relative: bool) -> Quantity {
    let size: i128 = counts.iter().sum();
    let present: Vec<usize> = (0..counts.len()).filter(|&leaf| counts[leaf] > 0).collect();
    let near = |&leaf: &usize| -> i128 {
        let Some(number) = cells.numbers[leaf] else { return counts[leaf] };
        // In thousandths of the last place, so that a fraction of a number is exact.
        let reach = if relative { number.abs() * i128::from(epsilon.0) } else { i128::from(epsilon.0) * ONE };
        let is_near =
            |other: &&usize| cells.numbers[**other].is_some_and(|other| (other - number).abs() * 1000 <= reach);
        present.iter().filter(is_near).map(|&other| counts[other]).sum()
    };
    Quantity::Ratio(size, present.iter().map(near).max().unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_pages() {
        assert!((entropy(&[2, 1, 1]) - 8f64.sqrt()).abs() < 1e-12);
        assert_eq!(recursive(&[1, 2, 1], 3).and_then(Quantity::to_f64), Some(2.0));
        assert!(recursive(&[1, 2, 1], 1).is_none());
        assert_eq!(recursive(&[3], 2).and_then(Quantity::to_f64), None, "a tail of nothing is infinitely exceeded");
        assert_eq!(smallest_tau(&[2, 1, 1], 3).to_f64(), Some(0.5));
        assert_eq!(smallest_tau(&[4], 2).to_f64(), Some(1.0));
    }

    fn cells(values: &[&str]) -> SensitiveCells {
        SensitiveCells {
            values: values.iter().map(|&value| value.to_owned()).collect(),
            rows: Vec::new(),
            texts: Vec::new(),
            paths: None,
            numbers: values.iter().map(|value| crate::decimal::parse(value)).collect(),
        }
    }

    #[test]
    fn healthy_may_be_disclosed() {
        let cells = cells(&["healthy", "flu", "cancer"]);
        let quantity = pd_recursive(&cells, &[8, 2, 1], 2, &["healthy".to_owned()]);
        assert_eq!(quantity.and_then(Quantity::to_f64), Some(2.0 / 9.0));
        assert!(pd_recursive(&cells, &[8, 0, 0], 2, &["healthy".to_owned()]).is_none());
    }

    #[test]
    fn salaries_within_one_are_near() {
        let low = cells(&["3", "4", "5"]);
        assert_eq!(not_near(&low, &[1, 1, 1], Milli(1000), false).to_f64(), Some(1.0));
        let mixed = cells(&["6", "8", "11"]);
        assert_eq!(not_near(&mixed, &[1, 1, 1], Milli(1000), false).to_f64(), Some(3.0));
        let relative = cells(&["100", "110"]);
        assert_eq!(not_near(&relative, &[2, 1], Milli(100), true).to_f64(), Some(1.0));
    }
}

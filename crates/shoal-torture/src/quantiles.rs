//! Into which ranges of equal frequency do numbers fall, where there is only one best way?

use std::collections::{BTreeMap, HashMap};

use crate::decimal;

/// For each value, a name for its group on every level between itself and the root; none where two ways to cut are equally good,
/// or a value is no number.
///
/// The names are nobody's labels: which round numbers a group ends at is the program's to choose. What is promised is that the
/// label of a group covers its values and no others, and that is how labels are checked.
pub fn groups(values: &BTreeMap<&str, u64>, missing: &str, counts: &[usize]) -> Option<HashMap<String, Vec<String>>> {
    let mut sorted: Vec<(i128, &str, u64)> = Vec::new();
    for (&value, &count) in values.iter().filter(|(value, _)| **value != missing) {
        sorted.push((decimal::parse(value)?, value, count));
    }
    sorted.sort_unstable();
    // A number that is written in several ways is never cut in two.
    let mut ranges: Vec<&[(i128, &str, u64)]> = sorted.chunk_by(|a, b| a.0 == b.0).collect();
    let mut names: HashMap<String, Vec<String>> = HashMap::new();
    for &count in counts {
        let sizes: Vec<u64> = ranges.iter().map(|range| range.iter().map(|value| value.2).sum()).collect();
        let ends = only_best_cut(&sizes, count.min(sizes.len()))?;
        let mut next = Vec::new();
        let (mut start, mut at) = (0, 0);
        for end in ends {
            let length: usize = ranges[start..end].iter().map(|range| range.len()).sum();
            next.push(&sorted[at..at + length]);
            (start, at) = (end, at + length);
        }
        ranges = next;
        for range in &ranges {
            let (first, last) = (range.first()?, range.last()?);
            let name = format!("the group from {} to {}", first.1, last.1);
            for value in *range {
                names.entry(value.1.to_owned()).or_default().push(name.clone());
            }
        }
    }
    Some(names)
}

/// The ends of the groups whose sum of squared sizes is least, if only one way reaches it.
fn only_best_cut(sizes: &[u64], groups: usize) -> Option<Vec<usize>> {
    let places = sizes.len();
    if places == 0 {
        return Some(Vec::new());
    }
    // For each number of groups and end: the least cost, in how many ways, and the last cut.
    let mut best: Vec<Vec<Option<(u64, u64, usize)>>> = vec![vec![None; places + 1]; groups + 1];
    best[0][0] = Some((0, 1, 0));
    for group in 1..=groups {
        for end in 1..=places {
            for cut in 0..end {
                let Some((cost, ways, _)) = best[group - 1][cut] else { continue };
                let size: u64 = sizes[cut..end].iter().sum();
                let cost = cost + size * size;
                best[group][end] = match best[group][end] {
                    Some((least, _, _)) if least < cost => best[group][end],
                    Some((least, others, last)) if least == cost => Some((least, others + ways, last)),
                    _ => Some((cost, ways, cut)),
                };
            }
        }
    }
    let mut ends = vec![places];
    if best[groups][places]?.1 > 1 {
        return None;
    }
    for group in (2..=groups).rev() {
        ends.push(best[group][ends[ends.len() - 1]]?.2);
    }
    ends.reverse();
    Some(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_is_nobodys_guess() {
        assert_eq!(only_best_cut(&[1, 1, 1, 1], 2), Some(vec![2, 4]));
        assert_eq!(only_best_cut(&[1, 1, 1], 2), None);
        assert_eq!(only_best_cut(&[5, 1, 1, 1], 2), Some(vec![1, 4]));
    }
}

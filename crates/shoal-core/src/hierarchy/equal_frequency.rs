//! Where must a row of frequencies be cut so that the groups are as equal as possible?

use std::ops::Range;

/// How much finer than a group the frequencies are looked at, where there are very many of them.
const RESOLUTION: u64 = 64;

/// Cuts neighbouring frequencies into `groups` groups (or as many as there are frequencies) so that the sum of the
/// squared group sizes is smallest; of equally good cuts the leftmost.
///
/// Cutting at every n-th row instead would waste groups on a value that is more frequent than a group is large.
pub(super) fn equal_frequency(frequencies: &[u64], groups: usize) -> Vec<Range<usize>> {
    let parts = coarsen(frequencies, groups);
    let mut sums: Vec<u128> = vec![0];
    for part in &parts {
        let size: u64 = frequencies[part.clone()].iter().sum();
        sums.push(sums[sums.len() - 1] + u128::from(size));
    }
    let cuts = best_cuts(&sums, groups.min(parts.len()));
    cuts.windows(2).map(|cut| parts[cut[0]].start..parts[cut[1] - 1].end).collect()
}

/// Joins neighbours whose frequencies are far below the size of a group, so that a million distinct values cost no
/// more than a few thousand.
fn coarsen(frequencies: &[u64], groups: usize) -> Vec<Range<usize>> {
    let fine = groups as u64 * RESOLUTION;
    if frequencies.len() as u64 <= 2 * fine {
        return (0..frequencies.len()).map(|at| at..at + 1).collect();
    }
    let limit = frequencies.iter().sum::<u64>() / fine;
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut size = 0;
    for (at, &frequency) in frequencies.iter().enumerate() {
        match parts.last_mut() {
            Some(part) if size + frequency <= limit => {
                part.end = at + 1;
                size += frequency;
            }
            _ => {
                parts.push(at..at + 1);
                size = frequency;
            }
        }
    }
    parts
}

/// The ends of the best groups, from 0 on, over running sums that start with 0.
///
/// Dynamic programming over the groups; the best last cut moves right with the end of the row (the square is convex),
/// so each round halves the row and searches only between its neighbours' cuts.
fn best_cuts(sums: &[u128], groups: usize) -> Vec<usize> {
    let ends = sums.len();
    let square = |from: usize, to: usize| (sums[to] - sums[from]).pow(2);
    let mut cost: Vec<u128> = (0..ends).map(|end| square(0, end)).collect();
    let mut last_cuts: Vec<Vec<u32>> = Vec::new();
    for group in 2..=groups {
        let mut next = cost.clone();
        let mut last_cut = vec![0_u32; ends];
        let mut open = vec![(group, ends, group - 1, ends - 1)];
        while let Some((start, end, lowest, highest)) = open.pop() {
            if start >= end {
                continue;
            }
            let middle = start.midpoint(end);
            let candidates = (lowest..=highest.min(middle - 1)).map(|cut| (cost[cut] + square(cut, middle), cut));
            let (best, cut) = candidates.min().expect("a group before the end of the row has a cut");
            next[middle] = best;
            last_cut[middle] = cut as u32;
            open.push((start, middle, lowest, cut));
            open.push((middle + 1, end, cut, highest));
        }
        cost = next;
        last_cuts.push(last_cut);
    }
    let mut cuts = vec![ends - 1];
    for last_cut in last_cuts.iter().rev() {
        cuts.push(last_cut[cuts[cuts.len() - 1]] as usize);
    }
    if groups > 0 {
        cuts.push(0);
    }
    cuts.reverse();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sizes(frequencies: &[u64], groups: usize) -> Vec<u64> {
        let groups = equal_frequency(frequencies, groups);
        groups.into_iter().map(|group| frequencies[group].iter().sum()).collect()
    }

    #[test]
    fn groups_are_as_equal_as_possible() {
        assert_eq!(sizes(&[1; 12], 4), [3, 3, 3, 3]);
        assert_eq!(sizes(&[90, 1, 1, 1, 1, 1, 1], 4), [90, 2, 2, 2]);
        assert_eq!(sizes(&[1, 1, 1, 1, 1, 1, 90], 4), [2, 2, 2, 90]);
        assert_eq!(sizes(&[5, 5], 4), [5, 5], "there are no more groups than values");
        assert!(sizes(&[], 4).is_empty());
        assert_eq!(sizes(&[3], 1), [3]);
    }

    #[test]
    fn very_many_values_are_cut_nearly_as_well() {
        let groups = sizes(&vec![1; 100_000], 16);
        assert_eq!(groups.len(), 16);
        assert!(groups.iter().all(|&size| (6_100..=6_400).contains(&size)), "{groups:?}");
    }

    /// All ways to cut, one after the other.
    fn smallest_by_trying(frequencies: &[u64], groups: usize) -> u64 {
        let total: u64 = frequencies.iter().sum();
        if groups == 1 {
            return total * total;
        }
        let ends = 1..=frequencies.len() - (groups - 1);
        let costs = ends.map(|end| {
            let first: u64 = frequencies[..end].iter().sum();
            first * first + smallest_by_trying(&frequencies[end..], groups - 1)
        });
        costs.min().unwrap()
    }

    proptest! {
        #[test]
        fn no_other_cut_is_better(frequencies in prop::collection::vec(0_u64..20, 1..9), groups in 1_usize..5) {
            let groups = groups.min(frequencies.len());
            let cut = equal_frequency(&frequencies, groups);
            prop_assert_eq!(cut.len(), groups);
            prop_assert_eq!(cut[0].start, 0);
            prop_assert_eq!(cut[groups - 1].end, frequencies.len());
            prop_assert!(cut.windows(2).all(|pair| pair[0].end == pair[1].start));
            let squares: u64 = sizes(&frequencies, groups).iter().map(|size| size * size).sum();
            prop_assert_eq!(squares, smallest_by_trying(&frequencies, groups));
        }
    }
}

//! Which combinations of quasi-identifiers does only one row have?

use rayon::prelude::*;

use super::codes::Codes;
use super::findings::{Combination, SinglingOut};
use crate::progress::Progress;

/// A quasi-identifier, row by row.
pub(super) struct CodedColumn {
    pub(super) name: String,
    pub(super) codes: Codes,
    /// Every code is below this.
    pub(super) domain: u64,
    /// The chance that two rows have the same value: the smaller it is, the more the column singles out.
    pub(super) collision: f64,
}

/// Combinations of more columns are not listed; they are part of all columns together.
const LARGEST: usize = 3;

/// The columns whose combinations are looked at, at most.
const MOST_COLUMNS: usize = 12;

/// Looking at a row for one combination takes some ten nanoseconds; these are a few seconds.
const MOST_LOOKS: u64 = 500_000_000;

/// How many combinations of each size are reported.
const REPORTED: usize = 3;

/// What the quasi-identifiers single out; `left_out` are those that cannot be looked at.
pub(super) fn single_out(
    columns: &[CodedColumn],
    rows: u64,
    left_out: Vec<String>,
    progress: &dyn Progress,
) -> SinglingOut {
    let mut strongest: Vec<usize> = (0..columns.len()).collect();
    strongest.sort_by(|&a, &b| columns[a].collision.total_cmp(&columns[b].collision));
    strongest.truncate(columns_within(MOST_LOOKS / rows.max(1)));
    strongest.sort_unstable();
    let subsets = subsets(&strongest);
    progress.begin("looking for rows that are alone", Some(subsets.len() as u64 + 1));
    let look = |subset: Vec<usize>| {
        let chosen: Vec<&CodedColumn> = subset.iter().map(|&column| &columns[column]).collect();
        let alone = alone(&chosen, rows as usize);
        progress.advance(1);
        (subset, alone)
    };
    let looked_at: Vec<(Vec<usize>, u64)> = subsets.into_iter().map(look).collect();
    let named = |(subset, alone): (Vec<usize>, u64)| Combination {
        columns: subset.iter().map(|&column| columns[column].name.clone()).collect(),
        alone,
    };
    let together = (!columns.is_empty()).then(|| named(look((0..columns.len()).collect())));
    progress.end();
    SinglingOut { worst: worst(looked_at).into_iter().map(named).collect(), together, left_out }
}

/// The largest number of columns with at most so many combinations.
fn columns_within(most: u64) -> usize {
    let combinations = |n: u64| n + n * n.saturating_sub(1) / 2 + n * n.saturating_sub(1) * n.saturating_sub(2) / 6;
    (1..=MOST_COLUMNS).rev().find(|&columns| combinations(columns as u64) <= most).unwrap_or(1)
}

/// All combinations, small ones first.
fn subsets(columns: &[usize]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut largest: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..LARGEST {
        let longer = |subset: &Vec<usize>| {
            let subset = subset.clone();
            let last = subset.last().copied();
            let later = columns.iter().filter(move |column| last.is_none_or(|last| **column > last));
            later.map(move |&column| [subset.as_slice(), &[column]].concat())
        };
        largest = largest.iter().flat_map(longer).collect();
        all.extend_from_slice(&largest);
    }
    all
}

/// The few of each size that single out most, unless a smaller one does nearly as much by itself.
fn worst(mut looked_at: Vec<(Vec<usize>, u64)>) -> Vec<(Vec<usize>, u64)> {
    let most = looked_at.iter().map(|(_, alone)| *alone).max().unwrap_or(0);
    looked_at.sort_by_key(|(subset, alone)| (subset.len(), std::cmp::Reverse(*alone)));
    let mut reported: Vec<(Vec<usize>, u64)> = Vec::new();
    for (subset, alone) in looked_at {
        let of_this_size = reported.iter().filter(|(other, _)| other.len() == subset.len()).count();
        let is_part = |other: &[usize]| other.iter().all(|column| subset.contains(column));
        let adds_little = reported.iter().any(|(other, by_itself)| is_part(other) && by_itself * 10 >= alone * 9);
        let matters = alone > 0 && alone * 100 >= most;
        if matters && of_this_size < REPORTED && !adds_little {
            reported.push((subset, alone));
        }
    }
    reported
}

/// The rows whose values in these columns no other row has.
fn alone(columns: &[&CodedColumn], rows: usize) -> u64 {
    let (mut keys, space) = keys(columns, rows);
    // A table of all keys is much quicker than sorting, as long as it is not much larger than the rows.
    if let Some(space) = usize::try_from(space).ok().filter(|&space| space <= (rows * 8).max(1 << 16)) {
        let mut seen = vec![0u8; space];
        keys.iter().for_each(|&key| seen[key as usize] = (seen[key as usize] + 1).min(2));
        return seen.iter().filter(|&&times| times == 1).count() as u64;
    }
    keys.par_sort_unstable();
    keys.chunk_by(|a, b| a == b).filter(|run| run.len() == 1).count() as u64
}

/// A number for each row, equal where all codes are, and how many numbers there may be.
fn keys(columns: &[&CodedColumn], rows: usize) -> (Vec<u64>, u64) {
    let (mut keys, mut space) = (vec![0u64; rows], 1u64);
    for column in columns {
        let domain = column.domain.max(1);
        if space.checked_mul(domain).is_none() {
            space = renumber(&mut keys);
        }
        // There are at most 2^32 rows and 2^32 codes, so renumbered keys leave enough room.
        space = space.saturating_mul(domain);
        let add = |(row, key): (usize, &mut u64)| *key = *key * domain + u64::from(column.codes.get(row));
        keys.par_iter_mut().enumerate().for_each(add);
    }
    (keys, space)
}

/// Replaces each key by its place among those that occur; their number.
fn renumber(keys: &mut [u64]) -> u64 {
    let mut occurring = keys.to_vec();
    occurring.par_sort_unstable();
    occurring.dedup();
    keys.par_iter_mut().for_each(|key| *key = occurring.partition_point(|other| other < key) as u64);
    occurring.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn column(name: &str, values: &[u32], domain: u64) -> CodedColumn {
        let mut codes = Codes::new();
        values.iter().for_each(|&value| codes.push(value));
        let distinct = values.iter().collect::<std::collections::HashSet<_>>().len();
        CodedColumn { name: name.to_owned(), codes, domain, collision: 1.0 / distinct.max(1) as f64 }
    }

    #[test]
    fn the_smallest_combinations_that_single_out_are_reported() {
        // Each pair of the first two is unique, no value alone is; the third column adds nothing.
        let columns = [column("a", &[0, 0, 1, 1], 2), column("b", &[0, 1, 0, 1], 2), column("c", &[0, 0, 0, 0], 1)];
        let found = single_out(&columns, 4, Vec::new(), &Silent);
        assert_eq!(found.worst, [Combination { columns: vec!["a".to_owned(), "b".to_owned()], alone: 4 }]);
        assert_eq!(found.together.map(|all| all.alone), Some(4));
        assert_eq!(single_out(&[], 4, Vec::new(), &Silent).together, None);
    }

    #[test]
    fn the_work_is_bounded() {
        assert_eq!(columns_within(u64::MAX), 12);
        assert_eq!(columns_within(298), 12);
        assert_eq!(columns_within(297), 11);
        assert_eq!(columns_within(0), 1);
        assert_eq!(subsets(&[3, 5, 8]).len(), 7);
        assert_eq!(subsets(&(0..12).collect::<Vec<_>>()).len(), 298);
    }

    proptest! {
        #[test]
        fn rows_alone_are_those_that_occur_once(
            rows in prop::collection::vec(prop::array::uniform4(0u32..4), 0..60), scale in 0usize..3,
        ) {
            // Large domains take the way by sorting and renumbering.
            let domain = [4, 1 << 20, 1 << 32][scale];
            let columns: Vec<CodedColumn> = (0..4)
                .map(|at| column("c", &rows.iter().map(|row| row[at]).collect::<Vec<_>>(), domain))
                .collect();
            let mut counts: HashMap<[u32; 4], u64> = HashMap::new();
            rows.iter().for_each(|row| *counts.entry(*row).or_default() += 1);
            let expected = counts.values().filter(|&&count| count == 1).count() as u64;
            prop_assert_eq!(alone(&columns.iter().collect::<Vec<_>>(), rows.len()), expected);
        }
    }
}

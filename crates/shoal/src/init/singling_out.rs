//! Which combinations of quasi-identifiers does only one row have?

use super::codes::Codes;
use super::findings::{Combination, SinglingOut};
use crate::risk::grouping::{Coded, Distinction, combinations, number_of_combinations};
use shoal_core::Result;
use shoal_core::watch::Watch;

/// A quasi-identifier to look at, row by row.
pub trait Looked: Coded {
    /// Its name.
    fn name(&self) -> &str;

    /// The share of pairs of rows that it tells apart: the more, the more it singles out.
    fn separation(&self) -> f64;
}

/// A quasi-identifier, row by row.
pub(super) struct CodedColumn {
    pub(super) name: String,
    pub(super) codes: Codes,
    /// Every code is below this.
    pub(super) domain: u64,
    /// The share of pairs of rows that it tells apart: the more, the more the column singles out.
    pub(super) separation: f64,
}

impl Coded for CodedColumn {
    fn code(&self, place: usize) -> u32 {
        self.codes.get(place)
    }

    fn domain(&self) -> u64 {
        self.domain
    }
}

impl Looked for CodedColumn {
    fn name(&self) -> &str {
        &self.name
    }

    fn separation(&self) -> f64 {
        self.separation
    }
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
pub fn single_out<C: Looked>(
    columns: &[&C],
    rows: u64,
    left_out: Vec<String>,
    watch: &dyn Watch,
) -> Result<SinglingOut> {
    let mut strongest: Vec<usize> = (0..columns.len()).collect();
    strongest.sort_by(|&a, &b| columns[b].separation().total_cmp(&columns[a].separation()));
    strongest.truncate(columns_within(MOST_LOOKS / rows.max(1)));
    strongest.sort_unstable();
    let subsets = combinations(&strongest, LARGEST);
    watch.begin("looking for rows that are alone", Some(subsets.len() as u64 + 1));
    let look = |subset: Vec<usize>| {
        watch.proceed()?;
        let chosen: Vec<&C> = subset.iter().map(|&column| columns[column]).collect();
        let grouping = Distinction::of_rows(&chosen, rows as usize);
        watch.advance(1);
        Ok((subset, grouping))
    };
    let looked_at = subsets.into_iter().map(look).collect::<Result<Vec<(Vec<usize>, Distinction)>>>()?;
    let named = |(subset, grouping): (Vec<usize>, Distinction)| Combination {
        columns: subset.iter().map(|&column| columns[column].name().to_owned()).collect(),
        grouping,
    };
    let together = (!columns.is_empty()).then(|| look((0..columns.len()).collect())).transpose()?.map(named);
    watch.end();
    Ok(SinglingOut { worst: worst(looked_at).into_iter().map(named).collect(), together, left_out })
}

/// The largest number of columns with at most so many combinations.
fn columns_within(most: u64) -> usize {
    (1..=MOST_COLUMNS).rev().find(|&columns| number_of_combinations(columns, LARGEST) <= most).unwrap_or(1)
}

/// The few of each size that single out most, unless a smaller one does nearly as much by itself.
fn worst(mut looked_at: Vec<(Vec<usize>, Distinction)>) -> Vec<(Vec<usize>, Distinction)> {
    let most = looked_at.iter().map(|(_, grouping)| grouping.alone).max().unwrap_or(0);
    looked_at.sort_by_key(|(subset, grouping)| (subset.len(), std::cmp::Reverse(grouping.alone)));
    let mut reported: Vec<(Vec<usize>, Distinction)> = Vec::new();
    for (subset, grouping) in looked_at {
        let alone = grouping.alone;
        let of_this_size = reported.iter().filter(|(other, _)| other.len() == subset.len()).count();
        let is_part = |other: &[usize]| other.iter().all(|column| subset.contains(column));
        let adds_little = reported.iter().any(|(other, by_itself)| is_part(other) && by_itself.alone * 10 >= alone * 9);
        let matters = alone > 0 && alone * 100 >= most;
        if matters && of_this_size < REPORTED && !adds_little {
            reported.push((subset, grouping));
        }
    }
    reported
}

#[cfg(test)]
mod tests {
    use super::*;
    use shoal_core::watch::Unwatched;

    fn column(name: &str, values: &[u32], domain: u64) -> CodedColumn {
        let mut codes = Codes::new();
        values.iter().for_each(|&value| codes.push(value));
        let distinct = values.iter().collect::<std::collections::HashSet<_>>().len();
        CodedColumn { name: name.to_owned(), codes, domain, separation: 1.0 - 1.0 / distinct.max(1) as f64 }
    }

    #[test]
    fn the_smallest_combinations_that_single_out_are_reported() {
        // Each pair of the first two is unique, no value alone is; the third column adds nothing.
        let columns = [column("a", &[0, 0, 1, 1], 2), column("b", &[0, 1, 0, 1], 2), column("c", &[0, 0, 0, 0], 1)];
        let found = single_out(&columns.iter().collect::<Vec<_>>(), 4, Vec::new(), &Unwatched).unwrap();
        assert_eq!(found.worst.len(), 1);
        assert_eq!((found.worst[0].columns.join(" "), found.worst[0].grouping.alone), ("a b".to_owned(), 4));
        assert_eq!(found.worst[0].grouping.separation(), Some(1.0));
        assert_eq!(found.together.map(|all| all.grouping.alone), Some(4));
        assert_eq!(single_out::<CodedColumn>(&[], 4, Vec::new(), &Unwatched).unwrap().together, None);
    }

    #[test]
    fn the_work_is_bounded() {
        assert_eq!(columns_within(u64::MAX), 12);
        assert_eq!(columns_within(298), 12);
        assert_eq!(columns_within(297), 11);
        assert_eq!(columns_within(0), 1);
    }
}

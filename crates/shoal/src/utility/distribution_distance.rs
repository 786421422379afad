//! How far is the distribution of a column, or of two columns together, from what it was?

use hashbrown::HashMap;
use rayon::prelude::*;

use super::{Compared, ComparedColumn, Tuples};

/// # Distances of distributions
///
/// **Definition.** The share of the original's rows with each value, against the share that the release gives it: for each column
/// (`marginals`) and for each two columns together (`pairs`). The total variation is half the sum of all differences, the Hellinger
/// distance the root of 1 - the sum of the roots of products of shares.
/// **How a release is read.** A generalized cell is spread evenly over those values of the original that its label covers, in two
/// columns over all their combinations; a mean counts for the value nearest to it. Suppressed rows are left out: what remains is
/// compared. Where what some labels stand for is not known, nothing is.
/// **Range.** From 0 (the same) to 1 (nothing in common), both.
/// **Example.** Ages 20, 20, 20 and 30, all shown as `[20, 30]`, become half and half: the total variation is 0.25.
/// **Reference.** Gibbs and Su 2002 for the distances; Xiao and Tao 2006 for the uniform spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistributionDistance {
    /// Half the sum of all differences.
    pub total_variation: f64,
    /// The root of 1 - the sum of the roots of products.
    pub hellinger: f64,
}

/// Two columns with so many combinations of values that they are not compared.
const TOO_MANY: usize = 1 << 28;

/// Up to so many combinations are counted in an array.
const DENSE: usize = 1 << 22;

impl DistributionDistance {
    /// From both shares of each value that the original has. What the release puts elsewhere it lacks here, so that it is
    /// counted, too: the differences of two distributions above zero add up to as much as those below.
    fn of(shares: impl Iterator<Item = (f64, f64)>) -> Self {
        let (mut missing, mut common) = (0.0, 0.0);
        for (original, release) in shares {
            missing += (original - release).max(0.0);
            common += (original * release.max(0.0)).sqrt();
        }
        Self { total_variation: missing.min(1.0), hellinger: (1.0f64 - common).max(0.0).sqrt() }
    }

    /// Of one column; none if its labels do not tell what they stand for.
    pub fn of_column(column: &ComparedColumn) -> Option<Self> {
        if column.untold > 0 {
            return None;
        }
        let mut spread = vec![0.0; column.rows.len()];
        for (covered, &rows) in column.covered.iter().zip(&column.released) {
            let part = rows as f64 / covered.len().max(1) as f64;
            covered.iter().for_each(|&value| spread[value as usize] += part);
        }
        let (rows, released) = (total(&column.rows), total(&column.released));
        let shares = column.rows.iter().zip(spread);
        Some(Self::of(shares.map(|(&of_value, spread)| (of_value as f64 / rows, spread / released))))
    }

    /// Of two columns together; none if they have too many combinations, or their labels do not tell.
    pub fn of_pair(compared: &Compared, a: usize, b: usize) -> Option<Self> {
        let (first, second) = (&compared.columns[a], &compared.columns[b]);
        if first.untold + second.untold > 0 || first.rows.len().saturating_mul(second.rows.len()) > TOO_MANY {
            return None;
        }
        let original = joint(&compared.original, (a, first.rows.len()), (b, second.rows.len()));
        let release = joint(&compared.release, (a, first.covered.len()), (b, second.covered.len()));
        let (rows, released) = (total(&first.rows), total(&first.released));
        let starts = starts(&release, first.covered.len());
        let runs: Vec<Vec<(u32, u32)>> = second.covered.iter().map(|covered| runs(covered)).collect();
        let mut shares = Vec::with_capacity(original.len());
        let mut spread = vec![0.0; second.rows.len() + 1];
        for same in original.chunk_by(|x, y| x.0 == y.0) {
            spread.fill(0.0);
            for &label in &first.covering[same[0].0 as usize] {
                let width = first.covered[label as usize].len() as f64;
                for &(_, other, count) in &release[starts[label as usize]..starts[label as usize + 1]] {
                    let part = count as f64 / width / second.covered[other as usize].len().max(1) as f64;
                    // Steps up and down; their running sum is what each value gets.
                    for &(from, to) in &runs[other as usize] {
                        spread[from as usize] += part;
                        spread[to as usize] -= part;
                    }
                }
            }
            let mut sum = 0.0;
            spread.iter_mut().for_each(|step| {
                sum += *step;
                *step = sum;
            });
            shares.extend(same.iter().map(|&(_, value, count)| (count as f64 / rows, spread[value as usize] / released)));
        }
        Some(Self::of(shares.into_iter()))
    }

    /// Of every two columns together.
    pub fn of_pairs(compared: &Compared) -> Vec<(usize, usize, Option<Self>)> {
        let columns = compared.columns.len();
        let pairs: Vec<(usize, usize)> = (0..columns).flat_map(|a| (a + 1..columns).map(move |b| (a, b))).collect();
        pairs.into_par_iter().map(|(a, b)| (a, b, Self::of_pair(compared, a, b))).collect()
    }
}

fn total(rows: &[u64]) -> f64 {
    rows.iter().sum::<u64>().max(1) as f64
}

/// How often each two codes occur together, sorted; with the number of codes of each column.
fn joint(tuples: &Tuples, (a, size_a): (usize, usize), (b, size_b): (usize, usize)) -> Vec<(u32, u32, u64)> {
    let codes = || tuples.codes[a].iter().zip(&tuples.codes[b]).zip(&tuples.counts);
    if size_a.saturating_mul(size_b) <= DENSE {
        let mut counts = vec![0u64; size_a * size_b];
        codes().for_each(|((&a, &b), count)| counts[a as usize * size_b + b as usize] += count);
        let found = counts.into_iter().enumerate().filter(|pair| pair.1 > 0);
        return found.map(|(at, count)| ((at / size_b) as u32, (at % size_b) as u32, count)).collect();
    }
    let mut counts: HashMap<(u32, u32), u64> = HashMap::new();
    codes().for_each(|((&a, &b), count)| *counts.entry((a, b)).or_default() += count);
    let mut found: Vec<(u32, u32, u64)> = counts.into_iter().map(|((a, b), count)| (a, b, count)).collect();
    found.sort_unstable();
    found
}

/// Where the entries of each first code begin; one more at the end.
fn starts(joint: &[(u32, u32, u64)], size: usize) -> Vec<usize> {
    (0..=size as u32).map(|code| joint.partition_point(|entry| entry.0 < code)).collect()
}

/// Sorted values as runs, the end not included.
fn runs(values: &[u32]) -> Vec<(u32, u32)> {
    values.chunk_by(|a, b| a + 1 == *b).map(|run| (run[0], run[run.len() - 1] + 1)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::compared::testing::{column, compared};
    use super::*;

    #[test]
    fn an_even_spread_differs_from_what_was() {
        let tables = compared(vec![column("age", 2, &[&[0, 1]])], &[&[0], &[0], &[0], &[1]], &[&[0], &[0], &[0], &[0]]);
        let distance = DistributionDistance::of_column(&tables.columns[0]).unwrap();
        assert!((distance.total_variation - 0.25).abs() < 1e-12);
        let common = (0.75f64 * 0.5).sqrt() + (0.25f64 * 0.5).sqrt();
        assert!((distance.hellinger - (1.0 - common).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn what_covers_nothing_is_missed() {
        let tables = compared(vec![column("age", 1, &[&[]])], &[&[0]], &[&[0]]);
        let distance = DistributionDistance::of_column(&tables.columns[0]).unwrap();
        assert_eq!((distance.total_variation, distance.hellinger), (1.0, 1.0));
    }

    #[test]
    fn pairs_lose_what_their_columns_keep() {
        // Both columns keep their halves, but nobody knows any more that they go together.
        let columns = vec![column("a", 2, &[&[0, 1]]), column("b", 2, &[&[0], &[1]])];
        let tables = compared(columns, &[&[0, 0], &[1, 1]], &[&[0, 0], &[0, 1]]);
        assert_eq!(DistributionDistance::of_column(&tables.columns[0]).unwrap().total_variation, 0.0);
        let pair = DistributionDistance::of_pair(&tables, 0, 1).expect("few values");
        assert!((pair.total_variation - 0.5).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn runs_spread_as_cells_do(
            original in prop::collection::vec((0u32..4, 0u32..5), 1..30),
            release in prop::collection::vec((0u32..3, 0u32..3), 1..30),
        ) {
            let columns = vec![
                column("a", 4, &[&[0, 1], &[1, 2, 3], &[2]]),
                column("b", 5, &[&[0, 2, 3], &[1], &[0, 1, 2, 3, 4]]),
            ];
            let rows = |pairs: &[(u32, u32)]| pairs.iter().map(|&(a, b)| vec![a, b]).collect::<Vec<_>>();
            let (original, release) = (rows(&original), rows(&release));
            let borrowed = |rows: &[Vec<u32>]| rows.iter().map(|row| row.clone().leak() as &[u32]).collect::<Vec<_>>();
            let tables = compared(columns, &borrowed(&original), &borrowed(&release));
            let mut shares = vec![(0.0, 0.0); 20];
            original.iter().for_each(|row| shares[(row[0] * 5 + row[1]) as usize].0 += 1.0 / original.len() as f64);
            for row in &release {
                let (a, b) = (&tables.columns[0].covered[row[0] as usize], &tables.columns[1].covered[row[1] as usize]);
                for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))) {
                    shares[(x * 5 + y) as usize].1 += 1.0 / (a.len() * b.len() * release.len()) as f64;
                }
            }
            let slow: f64 = shares.iter().map(|(p, q)| (p - q).abs() / 2.0).sum();
            let found = DistributionDistance::of_pair(&tables, 0, 1).expect("few values");
            prop_assert!((found.total_variation - slow).abs() < 1e-9);
        }
    }
}

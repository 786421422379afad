//! How much does one column tell about another, in the original and in the release?

use hashbrown::HashMap;
use rayon::prelude::*;

use super::naive_bayes::groups;
use super::{Compared, ComparedColumn, Tuples};

/// # Association
///
/// **Definition.** Cramér's V of each two columns: the root of chi-square over rows and over the smaller number of groups less one, corrected
/// for the association that chance alone makes in small tables.
/// **How a release is read.** Numbers and dates fall into at most 10 groups with about as many rows of the original in each, the same for both
/// tables; of other columns the 31 most frequent values are groups, and the rest is one. A generalized cell counts for all values of the
/// original that it covers, in equal parts.
/// **Range.** From 0 (the one column tells nothing about the other) to 1 (it tells the other).
/// **Example.** Two columns with two values each, always the same in both: 1. Shown as `*` in one of them: 0.
/// **Reference.** Cramér 1946; Bergsma 2013 for the correction.
#[derive(Debug, Clone, PartialEq)]
pub struct Association {
    /// The columns.
    pub columns: [String; 2],
    /// In the original.
    pub original: f64,
    /// In the release.
    pub release: f64,
}

/// Numbers fall into at most so many groups.
const NUMBER_GROUPS: usize = 10;

/// Other values into at most so many.
const VALUE_GROUPS: usize = 32;

/// A column in groups: what each value, and what each label, counts for.
struct Grouped {
    groups: usize,
    /// Of each value of the original, its group.
    values: Vec<u32>,
    /// Of each label, its place among the spreads.
    labels: Vec<u32>,
    /// Groups and the share of each; those of a single group first, by their number.
    spreads: Vec<Vec<(u32, f64)>>,
}

impl Association {
    /// Of every two columns whose labels tell what they stand for.
    pub fn of_pairs(compared: &Compared) -> Vec<Self> {
        let columns: Vec<Grouped> = compared.columns.par_iter().map(Grouped::new).collect();
        let count = columns.len();
        let is_told = |&(a, b): &(usize, usize)| compared.columns[a].untold + compared.columns[b].untold == 0;
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let pairs: Vec<(usize, usize)> = pairs.filter(is_told).collect();
        let of_pair = |(a, b): (usize, usize)| {
            let (first, second) = (&columns[a], &columns[b]);
            let [name_a, name_b] = [a, b].map(|column| compared.columns[column].name.clone());
            let groups = (first.groups, second.groups);
            let original = counted(&compared.original, (a, &first.values), (b, &second.values), groups);
            let spreads = (first.spreads.len(), second.spreads.len());
            let release = counted(&compared.release, (a, &first.labels), (b, &second.labels), spreads);
            Self {
                columns: [name_a, name_b],
                original: cramers_v(&original, groups),
                release: cramers_v(&spread(&release, first, second), groups),
            }
        };
        pairs.into_par_iter().map(of_pair).collect()
    }
}

impl Grouped {
    fn new(column: &ComparedColumn) -> Self {
        let (values, groups) = match column.is_ordered {
            true => groups(&column.rows, NUMBER_GROUPS),
            false => most_frequent(&column.rows),
        };
        let mut spreads: Vec<Vec<(u32, f64)>> = (0..groups as u32).map(|group| vec![(group, 1.0)]).collect();
        let mut known: HashMap<Vec<(u32, u32)>, u32> = HashMap::new();
        let spread_of = |covered: &Vec<u32>| {
            let mut counts = vec![0u32; groups];
            covered.iter().for_each(|&value| counts[values[value as usize] as usize] += 1);
            let parts: Vec<(u32, u32)> = (0..).zip(counts).filter(|part| part.1 > 0).collect();
            if let [(group, _)] = parts[..] {
                return group;
            }
            let all = covered.len().max(1) as f64;
            let shares = parts.iter().map(|&(group, count)| (group, f64::from(count) / all)).collect();
            *known.entry(parts).or_insert_with(|| {
                spreads.push(shares);
                spreads.len() as u32 - 1
            })
        };
        let labels = column.covered.iter().map(spread_of).collect();
        Self { groups: groups.max(1), values, labels, spreads }
    }
}

/// The most frequent values are groups, the others one more.
fn most_frequent(rows: &[u64]) -> (Vec<u32>, usize) {
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    order.sort_by_key(|&value| std::cmp::Reverse(rows[value as usize]));
    let mut group_of = vec![0; rows.len()];
    order.iter().zip(0..).for_each(|(&value, place)| group_of[value as usize] = place.min(VALUE_GROUPS as u32 - 1));
    (group_of, rows.len().min(VALUE_GROUPS))
}

/// How often two things come together, by row of the first.
fn counted(
    tuples: &Tuples,
    (a, first): (usize, &[u32]),
    (b, second): (usize, &[u32]),
    size: (usize, usize),
) -> Vec<f64> {
    let mut counts = vec![0.0; size.0 * size.1];
    for ((&x, &y), &count) in tuples.codes[a].iter().zip(&tuples.codes[b]).zip(&tuples.counts) {
        counts[first[x as usize] as usize * size.1 + second[y as usize] as usize] += count as f64;
    }
    counts
}

/// Counts by spread become counts by group.
fn spread(counts: &[f64], first: &Grouped, second: &Grouped) -> Vec<f64> {
    let mut spread = vec![0.0; first.groups * second.groups];
    for (row, of_first) in first.spreads.iter().enumerate() {
        for (column, of_second) in second.spreads.iter().enumerate() {
            let count = counts[row * second.spreads.len() + column];
            if count == 0.0 {
                continue;
            }
            for &(x, share_x) in of_first {
                for &(y, share_y) in of_second {
                    spread[x as usize * second.groups + y as usize] += count * share_x * share_y;
                }
            }
        }
    }
    spread
}

/// Cramér's V with Bergsma's correction.
fn cramers_v(counts: &[f64], (rows, columns): (usize, usize)) -> f64 {
    let of_row: Vec<f64> = counts.chunks(columns).map(|row| row.iter().sum()).collect();
    let of_column: Vec<f64> = (0..columns).map(|column| counts.iter().skip(column).step_by(columns).sum()).collect();
    let all: f64 = of_row.iter().sum();
    let used = |sums: &[f64]| sums.iter().filter(|&&sum| sum > 0.0).count() as f64;
    let (used_rows, used_columns) = (used(&of_row), used(&of_column));
    if used_rows < 2.0 || used_columns < 2.0 || all < 2.0 || rows == 0 {
        return 0.0;
    }
    let mut chi_square = 0.0;
    for (row, counts) in of_row.iter().zip(counts.chunks(columns)) {
        for (column, count) in of_column.iter().zip(counts) {
            let expected = row * column / all;
            chi_square += if expected > 0.0 { (count - expected).powi(2) / expected } else { 0.0 };
        }
    }
    let by_chance = (used_rows - 1.0) * (used_columns - 1.0) / (all - 1.0);
    let corrected = |used: f64| used - (used - 1.0).powi(2) / (all - 1.0);
    let least = corrected(used_rows).min(corrected(used_columns)) - 1.0;
    if least <= 0.0 { 0.0 } else { ((chi_square / all - by_chance).max(0.0) / least).sqrt().min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::super::compared::testing::{column, compared};
    use super::*;

    #[test]
    fn what_is_always_the_same_is_told() {
        // The second column of the release is one label for both values.
        let rows: Vec<&[u32]> = (0..40).map(|at| if at % 2 == 0 { &[0, 0][..] } else { &[1, 1][..] }).collect();
        let released: Vec<&[u32]> = (0..40).map(|at| if at % 2 == 0 { &[0, 0][..] } else { &[1, 0][..] }).collect();
        let columns = vec![column("a", 2, &[&[0], &[1]]), column("b", 2, &[&[0, 1]])];
        let found = Association::of_pairs(&compared(columns, &rows, &released));
        assert_eq!(found.len(), 1);
        assert!((found[0].original - 1.0).abs() < 1e-9, "{found:?}");
        assert_eq!(found[0].release, 0.0);
    }

    #[test]
    fn chance_is_no_association() {
        // Independent: 30 20 / 30 20. Phi-square is 0, less what chance would make.
        assert_eq!(cramers_v(&[30.0, 20.0, 30.0, 20.0], (2, 2)), 0.0);
        // 40 10 / 10 40 by hand: chi-square 36 of 100, 1/99 by chance, both sides 2 - 1/99 - 1.
        let expected = ((0.36f64 - 1.0 / 99.0) / (1.0 - 1.0 / 99.0)).sqrt();
        assert!((cramers_v(&[40.0, 10.0, 10.0, 40.0], (2, 2)) - expected).abs() < 1e-12);
    }
}

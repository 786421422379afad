//! Which few values single out a record, and how special is a record that many such values single out?

use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

use super::class_column::ClassColumn;
use super::grouping::{combinations, dense, keys, number_of_combinations};

/// # Special uniques
///
/// **Definition.** A minimal sample unique is a set of quasi-identifiers in which a record's values are unique in the table,
/// while they are not in any smaller set of them. The score of a record is the sum over its minimal sample uniques of the
/// product of (columns - i) for i from its size to the largest size that is looked for (or all columns but one).
/// **What it means.** Who is singled out by few values, and by many sets of them, is special: unique in the population, too,
/// more likely than others. `dis_score` makes a probability of the score, K s / (1 + K s), where K is such that the scores
/// fit the chance, over the whole table, that a unique match is right: p U / (p U + 2 (1 - p) P) with U unique
/// records, P pairs, and p the rate at which the table was drawn.
/// **Lowered by.** Generalizing or suppressing the columns that contribute most; suppressing the few most special records.
/// **Options.** `--suda-size` (default 3): the largest set that is looked for; less where there are too many columns or
/// classes. `--population-size` gives p, which is 0.01 otherwise.
/// **Example.** The only widow of sixteen: no column alone singles her out, her age and marital status together do.
/// **Reference.** Elliot, Manning and Ford 2002; Manning, Haglin and Keane 2008 (SUDA2).
#[derive(Debug, Clone, Serialize)]
pub struct SpecialUniques {
    /// The largest sets that were looked for.
    pub max_size: usize,
    /// How many records have a minimal sample unique of at most this size.
    pub records: u64,
    /// How many minimal sample uniques there are of each size, from 1 on.
    pub minimal_uniques: Vec<u64>,
    /// The rate at which the table was drawn, as far as known.
    pub sampling_fraction: f64,
    /// The highest score.
    pub highest_score: f64,
    /// The highest score as a probability.
    pub highest_dis_score: f64,
    /// The share of all scores that comes from sets with each column, in the order of the quasi-identifiers.
    pub contributions: Vec<f64>,
    /// The most special records.
    pub worst: Vec<SpecialRecord>,
}

/// A record that is special.
#[derive(Debug, Clone, Serialize)]
pub struct SpecialRecord {
    /// What it shows.
    pub quasi: Map<String, Value>,
    /// Its score.
    pub score: f64,
    /// Its score as a probability.
    pub dis_score: f64,
    /// How many minimal sample uniques it has.
    pub minimal_uniques: u64,
    #[serde(skip)]
    pub(super) class: usize,
}

/// Looking at a class for one set takes some thirty nanoseconds.
const MOST_LOOKS: u64 = 1 << 30;

/// How many of the most special records are listed.
const LISTED: usize = 10;

/// What is usually taken for the rate at which a table was drawn.
const USUAL_RATE: f64 = 0.01;

/// The minimal sample uniques of one set: the classes, in their order.
struct MinimalUniques {
    columns: Vec<usize>,
    classes: Vec<u32>,
}

/// Looks for minimal sample uniques of at most this size.
pub fn special_uniques(
    columns: &[ClassColumn<'_>],
    sizes: &[u64],
    largest: usize,
    rate: Option<f64>,
) -> SpecialUniques {
    let looks = |size: &usize| {
        number_of_combinations(columns.len(), *size).checked_mul(sizes.len() as u64).is_some_and(|n| n <= MOST_LOOKS)
    };
    let max_size = (1..=largest.min(columns.len())).rev().find(looks).unwrap_or(largest.min(1));
    let found = minimal_uniques(columns, sizes, max_size);
    let rate = rate.unwrap_or(USUAL_RATE);
    let (mut scores, mut how_many) = (vec![0.0f64; sizes.len()], vec![0u64; sizes.len()]);
    let (mut of_size, mut contributions) = (vec![0; max_size], vec![0.0; columns.len()]);
    for MinimalUniques { columns: set, classes } in &found {
        let score = score(set.len(), max_size, columns.len());
        of_size[set.len() - 1] += classes.len() as u64;
        set.iter().for_each(|&column| contributions[column] += score * classes.len() as f64);
        for &class in classes {
            scores[class as usize] += score;
            how_many[class as usize] += 1;
        }
    }
    let total: f64 = scores.iter().sum();
    let to_dis = dis(sizes, rate, total);
    let mut special: Vec<usize> = (0..sizes.len()).filter(|&class| how_many[class] > 0).collect();
    let records = special.len() as u64;
    special.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    special.truncate(LISTED);
    let record = |&class: &usize| SpecialRecord {
        quasi: Map::new(),
        score: scores[class],
        dis_score: to_dis(scores[class]),
        minimal_uniques: how_many[class],
        class,
    };
    let worst: Vec<SpecialRecord> = special.iter().map(record).collect();
    SpecialUniques {
        max_size,
        records,
        minimal_uniques: of_size,
        sampling_fraction: rate,
        highest_score: worst.first().map_or(0.0, |record| record.score),
        highest_dis_score: worst.first().map_or(0.0, |record| record.dis_score),
        contributions: contributions.into_iter().map(|sum| if total > 0.0 { sum / total } else { 0.0 }).collect(),
        worst,
    }
}

/// The score of a minimal sample unique. There is one of all columns only where the product is empty.
fn score(size: usize, largest: usize, columns: usize) -> f64 {
    (size..=largest.min(columns - 1)).map(|i| (columns - i) as f64).product()
}

/// How a score becomes a probability.
fn dis(sizes: &[u64], rate: f64, total: f64) -> impl Fn(f64) -> f64 {
    let with = |size: u64| sizes.iter().filter(|&&other| other == size).count() as f64;
    let (unique, pairs) = (with(1), with(2));
    let (right, wrong) = (rate * unique, 2.0 * (1.0 - rate) * pairs);
    // Without pairs every unique match is right.
    let factor = if total > 0.0 { right / wrong * unique / total } else { 0.0 };
    move |score| {
        let scaled = factor * score;
        if scaled.is_infinite() { 1.0 } else { scaled / (1.0 + scaled) }
    }
}

/// The minimal sample uniques of each set of columns, small sets first. A record that is unique in a set is a minimal one if
/// it is unique in none of the sets that lack one of the columns: uniqueness is inherited by larger sets.
fn minimal_uniques(columns: &[ClassColumn<'_>], sizes: &[u64], largest: usize) -> Vec<MinimalUniques> {
    let places: Vec<usize> = (0..columns.len()).collect();
    let sets = combinations(&places, largest);
    let (mut found, mut smaller): (Vec<MinimalUniques>, Vec<(&[usize], Bits)>) = (Vec::new(), Vec::new());
    for of_size in sets.chunk_by(|a, b| a.len() == b.len()) {
        let looked_at: Vec<Bits> = of_size.par_iter().map(|set| unique_in(columns, sizes, set)).collect();
        let minimal = |(set, unique): (&Vec<usize>, &Bits)| {
            let mut left = unique.clone();
            for lacking in set {
                let rest: Vec<usize> = set.iter().copied().filter(|column| column != lacking).collect();
                if let Ok(at) = smaller.binary_search_by(|(columns, _)| (*columns).cmp(rest.as_slice())) {
                    left.remove(&smaller[at].1);
                }
            }
            MinimalUniques { columns: set.clone(), classes: left.places() }
        };
        found.par_extend(of_size.par_iter().zip(&looked_at).map(minimal));
        // Sets of one size come in their order, so that they are found by halving.
        smaller = of_size.iter().map(Vec::as_slice).zip(looked_at).collect();
    }
    found
}

/// The classes of one record whose values in these columns no other record has.
fn unique_in(columns: &[ClassColumn<'_>], sizes: &[u64], set: &[usize]) -> Bits {
    let chosen: Vec<&ClassColumn<'_>> = set.iter().map(|&column| &columns[column]).collect();
    let (keys, space) = keys(&chosen, sizes.len());
    let mut unique = Bits(vec![0; sizes.len().div_ceil(64)]);
    match dense(space, keys.len() * 8) {
        Some(space) => {
            // Whether there is one record, or more, is all that counts.
            let mut seen = vec![0u8; space];
            for (&key, &size) in keys.iter().zip(sizes) {
                seen[key as usize] = seen[key as usize].saturating_add(size.min(2) as u8).min(2);
            }
            let alone = keys.iter().enumerate().filter(|(_, key)| seen[**key as usize] == 1);
            alone.for_each(|(class, _)| unique.insert(class));
        }
        None => {
            let mut order: Vec<(u64, u32)> = keys.into_iter().zip(0..).collect();
            order.sort_unstable();
            let runs = order.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() == 1);
            let classes = runs.map(|run| run[0].1 as usize);
            classes.filter(|&class| sizes[class] == 1).for_each(|class| unique.insert(class));
        }
    }
    unique
}

/// A set of classes.
#[derive(Clone)]
struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    fn remove(&mut self, others: &Bits) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word &= !other);
    }

    fn places(&self) -> Vec<u32> {
        let of_word = |(at, &word): (usize, &u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at as u32 * 64 + bit)
        };
        self.0.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(of_word).collect()
    }
}

#[cfg(test)]
mod tests;

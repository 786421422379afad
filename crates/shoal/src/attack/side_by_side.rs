//! What do two releases tell whose rows stand in one order?

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::alignment::align;
use super::laid_rows::LaidRows;
use super::overlap::{SharedColumn, overlaps};
use super::{OtherRelease, Scene};
use shoal_core::Result;

/// Two releases laid side by side.
#[derive(Debug)]
pub struct Beside {
    /// The audited release, by its quasi-identifiers.
    pub these: LaidRows,
    /// The other, by all its columns that are not sensitive in both.
    pub those: LaidRows,
    /// For each of these columns, which of the audited quasi-identifiers it is, if it is one.
    pub same: Vec<Option<usize>>,
}

/// The rows that belong together, by their places in either release.
#[derive(Debug)]
pub struct Partners {
    pub(super) pairs: Vec<(u32, u32)>,
    /// Does every row have the one beside it?
    pub(super) is_even: bool,
}

/// Rows that agree by chance in no more than one case of so many, by its logarithm, do not agree by chance.
const CHANCE: f64 = 9.21; // ln 10,000

/// Whether two releases stand in one order, though each lacks some rows, is decided by so many rows.
const DECIDING: usize = 4096;

/// For that, so many times the root of their number more must find a partner than if each stood elsewhere nearby. The most pairs that two lists of
/// n independent rows have differ from their mean by t in less than e^(-t²/n) of all cases (McDiarmid's inequality, each of 2n rows
/// changing it by one at most); that two such numbers differ by 7√n, in less than 2e^(-49/4), one in 100,000.
const ROOTS: f64 = 7.0;

/// Rows stand elsewhere nearby if they change places with so many around them: what is only sorted alike is so still.
const NEARBY: usize = 64;

/// Which rows of two releases can be of the same person, by what both show.
struct Fit<'a> {
    beside: &'a Beside,
    /// The columns that both have, here and there, and which labels of one overlap with which of the other.
    columns: Vec<(usize, usize, Vec<Vec<u32>>)>,
    /// For each sensitive column and release, the code of each text; [`ANY`] for a generalized one.
    values: Vec<[Vec<u32>; 2]>,
}

/// A generalized value fits more than one, and tells less.
const ANY: u32 = u32::MAX;

impl Beside {
    /// Who is beside whom, if the rows of both stand in one order, as hardly any other two lists would.
    pub fn in_one_order(&self, scene: &Scene<'_>, other: &OtherRelease) -> Result<Option<Partners>> {
        let fit = Fit::new(self, scene, other)?;
        let (own, others) = (self.these.rows.len(), self.those.rows.len());
        // What is sorted by what it shows stands in no other order that could tell anything.
        if fit.is_sorted(0) || fit.is_sorted(1) {
            return Ok(None);
        }
        if own == others && (0..own).all(|row| fit.fits(row, row)) {
            let pairs = (0..own as u32).map(|row| (row, row)).collect();
            let is_surprising = fit.surprise() >= CHANCE;
            return Ok(Some(Partners { pairs, is_even: true }).filter(|found| is_surprising && self.is_more(found)));
        }
        let (first, others_first) = (own.min(DECIDING), others.min(DECIDING));
        let found = align(first, others_first, |one, other| fit.fits(one, other)).len();
        let moved = align(first, others_first, |one, other| fit.fits(one, nearby(other, others_first))).len();
        if (found as f64) < moved as f64 + ROOTS * (first.max(others_first) as f64).sqrt() {
            return Ok(None);
        }
        let pairs = align(own, others, |one, other| fit.fits(one, other));
        Ok(Some(Partners { pairs, is_even: false }).filter(|found| self.is_more(found)))
    }

    /// Do both releases together tell more rows apart than one of them does? Two releases that show the same stand in the order of
    /// what they show, and tell nothing more.
    fn is_more(&self, partners: &Partners) -> bool {
        let group = |&(one, other): &(u32, u32)| (self.these.rows[one as usize].0, self.those.rows[other as usize].0);
        let joint: HashSet<(u32, u32)> = partners.pairs.iter().map(group).collect();
        let own: HashSet<u32> = joint.iter().map(|group| group.0).collect();
        let others: HashSet<u32> = joint.iter().map(|group| group.1).collect();
        joint.len() > own.len().max(others.len())
    }
}

impl<'a> Fit<'a> {
    fn new(beside: &'a Beside, scene: &Scene<'_>, other: &OtherRelease) -> Result<Self> {
        let mut columns = Vec::new();
        for (there, same) in beside.same.iter().enumerate() {
            let Some(here) = *same else { continue };
            let quasi = &scene.quasi[here];
            let rows = match &quasi.hierarchy {
                Some(spec) => spec.rows(scene.folder)?.unwrap_or_default(),
                None => Vec::new(),
            };
            let (these, those) = (beside.these.known.texts(here), beside.those.known.texts(there));
            let shared =
                SharedColumn { these, those, rows: &rows, missing: scene.missing, reading: scene.reading(quasi) };
            columns.push((here, there, overlaps(shared).of));
        }
        let codes = |(place, &column): (usize, &usize)| {
            let mut numbers: HashMap<&str, u32> = HashMap::new();
            [&beside.these, &beside.those].map(|release| {
                let mut code = |text: &'a String| {
                    let column = &scene.columns[column];
                    let is_generalized = column.code(text).is_some_and(|code| code as usize >= column.leaves());
                    let next = numbers.len() as u32;
                    if is_generalized { ANY } else { *numbers.entry(text).or_insert(next) }
                };
                release.values.texts(place).iter().map(&mut code).collect::<Vec<u32>>()
            })
        };
        let values = other.sensitive.iter().enumerate().map(codes).collect();
        Ok(Self { beside, columns, values })
    }

    /// Can a row of one release be of the same person as a row of the other?
    fn fits(&self, one: usize, other: usize) -> bool {
        let Beside { these, those, .. } = self.beside;
        let ((own, value), (others, its)) = (these.rows[one], those.rows[other]);
        let is_value = |(place, [here, there]): (usize, &[Vec<u32>; 2])| {
            let (one, other) =
                (here[these.values.at(value, place) as usize], there[those.values.at(its, place) as usize]);
            one == other || one == ANY || other == ANY
        };
        self.values.iter().enumerate().all(is_value)
            && self.columns.iter().all(|(here, there, overlaps)| {
                overlaps[these.known.at(own, *here) as usize].binary_search(&those.known.at(others, *there)).is_ok()
            })
    }

    /// Do all rows of one of both releases that show the same in what both have stand together, though there are some?
    fn is_sorted(&self, release: usize) -> bool {
        let rows = [&self.beside.these, &self.beside.those][release];
        let profile = |&(known, value): &(u32, u32)| -> Vec<u32> {
            let columns = self.columns.iter().map(|&(here, there, _)| rows.known.at(known, [here, there][release]));
            columns.chain((0..self.values.len()).map(|place| rows.values.at(value, place))).collect()
        };
        let mut seen = HashSet::new();
        let (mut before, mut runs) = (None, 0);
        for row in &rows.rows {
            let profile = profile(row);
            if before.as_ref() != Some(&profile) {
                runs += 1;
                seen.insert(profile.clone());
                before = Some(profile);
            }
        }
        runs == seen.len() && runs < rows.rows.len()
    }

    /// How unlikely it is that each row fits the one beside it, by the column that tells most.
    fn surprise(&self) -> f64 {
        let of_columns = self.columns.iter().map(|(here, there, overlaps)| {
            let Beside { these, those, .. } = self.beside;
            let of_these = counts(these.rows.iter().map(|row| these.known.at(row.0, *here)));
            let of_those = counts(those.rows.iter().map(|row| those.known.at(row.0, *there)));
            let rows = these.rows.len() as f64;
            let fitting =
                |label: &u32| overlaps[*label as usize].iter().filter_map(|label| of_those.get(label)).sum::<u64>();
            // Each row has its chance not to fit; that none does not is less likely than if they were independent.
            of_these.iter().map(|(label, &count)| count as f64 * (1.0 - fitting(label) as f64 / rows)).sum::<f64>()
        });
        // Of n rows with n! orders, those keep a column as it is that exchange equal values.
        let of_values = self.values.iter().enumerate().map(|(place, [here, there])| {
            let Beside { these, those, .. } = self.beside;
            let pairs = these.rows.iter().zip(&those.rows).map(|(one, other)| {
                (here[these.values.at(one.1, place) as usize], there[those.values.at(other.1, place) as usize])
            });
            let counts = counts(pairs.filter(|(one, other)| *one != ANY && *other != ANY).map(|(one, _)| one));
            ln_factorial(counts.values().sum()) - counts.values().map(|&count| ln_factorial(count)).sum::<f64>()
        });
        of_columns.chain(of_values).fold(0.0, f64::max)
    }
}

pub(super) fn counts<T: Eq + Hash>(numbers: impl Iterator<Item = T>) -> HashMap<T, u64> {
    let mut counts = HashMap::new();
    numbers.for_each(|number| *counts.entry(number).or_default() += 1);
    counts
}

/// Another place near one of so many, for each another.
fn nearby(place: usize, rows: usize) -> usize {
    let first = place - place % NEARBY;
    let count = NEARBY.min(rows - first);
    // Steps of a length that has no divisor in common with their number come to each place once.
    let gcd = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let golden = (count as f64 * 0.618_033_988_75) as usize;
    let step = (golden.max(1)..).find(|&step| gcd(step, count) == 1).unwrap_or(1);
    first + ((place - first) * step + count / 2) % count
}

fn ln_factorial(n: u64) -> f64 {
    (2..=n).map(|factor| (factor as f64).ln()).sum()
}

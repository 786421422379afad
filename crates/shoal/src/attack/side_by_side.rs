//! What do two releases tell whose rows stand in one order?

use std::collections::HashMap;

use serde_json::json;

use super::finding::{ByClass, Detail};
use super::overlap::{SharedColumn, overlaps};
use super::{Finding, OtherRelease, Scene};
use shoal_core::Result;
use crate::outsider::OutsiderClasses;

/// Two releases laid side by side.
#[derive(Debug)]
pub struct Beside {
    /// By the quasi-identifiers of the audited release and all columns of the other that are not sensitive. Sensitive columns are
    /// those that both have, first as the audited release shows them, then as the other does.
    pub classes: OutsiderClasses,
    /// For each of the other's columns among these, which of the audited quasi-identifiers it is, if it is one.
    pub same: Vec<Option<usize>>,
}

/// Rows that agree by chance in no more than one case of so many, by its logarithm, do not agree by chance.
const CHANCE: f64 = 9.21; // ln 10,000

impl Beside {
    /// Does each row of one release fit the row of the other beside it, though hardly any other order of them would?
    pub fn is_in_one_order(&self, scene: &Scene<'_>, other: &OtherRelease) -> Result<bool> {
        let mut surprise: f64 = 0.0;
        for (place, same) in self.same.iter().enumerate() {
            let Some(column) = *same else { continue };
            match self.surprise_of_labels(scene, column, scene.quasi.len() + place)? {
                Some(of_column) => surprise = surprise.max(of_column),
                None => return Ok(false),
            }
        }
        for (place, &column) in other.sensitive.iter().enumerate() {
            let leaves = scene.columns[column].leaves() as u32;
            match self.surprise_of_values(place, other.sensitive.len() + place, leaves) {
                Some(of_column) => surprise = surprise.max(of_column),
                None => return Ok(false),
            }
        }
        Ok(surprise >= CHANCE)
    }

    /// How unlikely it is that all rows agree in a quasi-identifier of both, if they do.
    fn surprise_of_labels(&self, scene: &Scene<'_>, here: usize, there: usize) -> Result<Option<f64>> {
        let quasi = &scene.quasi[here];
        let rows = match &quasi.hierarchy {
            Some(spec) => spec.rows(scene.folder)?.unwrap_or_default(),
            None => Vec::new(),
        };
        let (these, those) = (self.classes.labels(here), self.classes.labels(there));
        let overlaps =
            overlaps(SharedColumn { these, those, rows: &rows, missing: scene.missing, dates: quasi.dates }).of;
        let fits = |key: &[u32]| overlaps[key[here] as usize].binary_search(&key[there]).is_ok();
        if !(0..self.classes.len()).all(|class| fits(self.classes.key(class))) {
            return Ok(None);
        }
        let (of_these, of_those) = (self.classes.rows_with(here), self.classes.rows_with(there));
        let fitting = |those: &Vec<u32>| those.iter().map(|&label| of_those[label as usize]).sum::<u64>() as f64;
        let rows = self.classes.rows() as f64;
        // Each row has its chance not to fit; that none does not is less likely than if they were independent.
        Ok(Some(
            of_these.iter().zip(&overlaps).map(|(&count, those)| count as f64 * (1.0 - fitting(those) / rows)).sum(),
        ))
    }

    /// The same for a sensitive column. Of n rows with n! orders, those keep the column as it is that exchange equal values.
    fn surprise_of_values(&self, here: usize, there: usize, leaves: u32) -> Option<f64> {
        let mut counts: HashMap<u32, u64> = HashMap::new();
        for class in 0..self.classes.len() {
            let (tuples, of_tuples) = self.classes.entries(class);
            for (&tuple, &count) in tuples.iter().zip(of_tuples) {
                let tuple = self.classes.tuples().tuple(tuple);
                match (tuple[here], tuple[there]) {
                    // A generalized value fits more than one, and tells less.
                    (one, other) if one >= leaves || other >= leaves => {}
                    (one, other) if one == other => *counts.entry(one).or_default() += count,
                    _ => return None,
                }
            }
        }
        let rows: u64 = counts.values().sum();
        Some(ln_factorial(rows) - counts.values().map(|&count| ln_factorial(count)).sum::<f64>())
    }

    /// What is learned of a sensitive column: classes in which all who look the same in both releases have one value, though
    /// neither release by itself tells it.
    pub fn finding(&self, attack: &'static str, scene: &Scene<'_>, other: &OtherRelease, place: usize) -> Finding {
        let (column, own) = (other.sensitive[place], scene.quasi.len());
        let class_of: HashMap<Vec<&str>, usize> =
            (0..scene.classes.len()).map(|class| (scene.classes.shown(class).collect(), class)).collect();
        let only_of_other = self.only_values(place, own);
        let (mut exposed, mut alone) = (ByClass::default(), 0);
        for joint in 0..self.classes.len() {
            let size = self.classes.sizes()[joint];
            alone += u64::from(size == 1);
            let shown: Vec<&str> = self.classes.shown(joint).take(own).collect();
            let Some(&class) = class_of.get(&shown) else { continue };
            let told_by_itself = scene.classes.class(class).counts(column).distinct() < 2
                || only_of_other[&self.classes.key(joint)[own..]].is_some();
            let members = self.classes.class(joint);
            if let (false, Some((code, _)), 1) =
                (told_by_itself, members.counts(place).iter().next(), members.counts(place).distinct())
            {
                exposed.add(class, size, code, size as f64 / scene.classes.sizes()[class] as f64);
            }
        }
        let detail = |class: usize, code: u32, _| Detail {
            figures: vec![("of_records", json!(scene.classes.sizes()[class]))],
            value: scene.columns[column].value(code).to_owned(),
        };
        exposed
            .exposure(scene, detail)
            .finding(scene, attack, Some(column), LEARNED, PREVENTED_BY)
            .with("by_order", true)
            .with("pairs", self.classes.len())
            .with("certain", true)
            .with("in_both", self.classes.rows())
            .with("alone_in_both", alone)
    }

    /// For each class of the other release by itself, the only value that it has, if it has only one.
    fn only_values(&self, place: usize, own: usize) -> HashMap<&[u32], Option<u32>> {
        let mut only: HashMap<&[u32], Option<u32>> = HashMap::new();
        for joint in 0..self.classes.len() {
            for (code, _) in self.classes.class(joint).counts(place).iter() {
                let known = only.entry(&self.classes.key(joint)[own..]).or_insert(Some(code));
                *known = known.filter(|known| *known == code);
            }
        }
        only
    }
}

const LEARNED: &str = "the value: rows of both releases stand in one order, so that each row of one is of the same person as the row of the \
                       other beside it";

const PREVENTED_BY: &str = "`shuffle = true` in [output], the default, for both releases";

fn ln_factorial(n: u64) -> f64 {
    (2..=n).map(|factor| (factor as f64).ln()).sum()
}

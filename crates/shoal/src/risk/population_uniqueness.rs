//! How many people would be alone with their quasi-identifiers in the population?

use std::collections::BTreeMap;

use serde::Serialize;

use super::{pitman, snb, zayatz};

/// # Population uniqueness
///
/// **Definition.** The share of people of the population whose quasi-identifiers nobody else has, estimated from the sizes of
/// the table's classes and the rate at which it was drawn.
/// **What it means.** `pitman` takes the classes for a draw of Pitman's sampling formula; `zayatz` takes their sizes for those of
/// the population; `snb` takes the latter for one more than a negative binomial number. `dankar` is the rule which of
/// them to believe: up to a rate of 0.1 Pitman (Zayatz where that has no solution), above it the smaller of Zayatz and SNB.
/// An estimate that does not exist for a table, or is not found, is null.
/// **Lowered by.** Generalizing quasi-identifiers; `k-anonymity` with k = 2 leaves no unique record, and then all are 0.
/// **Options.** `--population-size N`, or `--population FILE`, whose number of rows is taken.
/// **Example.** Two of four records are unique, drawn from eight people: `zayatz` finds 0.32 of the people unique.
/// **Reference.** Dankar, El Emam, Neisa and Roffey 2012; Hoshino 2001; Zayatz 1991; Chen and Keller-McNulty 1998.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct PopulationUniqueness {
    /// By Pitman's sampling formula.
    pub pitman: Option<f64>,
    /// By Zayatz's method.
    pub zayatz: Option<f64>,
    /// By the slide negative binomial.
    pub snb: Option<f64>,
    /// By the rule of Dankar et al.
    pub dankar: Option<f64>,
    /// Which of them the rule chose.
    pub dankar_model: Option<&'static str>,
}

/// A table that was drawn from a population.
#[derive(Debug)]
pub(super) struct Sampled {
    /// How many classes there are of each size.
    pub(super) of_size: BTreeMap<u64, u64>,
    /// How many classes.
    pub(super) classes: f64,
    /// How many records.
    pub(super) records: f64,
    /// How many people.
    pub(super) people: f64,
}

impl Sampled {
    pub(super) fn new(of_size: BTreeMap<u64, u64>, people: u64) -> Self {
        let classes = of_size.values().sum::<u64>() as f64;
        let records = of_size.iter().map(|(size, classes)| size * classes).sum::<u64>() as f64;
        Self { of_size, classes, records, people: people as f64 }
    }

    /// How many classes have this size.
    pub(super) fn classes_of(&self, size: u64) -> f64 {
        self.of_size.get(&size).map_or(0.0, |&classes| classes as f64)
    }

    /// The share of the population that was drawn.
    pub(super) fn rate(&self) -> f64 {
        self.records / self.people
    }
}

/// Up to this rate Dankar et al. found Pitman's estimate the most accurate.
const LOW_RATE: f64 = 0.1;

impl PopulationUniqueness {
    pub(super) fn estimate(sampled: &Sampled) -> Self {
        let unique = sampled.classes_of(1) / sampled.records;
        // Nothing is to be estimated where nobody is unique, or everybody is in the table.
        if unique == 0.0 || sampled.records >= sampled.people {
            let known = Some(unique);
            return Self { pitman: known, zayatz: known, snb: known, dankar: known, dankar_model: None };
        }
        let is_share = |share: &f64| share.is_finite() && (0.0..=1.0).contains(share);
        let pitman = pitman::unique(sampled).filter(is_share);
        let zayatz = zayatz::unique(sampled);
        let snb = snb::unique(sampled).filter(is_share);
        let (dankar, model) = match (pitman, snb) {
            (Some(pitman), _) if sampled.rate() <= LOW_RATE => (pitman, "pitman"),
            (_, Some(snb)) if sampled.rate() > LOW_RATE && snb <= zayatz => (snb, "snb"),
            _ => (zayatz, "zayatz"),
        };
        Self { pitman, zayatz: Some(zayatz), snb, dankar: Some(dankar), dankar_model: Some(model) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(of_size: &[(u64, u64)], people: u64) -> PopulationUniqueness {
        PopulationUniqueness::estimate(&Sampled::new(of_size.iter().copied().collect(), people))
    }

    #[test]
    fn without_uniques_there_are_none() {
        let found = estimate(&[(2, 10), (3, 5)], 1000);
        assert_eq!((found.pitman, found.zayatz, found.snb, found.dankar), (Some(0.0), Some(0.0), Some(0.0), Some(0.0)));
    }

    #[test]
    fn where_all_are_in_the_table_nothing_is_estimated() {
        assert_eq!(estimate(&[(1, 4), (2, 3)], 10).dankar, Some(0.4));
    }

    #[test]
    fn the_rule_depends_on_the_rate() {
        let sizes = [(1, 400), (2, 120), (3, 60), (4, 30), (5, 20), (10, 10), (40, 2)];
        let rows: u64 = sizes.iter().map(|(size, classes)| size * classes).sum();
        let low = estimate(&sizes, rows * 50);
        assert_eq!((low.dankar_model, low.dankar), (Some("pitman"), low.pitman));
        let high = estimate(&sizes, rows * 4);
        let smaller = high.zayatz.into_iter().chain(high.snb).fold(1.0, f64::min);
        assert_eq!(high.dankar, Some(smaller));
        // All records unique: Pitman's parameter would be at its end.
        let all = estimate(&[(1, 50)], 5000);
        assert_eq!((all.pitman, all.dankar_model), (None, Some("zayatz")));
    }
}

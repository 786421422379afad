//! What does the attacker have at hand?

use std::path::Path;

use serde_json::{Map, Value};

use super::{Beside, Knowledge, Options};
use crate::linking::{AuditedQuasi, People};
use crate::outsider::OutsiderClasses;
use shoal_core::frequency::{Counts, InducedCounts, Induction, SensitiveColumn};
use shoal_core::model::Requirement;
use shoal_core::table::{NumberMarks, Reading};
use shoal_core::watch::Watch;

/// Another release of the same people.
#[derive(Debug)]
pub struct OtherRelease {
    /// Its classes.
    pub classes: OutsiderClasses,
    /// For each of its quasi-identifiers, which of the audited table's it is.
    pub quasi: Vec<usize>,
    /// For each of its sensitive columns, which of the audited table's it is.
    pub sensitive: Vec<usize>,
}

/// A release and everything that an attacker knows besides.
pub struct Scene<'a> {
    /// The release, by its classes.
    pub classes: &'a OutsiderClasses,
    /// The same with whose rows they are, where the release itself tells, or whoever has just made it.
    pub people: Option<&'a OutsiderClasses>,
    /// Can everybody who has the release tell so, and not only whoever made it?
    pub shows_people: bool,
    /// Its quasi-identifiers.
    pub quasi: &'a [AuditedQuasi],
    /// Its sensitive columns.
    pub columns: &'a [SensitiveColumn],
    /// How generalized values of each sensitive column spread over their leaves.
    pub inductions: Vec<Induction>,
    /// What the policy requires of it, if there is a policy.
    pub requirements: &'a [Requirement],
    /// Is the release as it is because every lower level fails? Not where rows may be suppressed instead, or where a
    /// requirement is asked of parts of classes.
    pub is_minimal: bool,
    /// Are generalized sensitive values those of records with the most frequent value, as the method of the policy makes them?
    pub is_dominant_generalized: bool,
    /// The table it was made from.
    pub original: Option<People>,
    /// A table of an outsider, with some of the quasi-identifiers.
    pub outsider: Option<People>,
    /// A table of the population, with its sensitive values.
    pub population: Option<People>,
    /// Another release of the same people.
    pub other: Option<OtherRelease>,
    /// That release and this one row by row.
    pub beside: Option<&'a Beside>,
    /// What the attacker knows of people and values.
    pub knowledge: Option<Knowledge>,
    /// Are quasi-identifiers shown as they are, with sensitive values in a table of their own? Classes are numbers then.
    pub is_separated: bool,
    /// How numbers are written.
    pub marks: NumberMarks,
    /// How a missing value is written.
    pub missing: &'a str,
    /// Where relative paths begin.
    pub folder: &'a Path,
    /// Thresholds.
    pub options: &'a Options,
    /// Whoever watches: asked before each attack, risk and measure.
    pub watch: &'a dyn Watch,
}

impl Scene<'_> {
    /// How the values of a quasi-identifier are to be read.
    pub fn reading(&self, quasi: &AuditedQuasi) -> Reading {
        Reading { marks: self.marks, dates: quasi.dates }
    }

    /// The original, if the labels of the release tell whom of it they stand for.
    pub fn legible_original(&self) -> Option<&People> {
        self.original.as_ref().filter(|original| original.illegible().is_empty())
    }

    /// What it takes to know what the labels of some quasi-identifiers stand for.
    pub fn needed_for_labels(&self, columns: &[usize]) -> String {
        let names: Vec<String> = columns.iter().map(|&column| format!("`{}`", self.quasi[column].name)).collect();
        format!(
            "a policy or --hierarchy that tells what the labels of {} stand for: nobody who is known has what they show",
            names.join(", ")
        )
    }

    /// The values of a sensitive column in a class, with generalized ones spread over their leaves, and the sum of counts.
    pub fn induce<'c>(&self, column: usize, counts: Counts<'c>, size: u64) -> (InducedCounts<'c>, u64) {
        let induction = &self.inductions[column];
        (induction.induce(counts), size * induction.scale())
    }

    /// The largest share of a class that the policy lets any value of a sensitive column have, if it bounds that.
    pub fn granted(&self, column: usize) -> Option<f64> {
        let of_column = |(of, share): (usize, f64)| (of == column).then_some(share);
        let shares =
            self.requirements.iter().filter_map(|requirement| requirement.model.largest_share().and_then(of_column));
        shares.reduce(f64::min)
    }

    /// What a class shows, by column.
    pub fn shown(&self, class: usize) -> Map<String, Value> {
        let names = self.quasi.iter().map(|quasi| quasi.name.clone());
        names.zip(self.classes.shown(class).map(Value::from)).collect()
    }

    /// The share of each leaf of a column among all released records.
    pub fn shares(&self, column: usize) -> Vec<f64> {
        let released = self.classes.profile().released(column);
        let total = released.total().max(1) as f64;
        released.counts().iter().map(|&count| count as f64 / total).collect()
    }
}

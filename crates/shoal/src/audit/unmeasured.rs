//! What does an audit not measure, and why?
//!
//! A release in two tables shows quasi-identifiers as they are, and sensitive values by classes that are numbers. One whose policy counts people
//! may not tell whose rows are whose.

use serde::Serialize;

use crate::risk::RISKS;
use crate::utility::{MEASURES, objectives};
use shoal_core::model::Requirement;

/// Something that was not measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unmeasured {
    /// What it is, by its id.
    #[serde(flatten)]
    pub what: What,
    /// Why it was not.
    pub why: &'static str,
}

/// What was not measured, by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A privacy model.
    Model(&'static str),
    /// A risk.
    Risk(&'static str),
    /// A measure of utility.
    Utility(&'static str),
}

impl What {
    /// Its id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Model(id) | Self::Risk(id) | Self::Utility(id) => id,
        }
    }
}

/// Why what a policy asks of people cannot be judged by the release alone.
pub(super) const NOT_TOLD: &str = "the policy counts people, and the table does not tell whose rows are whose: what is required was verified when it was made, and cannot \
     be judged by the table alone; where a column tells, name it with --person";

/// Why what a policy asks of people cannot be judged where it compares them with those of the input.
pub(super) const NOT_OF_INPUT: &str = "the policy compares people with those of the input, and of these an audit knows only rows: what is required was verified when it was made, \
     and cannot be judged by the table";

const AS_THEY_ARE: &str =
    "quasi-identifiers are shown as they are: whoever knows somebody's finds the row; classes hide values, not people";
const OF_VALUES: &str =
    "both tables show the values of the original; `shoal init` on that names the columns that Safe Harbor lists";
const NOT_GENERALIZED: &str = "quasi-identifiers are shown as they are, so that none is generalized; what is lost is which sensitive value \
                               is whose, and that no objective counts";
const NOT_IN_ONE_ROW: &str =
    "no row of the release has both quasi-identifiers and sensitive values, which it would compare with the original's";

/// What is required of people, where they cannot be judged.
pub(super) fn of_people(measures: &[Requirement], why: &'static str) -> impl Iterator<Item = Unmeasured> {
    measures.iter().map(move |requirement| Unmeasured { what: What::Model(requirement.id), why })
}

/// The models among these that no such release can keep.
pub(super) fn models(measures: &[Requirement]) -> Vec<Unmeasured> {
    let hiding = measures.iter().filter(|requirement| requirement.model.hides_identity());
    let mut unmeasured: Vec<Unmeasured> =
        hiding.map(|requirement| Unmeasured { what: What::Model(requirement.id), why: AS_THEY_ARE }).collect();
    unmeasured.dedup();
    unmeasured
}

/// The risks: all of them.
pub(super) fn risks() -> impl Iterator<Item = Unmeasured> {
    RISKS.iter().map(|entry| {
        let why = if entry.is_of_values { OF_VALUES } else { AS_THEY_ARE };
        Unmeasured { what: What::Risk(entry.id()), why }
    })
}

/// What a comparison with the original would measure.
pub(super) fn utility() -> impl Iterator<Item = Unmeasured> {
    let lost = objectives().map(|id| (id, NOT_GENERALIZED));
    let others = MEASURES.iter().map(|entry| (entry.id(), NOT_IN_ONE_ROW));
    lost.chain(others).map(|(id, why)| Unmeasured { what: What::Utility(id), why })
}

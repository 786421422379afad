//! What would a release be, before it is written?

use serde::Serialize;

use super::{Bar, Figures, Promise};

/// A release before anything is written: what it shows, risks, and is good for.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Candidate {
    /// How it was found.
    pub method: String,
    /// What is to be small.
    pub objective: String,
    /// Is it known that nothing of this kind is better? Of levels for all rows: that no other combination loses less.
    pub guarantee: String,
    /// The release.
    pub figures: Figures,
    /// What it loses, by every objective.
    pub objectives: Vec<Measure>,
    /// The requirements.
    pub promises: Vec<Promise>,
    /// Columns before and after.
    pub columns: Vec<ColumnAfter>,
    /// Of each size, how many classes the table has as it is.
    pub sizes_before: Vec<[u64; 2]>,
    /// The same of the release.
    pub sizes_after: Vec<[u64; 2]>,
    /// Are these sizes those of people, instead of rows?
    pub sizes_are_of_people: bool,
    /// Records with a higher risk count as at risk.
    pub threshold: f64,
    /// Risks, before and after, the worst first.
    pub risks: Vec<RiskShown>,
    /// What attackers achieve, the worst first.
    pub attacks: Vec<Attack>,
    /// How much each two columns tell about one another.
    pub associations: Vec<BeforeAfter>,
    /// What learners still learn.
    pub learned: Vec<Learned>,
    /// What its readers should know.
    pub warnings: Vec<String>,
    /// What else there is to say.
    pub notes: Vec<String>,
}

/// A figure with its name.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// The figure; none where there is none.
    pub value: Option<f64>,
}

/// A column before and after.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ColumnAfter {
    /// Its name.
    pub name: String,
    /// Is it a quasi-identifier?
    pub is_quasi: bool,
    /// Its level, where it has one for all rows, and the highest there is.
    pub level: Option<[u8; 2]>,
    /// Its values before and after, in the same bins; none of a column that the table has not.
    pub binned: Option<Binned>,
    /// What it shows in the release.
    pub labels: Vec<Bar>,
    /// How many labels it has.
    pub labels_after: u64,
    /// What it lost by itself, by `loss`.
    pub loss: Option<f64>,
    /// How far the release is from what it was (total variation).
    pub distance: Option<f64>,
}

/// Values before and after, in the same bins.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Binned {
    /// Are the bins in the order of numbers or dates, rather than the most frequent values first?
    pub is_ordered: bool,
    /// The bins.
    pub bins: Vec<Bin>,
    /// How many values there were.
    pub values: u64,
    /// How many of them are in no bin.
    pub others: u64,
    /// What these come to.
    pub other: Bin,
}

/// Values, and the rows that have them.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Bin {
    /// What it shows.
    pub label: String,
    /// How many rows had them.
    pub before: u64,
    /// How many rows of the release have them, as far as a reader can tell: those of a label in equal parts on all values that it covers.
    pub after: f64,
}

/// A risk, before and after.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RiskShown {
    /// Whose: prosecutor, journalist, marketer.
    pub name: String,
    /// Is it that of people, each by the row that tells most about them, instead of rows?
    pub of_people: bool,
    /// The highest, in the table as it is.
    pub highest_before: Option<f64>,
    /// The highest, in the release.
    pub highest: f64,
    /// The average, in the table as it is.
    pub average_before: Option<f64>,
    /// The average, in the release.
    pub average: f64,
    /// How many rows, or people, of the release are at risk.
    pub at_risk: u64,
    /// The same of the table as it is.
    pub at_risk_before: Option<u64>,
}

/// What an attack achieves.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Attack {
    /// Its id.
    pub attack: String,
    /// The sensitive column that it is about.
    pub column: Option<String>,
    /// How many records are exposed.
    pub exposed: u64,
    /// Of so many.
    pub records: u64,
    /// How bad that is: none, low, medium, high.
    pub severity: String,
    /// What is learned about them.
    pub learned: String,
    /// What would prevent it.
    pub prevented_by: String,
}

/// A figure before and after.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BeforeAfter {
    /// What it is about.
    pub columns: [String; 2],
    /// In the table.
    pub before: f64,
    /// In the release.
    pub after: f64,
}

/// How well a learner does.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Learned {
    /// Which learner.
    pub learner: String,
    /// What it predicts.
    pub target: String,
    /// The share of right answers after learning from the table.
    pub before: f64,
    /// The same after learning from the release.
    pub after: f64,
    /// The same for always giving the most frequent answer.
    pub majority: f64,
}

/// Classes of the candidate.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Classes {
    /// What their columns are.
    pub columns: Vec<String>,
    /// How many there are.
    pub classes: u64,
    /// The number of the first, in the order that was asked for.
    pub start: usize,
    /// Of each, how many rows it has and what it shows.
    pub rows: Vec<ClassShown>,
}

/// A class.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClassShown {
    /// How many rows it has.
    pub rows: u64,
    /// What it shows.
    pub labels: Vec<String>,
}

/// Rows of the table beside what the release would show of them.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairsOfRows {
    /// The quasi-identifiers.
    pub columns: Vec<String>,
    /// How many rows there are.
    pub rows: u64,
    /// Of how many the class is decided only when they are written: rows with the same values go to several.
    pub open: u64,
    /// The number of the first, in the order that was asked for.
    pub start: usize,
    /// The rows, by class.
    pub pairs: Vec<PairOfRows>,
}

/// A row before and after.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairOfRows {
    /// Its number in the table.
    pub row: u64,
    /// The number of its class; none where it is left out, or open.
    pub class: Option<u64>,
    /// Its values.
    pub before: Vec<Option<String>>,
    /// What the release shows; nothing where it is left out, or open.
    pub after: Option<Vec<String>>,
    /// Is its class decided only when it is written?
    pub is_open: bool,
}

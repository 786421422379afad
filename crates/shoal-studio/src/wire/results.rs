//! What comes of work that takes a while?

use serde::Serialize;

use super::{Bar, Figures, Problem, Promise, SettingWords};

/// Work that takes a while: how far it is, and what has come of it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Work<T> {
    /// How it stands.
    pub status: Status,
    /// The stage that it is in.
    pub stage: Option<String>,
    /// So many steps of it are done.
    pub done: u64,
    /// Of so many, if that is known.
    pub of: Option<u64>,
    /// What has come of it so far.
    pub result: Option<T>,
    /// Why nothing has.
    pub problem: Option<Problem>,
    /// Was the policy another one when it began?
    pub is_stale: bool,
}

/// How work stands.
#[derive(Debug, Clone, Copy, Serialize, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Nobody has asked for it.
    Idle,
    /// It goes on.
    Running,
    /// It is done.
    Done,
    /// Somebody stopped it.
    Stopped,
    /// It failed.
    Failed,
}

/// What happened, for every open page.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The policy or the table is another.
    Desk {
        /// The revision that it is now.
        revision: u64,
    },
    /// Work has come further.
    Work {
        /// Which work.
        kind: WorkKind,
    },
}

/// The kinds of work.
#[derive(Debug, Clone, Copy, Serialize, PartialEq, Eq)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum WorkKind {
    /// Opening a table.
    Open,
    /// Looking for the frontier.
    Explore,
    /// Looking for what costs most.
    Advise,
    /// Listing the minimal nodes.
    Solutions,
    /// Finding the release of the policy, and what can be said about it.
    Candidate,
    /// Writing it.
    Publish,
}

/// The points that were tried.
#[derive(Debug, Clone, Serialize, Default)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Explored {
    /// The points, the policy's own first.
    pub points: Vec<Point>,
    /// How many there are to try.
    pub of: u64,
}

/// A release that could be had.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Point {
    /// What is different from the policy.
    pub settings: Vec<SettingWords>,
    /// What it is called.
    pub label: String,
    /// The method.
    pub method: String,
    /// The highest risk of being found.
    pub highest_risk: Option<f64>,
    /// The average risk.
    pub average_risk: Option<f64>,
    /// The share of records that the worst attack exposes.
    pub exposed: Option<f64>,
    /// What is lost, by `loss`.
    pub loss: Option<f64>,
    /// The release.
    pub figures: Option<Figures>,
    /// Does no other beat it in both respects?
    pub is_on_frontier: bool,
    /// Why there is none.
    pub problem: Option<Problem>,
}

/// What each thing that the policy asks for costs.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Advised {
    /// What is to be small.
    pub objective: String,
    /// The release of the policy as it is.
    pub now: Option<Figures>,
    /// Why there is none.
    pub no_release: Option<Problem>,
    /// What could be changed.
    pub changes: Vec<Change>,
    /// What there was no time for.
    pub not_tried: Vec<String>,
    /// What would give no release.
    pub without_release: Vec<String>,
}

/// A change of the policy, and the release that it would give.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Change {
    /// What is changed, in words.
    pub what: String,
    /// What that does: possible, gains, nothing, loses, incomparable.
    pub effect: String,
    /// How much less is lost.
    pub gained: Option<f64>,
    /// The release.
    pub figures: Figures,
    /// The settings that make it.
    pub settings: Vec<SettingWords>,
    /// Does it ask for more than the policy does?
    pub asks_for_more: bool,
}

/// The combinations of levels that satisfy the policy and below which no other does.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Solutions {
    /// How many combinations there are, in words.
    pub nodes: String,
    /// How many were looked at.
    pub checked: u64,
    /// How many satisfy.
    pub satisfying: u64,
    /// How many of them are minimal.
    pub minimal: u64,
    /// Those that lose least.
    pub best: Vec<Solution>,
}

/// A combination of levels that satisfies.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Solution {
    /// The levels, in the order of the quasi-identifiers.
    pub levels: Vec<u8>,
    /// The release.
    pub figures: Figures,
}

/// A release before anything is written: what it shows, risks, and is good for.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Candidate {
    /// How it was found.
    pub method: String,
    /// What is to be small.
    pub objective: String,
    /// Is it known that nothing is better?
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
    /// Records with a higher risk count as at risk.
    pub threshold: f64,
    /// Risks, before and after.
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
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// The figure; none where there is none.
    pub value: Option<f64>,
}

/// A column before and after.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ColumnAfter {
    /// Its name.
    pub name: String,
    /// Is it a quasi-identifier?
    pub is_quasi: bool,
    /// Its level, where it has one for all rows, and the highest there is.
    pub level: Option<[u8; 2]>,
    /// Its values in the table, the most frequent first or in their order.
    pub before: Vec<Bar>,
    /// How many values it had.
    pub values_before: u64,
    /// What it shows in the release.
    pub after: Vec<Bar>,
    /// How many labels it has.
    pub labels_after: u64,
    /// What it lost by itself, by `loss`.
    pub loss: Option<f64>,
    /// How far the release is from what it was (total variation).
    pub distance: Option<f64>,
}

/// A risk, before and after.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RiskShown {
    /// Whose: prosecutor, journalist, marketer.
    pub name: String,
    /// The highest, in the table as it is.
    pub highest_before: Option<f64>,
    /// The highest, in the release.
    pub highest: f64,
    /// The average, in the table as it is.
    pub average_before: Option<f64>,
    /// The average, in the release.
    pub average: f64,
    /// How many records of the release are at risk.
    pub records_at_risk: u64,
    /// The same of the table as it is.
    pub records_at_risk_before: Option<u64>,
}

/// What an attack achieves.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClassShown {
    /// How many rows it has.
    pub rows: u64,
    /// What it shows.
    pub labels: Vec<String>,
}

/// What was published.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Published {
    /// The files, the release first.
    pub files: Vec<PublishedFile>,
    /// What the command line would have said.
    pub summary: String,
    /// What each requirement reaches, counted from the file.
    pub promises: Vec<Promise>,
    /// The release in figures, counted from the file.
    pub figures: Figures,
    /// What its readers should know.
    pub warnings: Vec<String>,
}

/// A file that was published.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PublishedFile {
    /// What it is.
    pub what: String,
    /// Where it is, as seen from the folder of the studio.
    pub path: String,
    /// How many bytes it has.
    pub bytes: u64,
}

/// What publishing would write, and the command that does the same.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PublishPlan {
    /// Where the release goes, as seen from the folder of the policy.
    pub release: String,
    /// Where the report would go.
    pub report: String,
    /// Where the certificate would go.
    pub certificate: String,
    /// Where the recipe would go.
    pub recipe: String,
    /// The file of the policy, as seen from the folder of the studio.
    pub policy: String,
}

/// A file that can be opened.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileEntry {
    /// Where it is, as seen from the folder of the studio.
    pub path: String,
    /// Is it a policy?
    pub is_policy: bool,
    /// How many bytes it has.
    pub bytes: u64,
}

//! What comes of work that takes a while?

use serde::Serialize;

use super::{Figures, Problem, Promise, SettingWords};

/// Work that takes a while: how far it is, and what has come of it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// More happened than could be told: everything is to be asked for again.
    Missed,
}

/// The kinds of work.
#[derive(Debug, Clone, Copy, Serialize, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// Looking at the nodes around one.
    Around,
    /// Finding the release of the policy, and what can be said about it.
    Candidate,
    /// Writing it.
    Publish,
}

/// The points that were tried.
#[derive(Debug, Clone, Serialize, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Explored {
    /// The points, the policy's own first.
    pub points: Vec<Point>,
    /// How many there are to try.
    pub of: u64,
}

/// A release that could be had.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Solution {
    /// The levels, in the order of the quasi-identifiers.
    pub levels: Vec<u8>,
    /// The release.
    pub figures: Figures,
}

/// The nodes around one.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Neighbourhood {
    /// How many combinations there are, in words.
    pub size: String,
    /// Are these all of them?
    pub is_whole: bool,
    /// The one in the middle.
    pub center: Vec<u8>,
    /// The one that the policy's search takes, if any satisfies.
    pub best: Option<Vec<u8>>,
    /// The nearest first, as they come.
    pub nodes: Vec<AroundNode>,
}

/// A node of the lattice.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AroundNode {
    /// The levels, in the order of the quasi-identifiers.
    pub levels: Vec<u8>,
    /// Does it keep every promise with no more rows left out than the policy allows?
    pub satisfies: bool,
    /// The release, with whoever fails left out.
    pub figures: Figures,
}

/// What was published.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileEntry {
    /// Where it is, as seen from the folder of the studio.
    pub path: String,
    /// Is it a policy?
    pub is_policy: bool,
    /// How many bytes it has.
    pub bytes: u64,
}

//! What could be promised, what may values become, and which levels are there?

use serde::Serialize;

use super::Bar;

/// Everything that a policy can name.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Definitions {
    /// What can be required.
    pub models: Vec<Model>,
    /// How a release can be found.
    pub methods: Vec<Named>,
    /// What can be small.
    pub objectives: Vec<Named>,
}

/// An entry of a list.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Named {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
}

/// What a definition asks for, to be chosen from.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Model {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// What it is, in a sentence.
    pub summary: String,
    /// Is it about a sensitive column?
    pub needs_column: bool,
    /// What it takes.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a definition.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Parameter {
    /// Its key.
    pub key: String,
    /// What it means.
    pub meaning: String,
    /// Is it a number, and must it be whole?
    pub number: Option<NumberKind>,
    /// The words that it can be, where it is one of some.
    pub words: Vec<String>,
    /// The smallest number that it can be.
    pub minimum: Option<f64>,
    /// The largest one.
    pub maximum: Option<f64>,
    /// What it is if nothing is said, or for example, as it would be written.
    pub example: String,
    /// Must it be given?
    pub is_required: bool,
}

/// Which numbers a parameter may be.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NumberKind {
    /// Whole ones.
    Whole,
    /// All.
    Any,
}

/// A page of `shoal explain`.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Page {
    /// What it explains.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Paragraphs in Markdown, each beginning with its heading.
    pub text: String,
}

/// A requirement on a column, and what a table reaches.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Promise {
    /// The place of the requirement in the policy.
    pub index: usize,
    /// What it is called: `5-anonymity`.
    pub label: String,
    /// The sensitive column it is about.
    pub column: Option<String>,
    /// What it promises, in a sentence.
    pub sentence: String,
    /// What is required.
    pub required: String,
    /// What is reached.
    pub achieved: String,
    /// Is that enough?
    pub holds: bool,
    /// How many rows are in classes that fail it.
    pub failing_rows: Option<u64>,
}

/// What the table as it is promises.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Promises {
    /// How many rows were counted.
    pub rows: u64,
    /// How many people, where the limit of what may be left out counts people.
    pub people: Option<u64>,
    /// How many classes they are in.
    pub classes: u64,
    /// How many rows are alone in theirs.
    pub alone: u64,
    /// The requirements.
    pub promises: Vec<Promise>,
}

/// A quasi-identifier, and what its values may become.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HierarchyShown {
    /// The column.
    pub name: String,
    /// The hierarchy as the policy has it.
    pub written: String,
    /// Which kind of hierarchy that is.
    pub kind: String,
    /// What was suggested, and why.
    pub suggestion: Option<[String; 2]>,
    /// The levels that the policy allows.
    pub allowed: [u8; 2],
    /// Its levels, the values themselves first.
    pub levels: Vec<LevelShown>,
    /// Its values with the groups that they are in, where they are few enough to be moved by hand.
    pub leaves: Option<Vec<LeafShown>>,
    /// Why it cannot be used; then it has no levels.
    pub defects: Vec<super::Problem>,
    /// What its author may not have meant.
    pub warnings: Vec<String>,
    /// The hierarchies that are built in, and what each would make of the column, those that know most of it first.
    pub known: Vec<KnownShown>,
}

/// A hierarchy that is built in.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KnownShown {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// How a policy would say it for this column.
    pub written: String,
    /// What the most frequent value that it knows becomes, level by level; an example of its own where it knows none.
    pub example: String,
    /// Of the rows that were tried, how many have a value that it knows.
    pub known_rows: u64,
    /// How many were tried: those of the most frequent values.
    pub rows: u64,
}

/// A value of a hierarchy.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LeafShown {
    /// The value, and then its labels level by level, without what all have in common at the top.
    pub labels: Vec<String>,
    /// How many rows have it.
    pub rows: u64,
}

/// A level of a hierarchy.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LevelShown {
    /// How many labels it has.
    pub labels: u64,
    /// Some of them and their rows, in the order of the hierarchy.
    pub bars: Vec<Bar>,
    /// The rows of the rarest label.
    pub smallest: u64,
    /// What the column would lose at this level, by `loss`, if nothing were suppressed.
    pub loss: f64,
}

/// A combination of levels, and the release that it would give.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LevelsTried {
    /// The levels.
    pub levels: Vec<u8>,
    /// The release.
    pub figures: Figures,
    /// Why it is none, if it is not.
    pub why_not: Option<WhyNot>,
}

/// What keeps levels from being a release.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WhyNot {
    /// How many rows are in classes that fail.
    pub rows: u64,
    /// How many may be left out.
    pub allowed: u64,
    /// By requirement, how many rows fail it.
    pub by_requirement: Vec<Bar>,
    /// By column, how many of them would stay if it were not shown.
    pub rare_by: Vec<Bar>,
}

/// A release in a few figures.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Figures {
    /// What it loses, by the policy's objective.
    pub objective_value: Option<f64>,
    /// How many rows it has.
    pub released_rows: u64,
    /// How many rows it leaves out.
    pub suppressed_rows: u64,
    /// How many classes it has.
    pub classes: u64,
}

/// The quasi-identifiers and their levels.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LatticeInfo {
    /// The columns, in the order of levels.
    pub columns: Vec<LatticeColumn>,
    /// How many combinations there are, in words.
    pub nodes: String,
    /// What is to be small.
    pub objective: String,
}

/// A quasi-identifier in the lattice.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LatticeColumn {
    /// Its name.
    pub name: String,
    /// The highest level of its hierarchy.
    pub height: u8,
    /// The lowest level that the policy allows.
    pub min: u8,
    /// The highest one.
    pub max: u8,
    /// What each level shows, for example.
    pub examples: Vec<String>,
}

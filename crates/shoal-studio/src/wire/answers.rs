//! What does the server answer?

use serde::Serialize;

use crate::hints::in_the_page;

/// Something that went wrong, in the words of the command line.
#[derive(Debug, Clone, Serialize, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Problem {
    /// Of which kind it is.
    pub kind: String,
    /// What it is.
    pub text: String,
    /// The particulars.
    pub details: Vec<String>,
    /// What can be done about it.
    pub hint: Option<String>,
}

impl From<&shoal::Error> for Problem {
    fn from(error: &shoal::Error) -> Self {
        Self {
            kind: error.kind().id().to_owned(),
            text: error.message().to_owned(),
            details: error.details().to_vec(),
            hint: error.hint_text().and_then(in_the_page),
        }
    }
}

/// All that the page knows before it asks for anything.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Desk {
    /// Grows with every change.
    pub revision: u64,
    /// The folder that the studio was started in.
    pub folder: String,
    /// The file of the policy, as seen from there.
    pub file: Option<String>,
    /// The policy.
    pub text: String,
    /// What is wrong with the policy, if anything is.
    pub problem: Option<Problem>,
    /// What happened to the file that the page did not do.
    pub notice: Option<String>,
    /// What the last change took with it that nobody named.
    pub dropped: Vec<String>,
    /// Is there something to undo?
    pub can_undo: bool,
    /// Is there something to do again?
    pub can_redo: bool,
    /// The table, once it was looked at.
    pub table: Option<TableInfo>,
    /// What is wrong with the table, if anything is.
    pub table_problem: Option<Problem>,
    /// The columns of the table.
    pub columns: Vec<ColumnInfo>,
    /// What the policy requires.
    pub requirements: Vec<RequirementInfo>,
    /// How the policy finds a release.
    pub method: Option<MethodInfo>,
    /// What is allowed by the policy, but probably not meant.
    pub warnings: Vec<String>,
    /// What a run by the policy does, as `shoal check` says it.
    pub outline: Vec<[String; 2]>,
}

/// The table.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TableInfo {
    /// Its file, as seen from the folder of the studio.
    pub path: String,
    /// How many rows it has.
    pub rows: u64,
    /// How many of them can be looked at.
    pub rows_at_hand: u64,
    /// Grows whenever the table is not what it was.
    pub reading: u64,
    /// What its owner should think about, as far as the policy has not settled it.
    pub warnings: Vec<String>,
}

/// Which quasi-identifiers single somebody out together, by the roles that columns have now.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SinglingOut {
    /// Few columns that do so most, and then all of them.
    pub combinations: Vec<Combination>,
    /// Of how many rows, the first of the table, or of how many people this is.
    pub of: u64,
    /// Are people counted?
    pub of_people: bool,
    /// How many rows were looked at.
    pub rows: u64,
}

/// Some columns, and whom they single out.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Combination {
    /// Their names.
    pub columns: Vec<String>,
    /// How many rows, or people, are alone with their values.
    pub alone: u64,
    /// Their share.
    pub share: f64,
}

/// A column.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ColumnInfo {
    /// Its name.
    pub name: String,
    /// What kind of values it has.
    pub kind: String,
    /// How many different values it has, in words.
    pub distinct: String,
    /// The same as a number; at least so many.
    pub distinct_at_least: u64,
    /// The rows without a value.
    pub missing: u64,
    /// The rows whose value no other row has.
    pub alone: Option<u64>,
    /// The smallest and the largest value, where they may be shown.
    pub range: Option<[String; 2]>,
    /// The role that was proposed for it.
    pub proposed: String,
    /// Why.
    pub reason: String,
    /// Its role in the policy.
    pub role: Option<String>,
    /// Does the policy count people by it?
    pub is_person: bool,
    /// Its hierarchy in the policy.
    pub hierarchy: Option<String>,
    /// The same as JSON, for whoever changes a part of it; none of a tree, which is told value by value.
    pub hierarchy_json: Option<String>,
    /// The lowest level that the policy allows.
    pub min_level: Option<u64>,
    /// The highest one.
    pub max_level: Option<u64>,
}

/// A requirement as the policy has it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RequirementInfo {
    /// The model.
    pub model: String,
    /// The sensitive column that it names.
    pub column: Option<String>,
    /// Its parameters as they are written.
    pub parameters: Vec<super::SettingWords>,
}

/// How the policy finds a release.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MethodInfo {
    /// The method.
    pub name: String,
    /// What is to be small.
    pub objective: String,
    /// The fraction of rows that may be left out.
    pub max_suppressed: f64,
}

/// Rows of the table.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Rows {
    /// The number of the first, in the order that was asked for.
    pub start: usize,
    /// Of each, its number in the table, the first being 1.
    pub numbers: Vec<u64>,
    /// Their cells; none where a value is missing or not to be seen.
    pub rows: Vec<Vec<Option<String>>>,
    /// Of each column: are its values hidden?
    pub hidden: Vec<bool>,
}

/// A value or a group of values, and its rows.
#[derive(Debug, Clone, Serialize, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Bar {
    /// What it shows.
    pub label: String,
    /// How many rows have it.
    pub rows: u64,
}

/// How the values of a column are distributed.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Distribution {
    /// The column.
    pub name: String,
    /// Are the bars an order of numbers or dates, rather than the most frequent values first?
    pub is_ordered: bool,
    /// The bars.
    pub bars: Vec<Bar>,
    /// How many different values are in none of them.
    pub others: u64,
    /// How many rows have these.
    pub other_rows: u64,
    /// Are values not to be seen?
    pub hidden: bool,
    /// Of how many rows, the first of the table, this is.
    pub rows: u64,
}

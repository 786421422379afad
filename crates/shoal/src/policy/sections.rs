//! What do the sections of a policy hold?

use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::engine_input::EngineInput;
use super::identifiers::Replacement;
use super::published_number::PublishedNumber;
use shoal_core::exact::Ratio;
use shoal_core::frequency::SensitiveColumn;
use shoal_core::hierarchy::{HierarchySpec, Measure};
use shoal_core::method::{Knows, LabelStyle, METHODS, Method, Suppress};
use shoal_core::model::{AnyParameters, Scope};
use shoal_core::objective::{OBJECTIVES, Objective};
use shoal_core::schema;
use shoal_core::table::{DateReading, NumberMarks};

/// `[input]`: what to read.
#[derive(Debug, Clone)]
pub struct Input {
    /// The file, relative to the policy's folder.
    pub path: Option<PathBuf>,
    /// The table in a file that may hold several: a sheet of a workbook, a table or view of an SQLite database.
    pub table: Option<String>,
    /// The query whose result is the table, of an SQLite database.
    pub query: Option<String>,
    /// The engine that the table lives in, if it is not in a file.
    pub engine: Option<EngineInput>,
    /// The character between two cells, if it is not to be detected.
    pub delimiter: Option<u8>,
    /// The character around cells, if it is not to be detected.
    pub quote: Option<u8>,
    /// Whether there is a header, if that is not to be detected.
    pub header: Option<bool>,
    /// The encoding, if it is not to be detected.
    pub encoding: Option<String>,
    /// How many lines or rows stand before the table.
    pub skip: u64,
    /// How numbers are written.
    pub marks: NumberMarks,
    /// How missing values are marked; the first is written back.
    pub missing: Vec<String>,
    /// What to do with rows that have one.
    pub rows_with_missing: RowsWithMissing,
    /// What to do with columns the policy does not name.
    pub other_columns: OtherColumns,
    /// The column that says whose row it is, if people are counted.
    pub person: Option<NamedColumn>,
    /// The column that says who lives together, if the risk of households is told.
    pub household: Option<NamedColumn>,
    /// What is known of somebody who has several rows.
    pub knows: Knows,
    /// The bytes of memory that counting may take; the rest goes to temporary files. No limit if there is none.
    pub memory_limit: Option<u64>,
}

impl Input {
    /// The columns that say who somebody is, and with whom they live.
    pub fn of_people(&self) -> impl Iterator<Item = &NamedColumn> {
        self.person.iter().chain(&self.household)
    }
}

/// A column that `[input]` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedColumn {
    /// Its name.
    pub column: String,
    /// The place in the policy, for messages.
    pub place: String,
}

/// What to do with rows that have a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RowsWithMissing {
    /// Keep them.
    #[default]
    Keep,
    /// Leave them out before anything else.
    Drop,
}

/// What to do with columns the policy does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OtherColumns {
    /// Refuse the table: passing them through silently would be a leak.
    #[default]
    Refuse,
    /// Leave them out of the release.
    Drop,
    /// Pass them through.
    Insensitive,
}

/// What becomes of cells of a CSV file that a spreadsheet program would take for formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FormulaCells {
    /// They are written as they are, with a warning.
    #[default]
    Keep,
    /// They get an apostrophe before them.
    Escape,
}

/// How ranges of numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ranges {
    /// As labels: `[20, 30)`.
    #[default]
    Labels,
    /// As two numbers: 20 in `age_low`, 30 in `age_high`.
    TwoColumns,
}

/// `[output]`: what to write.
#[derive(Debug, Clone)]
pub struct Output {
    /// The release, relative to the policy's folder; where an engine writes files, as the engine calls it.
    pub path: Option<PathBuf>,
    /// The release, where it becomes a table of an engine.
    pub table: Option<String>,
    /// What becomes of cells that a spreadsheet program would take for formulas.
    pub formulas: FormulaCells,
    /// How ranges of numbers are written.
    pub ranges: Ranges,
    /// The table of sensitive values, where a method separates them, relative to the policy's folder.
    pub sensitive_path: Option<PathBuf>,
    /// The report, relative to the policy's folder; none is written if it is not named.
    pub report: Option<PathBuf>,
    /// What becomes of suppressed rows.
    pub suppressed: Suppressed,
    /// Whether rows are put into an order that tells nothing but what they show.
    pub shuffle: bool,
    /// What that order depends on, besides what rows show.
    pub seed: u64,
}

impl Output {
    /// Do suppressed rows stay, with a `*` in every cell?
    pub fn keeps_suppressed(&self) -> bool {
        self.suppressed == Suppressed::Keep
    }

    /// What the order of rows depends on besides what they show; none where they stay in that of the table.
    pub fn order_seed(&self) -> Option<u64> {
        self.shuffle.then_some(self.seed)
    }
}

/// What becomes of suppressed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Suppressed {
    /// They are left out.
    #[default]
    Drop,
    /// They stay, every cell a `*`.
    Keep,
}

/// What a column is to an attacker.
///
/// ```
/// use shoal::{Policy, Role, hierarchy};
///
/// let policy = Policy::builder().quasi("age", hierarchy::intervals([5])).require("k-anonymity", [("k", 2)]).build()?;
/// assert_eq!(policy.role_of("age"), Some(Role::QuasiIdentifier));
/// # Ok::<(), shoal::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(description = "What a column is to an attacker.")]
#[schemars(transform = schema::another_word("identifying", "The same as `identifier`, as ARX says it."))]
#[schemars(transform = schema::another_word("quasi-identifying", "The same as `quasi-identifier`, as ARX says it."))]
pub enum Role {
    /// It names a person. It is dropped, or replaced.
    #[serde(alias = "identifying")]
    Identifier,
    /// Somebody could know it of a person; with others, it can single one out.
    #[serde(alias = "quasi-identifying")]
    QuasiIdentifier,
    /// Nobody must learn it about a person. It is published, beside quasi-identifiers that are generalized.
    Sensitive,
    /// It tells nothing about anybody. It is passed through.
    Insensitive,
}

/// `[columns.NAME]`.
#[derive(Debug, Clone)]
pub struct ColumnPolicy {
    /// Its name in the table.
    pub name: String,
    /// What it is to an attacker.
    pub role: Role,
    /// What its values may become.
    pub hierarchy: Option<HierarchySpec>,
    /// Whether its values are numbers or only names, where the policy says so.
    pub measure: Option<Measure>,
    /// The lowest level it may have.
    pub min_level: Option<u64>,
    /// The highest level it may have.
    pub max_level: Option<u64>,
    /// How much its loss weighs.
    pub weight: f64,
    /// How its dates are to be read, as far as the policy says so.
    pub dates: DateReading,
    /// What stands in place of an identifier that is not dropped.
    pub replace: Option<Replacement>,
    /// What becomes of its numbers before anything is counted.
    pub publish: Option<PublishedNumber>,
    /// The file with the key that noise is drawn with, relative to the policy's folder; without one it is drawn afresh.
    pub noise_key: Option<PathBuf>,
    /// The place in the policy, for messages.
    pub place: String,
}

impl ColumnPolicy {
    /// An identifier that is dropped.
    pub(super) fn identifier(name: &str, place: &str) -> Self {
        Self {
            name: name.to_owned(),
            role: Role::Identifier,
            hierarchy: None,
            measure: None,
            min_level: None,
            max_level: None,
            weight: 1.0,
            dates: DateReading::default(),
            replace: None,
            publish: None,
            noise_key: None,
            place: place.to_owned(),
        }
    }

    /// Do its values become ranges of numbers?
    pub fn has_ranges_of_numbers(&self) -> bool {
        let is_of_numbers = match &self.hierarchy {
            Some(HierarchySpec::Intervals(_) | HierarchySpec::Quantiles(_)) => true,
            None => self.measure == Some(Measure::Number),
            Some(_) => false,
        };
        self.role == Role::QuasiIdentifier && is_of_numbers
    }

    /// How its dates are to be read, as far as the policy says so, be it in the format of a hierarchy.
    pub fn date_reading(&self) -> DateReading {
        match self.hierarchy.as_ref().and_then(HierarchySpec::date_format) {
            Some(format) => self.dates.or_format(format),
            None => self.dates,
        }
    }
}

/// `[[require]]`.
#[derive(Debug, Clone)]
pub struct Required {
    /// The definition and its parameters.
    pub parameters: Arc<dyn AnyParameters>,
    /// The sensitive column it is about; with several and none named, each of them.
    pub column: Option<String>,
    /// Do the other sensitive columns count as quasi-identifiers (Definition 4.5)?
    pub among: bool,
    /// The place in the policy, for messages.
    pub place: String,
}

impl Required {
    /// The places of the columns it is about; for a definition about the whole table, one place that is not used.
    pub fn columns_meant(&self, sensitive: &[SensitiveColumn]) -> Vec<usize> {
        match (self.parameters.scope(), &self.column) {
            (Scope::Table, _) => vec![0],
            (_, Some(name)) => (0..sensitive.len()).filter(|&index| sensitive[index].name() == name).collect(),
            (_, None) => (0..sensitive.len()).collect(),
        }
    }
}

/// `[method]`.
#[derive(Debug, Clone)]
pub struct MethodPolicy {
    /// How records are put into classes.
    pub method: Arc<dyn Method>,
    /// What is to be as small as possible.
    pub objective: &'static dyn Objective,
    /// The fraction of rows, or of people, that may be suppressed.
    pub max_suppressed: Ratio,
    /// Which of the two.
    pub suppress: Suppress,
    /// How values that differ within a class are shown.
    pub style: LabelStyle,
}

impl Default for MethodPolicy {
    fn default() -> Self {
        Self {
            method: (METHODS[0].default)(),
            objective: OBJECTIVES[0].item,
            max_suppressed: Ratio::ZERO,
            suppress: Suppress::default(),
            style: LabelStyle::default(),
        }
    }
}

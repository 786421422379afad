//! What was promised of a release, so that it can be checked again later by somebody who has nothing but the release?
//!
//! A certificate is published beside the release and obeys the same rule as the report (`report/safe`): no hash of the
//! input, no list of values, no small count of the original. It has no time stamp: the same run gives the same bytes.

mod check;
mod to_policy;

pub use check::{Found, check};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Hash;
use super::safe::{Rule, Safe};
use crate::meaning::repeats::Repeats;
use crate::model::Requirement;
use crate::pipeline::Outcome;
use crate::policy::{ColumnPolicy, Policy, Role, Suppressed};
use crate::table::DateReading;
use crate::warning::Warning;
use crate::{Error, Result};

/// The layout of certificates that this version writes and reads.
const FORMAT: u32 = 1;

/// The machine-readable core of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// The layout of this file.
    certificate: u32,
    /// The version of Shoal that made the release.
    shoal: String,
    /// Counts of the original between none and this are told as null.
    threshold: u64,
    /// The table that was published.
    pub(super) release: CertifiedTable,
    /// The table of its sensitive values, where those are in one of their own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) sensitive_table: Option<CertifiedSensitive>,
    /// The policy; the files that it names are not part of the hash.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) policy_sha256: Option<Hash>,
    /// How the release is to be read.
    pub(super) columns: CertifiedColumns,
    /// What it satisfies.
    pub(super) models: Vec<CertifiedModel>,
    method: String,
    guarantee: String,
    objective: String,
    objectives: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    levels: Option<Map<String, Value>>,
    input_rows: Option<u64>,
    suppressed_rows: Option<u64>,
    dropped_rows: Option<u64>,
    /// What readers of the release should know.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    warnings: Vec<CertifiedWarning>,
}

/// A warning about the release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct CertifiedWarning {
    id: String,
    text: String,
}

/// A published table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CertifiedTable {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) sha256: Option<Hash>,
    pub(super) rows: u64,
    pub(super) suppressed_rows_shown: u64,
    pub(super) classes: u64,
    pub(super) smallest_class: u64,
    pub(super) largest_class: u64,
}

/// The table of sensitive values, and what links it to the rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CertifiedSensitive {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) sha256: Option<Hash>,
    pub(super) class_column: String,
    pub(super) count_column: String,
}

/// What must be known to read the release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CertifiedColumns {
    pub(super) quasi_identifiers: Vec<String>,
    pub(super) sensitive: Vec<String>,
    pub(super) missing: String,
    pub(super) decimal_comma: bool,
    pub(super) suppressed_rows_stay: bool,
    /// The keys of columns that say how their dates are read.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub(super) dates: BTreeMap<String, Map<String, Value>>,
}

/// A model and what the release reaches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CertifiedModel {
    pub(super) model: String,
    pub(super) label: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) column: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(super) among_all_sensitive: bool,
    pub(super) required: Value,
    pub(super) achieved: Value,
    pub(super) holds: bool,
    /// All parameters, unless one is a list of values or a file: those stay in the policy.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) parameters: Option<Map<String, Value>>,
}

/// The hashes of what was read and written, where that is files.
#[derive(Debug, Clone, Default)]
pub struct Hashes {
    /// Of the policy.
    pub policy: Option<Hash>,
    /// Of the release.
    pub release: Option<Hash>,
    /// Of the table of its sensitive values.
    pub sensitive: Option<Hash>,
}

impl Certificate {
    /// Of a release that was published just now.
    pub fn new(policy: &Policy, outcome: &Outcome, hashes: &Hashes) -> Self {
        let Outcome { table, partition, measured, requirements, release, .. } = outcome;
        let rule = Rule::new(requirements);
        let told = |count: u64| rule.tells(count).then_some(count);
        let suppressed = partition.suppressed();
        let is_shown = policy.output.suppressed == Suppressed::Keep;
        let suppressed = if is_shown { Some(suppressed) } else { told(suppressed) };
        let names = |role| policy.with_role(role).map(|column| column.name.clone()).collect();
        let levels = partition.node.as_ref().map(|node| {
            table.quasi.iter().zip(node.levels()).map(|(column, level)| (column.name.clone(), json!(level))).collect()
        });
        let among = policy.requirements.iter().flat_map(|required| {
            let copies = if required.column.is_some() || required.parameters.scope() == crate::model::Scope::Table {
                1
            } else {
                table.sensitive.len()
            };
            std::iter::repeat_n(required.among, copies)
        });
        let models = requirements.iter().zip(&measured.achieved).zip(among).map(|((requirement, &achieved), among)| {
            CertifiedModel {
                model: requirement.id.to_owned(),
                label: requirement.model.name(),
                column: requirement.column.clone(),
                among_all_sensitive: among,
                required: requirement.required_json(),
                achieved: requirement.achieved_json(achieved),
                holds: requirement.holds(achieved),
                parameters: plain_parameters(requirement),
            }
        });
        Self {
            certificate: FORMAT,
            shoal: env!("CARGO_PKG_VERSION").to_owned(),
            threshold: rule.threshold(),
            release: CertifiedTable {
                sha256: hashes.release.clone(),
                rows: release.rows,
                suppressed_rows_shown: release.exempt_rows,
                classes: measured.classes,
                smallest_class: measured.smallest,
                largest_class: measured.largest,
            },
            sensitive_table: policy.method.method.separates().map(|link| CertifiedSensitive {
                sha256: hashes.sensitive.clone(),
                class_column: link.class.to_owned(),
                count_column: link.count.to_owned(),
            }),
            policy_sha256: hashes.policy.clone(),
            columns: CertifiedColumns {
                quasi_identifiers: names(Role::QuasiIdentifier),
                sensitive: names(Role::Sensitive),
                missing: release.missing_marker().to_owned(),
                decimal_comma: policy.input.decimal_comma,
                suppressed_rows_stay: is_shown,
                dates: policy.columns.iter().filter_map(date_keys).collect(),
            },
            models: models.collect(),
            method: policy.method.method.id().to_owned(),
            guarantee: if partition.gap == Some(0.0) { "optimal" } else { "best-effort" }.to_owned(),
            objective: policy.method.objective.id().to_owned(),
            objectives: partition
                .objectives
                .iter()
                .filter_map(|(id, value)| Some(((*id).to_owned(), json!(rule.exact_figure(*value, table.rows)?))))
                .collect(),
            levels,
            input_rows: suppressed.map(|_| table.rows),
            suppressed_rows: suppressed,
            dropped_rows: told(outcome.dropped_rows),
            warnings: outcome.repeats.iter().map(|repeats| CertifiedWarning::new(repeats, rule)).collect(),
        }
    }

    /// Reads one.
    pub fn parse(text: &str, name: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| Error::new(format!("{name} is no certificate: {error}")).hint(HINT))?;
        match value.get("certificate").and_then(Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                return Err(Error::new(format!(
                    "{name} is a certificate of layout {format}, and this version knows {FORMAT}"
                ))
                .hint("use the version of Shoal that stands in it, or a newer one"));
            }
            None => return Err(Error::new(format!("{name} is no certificate")).hint(HINT)),
        }
        serde_json::from_value(value)
            .map_err(|error| Error::new(format!("{name} is no certificate: {error}")).hint(HINT))
    }

    /// As it is written.
    pub fn to_text(&self) -> String {
        let value = serde_json::to_value(self).expect("a certificate is plain data");
        format!("{value:#}\n")
    }

    /// What it warns of.
    pub fn warnings(&self) -> Vec<Warning> {
        let said =
            |warning: &CertifiedWarning| Warning::new("certified", format!("the certificate says: {}", warning.text));
        self.warnings.iter().map(said).collect()
    }

    /// Does the release come in two tables?
    pub fn is_separated(&self) -> bool {
        self.sensitive_table.is_some()
    }
}

impl CertifiedWarning {
    fn new(repeats: &Repeats, rule: Rule) -> Self {
        let text = format!("{}: {}", repeats.opening(), Safe::of_repeats(repeats, rule).as_str());
        Self { id: Repeats::WARNING.to_owned(), text }
    }
}

const HINT: &str = "`shoal anonymize POLICY --certificate FILE` writes one";

/// What a policy says about the dates of a column, if it says anything.
fn date_keys(column: &ColumnPolicy) -> Option<(String, Map<String, Value>)> {
    let DateReading { order, first_year } = column.date_reading();
    let order = order.map(|order| ("dates".to_owned(), json!(order.name())));
    let first_year = first_year.map(|year| ("two-digit-years".to_owned(), json!(year)));
    let keys: Map<String, Value> = order.into_iter().chain(first_year).collect();
    let is_shown = matches!(column.role, Role::QuasiIdentifier | Role::Sensitive);
    (is_shown && !keys.is_empty()).then(|| (column.name.clone(), keys))
}

/// The parameters of a requirement, if all are numbers, words or switches.
fn plain_parameters(requirement: &Requirement) -> Option<Map<String, Value>> {
    let parameters = requirement.parameters.as_object()?;
    let is_plain = |value: &Value| !value.is_array() && !value.is_object();
    parameters.values().all(is_plain).then(|| parameters.clone())
}

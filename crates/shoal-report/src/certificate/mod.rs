//! What was promised of a release, so that it can be checked again later by somebody who has nothing but the release?
//!
//! A certificate is published beside the release and obeys the same rule as the report (`report/safe`): no hash of the
//! input, no value that the release does not show, no small count of the original, and nothing from which one would follow. It has no
//! time stamp: the same run gives the same bytes.
//!
//! What stands in it is counted anew when it is checked, or it is called what it is: a statement of whoever made it
//! ([`Statements`]). It is written in one way only. What is not written so was changed, and is refused: so there is no byte of
//! it that could be another one unnoticed.

mod check;
mod label;
mod making;
mod sealed;
mod stated_model;
mod statements;
mod to_policy;

pub use check::{Checked, Found, SignatureState, check};
pub use making::refuse_two_columns;
pub use sealed::SealedCertificate;
pub use statements::Statements;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::Hash;
use shoal_core::warning::Warning;
use shoal_core::{Error, Result};

/// The layout of certificates that this version writes and reads.
const FORMAT: u32 = 2;

const HINT: &str = "`shoal anonymize POLICY --certificate FILE` writes one";

/// The machine-readable core of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The layout of this file.
    certificate: u32,
    /// The table that was published.
    release: CertifiedTable,
    /// The table of its sensitive values, where those are in one of their own.
    #[serde(deserialize_with = "present")]
    sensitive_table: Option<CertifiedSensitive>,
    /// What the release satisfies.
    models: Vec<CertifiedModel>,
    /// Counts of the original between none and this are told as null.
    threshold: u64,
    /// What cannot be told from the release.
    stated_by_its_maker: Statements,
}

/// A published table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CertifiedTable {
    /// None where the release is no file.
    #[serde(deserialize_with = "present")]
    sha256: Option<Hash>,
    /// The names of all columns, in their order.
    columns: Vec<String>,
    rows: u64,
    suppressed_rows_shown: u64,
    classes: u64,
    smallest_class: u64,
    largest_class: u64,
}

/// The table of sensitive values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CertifiedSensitive {
    #[serde(deserialize_with = "present")]
    sha256: Option<Hash>,
    columns: Vec<String>,
}

/// A model and what the release reaches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CertifiedModel {
    model: String,
    #[serde(deserialize_with = "present")]
    column: Option<String>,
    among_all_sensitive: bool,
    /// With values of the column as far as the release shows them, see [`label::Label`].
    parameters: Map<String, Value>,
    label: String,
    required: Value,
    achieved: Value,
    holds: bool,
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

/// A key that may be null, but not left out.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

impl Certificate {
    /// Reads one that is not signed, or what is left of a signed one without its signature.
    fn parse(text: &str, name: &str) -> Result<Self> {
        let no_certificate = |error: serde_json::Error| {
            let what: String = error.to_string().chars().filter(|c| !c.is_control()).collect();
            Error::policy(format!("{name} is no certificate: {what}")).hint(HINT)
        };
        let value: Value = serde_json::from_str(text).map_err(no_certificate)?;
        match value.get("certificate").and_then(Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                return Err(Error::policy(format!(
                    "{name} is a certificate of layout {format}, and this version knows {FORMAT}"
                ))
                .hint("check it with the version of Shoal that made it, or make the release again"));
            }
            None => return Err(Error::policy(format!("{name} is no certificate")).hint(HINT)),
        }
        let certificate: Self = serde_json::from_str(text).map_err(no_certificate)?;
        certificate.refuse_contradictions().map_err(|error| error.at(name))?;
        if certificate.to_text() != text {
            return Err(Error::policy(format!(
                "{name} is not as Shoal writes certificates: it was changed, or formatted anew"
            ))
            .hint("check the file as it was published"));
        }
        Ok(certificate)
    }

    /// As it is written without a signature.
    pub fn to_text(&self) -> String {
        let text = serde_json::to_string_pretty(self).expect("a certificate is plain data");
        text + "\n"
    }

    /// What it warns of.
    pub fn warnings(&self) -> Vec<Warning> {
        self.stated_by_its_maker.warnings()
    }

    /// Does the release come in two tables?
    pub fn is_separated(&self) -> bool {
        self.sensitive_table.is_some()
    }

    /// What must fit together whatever the release is.
    fn refuse_contradictions(&self) -> Result<()> {
        let of_values = self.sensitive_table.iter().flat_map(|table| &table.columns);
        let columns: Vec<&String> = self.release.columns.iter().chain(of_values).collect();
        let roles: &BTreeMap<_, _> = &self.stated_by_its_maker.roles;
        if let Some(name) = columns.iter().find(|name| !roles.contains_key(**name)) {
            let name = statements::without_control(name);
            return Err(Error::policy(format!("it does not say what the column `{name}` is to an attacker")));
        }
        if let Some(name) = roles.keys().find(|name| !columns.contains(name)) {
            let name = statements::without_control(name);
            return Err(Error::policy(format!("it says what the column `{name}` is, which is not released")));
        }
        let stated = &self.stated_by_its_maker;
        let of_cells = stated.dates.keys().chain(stated.published_numbers.keys());
        let named = of_cells.chain(stated.hierarchies.keys()).chain(stated.levels.iter().flat_map(BTreeMap::keys));
        if let Some(name) = named.into_iter().find(|name| !roles.contains_key(*name)) {
            let name = statements::without_control(name);
            return Err(Error::policy(format!("it says something about the column `{name}`, which is not released")));
        }
        if let Some(levels) = &stated.levels {
            let mut quasi = stated.with_role(statements::CertifiedRole::QuasiIdentifier);
            let is_none = |name: &&String| stated.roles.get(*name) != Some(&statements::CertifiedRole::QuasiIdentifier);
            if let Some(name) = levels.keys().find(is_none).or_else(|| quasi.find(|name| !levels.contains_key(*name))) {
                let name = statements::without_control(name);
                return Err(Error::policy(format!(
                    "its levels and its roles do not agree on whether `{name}` is a quasi-identifier"
                )));
            }
        }
        for (name, rows) in &stated.hierarchies {
            let length = rows.first().map_or(0, Vec::len);
            if length == 0 || rows.iter().any(|row| row.len() != length) {
                return Err(Error::policy(format!(
                    "the hierarchy of column `{}` has rows of different lengths, or none",
                    statements::without_control(name)
                )));
            }
        }
        if stated.input_rows.is_some() != stated.suppressed_rows.is_some() {
            return Err(Error::policy("it has only one of the rows of the input and those that were suppressed"));
        }
        if self.models.is_empty() && stated.models.is_empty() {
            return Err(Error::policy("it certifies nothing"));
        }
        stated.refuse_unknown_words()
    }
}

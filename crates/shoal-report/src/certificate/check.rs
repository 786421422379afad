//! Is a release still what its certificate says?

use std::collections::BTreeMap;

use serde_json::Value;

use super::label::Label;
use super::stated_model::StatedModel;
use super::statements::{Statements, without_control};
use super::{Certificate, CertifiedModel, Hashes};
use crate::number;
use crate::safe::Rule;
use shoal::audit::Audit;
use shoal::policy::Policy;
use shoal_core::model::Requirement;
use shoal_core::objective::{AverageClassSize, Discernibility, Objective};

/// What is there now.
#[derive(Debug)]
pub struct Found<'a> {
    /// The hashes of the files that were given.
    pub hashes: &'a Hashes,
    /// The release counted anew, by the certificate or by the policy.
    pub audit: &'a Audit,
    /// The policy, if one was given beside the certificate.
    pub policy: Option<&'a Policy>,
    /// The columns of the second table, where there is one.
    pub sensitive_columns: Option<&'a [String]>,
    /// Who vouches for the certificate.
    pub signature: SignatureState,
}

/// Who vouches for a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureState {
    /// Nobody.
    Absent,
    /// Somebody; nobody has said whose key it is.
    OfSomebody,
    /// The one whose public key was given.
    Valid,
}

impl SignatureState {
    /// As programs see it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::OfSomebody => "not-checked",
            Self::Valid => "valid",
        }
    }
}

/// What came of it.
#[derive(Debug)]
pub struct Checked {
    /// How what is there differs from what was certified, in sentences; none if it does not.
    pub differences: Vec<String>,
    /// What was not checked, since nobody can who has nothing but the release.
    pub not_checked: Vec<String>,
    /// How many models were measured anew.
    pub measured: usize,
    /// How many are only stated.
    pub stated: usize,
    /// Is it the same file, to the byte?
    pub is_same_file: bool,
    /// Who vouches for it.
    pub signature: SignatureState,
}

impl Checked {
    /// Is it what the certificate says?
    pub fn holds(&self) -> bool {
        self.differences.is_empty()
    }
}

/// Numbers that were counted anew may differ by what floating point adds.
const TOLERANCE: f64 = 1e-9;

/// Losses are told with four digits.
const TOLERANCE_OF_LOSSES: f64 = 5.1e-4;

/// Compares all that can be compared.
pub fn check(certificate: &Certificate, found: &Found<'_>) -> Checked {
    let mut differences = certificate.different_files(found.hashes);
    differences.extend(certificate.folders_instead(found.hashes));
    let is_same_file = certificate.has_hashes() && differences.is_empty();
    if found.signature == SignatureState::Valid && !certificate.has_hashes() {
        differences
            .push("the certificate has no SHA-256 of the release, so that its signature is not about this file".into());
    }
    differences.extend(certificate.different_columns(&found.audit.columns));
    if let (Some(table), Some(columns)) = (&certificate.sensitive_table, found.sensitive_columns)
        && table.columns != columns
    {
        differences.push("the table of sensitive values has other columns than the certificate says".to_owned());
    }
    differences.extend(certificate.different_counts(found.audit));
    differences.extend(certificate.different_models(found.audit));
    differences.extend(certificate.unshown_labels(found.audit));
    differences.extend(certificate.different_statements(found.audit));
    differences.extend(found.policy.into_iter().flat_map(|policy| certificate.different_roles(policy)));
    let stated = &certificate.stated_by_its_maker;
    let is_measured = |model: &StatedModel| found.audit.requirements().iter().any(|r| r.model.name() == model.label());
    let only_stated: Vec<&StatedModel> = stated.models.iter().filter(|model| !is_measured(model)).collect();
    let measured = certificate.models.len() + stated.models.len() - only_stated.len();
    let not_checked = stated.in_words(&only_stated);
    let (stated, signature) = (only_stated.len(), found.signature);
    Checked { differences, not_checked, measured, stated, is_same_file, signature }
}

impl Certificate {
    /// Does it say which files it is about?
    fn has_hashes(&self) -> bool {
        self.release.sha256.is_some() && self.sensitive_table.as_ref().is_none_or(|table| table.sha256.is_some())
    }

    /// Files that are not those that were certified.
    pub fn different_files(&self, hashes: &Hashes) -> Vec<String> {
        let policy = ("the policy", self.stated_by_its_maker.policy_sha256.as_ref(), hashes.policy.as_ref());
        let differs = |(name, certified, found): (&str, Option<&crate::Hash>, Option<&crate::Hash>)| {
            let (certified, found) = (certified?, found?);
            let what = format!("{name} is another file: its SHA-256 is {found}, the certificate has {certified}");
            (certified != found).then_some(what)
        };
        self.tables(hashes).into_iter().chain([policy]).filter_map(differs).collect()
    }

    /// Tables of which nobody can say whether they are those that were certified: only folders have no hash.
    fn folders_instead(&self, hashes: &Hashes) -> Vec<String> {
        let tables =
            self.tables(hashes).into_iter().filter(|(_, certified, found)| certified.is_some() && found.is_none());
        tables.map(|(name, ..)| format!("{name} is a folder, and the certificate is about one file")).collect()
    }

    /// The tables of a release, each with the hash that was certified and the one that was found.
    fn tables<'a>(
        &'a self,
        hashes: &'a Hashes,
    ) -> [(&'static str, Option<&'a crate::Hash>, Option<&'a crate::Hash>); 2] {
        let sensitive = self.sensitive_table.as_ref().and_then(|table| table.sha256.as_ref());
        [
            ("the release", self.release.sha256.as_ref(), hashes.release.as_ref()),
            ("the table of sensitive values", sensitive, hashes.sensitive.as_ref()),
        ]
    }

    /// How the columns of a table, in their order, differ from those that were certified.
    pub fn different_columns(&self, found: &[String]) -> Vec<String> {
        let certified = &self.release.columns[..];
        let quoted = |name: &String| format!("`{}`", without_control(name));
        let mut differences: Vec<String> = Vec::new();
        differences.extend(
            found
                .iter()
                .filter(|name| !certified.contains(name))
                .map(|name| format!("the release has a column {} that the certificate does not have", quoted(name))),
        );
        differences.extend(
            certified
                .iter()
                .filter(|name| !found.contains(name))
                .map(|name| format!("the release lacks the column {} of the certificate", quoted(name))),
        );
        if differences.is_empty() && certified != found {
            differences.push("the columns of the release are in another order than in the certificate".to_owned());
        }
        differences
    }

    fn different_counts(&self, audit: &Audit) -> Vec<String> {
        let table = &self.release;
        let threshold = Rule::new(audit.asked()).threshold();
        let counts = [
            ("rows", table.rows, audit.rows),
            ("suppressed rows", table.suppressed_rows_shown, audit.exempt_rows),
            ("classes", table.classes, audit.measured.classes),
            ("records in the smallest class", table.smallest_class, audit.measured.smallest),
            ("records in the largest class", table.largest_class, audit.measured.largest),
        ];
        let differs = |(name, certified, found): (&str, u64, u64)| {
            (certified != found).then(|| format!("there are {found} {name}, the certificate has {certified}"))
        };
        // Those that are only stated may have asked for a larger one.
        let is_stated = || self.stated_by_its_maker.models.iter().any(|model| model.requires(self.threshold));
        let is_possible = self.threshold == threshold || (self.threshold > threshold && is_stated());
        let threshold = (!is_possible)
            .then(|| format!("the threshold of small counts is {threshold}, the certificate has {}", self.threshold));
        counts.into_iter().filter_map(differs).chain(threshold).collect()
    }

    /// Both ways: what was certified is measured now, and nothing else was asked for.
    fn different_models(&self, audit: &Audit) -> Vec<String> {
        let measured = || audit.requirements().iter().zip(&audit.measured.achieved);
        let (of_input, of_release): (Vec<_>, Vec<_>) =
            measured().partition(|(requirement, _)| self.states(&requirement.model.name()));
        let mut differences = Vec::new();
        for place in 0..self.models.len().max(of_release.len()) {
            match (self.models.get(place), of_release.get(place)) {
                (Some(certified), Some((requirement, achieved))) => {
                    differences.extend(certified.differences(
                        requirement,
                        &requirement.achieved_json(**achieved),
                        requirement.holds(**achieved),
                    ));
                }
                (Some(certified), None) => {
                    let label = without_control(&certified.label);
                    differences.push(format!("{label} was certified, and was not asked for now"));
                }
                (None, Some((requirement, _))) => {
                    differences.push(format!("{} was asked for now, and was not certified", requirement.model.name()));
                }
                (None, None) => {}
            }
        }
        // With the original and the policy even these are measured.
        for (requirement, achieved) in of_input {
            let stated =
                self.stated_by_its_maker.models.iter().find(|stated| stated.label() == requirement.model.name());
            let holds = requirement.holds(*achieved);
            differences.extend(stated.and_then(|stated| stated.difference(requirement, holds)));
        }
        differences
    }

    fn states(&self, label: &str) -> bool {
        let is_certified = self.models.iter().any(|model| model.label == label);
        !is_certified && self.stated_by_its_maker.models.iter().any(|model| model.label() == label)
    }

    /// A certificate names values of the release only; whatever else it names is of somebody's invention, or should not be in it.
    fn unshown_labels(&self, audit: &Audit) -> Vec<String> {
        let of_models = self.models.iter().filter_map(|model| {
            let texts: Vec<&str> = model.parameters.values().flat_map(Label::texts_in).collect();
            Some((model.column.as_ref()?, texts))
        });
        let of_hierarchies = self.stated_by_its_maker.hierarchies.iter().map(|(column, rows)| {
            let text = |label: &'_ Label| match label {
                Label::Shown(text) => Some(text.clone()),
                Label::Hidden(_) => None,
            };
            (column, rows.iter().flatten().filter_map(text).collect::<Vec<String>>())
        });
        let is_shown = |column: &str, text: &str| {
            let column = audit.shown.iter().find(|shown| shown.name == column);
            column.is_some_and(|shown| shown.labels.iter().any(|(label, rows)| label == text && *rows > 0))
        };
        let said = |column: &String, unshown: usize| {
            let name = without_control(column);
            (unshown > 0).then(|| {
                format!("the certificate names values of `{name}` that the release does not show ({unshown} times)")
            })
        };
        let of_models =
            of_models.filter_map(|(name, texts)| said(name, texts.iter().filter(|text| !is_shown(name, text)).count()));
        let of_hierarchies = of_hierarchies
            .filter_map(|(name, texts)| said(name, texts.iter().filter(|text| !is_shown(name, text)).count()));
        of_models.chain(of_hierarchies).collect()
    }

    /// Statements that the release, or another statement, contradicts.
    fn different_statements(&self, audit: &Audit) -> Vec<String> {
        let stated = &self.stated_by_its_maker;
        let mut differences = Vec::new();
        if let (Some(input), Some(suppressed)) = (stated.input_rows, stated.suppressed_rows)
            && audit.rows.checked_add(suppressed) != Some(input)
        {
            let rows = audit.rows;
            differences.push(format!(
                "the certificate says that {suppressed} of {input} rows were suppressed, and {rows} were released"
            ));
        }
        if stated.suppressed_rows_stay && stated.suppressed_rows != Some(audit.exempt_rows) {
            differences.push("the certificate has another number of suppressed rows than the release shows".to_owned());
        }
        differences.extend(self.refuted_models(audit));
        if !self.is_separated() {
            differences.extend(stated.objectives.iter().flat_map(|told| different_losses(told, stated, audit)));
        }
        differences
    }

    /// Columns that the policy gives another role than the certificate does.
    fn different_roles(&self, policy: &Policy) -> Vec<String> {
        let differs = |(name, role): (&String, &super::statements::CertifiedRole)| {
            let of_policy = policy.role_of(name).map(super::statements::CertifiedRole::of);
            let is_link = policy.method.method.separates().is_some_and(|link| link.class == name || link.count == name);
            (!is_link && of_policy != Some(*role)).then(|| {
                let name = without_control(name);
                format!("the column `{name}` is {} in the certificate, and something else in the policy", role.name())
            })
        };
        self.stated_by_its_maker.roles.iter().filter_map(differs).collect()
    }
}

/// Losses that follow from the classes of the release, and from how many rows were suppressed as the certificate says.
fn different_losses(told: &BTreeMap<String, f64>, stated: &Statements, audit: &Audit) -> Vec<String> {
    let classes = audit.measured.classes.max(1);
    let mut known = vec![(AverageClassSize.id(), audit.rows as f64 / classes as f64)];
    if let (Some(suppressed), Some(rows)) = (stated.suppressed_rows, stated.input_rows) {
        let squares: f64 = audit.sizes.iter().map(|(&size, &count)| size as f64 * size as f64 * count as f64).sum();
        known.push((Discernibility.id(), squares + suppressed as f64 * rows as f64));
    }
    let differs = |(id, found): (&str, f64)| {
        let said = *told.get(id)?;
        let is_near = (said - found).abs() <= TOLERANCE_OF_LOSSES * found.abs().max(f64::MIN_POSITIVE);
        (!is_near).then(|| format!("{id} is {found}, the certificate has {said}"))
    };
    known.into_iter().filter_map(differs).collect()
}

impl CertifiedModel {
    fn differences(&self, requirement: &Requirement, achieved: &Value, holds: bool) -> Vec<String> {
        let name = requirement.model.name();
        let mut differences = Vec::new();
        if self.label != name || self.model != requirement.id || self.column != requirement.column {
            let label = without_control(&self.label);
            return vec![format!("{name} was measured, the certificate has {label} in its place")];
        }
        if holds != self.holds {
            let does = if holds { "holds" } else { "does not hold" };
            differences.push(format!("{name} {does} now, unlike in the certificate"));
        }
        if !is_same(&requirement.required_json(), &self.required) {
            let (found, said) = (in_words(&requirement.required_json()), in_words(&self.required));
            differences.push(format!("{name} requires {found}, the certificate has {said}"));
        }
        if !is_same(achieved, &self.achieved) {
            let (found, said) = (in_words(achieved), in_words(&self.achieved));
            differences.push(format!("{name} reaches {found}, the certificate has {said}"));
        }
        differences
    }
}

/// A number as people write it, and all else as it stands in the certificate.
fn in_words(value: &Value) -> String {
    value.as_f64().map_or_else(|| without_control(&value.to_string()), number)
}

/// Are two numbers, or two pairs of numbers, the same but for what floating point adds?
pub(super) fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| is_same(value, other)))
        }
        _ => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= TOLERANCE * a.abs().max(1.0),
            _ => a == b,
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_the_same_if_they_are_nearly() {
        assert!(is_same(&json!(4), &json!(4.0)));
        assert!(is_same(&json!({ "k": 4, "alpha": 0.333_333_333_333_3 }), &json!({ "alpha": 1.0 / 3.0, "k": 4.0 })));
        assert!(!is_same(&json!(4), &json!(5)));
        assert!(!is_same(&json!(null), &json!(5)));
    }
}

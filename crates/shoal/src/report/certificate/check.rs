//! Is a release still what its certificate says?

use serde_json::Value;

use super::{Certificate, Hashes};
use crate::audit::Audit;

/// What is there now.
#[derive(Debug)]
pub struct Found<'a> {
    /// The hashes of the files that were given.
    pub hashes: &'a Hashes,
    /// The release counted anew, by the certificate or by the policy.
    pub audit: &'a Audit,
}

/// Numbers that were counted anew may differ by what floating point adds.
const TOLERANCE: f64 = 1e-9;

/// How what is there differs from what was certified, in sentences; none if it does not.
pub fn check(certificate: &Certificate, found: &Found<'_>) -> Vec<String> {
    let mut differences = certificate.different_files(found.hashes);
    differences.extend(certificate.different_counts(found.audit));
    differences.extend(certificate.different_models(found.audit));
    differences
}

impl Certificate {
    /// Files that are not those that were certified.
    pub fn different_files(&self, hashes: &Hashes) -> Vec<String> {
        let sensitive = self.sensitive_table.as_ref().and_then(|table| table.sha256.as_ref());
        let pairs = [
            ("the release", &self.release.sha256, &hashes.release),
            ("the table of sensitive values", &sensitive.cloned(), &hashes.sensitive),
            ("the policy", &self.policy_sha256, &hashes.policy),
        ]
        .map(|(name, certified, found)| (name, certified.clone(), found.clone()));
        let differs = |(name, certified, found): (&str, Option<super::Hash>, Option<super::Hash>)| {
            let (certified, found) = (certified?, found?);
            let what = format!("{name} is another file: its SHA-256 is {found}, the certificate has {certified}");
            (certified != found).then_some(what)
        };
        pairs.into_iter().filter_map(differs).collect()
    }

    fn different_counts(&self, audit: &Audit) -> Vec<String> {
        let table = &self.release;
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
        counts.into_iter().filter_map(differs).collect()
    }

    fn different_models(&self, audit: &Audit) -> Vec<String> {
        let measured: Vec<(String, Value, bool)> = audit
            .requirements()
            .iter()
            .zip(&audit.measured.achieved)
            .map(|(requirement, &achieved)| {
                (requirement.model.name(), requirement.achieved_json(achieved), requirement.holds(achieved))
            })
            .collect();
        let mut differences = Vec::new();
        for certified in &self.models {
            match measured.iter().find(|(label, ..)| *label == certified.label) {
                None => differences.push(format!("{} was certified, and was not asked for now", certified.label)),
                Some((label, achieved, holds)) => {
                    if *holds != certified.holds {
                        let does = if *holds { "holds" } else { "does not hold" };
                        differences.push(format!("{label} {does} now, unlike in the certificate"));
                    }
                    if !is_same(achieved, &certified.achieved) {
                        let was = &certified.achieved;
                        differences.push(format!("{label} reaches {achieved}, the certificate has {was}"));
                    }
                }
            }
        }
        differences
    }
}

fn is_same(a: &Value, b: &Value) -> bool {
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

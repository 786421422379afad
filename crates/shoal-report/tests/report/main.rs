//! What is said about whole runs.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;

use serde_json::Value;
use shoal::policy::Policy;
use shoal::run::anonymize;
use shoal::source::LocalSource;
use shoal::study::Writing;
use shoal_core::watch::Unwatched;
use shoal_report::Summary;

const POLICY: &str = r#"[input]
path = "table.csv"
[output]
path = "release.csv"
[columns.age]
role = "quasi-identifier"
[columns.ill]
role = "sensitive"
[[require]]
model = "distinct-l-diversity"
column = "ill"
l = 2
[method]
name = "anatomy"
"#;

#[test]
fn a_summary_says_where_both_tables_are_and_that_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("table.csv"), "age,ill\n23,flu\n27,cough\n35,cough\n59,flu\n").unwrap();
    let policy = Policy::parse(POLICY, "policy.toml", folder.path()).unwrap();
    let source = LocalSource::new(&policy, None, None).unwrap();
    let release = anonymize(source, &policy, Writing::new(), &Unwatched).unwrap();
    let summary = Summary::new(&release);
    let json = summary.to_json();
    assert_eq!(json["objectives"]["loss"], 0.0);
    assert_eq!(json["objectives"]["precision"], 0.0);
    assert_eq!(json["objectives"]["height"], Value::Null);
    assert_eq!(json["levels"], Value::Null);
    assert!(json["sensitive_release"].as_str().unwrap().ends_with("release.sensitive.csv"));
    let text = summary.to_text();
    assert!(text.contains("as it is") && text.contains("release.sensitive.csv"), "{text}");
}

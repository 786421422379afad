//! What is tried with a policy and a table, up to an audit of the release?

use std::path::Path;

use shoal::audit::{AuditRequest, AuditTask, AuditedColumn, audit};
use shoal::linking::AuditedQuasi;
use shoal::outsider::OutsiderTable;
use shoal::policy::{Policy, Role};
use shoal::recipe::Application;
use shoal::risk::ColumnSample;
use shoal::run::anonymize;
use shoal::source::LocalSource;
use shoal::study::{Release, Study, Writing};
use shoal_core::table::MissingMarkers;
use shoal_core::watch::Unwatched;
use shoal_core::{Error, Result};
use shoal_format::{self as format, InputFormat};
use shoal_report::AuditReport;

/// Makes a release and audits it.
///
/// # Panics
/// If a release was made that does not keep its promise.
pub fn release(policy: &Policy, table: &Path, output: &Path) -> Result<()> {
    let source = LocalSource::new(policy, Some(table), Some(output))?;
    let made = judge(anonymize(source, policy, Writing::new().overwriting(true), &Unwatched))?;
    match &made.published.sensitive {
        Some(values) => pair_audited(policy, output, Path::new(values)),
        None => audited(Some(policy), output, (&[], &[]), None),
    }
}

/// The same by a recipe.
///
/// # Panics
/// If a release was made that does not keep its promise.
pub fn application(application: Application, table: &Path, output: &Path) -> Result<()> {
    let policy = application.policy.clone();
    let source = LocalSource::new(&policy, Some(table), Some(output))?;
    judge(Study::following(source, application, &Unwatched).and_then(|study| {
        let candidate = study.best(&Unwatched)?;
        study.write(&candidate, Writing::new().overwriting(true), &Unwatched)
    }))?;
    audited(Some(&policy), output, (&[], &[]), None)
}

fn judge(made: Result<Release>) -> Result<Release> {
    made.inspect_err(refuse_our_bugs)
}

/// Verification is the last line; what it stops, something before it got wrong.
fn refuse_our_bugs(error: &Error) {
    let text = error.to_string();
    assert!(!text.contains("this is a bug in Shoal"), "{text}");
    let lines = 1 + error.details().len() + usize::from(error.hint_text().is_some());
    assert_eq!(text.split('\n').count(), lines, "text of others begins no line: {text:?}");
    let is_unprintable = |line: &str| line.contains(shoal_core::printable::is_unprintable);
    assert!(!text.split('\n').any(is_unprintable), "{text:?}");
}

/// Audits a release in two tables.
pub fn pair_audited(policy: &Policy, release: &Path, values: &Path) -> Result<()> {
    let result = AuditRequest::new(release).policy(policy.clone()).sensitive_table(values).run(&Unwatched)?;
    let report = AuditReport::new(&result);
    let _ = (report.to_text(), report.to_json());
    Ok(())
}

/// Audits a table, by a policy or by these quasi-identifiers and sensitive columns.
pub fn audited(
    policy: Option<&Policy>,
    release: &Path,
    columns: (&[String], &[String]),
    knowledge: Option<&Path>,
) -> Result<()> {
    let quasi = |name: &str| AuditedQuasi {
        name: name.to_owned(),
        hierarchy: policy.and_then(|policy| policy.column(name)?.hierarchy.clone()),
        min_level: 0,
        dates: policy.and_then(|policy| Some(policy.column(name)?.date_reading())).unwrap_or_default(),
        measure: None,
    };
    let sensitive = |name: &str| AuditedColumn {
        name: name.to_owned(),
        hierarchy: policy.and_then(|policy| policy.column(name)?.hierarchy.clone()),
        dates: policy.and_then(|policy| Some(policy.column(name)?.date_reading())).unwrap_or_default(),
    };
    let names = |role, others: &[String]| match policy {
        Some(policy) => policy.with_role(role).map(|column| column.name.clone()).collect(),
        None => others.to_vec(),
    };
    let (quasi_names, sensitive_names): (Vec<String>, Vec<String>) =
        (names(Role::QuasiIdentifier, columns.0), names(Role::Sensitive, columns.1));
    let input = match policy {
        Some(policy) => policy.input_format(release).of_release(),
        None => InputFormat::new(release),
    };
    let missing = policy.map_or_else(|| vec![String::new()], |policy| policy.input.missing.clone());
    let markers = MissingMarkers::new(missing).written();
    let mut reader = format::open(&input)?;
    let table = OutsiderTable::read(reader.as_mut(), &quasi_names, &sensitive_names, &markers, true, &Unwatched)?;
    let quasi_refs: Vec<&str> = quasi_names.iter().map(String::as_str).collect();
    let samples = ColumnSample::read(format::open(&input)?.as_mut(), &quasi_refs)?;
    let quasi_columns: Vec<_> = quasi_names.iter().map(|name| quasi(name)).collect();
    let sensitive_columns: Vec<_> = sensitive_names.iter().map(|name| sensitive(name)).collect();
    let task = AuditTask { knowledge, samples: &samples, ..AuditTask::new(&table, &quasi_columns, &sensitive_columns) };
    let result = audit(&policy.map_or(task.clone(), |policy| task.judged_by(policy)))?;
    let report = AuditReport::new(&result);
    let _ = (report.to_text(), report.to_json());
    Ok(())
}

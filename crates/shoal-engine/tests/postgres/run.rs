//! How is a policy run on a file and on a table, and what came of it?

use std::path::Path;

use serde_json::Value;
use shoal::policy::Policy;
use shoal::run::anonymize;
use shoal::source::LocalSource;
use shoal::study::Writing;
use shoal_core::watch::Unwatched;
use shoal_core::{Error, Result};
use shoal_report::Summary;

/// The rest of a policy: what it reads and writes is added.
#[derive(Clone, Copy)]
pub struct Rest<'a> {
    pub input: &'a str,
    pub output: &'a str,
    pub columns: &'a str,
}

/// Anonymizes `in.csv` of a folder, and returns the summary and the sorted rows of the release; nothing stands for a missing
/// value.
pub fn locally(folder: &Path, rest: Rest<'_>) -> (Value, Vec<Vec<Option<String>>>) {
    let text = format!(
        "[input]\npath = \"in.csv\"\n{}\n[output]\npath = \"release.csv\"\n{}\n{}",
        rest.input, rest.output, rest.columns
    );
    let policy = Policy::parse(&text, "local.toml", folder).unwrap_or_else(|error| panic!("{error}"));
    let source = LocalSource::new(&policy, None, None).unwrap();
    let release = anonymize(source, &policy, Writing::new(), &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    let mut reader = csv::Reader::from_path(folder.join("release.csv")).unwrap();
    let cell = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut rows: Vec<Vec<_>> = reader.records().map(|record| record.unwrap().iter().map(cell).collect()).collect();
    rows.sort();
    (comparable(&Summary::new(&release)), rows)
}

/// A policy for a table of a server.
pub fn policy(folder: &Path, address: &str, from: &str, to: &str, rest: Rest<'_>) -> Result<Policy> {
    let text = format!(
        "[input]\npostgres = \"{address}\"\n{from}\n{}\n[output]\ntable = \"{to}\"\n{}\n{}",
        rest.input, rest.output, rest.columns
    );
    shoal_engine::register();
    Policy::parse(&text, "engine.toml", folder)
}

/// Anonymizes what `from` says into the table `to`.
pub fn on_server(folder: &Path, address: &str, from: &str, to: &str, rest: Rest<'_>, overwrite: bool) -> Result<Value> {
    let policy = policy(folder, address, from, to, rest)?;
    let source = shoal_engine::open(&policy, overwrite)?;
    let release = anonymize(source, &policy, Writing::new(), &Unwatched)?;
    Ok(comparable(&Summary::new(&release)))
}

/// Why it did not work.
pub fn refusal(result: Result<Value>) -> Error {
    result.expect_err("it should have been refused")
}

/// A summary without what differs from run to run.
fn comparable(summary: &Summary<'_>) -> Value {
    let mut json = summary.to_json();
    let keys = json.as_object_mut().unwrap();
    for key in ["seconds", "peak_memory_bytes", "release"] {
        keys.remove(key).unwrap_or_else(|| panic!("no `{key}` in the summary"));
    }
    json
}

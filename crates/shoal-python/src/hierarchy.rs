//! What does a hierarchy look like, is it sound, and which one would suit a column?

use std::path::PathBuf;

use pyo3::prelude::*;
use serde_json::json;
use shoal::Table;
use shoal::source::values_in;
use shoal_core::hierarchy::{self, ColumnValues, HierarchySpec};
use shoal_core::table::{DateReading, Dictionary};
use shoal_core::{Error, Result};
use shoal_format::InputFormat;

use crate::error::raised;
use crate::origin::Named;
use crate::settings::value;
use crate::watched::watched;

/// The values of a column.
struct Column {
    name: String,
    dictionary: Dictionary,
    counts: Vec<u64>,
}

impl Column {
    fn read(table: &Table, name: &str) -> Result<Self> {
        let input = table.path().map(InputFormat::new).unwrap_or_default();
        let (dictionary, counts) = values_in(table, &input, name, DateReading::default())?;
        Ok(Self { name: name.to_owned(), dictionary, counts })
    }

    fn values(&self) -> ColumnValues<'_> {
        ColumnValues { name: &self.name, dictionary: &self.dictionary, counts: &self.counts, may_print: true }
    }
}

/// A hierarchy as a policy says it.
pub fn spec(json: &str) -> Result<HierarchySpec> {
    let spec: HierarchySpec = value("hierarchy", json)?
        .try_into()
        .map_err(|error: toml::de::Error| Error::policy(format!("this is no hierarchy: {}", error.message())))?;
    spec.check()?;
    Ok(spec)
}

/// The labels of each leaf, from the leaf to the root; a summary; and a drawing of about so many lines. A hierarchy that is made
/// from values needs the column that has them.
#[pyfunction]
#[pyo3(signature = (json, folder, table=None, column=None, lines=60))]
pub fn show_hierarchy(
    py: Python<'_>,
    json: &str,
    folder: PathBuf,
    table: Option<Named<'_>>,
    column: Option<&str>,
    lines: usize,
) -> PyResult<(Vec<Vec<String>>, String, String)> {
    let table = table.map(|table| table.table());
    watched(py, |_| {
        let spec = spec(json)?;
        let built = match table.zip(column) {
            Some((table, column)) => Some(spec.build(&Column::read(&table, column)?.values(), &folder)?),
            None => spec.standalone(&folder)?,
        };
        let built = built.ok_or_else(|| {
            Error::policy("the hierarchy is made from the values of a table").hint("say which values it is for")
        })?;
        Ok((built.to_rows(), hierarchy::summary(&built), hierarchy::draw(&built, lines)))
    })
}

/// What is wrong with a hierarchy, and what should be known of it.
#[pyfunction]
#[pyo3(signature = (json, folder, table=None, column=None))]
pub fn check_hierarchy(
    py: Python<'_>,
    json: &str,
    folder: PathBuf,
    table: Option<Named<'_>>,
    column: Option<&str>,
) -> PyResult<(Vec<String>, Vec<String>)> {
    let table = table.map(|table| table.table());
    watched(py, |_| {
        let spec = spec(json)?;
        let column = table.zip(column).map(|(table, column)| Column::read(&table, column)).transpose()?;
        let values = column.as_ref().map(Column::values);
        let report = hierarchy::check(&spec, &folder, values.as_ref(), true);
        let defects = report.defects.iter().map(ToString::to_string).collect();
        Ok((defects, report.warnings.iter().map(ToString::to_string).collect()))
    })
}

/// A hierarchy for a column, as JSON, and why it suits.
#[pyfunction]
pub fn suggest_hierarchy(py: Python<'_>, table: Named<'_>, column: &str) -> PyResult<(String, String)> {
    let table = table.table();
    let suggestion = watched(py, |_| Ok(hierarchy::suggest(&Column::read(&table, column)?.values())))?;
    let spec: toml::Value = format!("hierarchy = {}", suggestion.spec)
        .parse::<toml::Table>()
        .ok()
        .and_then(|mut table| table.remove("hierarchy"))
        .ok_or_else(|| raised(py, &Error::bug("a suggested hierarchy is no TOML")))?;
    Ok((json!(spec).to_string(), suggestion.reason.to_string()))
}

//! With which policy could the owner of a table begin?

use std::path::Path;

use pyo3::prelude::*;
use shoal::init::{self, Choices};

use crate::error::raised;
use crate::origin::Named;
use crate::policy::Document;
use crate::watched::watched;

/// What `shoal init` proposes for a table, and what it says about it.
#[pyfunction]
pub fn suggest(py: Python<'_>, table: Named<'_>) -> PyResult<(Document, String)> {
    let table = table.table();
    let findings = watched(py, |watch| init::profile_of(&table, watch))?;
    let text = init::starter_policy(&findings, &Choices::proposed(&findings), Path::new("."));
    let document = Document::of(&text, "the suggested policy", Path::new(""));
    Ok((document.map_err(|error| raised(py, &error))?, init::summary(&findings)))
}

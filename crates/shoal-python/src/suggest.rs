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
    let (findings, choices, trials) = watched(py, |watch| {
        let findings = init::profile_of(&table, watch)?;
        let (choices, trials) = init::propose(&table, &findings, Choices::proposed(&findings), watch)?;
        Ok((findings, choices, trials))
    })?;
    let text = init::starter_policy(&findings, &choices, Path::new("."));
    let document = Document::of(&text, "the suggested policy", Path::new(""));
    Ok((document.map_err(|error| raised(py, &error))?, format!("{}\n{}", init::summary(&findings), trials.to_text())))
}

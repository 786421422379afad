//! How does Python write a text to a file, without harm to what is there?

use std::path::PathBuf;

use pyo3::prelude::*;
use shoal::publish::{Intent, OutputKind};
use shoal_core::{Error, Result};

use crate::error::raised;

/// Writes a policy, a recipe or a plot, as a whole or not at all. What is there is replaced by its like, or if that is asked for; what
/// says the same already stays.
#[pyfunction]
#[pyo3(signature = (what, path, text, overwrite=false))]
pub fn save_text(py: Python<'_>, what: &str, path: PathBuf, text: &str, overwrite: bool) -> PyResult<()> {
    let save = || -> Result<()> {
        if std::fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            return Ok(());
        }
        let kind = match what {
            "policy" => OutputKind::Edited,
            "recipe" => OutputKind::Recipe,
            "plot" => OutputKind::Plot,
            _ => return Err(Error::bug(format!("nobody knows what a {what} is"))),
        };
        let mut intent = Intent::new(overwrite);
        intent.writes(format!("the {what}"), &path, kind);
        let mut outputs = intent.claim()?;
        outputs.write(&path, text)?;
        outputs.publish()
    };
    py.detach(save).map_err(|error| raised(py, &error))
}

//! How does Python read, change and check a policy?

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use serde_json::json;
use shoal::{Policy, PolicyDocument, Setting};
use shoal_core::{Error, Result};

use crate::error::raised;
use crate::settings::{settings, value, values};

/// The text of a policy, to be changed key by key.
#[pyclass(from_py_object, module = "shoal._shoal")]
#[derive(Clone)]
pub struct Document {
    document: PolicyDocument,
    name: String,
    folder: PathBuf,
}

impl Document {
    pub fn document(&self) -> &PolicyDocument {
        &self.document
    }

    /// What variants of it are called by.
    pub fn file(&self) -> &Path {
        Path::new(&self.name)
    }

    /// The policy with other settings for one run.
    pub fn policy(&self, settings: &[Setting]) -> Result<Policy> {
        let document = self.document.clone().with(settings)?;
        document.policy().map_err(|error| with_key(error, &document.to_string()))
    }

    pub fn of(text: &str, name: &str, folder: &Path) -> Result<Self> {
        let document = PolicyDocument::parse(text, name, folder)?;
        Ok(Self { document, name: name.to_owned(), folder: folder.to_path_buf() })
    }
}

/// Names the key of the line that an error is about, where its message names none: whoever has made a policy in Python has no lines
/// to look at. What stands there may be a value of the table, and is not shown.
fn with_key(error: Error, text: &str) -> Error {
    let line = error.message().split_once(", line ").and_then(|(_, rest)| rest.split_once(':'));
    let line = line.and_then(|(number, _)| text.lines().nth(number.parse::<usize>().ok()?.checked_sub(1)?));
    match line.and_then(|line| line.split_once('=')) {
        Some((key, _)) if !error.message().contains('`') => error.detail(format!("this is about `{}`", key.trim())),
        _ => error,
    }
}

#[pymethods]
impl Document {
    /// The policy in a file, of which nothing is checked but that it is TOML.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let read = PolicyDocument::read(&path).map_err(|error| raised(py, &error))?;
        Ok(Self { document: read, name: path.display().to_string(), folder })
    }

    /// The same with this text.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str, name: &str, folder: PathBuf) -> PyResult<Self> {
        Self::of(text, name, &folder).map_err(|error| raised(py, &error))
    }

    #[getter]
    fn text(&self) -> String {
        self.document.to_string()
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    #[getter]
    fn folder(&self) -> &Path {
        &self.folder
    }

    fn copy(&self) -> Self {
        self.clone()
    }

    /// All that it says, as JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let table: std::result::Result<toml::Table, _> = toml::from_str(&self.document.to_string());
        let table = table.map_err(|error| raised(py, &Error::policy(error.message())))?;
        Ok(json!(table).to_string())
    }

    fn get(&self, py: Python<'_>, key: &str) -> PyResult<Option<String>> {
        let value = self.document.get(key).map_err(|error| raised(py, &error))?;
        Ok(value.map(|value| json!(value).to_string()))
    }

    fn set(&mut self, py: Python<'_>, key: &str, json: &str) -> PyResult<()> {
        value(key, json).and_then(|value| self.document.set(key, value)).map_err(|error| raised(py, &error))
    }

    fn remove(&mut self, py: Python<'_>, key: &str) -> PyResult<bool> {
        self.document.remove(key).map_err(|error| raised(py, &error))
    }

    /// Says of a column what stands in an object, and nothing else. Whatever is wrong with it leaves the policy as it was.
    fn set_column(&mut self, py: Python<'_>, column: &str, json: &str) -> PyResult<()> {
        let mut changed = self.document.clone();
        let set = values(json).and_then(|keys| changed.replace_column(column, keys));
        set.map_err(|error| raised(py, &error))?;
        self.document = changed;
        Ok(())
    }

    fn remove_column(&mut self, column: &str) -> bool {
        self.document.remove_column(column)
    }

    fn require(&mut self, py: Python<'_>, model: &str, json: &str) -> PyResult<()> {
        values(json).and_then(|parameters| self.document.require(model, parameters)).map_err(|error| raised(py, &error))
    }

    fn remove_requirement(&mut self, py: Python<'_>, number: usize) -> PyResult<()> {
        self.document.remove_requirement(number).map_err(|error| raised(py, &error))
    }

    /// Is it right? What a run by it does, and what is allowed but probably not meant, as JSON.
    #[pyo3(signature = (given=Vec::new()))]
    fn check(&self, py: Python<'_>, given: Vec<(String, String)>) -> PyResult<String> {
        let policy = settings(&given).and_then(|settings| self.policy(&settings));
        let policy = policy.and_then(|policy| policy.check_hierarchies().map(|()| policy));
        let policy = policy.map_err(|error| raised(py, &error))?;
        Ok(json!({ "outline": policy.outline(), "warnings": policy.warnings }).to_string())
    }

    /// The same with other settings.
    fn with_settings(&self, py: Python<'_>, given: Vec<(String, String)>) -> PyResult<Self> {
        let document = settings(&given).and_then(|settings| self.document.clone().with(&settings));
        let document = document.map_err(|error| raised(py, &error))?;
        Ok(Self { document, ..self.clone() })
    }
}

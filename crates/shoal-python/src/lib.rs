//! What does Python see of Shoal?
//!
//! Everything here translates: tables and words go to the library and to the reports, and come back as Arrow, JSON and text. The face
//! that people use is in `python/shoal/`.

mod apply;
mod arrow_table;
mod audit;
mod certified;
mod error;
mod generate;
mod hierarchy;
mod origin;
mod policy;
mod release;
mod saved;
mod settings;
mod study;
mod suggest;
mod watched;

use pyo3::prelude::*;

#[pymodule]
mod _shoal {
    use std::ffi::OsString;

    use pyo3::prelude::*;
    use serde_json::json;
    use shoal_core::error::Kind;

    #[pymodule_export]
    use crate::apply::apply;
    #[pymodule_export]
    use crate::arrow_table::ArrowTable;
    #[pymodule_export]
    use crate::audit::{Audit, audit};
    use crate::error::raised;
    #[pymodule_export]
    use crate::generate::generate;
    #[pymodule_export]
    use crate::hierarchy::{check_hierarchy, show_hierarchy, suggest_hierarchy};
    #[pymodule_export]
    use crate::policy::Document;
    #[pymodule_export]
    use crate::release::Release;
    #[pymodule_export]
    use crate::saved::save_text;
    #[pymodule_export]
    use crate::study::Study;
    #[pymodule_export]
    use crate::suggest::suggest;
    use crate::watched;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        watched::loaded();
        shoal_cli::source::register_engines();
        module.add("kinds", Kind::ALL.map(Kind::id).to_vec())?;
        module.add("version", env!("CARGO_PKG_VERSION"))
    }

    /// Runs the command `shoal` with these words; the exit code.
    #[pyfunction]
    fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
        py.detach(|| shoal_cli::main(words))
    }

    /// What `shoal explain` prints about an id; without one, the list of all.
    #[pyfunction]
    #[pyo3(signature = (id=None))]
    fn explain(py: Python<'_>, id: Option<&str>) -> PyResult<String> {
        shoal_cli::explained(id).map_err(|error| raised(py, &error))
    }

    /// Every key of a policy as JSON: its section, its name, the model or method that it belongs to, and what it means.
    #[pyfunction]
    fn keys() -> String {
        let key = |key: shoal::policy::Key| json!({ "section": key.section, "name": key.name, "of": key.of, "meaning": key.summary() });
        serde_json::Value::from(shoal::policy::keys().into_iter().map(key).collect::<Vec<_>>()).to_string()
    }
}

//! Which exception is an error?

use pyo3::prelude::*;
use serde_json::{Map, json};

use shoal_core::Error;
use shoal_core::error::Closest;

/// The exception, with the same words; its class is in `python/shoal/_errors.py`.
pub fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let particulars = json!({
        "kind": error.kind().id(),
        "text": error.message(),
        "details": error.details(),
        "hint": error.hint_text(),
        "closest": error.closest().map(closest),
    });
    let made = py
        .import("shoal._errors")
        .and_then(|module| module.call_method1("made", (error.to_string(), particulars.to_string())));
    made.map_or_else(|error| error, PyErr::from_value)
}

fn closest(closest: &Closest) -> serde_json::Value {
    let levels: Map<String, serde_json::Value> =
        closest.levels.iter().map(|(column, level)| (column.clone(), json!(level))).collect();
    json!({ "levels": levels, "suppressed_rows": closest.suppressed_rows, "allowed_rows": closest.allowed_rows })
}

//! How do the tests of this folder ask for labels?

use super::{Cell, by_id};
use crate::table::ColumnType;

/// What a value becomes, without itself and the root; nothing if it is not known.
pub fn path(id: &str, value: &str) -> Vec<String> {
    labels(id, None, value)
}

/// The same by the rules of a country.
pub fn path_in(id: &str, country: &str, value: &str) -> Vec<String> {
    labels(id, Some(country), value)
}

fn labels(id: &str, country: Option<&str>, value: &str) -> Vec<String> {
    let hierarchy = by_id(id).unwrap_or_else(|| panic!("{id}"));
    let labels = hierarchy.labels(&Cell::new(value, &ColumnType::text(), country)).unwrap_or_default();
    assert!(labels.is_empty() || labels.len() == hierarchy.levels().len(), "{id}: {value}");
    labels
}

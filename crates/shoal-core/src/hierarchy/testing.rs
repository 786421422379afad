//! How do the tests of this folder make dictionaries and hierarchies?

use std::path::Path;

use super::{ColumnValues, Hierarchy, HierarchySpec};
use crate::Result;
use crate::table::Dictionary;

/// A dictionary of these values and perhaps a missing one.
pub fn dictionary(values: &[&str], missing: Option<&str>) -> Dictionary {
    Dictionary::new(values.iter().map(|value| (*value).to_owned()), missing, false)
}

/// The spec written in TOML.
pub fn spec(text: &str) -> HierarchySpec {
    toml::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The hierarchy that `text` describes over a column `c`, each value of which occurs once.
pub fn build(text: &str, dictionary: &Dictionary) -> Result<Hierarchy> {
    build_counted(text, dictionary, &vec![1; dictionary.len()])
}

/// The same with the frequency of each value.
pub fn build_counted(text: &str, dictionary: &Dictionary, counts: &[u64]) -> Result<Hierarchy> {
    let column = ColumnValues { name: "c", dictionary, counts, may_print: true };
    spec(text).build(&column, Path::new("."))
}

/// The labels of a value from leaf to root.
pub fn path(hierarchy: &Hierarchy, code: u32) -> Vec<&str> {
    (0..=hierarchy.height()).map(|level| hierarchy.label(level, code)).collect()
}

/// The leaves under the nodes above a value, from leaf to root.
pub fn leaves(hierarchy: &Hierarchy, code: u32) -> Vec<u64> {
    hierarchy.levels().iter().map(|level| level.leaves_under(level.node_of(code))).collect()
}

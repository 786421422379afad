//! Which method does a starter policy ask for, and how?

use std::fmt;

use super::findings::{ColumnFindings, TableFindings};
use crate::policy::Role;

/// A method as a policy asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodChoice {
    /// Its id.
    pub name: String,
    /// What `[method]` says besides, as TOML.
    pub keys: Vec<(&'static str, String)>,
}

/// A lattice of more nodes is searched for a while, not to its end.
const MOST_NODES: usize = 100_000;

/// Where people are counted, hardly a node says anything of those above it.
const MOST_NODES_OF_PEOPLE: usize = 500;

/// How long that is: a policy to begin with is tried at once.
const BUDGET: &str = "\"20s\"";

impl MethodChoice {
    /// A method with its defaults.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), keys: Vec::new() }
    }

    /// The same with a key that says something else.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.keys.retain(|(known, _)| *known != key);
        self.keys.push((key, value.into()));
        self
    }

    /// The same without a key.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.keys.retain(|(known, _)| *known != key);
        self
    }

    /// One level for all rows, found in a time that somebody waits for.
    pub fn full_domain(findings: &TableFindings) -> Self {
        let levels = |column: &ColumnFindings| column.hierarchy.as_ref().map_or(1, |proposed| proposed.levels);
        let columns = findings.with_role(Role::QuasiIdentifier).map(levels);
        let nodes = columns.fold(1, usize::saturating_mul);
        let most = if findings.person().is_some() { MOST_NODES_OF_PEOPLE } else { MOST_NODES };
        let choice = Self::new("full-domain");
        if nodes > most { choice.with("budget", BUDGET) } else { choice }
    }
}

impl fmt::Display for MethodChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (place, (key, value)) in self.keys.iter().enumerate() {
            write!(f, "{} {key} = {value}", if place == 0 { " with" } else { "," })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_told_with_what_else_a_policy_says() {
        let sets = MethodChoice::new("mondrian").with("categories", "\"sets\"").with("refine", "false");
        assert_eq!(sets.to_string(), "mondrian with categories = \"sets\", refine = false");
        assert_eq!(sets.without("categories").without("refine").to_string(), "mondrian");
    }
}

//! Whose rows does a policy count, and what does it ask for them?

use crate::toml_text;

/// What a policy says about people with several rows.
#[derive(Debug, Clone, Default)]
pub struct People {
    /// The column that says whose row it is: an identifier.
    pub column: String,
    /// Has that column a section of its own? It need not.
    pub has_section: bool,
    /// What somebody knows of a person, where the policy says it.
    pub knows: Option<&'static str>,
    /// What is suppressed, where the policy says it.
    pub suppress: Option<&'static str>,
    /// How much memory counting may take, where the policy says it.
    pub memory_limit: Option<&'static str>,
    /// A column that is published and tells just the same, as a pseudonym would.
    pub told_by: Option<String>,
}

/// The methods that count people; the others refuse.
pub const METHODS: [&str; 4] = ["full-domain", "mondrian", "microaggregation", "best"];

/// Those of them that hide people of whom all rows are known.
pub const METHODS_OF_ALL_ROWS: [&str; 2] = ["full-domain", "best"];

impl People {
    /// Are all rows of a person known, and not only one?
    pub fn know_all_rows(&self) -> bool {
        self.knows == Some("all-rows")
    }

    /// Are people left out with all of their rows, and counted by the limit?
    pub fn suppress_people(&self) -> bool {
        self.suppress == Some("people")
    }

    /// Is nobody released in part?
    pub fn are_whole(&self) -> bool {
        self.know_all_rows() || self.suppress_people()
    }

    /// Its keys in `[input]`.
    pub fn to_toml(&self) -> String {
        let knows = self.knows.map_or_else(String::new, |knows| format!("knows = \"{knows}\"\n"));
        let limit = self.memory_limit.map_or_else(String::new, |limit| format!("memory-limit = \"{limit}\"\n"));
        format!("person = {}\n{knows}{limit}", toml_text::text(&self.column))
    }
}

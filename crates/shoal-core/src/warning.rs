//! What is allowed, or done, but should be known to whoever reads a result?

use std::fmt;

use serde::Serialize;

use crate::printable;

/// A warning: never hidden, and part of every JSON object.
///
/// ```
/// use shoal_core::warning::Warning;
///
/// let warning = Warning::new("row-order", "rows stand in the order of the table");
/// assert_eq!(warning.to_string(), "rows stand in the order of the table");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// What programs tell it by; kebab-case, and the same whatever the text is about.
    pub id: &'static str,
    /// A sentence for people, without a value of the data.
    pub text: String,
}

impl Warning {
    /// A warning with this id.
    pub fn new(id: &'static str, text: impl Into<String>) -> Self {
        Self { id, text: text.into() }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable::line(&self.text))
    }
}

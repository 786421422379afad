//! What does the maker of a hierarchy need to know about a column?

use crate::table::Dictionary;

/// A column as the makers of hierarchies see it: its name, its values and how often each occurs.
#[derive(Debug, Clone, Copy)]
pub struct ColumnValues<'a> {
    /// The name of the column, for messages.
    pub name: &'a str,
    /// The values that occur.
    pub dictionary: &'a Dictionary,
    /// How often each value occurs, by code.
    pub counts: &'a [u64],
    /// May a message show a value? Not one of a sensitive column: messages end up in logs.
    pub may_print: bool,
}

impl ColumnValues<'_> {
    /// The line of an error that says which values it is about, as far as that may be said.
    pub(super) fn which(&self, first: &str) -> String {
        if self.may_print {
            format!("the first is `{first}`")
        } else {
            "they are sensitive, so none is shown".to_owned()
        }
    }

    /// How often each value that is not missing occurs.
    ///
    /// # Panics
    /// If there are not as many counts as values.
    pub(super) fn present_counts(&self) -> &[u64] {
        assert_eq!(self.counts.len(), self.dictionary.len(), "every value has a count");
        &self.counts[..self.dictionary.present().len()]
    }
}

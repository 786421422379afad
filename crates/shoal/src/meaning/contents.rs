//! What do the values of a column give away, whatever its role?

use super::pattern::{self, Pattern};
use super::{address, free_text};
use shoal_core::warning::Warning;
use shoal_core::words::grouped;

/// What was found in the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// The column.
    pub column: String,
    /// What it is, as in "look like e-mail addresses".
    pub what: &'static str,
    /// How many of the values are so, or have it in them.
    pub values: usize,
    /// How many were looked at.
    pub looked_at: usize,
    /// Is it the whole value, or something in a longer text?
    pub is_whole: bool,
    /// May it just as well be something else?
    pub is_in_doubt: bool,
}

/// What stands in the values of a column that identifies somebody, if anything does: one look at distinct values.
pub fn of<'a>(column: &str, values: impl Iterator<Item = &'a str> + Clone) -> Option<Contents> {
    let looked_at = values.clone().count();
    let found = |what, count, is_whole, is_in_doubt| {
        Some(Contents { column: column.to_owned(), what, values: count, looked_at, is_whole, is_in_doubt })
    };
    if let Some(Pattern { what, is_weak, .. }) = pattern::of(values.clone()) {
        return found(what, pattern::matching(what, values), true, is_weak);
    }
    let addresses = values.clone().filter(|value| address::is_in(value)).count();
    if addresses * 2 > looked_at {
        return found("addresses", addresses, true, false);
    }
    let mut most: Option<(&'static str, usize)> = None;
    let mut all = 0;
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for what in values.filter_map(free_text::found_in) {
        all += 1;
        match counts.iter_mut().find(|(known, _)| *known == what) {
            Some((_, count)) => *count += 1,
            None => counts.push((what, 1)),
        }
        most = counts.iter().copied().max_by_key(|(_, count)| *count);
    }
    most.and_then(|(what, _)| found(what, all, false, true))
}

impl Contents {
    /// How sure it is, and why.
    pub fn why(&self) -> String {
        let (values, looked_at) = (grouped(self.values as u64), grouped(self.looked_at as u64));
        match (self.is_whole, self.is_in_doubt) {
            (true, false) => format!("{values} of {looked_at} different values are written like {}", self.what),
            (true, true) => format!("{values} of {looked_at} different values could be {}", self.what),
            (false, _) => format!("{values} of {looked_at} different texts seem to have {} in them", self.what),
        }
    }

    /// What there is to say where the column is published.
    pub fn warning(&self) -> Warning {
        let text = format!(
            "`{}` is published, and {}; if that is so, make it an `identifier`, which is left out",
            self.column,
            self.why()
        );
        Warning::new("identifying-values", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str]) -> Option<String> {
        of("c", values.iter().copied()).map(|contents| contents.why())
    }

    #[test]
    fn whole_values_and_things_in_texts_are_told_apart() {
        let sure = found(&["a@example.org", "b@example.org"]).unwrap();
        assert_eq!(sure, "2 of 2 different values are written like e-mail addresses");
        assert_eq!(found(&["+49 30 1234567"]).unwrap(), "1 of 1 different values could be phone numbers");
        let within =
            found(&["asked to be called at 030 1234 5678", "no complaints at all", "came with a fever"]).unwrap();
        assert_eq!(within, "1 of 3 different texts seem to have phone numbers in them");
        assert_eq!(found(&["flu", "gout", "a broken leg, left"]), None);
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn a_warning_names_the_column_and_no_value() {
        let contents = of("mail", ["a@example.org"].into_iter()).unwrap();
        let text = contents.warning().to_string();
        assert!(text.contains("`mail` is published") && !text.contains("a@example"), "{text}");
    }
}

//! Does a label of a release cover a value of the original, and how many leaves does it cover?

use crate::calendar::Day;
use crate::decimal;
use crate::levels::Levels;
use crate::policy::{Column, Meaning};

/// A label as text, for a column.
pub struct Label<'a> {
    pub text: &'a str,
    pub column: &'a Column,
    pub levels: Option<&'a Levels>,
}

/// The two ends of a range, and whether the last belongs to it.
struct Ends {
    first: i128,
    last: i128,
    is_closed: bool,
}

impl Label<'_> {
    /// Does it cover this value?
    pub fn covers(&self, value: &str) -> bool {
        let in_path = || {
            self.levels
                .and_then(|levels| levels.path(value))
                .is_some_and(|path| path.iter().any(|label| label == self.text))
        };
        self.text == value || self.text == "*" || in_path() || self.holds(value)
    }

    /// Does it name or span this value, as a set or a range?
    fn holds(&self, value: &str) -> bool {
        if let (Some(ends), Some(place)) = (self.ends(), self.place(value)) {
            return ends.first <= place && (place < ends.last || (ends.is_closed && place == ends.last));
        }
        let Some(inside) = self.text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) else { return false };
        format!(", {inside}, ").contains(&format!(", {value}, "))
    }

    /// The leaves that it covers; none where its text does not tell.
    pub fn leaves(&self) -> Option<u64> {
        let levels = self.levels?;
        if levels.has_collisions() {
            return None;
        }
        if let Some(leaves) = levels.leaves_of_text(self.text) {
            return Some(leaves).filter(|_| !self.names_others(levels));
        }
        let held = levels.paths().filter(|(leaf, _)| self.holds(leaf)).count() as u64;
        (held > 0).then_some(held)
    }

    /// Is a label of the hierarchy called like a set of values, as `{a, b}` beside `a` and `b`? Then its text may mean either.
    pub fn names_others(&self, levels: &Levels) -> bool {
        let is_other = |leaf: &str| leaf != self.text && self.holds(leaf);
        self.text.starts_with('{') && levels.paths().filter(|(leaf, _)| is_other(leaf)).count() > 1
    }

    /// The ends of a range that holds its first and not its last.
    pub fn half_open(&self) -> Option<(i128, i128)> {
        self.ends().filter(|ends| !ends.is_closed).map(|ends| (ends.first, ends.last))
    }

    fn ends(&self) -> Option<Ends> {
        let inside = self.text.strip_prefix('[')?;
        let is_closed = inside.ends_with(']');
        let (first, last) = inside.strip_suffix([']', ')'])?.split_once(", ")?;
        Some(Ends { first: self.place(first)?, last: self.place(last)?, is_closed })
    }

    /// Where a value stands in the order of its column.
    pub fn place(&self, value: &str) -> Option<i128> {
        match self.column.meaning {
            Meaning::Number | Meaning::NumberCode => decimal::parse(value),
            Meaning::Date(format) => {
                let day = Day::parse(value, format).or_else(|| Day::parse(value, "%Y-%m-%d"))?;
                Some(i128::from(day.year * 10_000 + day.month * 100 + day.day))
            }
            Meaning::Category => None,
        }
    }
}

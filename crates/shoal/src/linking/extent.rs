//! From where to where does a label reach, in the order of numbers or of days?

use std::cmp::Ordering;

use chrono::NaiveDate;
use rust_decimal::Decimal;

use shoal_core::hierarchy::{Told, dashed, days_named};
use shoal_core::table::{ColumnType, ValueKind};

/// A place in the order of numbers or of days, or beyond all of them.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub enum Place {
    Lowest,
    Number(Decimal),
    Day(NaiveDate),
    Highest,
}

/// An end, and a little more or less where the end itself is left out.
type End = (Place, i8);

/// Everything between two ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    from: End,
    to: End,
}

impl Extent {
    /// What a label says by itself in a column of this type: a number, a day, a period such as `2024-Q1`, a range of these, or
    /// all beyond one. None if it does not say such a thing, or the end comes before the beginning.
    pub fn of(label: &str, column_type: &ColumnType) -> Option<Self> {
        let named = |text: &str| named(text, column_type);
        let one = |text: &str| named(text).and_then(|(first, last)| Self::new((first, 0), (last, 0)));
        match Told::of(label) {
            Told::Between(None, None) => None,
            Told::Between(low, high) => {
                let from = match low {
                    None => (Place::Lowest, 0),
                    Some((text, true)) => (named(text)?.0, 0),
                    Some((text, false)) => (named(text)?.1, 1),
                };
                let to = match high {
                    None => (Place::Highest, 0),
                    Some((text, true)) => (named(text)?.1, 0),
                    Some((text, false)) => (named(text)?.0, -1),
                };
                Self::new(from, to)
            }
            Told::Values(values) => match values.as_slice() {
                // Two ends come first: as a single day, whatever follows that would be the time.
                &[text] => {
                    let ends = |(low, high)| Self::new((named(low)?.0, 0), (named(high)?.1, 0));
                    dashed(text).find_map(ends).or_else(|| one(text))
                }
                _ => None,
            },
        }
    }

    fn new(from: End, to: End) -> Option<Self> {
        (from <= to).then_some(Self { from, to })
    }

    /// Is it a single number or day?
    pub fn is_one(&self) -> bool {
        self.from == self.to
    }

    /// Does all of it come after a place?
    pub fn is_after(&self, place: Place) -> bool {
        (place, 0) < self.from
    }

    /// Does all of it come before a place?
    pub fn is_before(&self, place: Place) -> bool {
        self.to < (place, 0)
    }

    /// Does it reach a value of a column of this type? None if that is no number and no day.
    pub fn reaches(&self, value: &str, column_type: &ColumnType) -> Option<bool> {
        place(value, column_type).map(|place| !self.is_after(place) && !self.is_before(place))
    }

    /// Which of two extents of the same order begins first?
    pub fn by_beginning(&self, other: &Self) -> Ordering {
        self.from.partial_cmp(&other.from).unwrap_or(Ordering::Equal)
    }

    /// Do two extents of the same order have a place in common?
    pub fn meets(&self, other: &Self) -> bool {
        self.from <= other.to && other.from <= self.to
    }
}

/// The place of a value of a column.
pub fn place(value: &str, column_type: &ColumnType) -> Option<Place> {
    match column_type.kind() {
        ValueKind::Date => column_type.date(value).map(Place::Day),
        ValueKind::Integer | ValueKind::Decimal => {
            // Labels of others may leave out the unit or the currency that the values have, and have a decimal point where the
            // values have a comma.
            let number = column_type.number(value).or_else(|| Decimal::from_str_exact(column_type.bare(value)).ok());
            number.map(Place::Number)
        }
        ValueKind::Text => None,
    }
}

/// The first and the last place that a text names.
fn named(text: &str, column_type: &ColumnType) -> Option<(Place, Place)> {
    let period = || match column_type.kind() {
        ValueKind::Date => days_named(text).map(|(first, last)| (Place::Day(first), Place::Day(last))),
        _ => None,
    };
    place(text, column_type).map(|place| (place, place)).or_else(period)
}

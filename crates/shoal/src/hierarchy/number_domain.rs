//! How many leaves does a range of a number column hold?

use std::ops::Range;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::ColumnValues;
use crate::table::Kind;
use crate::{Error, Result};

/// Beyond this a count of leaves is no longer exact as a floating-point number.
pub(super) const LARGEST_DOMAIN: u64 = 1 << 53;

/// The numbers of a column, in order, and the domain they come from: every whole number from the smallest to the
/// largest where all are whole, else the values that occur.
pub(super) struct NumberDomain {
    numbers: Vec<Decimal>,
    whole: bool,
    /// For each code, how many of the codes before it write a number that an earlier one writes, too (`1`, `+1`).
    respelled: Vec<u64>,
}

impl NumberDomain {
    /// The numbers of a column; `way` is the hierarchy that needs them.
    pub fn new(column: &ColumnValues<'_>, way: &str, hint: &str) -> Result<Self> {
        let column_type = column.dictionary.column_type();
        let present = column.dictionary.present();
        let Some(numbers) = present.iter().map(|value| column_type.number(value)).collect::<Option<Vec<_>>>() else {
            return Err(not_numbers(column, way).hint(hint));
        };
        let mut respelled = vec![0; numbers.len() + 1];
        for code in 0..numbers.len() {
            let again = code > 0 && numbers[code] == numbers[code - 1];
            respelled[code + 1] = respelled[code] + u64::from(again);
        }
        let whole = column_type.kind() == Kind::Integer
            && match (numbers.first(), numbers.last()) {
                (Some(first), Some(last)) => {
                    last.checked_sub(*first).is_some_and(|range| range < LARGEST_DOMAIN.into())
                }
                _ => false,
            };
        Ok(Self { numbers, whole, respelled })
    }

    /// The numbers by code.
    pub fn numbers(&self) -> &[Decimal] {
        &self.numbers
    }

    /// All leaves of the domain.
    pub fn size(&self) -> u64 {
        match self.numbers.last() {
            Some(&last) => self.leaves(0..self.numbers.len(), None, after(last)),
            None => 0,
        }
    }

    /// The leaves from `from` on (or the smallest number) that lie before `below` (or the largest number's end);
    /// `codes` are the values among them.
    pub fn leaves(&self, codes: Range<usize>, from: Option<Decimal>, below: Option<Decimal>) -> u64 {
        let (true, Some(&first), Some(&last)) = (self.whole, self.numbers.first(), self.numbers.last()) else {
            return codes.len() as u64;
        };
        let from = from.map_or(first, |from| from.max(first)).ceil();
        let end = last + Decimal::ONE;
        let below = below.map_or(end, |below| below.min(end)).ceil();
        let whole_numbers = (below - from).to_u64().unwrap_or(0);
        // A number written in two ways is two leaves: the text is the value.
        whole_numbers + self.respelled[codes.end] - self.respelled[codes.start]
    }
}

fn not_numbers(column: &ColumnValues<'_>, way: &str) -> Error {
    let (present, kind) = (column.dictionary.present(), column.dictionary.column_type().kind());
    let held = if kind == Kind::Date { "dates" } else { "text" };
    let error = Error::new(format!("`{way}` needs numbers, and column `{}` holds {held}", column.name));
    // One word among numbers makes a column text: most likely a mark of a missing value.
    let words: Vec<&String> = present.iter().filter(|value| value.parse::<Decimal>().is_err()).collect();
    match words.first() {
        Some(first) if kind != Kind::Date && words.len() < present.len() => error.detail(format!(
            "{} of its {} values are no numbers; {}",
            words.len(),
            present.len(),
            column.which(first)
        )),
        _ => error,
    }
}

/// The next whole number, unless there is none.
pub(super) fn after(number: Decimal) -> Option<Decimal> {
    number.checked_add(Decimal::ONE)
}

//! Which numbers does a column hold?

use rust_decimal::Decimal;

use super::ColumnValues;
use crate::table::ValueKind;
use crate::{Error, Result};

/// The numbers of a column by code, missing ones left out; `way` is the hierarchy that needs them.
pub(super) fn numbers(column: &ColumnValues<'_>, way: &str, hint: &str) -> Result<Vec<Decimal>> {
    let column_type = column.dictionary.column_type();
    let numbers = column.dictionary.present().iter().map(|value| column_type.number(value));
    numbers.collect::<Option<Vec<_>>>().ok_or_else(|| not_numbers(column, way, hint))
}

fn not_numbers(column: &ColumnValues<'_>, way: &str, hint: &str) -> Error {
    let (present, kind) = (column.dictionary.present(), column.dictionary.column_type().kind());
    let held = if kind == ValueKind::Date { "dates" } else { "text" };
    let error = Error::table(format!("`{way}` needs numbers, and column `{}` holds {held}", column.name));
    // One word among numbers makes a column text: most likely a mark of a missing value.
    let words: Vec<&String> = present.iter().filter(|value| value.parse::<Decimal>().is_err()).collect();
    match words.first() {
        Some(first) if kind != ValueKind::Date && words.len() < present.len() => error
            .detail(format!("{} of its {} values are no numbers; {}", words.len(), present.len(), column.which(first)))
            .hint(format!("texts that stand for a missing value belong into `missing` of [input]; {hint}")),
        _ => error.hint(hint),
    }
}

//! What does a cell of a workbook read?

use std::borrow::Cow;

use calamine::{Data, DataRef};

/// The text of a cell that may be one of those that many cells share, which is not copied.
pub(super) fn of_ref<'a>(cell: &'a DataRef<'a>) -> Option<Cow<'a, str>> {
    match cell {
        DataRef::SharedString(text) => Some(Cow::Borrowed(text)),
        DataRef::String(text) => Some(Cow::Borrowed(text)),
        other => of(other.clone().into()).map(Cow::Owned),
    }
}

/// The text of a cell: whole numbers without a decimal point, dates as 2024-03-01, and nothing for an empty one.
pub(super) fn of(cell: Data) -> Option<String> {
    Some(match cell {
        Data::Empty => return None,
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text,
        Data::Bool(value) => value.to_string(),
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number_text(number),
        Data::DateTime(moment) => match moment.as_datetime().filter(|_| moment.is_datetime()) {
            Some(moment) => date_text(moment),
            None => number_text(moment.as_f64()),
        },
        other => other.to_string(),
    })
}

/// Workbooks keep every number as a floating point one; up to 2^53 a whole one is meant as such.
pub(super) fn number_text(number: f64) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT { format!("{number:.0}") } else { number.to_string() }
}

/// Midnight is left out, as a date has none.
fn date_text(moment: chrono::NaiveDateTime) -> String {
    let text = moment.format("%Y-%m-%dT%H:%M:%S%.f").to_string();
    text.strip_suffix("T00:00:00").map(str::to_owned).unwrap_or(text)
}

//! What is the text of a value in Shoal, given the text that its engine writes?
//!
//! It is the text that the same value has when it is read from a typed file, so that a policy means the same wherever a table
//! lives; therefore numbers and times go through the same code.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Float64Array, Time64MicrosecondArray, TimestampMicrosecondArray};
use chrono::{NaiveDateTime, NaiveTime, Timelike};
use shoal_format::Cells;

use crate::column::ValueKind;

/// The text of a value. What cannot be read as what it should be, such as a date before our era, stays as it is.
pub(crate) fn value_text(kind: ValueKind, written: &str) -> Cow<'_, str> {
    let array: Option<ArrayRef> = match kind {
        ValueKind::Text
        | ValueKind::Name
        | ValueKind::Integer
        | ValueKind::Decimal
        | ValueKind::FreeDecimal
        | ValueKind::Date
        | ValueKind::Boolean => None,
        // Adding zero makes one of the two zeros; engines take them for equal and show either.
        ValueKind::Float => written.parse::<f32>().ok().map(|x| Arc::new(Float32Array::from(vec![x + 0.0])) as _),
        ValueKind::Double => written.parse::<f64>().ok().map(|x| Arc::new(Float64Array::from(vec![x + 0.0])) as _),
        ValueKind::Timestamp => {
            microseconds(written).map(|at| Arc::new(TimestampMicrosecondArray::from(vec![at])) as _)
        }
        ValueKind::Moment => microseconds(written.trim_end_matches("+00")).map(|at| {
            let array = TimestampMicrosecondArray::from(vec![at]);
            Arc::new(array.with_timezone("+00:00")) as _
        }),
        ValueKind::Time => NaiveTime::parse_from_str(written, "%H:%M:%S%.f").ok().map(|time| {
            let micros = i64::from(time.num_seconds_from_midnight()) * 1_000_000 + i64::from(time.nanosecond() / 1000);
            Arc::new(Time64MicrosecondArray::from(vec![micros])) as _
        }),
    };
    match array.map(|array| Cells::Typed(array).text().map(|texts| texts.value(0).to_owned())) {
        Some(Ok(text)) => text.into(),
        _ => written.into(),
    }
}

fn microseconds(written: &str) -> Option<i64> {
    let at = NaiveDateTime::parse_from_str(written, "%Y-%m-%d %H:%M:%S%.f").ok()?;
    Some(at.and_utc().timestamp_micros())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_as_they_do_from_a_typed_file() {
        let text = |kind, written| value_text(kind, written).into_owned();
        assert_eq!(text(ValueKind::Text, "1.0"), "1.0");
        assert_eq!(text(ValueKind::Boolean, "true"), "true");
        assert_eq!(text(ValueKind::Decimal, "12.50"), "12.50");
        assert_eq!(text(ValueKind::Double, "1"), "1.0");
        assert_eq!(text(ValueKind::Double, "0.1"), "0.1");
        assert_eq!(text(ValueKind::Double, "-0"), "0.0");
        assert_eq!(text(ValueKind::Float, "0.1"), "0.1");
        assert_eq!(text(ValueKind::Double, "1e+20"), text(ValueKind::Double, "1.0E20"));
        assert_eq!(text(ValueKind::Date, "2024-03-01"), "2024-03-01");
        assert_eq!(text(ValueKind::Timestamp, "2024-03-01 10:00:00"), "2024-03-01T10:00:00");
        assert_eq!(text(ValueKind::Timestamp, "2024-03-01 10:00:00.5"), "2024-03-01T10:00:00.500");
        assert_eq!(text(ValueKind::Moment, "2024-03-01 10:00:00+00"), "2024-03-01T10:00:00Z");
        assert_eq!(text(ValueKind::Moment, "2024-03-01 10:00:00"), "2024-03-01T10:00:00Z");
        assert_eq!(text(ValueKind::Time, "10:00:00"), "10:00:00");
    }

    #[test]
    fn what_is_no_ordinary_value_stays_as_it_is() {
        assert_eq!(value_text(ValueKind::Timestamp, "infinity"), "infinity");
        assert_eq!(value_text(ValueKind::Moment, "0044-03-15 00:00:00+00 BC"), "0044-03-15 00:00:00+00 BC");
    }
}

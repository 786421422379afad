//! How does a column that has a type read as text?

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_cast::{CastOptions, can_cast_types, cast_with_options};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef, TimeUnit};

use super::Cells;
use super::guard::quietly;
use shoal_core::{Error, Result};

/// Never a null in place of what cannot be cast: a value must not silently become a missing one.
pub(super) const STRICT: CastOptions<'static> =
    CastOptions { safe: false, format_options: arrow_cast::display::FormatOptions::new() };

/// Can every column of this type be read as text? Nested ones cannot: they are tables of their own.
pub(super) fn is_supported(data_type: &DataType) -> bool {
    !data_type.is_nested() && can_cast_types(&plain(data_type), &DataType::Utf8)
}

/// Does every value of this type have a text? Bytes need not be one, and a moment can lie too far away.
pub fn always_has_text(data_type: &DataType) -> bool {
    let is_text = |data_type: &DataType| matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    match data_type {
        DataType::Dictionary(_, values) => always_has_text(values),
        other => other.is_numeric() || is_text(other) || *other == DataType::Boolean,
    }
}

/// The cells as text: dates as 2024-03-01, timestamps as 2024-03-01T10:00:00, decimals in full.
pub(super) fn text(cells: &ArrayRef) -> Result<StringArray> {
    let cast = || -> std::result::Result<StringArray, ArrowError> {
        let plain = cast_with_options(cells, &plain(cells.data_type()), &STRICT)?;
        let text = cast_with_options(&plain, &DataType::Utf8, &STRICT)?;
        let text = text.as_any().downcast_ref::<StringArray>().expect("a cast to Utf8 gives a StringArray");
        if is_date_in_milliseconds(cells.data_type()) {
            // Midnight is left out of a date, any other time of day is not: two values never share a text.
            return Ok(text
                .iter()
                .map(|cell| cell.map(|cell| cell.strip_suffix("T00:00:00").unwrap_or(cell)))
                .collect());
        }
        Ok(text.clone())
    };
    // The reason is left out, since it may quote a cell. A damaged file may hold arrays that a cast panics on.
    quietly(cast)
        .ok()
        .and_then(std::result::Result::ok)
        .ok_or_else(|| Error::table(format!("a column of type {} cannot be read as text", cells.data_type())))
}

/// Columns as a batch of typed ones.
pub(super) fn batch(columns: &[Cells], schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = columns.iter().zip(schema.fields()).map(|(cells, field)| typed(cells, field));
    let columns = columns.collect::<Result<Vec<_>>>()?;
    Ok(RecordBatch::try_new(schema.clone(), columns)
        .expect("every column has the type of its field and as many cells as the others"))
}

/// The cells in the type of their column.
fn typed(cells: &Cells, field: &Field) -> Result<ArrayRef> {
    let array: ArrayRef = match cells {
        Cells::Typed(array) if field.data_type() != &DataType::Utf8 => array.clone(),
        other => Arc::new(other.text()?.into_owned()),
    };
    if array.data_type() == field.data_type() {
        return Ok(array);
    }
    cast_with_options(&array, field.data_type(), &STRICT).map_err(|_| {
        Error::table(format!("column `{}` has a value that does not fit its type {}", field.name(), field.data_type()))
    })
}

fn is_date_in_milliseconds(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_date_in_milliseconds(values),
        other => *other == DataType::Date64,
    }
}

/// The type whose text is wanted.
///
/// A dictionary is as good as its values. A time zone by name needs a database of time zones, so the same
/// moment is shown in UTC. Milliseconds since 1970 that are meant as a date are a date.
fn plain(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Dictionary(_, values) => plain(values),
        DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some("+00:00".into())),
        DataType::Date64 => DataType::Timestamp(TimeUnit::Millisecond, None),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::*;

    use super::*;

    fn texts(array: impl Array + 'static) -> Vec<Option<String>> {
        let array: ArrayRef = Arc::new(array);
        assert!(is_supported(array.data_type()), "{}", array.data_type());
        text(&array).expect("text").iter().map(|cell| cell.map(str::to_owned)).collect()
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn every_kind_reads_as_people_write_it() {
        assert_eq!(texts(Date32Array::from(vec![Some(19_783), None])), [some("2024-03-01"), None]);
        assert_eq!(texts(Date64Array::from(vec![19_783 * 86_400_000])), [some("2024-03-01")]);
        assert_eq!(texts(TimestampMicrosecondArray::from(vec![1_709_287_200_000_000])), [some("2024-03-01T10:00:00")]);
        let berlin = TimestampSecondArray::from(vec![1_709_287_200]).with_timezone("Europe/Berlin");
        assert_eq!(texts(berlin), [some("2024-03-01T10:00:00Z")]);
        let decimals = Decimal128Array::from(vec![Some(12_345), Some(-5), None]);
        let decimals = decimals.with_precision_and_scale(10, 2).expect("a decimal");
        assert_eq!(texts(decimals), [some("123.45"), some("-0.05"), None]);
        assert_eq!(texts(BooleanArray::from(vec![true, false])), [some("true"), some("false")]);
        assert_eq!(texts(Int64Array::from(vec![i64::MIN])), [some("-9223372036854775808")]);
        assert_eq!(texts(Float64Array::from(vec![0.1])), [some("0.1")]);
        assert_eq!(texts(StringViewArray::from(vec!["x"])), [some("x")]);
        assert_eq!(texts(BinaryArray::from(vec![b"x".as_slice()])), [some("x")]);
        assert_eq!(texts(NullArray::new(1)), [None]);
        let words: DictionaryArray<types::Int8Type> = [Some("a"), None, Some("b"), Some("a")].into_iter().collect();
        assert_eq!(texts(words), [some("a"), None, some("b"), some("a")]);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_and_not_shown() {
        let array: ArrayRef = Arc::new(BinaryArray::from(vec![b"secret\xff".as_slice()]));
        let error = text(&array).expect_err("no text").to_string();
        assert_eq!(error, "a column of type Binary cannot be read as text");
    }
}

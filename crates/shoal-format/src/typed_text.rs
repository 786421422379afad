//! How does a column that has a type read as text?

use std::fmt::{Debug, Write};
use std::str::FromStr;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{as_date, as_datetime, as_duration, as_time};
use arrow_array::types::*;
use arrow_array::{
    AnyDictionaryArray, Array, ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, RecordBatch, StringArray,
};
use arrow_data::decimal::{DecimalNativeType, write_decimal};
use arrow_schema::{DataType, Field, Fields, SchemaRef, TimeUnit};
use chrono::{NaiveTime, SecondsFormat};

use super::Cells;
use super::guard::quietly;
use shoal_core::{Error, Result};

/// Can a column of this type be read as text? Nested ones cannot: they are tables of their own. Nor can months, days and
/// seconds that are kept apart: nobody agrees on a text for them.
fn is_supported(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, values) => is_supported(values),
        DataType::Null | DataType::Boolean => true,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::Interval(_) => false,
        other => other.is_primitive(),
    }
}

/// Refuses a table that has a column which cannot be read as text.
pub(super) fn check(fields: &Fields) -> Result<()> {
    let Some(field) = fields.iter().find(|field| !is_supported(field.data_type())) else { return Ok(()) };
    let reason = if field.data_type().is_nested() { "nested" } else { "of a type that has no text" };
    Err(Error::table(format!("column `{}` is {reason}", field.name()))
        .hint("leave the column out, or write it as text or numbers"))
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
    // The reason is left out, since it may quote a cell. A damaged file may hold arrays that cannot even be looked at.
    quietly(|| written(cells)).ok().flatten().ok_or_else(|| no_text(cells))
}

/// The same, without the cells that have no text: bytes need not be one. Each is judged by itself, whatever it is read with.
pub(super) fn text_where_any(cells: &ArrayRef) -> Result<StringArray> {
    quietly(|| written_where_any(cells)).map_err(|_| no_text(cells))
}

fn no_text(cells: &ArrayRef) -> Error {
    Error::table(format!("a column of type {} cannot be read as text", cells.data_type()))
}

fn written_where_any(cells: &dyn Array) -> StringArray {
    if let Some(texts) = written(cells) {
        return texts;
    }
    if let Some(dictionary) = cells.as_any_dictionary_opt() {
        return words(dictionary, &written_where_any(dictionary.values()));
    }
    let alone = |row: usize| written(&cells.slice(row, 1)).filter(|text| text.is_valid(0));
    (0..cells.len()).map(|row| alone(row).map(|text| text.value(0).to_owned())).collect()
}

/// The text of every cell; none if one has no text.
fn written(cells: &dyn Array) -> Option<StringArray> {
    match cells.data_type() {
        DataType::Int8 => integers::<Int8Type>(cells),
        DataType::Int16 => integers::<Int16Type>(cells),
        DataType::Int32 => integers::<Int32Type>(cells),
        DataType::Int64 => integers::<Int64Type>(cells),
        DataType::UInt8 => integers::<UInt8Type>(cells),
        DataType::UInt16 => integers::<UInt16Type>(cells),
        DataType::UInt32 => integers::<UInt32Type>(cells),
        DataType::UInt64 => integers::<UInt64Type>(cells),
        DataType::Float16 => each::<Float16Type>(cells, |number, text| write!(text, "{number}").ok()),
        DataType::Float32 => floats::<Float32Type>(cells),
        DataType::Float64 => floats::<Float64Type>(cells),
        DataType::Decimal32(_, scale) => decimals::<Decimal32Type>(cells, *scale),
        DataType::Decimal64(_, scale) => decimals::<Decimal64Type>(cells, *scale),
        DataType::Decimal128(_, scale) => decimals::<Decimal128Type>(cells, *scale),
        DataType::Decimal256(_, scale) => decimals::<Decimal256Type>(cells, *scale),
        DataType::Date32 => each::<Date32Type>(cells, |day, text| debug(as_date::<Date32Type>(day.into())?, text)),
        DataType::Date64 => each::<Date64Type>(cells, date_in_milliseconds),
        DataType::Time32(TimeUnit::Second) => times::<Time32SecondType>(cells),
        DataType::Time32(_) => times::<Time32MillisecondType>(cells),
        DataType::Time64(TimeUnit::Microsecond) => times::<Time64MicrosecondType>(cells),
        DataType::Time64(_) => times::<Time64NanosecondType>(cells),
        DataType::Timestamp(unit, zone) => {
            let zone = zone.is_some();
            match unit {
                TimeUnit::Second => timestamps::<TimestampSecondType>(cells, zone),
                TimeUnit::Millisecond => timestamps::<TimestampMillisecondType>(cells, zone),
                TimeUnit::Microsecond => timestamps::<TimestampMicrosecondType>(cells, zone),
                TimeUnit::Nanosecond => timestamps::<TimestampNanosecondType>(cells, zone),
            }
        }
        DataType::Duration(TimeUnit::Second) => durations::<DurationSecondType>(cells),
        DataType::Duration(TimeUnit::Millisecond) => durations::<DurationMillisecondType>(cells),
        DataType::Duration(TimeUnit::Microsecond) => durations::<DurationMicrosecondType>(cells),
        DataType::Duration(TimeUnit::Nanosecond) => durations::<DurationNanosecondType>(cells),
        DataType::Null => Some(StringArray::new_null(cells.len())),
        DataType::Boolean => Some(cells.as_boolean().iter().map(|cell| cell.map(|cell| cell.to_string())).collect()),
        DataType::Utf8 => Some(cells.as_string::<i32>().clone()),
        DataType::LargeUtf8 => Some(cells.as_string::<i64>().iter().collect()),
        DataType::Utf8View => Some(cells.as_string_view().iter().collect()),
        DataType::Binary => texts(cells.as_binary::<i32>().iter()),
        DataType::LargeBinary => texts(cells.as_binary::<i64>().iter()),
        DataType::BinaryView => texts(cells.as_binary_view().iter()),
        DataType::Dictionary(..) => {
            let dictionary = cells.as_any_dictionary_opt()?;
            // A dictionary is as good as its values.
            Some(words(dictionary, &written(dictionary.values())?))
        }
        _ => None,
    }
}

/// Writes each value of a column after the text of those before it.
fn each<T: ArrowPrimitiveType>(
    cells: &dyn Array,
    write: impl Fn(T::Native, &mut StringBuilder) -> Option<()>,
) -> Option<StringArray> {
    let mut texts = StringBuilder::with_capacity(cells.len(), cells.len() * 8);
    for cell in cells.as_primitive::<T>() {
        match cell {
            None => texts.append_null(),
            Some(value) => {
                write(value, &mut texts)?;
                texts.append_value("");
            }
        }
    }
    Some(texts.finish())
}

fn debug(value: impl Debug, text: &mut StringBuilder) -> Option<()> {
    write!(text, "{value:?}").ok()
}

fn integers<T: ArrowPrimitiveType<Native: itoa::Integer>>(cells: &dyn Array) -> Option<StringArray> {
    each::<T>(cells, |number, text| text.write_str(itoa::Buffer::new().format(number)).ok())
}

fn floats<T: ArrowPrimitiveType<Native: ryu::Float>>(cells: &dyn Array) -> Option<StringArray> {
    each::<T>(cells, |number, text| text.write_str(ryu::Buffer::new().format(number)).ok())
}

fn decimals<T: ArrowPrimitiveType<Native: DecimalNativeType>>(cells: &dyn Array, scale: i8) -> Option<StringArray> {
    each::<T>(cells, |number, text| write_decimal(text, number, scale).ok())
}

fn times<T: ArrowPrimitiveType<Native: Into<i64>>>(cells: &dyn Array) -> Option<StringArray> {
    each::<T>(cells, |time, text| debug(as_time::<T>(time.into())?, text))
}

/// A time zone by name needs a database of time zones, so moments of all zones are shown in UTC.
fn timestamps<T: ArrowPrimitiveType<Native = i64>>(cells: &dyn Array, has_zone: bool) -> Option<StringArray> {
    each::<T>(cells, |moment, text| {
        let moment = as_datetime::<T>(moment)?;
        match has_zone {
            true => text.write_str(&moment.and_utc().to_rfc3339_opts(SecondsFormat::AutoSi, true)).ok(),
            false => debug(moment, text),
        }
    })
}

fn durations<T: ArrowPrimitiveType<Native = i64>>(cells: &dyn Array) -> Option<StringArray> {
    each::<T>(cells, |duration, text| write!(text, "{}", as_duration::<T>(duration)?).ok())
}

/// Midnight is left out of a date, any other time of day is not: two values never share a text.
fn date_in_milliseconds(date: i64, text: &mut StringBuilder) -> Option<()> {
    let moment = as_datetime::<Date64Type>(date)?;
    if moment.time() == NaiveTime::MIN { debug(moment.date(), text) } else { debug(moment, text) }
}

/// Bytes that are meant as text.
fn texts<'a>(cells: impl Iterator<Item = Option<&'a [u8]>>) -> Option<StringArray> {
    cells
        .map(|cell| cell.map(|bytes| std::str::from_utf8(bytes).ok()).map_or(Some(None), |text| text.map(Some)))
        .collect()
}

/// The cells of a dictionary, whose values have these texts.
fn words(dictionary: &dyn AnyDictionaryArray, values: &StringArray) -> StringArray {
    if values.is_empty() {
        return StringArray::new_null(dictionary.len());
    }
    let keys = dictionary.normalized_keys();
    let word = |row: usize| {
        let key = dictionary.keys().is_valid(row).then(|| keys[row])?;
        values.is_valid(key).then(|| values.value(key))
    };
    (0..dictionary.len()).map(word).collect()
}

/// Columns as a batch of typed ones.
pub(super) fn batch(columns: &[Cells], schema: &SchemaRef) -> Result<RecordBatch> {
    let columns = columns.iter().zip(schema.fields()).map(|(cells, field)| typed(cells, field));
    let columns = columns.collect::<Result<Vec<_>>>()?;
    Ok(RecordBatch::try_new(schema.clone(), columns)
        .expect("every column has the type of its field and as many cells as the others"))
}

/// The cells in the type of their column. Text becomes whole numbers or truth values where these are wanted.
fn typed(cells: &Cells, field: &Field) -> Result<ArrayRef> {
    let array: ArrayRef = match cells {
        Cells::Typed(array) if field.data_type() != &DataType::Utf8 => array.clone(),
        other => Arc::new(other.text()?.into_owned()),
    };
    if array.data_type() == field.data_type() {
        return Ok(array);
    }
    let read = array.as_string_opt::<i32>().and_then(|texts| parsed(texts, field.data_type()));
    read.ok_or_else(|| {
        Error::table(format!("column `{}` has a value that does not fit its type {}", field.name(), field.data_type()))
    })
}

/// The values that texts stand for; none if one of them does not fit.
fn parsed(texts: &StringArray, data_type: &DataType) -> Option<ArrayRef> {
    fn all<V: FromStr, A: FromIterator<Option<V>> + Array + 'static>(texts: &StringArray) -> Option<ArrayRef> {
        let values = texts.iter().map(|text| text.map(str::parse).transpose().ok());
        Some(Arc::new(values.collect::<Option<A>>()?))
    }
    fn numbers<T: ArrowPrimitiveType<Native: FromStr>>(texts: &StringArray) -> Option<ArrayRef> {
        all::<T::Native, PrimitiveArray<T>>(texts)
    }
    match data_type {
        DataType::Boolean => all::<bool, BooleanArray>(texts),
        DataType::Int8 => numbers::<Int8Type>(texts),
        DataType::Int16 => numbers::<Int16Type>(texts),
        DataType::Int32 => numbers::<Int32Type>(texts),
        DataType::Int64 => numbers::<Int64Type>(texts),
        DataType::UInt8 => numbers::<UInt8Type>(texts),
        DataType::UInt16 => numbers::<UInt16Type>(texts),
        DataType::UInt32 => numbers::<UInt32Type>(texts),
        DataType::UInt64 => numbers::<UInt64Type>(texts),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::*;
    use arrow_cast::{CastOptions, cast_with_options};
    use proptest::prelude::*;

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

    /// What Arrow's own cast makes of it: moments of a zone are shown in UTC, and dates in milliseconds as moments.
    fn cast(array: &ArrayRef) -> Option<StringArray> {
        let options = CastOptions { safe: false, ..CastOptions::default() };
        let plain = match array.data_type() {
            DataType::Timestamp(unit, Some(_)) => DataType::Timestamp(*unit, Some("+00:00".into())),
            DataType::Date64 => DataType::Timestamp(TimeUnit::Millisecond, None),
            other => other.clone(),
        };
        let plain = cast_with_options(array, &plain, &options).ok()?;
        let texts = cast_with_options(&plain, &DataType::Utf8, &options).ok()?;
        let is_date = array.data_type() == &DataType::Date64;
        let date = |text: &'_ str| text.strip_suffix("T00:00:00").filter(|_| is_date).unwrap_or(text).to_owned();
        Some(texts.as_string::<i32>().iter().map(|text| text.map(date)).collect())
    }

    /// The same bytes as values of every type of this width.
    fn of_every_type(cells: &[Option<i64>]) -> Vec<ArrayRef> {
        fn all<T: ArrowPrimitiveType>(cells: &[Option<i64>], value: impl Fn(i64) -> T::Native) -> ArrayRef {
            Arc::new(cells.iter().map(|cell| cell.map(&value)).collect::<PrimitiveArray<T>>())
        }
        let zone = |array: &ArrayRef| -> ArrayRef {
            Arc::new(array.as_primitive::<TimestampMicrosecondType>().clone().with_timezone("Europe/Berlin"))
        };
        let decimal = |scale: i8| -> ArrayRef {
            let numbers = all::<Decimal128Type>(cells, i128::from);
            let numbers = numbers.as_primitive::<Decimal128Type>().clone();
            Arc::new(numbers.with_precision_and_scale(38, scale).expect("a decimal"))
        };
        let moments = all::<TimestampMicrosecondType>(cells, |cell| cell);
        vec![
            all::<Int8Type>(cells, |cell| cell as i8),
            all::<Int16Type>(cells, |cell| cell as i16),
            all::<Int32Type>(cells, |cell| cell as i32),
            all::<Int64Type>(cells, |cell| cell),
            all::<UInt8Type>(cells, |cell| cell as u8),
            all::<UInt16Type>(cells, |cell| cell as u16),
            all::<UInt32Type>(cells, |cell| cell as u32),
            all::<UInt64Type>(cells, |cell| cell as u64),
            all::<Float32Type>(cells, |cell| f32::from_bits(cell as u32)),
            all::<Float64Type>(cells, |cell| f64::from_bits(cell as u64)),
            all::<Float64Type>(cells, |cell| cell as f64 / 1000.0),
            all::<Decimal32Type>(cells, |cell| cell as i32),
            all::<Decimal64Type>(cells, |cell| cell),
            decimal(0),
            decimal(3),
            decimal(-2),
            all::<Date32Type>(cells, |cell| cell as i32),
            all::<Date64Type>(cells, |cell| cell),
            all::<Date64Type>(cells, |cell| cell % 100_000 * 86_400_000),
            all::<Time32SecondType>(cells, |cell| cell as i32),
            all::<Time32MillisecondType>(cells, |cell| cell as i32),
            all::<Time64MicrosecondType>(cells, |cell| cell),
            all::<Time64NanosecondType>(cells, |cell| cell),
            all::<TimestampSecondType>(cells, |cell| cell),
            all::<TimestampMillisecondType>(cells, |cell| cell),
            zone(&moments),
            moments,
            all::<TimestampNanosecondType>(cells, |cell| cell),
            all::<DurationMicrosecondType>(cells, |cell| cell),
            all::<DurationNanosecondType>(cells, |cell| cell),
        ]
    }

    fn number() -> impl Strategy<Value = i64> {
        prop_oneof![any::<i64>(), -100_000..100_000_i64, 0..2_000_000_000_i64, 0..86_400_000_000_i64, Just(0)]
    }

    proptest! {
        #[test]
        fn texts_are_those_of_arrows_own_cast(cells in prop::collection::vec(prop::option::of(number()), 1..4)) {
            for array in of_every_type(&cells) {
                prop_assert_eq!(text(&array).ok(), cast(&array), "{}", array.data_type());
                prop_assert!(is_supported(array.data_type()), "{}", array.data_type());
            }
        }

        #[test]
        fn whole_numbers_and_truths_come_back_from_their_text(
            cells in prop::collection::vec(prop::option::of(number()), 1..4),
        ) {
            let truths: ArrayRef = Arc::new(cells.iter().map(|cell| cell.map(|cell| cell > 0)).collect::<BooleanArray>());
            for array in of_every_type(&cells).into_iter().take(8).chain([truths]) {
                let field = Field::new("a", array.data_type().clone(), true);
                prop_assert_eq!(&typed(&Cells::Text(text(&array).expect("text")), &field).expect("values"), &array);
            }
        }
    }

    #[test]
    fn a_text_that_does_not_fit_its_type_is_refused() {
        for (text, data_type) in [("300", DataType::UInt8), ("x", DataType::Int64), ("2024-01-01", DataType::Date32)] {
            let field = Field::new("a", data_type, true);
            let error = typed(&Cells::Text(vec![text].into()), &field).expect_err("another type").to_string();
            assert!(error.starts_with("column `a` has a value that does not fit its type "), "{error}");
            assert!(!error.contains(text), "{error}");
        }
    }

    /// Of a dictionary the values decide, also where no cell has one of them.
    #[test]
    fn cells_that_have_a_text_have_it_beside_others() {
        let bytes: ArrayRef = Arc::new(BinaryArray::from_opt_vec(vec![Some(b"x"), None, Some(b"\xff"), Some(b"y")]));
        let expected = StringArray::from(vec![Some("x"), None, None, Some("y")]);
        assert!(text(&bytes).is_err());
        assert_eq!(text_where_any(&bytes).expect("no damage"), expected);
        let keys = Int8Array::from(vec![Some(3), Some(2), None, Some(0)]);
        let words: ArrayRef = Arc::new(DictionaryArray::new(keys, bytes));
        let expected = StringArray::from(vec![Some("y"), None, None, Some("x")]);
        assert_eq!(text_where_any(&words).expect("no damage"), expected);
        assert_eq!(text_where_any(&words.slice(3, 1)).expect("no damage"), expected.slice(3, 1));
    }

    #[test]
    fn what_has_no_text_is_known_beforehand() {
        let months = DataType::Interval(arrow_schema::IntervalUnit::YearMonth);
        assert!(!is_supported(&months) && !is_supported(&DataType::FixedSizeBinary(3)));
        assert!(!is_supported(&DataType::Dictionary(Box::new(DataType::Int8), Box::new(months))));
        let months: ArrayRef = Arc::new(IntervalYearMonthArray::from(vec![13]));
        assert!(text(&months).is_err());
    }

    #[test]
    fn a_dictionary_without_values_has_no_texts() {
        let nothing: DictionaryArray<types::Int8Type> = [None::<&str>, None].into_iter().collect();
        assert_eq!(texts(nothing), [None, None]);
        let values: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
        let keys = Int8Array::from(vec![Some(1), Some(0), None]);
        let some_values = DictionaryArray::try_new(keys, values).expect("a dictionary");
        assert_eq!(texts(some_values), [None, some("a"), None]);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_and_not_shown() {
        let array: ArrayRef = Arc::new(BinaryArray::from(vec![b"secret\xff".as_slice()]));
        let error = text(&array).expect_err("no text").to_string();
        assert_eq!(error, "a column of type Binary cannot be read as text");
    }
}

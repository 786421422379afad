//! How does a column become one whose values stand once in a dictionary?

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, DictionaryArray, PrimitiveArray, types::*};
use arrow_data::ArrayData;
use arrow_schema::DataType;
use hashbrown::HashMap;

use super::picked::picked;
use shoal_core::{Error, Result};

/// The same cells as keys of this type into a dictionary of the values that occur, in the order in which they do.
pub fn as_dictionary(cells: &ArrayRef, keys: &DataType) -> Result<ArrayRef> {
    let data = cells.to_data();
    let bytes = bytes_of(cells, &data)?;
    let (mut first_rows, mut places) = (Vec::new(), HashMap::new());
    let place = |row: usize| {
        cells.is_valid(row).then(|| {
            *places.entry(bytes[row]).or_insert_with(|| {
                first_rows.push(Some(row));
                first_rows.len() - 1
            })
        })
    };
    let places: Vec<Option<usize>> = (0..cells.len()).map(place).collect();
    let values = picked(cells, &first_rows);
    match keys {
        DataType::Int8 => with_keys::<Int8Type>(&places, values),
        DataType::Int16 => with_keys::<Int16Type>(&places, values),
        DataType::Int32 => with_keys::<Int32Type>(&places, values),
        DataType::Int64 => with_keys::<Int64Type>(&places, values),
        DataType::UInt8 => with_keys::<UInt8Type>(&places, values),
        DataType::UInt16 => with_keys::<UInt16Type>(&places, values),
        DataType::UInt32 => with_keys::<UInt32Type>(&places, values),
        DataType::UInt64 => with_keys::<UInt64Type>(&places, values),
        other => Err(Error::bug(format!("{other} is no type for keys of a dictionary"))),
    }
}

fn with_keys<K: ArrowDictionaryKeyType>(places: &[Option<usize>], values: ArrayRef) -> Result<ArrayRef>
where
    <K as ArrowPrimitiveType>::Native: TryFrom<usize>,
{
    let key = |place: &Option<usize>| place.map(|place| K::Native::try_from(place).map(Some)).unwrap_or(Ok(None));
    let keys = places.iter().map(key).collect::<Result<PrimitiveArray<K>, _>>();
    let keys = keys.map_err(|_| {
        Error::table(format!("a column has more different values than {} can number", K::DATA_TYPE))
            .hint("write the table without a dictionary for it")
    })?;
    let dictionary = DictionaryArray::<K>::try_new(keys, values);
    Ok(Arc::new(dictionary.expect("every key is the place of a value")))
}

/// The bytes of each cell, by which values are told apart.
fn bytes_of<'a>(cells: &'a ArrayRef, data: &'a ArrayData) -> Result<Vec<&'a [u8]>> {
    let rows = 0..cells.len();
    Ok(match cells.data_type() {
        DataType::Utf8 => rows.map(|row| cells.as_string::<i32>().value(row).as_bytes()).collect(),
        DataType::LargeUtf8 => rows.map(|row| cells.as_string::<i64>().value(row).as_bytes()).collect(),
        DataType::Utf8View => rows.map(|row| cells.as_string_view().value(row).as_bytes()).collect(),
        DataType::Binary => rows.map(|row| cells.as_binary::<i32>().value(row)).collect(),
        DataType::LargeBinary => rows.map(|row| cells.as_binary::<i64>().value(row)).collect(),
        DataType::BinaryView => rows.map(|row| cells.as_binary_view().value(row)).collect(),
        DataType::FixedSizeBinary(_) => rows.map(|row| cells.as_fixed_size_binary().value(row)).collect(),
        other if other.primitive_width().is_some() => {
            let width = other.primitive_width().expect("it was just asked for");
            data.buffers()[0].as_slice()[data.offset() * width..].chunks_exact(width).take(cells.len()).collect()
        }
        other => return Err(Error::table(format!("a dictionary of values of type {other} cannot be written"))),
    })
}

#[cfg(test)]
mod tests {
    use arrow_array::{Float64Array, StringArray};
    use arrow_cast::cast;
    use proptest::prelude::*;

    use super::*;

    /// The same keys and the same values as those that Arrow's own cast gives.
    fn agrees(cells: ArrayRef, keys: DataType) {
        let expected = cast(&cells, &DataType::Dictionary(Box::new(keys.clone()), Box::new(cells.data_type().clone())));
        match (as_dictionary(&cells, &keys), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found.to_data(), expected.to_data()),
            (Err(_), Err(_)) => {}
            (found, expected) => panic!("{found:?} and {expected:?}"),
        }
    }

    proptest! {
        #[test]
        fn it_is_the_dictionary_that_arrow_makes(
            texts in prop::collection::vec(prop::option::of("[ab]{0,2}"), 0..30),
            numbers in prop::collection::vec(prop::option::of(-2..2_i8), 0..30),
            from in 0..5_usize,
        ) {
            let from = |length: usize| from.min(length);
            let texts: StringArray = texts.iter().map(Option::as_deref).collect();
            let texts = texts.slice(from(texts.len()), texts.len() - from(texts.len()));
            agrees(Arc::new(texts), DataType::UInt16);
            let numbers: Float64Array = numbers.iter().map(|number| number.map(|number| f64::from(number) / 2.0)).collect();
            let numbers = numbers.slice(from(numbers.len()), numbers.len() - from(numbers.len()));
            agrees(Arc::new(numbers), DataType::Int32);
        }
    }

    #[test]
    fn keys_that_are_too_small_are_an_error() {
        let texts =
            |count: usize| -> ArrayRef { Arc::new((0..count).map(|n| Some(n.to_string())).collect::<StringArray>()) };
        agrees(texts(128), DataType::Int8);
        agrees(texts(129), DataType::Int8);
        assert!(as_dictionary(&texts(129), &DataType::Int8).is_err());
    }
}

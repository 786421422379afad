//! How do rows that are written column by column come into an order that tells nothing?

use std::sync::{Arc, OnceLock};

use arrow_array::{ArrayRef, StringArray};
use arrow_row::{RowConverter, SortField};
use arrow_schema::{ArrowError, DataType};

use shoal_core::recode::{RowBytes, RowOrder};

use super::carrier::Ordered;
use super::columns::{numbers, values};
use super::people_file::TAG;
use shoal_core::{Error, Result};
use shoal_format::{Cells, as_dictionary};

/// Rows of columns as bytes, which an [`RowOrder`] puts in order.
pub(super) struct OrderedColumns {
    order: RowOrder,
    /// What the columns are, once the first rows have come.
    kinds: OnceLock<Vec<Form>>,
    /// Does the last of them, which is not shown, say whom rows are about?
    tagged: bool,
}

/// In which form a column came, so that it leaves in the same.
#[derive(Debug, Clone)]
enum Form {
    Text,
    Json,
    Typed(DataType),
}

/// Rows that are handed out at a time.
const BATCH_ROWS: usize = 1 << 14;

impl OrderedColumns {
    /// Rows that come into this order.
    pub(super) fn new(order: RowOrder, tagged: bool) -> Self {
        Self { order, kinds: OnceLock::new(), tagged }
    }

    fn rows(&self, columns: &[Cells], tagged: bool) -> Result<RowBytes> {
        let (columns, tags) = match columns {
            [shown @ .., people] if tagged => (shown, values(people)),
            columns => (columns, &[][..]),
        };
        let kinds = self.kinds.get_or_init(|| columns.iter().map(Form::of).collect());
        let arrays: Vec<ArrayRef> = columns.iter().map(array).collect();
        let rows = converter(kinds).and_then(|converter| converter.convert_columns(&arrays));
        let rows = rows.map_err(|error| failed(&error))?;
        let mut ordered = RowBytes::default();
        for (at, row) in rows.iter().enumerate() {
            ordered.bytes.extend_from_slice(row.as_ref());
            ordered.bytes.extend(tags.get(at).map(|tag| tag.to_le_bytes()).iter().flatten());
            ordered.ends.push(ordered.bytes.len());
        }
        Ok(ordered)
    }
}

impl Ordered for OrderedColumns {
    type Rows = Vec<Cells>;

    fn add(&self, columns: &Vec<Cells>) -> Result<()> {
        self.order.add(&self.rows(columns, self.tagged)?)
    }

    fn add_by(&self, hashes: &[u64], columns: &Vec<Cells>) -> Result<()> {
        self.order.add_by(hashes, &self.rows(columns, self.tagged)?)
    }

    fn finish(self, mut write: impl FnMut(&Vec<Cells>) -> Result<()>) -> Result<()> {
        let Some(kinds) = self.kinds.into_inner() else { return Ok(()) };
        let converter = converter(&kinds).map_err(|error| failed(&error))?;
        let parser = converter.parser();
        let tag = if self.tagged { TAG } else { 0 };
        self.order.finish(|ordered: &RowBytes| {
            let ordered: Vec<(&[u8], &[u8])> = ordered.iter().map(|row| row.split_at(row.len() - tag)).collect();
            for rows in ordered.chunks(BATCH_ROWS) {
                let shown = rows.iter().map(|(row, _)| parser.parse(row));
                let arrays = converter.convert_rows(shown).map_err(|error| failed(&error))?;
                let cells = kinds.iter().zip(&arrays).map(|(kind, array)| kind.cells(array));
                let people = rows.iter().filter_map(|(_, tag)| tag.first_chunk().map(|tag| u32::from_le_bytes(*tag)));
                let people = self.tagged.then(|| Ok(numbers(people)));
                write(&cells.chain(people).collect::<Result<Vec<_>>>()?)?;
            }
            Ok(())
        })
    }
}

fn converter(kinds: &[Form]) -> Result<RowConverter, ArrowError> {
    RowConverter::new(kinds.iter().map(|kind| SortField::new(kind.data_type())).collect())
}

/// What Arrow says besides may quote a cell.
fn failed(_: &ArrowError) -> Error {
    Error::table("the rows cannot be put into an order that tells nothing: a column has a type that has no order")
        .hint("leave out columns of nested types: give them the role `identifier`, or drop them beforehand")
}

fn array(cells: &Cells) -> ArrayRef {
    match cells {
        Cells::Text(array) | Cells::Json(array) => Arc::new(array.clone()),
        Cells::Typed(array) => array.clone(),
    }
}

impl Form {
    fn of(cells: &Cells) -> Self {
        match cells {
            Cells::Text(_) => Self::Text,
            Cells::Json(_) => Self::Json,
            Cells::Typed(array) => Self::Typed(array.data_type().clone()),
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::Text | Self::Json => DataType::Utf8,
            Self::Typed(data_type) => data_type.clone(),
        }
    }

    /// The cells as they came: what had a dictionary of its own was written out on the way.
    fn cells(&self, array: &ArrayRef) -> Result<Cells> {
        let text = || array.as_any().downcast_ref::<StringArray>().expect("text was thrown in as text").clone();
        Ok(match self {
            Self::Text => Cells::Text(text()),
            Self::Json => Cells::Json(text()),
            Self::Typed(DataType::Dictionary(keys, _)) => Cells::Typed(as_dictionary(array, keys)?),
            Self::Typed(_) => Cells::Typed(array.clone()),
        })
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int32Type;
    use arrow_array::{Array, DictionaryArray, Float64Array, Int64Array};

    use super::*;

    /// Rows of every kind of column, all of which tell the number of the row.
    fn columns(rows: std::ops::Range<i64>) -> Vec<Cells> {
        let texts: Vec<String> = rows.clone().map(|row| format!("row {row}")).collect();
        let text = |text: &String| (!text.ends_with('7')).then(|| text.clone());
        vec![
            Cells::Typed(Arc::new(rows.clone().collect::<Int64Array>())),
            Cells::Text(texts.iter().map(text).collect()),
            Cells::Json(texts.iter().map(|text| Some(format!("\"{text}\""))).collect()),
            Cells::Typed(Arc::new(texts.iter().map(String::as_str).collect::<DictionaryArray<Int32Type>>())),
            Cells::Typed(Arc::new(
                rows.map(|row| (row % 3 > 0).then_some(-0.0 * row as f64)).collect::<Float64Array>(),
            )),
        ]
    }

    fn ordered(rows: i64, at_a_time: i64, seed: u64) -> Vec<i64> {
        let folder = tempfile::tempdir().unwrap();
        let order = OrderedColumns::new(RowOrder::new(seed, folder.path()), false);
        for first in (0..rows).step_by(at_a_time as usize) {
            order.add(&columns(first..rows.min(first + at_a_time))).unwrap();
        }
        let mut numbers_in_order = Vec::new();
        let write = |cells: &Vec<Cells>| {
            let Cells::Typed(numbers) = &cells[0] else { panic!("a typed column") };
            let numbers = numbers.as_any().downcast_ref::<Int64Array>().unwrap();
            for (row, &number) in numbers.values().iter().enumerate() {
                let expected = columns(number..number + 1);
                for (found, expected) in cells.iter().zip(&expected) {
                    assert_eq!(std::mem::discriminant(found), std::mem::discriminant(expected));
                    let (found, expected) = (found.text().unwrap(), expected.text().unwrap());
                    assert_eq!(found.is_valid(row).then(|| found.value(row)), expected.iter().next().unwrap());
                }
                numbers_in_order.push(number);
            }
            let Cells::Typed(dictionary) = &cells[3] else { panic!("a typed column") };
            assert!(matches!(dictionary.data_type(), DataType::Dictionary(..)));
            Ok(())
        };
        order.finish(write).unwrap();
        numbers_in_order
    }

    #[test]
    fn every_row_stays_whole_and_how_they_come_changes_nothing() {
        let mut order = ordered(5_000, 700, 1);
        assert_eq!(order, ordered(5_000, 13, 1));
        assert_ne!(order, ordered(5_000, 700, 2));
        order.sort_unstable();
        assert!(order.into_iter().eq(0..5_000));
    }
}

//! How do texts that many rows share become texts of their own, no more at a time than can be held?

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, LargeBinaryArray, LargeStringArray, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, FieldRef, Schema};

use crate::as_dictionary;

/// Rows are handed out as many at a time as have this much text, so that long ones do not add up.
const BATCH_BYTES: usize = 1 << 25;
/// What the texts of a row may take, as in CSV.
const LONGEST_ROW: usize = 1 << 26;

/// The same column with texts and bytes as views.
pub(super) fn viewed(field: &FieldRef) -> FieldRef {
    match view_of(field.data_type()) {
        Some(view) => Arc::new(Field::clone(field).with_data_type(view)),
        None => field.clone(),
    }
}

fn view_of(data_type: &DataType) -> Option<DataType> {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(DataType::Utf8View),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Some(DataType::BinaryView),
        DataType::Dictionary(_, values) => view_of(values),
        _ => None,
    }
}

/// Is this a view?
pub(super) fn is_view(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8View | DataType::BinaryView)
}

/// Rows that were read, and how many of them were handed out.
pub(super) struct Decoded {
    batch: RecordBatch,
    from: usize,
}

impl Decoded {
    pub(super) fn new(batch: RecordBatch) -> Self {
        Self { batch, from: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.from == self.batch.num_rows()
    }

    /// As many rows as can be held with texts of their own; none if not even one can.
    pub(super) fn next_rows(&mut self) -> Option<RecordBatch> {
        let rest = self.batch.slice(self.from, self.batch.num_rows() - self.from);
        let mut lengths = vec![0_usize; rest.num_rows()];
        for column in rest.columns() {
            let views = match column.data_type() {
                DataType::Utf8View => column.as_string_view().views(),
                DataType::BinaryView => column.as_binary_view().views(),
                _ => continue,
            };
            // The length of a text is in the lowest bits of its view.
            lengths.iter_mut().zip(views.iter()).for_each(|(length, view)| *length += *view as u32 as usize);
        }
        let mut bytes = 0_usize;
        let fits = |length: &&usize| {
            bytes = bytes.saturating_add(**length);
            bytes <= BATCH_BYTES
        };
        let rows = match lengths.iter().take_while(fits).count() {
            0 if lengths.first().is_some_and(|&length| length > LONGEST_ROW) => return None,
            rows => rows.max(1),
        };
        self.from += rows;
        Some(rest.slice(0, rows))
    }
}

/// The columns in the types of a schema; none if a text is none.
pub(super) fn written_out(rows: &RecordBatch, schema: &Schema) -> Option<Vec<ArrayRef>> {
    let columns = rows.columns().iter().zip(schema.fields());
    columns.map(|(column, field)| written_in(column, field.data_type())).collect()
}

fn written_in(column: &ArrayRef, data_type: &DataType) -> Option<ArrayRef> {
    if column.data_type() == data_type {
        return Some(column.clone());
    }
    Some(match data_type {
        DataType::Dictionary(keys, values) => as_dictionary(&written_in(column, values)?, keys).ok()?,
        DataType::Utf8 => Arc::new(column.as_string_view_opt()?.iter().collect::<StringArray>()),
        DataType::LargeUtf8 => Arc::new(column.as_string_view_opt()?.iter().collect::<LargeStringArray>()),
        DataType::Binary => Arc::new(column.as_binary_view_opt()?.iter().collect::<BinaryArray>()),
        DataType::LargeBinary => Arc::new(column.as_binary_view_opt()?.iter().collect::<LargeBinaryArray>()),
        _ => return None,
    })
}

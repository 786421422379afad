//! How is a table read from memory and written to it, as Arrow record batches?

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use shoal_core::{Error, Result};

use super::dictionary::as_dictionary;
use super::picked::picked;
use super::{BATCH_ROWS, Batch, Cells, OutputColumn, TableReader, TableWriter, column_names, typed_text};

/// A table in memory. It is cheap to clone: batches are shared.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch};
/// use shoal_format::MemoryTable;
///
/// let ages: ArrayRef = Arc::new(Int64Array::from(vec![31, 34, 38]));
/// let batch = RecordBatch::try_from_iter([("age", ages)]).expect("one column");
/// let table = MemoryTable::new(batch.schema(), vec![batch]).expect("one name");
/// assert_eq!(table.rows(), 3);
/// ```
#[derive(Debug, Clone)]
pub struct MemoryTable {
    schema: SchemaRef,
    batches: Arc<[RecordBatch]>,
}

impl MemoryTable {
    /// A table of these batches, all of which have this schema; an error if one has not, if two columns have the same name, or one has a
    /// type that cannot be read as text.
    pub fn new(schema: SchemaRef, batches: Vec<RecordBatch>) -> Result<Self> {
        let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        column_names::check(&names)?;
        typed_text::check(schema.fields())?;
        // Columns are found by their places: those of another schema would be taken for what they are not.
        if let Some(at) = batches.iter().position(|batch| !has_columns(batch, &schema)) {
            return Err(Error::table(format!("batch {} of the table has other columns than its schema", at + 1))
                .hint("give every batch the columns of the schema, in its order and of its types"));
        }
        Ok(Self { schema, batches: batches.into() })
    }

    /// Its columns.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Its rows.
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Reads it as any other table.
    pub fn reader(&self) -> Box<dyn TableReader> {
        let columns = self.schema.fields().iter().map(|field| field.name().clone()).collect();
        Box::new(MemoryReader { table: self.clone(), columns, batch: 0, row: 0, rows: 0 })
    }
}

/// Has a batch the columns that a schema says, in its order?
fn has_columns(batch: &RecordBatch, schema: &Schema) -> bool {
    let (own, expected) = (batch.schema_ref().fields(), schema.fields());
    let is_same = |(own, expected): (&FieldRef, &FieldRef)| {
        own.name() == expected.name() && own.data_type() == expected.data_type()
    };
    own.len() == expected.len() && own.iter().zip(expected).all(is_same)
}

struct MemoryReader {
    table: MemoryTable,
    columns: Vec<String>,
    /// The batch that comes next, and its row.
    batch: usize,
    row: usize,
    /// How many rows were handed out.
    rows: u64,
}

impl TableReader for MemoryReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Large batches are handed out in pieces, so that all threads have something to do.
    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let left = loop {
            let Some(batch) = self.table.batches.get(self.batch) else { return Ok(None) };
            match batch.num_rows() - self.row {
                0 => (self.batch, self.row) = (self.batch + 1, 0),
                left => break left,
            }
        };
        let piece = self.table.batches[self.batch].slice(self.row, left.min(BATCH_ROWS));
        let columns = piece.columns().iter().map(|column| Cells::Typed(Arc::clone(column))).collect();
        let first_row = self.rows + 1;
        self.row += piece.num_rows();
        self.rows += piece.num_rows() as u64;
        Ok(Some(Batch { first_row, columns }))
    }

    fn data_type(&self, column: usize) -> Option<DataType> {
        Some(self.table.schema.field(column).data_type().clone())
    }
}

/// Where a table in memory comes into being: what was written is there once its writer has finished.
#[derive(Debug, Default, Clone)]
pub struct MemoryTarget {
    written: Arc<Mutex<Option<MemoryTable>>>,
}

impl MemoryTarget {
    /// Starts a table.
    pub fn create(&self, columns: &[OutputColumn]) -> Box<dyn TableWriter> {
        Box::new(MemoryWriter { schema: schema_of(columns), batches: Vec::new(), target: self.clone() })
    }

    /// The table, once it is written.
    pub fn table(&self) -> Option<MemoryTable> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

struct MemoryWriter {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    target: MemoryTarget,
}

impl TableWriter for MemoryWriter {
    fn write(&mut self, columns: &[Cells]) -> Result<()> {
        let batch = typed_text::batch(columns, &self.schema)?;
        let columns = batch.columns().iter().map(own_values_only).collect::<Result<Vec<_>>>()?;
        let batch = RecordBatch::try_new(self.schema.clone(), columns);
        self.batches.push(batch.expect("columns keep their type and length"));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let Self { schema, batches, target } = *self;
        let table = MemoryTable { schema, batches: batches.into() };
        *target.written.lock().unwrap_or_else(PoisonError::into_inner) = Some(table);
        Ok(())
    }
}

/// The same cells without what other rows had: a dictionary, and the texts that views point into, may be those of the whole table,
/// and whoever is handed the release would be handed them, too.
fn own_values_only(column: &ArrayRef) -> Result<ArrayRef> {
    Ok(match column.data_type() {
        DataType::Dictionary(keys, _) => as_dictionary(&written_out(column), keys)?,
        DataType::Utf8View => Arc::new(column.as_string_view().gc()),
        DataType::BinaryView => Arc::new(column.as_binary_view().gc()),
        _ => Arc::clone(column),
    })
}

/// A column with a dictionary as one without.
fn written_out(column: &ArrayRef) -> ArrayRef {
    let Some(dictionary) = column.as_any_dictionary_opt() else { return Arc::clone(column) };
    let values = dictionary.values();
    let keys = if values.is_empty() { vec![0; column.len()] } else { dictionary.normalized_keys() };
    let rows: Vec<Option<usize>> =
        keys.into_iter().enumerate().map(|(row, key)| dictionary.keys().is_valid(row).then_some(key)).collect();
    picked(values, &rows)
}

/// The schema of columns that are written: text, where they have no other type.
pub(super) fn schema_of(columns: &[OutputColumn]) -> SchemaRef {
    let field =
        |column: &OutputColumn| Field::new(&column.name, column.data_type.clone().unwrap_or(DataType::Utf8), true);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int8Type;
    use arrow_array::{DictionaryArray, Int64Array, StringArray, StringViewArray};

    use super::*;

    fn table(rows: std::ops::Range<i64>) -> MemoryTable {
        let schema = Arc::new(Schema::new(vec![
            Field::new("age", DataType::Int64, true),
            Field::new("job", DataType::Utf8, true),
        ]));
        let batch = |rows: std::ops::Range<i64>| {
            let jobs: StringArray = rows.clone().map(|row| (row % 3 > 0).then(|| format!("job {row}"))).collect();
            let ages = rows.collect::<Int64Array>();
            RecordBatch::try_new(schema.clone(), vec![Arc::new(ages), Arc::new(jobs)]).expect("a batch")
        };
        let half = (rows.start + rows.end) / 2;
        let batches = vec![batch(rows.start..half), batch(half..half), batch(half..rows.end)];
        MemoryTable::new(schema.clone(), batches).expect("a table")
    }

    #[test]
    fn rows_come_back_as_they_went_in_whatever_their_batches() {
        let table = table(0..50_000);
        let target = MemoryTarget::default();
        let columns: Vec<OutputColumn> = table
            .schema()
            .fields()
            .iter()
            .map(|field| OutputColumn { name: field.name().clone(), data_type: Some(field.data_type().clone()) })
            .collect();
        let (mut reader, mut writer) = (table.reader(), target.create(&columns));
        let mut first = 1;
        while let Some(batch) = reader.next_batch().expect("rows") {
            assert_eq!(batch.first_row, first);
            assert!(batch.rows() <= BATCH_ROWS);
            first += batch.rows() as u64;
            writer.write(&batch.columns).expect("written");
        }
        assert!(target.table().is_none(), "not before it has finished");
        writer.finish().expect("finished");
        let written = target.table().expect("written");
        assert_eq!((written.rows(), written.schema().fields().len()), (50_000, 2));
        let ages = |table: &MemoryTable| -> Vec<i64> {
            let column = |batch: &RecordBatch| {
                let ages = batch.column(0).as_any().downcast_ref::<Int64Array>().expect("numbers");
                ages.values().to_vec()
            };
            table.batches().iter().flat_map(column).collect()
        };
        assert_eq!(ages(&written), ages(&table));
    }

    #[test]
    fn a_table_holds_nothing_of_rows_that_were_left_out() {
        let words = ["a word that is long enough for a buffer", "flu", "another word that is long enough"];
        let kept = |array: ArrayRef| {
            let target = MemoryTarget::default();
            let column = OutputColumn { name: "word".to_owned(), data_type: Some(array.data_type().clone()) };
            let mut writer = target.create(&[column]);
            writer.write(&[Cells::Typed(array).picked(&[Some(2), None, Some(1)])]).expect("written");
            writer.finish().expect("finished");
            Arc::clone(target.table().expect("a table").batches()[0].column(0))
        };
        let dictionary: ArrayRef = Arc::new(words.into_iter().collect::<DictionaryArray<Int8Type>>());
        let dictionary = kept(dictionary);
        let values = dictionary.as_any_dictionary().values().as_string::<i32>();
        assert_eq!(values.iter().collect::<Vec<_>>(), [Some(words[2]), Some("flu")]);
        let texts = typed_text::text(&dictionary).expect("texts");
        assert_eq!(texts.iter().collect::<Vec<_>>(), [Some(words[2]), None, Some("flu")]);

        let views = kept(Arc::new(StringViewArray::from_iter_values(words)));
        let views = views.as_string_view();
        assert_eq!(views.iter().collect::<Vec<_>>(), [Some(words[2]), None, Some("flu")]);
        let bytes: usize = views.data_buffers().iter().map(|buffer| buffer.len()).sum();
        assert_eq!(bytes, words[2].len());
    }

    #[test]
    fn a_batch_with_other_columns_is_refused() {
        let table = table(0..10);
        let batch = &table.batches()[0];
        let turned = batch.project(&[1, 0]).expect("both columns");
        let one = batch.project(&[0]).expect("a column");
        for other in [turned, one] {
            let error = MemoryTable::new(table.schema().clone(), vec![batch.clone(), other]).expect_err("refused");
            assert_eq!(error.message(), "batch 2 of the table has other columns than its schema");
        }
    }

    #[test]
    fn two_columns_of_one_name_are_refused() {
        let field = || Field::new("age", DataType::Int64, true);
        assert!(MemoryTable::new(Arc::new(Schema::new(vec![field(), field()])), Vec::new()).is_err());
    }
}

//! How is a table read from a Parquet file?

use std::path::{Path, PathBuf};

use ::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use ::parquet::basic::Compression;
use ::parquet::file::metadata::ParquetMetaData;
use arrow_schema::{DataType, SchemaRef};

use crate::{Batch, Cells, InputFormat, TableReader, column_names, room, typed_text};
use shoal_core::{Error, Result};

/// Reads Parquet.
pub(in crate) struct ParquetReader {
    path: PathBuf,
    input: InputFormat,
    columns: Vec<String>,
    schema: SchemaRef,
    batches: ParquetRecordBatchReader,
    /// How many rows were handed out.
    rows: u64,
}

impl ParquetReader {
    /// Opens a file and makes sure that all of its columns can be read.
    pub(in crate) fn open(input: &InputFormat) -> Result<Self> {
        let path = &input.path;
        let builder = ParquetRecordBatchReaderBuilder::try_new(input.open()?).map_err(|_| damaged(path))?;
        let schema = builder.schema().clone();
        let columns: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let at_path = |error: Error| error.at(path.display());
        column_names::check(&columns).map_err(at_path)?;
        if let Some(field) = schema.fields().iter().find(|field| !typed_text::is_supported(field.data_type())) {
            let reason = if field.data_type().is_nested() { "nested" } else { "of a type that has no text" };
            return Err(at_path(Error::table(format!("column `{}` is {reason}", field.name())))
                .hint("leave the column out, or write it as text or numbers"));
        }
        check_compression(builder.metadata()).map_err(at_path)?;
        if columns.is_empty() || (builder.metadata().file_metadata().num_rows() == 0 && !input.is_part) {
            return Err(Error::table(format!("{} has no rows", path.display())));
        }
        let batches = builder.with_batch_size(room(columns.len())).build().map_err(|_| damaged(path))?;
        Ok(Self { path: path.to_owned(), input: input.clone(), columns, schema, batches, rows: 0 })
    }
}

/// The reason that the Parquet library gives is left out: it speaks of bytes, and might quote them.
fn damaged(path: &Path) -> Error {
    Error::table(format!("{} is not a Parquet file, or it is damaged or cut short", path.display()))
        .hint("copy or download it again, or write it anew")
}

/// Refuses codecs that are not built in: the library would say so only in the middle of the file.
fn check_compression(metadata: &ParquetMetaData) -> Result<()> {
    for column in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        match column.compression() {
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) | Compression::ZSTD(_) => {}
            other => {
                return Err(Error::table(format!(
                    "column `{}` is compressed with {other}",
                    column.column_path().string()
                ))
                .hint("write the file with Snappy, gzip, Zstandard or no compression"));
            }
        }
    }
    Ok(())
}

impl TableReader for ParquetReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let Some(batch) = self.batches.next() else { return Ok(None) };
        let batch = batch.map_err(|_| damaged(&self.path).detail(format!("after row {}", self.rows)))?;
        let first_row = self.rows + 1;
        self.rows += batch.num_rows() as u64;
        Ok(Some(Batch { first_row, columns: batch.columns().iter().cloned().map(Cells::Typed).collect() }))
    }

    /// Reads the file once more, up to the column that has no text.
    fn explain(&self, error: Error) -> Error {
        let read = || -> Result<()> {
            let mut reader = Self::open(&self.input)?;
            while let Some(batch) = reader.next_batch()? {
                for (cells, name) in batch.columns.iter().zip(&self.columns) {
                    let last = batch.first_row + batch.rows() as u64 - 1;
                    let place =
                        || format!("{}, rows {} to {last}, column `{name}`", self.path.display(), batch.first_row);
                    cells.text().map_err(|error| error.at(place()))?;
                }
            }
            Ok(())
        };
        read().err().unwrap_or(error)
    }

    fn data_type(&self, column: usize) -> Option<DataType> {
        self.schema.fields().get(column).map(|field| field.data_type().clone())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::sync::Arc;

    use ::parquet::arrow::ArrowWriter;
    use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray, StructArray};
    use arrow_schema::Field;

    use super::*;
    use crate::sample_files::{SampleFile, text_columns};
    use crate::{BATCH_ROWS, Dialect, open};

    fn file_of(columns: Vec<(&str, ArrayRef)>) -> SampleFile {
        let file = SampleFile::named("a.parquet");
        let batch = RecordBatch::try_from_iter(columns).expect("a batch");
        let handle = File::create(&file.path).expect("a file");
        let mut writer = ArrowWriter::try_new(handle, batch.schema(), None).expect("a writer");
        writer.write(&batch).expect("written");
        writer.close().expect("closed");
        file
    }

    #[test]
    fn a_nested_column_is_refused_by_name() {
        let number: ArrayRef = Arc::new(Int32Array::from(vec![1]));
        let nested = StructArray::from(vec![(Arc::new(Field::new("x", DataType::Int32, true)), number.clone())]);
        let file = file_of(vec![("age", number), ("address", Arc::new(nested))]);
        assert_eq!(
            file.refusal(),
            "FILE: column `address` is nested\nhint: leave the column out, or write it as text or numbers"
        );
    }

    #[test]
    fn a_file_that_is_no_parquet_or_a_part_of_one_is_refused() {
        let words: Vec<String> = (0..20_000).map(|n| format!("secret{n}")).collect();
        let whole = file_of(vec![("a", Arc::new(StringArray::from(words)))]).bytes();
        let mut damaged = whole.clone();
        damaged[30..2000].fill(0xff);
        for bytes in [&whole[..whole.len() - 1], &whole[..whole.len() / 2], b"", b"a,b\n1,2\n", &damaged] {
            let text = SampleFile::with("a.parquet", bytes).refusal();
            assert!(text.starts_with("FILE is not a Parquet file, or it is damaged or cut short"), "{text}");
            assert!(!text.contains("secret"), "{text}");
        }
    }

    #[test]
    fn a_codec_that_is_not_built_in_is_named() {
        let file = file_of(vec![("n", Arc::new(Int32Array::from(vec![1])))]);
        let handle = File::open(&file.path).expect("a file");
        let builder = ParquetRecordBatchReaderBuilder::try_new(handle).expect("Parquet");
        assert!(check_compression(builder.metadata()).is_ok());
        let group = builder.metadata().row_group(0);
        let column = group.column(0).clone().into_builder().set_compression(Compression::LZ4_RAW).build();
        let group = group.clone().into_builder().set_column_metadata(vec![column.expect("a column")]).build();
        let metadata = builder.metadata().as_ref().clone().into_builder();
        let metadata = metadata.set_row_groups(vec![group.expect("a group")]).build();
        let error = check_compression(&metadata).expect_err("not built in");
        assert_eq!(error.message(), "column `n` is compressed with LZ4_RAW");
    }

    #[test]
    fn a_table_needs_rows() {
        let empty: ArrayRef = Arc::new(Int32Array::from(Vec::<i32>::new()));
        assert_eq!(file_of(vec![("a", empty)]).refusal(), "FILE has no rows");
    }

    #[test]
    fn batches_end_where_they_should() {
        let count = BATCH_ROWS + 5;
        let file = file_of(vec![("n", Arc::new(Int32Array::from_iter_values(0..count as i32)))]);
        let (_, rows) = file.read().expect("a table");
        assert_eq!(rows.len(), count);
        assert!(rows.iter().enumerate().all(|(at, row)| row[0] == Some(at.to_string())));
        assert_eq!(open(&file.input()).expect("a table").data_type(0), Some(DataType::Int32));
    }

    #[test]
    fn a_text_that_does_not_fit_its_type_is_refused_and_not_shown() {
        let mut columns = text_columns(&["age"]);
        columns[0].data_type = Some(DataType::Int32);
        let file = SampleFile::named("a.parquet");
        let handle = File::create(&file.path).expect("a file");
        let mut writer =
            crate::create(&file.path, handle, &columns, &Dialect::default(), "").expect("a writer");
        writer.write(&[Cells::Text(StringArray::from(vec!["30"]))]).expect("a number");
        let error = writer.write(&[Cells::Text(StringArray::from(vec!["secret"]))]).expect_err("no number");
        assert_eq!(file.shorten(&error), "FILE: column `age` has a value that does not fit its type Int32");
    }
}

//! How is a table read from a Parquet file?

use std::path::{Path, PathBuf};

use ::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use ::parquet::basic::Compression;
use ::parquet::file::metadata::ParquetMetaData;
use arrow_schema::{DataType, SchemaRef};

use crate::format::{BATCH_ROWS, Batch, Cells, TableReader, column_names, open_file, typed_text};
use crate::{Error, Result};

/// Reads Parquet.
pub(in crate::format) struct ParquetReader {
    path: PathBuf,
    columns: Vec<String>,
    schema: SchemaRef,
    batches: ParquetRecordBatchReader,
    /// How many rows were handed out.
    rows: u64,
}

impl ParquetReader {
    /// Opens a file and makes sure that all of its columns can be read.
    pub(in crate::format) fn open(path: &Path) -> Result<Self> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(open_file(path)?).map_err(|_| damaged(path))?;
        let schema = builder.schema().clone();
        let columns: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let at_path = |error: Error| error.at(path.display());
        column_names::check(&columns).map_err(at_path)?;
        for field in schema.fields().iter().filter(|field| !typed_text::is_supported(field.data_type())) {
            let reason = if field.data_type().is_nested() { "nested" } else { "of a type that has no text" };
            return Err(at_path(Error::new(format!("column `{}` is {reason}", field.name())))
                .hint("leave the column out, or write it as text or numbers"));
        }
        check_compression(builder.metadata()).map_err(at_path)?;
        if columns.is_empty() || builder.metadata().file_metadata().num_rows() == 0 {
            return Err(Error::new(format!("{} has no rows", path.display())));
        }
        let batches = builder.with_batch_size(BATCH_ROWS).build().map_err(|_| damaged(path))?;
        Ok(Self { path: path.to_owned(), columns, schema, batches, rows: 0 })
    }
}

/// The reason that the Parquet library gives is left out: it speaks of bytes, and might quote them.
fn damaged(path: &Path) -> Error {
    Error::new(format!("{} is not a Parquet file, or it is damaged or cut short", path.display()))
        .hint("copy or download it again, or write it anew")
}

/// Refuses codecs that are not built in: the library would say so only in the middle of the file.
fn check_compression(metadata: &ParquetMetaData) -> Result<()> {
    for column in metadata.row_groups().iter().flat_map(|group| group.columns()) {
        match column.compression() {
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::GZIP(_) | Compression::ZSTD(_) => {}
            other => {
                return Err(Error::new(format!(
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

    fn data_type(&self, column: usize) -> Option<DataType> {
        self.schema.fields().get(column).map(|field| field.data_type().clone())
    }
}

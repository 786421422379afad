//! How is a table written as a Parquet file?

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::Compression;
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_cast::cast_with_options;
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::{Cells, OutputColumn, TableWriter, typed_text};
use shoal_core::{Error, Result};

/// Writes Parquet.
pub(crate) struct ParquetWriter {
    path: PathBuf,
    schema: SchemaRef,
    writer: ArrowWriter<File>,
}

impl ParquetWriter {
    /// Starts a file.
    pub(crate) fn create(path: &Path, file: File, columns: &[OutputColumn]) -> Result<Self> {
        let field =
            |column: &OutputColumn| Field::new(&column.name, column.data_type.clone().unwrap_or(DataType::Utf8), true);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        // The codec that every reader of Parquet knows.
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer =
            ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(|error| cannot_write(path, &error))?;
        Ok(Self { path: path.to_owned(), schema, writer })
    }
}

fn cannot_write(path: &Path, error: &ParquetError) -> Error {
    match error {
        ParquetError::External(source) if source.is::<io::Error>() => {
            Error::io("write", path, source.downcast_ref().expect("its type was just asked for"))
        }
        // Other reasons are left out, since they may quote a cell.
        _ => Error::place(format!("cannot write {} as Parquet", path.display())),
    }
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
    cast_with_options(&array, field.data_type(), &typed_text::STRICT).map_err(|_| {
        Error::table(format!("column `{}` has a value that does not fit its type {}", field.name(), field.data_type()))
    })
}

impl TableWriter for ParquetWriter {
    fn write(&mut self, columns: &[Cells]) -> Result<()> {
        let columns = columns.iter().zip(self.schema.fields()).map(|(cells, field)| typed(cells, field));
        let columns = columns.collect::<Result<Vec<_>>>().map_err(|error| error.at(self.path.display()))?;
        let batch = RecordBatch::try_new(self.schema.clone(), columns)
            .expect("every column has the type of its field and as many cells as the others");
        self.writer.write(&batch).map_err(|error| cannot_write(&self.path, &error))
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let Self { path, mut writer, .. } = *self;
        writer.finish().map_err(|error| cannot_write(&path, &error))?;
        writer.inner().sync_all().map_err(|error| Error::io("write", &path, &error))
    }
}

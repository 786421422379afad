//! How is a table written as a Parquet file?

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::Compression;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use arrow_schema::SchemaRef;

use super::pandas;
use crate::formats::New;
use crate::memory::schema_of;
use crate::{Cells, TableWriter, typed_text};
use shoal_core::{Error, Result};

/// Writes Parquet.
pub(crate) struct ParquetWriter {
    path: PathBuf,
    schema: SchemaRef,
    writer: ArrowWriter<File>,
}

impl ParquetWriter {
    /// Starts a file.
    pub(crate) fn create(new: New<'_>) -> Result<Self> {
        let New { path, file, columns, like, .. } = new;
        let schema = schema_of(columns);
        let of_pandas = like.pandas.as_deref().and_then(|said| pandas::of_release(said, columns));
        let of_pandas = of_pandas.map(|said| vec![KeyValue::new(pandas::KEY.to_owned(), said)]);
        // The codec that every reader of Parquet knows.
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let properties = properties.set_key_value_metadata(of_pandas).build();
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

impl TableWriter for ParquetWriter {
    fn write(&mut self, columns: &[Cells]) -> Result<()> {
        let batch = typed_text::batch(columns, &self.schema).map_err(|error| error.at(self.path.display()))?;
        self.writer.write(&batch).map_err(|error| cannot_write(&self.path, &error))
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let Self { path, mut writer, .. } = *self;
        writer.finish().map_err(|error| cannot_write(&path, &error))?;
        writer.inner().sync_all().map_err(|error| Error::io("write", &path, &error))
    }
}

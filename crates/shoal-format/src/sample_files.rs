//! What do the tests of the formats need to put small tables into files and get them out again?

use std::fs::{self, File};
use std::path::PathBuf;

use arrow_array::Array;
use tempfile::TempDir;

use super::{Cells, Dialect, InputFormat, OutputColumn, TableReader, create, open};
use shoal_core::{Error, Result};

/// The rows of a table; `None` where there is no value.
pub(super) type Rows = Vec<Vec<Option<String>>>;

/// A file in a folder of its own, gone when it is dropped.
pub(super) struct SampleFile {
    pub(super) path: PathBuf,
    _folder: TempDir,
}

impl SampleFile {
    /// A file of this name that is not there yet.
    pub(super) fn named(name: &str) -> Self {
        let folder = TempDir::new().expect("a folder for a test");
        Self { path: folder.path().join(name), _folder: folder }
    }

    /// A file with these bytes.
    pub(super) fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let file = Self::named(name);
        fs::write(&file.path, bytes).expect("a file for a test");
        file
    }

    /// A table written in one batch.
    pub(super) fn written(name: &str, columns: &[OutputColumn], cells: &[Cells], like: &Dialect) -> Self {
        let file = Self::named(name);
        let handle = File::create(&file.path).expect("a file for a test");
        let mut writer = create(&file.path, handle, columns, like, "?").expect("a writer");
        writer.write(cells).expect("written");
        writer.finish().expect("finished");
        file
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).expect("the file of a test")
    }

    pub(super) fn input(&self) -> InputFormat {
        InputFormat::new(&self.path)
    }

    /// Reads it all, detecting what can be detected.
    pub(super) fn read(&self) -> Result<(Vec<String>, Rows)> {
        read(&self.input())
    }

    /// Why it cannot be read, with `FILE` in place of its path.
    pub(super) fn refusal(&self) -> String {
        self.shorten(&self.read().expect_err("a file that cannot be read"))
    }

    /// An error with `FILE` in place of the path.
    pub(super) fn shorten(&self, error: &Error) -> String {
        error.to_string().replace(&self.path.display().to_string(), "FILE")
    }
}

/// Reads all of a table.
pub(super) fn read(input: &InputFormat) -> Result<(Vec<String>, Rows)> {
    let mut reader = open(input)?;
    let columns = reader.columns().to_vec();
    Ok((columns, rows(reader.as_mut())?))
}

/// Reads what is left of a table.
pub(super) fn rows(reader: &mut dyn TableReader) -> Result<Rows> {
    let mut rows: Rows = Vec::new();
    while let Some(batch) = reader.next_batch()? {
        assert_eq!(batch.first_row, rows.len() as u64 + 1, "batches follow one another");
        let columns = batch.columns.iter().map(Cells::text).collect::<Result<Vec<_>>>()?;
        let cell = |row: usize, column: usize| {
            let cells = &columns[column];
            (!cells.is_null(row)).then(|| cells.value(row).to_owned())
        };
        rows.extend((0..batch.rows()).map(|row| (0..columns.len()).map(|column| cell(row, column)).collect()));
    }
    Ok(rows)
}

/// Columns without types.
pub(super) fn text_columns(names: &[&str]) -> Vec<OutputColumn> {
    names.iter().map(|&name| OutputColumn { name: name.to_owned(), data_type: None }).collect()
}

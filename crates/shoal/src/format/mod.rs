//! How is a table read from a file, batch by batch, and written to one?

mod batch;
mod block;
mod column_names;
mod compression;
mod csv;
mod dialect;
mod encode;
mod file_kind;
mod input;
mod json_lines;
mod parquet;
#[cfg(test)]
mod round_trip;
mod rows;
#[cfg(test)]
mod sample_files;
mod side_by_side;
mod signature;
mod text;
mod typed_text;

use std::fs::File;
use std::io;
use std::path::Path;

use arrow_schema::DataType;

pub use batch::{Batch, Cells};
pub use block::{Block, Wanted};
pub use csv::Lines;
pub use dialect::{Dialect, LineEnding};
pub use input::InputFormat;
pub use rows::Rows;
pub use side_by_side::{Turn, columns_side_by_side, rows_side_by_side, workers};

use crate::{Error, Result};
use file_kind::Format;

/// Reads a table as a stream of batches.
pub trait TableReader: Send {
    /// The names of the columns, in the order of the file.
    fn columns(&self) -> &[String];
    /// The next rows; `None` after the last.
    fn next_batch(&mut self) -> Result<Option<Batch>>;
    /// Fills a block with the next rows; false after the last. Rows come in batches or in blocks, not in both.
    fn next_block(&mut self, block: &mut Block) -> Result<bool> {
        let batch = self.next_batch()?;
        let is_some = batch.is_some();
        block.content = batch.map_or(block::Content::Nothing, block::Content::Batch);
        Ok(is_some)
    }
    /// What is wrong, and in which row, after a block could not be read or taken apart.
    fn explain(&self, error: Error) -> Error {
        error
    }
    /// The type of a column in a format that has types; `None` for text.
    fn data_type(&self, _column: usize) -> Option<DataType> {
        None
    }
    /// How the file is written, as far as a CSV file can be written the same way.
    fn dialect(&self) -> Dialect {
        Dialect::default()
    }
}

/// Writes a table batch by batch.
pub trait TableWriter: Send {
    /// Writes rows: one [`Cells`] for each column.
    fn write(&mut self, columns: &[Cells]) -> Result<()>;
    /// How rows become the text that [`write_lines`](Self::write_lines) takes, where that is what the format is made of.
    fn lines(&self) -> Option<Lines> {
        None
    }
    /// Writes rows that are text already.
    fn write_lines(&mut self, _lines: &[u8], _rows: u64) -> Result<()> {
        Err(Error::new("this format is not made of lines"))
    }
    /// Writes what is still buffered and hands everything to the operating system.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A column of a table that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputColumn {
    /// Its name.
    pub name: String,
    /// Its type in a format that has types; `None` for text.
    pub data_type: Option<DataType>,
}

/// The rows of a batch: enough to spread the cost of a batch, few enough for a hundred columns in memory.
const BATCH_ROWS: usize = 1 << 14;

/// Opens a table; the end of the file's name decides about its format.
pub fn open(input: &InputFormat) -> Result<Box<dyn TableReader>> {
    let (format, compression) = file_kind::of(&input.path)?;
    Ok(match format {
        Format::Csv => Box::new(csv::CsvReader::open(input, compression)?),
        Format::JsonLines => Box::new(json_lines::JsonLinesReader::open(&input.path, compression)?),
        Format::Parquet => Box::new(parquet::ParquetReader::open(&input.path)?),
    })
}

/// Starts a table in `file`, a file just created; the end of `path`, the name it will get, decides about its
/// format, and `like` about the rest of it. In CSV a missing value is written as `missing_marker`.
pub fn create(
    path: &Path,
    file: File,
    columns: &[OutputColumn],
    like: &Dialect,
    missing_marker: &str,
) -> Result<Box<dyn TableWriter>> {
    let (format, compression) = file_kind::of(path)?;
    Ok(match format {
        Format::Csv => Box::new(csv::CsvWriter::create(path, compression, file, columns, like, missing_marker)?),
        Format::JsonLines => Box::new(json_lines::JsonLinesWriter::create(path, compression, file, columns)?),
        Format::Parquet => Box::new(parquet::ParquetWriter::create(path, file, columns)?),
    })
}

/// Opens a file for reading; a folder can be opened, too, and would fail later with less to say.
fn open_file(path: &Path) -> Result<File> {
    let open = || {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
    };
    open().map_err(|error| Error::io("read", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_missing_or_a_folder_is_called_so() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.csv", "a.parquet", "a.jsonl", "a.csv.gz"] {
            let path = folder.path().join(name);
            let error = open(&InputFormat::new(&path)).err().expect("nothing is there");
            assert_eq!(error.message(), format!("cannot read {}: there is no such file or folder", path.display()));
            std::fs::create_dir(&path).expect("a folder");
            let error = open(&InputFormat::new(&path)).err().expect("a folder is no table");
            assert_eq!(error.message(), format!("cannot read {}: it is a folder", path.display()));
        }
    }
}

//! How is a table read from a file, batch by batch, and written to one?

mod batch;
mod block;
mod checked;
mod column_names;
mod compression;
mod csv;
mod dialect;
mod dictionary;
mod encode;
mod encoding_guess;
mod file_kind;
mod folder;
mod folder_parts;
mod formats;
mod formulas;
#[cfg_attr(not(any(feature = "parquet", feature = "workbook", feature = "sqlite")), allow(dead_code))]
mod guard;
mod input;
mod json_lines;
mod memory;
#[cfg(feature = "parquet")]
mod parquet;
mod picked;
#[cfg(test)]
mod round_trip;
mod rows;
#[cfg(test)]
mod sample_files;
mod side_by_side;
mod signature;
#[cfg(feature = "sqlite")]
mod sqlite;
mod text;
mod typed_text;
#[cfg(feature = "workbook")]
mod workbook;

use std::fs::File;
use std::io;
use std::path::Path;

use arrow_schema::DataType;

pub use batch::{Batch, Cells};
pub use block::{Block, Wanted};
pub use checked::checked;
pub use csv::Lines;
pub use dialect::{Dialect, LineEnding};
pub use dictionary::as_dictionary;
pub use encoding_guess::guessed_encoding;
pub use file_kind::ending_at;
pub use formats::NumberForm;
pub use formats::{FORMATS, Format, Holds, Signature};
pub use formulas::{Formulas, has_formulas};
pub use input::{InputFormat, file_of};
pub use memory::{MemoryTable, MemoryTarget};
pub use rows::Rows;
pub use side_by_side::{Turn, columns_side_by_side, rows_side_by_side, workers};
pub use typed_text::always_has_text;

use formats::New;
use shoal_core::{Error, Result};

/// Reads a table as a stream of batches.
///
/// ```
/// use shoal_format::{Batch, TableReader};
///
/// /// A table without rows.
/// struct Empty(Vec<String>);
///
/// impl TableReader for Empty {
///     fn columns(&self) -> &[String] {
///         &self.0
///     }
///
///     fn next_batch(&mut self) -> shoal_core::Result<Option<Batch>> {
///         Ok(None)
///     }
/// }
/// assert_eq!(Empty(vec!["age".to_owned()]).columns(), ["age"]);
/// ```
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
        Err(Error::bug("this format is not made of lines"))
    }
    /// Writes what is still buffered and hands everything to the operating system.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A column of a table that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputColumn {
    /// Its name.
    pub name: String,
    /// Its type in a format that has types; `None` for text. Cells must come in this type, or as the text of whole numbers or truth
    /// values.
    pub data_type: Option<DataType>,
}

/// The most columns of a table. What has more is no table of records, and would cost memory for each.
const MOST_COLUMNS: usize = 1 << 16;

/// The rows of a batch: enough to spread the cost of a batch, few enough for a hundred columns in memory.
const BATCH_ROWS: usize = 1 << 14;

/// How many cells a column of a batch gets room for at first: wide tables have batches of few rows.
fn room(columns: usize) -> usize {
    (BATCH_CELLS / columns.max(1)).clamp(1, BATCH_ROWS)
}

/// The cells of a batch of a table without known sizes, all columns together.
const BATCH_CELLS: usize = 1 << 22;

/// Opens a table: a folder of files, or a file, the end of whose name decides about its format.
pub fn open(input: &InputFormat) -> Result<Box<dyn TableReader>> {
    if input.handle.is_none() && input.path.is_dir() {
        return Ok(Box::new(folder::FolderReader::open(input)?));
    }
    let input = &*input.with_table_apart();
    let (format, compression) = file_kind::of(&input.path)?;
    format.check_table(input)?;
    let code = format.code("read", &input.path)?;
    if input.skip > 0 && code.titles.is_none() {
        let what =
            format!("{}: there is nothing before the table to `skip` in {}", input.path.display(), format.one_file);
        return Err(Error::table(what).hint("leave `skip` out"));
    }
    (code.open)(input, compression)
}

/// How many lines of a text, or rows of a sheet, seem to stand before the table, so that [`skip`](InputFormat::skip) should leave
/// them out. None in formats that are nothing but a table.
pub fn lines_before_table(input: &InputFormat) -> Result<u64> {
    if input.handle.is_none() && input.path.is_dir() {
        let path = folder_parts::of(&input.path)?.swap_remove(0).path;
        return lines_before_table(&InputFormat { path, ..input.clone() });
    }
    let input = &*input.with_table_apart();
    let (format, compression) = file_kind::of(&input.path)?;
    match format.code("read", &input.path)?.titles {
        Some(titles) => titles(input, compression),
        None => Ok(0),
    }
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
    let create = creating(path)?;
    create(New { path, file, compression: file_kind::of(path)?.1, columns, like, missing_marker })
}

/// Refuses names of files that promise a format in which no table is read here, whether or not there is such a file.
pub fn check_read(path: &Path) -> Result<()> {
    let file = match path.to_str().and_then(|path| path.rsplit_once('#')) {
        Some((file, _)) if !path.exists() => Path::new(file),
        _ => path,
    };
    // A folder's files are not known before it is there.
    if file.is_dir() || file.extension().is_none() {
        return Ok(());
    }
    file_kind::of(file)?.0.code("read", file).map(|_| ())
}

/// Can a table whose file is called so come through a pipe? Not out of a file that may hold several.
pub fn is_read_from_pipes(path: &Path) -> bool {
    file_kind::of(path).is_ok_and(|(format, _)| format.holds == Holds::Table)
}

/// In which form numbers are written into a file of this name.
pub fn number_form(path: &Path) -> NumberForm {
    file_kind::of(path).map_or(NumberForm::Text, |(format, _)| format.numbers)
}

/// Refuses names that promise a format in which no table is written.
pub fn check_written(path: &Path) -> Result<()> {
    creating(path).map(|_| ())
}

/// Does a name promise a table, and hardly anything else? A policy may be a `.txt`.
pub fn is_named_as_table(path: &Path) -> bool {
    let is_text = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
    !is_text && file_kind::of(path).is_ok()
}

/// The code that writes the format that a name promises.
fn creating(path: &Path) -> Result<formats::Create> {
    let create = match file_kind::of(path) {
        Ok((format, _)) if file_kind::is_written(path) => format.code("write", path)?.create,
        _ => None,
    };
    create.ok_or_else(|| {
        Error::table(format!("a release cannot be written as {}", path.display()))
            .hint(format!("give it another name; {}", formats::written()))
    })
}

/// The end of the name that a release gets by default, where it is not that of its input.
pub fn extension_of_release(input: &Path) -> Option<&'static str> {
    let first = match input::file_and_table(input) {
        Some((file, _)) => file,
        None if input.is_dir() => folder_parts::of(input).ok()?.swap_remove(0).path,
        None => input.to_path_buf(),
    };
    let format = file_kind::of(&first).ok()?.0;
    match format.holds {
        Holds::Table => input.is_dir().then_some(format.extensions[0]),
        // The first in the list is what everybody can read.
        Holds::Named(_) | Holds::Database => Some(FORMATS[0].extensions[0]),
    }
}

/// There is no table where one should be.
fn empty(place: impl std::fmt::Display) -> Error {
    Error::table(format!("{place} is empty"))
        .hint("a table has names of columns and a row for each record; was the file written to its end?")
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
    fn a_file_that_is_missing_and_a_folder_without_files_are_called_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let built_in = FORMATS.iter().filter(|format| format.is_built_in()).flat_map(|format| format.extensions);
        for extension in built_in.copied().chain(["csv.gz", "jsonl.zst"]) {
            let path = folder.path().join(format!("a.{extension}"));
            let error = open(&InputFormat::new(&path)).err().expect("nothing is there");
            assert_eq!(error.message(), format!("cannot read {}: there is no such file or folder", path.display()));
            std::fs::create_dir(&path).expect("a folder");
            let error = open(&InputFormat::new(&path)).err().expect("nothing is in it");
            assert_eq!(error.message(), format!("{} is a folder without files", path.display()));
        }
    }
}

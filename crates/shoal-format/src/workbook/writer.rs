//! How is a table written as an Excel workbook?

use std::borrow::Cow;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use arrow_array::{Array, StringArray};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};

use super::cell_text::number_text;
use super::rows::MOST_ROWS;
use crate::formats::New;
use crate::{Cells, TableWriter};
use shoal_core::{Error, Result};

/// Writes a sheet row by row; what it holds goes to a temporary file until the workbook is packed.
pub(crate) struct WorkbookWriter {
    path: PathBuf,
    file: File,
    book: Workbook,
    columns: Vec<String>,
    /// Is an empty text another value than a missing one?
    has_empty_texts: bool,
    /// How many rows were written, the names of columns included.
    rows: u32,
}

/// What a cell of Excel can hold.
const LONGEST_TEXT: usize = 32_767;
/// What a sheet of Excel can.
const MOST_COLUMNS: usize = 16_384;
/// Excel keeps no more digits of a number.
const EXACT_DIGITS: usize = 15;

impl WorkbookWriter {
    /// Starts a workbook of one sheet.
    pub(crate) fn create(new: New<'_>) -> Result<Self> {
        let New { path, file, columns, missing_marker, .. } = new;
        if columns.len() > MOST_COLUMNS {
            return Err(too_large(path, &format!("it has {} columns", columns.len())));
        }
        let mut book = Workbook::new();
        // The day on which a release was made would make two equal ones differ.
        let never = ExcelDateTime::from_ymd(2000, 1, 1).map_err(|error| cannot_write(path, &error))?;
        book.set_properties(&DocProperties::new().set_creation_datetime(&never));
        book.add_worksheet_with_constant_memory().set_name("release").map_err(|error| cannot_write(path, &error))?;
        let columns: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let mut writer =
            Self { path: path.to_owned(), file, book, columns, has_empty_texts: !missing_marker.is_empty(), rows: 0 };
        for (column, name) in writer.columns.clone().iter().enumerate() {
            writer.refuse(name, column)?;
            writer.cell(column, name, None)?;
        }
        writer.rows = 1;
        Ok(writer)
    }

    /// Writes a cell of the current row, as a number where it is one.
    fn cell(&mut self, column: usize, text: &str, number: Option<f64>) -> Result<()> {
        let (row, place) = (self.rows, column as u16);
        let sheet = self.book.worksheet_from_index(0).map_err(|error| cannot_write(&self.path, &error))?;
        let written = match number {
            Some(number) => sheet.write_number(row, place, number),
            None => sheet.write_string(row, place, text),
        };
        written.map(|_| ()).map_err(|error| cannot_write(&self.path, &error))
    }

    /// Refuses texts that a workbook could not give back as they are.
    fn refuse(&self, text: &str, column: usize) -> Result<()> {
        let what = match () {
            () if text.chars().count() > LONGEST_TEXT => "a text of more than 32,767 characters",
            () if text.contains(|c: char| c.is_control() && c != '\n' && c != '\t') => "a control character",
            () if looks_escaped(text) => "a text such as `_x0041_`, which stands for another one there",
            () if text.is_empty() && self.has_empty_texts => "an empty text, which would read as a missing value",
            () => return Ok(()),
        };
        let (path, name) = (self.path.display(), &self.columns[column]);
        let place = if self.rows == 0 { "the names of columns".to_owned() } else { format!("row {}", self.rows) };
        Err(Error::table(format!("{path}: a workbook cannot hold {what}: {place}, column `{name}`"))
            .hint("write the release as CSV, JSON lines or Parquet"))
    }

    fn row(&mut self, columns: &[Cow<'_, StringArray>], row: usize) -> Result<()> {
        if self.rows >= MOST_ROWS {
            return Err(too_large(&self.path, "it has more than 1,048,575 rows"));
        }
        let mut is_blank = true;
        for (column, cells) in columns.iter().enumerate() {
            if cells.is_null(row) {
                continue;
            }
            let text = cells.value(row);
            self.refuse(text, column)?;
            is_blank &= text.is_empty();
            if !text.is_empty() {
                self.cell(column, text, as_number(text))?;
            }
        }
        if is_blank {
            // At the end of a sheet nobody would see that it is there.
            return Err(Error::table(format!(
                "{}: row {} has no value, and a workbook cannot hold such a row",
                self.path.display(),
                self.rows
            ))
            .hint("write the release as CSV, or leave such rows out with `rows-with-missing = \"drop\"`"));
        }
        self.rows += 1;
        Ok(())
    }
}

/// The number that a text is, if it reads back from a workbook as this text.
fn as_number(text: &str) -> Option<f64> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
    let number: f64 = text.parse().ok().filter(|_| is_plain && (1..=EXACT_DIGITS).contains(&digits))?;
    // Zero has no sign there.
    (number_text(number) == text && text != "-0").then_some(number)
}

/// Does a text hold what spreadsheet programs take for the code of a character?
fn looks_escaped(text: &str) -> bool {
    let is_code = |rest: &str| {
        let bytes = rest.as_bytes();
        bytes.len() >= 7 && bytes[2..6].iter().all(u8::is_ascii_hexdigit) && bytes[6] == b'_'
    };
    text.match_indices("_x").any(|(at, _)| is_code(&text[at..]))
}

fn too_large(path: &Path, what: &str) -> Error {
    Error::table(format!("{} cannot be written: {what}, and a sheet has no room for them", path.display()))
        .hint("write the release as CSV, JSON lines or Parquet")
}

fn cannot_write(path: &Path, error: &XlsxError) -> Error {
    match error {
        XlsxError::IoError(error) => Error::io("write", path, error),
        // Other reasons are left out, since they may quote a cell.
        _ => Error::place(format!("cannot write {} as a workbook", path.display())),
    }
}

impl TableWriter for WorkbookWriter {
    fn write(&mut self, columns: &[Cells]) -> Result<()> {
        let columns = columns.iter().map(Cells::text).collect::<Result<Vec<_>>>()?;
        let rows = columns.first().map_or(0, |cells| cells.len());
        (0..rows).try_for_each(|row| self.row(&columns, row))
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let Self { path, file, mut book, .. } = *self;
        let mut buffered = BufWriter::new(file);
        book.save_to_writer(&mut buffered).map_err(|error| cannot_write(&path, &error))?;
        let file = buffered.into_inner().map_err(|error| Error::io("write", &path, error.error()))?;
        file.sync_all().map_err(|error| Error::io("write", &path, &error))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Dialect;
    use crate::sample_files::{SampleFile, text_columns};

    fn text(cells: &[Option<&str>]) -> Cells {
        Cells::Text(StringArray::from(cells.to_vec()))
    }

    #[test]
    fn numbers_are_numbers_where_they_read_back_as_they_were() {
        for text in ["0", "-5", "30", "1.5", "123456789012345"] {
            assert!(as_number(text).is_some(), "{text}");
        }
        for text in ["", "030", "1.50", "1e3", "+5", "-0", ".5", "5.", "1234567890123456", "NaN", "[20, 30)", "1-2"] {
            assert_eq!(as_number(text), None, "{text}");
        }
    }

    #[test]
    fn a_workbook_is_the_same_to_the_byte_and_reads_back() {
        let columns = text_columns(&["age", "=1+1"]);
        let cells = [text(&[Some("[20, 30)"), Some("030"), None]), text(&[Some("5"), Some("=2+2"), Some(" a\nb ")])];
        let write = || SampleFile::written("a.xlsx", &columns, &cells, &Dialect::default());
        let (first, second) = (write(), write());
        assert_eq!(first.bytes(), second.bytes());
        let (names, rows) = first.read().expect("a table");
        assert_eq!(names, ["age", "=1+1"]);
        let cell = |text: &str| Some(text.to_owned());
        assert_eq!(rows, [[cell("[20, 30)"), cell("5")], [cell("030"), cell("=2+2")], [None, cell(" a\nb ")]]);
    }

    #[test]
    fn what_a_workbook_cannot_hold_is_refused() {
        let refusal = |cells: &[Option<&str>]| {
            let file = SampleFile::named("a.xlsx");
            let handle = File::create(&file.path).expect("a file");
            let mut writer =
                crate::create(&file.path, handle, &text_columns(&["a"]), &Dialect::default(), "?").expect("a writer");
            file.shorten(&writer.write(&[text(cells)]).expect_err("refused"))
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        assert_eq!(refusal(&[Some("x"), None]), "FILE: row 2 has no value, and a workbook cannot hold such a row");
        let held = |what: &str| format!("FILE: a workbook cannot hold {what}: row 1, column `a`");
        assert_eq!(refusal(&[Some("a\u{1}")]), held("a control character"));
        assert_eq!(refusal(&[Some("_x0041_")]), held("a text such as `_x0041_`, which stands for another one there"));
        assert_eq!(refusal(&[Some("")]), held("an empty text, which would read as a missing value"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn whatever_is_written_reads_back(rows in prop::collection::vec(("[a-z]{1,3}", "[ -~\u{e4}\u{20ac}]{1,12}|-?[0-9]{1,17}(\\.[0-9]{1,3})?"), 1..20)) {
            let columns = text_columns(&["a", "b"]);
            let cells: [Cells; 2] = [
                Cells::Text(rows.iter().map(|(a, _)| Some(a.as_str())).collect()),
                Cells::Text(rows.iter().map(|(_, b)| Some(b.as_str())).collect()),
            ];
            prop_assume!(!rows.iter().any(|(_, b)| looks_escaped(b)));
            let (_, read) = SampleFile::written("a.xlsx", &columns, &cells, &Dialect::default()).read().expect("a table");
            let expected: Vec<Vec<Option<String>>> = rows.into_iter().map(|(a, b)| vec![Some(a), Some(b)]).collect();
            prop_assert_eq!(read, expected);
        }
    }
}

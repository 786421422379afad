//! How is a table written as delimited text?

use std::io::{self, Write};
use std::mem;
use std::path::PathBuf;

use ::csv::{QuoteStyle, Terminator, WriterBuilder};
use arrow_array::Array;

use super::Lines;
use crate::compression::CompressedFile;
use crate::encode::{TextEncoder, Unmappable, can_write};
use crate::formats::New;
use crate::{Cells, Dialect, LineEnding, TableWriter};
use shoal_core::{Error, Result};

/// Writes CSV.
pub(crate) struct CsvWriter {
    path: PathBuf,
    file: CompressedFile,
    dialect: Dialect,
    encoder: TextEncoder,
    builder: WriterBuilder,
    columns: Vec<String>,
    missing_marker: String,
    rows: u64,
    /// Kept for their memory.
    text: Vec<u8>,
    bytes: Vec<u8>,
}

impl CsvWriter {
    /// Starts a file in a dialect, with its byte order mark and header.
    pub(crate) fn create(new: New<'_>) -> Result<Self> {
        let New { path, file, compression, columns, like, missing_marker } = new;
        let dialect = like.clone().for_name(path);
        let mut builder = WriterBuilder::new();
        builder.delimiter(dialect.delimiter).quote(dialect.quote).quote_style(QuoteStyle::Necessary).terminator(
            match dialect.line_ending {
                LineEnding::Lf => Terminator::Any(b'\n'),
                LineEnding::CrLf => Terminator::CRLF,
            },
        );
        let mut writer = Self {
            path: path.to_owned(),
            file: compression.writer(file).map_err(|error| Error::io("write", path, &error))?,
            encoder: TextEncoder::new(dialect.encoding),
            dialect,
            builder,
            columns: columns.iter().map(|column| column.name.clone()).collect(),
            missing_marker: missing_marker.to_owned(),
            rows: 0,
            text: Vec::new(),
            bytes: Vec::new(),
        };
        if writer.dialect.byte_order_mark {
            writer.text.extend_from_slice("\u{feff}".as_bytes());
        }
        if writer.dialect.header {
            // The names of columns are what a release is audited by, and stay as they are.
            columns.iter().for_each(|column| writer.dialect.formulas.note(column.name.as_bytes()));
            let mut csv = writer.builder.from_writer(mem::take(&mut writer.text));
            csv.write_record(&writer.columns).expect("memory can be written to");
            writer.text = csv.into_inner().expect("memory can be written to");
        }
        writer.write_text(|writer| {
            let name = writer.columns.iter().find(|name| !can_write(writer.dialect.encoding, name));
            format!("the name of column `{}`", name.map_or("", String::as_str))
        })?;
        Ok(writer)
    }

    /// Encodes and writes the collected text; `place` finds what cannot be encoded.
    fn write_text(&mut self, place: impl FnOnce(&Self) -> String) -> Result<()> {
        let text = mem::take(&mut self.text);
        let written = match &mut self.encoder {
            TextEncoder::Utf8 => self.file.write_all(&text),
            encoder => {
                let text = std::str::from_utf8(&text).expect("text and ASCII between it are text");
                self.bytes.clear();
                if encoder.encode(text, false, &mut self.bytes) == Err(Unmappable) {
                    let encoding = self.dialect.encoding.name().to_lowercase();
                    return Err(Error::table(format!("{encoding} lacks a character of {}", place(self)))
                        .at(self.path.display())
                        .hint("a release is encoded like its input: convert the input to UTF-8"));
                }
                self.file.write_all(&self.bytes)
            }
        };
        self.text = text;
        self.text.clear();
        written.map_err(|error| self.cannot_write(&error))
    }

    fn cannot_write(&self, error: &io::Error) -> Error {
        Error::io("write", &self.path, error)
    }
}

impl TableWriter for CsvWriter {
    fn write(&mut self, columns: &[Cells]) -> Result<()> {
        let columns = columns.iter().map(Cells::text).collect::<Result<Vec<_>>>()?;
        let rows = columns.first().map_or(0, |column| column.len());
        let mut csv = self.builder.from_writer(mem::take(&mut self.text));
        for row in 0..rows {
            for column in &columns {
                let cell = if column.is_null(row) { &self.missing_marker } else { column.value(row) };
                match self.dialect.formulas.before(cell.as_bytes()) {
                    b"" => csv.write_field(cell),
                    before => csv.write_field([before, cell.as_bytes()].concat()),
                }
                .expect("memory can be written to");
            }
            csv.write_record(None::<&[u8]>).expect("memory can be written to");
        }
        self.text = csv.into_inner().expect("memory can be written to");
        self.write_text(|writer| {
            let lacks = |row: usize| {
                let cannot = |column: usize| !can_write(writer.dialect.encoding, columns[column].value(row));
                (0..columns.len()).find(|&column| cannot(column)).map(|column| (row, column))
            };
            let (row, column) = (0..rows).find_map(lacks).unwrap_or((0, 0));
            format!("row {}, column `{}`", writer.rows + row as u64 + 1, writer.columns[column])
        })?;
        self.rows += rows as u64;
        Ok(())
    }

    /// Another encoding may remember something from row to row, and lack a character of one of them.
    fn lines(&self) -> Option<Lines> {
        matches!(self.encoder, TextEncoder::Utf8).then(|| Lines::new(&self.dialect, &self.missing_marker))
    }

    fn write_lines(&mut self, lines: &[u8], rows: u64) -> Result<()> {
        self.rows += rows;
        self.file.write_all(lines).map_err(|error| self.cannot_write(&error))
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        // Some encodings return to a first state at the end.
        self.bytes.clear();
        let ended = self.encoder.encode("", true, &mut self.bytes);
        debug_assert_eq!(ended, Ok(()), "there is nothing in no text that an encoding could lack");
        let Self { path, mut file, bytes, .. } = *self;
        file.write_all(&bytes).and_then(|()| file.finish()).map_err(|error| Error::io("write", &path, &error))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use arrow_array::StringArray;

    use super::*;
    use crate::create;
    use crate::sample_files::{SampleFile, text_columns};

    fn text(cells: &[&str]) -> Cells {
        Cells::Text(StringArray::from(cells.to_vec()))
    }

    #[test]
    fn cells_are_quoted_only_where_they_must_be() {
        let columns = text_columns(&["a", "b c"]);
        let cells = [text(&["1.50", "x,y", ""]), text(&["[20, 25)", "a\"b", "'"])];
        let like = Dialect { delimiter: b';', ..Dialect::default() };
        let file = SampleFile::written("a.csv", &columns, &cells, &like);
        assert_eq!(file.bytes(), b"a;b c\n1.50;[20, 25)\nx,y;\"a\"\"b\"\n;'\n");
    }

    #[test]
    fn the_name_decides_about_tabs() {
        let file = SampleFile::written(
            "a.tsv",
            &text_columns(&["a", "b"]),
            &[text(&["1"]), text(&["2"])],
            &Dialect::default(),
        );
        assert_eq!(file.bytes(), b"a\tb\n1\t2\n");
    }

    #[test]
    fn an_empty_cell_alone_in_its_row_is_no_blank_line() {
        let file = SampleFile::written("a.csv", &text_columns(&["a"]), &[text(&["", "x", ""])], &Dialect::default());
        assert_eq!(file.bytes(), b"a\n\"\"\nx\n\"\"\n");
    }

    #[test]
    fn a_character_that_the_encoding_lacks_is_placed_and_not_shown() {
        let file = SampleFile::named("a.csv");
        let like = Dialect { encoding: encoding_rs::WINDOWS_1252, ..Dialect::default() };
        let start = |name: &str| {
            let handle = File::create(&file.path).expect("a file");
            create(&file.path, handle, &text_columns(&["a", name]), &like, "?")
        };
        let mut writer = start("é").expect("a writer");
        writer.write(&[text(&["x"]), text(&["y"])]).expect("written");
        let error = writer.write(&[text(&["x", "y"]), text(&["é", "漢"])]).expect_err("a lacking character");
        assert_eq!(
            file.shorten(&error),
            "FILE: windows-1252 lacks a character of row 3, column `é`\n\
             hint: a release is encoded like its input: convert the input to UTF-8"
        );
        let error = start("漢").err().expect("a lacking character");
        assert!(error.message().ends_with("lacks a character of the name of column `漢`"), "{error}");
    }
}

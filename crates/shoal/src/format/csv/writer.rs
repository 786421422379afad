//! How is a table written as delimited text?

use std::fs::File;
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};

use ::csv::{QuoteStyle, Terminator, WriterBuilder};
use arrow_array::Array;

use crate::format::compression::{CompressedFile, Compression};
use crate::format::encode::{TextEncoder, Unmappable, can_write};
use crate::format::{Cells, Dialect, LineEnding, OutputColumn, TableWriter, file_kind};
use crate::{Error, Result};

/// Writes CSV.
pub(in crate::format) struct CsvWriter {
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
    pub(in crate::format) fn create(
        path: &Path,
        compression: Compression,
        file: File,
        columns: &[OutputColumn],
        like: &Dialect,
        missing_marker: &str,
    ) -> Result<Self> {
        let mut dialect = like.clone();
        if file_kind::is_tab_separated(path) {
            dialect.delimiter = b'\t';
        }
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
                    return Err(Error::new(format!("{encoding} lacks a character of {}", place(self)))
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
                csv.write_field(cell).expect("memory can be written to");
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

    fn finish(mut self: Box<Self>) -> Result<()> {
        // Some encodings return to a first state at the end.
        self.bytes.clear();
        let ended = self.encoder.encode("", true, &mut self.bytes);
        debug_assert_eq!(ended, Ok(()), "there is nothing in no text that an encoding could lack");
        let Self { path, mut file, bytes, .. } = *self;
        file.write_all(&bytes).and_then(|()| file.finish()).map_err(|error| Error::io("write", &path, &error))
    }
}

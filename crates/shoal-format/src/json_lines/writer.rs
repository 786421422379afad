//! How is a table written as JSON lines?

use std::borrow::Cow;
use std::io::Write;
use std::path::PathBuf;

use arrow_array::{Array, StringArray};
use arrow_schema::DataType;

use crate::compression::CompressedFile;
use crate::formats::New;
use crate::{Cells, OutputColumn, TableWriter};
use shoal_core::{Error, Result};

/// Writes JSON lines.
pub(crate) struct JsonLinesWriter {
    path: PathBuf,
    file: CompressedFile,
    /// What stands before the value of each column: `{"age":`, `,"zip":`.
    openings: Vec<Vec<u8>>,
    /// Kept for its memory.
    text: Vec<u8>,
}

impl JsonLinesWriter {
    /// Starts a file.
    pub(crate) fn create(new: New<'_>) -> Result<Self> {
        let New { path, file, compression, columns, .. } = new;
        let opening = |(at, column): (usize, &OutputColumn)| {
            let mut opening = vec![if at == 0 { b'{' } else { b',' }];
            append_string(&column.name, &mut opening);
            opening.push(b':');
            opening
        };
        Ok(Self {
            path: path.to_owned(),
            file: compression.writer(file).map_err(|error| Error::io("write", path, &error))?,
            openings: columns.iter().enumerate().map(opening).collect(),
            text: Vec::new(),
        })
    }
}

/// How the cells of a column become JSON.
#[derive(Clone, Copy)]
enum Form {
    /// They are JSON already.
    Json,
    /// As strings.
    String,
    /// Literally, such as `12`, `0.50` and `true`; what JSON has no number for, such as NaN, as a string.
    Literal,
}

fn json_form(cells: &Cells) -> Result<(Cow<'_, StringArray>, Form)> {
    Ok(match cells {
        Cells::Json(json) => (Cow::Borrowed(json), Form::Json),
        Cells::Text(text) => (Cow::Borrowed(text), Form::String),
        Cells::Typed(array) => {
            let is_literal = array.data_type().is_numeric() || array.data_type() == &DataType::Boolean;
            (cells.text()?, if is_literal { Form::Literal } else { Form::String })
        }
    })
}

fn append_string(text: &str, into: &mut Vec<u8>) {
    serde_json::to_writer(into, text).expect("memory can be written to");
}

impl TableWriter for JsonLinesWriter {
    fn write(&mut self, columns: &[Cells]) -> Result<()> {
        let columns = columns.iter().map(json_form).collect::<Result<Vec<_>>>()?;
        let rows = columns.first().map_or(0, |(cells, _)| cells.len());
        self.text.clear();
        for row in 0..rows {
            for (opening, (cells, form)) in self.openings.iter().zip(&columns) {
                self.text.extend_from_slice(opening);
                let text = if cells.is_null(row) { None } else { Some(cells.value(row)) };
                match (text, form) {
                    (None, _) => self.text.extend_from_slice(b"null"),
                    (Some(json), Form::Json) => self.text.extend_from_slice(json.as_bytes()),
                    (Some("NaN" | "inf" | "-inf"), Form::Literal) | (Some(_), Form::String) => {
                        append_string(cells.value(row), &mut self.text);
                    }
                    (Some(literal), Form::Literal) => self.text.extend_from_slice(literal.as_bytes()),
                }
            }
            self.text.extend_from_slice(b"}\n");
        }
        self.file.write_all(&self.text).map_err(|error| Error::io("write", &self.path, &error))
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.file.finish().map_err(|error| Error::io("write", &self.path, &error))
    }
}

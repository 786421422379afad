//! In which of its many ways is a CSV file written?

use std::path::Path;

use encoding_rs::Encoding;

use super::{Formulas, file_kind};

/// How lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnding {
    /// A line feed, as on Unix.
    Lf,
    /// A carriage return and a line feed, as on Windows.
    CrLf,
}

/// The way a CSV file is written, so that a release can be written the way its input was.
///
/// Compression is not part of it: the name of a file decides about that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// The byte between two cells.
    pub delimiter: u8,
    /// The byte around a cell that holds a delimiter, a line ending or this byte, which is then doubled.
    pub quote: u8,
    /// Do the names of the columns stand in the first row?
    pub header: bool,
    /// How lines end.
    pub line_ending: LineEnding,
    /// How characters become bytes.
    pub encoding: &'static Encoding,
    /// Does the file open with a byte order mark?
    pub byte_order_mark: bool,
    /// What becomes of cells that begin like a formula.
    pub formulas: Formulas,
    /// What pandas said about the table, where it comes from a Parquet file.
    pub pandas: Option<String>,
}

impl Dialect {
    /// The dialect in which a file of this name is written: `.tsv` promises tabs.
    #[must_use]
    pub fn for_name(mut self, path: &Path) -> Self {
        if file_kind::is_tab_separated(path) {
            self.delimiter = b'\t';
        }
        self
    }
}

impl Default for Dialect {
    /// RFC 4180 with the line endings of Unix: what a table from another format is written in.
    fn default() -> Self {
        Self {
            delimiter: b',',
            quote: b'"',
            header: true,
            line_ending: LineEnding::Lf,
            encoding: encoding_rs::UTF_8,
            byte_order_mark: false,
            formulas: Formulas::default(),
            pandas: None,
        }
    }
}

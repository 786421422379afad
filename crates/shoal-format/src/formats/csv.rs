//! What is known about CSV?

use super::{Code, Format, Holds};
use crate::csv::{CsvReader, CsvWriter};

pub(super) static FORMAT: Format = Format {
    name: "CSV",
    one_file: "a CSV file",
    extensions: &["csv", "tsv", "txt"],
    is_text: true,
    signatures: &[],
    holds: Holds::Table,
    is_written: true,
    feature: None,
    code: Some(Code {
        open: |input, compression| Ok(Box::new(CsvReader::open(input, compression)?)),
        create: Some(|new| Ok(Box::new(CsvWriter::create(new)?))),
    }),
};

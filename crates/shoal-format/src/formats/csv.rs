//! What is known about CSV?

use super::{Code, Format, Holds, NumberForm};
use crate::csv::{CsvReader, CsvWriter};

pub(super) static FORMAT: Format = Format {
    name: "CSV",
    one_file: "a CSV file",
    extensions: &["csv", "tsv", "txt"],
    is_text: true,
    signatures: &[],
    holds: Holds::Table,
    numbers: NumberForm::Text,
    written: &["csv", "tsv", "txt"],
    feature: None,
    code: Some(Code {
        open: |input, compression| Ok(Box::new(CsvReader::open(input, compression)?)),
        create: Some(|new| Ok(Box::new(CsvWriter::create(new)?))),
        titles: Some(crate::csv::lines_before),
    }),
};

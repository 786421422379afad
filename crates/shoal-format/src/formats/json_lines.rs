//! What is known about JSON lines?

use super::{Code, Format, Holds, NumberForm};
use crate::json_lines::{JsonLinesReader, JsonLinesWriter};

pub(super) static FORMAT: Format = Format {
    name: "JSON lines",
    one_file: "a file of JSON lines",
    extensions: &["jsonl", "ndjson"],
    is_text: true,
    signatures: &[],
    holds: Holds::Table,
    numbers: NumberForm::Json,
    written: &["jsonl", "ndjson"],
    feature: None,
    code: Some(Code {
        open: |input, compression| Ok(Box::new(JsonLinesReader::open(input, compression)?)),
        create: Some(|new| Ok(Box::new(JsonLinesWriter::create(new)?))),
        titles: None,
    }),
};

//! How does a table become one JSON object a line, and back?

mod object;
mod reader;
mod writer;

pub(super) use reader::JsonLinesReader;
pub(super) use writer::JsonLinesWriter;

//! How does a table become delimited text, and delimited text a table?

mod block;
mod cell_end;
mod detect;
mod header;
mod lines;
mod reader;
mod records;
#[cfg(test)]
mod refusals;
mod shape;
mod titles;
mod writer;

pub(super) use block::CsvBlock;
pub use lines::Lines;
pub(super) use reader::CsvReader;
pub(super) use titles::lines_before;
pub(super) use writer::CsvWriter;

//! How is a table read from Parquet, and written to it?

mod reader;
mod writer;

pub(super) use reader::ParquetReader;
pub(super) use writer::ParquetWriter;

//! How is a table read from Parquet, and written to it?

mod delta;
mod footer;
mod page_header;
mod pages;
mod pandas;
mod reader;
mod row_group;
mod thrift;
mod unpack;
mod views;
mod writer;

pub(super) use reader::ParquetReader;
pub(super) use writer::ParquetWriter;

//! How is a table read from a file, batch by batch, and written to one?

mod batch;

pub use batch::{Batch, Cells};

use crate::Result;

/// Reads a table as a stream of batches.
pub trait TableReader: Send {
    /// The names of the columns, in the order of the file.
    fn columns(&self) -> &[String];
    /// The next rows; `None` after the last.
    fn next_batch(&mut self) -> Result<Option<Batch>>;
}

/// Writes a table batch by batch.
pub trait TableWriter: Send {
    /// Writes rows: one [`Cells`] for each column.
    fn write(&mut self, columns: &[Cells]) -> Result<()>;
    /// Writes what is still buffered and hands everything to the operating system.
    fn finish(self: Box<Self>) -> Result<()>;
}

//! How do several threads write to one table, and how long does that take?

use std::time::{Duration, Instant};

use shoal_core::Result;
use shoal_format::TableWriter;

/// A writer that several threads share, and how long it has been written to.
pub(super) struct SharedWriter {
    writer: Box<dyn TableWriter>,
    writing: Duration,
}

impl SharedWriter {
    pub(super) fn new(writer: Box<dyn TableWriter>) -> Self {
        Self { writer, writing: Duration::ZERO }
    }

    pub(super) fn write(&mut self, write: impl FnOnce(&mut dyn TableWriter) -> Result<()>) -> Result<()> {
        let begin = Instant::now();
        write(self.writer.as_mut())?;
        self.writing += begin.elapsed();
        Ok(())
    }

    /// Ends the file. While one thread wrote, `threads - 1` others did not: the time is shared among them.
    pub(super) fn finish(self, threads: usize) -> Result<Duration> {
        let begin = Instant::now();
        self.writer.finish()?;
        Ok(self.writing / u32::try_from(threads.max(1)).unwrap_or(u32::MAX) + begin.elapsed())
    }
}

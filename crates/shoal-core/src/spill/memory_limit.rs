//! How much memory may counting take, and in which folder is there room for the rest?

use std::fs::File;
use std::io;
use std::path::PathBuf;

use crate::Error;

/// A limit on what counting holds in memory, and the folder of its temporary files.
#[derive(Debug, Clone)]
pub struct MemoryLimit {
    bytes: usize,
    folder: PathBuf,
}

impl MemoryLimit {
    /// So many bytes; what exceeds them goes to files in `folder`.
    pub fn new(bytes: u64, folder: impl Into<PathBuf>) -> Self {
        Self { bytes: usize::try_from(bytes).unwrap_or(usize::MAX), folder: folder.into() }
    }

    /// The bytes of all threads together.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The bytes that each thread may fill with counts. A quarter of all is left for what is held besides: buffers, and
    /// lists that are moved while they grow.
    pub fn share(&self) -> usize {
        self.bytes / 4 * 3 / rayon::current_num_threads().max(1)
    }

    /// A file without a name, which is gone however the program ends: in the folder, since where the release is to be
    /// there is room for it; in the system's folder for such files where nothing can be written there.
    pub(super) fn file(&self) -> io::Result<File> {
        tempfile::tempfile_in(&self.folder).or_else(|_| tempfile::tempfile())
    }

    pub(super) fn failed(&self, error: &io::Error) -> Error {
        Error::io("write temporary files to", &self.folder, error)
            .hint("counts that exceed `memory-limit` go there: make room, or raise the limit")
    }
}

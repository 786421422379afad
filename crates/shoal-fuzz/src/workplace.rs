//! Where are the files of one attempt?

use std::path::{Path, PathBuf};
use std::sync::Once;

use tempfile::TempDir;

/// A folder that vanishes.
pub struct Workplace {
    folder: TempDir,
}

impl Workplace {
    pub fn new() -> Self {
        // Two threads, so that what goes wrong between threads does, and attempts stay quick.
        static THREADS: Once = Once::new();
        THREADS.call_once(|| _ = rayon::ThreadPoolBuilder::new().num_threads(2).build_global());
        Self { folder: TempDir::new().expect("a folder for temporary files") }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file with these bytes.
    pub fn with(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a temporary file can be written");
        path
    }
}

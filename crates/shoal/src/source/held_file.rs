//! How is a table read from a file that has no name?

use std::fs::File;
use std::io::Seek;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::publish::{Hash, Intent};
use shoal_core::{Error, Result};
use shoal_format::{self as format, InputFormat, TableReader};

/// A file that is held open and need not have a name. What it is called says in which format it is, and stands in messages.
#[derive(Debug, Clone)]
pub struct HeldFile {
    name: PathBuf,
    file: Arc<File>,
    /// The file that this is a copy of, if it is one.
    copied: Option<Arc<File>>,
}

impl HeldFile {
    /// A file that is called so: `stdin.csv`.
    pub fn new(name: impl Into<PathBuf>, file: File) -> Self {
        Self { name: name.into(), file: Arc::new(file), copied: None }
    }

    /// An empty one for a table that is to be written, without a name where others could find it. What it is called is that of a file
    /// in the folder for temporary files, in which what does not fit into memory is put as well.
    pub(super) fn nameless(name: impl AsRef<Path>) -> Result<Self> {
        let file =
            tempfile::tempfile().map_err(|error| Error::place(format!("cannot make a temporary file: {error}")))?;
        Ok(Self::new(std::env::temp_dir().join(name), file))
    }

    /// What can be read once only, put into a file without a name that nobody else can read, and that is gone with this process.
    pub fn spooled(name: impl Into<PathBuf>, mut bytes: impl std::io::Read) -> Result<Self> {
        let name = name.into();
        let mut spool = || {
            let mut file = tempfile::tempfile()?;
            std::io::copy(&mut bytes, &mut file)?;
            Ok(file)
        };
        let file = spool().map_err(|error: std::io::Error| {
            Error::place(format!("cannot keep {} in a temporary file: {error}", name.display()))
                .hint("TMPDIR in the environment names another folder for temporary files")
        })?;
        Ok(Self::new(name, file))
    }

    /// The same, being a copy of another open file.
    #[must_use]
    pub fn copied_from(self, file: Option<File>) -> Self {
        Self { copied: file.map(Arc::new), ..self }
    }

    /// Says that this is read, and what it is a copy of, so that neither is written over.
    pub fn announce(&self, what: &str, intent: &mut Intent) {
        intent.reads_open(what, &self.name, self.copied.as_ref().unwrap_or(&self.file));
    }

    /// What it is called.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// All of it, to be copied.
    pub fn from_the_start(&self) -> Result<File> {
        let rewound = self.file.try_clone().and_then(|mut file| file.rewind().map(|()| file));
        rewound.map_err(|error| Error::io("read", &self.name, &error))
    }

    /// The open file, to be written to.
    pub(super) fn handle(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }

    /// The hash of its bytes.
    pub fn hash(&self) -> Result<Hash> {
        Hash::of_handle(&self.file).map_err(|error| Error::io("read", &self.name, &error))
    }

    /// How it is opened, given how a file of its name is.
    pub fn input(&self, format: impl FnOnce(&Path) -> InputFormat) -> InputFormat {
        format(&self.name).held_by(Arc::clone(&self.file))
    }

    pub(super) fn open(&self, format: impl FnOnce(&Path) -> InputFormat) -> Result<Box<dyn TableReader>> {
        format::open(&self.input(format))
    }
}

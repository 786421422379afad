//! What is written before it has a name that anybody takes for a release?

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::hash::{Hash, READS_ANYWHERE};
use super::identity::Identity;
use super::names::Beside;
use super::seal::Seal;
use super::steps::{create_private, remove};
use shoal_core::{Error, Result};

/// A file that its owner alone can read, held open from its first byte to its publication.
#[derive(Debug)]
pub struct StagedFile {
    /// The file that it will be, as it was given.
    target: PathBuf,
    /// The same from the root on.
    place: PathBuf,
    /// None for one that will never be published.
    path: Option<PathBuf>,
    file: Arc<File>,
    seal: OnceLock<Seal>,
}

impl StagedFile {
    /// One beside the file that it will be.
    pub(super) fn beside(target: &Path, place: &Path) -> Result<Self> {
        let path = Beside::New.of(place);
        let file = create_private(&path).map_err(|error| Error::io("write", target, &error))?;
        Ok(Self::new(target, place, Some(path), file))
    }

    /// One without a name, which is gone as soon as nobody holds it.
    pub(super) fn nameless(target: &Path) -> Result<Self> {
        let file =
            tempfile::tempfile().map_err(|error| Error::place(format!("cannot make a temporary file: {error}")))?;
        Ok(Self::new(target, target, None, file))
    }

    /// One that somebody else holds and that is never given a name here; `name` says what it is called.
    pub(crate) fn held(name: &Path, file: Arc<File>) -> Self {
        Self { target: name.to_owned(), place: name.to_owned(), path: None, file, seal: OnceLock::new() }
    }

    fn new(target: &Path, place: &Path, path: Option<PathBuf>, file: File) -> Self {
        let (target, place) = (target.to_owned(), place.to_owned());
        Self { target, place, path, file: Arc::new(file), seal: OnceLock::new() }
    }

    pub(super) fn is_for(&self, place: &Path) -> bool {
        self.place == place
    }

    /// The file that it will be.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// A handle to write to it.
    pub fn writer(&self) -> Result<File> {
        self.file.try_clone().map_err(|error| Error::io("write", &self.target, &error))
    }

    /// The open file, to be read from: whatever happens to its name, these are its bytes.
    pub fn handle(&self) -> Arc<File> {
        Arc::clone(&self.file)
    }

    /// Reads the file to verify it, and remembers what it was: the hash is that of the bytes that were read.
    pub fn verified_by<T>(&self, read: impl FnOnce() -> Result<T>) -> Result<T> {
        let sealed = Seal::around(&self.file, || {
            let (result, hash) = std::thread::scope(|scope| {
                let hashing = READS_ANYWHERE.then(|| scope.spawn(|| Hash::of_handle(&self.file)));
                let result = read();
                let hash = hashing.and_then(|thread| thread.join().ok());
                (result, hash.unwrap_or_else(|| Hash::of_handle(&self.file)))
            });
            Ok((result?, hash.map_err(|error| Error::io("read", &self.target, &error))?))
        });
        let (result, seal) = sealed?.ok_or_else(|| self.changed())?;
        // Whoever verifies it once more finds the same file, or it is not published.
        let _ = self.seal.set(seal);
        Ok(result)
    }

    /// The hash of what was verified; none before.
    pub fn hash(&self) -> Option<&Hash> {
        self.seal.get().map(|seal| &seal.hash)
    }

    /// The number of the file that was verified; none before.
    pub(super) fn number(&self) -> Option<u64> {
        self.seal.get().map(Seal::number)
    }

    /// Lets all of it be written, and takes it for what it should be.
    pub fn written_by(&self, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        write(&mut &*self.file)?;
        self.file.sync_all().map_err(|error| Error::io("write", &self.target, &error))?;
        self.verified_by(|| Ok(()))
    }

    /// Refuses to publish what is not what was verified.
    pub(super) fn check(&self) -> Result<()> {
        let (seal, path) = (self.sealed()?, self.path.as_deref().unwrap_or(&self.place));
        self.unless_changed(seal.holds(&self.file, path))
    }

    /// The same once it has its name.
    pub(super) fn check_named(&self) -> Result<()> {
        self.unless_changed(self.sealed()?.holds_named(&self.file, &self.place))
    }

    fn unless_changed(&self, holds: io::Result<bool>) -> Result<()> {
        match holds {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.changed()),
            Err(error) => Err(Error::io("read", &self.target, &error)),
        }
    }

    pub(super) fn changed(&self) -> Error {
        Error::changed(format!("{} was changed after it was verified; nothing was published", self.target.display()))
            .hint("run it again where no other program writes into the folder")
    }

    fn sealed(&self) -> Result<&Seal> {
        self.seal.get().ok_or_else(|| self.not_verified())
    }

    pub(super) fn not_verified(&self) -> Error {
        Error::bug(format!("{} was not verified; nothing was published", self.target.display()))
            .hint("this is a bug in Shoal, not in your data: please report it with the policy")
    }
}

impl Drop for StagedFile {
    /// What was published has another name by now, and the next run may have staged a file under this one.
    fn drop(&mut self) {
        let own = self.file.metadata().ok().map(|metadata| Identity::of(&metadata));
        if let Some(path) = self.path.as_ref().filter(|path| own.is_some() && Identity::at(path) == own) {
            let _ = remove(path);
        }
    }
}

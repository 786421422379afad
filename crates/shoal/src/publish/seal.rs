//! Is a staged file still what was verified?

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::hash::Hash;
use super::identity::Identity;
use shoal_core::{Error, Result};

/// What a file was when it was read to be verified.
#[derive(Debug, Clone)]
pub(super) struct Seal {
    state: State,
    /// Was the file looked at so soon after it was written that a later change could bear the same time?
    is_fresh: bool,
    pub(super) hash: Hash,
}

/// What changes when anybody writes to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    identity: Identity,
    length: u64,
    modified: Option<SystemTime>,
    /// When anything about it was last changed; nobody can set this time at will.
    changed: Option<SystemTime>,
}

/// No file system tells times apart less well than this, of those on which a file is renamed in one step.
const CLOCK: Duration = Duration::from_millis(50);

impl State {
    fn of(file: &File) -> io::Result<Self> {
        file.metadata().map(|metadata| Self::told_by(&metadata))
    }

    fn told_by(metadata: &Metadata) -> Self {
        Self {
            identity: Identity::of(metadata),
            length: metadata.len(),
            modified: metadata.modified().ok(),
            changed: changed_at(metadata),
        }
    }

    /// Can a change that happens now still be given the time of the last one?
    fn is_fresh(&self) -> bool {
        let age = self.changed.and_then(|changed| SystemTime::now().duration_since(changed).ok());
        age.is_none_or(|age| age < CLOCK)
    }

    /// The same bytes, as far as their number and time tell; the name and who may read it can have changed.
    fn has_same_contents(&self, other: &Self) -> bool {
        (self.identity, self.length, self.modified) == (other.identity, other.length, other.modified)
    }
}

#[cfg(unix)]
fn changed_at(metadata: &Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let (seconds, nanoseconds) = (metadata.ctime().try_into().ok()?, metadata.ctime_nsec().try_into().ok()?);
    Some(UNIX_EPOCH + Duration::new(seconds, nanoseconds))
}

#[cfg(not(unix))]
fn changed_at(metadata: &Metadata) -> Option<SystemTime> {
    metadata.modified().ok()
}

impl Seal {
    /// Looks at a file, lets it be read and hashed, and looks again: none if it changed meanwhile.
    pub(super) fn around<T>(file: &File, read: impl FnOnce() -> Result<(T, Hash)>) -> Result<Option<(T, Self)>> {
        let look = || State::of(file).map_err(|error| Error::place(format!("cannot look at a staged file: {error}")));
        let state = look()?;
        let is_fresh = state.is_fresh();
        let (result, hash) = read()?;
        Ok((look()? == state).then_some((result, Self { state, is_fresh, hash })))
    }

    /// The number of the file.
    pub(super) fn number(&self) -> u64 {
        self.state.identity.inode
    }

    /// Is a file what was verified, and what stands at `path`?
    pub(super) fn holds(&self, file: &File, path: &Path) -> io::Result<bool> {
        let same = State::of(file)? == self.state && Identity::at(path) == Some(self.state.identity);
        Ok(same && (!self.is_fresh || Hash::of_handle(file)? == self.hash))
    }

    /// The same after it was given its name.
    pub(super) fn holds_named(&self, file: &File, path: &Path) -> io::Result<bool> {
        Ok(State::of(file)?.has_same_contents(&self.state) && Identity::at(path) == Some(self.state.identity))
    }
}

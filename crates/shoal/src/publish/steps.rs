//! Which single steps is a publication made of?
//!
//! Each of them happens or does not; tests let any of them fail, and all that follow.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Makes a file that was not there and that its owner alone can read.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    fault::step()?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Writes all of a file, and waits until it is on disk.
pub(super) fn write_all(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    file.write_all(first)?;
    fault::step()?;
    file.write_all(second)?;
    fault::step()?;
    file.sync_all()
}

pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fault::step()?;
    fs::rename(from, to)
}

pub(super) fn hard_link(file: &Path, other: &Path) -> io::Result<()> {
    fault::step()?;
    fs::hard_link(file, other)
}

/// Removes a file, if there is one.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    fault::step()?;
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Waits until the names in a folder are on disk. Where a folder cannot be asked for that, its file system does it by itself, or
/// never.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    fault::step()?;
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) => Ok(()),
        #[cfg(not(unix))]
        Err(_) => Ok(()),
        result => result,
    }
}

/// Is there anything at a path, be it a link that leads nowhere?
pub(super) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

#[cfg(not(test))]
mod fault {
    #[inline]
    pub(super) fn step() -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod fault {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        static TAKEN: Cell<usize> = const { Cell::new(0) };
        static FAILING: Cell<Option<(usize, bool)>> = const { Cell::new(None) };
    }

    /// Lets step number `place` of this thread fail; `ever_after`, as if the machine had stopped there.
    pub(crate) fn at(place: usize, ever_after: bool) {
        TAKEN.set(0);
        FAILING.set(Some((place, ever_after)));
    }

    /// From now on all steps succeed; tells how many were tried.
    pub(crate) fn none() -> usize {
        FAILING.set(None);
        TAKEN.get()
    }

    pub(super) fn step() -> io::Result<()> {
        let taken = TAKEN.get();
        TAKEN.set(taken + 1);
        match FAILING.get() {
            Some((place, ever_after)) if taken == place || (ever_after && taken > place) => {
                Err(io::Error::other("a fault of a test"))
            }
            _ => Ok(()),
        }
    }
}

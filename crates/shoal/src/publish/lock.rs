//! Who may write an output now?

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::identity::Identity;
use super::names::{Beside, path_of};
use super::ordinary::Ordinary;
use super::steps::{create_private, remove};
use shoal_core::{Error, Result};

/// An output that nobody else writes while this lives. The operating system lets go of it when a run ends, however it ends.
#[derive(Debug)]
pub(super) struct Lock {
    /// The output.
    pub(super) target: PathBuf,
    path: PathBuf,
    file: File,
    /// The output whose journal the run before belonged to, if it left its lock behind.
    pub(super) earlier_home: Option<PathBuf>,
    /// Is there a note of a journal in it that is not settled? Whoever comes next needs it.
    has_note: AtomicBool,
    /// Did this user make the file?
    is_own: bool,
}

/// How long a lock is waited for. Somebody who only looks for leftovers holds it for a moment.
const PATIENCE: Duration = Duration::from_secs(1);

impl Lock {
    /// Locks an output, or says that another run has it.
    pub(super) fn acquire(target: &Path, ordinary: &Ordinary) -> Result<Self> {
        Self::within(target, ordinary, PATIENCE)?.ok_or_else(|| {
            Error::place(format!("another run of shoal is writing {}", target.display()))
                .hint("wait until it is done, or give this run other outputs")
        })
    }

    /// Locks an output unless somebody else has it.
    pub(super) fn if_free(target: &Path, ordinary: &Ordinary) -> Result<Option<Self>> {
        Self::within(target, ordinary, Duration::ZERO)
    }

    fn within(target: &Path, ordinary: &Ordinary, patience: Duration) -> Result<Option<Self>> {
        let path = Beside::Lock.of(target);
        let (begin, failed) = (Instant::now(), |error: io::Error| cannot_lock(target, &path, &error));
        loop {
            let Some(mut file) = open(&path).map_err(failed)? else { continue };
            match file.try_lock() {
                // Whoever had it before may have removed it between our opening and locking it: then it locks nothing.
                Ok(()) if is_at(&file, &path) => {
                    let is_own = file.metadata().is_ok_and(|metadata| ordinary.owns(&metadata));
                    let earlier_home = home_in(&mut file);
                    let has_note = AtomicBool::new(earlier_home.is_some());
                    return Ok(Some(Self { target: target.to_owned(), path, file, earlier_home, has_note, is_own }));
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if begin.elapsed() >= patience => return Ok(None),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
    }

    /// Notes beside which output the journal of this run will stand, for those who find this lock without its holder.
    pub(super) fn note_home(&self, home: &Path) -> Result<()> {
        let write = |mut file: &File| {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(home.as_os_str().as_encoded_bytes())?;
            file.sync_all()
        };
        self.has_note.store(true, Ordering::Relaxed);
        write(&self.file).map_err(|error| Error::io("write", &self.path, &error))
    }

    /// There is no such journal any more.
    pub(super) fn forget_home(&self) {
        // If the note stays, it leads to nothing.
        let _ = self.file.set_len(0);
        self.has_note.store(false, Ordering::Relaxed);
    }
}

impl Drop for Lock {
    /// Removes the file while the lock is still held: who waits for it notices, and makes a new one. What others made, and notes
    /// of what is not settled, stay.
    fn drop(&mut self) {
        if self.is_own && !self.has_note.load(Ordering::Relaxed) && is_at(&self.file, &self.path) {
            let _ = remove(&self.path);
        }
    }
}

/// Makes the file or opens the one that is there, if that is one; none if it went away in between.
fn open(path: &Path) -> io::Result<Option<File>> {
    match create_private(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made.map(Some),
    }
    let existing = fs::symlink_metadata(path).and_then(|metadata| match metadata.is_file() {
        true => OpenOptions::new().read(true).write(true).open(path),
        false => Err(io::Error::new(io::ErrorKind::AlreadyExists, "something else has that name")),
    });
    match existing {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some),
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    file.metadata().is_ok_and(|metadata| Identity::at(path) == Some(Identity::of(&metadata)))
}

fn home_in(file: &mut File) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    // A path is no longer than this anywhere.
    file.take(1 << 16).read_to_end(&mut bytes).ok()?;
    path_of(&bytes).filter(|path| path.is_absolute())
}

fn cannot_lock(target: &Path, path: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::StorageFull | io::ErrorKind::ReadOnlyFilesystem => {
            Error::io("write", target, error).detail(format!("{} cannot be made", path.display()))
        }
        _ => Error::place(format!("cannot lock {}: {error}", path.display()))
            .hint("two runs must not write one output: choose a folder whose file system has locks"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let ordinary = Ordinary::in_folder(folder.path()).unwrap();
        let target = folder.path().join("a.csv");
        let first = Lock::acquire(&target, &ordinary).unwrap();
        assert!(Lock::if_free(&target, &ordinary).unwrap().is_none());
        let error = Lock::acquire(&target, &ordinary).unwrap_err();
        assert!(error.message().starts_with("another run of shoal is writing"), "{error}");
        let other = Lock::acquire(&folder.path().join("b.csv"), &ordinary).unwrap();
        drop(first);
        drop(Lock::acquire(&target, &ordinary).unwrap());
        drop(other);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn whoever_waits_gets_a_lock_that_locks() {
        let folder = tempfile::tempdir().unwrap();
        let ordinary = Ordinary::in_folder(folder.path()).unwrap();
        let (target, ordinary) = (&folder.path().join("a.csv"), &ordinary);
        let held = &std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(move || {
                    for _ in 0..50 {
                        let Some(lock) = Lock::within(target, ordinary, Duration::from_secs(20)).unwrap() else {
                            panic!()
                        };
                        assert_eq!(held.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                        held.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }

    #[test]
    fn what_a_killed_run_noted_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let ordinary = Ordinary::in_folder(folder.path()).unwrap();
        let target = folder.path().join("report.html");
        let home = folder.path().join("release.csv");
        fs::write(Beside::Lock.of(&target), home.to_str().unwrap()).unwrap();
        for _ in 0..2 {
            let lock = Lock::acquire(&target, &ordinary).unwrap();
            assert_eq!(lock.earlier_home, Some(home.clone()), "as long as nobody has settled it");
        }
        Lock::acquire(&target, &ordinary).unwrap().forget_home();
        assert!(!Beside::Lock.of(&target).exists());
        fs::write(Beside::Lock.of(&target), "relative").unwrap();
        assert_eq!(Lock::acquire(&target, &ordinary).unwrap().earlier_home, None);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_its_place_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let ordinary = Ordinary::in_folder(folder.path()).unwrap();
        let target = folder.path().join("a.csv");
        std::os::unix::fs::symlink(folder.path().join("victim"), Beside::Lock.of(&target)).unwrap();
        assert!(Lock::acquire(&target, &ordinary).is_err());
        assert!(!folder.path().join("victim").exists());
    }
}

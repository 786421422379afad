//! How do all outputs of a run stay out of sight until all of them are ready?

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::commit::{forget_earlier, name_all, sync, take_back};
use super::folder_of;
use super::hash::Hash;
use super::identity::Version;
use super::intent::Target;
use super::journal::{Journal, Planned};
use super::leftovers::{Settling, folders, sweep};
use super::lock::Lock;
use super::names::Beside;
use super::ordinary::Ordinary;
use super::staged_file::StagedFile;
use super::steps;
use crate::interruption::{self, Undo};
use shoal_core::{Error, Result};

/// The outputs of a run, which nobody else writes while this lives. What is not published when it ends is gone.
#[derive(Debug, Default)]
pub struct Outputs {
    targets: Vec<Target>,
    /// From the root on, in the order of the targets.
    places: Vec<PathBuf>,
    staged: Vec<Arc<StagedFile>>,
    ordinary: Option<Ordinary>,
    is_scratch: bool,
    // Released last.
    _undo: Option<Undo>,
    locks: Vec<Lock>,
}

impl Outputs {
    /// Files without names, for releases that are measured and thrown away.
    pub fn scratch() -> Self {
        Self { is_scratch: true, ..Self::default() }
    }

    /// Locks the targets and settles what earlier runs left of them and in their folders.
    pub(super) fn locked(targets: Vec<Target>) -> Result<Self> {
        let Some(first) = targets.first() else { return Ok(Self::default()) };
        let cannot = |error: &std::io::Error| Error::io("write", &first.path, error);
        let place = |target: &Target| {
            let folder =
                folder_of(&target.path).canonicalize().map_err(|error| Error::io("write", &target.path, &error))?;
            Ok(folder.join(target.path.file_name().unwrap_or_default()))
        };
        let places = targets.iter().map(place).collect::<Result<Vec<PathBuf>>>()?;
        let ((ordinary, locks), undo) = interruption::undoable::<_, Error>(|| {
            let ordinary = Ordinary::in_folder(&folder_of(&first.path)).map_err(|error| cannot(&error))?;
            let locks = places.iter().map(|place| Lock::acquire(place, &ordinary)).collect::<Result<Vec<Lock>>>()?;
            for lock in &locks {
                Settling { locks: locks.iter().collect(), ordinary: &ordinary }.settle(lock)?;
            }
            for folder in folders(places.iter().map(PathBuf::as_path)) {
                sweep(&folder, &locks, &ordinary);
            }
            Ok(((ordinary, locks), removal_of(&places)))
        })?;
        Ok(Self { targets, places, ordinary: Some(ordinary), _undo: Some(undo), locks, ..Self::default() })
    }

    /// Refuses what is there now and is no earlier output.
    pub(super) fn refuse_to_replace_others(&self) -> Result<()> {
        self.targets.iter().try_for_each(Target::refuse_to_replace_others)
    }

    /// Begins an output that was claimed.
    pub fn create(&mut self, path: &Path) -> Result<Arc<StagedFile>> {
        let staged = match self.targets.iter().position(|target| target.path == path) {
            _ if self.is_scratch => StagedFile::nameless(path)?,
            Some(place) => interruption::unless_stopping(|| StagedFile::beside(path, &self.places[place]))?,
            None => {
                return Err(Error::bug(format!("{} was not said to be written", path.display()))
                    .hint("this is a bug in Shoal, not in your data: please report it with the policy"));
            }
        };
        let staged = Arc::new(staged);
        self.staged.push(Arc::clone(&staged));
        Ok(staged)
    }

    /// Writes all of an output that was claimed.
    pub fn write(&mut self, path: &Path, text: &str) -> Result<()> {
        let staged = self.create(path)?;
        let failed = |error: std::io::Error| Error::io("write", path, &error);
        staged.written_by(|file| file.write_all(text.as_bytes()).map_err(failed))?;
        match staged.hash() == Some(&Hash::of(text.as_bytes())) {
            true => Ok(()),
            false => Err(staged.changed()),
        }
    }

    /// Gives all outputs their names, or none, and lets go of them. Interruptions wait until that is done.
    pub fn publish(self) -> Result<()> {
        match &self.ordinary {
            Some(ordinary) if !self.staged.is_empty() => interruption::shielded(|| self.publish_all(ordinary)),
            _ => Ok(()),
        }
    }

    fn publish_all(&self, ordinary: &Ordinary) -> Result<()> {
        self.refuse_to_replace_others()?;
        let journal = self.journal()?;
        let is_noted = self.locks.iter().try_for_each(|lock| lock.note_home(journal.home()));
        let is_begun = is_noted.and_then(|()| journal.write()).and_then(|()| sync(&journal));
        is_begun.and_then(|()| self.staged.iter().try_for_each(|staged| staged.check())).inspect_err(|_| {
            // Nothing was renamed yet.
            let _ = steps::remove(&Beside::Journal.of(journal.home()));
            self.locks.iter().for_each(Lock::forget_home);
        })?;
        let named = name_all(&journal, ordinary);
        match named.and_then(|()| self.staged.iter().try_for_each(|staged| staged.check_named())) {
            Ok(()) => {
                // All names are given. What cannot be cleaned up now, the next run cleans up.
                if forget_earlier(&journal).is_ok() {
                    self.locks.iter().for_each(Lock::forget_home);
                }
                Ok(())
            }
            Err(error) => Err(match take_back(&journal) {
                Ok(()) => {
                    self.locks.iter().for_each(Lock::forget_home);
                    error.detail("all files are as they were before")
                }
                Err(other) => error
                    .detail(format!("taking it back failed as well: {}", other.message()))
                    .detail("the next run that writes there settles it: all of it is published, or nothing"),
            }),
        }
    }

    /// What was staged, in the order in which it was announced.
    fn journal(&self) -> Result<Journal> {
        let mut entries = Vec::new();
        for place in &self.places {
            let Some(staged) = self.staged.iter().find(|staged| staged.is_for(place)) else { continue };
            let hash = staged.hash().cloned().ok_or_else(|| staged.not_verified())?;
            let number = staged.number().ok_or_else(|| staged.not_verified())?;
            entries.push(Planned { target: place.clone(), hash, staged: number, replaces: Version::at(place) });
        }
        Ok(Journal { entries })
    }
}

/// How outputs are given up: what is staged goes, and the locks, while they are still held.
fn removal_of(places: &[PathBuf]) -> interruption::Action {
    let beside = |place: &PathBuf| [Beside::New, Beside::Lock].map(|beside| beside.of(place));
    let ours: Vec<PathBuf> = places.iter().flat_map(beside).collect();
    Box::new(move || ours.iter().for_each(|path| _ = std::fs::remove_file(path)))
}

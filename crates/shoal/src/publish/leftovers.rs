//! What did a run leave behind that was killed, and what becomes of it?

use std::fs;
use std::path::{Path, PathBuf};

use super::commit::{forget_earlier, name_all, take_back};
use super::folder_of;
use super::hash::Hash;
use super::journal::Journal;
use super::lock::Lock;
use super::names::{Beside, output_of};
use super::ordinary::Ordinary;
use super::steps::{self, exists};
use crate::{Error, Result};

/// Outputs that are locked, and what stands beside them is ours to settle.
pub(super) struct Settling<'a> {
    pub(super) locks: Vec<&'a Lock>,
    pub(super) ordinary: &'a Ordinary,
}

impl Settling<'_> {
    /// Completes what an earlier run had begun to publish, or takes it back, and removes whatever else it left of an output.
    pub(super) fn settle(&self, lock: &Lock) -> Result<()> {
        let target = &lock.target;
        self.settle_journal_of(target)?;
        if let Some(home) = lock.earlier_home.as_ref().filter(|home| *home != target) {
            self.settle_journal_of(home)?;
        }
        let [new, old] = [Beside::New, Beside::Old].map(|beside| beside.of(target));
        self.remove(&new);
        if exists(&old) && !exists(target) {
            // Its journal is gone, which nobody but a human removes.
            let _ = steps::rename(&old, target);
        }
        self.remove(&old);
        Ok(())
    }

    fn settle_journal_of(&self, home: &Path) -> Result<()> {
        self.refuse_those_of_others(home)?;
        let read = |beside| Journal::read(home, beside, self.ordinary);
        let (undo, journal) = (read(Beside::Undo), read(Beside::Journal));
        let mut others: Vec<Lock> = Vec::new();
        let named =
            undo.iter().chain(&journal).flat_map(|journal| &journal.entries).map(|entry| entry.target.as_path());
        for target in named.chain([home]) {
            if !self.locks.iter().copied().chain(&others).any(|lock| lock.target == target) {
                others.push(Lock::acquire(target)?);
            }
        }
        // Whoever held those locks until now may have settled it.
        let (undo, journal) = (read(Beside::Undo), read(Beside::Journal));
        match (undo, journal) {
            (Some(undo), _) => take_back(&undo),
            (None, Some(journal)) if self.is_as_verified(&journal) => {
                name_all(&journal, self.ordinary)?;
                forget_earlier(&journal)
            }
            (None, Some(journal)) => take_back(&journal),
            (None, None) => {
                // Whoever wrote a journal that is not whole has renamed nothing.
                [Beside::Undo, Beside::Journal].iter().for_each(|beside| self.remove(&beside.of(home)));
                Ok(())
            }
        }
    }

    /// Only whoever has begun to publish can go on: what they staged is not ours to trust.
    fn refuse_those_of_others(&self, home: &Path) -> Result<()> {
        let is_of_others = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|file| !self.ordinary.is_ours(&file));
        match [Beside::Undo, Beside::Journal].map(|beside| beside.of(home)).into_iter().find(is_of_others) {
            None => Ok(()),
            Some(path) => {
                Err(Error::new(format!("a run of another user was stopped while it published {}", home.display()))
                    .hint(format!("let them run it again, or remove {}", path.display())))
            }
        }
    }

    /// Is what is still staged what was verified, to the byte?
    fn is_as_verified(&self, journal: &Journal) -> bool {
        journal.entries.iter().all(|entry| {
            let new = entry.at(Beside::New);
            match fs::symlink_metadata(&new) {
                Ok(metadata) => {
                    self.ordinary.is_ours(&metadata) && Hash::of_file(&new).is_ok_and(|hash| hash == entry.hash)
                }
                // It has its name already.
                Err(_) => Hash::of_file(&entry.target).is_ok_and(|hash| hash == entry.hash),
            }
        })
    }

    fn remove(&self, path: &Path) {
        if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
            // What cannot be removed is somebody else's, and in the way: whoever needs the name will say so.
            let _ = steps::remove(path);
        }
    }
}

/// Settles what runs left in a folder whose locks are free, whatever their outputs were. It is nothing to complain about if that
/// cannot be done: they do no harm to others.
pub(super) fn sweep(folder: &Path, held: &[Lock], ordinary: &Ordinary) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut outputs: Vec<PathBuf> = entries.flatten().filter_map(|entry| output_of(&entry.path())).collect();
    outputs.sort();
    outputs.dedup();
    for output in outputs.iter().filter(|output| !held.iter().any(|lock| lock.target == **output)) {
        if let Ok(Some(lock)) = Lock::if_free(output) {
            let locks = held.iter().chain([&lock]).collect();
            let _ = Settling { locks, ordinary }.settle(&lock);
        }
    }
}

/// The folders of some outputs, each once.
pub(super) fn folders<'a>(targets: impl Iterator<Item = &'a Path>) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = targets.map(folder_of).collect();
    folders.sort();
    folders.dedup();
    folders
}

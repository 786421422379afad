//! What did a run leave behind that was killed, and what becomes of it?

use std::fs;
use std::path::{Path, PathBuf};

use super::commit::{forget_earlier, is_as_verified, name_all, take_back};
use super::folder_of;
use super::journal::Journal;
use super::lock::Lock;
use super::names::{Beside, output_of};
use super::ordinary::Ordinary;
use super::steps::{self, exists};
use shoal_core::{Error, Result};

/// Outputs that are locked, and what stands beside them is ours to settle.
pub(super) struct Settling<'a> {
    pub(super) locks: Vec<&'a Lock>,
    pub(super) ordinary: &'a Ordinary,
}

impl Settling<'_> {
    /// Completes what an earlier run had begun to publish, or takes it back, and removes whatever else it left of an output. Where
    /// that cannot be done, everything stays, and the lock keeps its note of it.
    pub(super) fn settle(&self, lock: &Lock) -> Result<()> {
        let target = &lock.target;
        self.settle_journal_of(target)?;
        if let Some(home) = lock.earlier_home.as_ref().filter(|home| *home != target) {
            self.settle_journal_of(home)?;
        }
        lock.forget_home();
        let [new, old] = [Beside::New, Beside::Old].map(|beside| beside.of(target));
        self.remove(&new);
        if self.owns(&old) && !exists(target) {
            // Its journal is gone, which nobody but a human removes.
            let _ = steps::rename(&old, target);
        }
        self.remove(&old);
        Ok(())
    }

    fn settle_journal_of(&self, home: &Path) -> Result<()> {
        self.refuse_those_of_others(home)?;
        let read = |beside| Journal::read(home, beside, self.ordinary);
        let mut others: Vec<Lock> = Vec::new();
        let journals: Vec<Journal> = LISTS.into_iter().filter_map(read).collect();
        let named = journals.iter().flat_map(|journal| &journal.entries).map(|entry| entry.target.as_path());
        for target in named.chain([home]) {
            if !self.locks.iter().copied().chain(&others).any(|lock| lock.target == target) {
                others.push(Lock::acquire(target, self.ordinary)?);
            }
        }
        // Whoever held those locks until now may have settled it.
        match LISTS.map(read) {
            [Some(done), ..] => forget_earlier(&done),
            [None, Some(undo), _] => take_back(&undo),
            [None, None, Some(journal)] => match journal.entries.iter().all(|e| is_as_verified(e, self.ordinary)) {
                true => name_all(&journal, self.ordinary).and_then(|()| forget_earlier(&journal)),
                false => take_back(&journal),
            },
            [None, None, None] => {
                // Whoever wrote a journal that is not whole has renamed nothing.
                LISTS.iter().for_each(|beside| self.remove(&beside.of(home)));
                Ok(())
            }
        }?;
        others.iter().for_each(Lock::forget_home);
        Ok(())
    }

    /// Only whoever has begun to publish can go on: what they staged is not ours to trust.
    fn refuse_those_of_others(&self, home: &Path) -> Result<()> {
        let is_of_others = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|file| !self.ordinary.is_ours(&file));
        match LISTS.map(|beside| beside.of(home)).into_iter().find(is_of_others) {
            None => Ok(()),
            Some(path) => {
                Err(Error::place(format!("a run of another user was stopped while it published {}", home.display()))
                    .hint(format!("let them run it again, or remove {}", path.display())))
            }
        }
    }

    /// What is somebody else's stays: if it is in the way, whoever needs the name will say so.
    fn remove(&self, path: &Path) {
        if self.owns(path) {
            let _ = steps::remove(path);
        }
    }

    fn owns(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|metadata| self.ordinary.owns(&metadata))
    }
}

/// The lists of outputs that may stand beside the first of them, the last stage first.
const LISTS: [Beside; 3] = [Beside::Done, Beside::Undo, Beside::Journal];

/// Settles what runs of this user left in a folder whose locks are free, whatever their outputs were. It is nothing to complain
/// about if that cannot be done: they do no harm to others.
pub(super) fn sweep(folder: &Path, held: &[Lock], ordinary: &Ordinary) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut outputs: Vec<PathBuf> = entries.flatten().filter_map(|entry| output_of(&entry.path())).collect();
    outputs.sort();
    outputs.dedup();
    for output in outputs.iter().filter(|output| !held.iter().any(|lock| lock.target == **output)) {
        let is_of_others =
            |beside: Beside| fs::symlink_metadata(beside.of(output)).is_ok_and(|metadata| !ordinary.owns(&metadata));
        if [Beside::Lock, Beside::New].into_iter().any(is_of_others) {
            continue;
        }
        if let Ok(Some(lock)) = Lock::if_free(output, ordinary) {
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

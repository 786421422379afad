//! How do several files take the places of others, all of them or none, whatever happens in between?
//!
//! Every step looks at what is there before it does anything, so that whoever finds a journal can go through all of them
//! once more. A file that is still staged was not named yet; a file that was put aside was replaced, or is about to be.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use super::identity::Identity;
use super::journal::{Entry, Journal};
use super::names::Beside;
use super::ordinary::Ordinary;
use super::steps::{self, exists};
use crate::{Error, Result};

/// Names what is staged. The companions of an earlier release go first, so that they never stand beside the new one, and the
/// new ones come last.
pub(super) fn name_all(journal: &Journal, ordinary: &Ordinary) -> Result<()> {
    let (first, companions) = journal.entries.split_first().expect("a journal has entries");
    for entry in companions {
        put_aside(entry, steps::rename)?;
    }
    // The name of a release is never without a file, where file systems have hard links.
    put_aside(first, |target, old| steps::hard_link(target, old).or_else(|_| steps::rename(target, old)))?;
    for entry in &journal.entries {
        name(entry, ordinary)?;
    }
    sync(journal)
}

/// Ends a publication: nothing is left of what was replaced.
pub(super) fn forget_earlier(journal: &Journal) -> Result<()> {
    for entry in &journal.entries {
        remove(&entry.at(Beside::Old))?;
    }
    remove(&Beside::Journal.of(journal.home()))?;
    sync(journal)
}

/// Takes a publication back: everything is as it was before.
pub(super) fn take_back(journal: &Journal) -> Result<()> {
    let (_, companions) = journal.entries.split_first().expect("a journal has entries");
    let undo = Beside::Undo.of(journal.home());
    if !exists(&undo) {
        rename(&Beside::Journal.of(journal.home()), &undo)?;
    }
    // New companions must not stand beside the earlier release.
    for entry in companions.iter().filter(|entry| !exists(&entry.at(Beside::New)) && is_new(entry)) {
        rename(&entry.target, &entry.at(Beside::New))?;
    }
    for entry in &journal.entries {
        put_back(entry)?;
    }
    sync(journal)?;
    // From here on, what is staged is no more than a leftover.
    remove(&undo)?;
    for entry in &journal.entries {
        remove(&entry.at(Beside::New))?;
    }
    sync(journal)
}

fn put_aside(entry: &Entry, aside: impl FnOnce(&Path, &Path) -> io::Result<()>) -> Result<()> {
    let old = entry.at(Beside::Old);
    if !exists(&entry.at(Beside::New)) || !exists(&entry.target) {
        return Ok(());
    }
    if is_new(entry) {
        return Err(taken(entry));
    }
    if exists(&old) {
        return Ok(());
    }
    aside(&entry.target, &old).map_err(|error| Error::io("write", &entry.target, &error))
}

fn name(entry: &Entry, ordinary: &Ordinary) -> Result<()> {
    let new = entry.at(Beside::New);
    if !exists(&new) {
        return Ok(());
    }
    let old = fs::symlink_metadata(entry.at(Beside::Old)).ok().filter(Metadata::is_file);
    ordinary.dress(&new, old.as_ref()).map_err(|error| Error::io("write", &entry.target, &error))?;
    rename(&new, &entry.target)
}

fn put_back(entry: &Entry) -> Result<()> {
    let [new, old] = [Beside::New, Beside::Old].map(|beside| entry.at(beside));
    match (exists(&new), exists(&old)) {
        // The name was never taken from it.
        (true, true) if exists(&entry.target) => remove(&old),
        (_, true) => rename(&old, &entry.target),
        // There was none before.
        (false, false) if entry.replaces.is_none() && is_new(entry) => rename(&entry.target, &new),
        (_, false) => Ok(()),
    }
}

/// Is there a file that was not there when the journal was written?
fn is_new(entry: &Entry) -> bool {
    Identity::at(&entry.target).is_some_and(|file| Some(file.inode) != entry.replaces)
}

/// Somebody has put a file there since the run began to publish: it is theirs.
fn taken(entry: &Entry) -> Error {
    let path = entry.target.display();
    Error::new(format!("an earlier run was stopped while it published {path}, and {path} was changed since"))
        .hint(format!("move {path} elsewhere, and run this again; it completes what was begun"))
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    steps::rename(from, to).map_err(|error| Error::io("write", to, &error))
}

fn remove(path: &Path) -> Result<()> {
    steps::remove(path).map_err(|error| Error::io("remove", path, &error))
}

/// A name survives a power cut only once its folder is on disk.
pub(super) fn sync(journal: &Journal) -> Result<()> {
    for folder in journal.folders() {
        steps::sync_folder(&folder).map_err(|error| Error::io("write", &folder, &error))?;
    }
    Ok(())
}

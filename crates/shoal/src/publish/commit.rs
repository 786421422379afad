//! How do several files take the places of others, all of them or none, whatever happens in between?
//!
//! Every step looks at what is there before it does anything, so that whoever finds a journal can go through all of them
//! once more. A file is known by its number and its contents, not by where it stands: what somebody else has put there, or
//! changed since, is never moved.

use std::fs;
use std::io;
use std::path::Path;

use super::hash::Hash;
use super::identity::{Identity, Version};
use super::journal::{Journal, Planned};
use super::names::Beside;
use super::ordinary::Ordinary;
use super::steps::{self, exists};
use shoal_core::{Error, Result};

/// What has the name of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    Nothing,
    /// What stood there when the journal was written.
    Earlier,
    /// What was staged.
    New,
    /// A file that is neither, or was changed since.
    Somebodys,
}

/// Names what is staged. The companions of an earlier release go first, so that they never stand beside the new one, and the
/// new ones come last.
pub(super) fn name_all(journal: &Journal, ordinary: &Ordinary) -> Result<()> {
    refuse_what_is_somebodys(journal)?;
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

/// Ends a publication: nothing is left of what was replaced. From the first step on, nobody looks at the outputs any more.
pub(super) fn forget_earlier(journal: &Journal) -> Result<()> {
    let done = Beside::Done.of(journal.home());
    if !exists(&done) {
        rename(&Beside::Journal.of(journal.home()), &done)?;
    }
    for entry in journal.entries.iter().filter(|entry| is_put_aside(entry)) {
        remove(&entry.at(Beside::Old))?;
    }
    remove(&done)?;
    sync(journal)
}

/// Takes a publication back: everything is as it was before.
pub(super) fn take_back(journal: &Journal) -> Result<()> {
    refuse_what_is_somebodys(journal)?;
    let (_, companions) = journal.entries.split_first().expect("a journal has entries");
    let undo = Beside::Undo.of(journal.home());
    if !exists(&undo) {
        rename(&Beside::Journal.of(journal.home()), &undo)?;
    }
    // New companions must not stand beside the earlier release.
    for entry in companions.iter().filter(|entry| stands(entry) == Stands::New) {
        rename(&entry.target, &entry.at(Beside::New))?;
    }
    for entry in &journal.entries {
        put_back(entry)?;
    }
    sync(journal)?;
    // From here on, what is staged is no more than a leftover.
    remove(&undo)?;
    for entry in journal.entries.iter().filter(|entry| is_staged(entry)) {
        remove(&entry.at(Beside::New))?;
    }
    sync(journal)
}

/// Is what was staged still there, to the byte, under either name?
pub(super) fn is_as_verified(entry: &Planned, ordinary: &Ordinary) -> bool {
    let new = entry.at(Beside::New);
    match fs::symlink_metadata(&new) {
        Ok(metadata) if is_staged(entry) => {
            ordinary.is_ours(&metadata) && Hash::of_file(&new).is_ok_and(|hash| hash == entry.hash)
        }
        _ => stands(entry) == Stands::New,
    }
}

fn put_aside(entry: &Planned, aside: impl FnOnce(&Path, &Path) -> io::Result<()>) -> Result<()> {
    let old = entry.at(Beside::Old);
    if !is_staged(entry) || stands(entry) != Stands::Earlier || is_put_aside(entry) {
        return Ok(());
    }
    if exists(&old) {
        return Err(Error::place(format!("{} is in the way: nobody knows what it is", old.display()))
            .hint("move it elsewhere, and run this again"));
    }
    aside(&entry.target, &old).map_err(|error| Error::io("write", &entry.target, &error))
}

fn name(entry: &Planned, ordinary: &Ordinary) -> Result<()> {
    if !is_staged(entry) {
        return Ok(());
    }
    let new = entry.at(Beside::New);
    let old = is_put_aside(entry).then(|| fs::symlink_metadata(entry.at(Beside::Old)).ok()).flatten();
    ordinary.dress(&new, old.as_ref()).map_err(|error| Error::io("write", &entry.target, &error))?;
    rename(&new, &entry.target)
}

fn put_back(entry: &Planned) -> Result<()> {
    let old = entry.at(Beside::Old);
    match (stands(entry), is_put_aside(entry)) {
        // The name was never taken from it.
        (Stands::Earlier, true) => remove(&old),
        (Stands::Nothing | Stands::New, true) => rename(&old, &entry.target),
        // There was none before.
        (Stands::New, false) => rename(&entry.target, &entry.at(Beside::New)),
        (Stands::Earlier | Stands::Nothing, false) => Ok(()),
        (Stands::Somebodys, _) => Err(somebodys(entry, None)),
    }
}

fn stands(entry: &Planned) -> Stands {
    match Version::at(&entry.target) {
        None => Stands::Nothing,
        version if version == entry.replaces => Stands::Earlier,
        Some(version) if version.inode == entry.staged => {
            let is_same = Hash::of_file(&entry.target).is_ok_and(|hash| hash == entry.hash);
            if is_same { Stands::New } else { Stands::Somebodys }
        }
        Some(_) => Stands::Somebodys,
    }
}

/// Does what was staged have no name yet?
fn is_staged(entry: &Planned) -> bool {
    Identity::at(&entry.at(Beside::New)).is_some_and(|file| file.inode == entry.staged)
}

/// Does what stood there before have the name for that?
fn is_put_aside(entry: &Planned) -> bool {
    entry.replaces.is_some() && Version::at(&entry.at(Beside::Old)) == entry.replaces
}

fn refuse_what_is_somebodys(journal: &Journal) -> Result<()> {
    let found = journal.entries.iter().find(|entry| stands(entry) == Stands::Somebodys);
    found.map_or(Ok(()), |entry| Err(somebodys(entry, Some(journal))))
}

/// Somebody has put a file there since the run began to publish, or has changed it: it is theirs.
fn somebodys(entry: &Planned, journal: Option<&Journal>) -> Error {
    let path = entry.target.display();
    let error = Error::place(format!("a run was stopped while it published {path}, and {path} was changed since"))
        .hint(format!("move {path} elsewhere, and run this again; it settles what was begun"));
    match journal {
        None => error,
        Some(journal) => {
            let path = Beside::Journal.of(journal.home());
            error.detail(format!("{} tells of it; if you know of no such run, remove that instead", path.display()))
        }
    }
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

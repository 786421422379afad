//! Which outputs are being published together?
//!
//! A journal names outputs only. What is renamed stands beside each of them under the name that Shoal gives it, and an output is
//! moved only if it is the very file that was staged, by number and contents: whoever forges a journal moves nothing else.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::folder_of;
use super::hash::Hash;
use super::identity::Version;
use super::names::{Beside, path_of};
use super::ordinary::Ordinary;
use super::steps::{create_private, write_all};
use shoal_core::{Error, Result};

/// Outputs that are published together; all but the first are about the first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Journal {
    pub(super) entries: Vec<Planned>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Planned {
    /// The output, from the root on.
    pub(super) target: PathBuf,
    /// What it will be.
    pub(super) hash: Hash,
    /// The number of the staged file, which it keeps under every name.
    pub(super) staged: u64,
    /// What stood there, if anything did.
    pub(super) replaces: Option<Version>,
}

const HEADING: &str = "shoal journal 2";

/// No journal of a run is longer than this.
const LONGEST: u64 = 1 << 20;

impl Journal {
    /// The output beside which it stands.
    pub(super) fn home(&self) -> &Path {
        &self.entries[0].target
    }

    /// All folders that something is renamed in, each once.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = self.entries.iter().map(|entry| folder_of(&entry.target)).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// A line for each output, which ends in a zero byte since a name may hold everything else; the last line is the hash of
    /// all others. Without it, the journal is not whole.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{HEADING}\n").into_bytes();
        for Planned { target, hash, staged, replaces } in &self.entries {
            let replaces = replaces.map_or_else(|| "-".to_owned(), |file| format!("{}:{}", file.inode, file.written));
            bytes.extend(format!("{hash} {staged} {replaces} ").into_bytes());
            bytes.extend(target.as_os_str().as_encoded_bytes());
            bytes.extend(b"\0\n");
        }
        let hash = Hash::of(&bytes).to_string();
        bytes.extend(hash.into_bytes());
        bytes
    }

    /// None if it is not whole.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let (body, hash) = bytes.split_at_checked(bytes.len().checked_sub(64)?)?;
        if Hash::of(body).to_string().as_bytes() != hash {
            return None;
        }
        let mut rest = body.strip_prefix(HEADING.as_bytes())?.strip_prefix(b"\n")?;
        let mut entries = Vec::new();
        while !rest.is_empty() {
            let end = rest.windows(2).position(|pair| pair == b"\0\n")?;
            entries.push(Planned::parse(&rest[..end])?);
            rest = &rest[end + 2..];
        }
        (!entries.is_empty()).then_some(Self { entries })
    }

    /// Writes it beside its first output; once this is done, the outputs will be published.
    pub(super) fn write(&self) -> Result<()> {
        let path = Beside::Journal.of(self.home());
        let written = create_private(&path).and_then(|file| write_all(&file, &self.to_bytes()));
        written.map_err(|error| Error::io("write", &path, &error))
    }

    /// The one beside an output, if it is whole, of this user, and beside the output that it names first.
    pub(super) fn read(home: &Path, beside: Beside, ordinary: &Ordinary) -> Option<Self> {
        let path = beside.of(home);
        fs::symlink_metadata(&path).ok().filter(|metadata| ordinary.is_ours(metadata))?;
        let mut bytes = Vec::new();
        File::open(&path).ok()?.take(LONGEST).read_to_end(&mut bytes).ok()?;
        let journal = Self::parse(&bytes)?;
        (journal.home() == home).then_some(journal)
    }
}

impl Planned {
    fn parse(line: &[u8]) -> Option<Self> {
        let mut parts = line.splitn(4, |byte| *byte == b' ');
        let mut word = || std::str::from_utf8(parts.next()?).ok();
        let (hash, staged) = (Hash::written(word()?)?, word()?.parse().ok()?);
        let replaces = match word()?.split_once(':') {
            Some((inode, written)) => Some(Version { inode: inode.parse().ok()?, written: written.parse().ok()? }),
            None => None,
        };
        let target = path_of(parts.next()?).filter(|path| path.is_absolute() && path.file_name().is_some())?;
        Some(Self { target, hash, staged, replaces })
    }

    /// The file beside the output that is for this.
    pub(super) fn at(&self, beside: Beside) -> PathBuf {
        beside.of(&self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal() -> Journal {
        let entry =
            |target: &str, replaces| Planned { target: target.into(), hash: Hash::of(b"x"), staged: 7, replaces };
        let earlier = Version { inode: 12, written: 1_700_000_000_123_456_789 };
        Journal { entries: vec![entry("/a/re lease\n.csv", Some(earlier)), entry("/b/report.html", None)] }
    }

    #[test]
    fn it_is_read_as_it_was_written() {
        assert_eq!(Journal::parse(&journal().to_bytes()), Some(journal()));
    }

    #[test]
    fn whatever_is_not_whole_is_none() {
        let bytes = journal().to_bytes();
        for end in 0..bytes.len() {
            assert_eq!(Journal::parse(&bytes[..end]), None, "cut after {end} bytes");
        }
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert_eq!(Journal::parse(&other), None, "another byte at {at}");
        }
        assert_eq!(Journal::parse(&vec![0; 512]), None);
    }

    #[test]
    fn one_that_was_moved_or_forged_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let ordinary = Ordinary::in_folder(folder.path()).unwrap();
        let home = folder.path().join("release.csv");
        let entry = Planned { target: home.clone(), hash: Hash::of(b"x"), staged: 7, replaces: None };
        let journal = Journal { entries: vec![entry] };
        journal.write().unwrap();
        assert_eq!(Journal::read(&home, Beside::Journal, &ordinary), Some(journal));
        let other = folder.path().join("other.csv");
        fs::rename(Beside::Journal.of(&home), Beside::Journal.of(&other)).unwrap();
        assert_eq!(Journal::read(&other, Beside::Journal, &ordinary), None, "beside another output");
        let relative = b"shoal journal 1\n".to_vec();
        assert_eq!(Journal::parse(&relative), None);
    }

    #[cfg(unix)]
    #[test]
    fn one_that_others_can_write_is_none() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let ordinary = Ordinary::in_folder(folder.path()).unwrap();
        let home = folder.path().join("release.csv");
        let entry = Planned { target: home.clone(), hash: Hash::of(b"x"), staged: 7, replaces: None };
        Journal { entries: vec![entry] }.write().unwrap();
        fs::set_permissions(Beside::Journal.of(&home), fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(Journal::read(&home, Beside::Journal, &ordinary), None);
    }
}

//! Which file does a path lead to, whatever it is called?

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::folder_of;

/// A file, by any of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    pub(super) inode: u64,
}

impl Identity {
    #[cfg(unix)]
    pub(super) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: metadata.dev(), inode: metadata.ino() }
    }

    /// Elsewhere files have no numbers that can be asked for: the time of making and the length stand for them.
    #[cfg(not(unix))]
    pub(super) fn of(metadata: &Metadata) -> Self {
        let made = metadata.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Self { device: metadata.len(), inode: made.map_or(0, |made| made.as_nanos() as u64) }
    }

    /// What stands at a path itself, be it a link; none if nothing does.
    pub(super) fn at(path: &Path) -> Option<Self> {
        fs::symlink_metadata(path).ok().map(|metadata| Self::of(&metadata))
    }

    /// The file that a path leads to.
    pub(super) fn behind(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|metadata| Self::of(&metadata))
    }
}

/// A file as it was at one moment: whoever writes to it gives it another time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) inode: u64,
    /// When it was last written to, in nanoseconds since 1970.
    pub(super) written: u128,
}

impl Version {
    pub(super) fn of(metadata: &Metadata) -> Self {
        let written = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Self { inode: Identity::of(metadata).inode, written: written.map_or(0, |written| written.as_nanos()) }
    }

    /// What stands at a path itself; none if nothing does.
    pub(super) fn at(path: &Path) -> Option<Self> {
        fs::symlink_metadata(path).ok().map(|metadata| Self::of(&metadata))
    }
}

/// Do two paths lead to one file, whether it exists yet or not? Hard links do, too.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    match (Identity::behind(a), Identity::behind(b)) {
        (Some(a), Some(b)) => a == b,
        (None, None) => is_same_name(a, b),
        _ => false,
    }
}

/// A file that does not exist yet is known by its folder.
fn is_same_name(a: &Path, b: &Path) -> bool {
    let folders = (folder_of(a).canonicalize(), folder_of(b).canonicalize());
    a == b || (a.file_name() == b.file_name() && matches!(folders, (Ok(a), Ok(b)) if a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_by_two_names_is_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(is_same_file(&at("a.csv"), &at("./a.csv")), "before it exists");
        fs::write(at("a.csv"), "x").unwrap();
        assert!(is_same_file(&at("a.csv"), &at("./a.csv")));
        assert!(!is_same_file(&at("a.csv"), &at("b.csv")));
        fs::hard_link(at("a.csv"), at("b.csv")).unwrap();
        assert!(is_same_file(&at("a.csv"), &at("b.csv")), "a hard link");
        fs::write(at("c.csv"), "x").unwrap();
        assert!(!is_same_file(&at("a.csv"), &at("c.csv")));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.csv"), "x").unwrap();
        std::os::unix::fs::symlink(at("a.csv"), at("b.csv")).unwrap();
        assert!(is_same_file(&at("a.csv"), &at("b.csv")));
        assert_ne!(Identity::at(&at("b.csv")), Identity::behind(&at("b.csv")));
    }
}

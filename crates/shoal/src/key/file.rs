//! How is a secret kept in a file that nobody else can read?

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use shoal_core::{Error, Result};

/// What to do about a file that others can read.
pub const MODE_HINT: &str = "chmod 600";

/// No key is longer.
const MOST_BYTES: u64 = 1 << 16;

/// Who is to read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    Owner,
    Everybody,
}

/// Writes a new file. One that is there already is never replaced: whoever loses a key loses what it was for.
pub(super) fn create(path: &Path, text: &str, readers: Readers) -> Result<()> {
    let cannot = |error: &std::io::Error| Error::io("write", path, error);
    // Half a key is none: it has a name of its own until it is whole, and that of nothing that is there.
    let mut builder = tempfile::Builder::new();
    builder.prefix(".shoal-key-");
    #[cfg(unix)]
    {
        let mode = if readers == Readers::Owner { 0o600 } else { 0o644 };
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = readers;
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut file = builder.tempfile_in(folder).map_err(|error| cannot(&error))?;
    file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(|error| cannot(&error))?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(failed) if failed.error.kind() == std::io::ErrorKind::AlreadyExists => Err(refuse_existing(path)),
        Err(failed) => Err(cannot(&failed.error)),
    }
}

/// A key that is there is not replaced.
pub(super) fn refuse_existing(path: &Path) -> Error {
    Error::place(format!("{} is there already, and a key is never replaced", path.display()))
        .hint("choose another name; without the old key nobody can go on where it was used")
}

/// Reads a secret that is a text, and says whether somebody else can, too.
pub(super) fn read(path: &Path) -> Result<(String, bool)> {
    let (bytes, is_open) = read_bytes(path)?;
    let text =
        String::from_utf8(bytes).map_err(|_| Error::policy(format!("the key in {} is no text", path.display())))?;
    Ok((text, is_open))
}

/// Reads a secret, and says whether somebody else can, too. The open file is asked, not its name.
pub(super) fn read_bytes(path: &Path) -> Result<(Vec<u8>, bool)> {
    let cannot = |error: std::io::Error| Error::io("read the key", path, &error);
    let file = File::open(path).map_err(cannot)?;
    let is_open = is_open_by_mode(&file.metadata().map_err(cannot)?);
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Error::place(format!("{} is too long to be a key", path.display())));
    }
    Ok((bytes, is_open))
}

/// Can anybody but its owner read or write this file? No, where there is none.
pub fn is_open_to_others(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| is_open_by_mode(&metadata))
}

#[cfg(unix)]
fn is_open_by_mode(metadata: &std::fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o066 != 0
}

/// Elsewhere files have lists of who may do what, which are not looked at.
#[cfg(not(unix))]
fn is_open_by_mode(_: &std::fs::Metadata) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_secret_is_its_owners_alone_and_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        create(&path, "secret", Readers::Owner).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(!is_open_to_others(&path));
        let error = create(&path, "other", Readers::Owner).unwrap_err();
        assert!(error.message().contains("is there already"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "what was refused leaves nothing");
        assert_eq!(read(&path).unwrap(), ("secret".to_owned(), false));
        for mode in [0o640, 0o604, 0o620, 0o602] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            assert!(is_open_to_others(&path) && read(&path).unwrap().1, "{mode:o}");
        }
    }

    #[test]
    fn a_link_is_not_followed_when_a_key_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let (link, target) = (folder.path().join("link"), folder.path().join("target"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert!(create(&link, "secret", Readers::Owner).is_err());
        assert!(!target.exists());
    }
}

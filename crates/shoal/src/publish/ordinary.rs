//! What does a file look like that somebody makes in a folder, and whose is it?

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::path::Path;

/// What the user's own umask makes of a new file, and who that user is.
#[derive(Debug, Clone)]
pub(super) struct Ordinary {
    permissions: Permissions,
    #[cfg(unix)]
    owner: u32,
}

impl Ordinary {
    /// Makes an empty file in a folder, looks at it and removes it: neither can be asked for in another way everywhere.
    pub(super) fn in_folder(folder: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".shoal-").suffix(".new");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let metadata = builder.tempfile_in(folder)?.as_file().metadata()?;
        Ok(Self {
            permissions: metadata.permissions(),
            #[cfg(unix)]
            owner: std::os::unix::fs::MetadataExt::uid(&metadata),
        })
    }

    /// Is this a file of this user?
    #[cfg(unix)]
    pub(super) fn owns(&self, metadata: &Metadata) -> bool {
        metadata.is_file() && std::os::unix::fs::MetadataExt::uid(metadata) == self.owner
    }

    #[cfg(not(unix))]
    pub(super) fn owns(&self, metadata: &Metadata) -> bool {
        metadata.is_file()
    }

    /// Is this a file of this user that nobody else may write to?
    #[cfg(unix)]
    pub(super) fn is_ours(&self, metadata: &Metadata) -> bool {
        self.owns(metadata) && std::os::unix::fs::MetadataExt::mode(metadata) & 0o022 == 0
    }

    #[cfg(not(unix))]
    pub(super) fn is_ours(&self, metadata: &Metadata) -> bool {
        self.owns(metadata)
    }

    /// Lets `new` be read and written by whom `old` was, or by whom any new file would be.
    pub(super) fn dress(&self, new: &Path, old: Option<&Metadata>) -> io::Result<()> {
        let Some(old) = old else { return fs::set_permissions(new, self.permissions.clone()) };
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown};
            let now = fs::symlink_metadata(new)?;
            if (now.uid(), now.gid()) != (old.uid(), old.gid()) {
                // Only some may give a file away. Whoever may not has made a file that is theirs, as any other.
                let _ = lchown(new, Some(old.uid()), Some(old.gid()));
            }
            fs::set_permissions(new, Permissions::from_mode(old.mode() & 0o777))
        }
        #[cfg(not(unix))]
        fs::set_permissions(new, old.permissions())
    }
}

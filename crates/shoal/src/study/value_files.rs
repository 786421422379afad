//! Are the files that say what values become still those that were read?

use std::path::PathBuf;

use shoal_core::{Error, Result};

use crate::policy::Policy;
use crate::publish::Hash;

/// The hierarchies and groups of a policy that are in files, as they were when they were read.
pub(super) struct ValueFiles(Vec<(PathBuf, Hash)>);

impl ValueFiles {
    /// As they are now. What gives its bytes only once, such as a pipe, is left out, and so is what cannot be read: whoever needs it says so.
    pub(super) fn of(policy: &Policy) -> Self {
        let files = policy.value_files().map(|(_, path)| path).filter(|path| path.is_file());
        Self(files.filter_map(|path| Hash::of_file(&path).ok().map(|hash| (path, hash))).collect())
    }

    /// An error if one of them is another by now.
    pub(super) fn refuse_changed(&self) -> Result<()> {
        let is_another = |(path, hash): &&(PathBuf, Hash)| Hash::of_file(path).ok().as_ref() != Some(hash);
        match self.0.iter().find(is_another) {
            None => Ok(()),
            Some((path, _)) => {
                Err(Error::changed(format!("{} was changed since the table was counted", path.display()))
                    .detail("a recipe names it as it is now, and the release goes by what it was")
                    .hint("count the table anew"))
            }
        }
    }
}

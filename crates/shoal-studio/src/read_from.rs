//! What was a table read from, and what a policy names beside it, and would reading it again give the same?

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use shoal::Policy;
use shoal_format::{InputFormat, file_of};

/// When a file was last written, and how long it is.
pub type Written = (SystemTime, u64);

/// Files, and when each was written.
pub type Files = Vec<(PathBuf, Option<Written>)>;

/// All that a policy names to be read beside its table: hierarchies, groups and keys.
pub fn beside(policy: &Policy) -> Files {
    let table = policy.input.path.as_ref().map(|path| file_of(&policy.folder.join(path)));
    let files = policy.files().into_iter().map(|(_, path)| path).filter(|path| Some(path) != table.as_ref());
    files.map(|path| (path.clone(), written(&path))).collect()
}

/// What a table was read from.
pub struct ReadFrom {
    /// Its file, and how that is read.
    pub input: InputFormat,
    /// When the file was written, as of before it was read.
    pub written: Option<Written>,
}

impl ReadFrom {
    /// As the file is now.
    pub fn now(input: &InputFormat) -> Self {
        Self { input: input.clone(), written: written(&input.path) }
    }

    /// Would reading with this format give the same, as long as nobody writes to the file?
    pub fn is_as(&self, input: &InputFormat) -> bool {
        self.input.path == input.path && decisive(&self.input) == decisive(input)
    }
}

/// Whatever decides about the values that are read, as text: all but what is known of the columns, and how a release is written.
fn decisive(input: &InputFormat) -> String {
    let (names, release_escapes_formulas, handle) = Default::default();
    format!("{:?}", InputFormat { names, release_escapes_formulas, handle, ..input.clone() })
}

/// When a table was written; one of many files, when the last of them was, and how long all are together.
pub fn written(path: &Path) -> Option<Written> {
    let file = file_of(path);
    let metadata = std::fs::metadata(&file).ok()?;
    let mut latest = (metadata.modified().ok()?, metadata.len());
    if metadata.is_dir() {
        for part in std::fs::read_dir(&file).ok()?.flatten() {
            let Ok(part) = part.metadata() else { continue };
            latest = (latest.0.max(part.modified().ok()?), latest.1 + part.len());
        }
    }
    Some(latest)
}

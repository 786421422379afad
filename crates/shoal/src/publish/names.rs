//! What are the files called that stand beside an output while it is made?

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What a file beside an output is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// Held by the run that owns the output and everything beside it.
    Lock,
    /// What the output will be.
    New,
    /// What the output was.
    Old,
    /// A list of outputs that are being published together.
    Journal,
    /// A list of outputs whose publication is being taken back.
    Undo,
    /// A list of outputs that are published; what they replaced is being removed.
    Done,
}

const PREFIX: &str = ".shoal-";

impl Beside {
    const ALL: [Self; 6] = [Self::Lock, Self::New, Self::Old, Self::Journal, Self::Undo, Self::Done];

    fn ending(self) -> &'static str {
        match self {
            Self::Lock => ".lock",
            Self::New => ".new",
            Self::Old => ".old",
            Self::Journal => ".journal",
            Self::Undo => ".undo",
            Self::Done => ".done",
        }
    }

    /// `a/release.csv` has `a/.shoal-release.csv.new` beside it.
    pub(super) fn of(self, output: &Path) -> PathBuf {
        let mut name = OsString::from(PREFIX);
        name.push(output.file_name().unwrap_or_default());
        name.push(self.ending());
        output.with_file_name(name)
    }
}

/// The output that a file stands beside, judging by its name.
pub(super) fn output_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.as_encoded_bytes().strip_prefix(PREFIX.as_bytes())?;
    let output = Beside::ALL.iter().find_map(|beside| name.strip_suffix(beside.ending().as_bytes()))?;
    (!output.is_empty()).then(|| path_of(output).map(|output| path.with_file_name(output))).flatten()
}

/// Is this a name that Shoal gives to files beside outputs?
pub(super) fn is_beside(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
}

/// The path that these bytes were.
pub(super) fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        let text: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(bytes);
        Some(PathBuf::from(text))
    }
    #[cfg(not(unix))]
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_is_found_by_what_stands_beside_it() {
        for beside in Beside::ALL {
            assert_eq!(output_of(&beside.of(Path::new("a/b.csv"))), Some("a/b.csv".into()));
        }
        assert_eq!(Beside::New.of(Path::new("b.csv")), Path::new(".shoal-b.csv.new"));
        for other in ["a/b.csv", "a/.b.csv.new", "a/.shoal-b.csv", "a/.shoal-.new", "a/.shoal-b.csv.new.bak"] {
            assert_eq!(output_of(Path::new(other)), None, "{other}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_need_not_be_text() {
        let output = path_of(b"a/\xff.csv").unwrap();
        assert_eq!(output_of(&Beside::Old.of(&output)), Some(output));
    }
}

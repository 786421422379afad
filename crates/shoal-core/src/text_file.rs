//! What does a small file of text say?
//!
//! Policies, recipes, hierarchies and the like are read as a whole, so that there is a limit to them: a device or a file that
//! somebody else made could go on for ever.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::{Error, Result};

const MOST_BYTES: u64 = 1 << 28;

/// The bytes of a file; `doing` is what is said to have failed otherwise.
pub fn bytes(doing: &str, path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| Error::io(doing, path, &error))?;
    match bytes.len() as u64 > MOST_BYTES {
        true => {
            Err(Error::place(format!("cannot {doing} {}: it is larger than {} MiB", path.display(), MOST_BYTES >> 20))
                .hint("is it the right file?"))
        }
        false => Ok(bytes),
    }
}

/// The text of a file.
pub fn text(doing: &str, path: &Path) -> Result<String> {
    let no_text = || io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text");
    String::from_utf8(bytes(doing, path)?).map_err(|_| Error::io(doing, path, &no_text()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_for_ever_is_given_up() {
        let error = text("read", Path::new("/dev/zero")).expect_err("no end").to_string();
        assert_eq!(error, "cannot read /dev/zero: it is larger than 256 MiB\nhint: is it the right file?");
    }

    #[test]
    fn what_is_no_text_is_called_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.toml");
        std::fs::write(&path, b"a\xff").expect("a file");
        assert!(text("read", &path).expect_err("no text").message().ends_with("it is not UTF-8 text"));
        std::fs::write(&path, "ä").expect("a file");
        assert_eq!(text("read", &path).expect("a text"), "ä");
    }
}

//! Is a file still the one that was published, to the byte?

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use shoal_core::{Error, Result};

/// The SHA-256 of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash(String);

/// Digits that are read back are no hash unless they are written as one.
impl TryFrom<String> for Hash {
    type Error = &'static str;

    fn try_from(text: String) -> std::result::Result<Self, Self::Error> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        match text.len() == 64 && text.bytes().all(is_digit) {
            true => Ok(Self(text)),
            false => Err("a SHA-256 has 64 digits from 0 to f"),
        }
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        hash.0
    }
}

impl Hash {
    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::finished(Sha256::new_with_prefix(bytes))
    }

    /// Of what a file has.
    pub fn of_file(path: &Path) -> Result<Self> {
        File::open(path).and_then(|file| Self::of_handle(&file)).map_err(|error| Error::io("read", path, &error))
    }

    /// Of what an open file has, from its first byte on. Where somebody else reads from the same handle, they are not disturbed.
    pub(crate) fn of_handle(file: &File) -> io::Result<Self> {
        let (mut hasher, mut buffer, mut offset) = (Sha256::new(), vec![0; 1 << 18], 0);
        loop {
            match read_at(file, &mut buffer, offset)? {
                0 => return Ok(Self::finished(hasher)),
                bytes => {
                    hasher.update(&buffer[..bytes]);
                    offset += bytes as u64;
                }
            }
        }
    }

    /// One that was written down.
    pub(super) fn written(text: &str) -> Option<Self> {
        (text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())).then(|| Self(text.to_owned()))
    }

    fn finished(hasher: Sha256) -> Self {
        Self(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// Can a file be hashed while others read it through the same handle?
pub(super) const READS_ANYWHERE: bool = cfg!(unix);

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    use std::io::{Read, Seek};
    file.seek(io::SeekFrom::Start(offset))?;
    file.read(buffer)
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_one_of_the_standard() {
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Hash::of(b"abc").to_string(), expected);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(Hash::of_file(&path).unwrap(), Hash::of(b"abc"));
        assert_eq!(Hash::written(expected), Some(Hash::of(b"abc")));
        assert_eq!(Hash::written("abc"), None);
    }
}

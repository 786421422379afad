//! How does a file that was dropped onto the page get into the folder of the studio?

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};

use shoal::{Error, Result};
use tempfile::NamedTempFile;

use super::files::is_table;
use crate::studio::{Studio, is_policy};

/// More is not taken from a page: a file of this size is better named where the studio is started.
pub const LARGEST: u64 = 2 << 30;

/// A file that is on its way.
pub struct Receiving {
    target: PathBuf,
    name: String,
    staged: NamedTempFile,
    bytes: u64,
}

impl Receiving {
    /// Begins with a file, unless its name says that it is neither a table nor a policy.
    pub fn begin(studio: &Studio, name: &str) -> Result<Self> {
        let mut parts = Path::new(name).components();
        let is_plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
            && !name.starts_with('.')
            && !name.contains(['/', '\\'])
            && !name.chars().any(char::is_control)
            && name.len() <= 200;
        if !is_plain {
            return Err(Error::place("this is no name of a file"));
        }
        if !is_table(name) && !is_policy(Path::new(name)) {
            return Err(Error::place(format!("the name {name} does not end as that of a table that can be read"))
                .hint("see `shoal explain formats`"));
        }
        let folder = studio.jail.folder();
        let target = studio.jail.file(&folder.join(name))?;
        let staged = NamedTempFile::new_in(folder).map_err(|error| Error::io("write", folder, &error))?;
        Ok(Self { target, name: name.to_owned(), staged, bytes: 0 })
    }

    /// Takes the next bytes.
    pub fn take(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes += bytes.len() as u64;
        if self.bytes > LARGEST {
            return Err(Error::place(format!("{} is larger than {} GiB", self.name, LARGEST >> 30))
                .hint(format!("put it into the folder, and run `shoal studio {}`", self.name)));
        }
        self.staged.write_all(bytes).map_err(|error| Error::io("write", &self.target, &error))
    }

    /// Gives it its name. The same file under the same name stays as it is; another one is never replaced.
    pub fn end(mut self) -> Result<PathBuf> {
        let failed = |error: &std::io::Error, target: &Path| Error::io("write", target, error);
        self.staged.flush().map_err(|error| failed(&error, &self.target))?;
        if self.target.exists() {
            let is_same = is_same(self.staged.path(), &self.target).map_err(|error| failed(&error, &self.target))?;
            return match is_same {
                true => Ok(self.target),
                false => Err(Error::place(format!("the folder has another file {} already", self.name))
                    .hint("open that one, or give yours another name")),
            };
        }
        self.staged.persist_noclobber(&self.target).map_err(|error| failed(&error.error, &self.target))?;
        Ok(self.target)
    }
}

fn is_same(one: &Path, other: &Path) -> std::io::Result<bool> {
    let (one, other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(one).bytes(), BufReader::new(other).bytes());
    loop {
        match (one.next().transpose()?, other.next().transpose()?) {
            (None, None) => return Ok(true),
            (a, b) if a != b => return Ok(false),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jail::Jail;

    #[test]
    fn a_file_gets_its_name_and_takes_no_other_place() {
        let folder = tempfile::tempdir().unwrap();
        let studio = Studio::new(Jail::new(folder.path(), None).unwrap());
        let send = |name: &str, bytes: &[u8]| -> Result<PathBuf> {
            let mut receiving = Receiving::begin(&studio, name)?;
            bytes.chunks(3).try_for_each(|chunk| receiving.take(chunk))?;
            receiving.end()
        };
        let path = send("a.csv", b"age\n31\n").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"age\n31\n");
        assert_eq!(send("a.csv", b"age\n31\n").unwrap(), path);
        for other in [&b"age\n32\n"[..], b"age\n31\n\n", b""] {
            assert!(send("a.csv", other).unwrap_err().message().contains("another file"));
        }
        assert_eq!(std::fs::read(&path).unwrap(), b"age\n31\n");
        // One that never ends leaves nothing.
        drop(Receiving::begin(&studio, "b.csv").unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_too_large_is_not_taken_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let studio = Studio::new(Jail::new(folder.path(), None).unwrap());
        let mut receiving = Receiving::begin(&studio, "a.csv").unwrap();
        // As if all but the last byte had come.
        receiving.bytes = LARGEST - 1;
        receiving.take(b"1").unwrap();
        let error = receiving.take(b"2").unwrap_err();
        assert_eq!(error.message(), "a.csv is larger than 2 GiB");
        assert!(error.hint_text().unwrap().contains("shoal studio a.csv"));
        drop(receiving);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn no_name_leads_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let studio = Studio::new(Jail::new(folder.path(), None).unwrap());
        for name in ["../a.csv", "/tmp/a.csv", "a/b.csv", "a\\b.csv", ".a.csv", "", "..", ".", "a\n.csv", "a.exe", "a"]
        {
            assert!(Receiving::begin(&studio, name).is_err(), "{name:?}");
        }
        assert!(Receiving::begin(&studio, &format!("{}.csv", "a".repeat(300))).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

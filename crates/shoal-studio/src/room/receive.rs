//! How does a file that was dropped onto the page get into the folder of the studio?

use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use shoal::publish::{Intent, OutputKind, Outputs, StagedFile};
use shoal::{Error, Result};

use super::files::is_table;
use crate::studio::{Studio, is_policy};

/// More is not taken from a page: a file of this size is better named where the studio is started.
pub const LARGEST: u64 = 2 << 30;

/// A file that is on its way.
pub struct Receiving {
    target: PathBuf,
    name: String,
    /// None where a file has the name already, with which this one is compared.
    claimed: Option<Outputs>,
    staged: Arc<StagedFile>,
    file: File,
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
        let (claimed, staged) = match target.exists() {
            true => (None, Outputs::scratch().create(&target)?),
            false => {
                let mut intent = Intent::new(false);
                intent.writes("the file", &target, OutputKind::Edited);
                let mut outputs = intent.claim()?;
                let staged = outputs.create(&target)?;
                (Some(outputs), staged)
            }
        };
        let file = staged.writer()?;
        Ok(Self { target, name: name.to_owned(), claimed, staged, file, bytes: 0 })
    }

    /// Takes the next bytes.
    pub fn take(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes += bytes.len() as u64;
        if self.bytes > LARGEST {
            return Err(Error::place(format!("{} is larger than {} GiB", self.name, LARGEST >> 30))
                .hint(format!("put it into the folder, and run `shoal studio {}`", self.name)));
        }
        self.file.write_all(bytes).map_err(|error| Error::io("write", &self.target, &error))
    }

    /// Gives it its name. The same file under the same name stays as it is; another one is never replaced.
    pub fn end(mut self) -> Result<PathBuf> {
        if self.target.exists() {
            let is_same = is_same(&mut self.file, &self.target);
            return match is_same.map_err(|error| Error::io("write", &self.target, &error))? {
                true => Ok(self.target),
                false => Err(Error::place(format!("the folder has another file {} already", self.name))
                    .hint("open that one, or give yours another name")),
            };
        }
        let Some(outputs) = self.claimed else {
            return Err(Error::changed(format!("{} was removed from the folder meanwhile", self.name))
                .hint("drop it onto the page once more"));
        };
        self.staged.written_by(|_| Ok(()))?;
        outputs.publish()?;
        Ok(self.target)
    }
}

fn is_same(one: &mut File, other: &Path) -> std::io::Result<bool> {
    one.rewind()?;
    let other = File::open(other)?;
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
    fn what_never_came_whole_is_found_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let studio = Studio::new(Jail::new(folder.path(), None).unwrap());
        let names = || -> Vec<String> {
            let entries = std::fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        };
        let mut receiving = Receiving::begin(&studio, "a.csv").unwrap();
        receiving.take(b"age\n").unwrap();
        assert_eq!(names(), [".shoal-a.csv.lock", ".shoal-a.csv.new"]);
        // As a program leaves them that is killed.
        std::fs::write(folder.path().join(".shoal-gone.csv.new"), "age\n").unwrap();
        std::fs::write(folder.path().join(".shoal-gone.csv.lock"), "").unwrap();
        let mut other = Receiving::begin(&studio, "b.csv").unwrap();
        assert!(!names().iter().any(|name| name.contains("gone")), "{:?}", names());
        // Nobody takes a name that another one is about to get.
        assert!(Receiving::begin(&studio, "a.csv").is_err());
        other.take(b"zip\n").unwrap();
        other.end().unwrap();
        receiving.end().unwrap();
        assert_eq!(names(), ["a.csv", "b.csv"]);
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

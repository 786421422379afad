//! Which bytes are audited, whatever has the name of the table by then?

use std::fs::File;
use std::path::Path;

use shoal::source::{HeldFile, Table};
use shoal_core::{Error, Result};
use shoal_format::{self as format, InputFormat};
use shoal_report::{Hash, Hashes};

/// The tables of an audit that somebody will rely on: each is one open file, and what is counted is what was hashed.
pub struct HeldTables {
    /// The release.
    pub release: Table,
    /// The table of sensitive values, of a release in two tables.
    pub sensitive: Option<Table>,
}

impl HeldTables {
    /// Opens them.
    pub fn open(release: &Path, sensitive: Option<&Path>) -> Result<Self> {
        Ok(Self { release: hold(release)?, sensitive: sensitive.map(hold).transpose()? })
    }

    /// The hashes of both. A folder has none.
    pub fn hashes(&self) -> Result<Hashes> {
        let sensitive = self.sensitive.as_ref().map(hash).transpose()?.flatten();
        Ok(Hashes { release: hash(&self.release)?, sensitive, ..Hashes::default() })
    }

    /// The columns of the table of sensitive values.
    pub fn sensitive_columns(&self) -> Result<Option<Vec<String>>> {
        let input = |table: &Table| match table {
            Table::Held(file) => file.input(|path| InputFormat::new(path)),
            other => InputFormat::new(other.path().unwrap_or(Path::new(""))),
        };
        let columns = |table: &Table| Ok::<_, Error>(format::open(&input(table))?.columns().to_vec());
        self.sensitive.as_ref().map(columns).transpose()
    }

    /// Refuses to say anything of tables that were written to since these were their hashes.
    pub fn refuse_changed(&self, before: &Hashes) -> Result<()> {
        let now = self.hashes()?;
        let is_changed = (&now.release, &now.sensitive) != (&before.release, &before.sensitive);
        match is_changed {
            true => Err(Error::changed(format!("{} was changed while it was audited", self.release))
                .hint("run it again when no other program writes to it")),
            false => Ok(()),
        }
    }
}

/// A database opens its file by itself, again and again, and a folder is none.
fn hold(path: &Path) -> Result<Table> {
    if !path.is_file() || format::check_written(path).is_err() {
        return Ok(path.into());
    }
    let file = File::open(path).map_err(|error| Error::io("read", path, &error))?;
    Ok(Table::Held(HeldFile::new(path, file)))
}

fn hash(table: &Table) -> Result<Option<Hash>> {
    match table {
        Table::Held(file) => file.hash().map(Some),
        other => match format::file_of(other.path().unwrap_or(Path::new(""))) {
            folder if folder.is_dir() => Ok(None),
            file => Hash::of_file(&file).map(Some),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shoal::audit::AuditRequest;
    use shoal_core::watch::Unwatched;

    #[test]
    fn what_is_counted_is_what_was_hashed() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["release.csv", "other.csv"].map(|name| folder.path().join(name));
        std::fs::write(&path, "a\n1\n1\n").unwrap();
        let held = HeldTables::open(&path, None).unwrap();
        let hashes = held.hashes().unwrap();
        std::fs::write(&other, "a\n1\n2\n3\n").unwrap();
        std::fs::rename(&other, &path).unwrap();
        let audit = AuditRequest::new(held.release.clone()).quasi(["a"]).run(&Unwatched).unwrap();
        assert_eq!((audit.rows, hashes.release), (2, Some(Hash::of(b"a\n1\n1\n"))), "another file has its name");
        held.refuse_changed(&held.hashes().unwrap()).unwrap();
    }

    #[test]
    fn who_writes_to_it_meanwhile_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("release.csv");
        std::fs::write(&path, "a\n1\n1\n").unwrap();
        let held = HeldTables::open(&path, None).unwrap();
        let hashes = held.hashes().unwrap();
        std::fs::write(&path, "a\n1\n2\n").unwrap();
        assert!(held.refuse_changed(&hashes).unwrap_err().message().contains("was changed while it was audited"));
    }
}

//! How does a release that is written to temporary files get its name, or both of its names?

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::files::{folder_of, memory_limit};
use super::{Published, Staged};
use crate::format::{self, Dialect, Formulas, InputFormat};
use crate::outsider::OutsiderTable;
use crate::policy::{Policy, Role, Suppressed};
use crate::progress::Progress;
use crate::table::MissingMarkers;
use crate::warning::Warning;
use crate::{Error, Result};

/// A file in the folder of `path`, whose name ends as `path` does and begins with a dot.
pub(super) fn temporary_file(path: &Path) -> Result<NamedTempFile> {
    let name = path.file_name().ok_or_else(|| Error::new(format!("{} is not a file name", path.display())))?;
    let mut builder = Builder::new();
    let suffix = format!(".{}", name.to_string_lossy());
    builder.prefix(".").suffix(&suffix);
    #[cfg(unix)]
    {
        // What the user's own umask makes of it, as for any other file.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path)).map_err(|error| Error::io("write", path, &error))
}

/// Writes a file, all of it or nothing.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    let mut file = temporary_file(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
    written.map_err(|error| Error::io("write", path, &error))?;
    name(Unnamed { file, path: path.to_owned() })
}

/// A file and the name it is to get.
pub(super) struct Unnamed {
    pub(super) file: NamedTempFile,
    pub(super) path: PathBuf,
}

pub(super) struct StagedFile {
    pub(super) release: Unnamed,
    /// The table of sensitive values, where the release has one.
    pub(super) sensitive: Option<Unnamed>,
    pub(super) dialect: Dialect,
    pub(super) write_seconds: f64,
}

impl Staged for StagedFile {
    fn count(&self, policy: &Policy, progress: &dyn Progress) -> Result<OutsiderTable> {
        let names = |role| policy.with_role(role).map(|column| column.name.clone()).collect::<Vec<_>>();
        let open = |unnamed: &Unnamed| format::open(&InputFormat::written_like(unnamed.file.path(), &self.dialect));
        let markers = MissingMarkers::new(policy.input.missing.clone()).written();
        let (sensitive, exempt) = (names(Role::Sensitive), policy.output.suppressed == Suppressed::Keep);
        let mut reader = open(&self.release)?;
        match (&self.sensitive, policy.method.method.separates()) {
            (Some(table), Some(link)) => OutsiderTable::read_separated(
                reader.as_mut(),
                open(table)?.as_mut(),
                (link.class, link.count),
                &sensitive,
                &markers,
                exempt,
                progress,
            ),
            _ => {
                let quasi = names(Role::QuasiIdentifier);
                let limit = memory_limit(policy, &self.release.path);
                let limit = limit.as_ref();
                OutsiderTable::read_within(limit, reader.as_mut(), &quasi, &sensitive, &markers, exempt, progress)
            }
        }
    }

    fn write_seconds(&self) -> f64 {
        self.write_seconds
    }

    fn warnings(&self) -> Vec<Warning> {
        formulas_warning(&self.dialect.formulas).into_iter().collect()
    }

    fn publish(self: Box<Self>) -> Result<Published> {
        let Self { release, sensitive, .. } = *self;
        let published = Published {
            release: release.path.display().to_string(),
            sensitive: sensitive.as_ref().map(|table| table.path.display().to_string()),
        };
        let folders = [Some(folder_of(&release.path)), sensitive.as_ref().map(|table| folder_of(&table.path))];
        match sensitive {
            None => name(release)?,
            Some(sensitive) => name_both(release, sensitive)?,
        }
        // A rename survives a power cut only once the folder is on disk; where that cannot be asked for, the release is
        // still whole.
        for folder in folders.into_iter().flatten() {
            if let Ok(folder) = fs::File::open(folder) {
                let _ = folder.sync_all();
            }
        }
        Ok(published)
    }
}

fn name(unnamed: Unnamed) -> Result<()> {
    let Unnamed { file, path } = unnamed;
    file.persist(&path).map(|_| ()).map_err(|error| Error::io("write", &path, &error.error))
}

/// Whoever opens a release in a spreadsheet program should not run what somebody wrote into the table.
fn formulas_warning(formulas: &Formulas) -> Option<Warning> {
    let text = match (formulas.were_kept(), formulas.are_escaped()) {
        (false, _) => return None,
        (true, false) => {
            "cells of the release begin like a formula, which a spreadsheet program would run; if the release may be opened in \
             one, set `formulas = \"escape\"` in [output]"
        }
        (true, true) => {
            "the name of a column begins like a formula, which a spreadsheet program would run, and stays as it is: rename it"
        }
    };
    Some(Warning::new("formulas", text))
}

/// Gives both tables their names, or neither.
///
/// An earlier release is put aside first, its table of sensitive values before the rows: at no moment do rows of one
/// release stand beside sensitive values of another. Then the rows come, then the sensitive values. If one of these steps
/// fails, everything is as it was before; if the machine stops between two of them, what is left is rows without
/// sensitive values, or nothing: either tells less than the release, and the next run replaces it.
fn name_both(release: Unnamed, sensitive: Unnamed) -> Result<()> {
    let earlier_sensitive = PutAside::new(&sensitive.path)?;
    let earlier_release = PutAside::new(&release.path).inspect_err(|_| earlier_sensitive.put_back())?;
    let release_path = release.path.clone();
    let named = name(release).and_then(|()| {
        name(sensitive).inspect_err(|_| {
            // Rows alone are no release.
            let _ = fs::remove_file(&release_path);
        })
    });
    named.inspect_err(|_| {
        earlier_release.put_back();
        earlier_sensitive.put_back();
    })
}

/// A file under another name, which vanishes unless it is put back.
struct PutAside {
    path: PathBuf,
    aside: Option<NamedTempFile>,
}

impl PutAside {
    /// Nothing, if there is no such file.
    fn new(path: &Path) -> Result<Self> {
        let aside = temporary_file(path)?;
        match fs::rename(path, aside.path()) {
            Ok(()) => Ok(Self { path: path.to_owned(), aside: Some(aside) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self { path: path.to_owned(), aside: None }),
            Err(error) => Err(Error::io("write", path, &error)),
        }
    }

    fn put_back(&self) {
        if let Some(aside) = &self.aside {
            let _ = fs::rename(aside.path(), &self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn unnamed(path: &Path, text: &str) -> Unnamed {
        let mut file = temporary_file(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Unnamed { file, path: path.to_owned() }
    }

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn both_tables_replace_an_earlier_release() {
        let folder = tempfile::tempdir().unwrap();
        let [rows, values] = ["r.csv", "s.csv"].map(|name| folder.path().join(name));
        for text in ["first", "second"] {
            name_both(unnamed(&rows, text), unnamed(&values, text)).unwrap();
            assert_eq!([&rows, &values].map(|path| fs::read_to_string(path).unwrap()), [text; 2]);
            assert_eq!(files(folder.path()), ["r.csv", "s.csv"]);
        }
    }

    #[test]
    fn if_one_table_cannot_be_named_all_is_as_before() {
        let folder = tempfile::tempdir().unwrap();
        let [rows, values] = ["r.csv", "s.csv"].map(|name| folder.path().join(name));
        name_both(unnamed(&rows, "old"), unnamed(&values, "old")).unwrap();
        for broken in [&rows, &values] {
            let pair = [&rows, &values].map(|path| unnamed(path, "new"));
            // A temporary file that is gone cannot be renamed.
            let place = usize::from(broken == &values);
            fs::remove_file(pair[place].file.path()).unwrap();
            let [release, sensitive] = pair;
            assert!(name_both(release, sensitive).is_err());
            assert_eq!([&rows, &values].map(|path| fs::read_to_string(path).unwrap()), ["old"; 2]);
            assert_eq!(files(folder.path()), ["r.csv", "s.csv"]);
        }
    }

    #[test]
    fn without_an_earlier_release_nothing_stays_behind() {
        let folder = tempfile::tempdir().unwrap();
        let [rows, values] = ["r.csv", "s.csv"].map(|name| folder.path().join(name));
        let (release, sensitive) = (unnamed(&rows, "new"), unnamed(&values, "new"));
        fs::remove_file(sensitive.file.path()).unwrap();
        assert!(name_both(release, sensitive).is_err());
        assert!(files(folder.path()).is_empty());
    }
}

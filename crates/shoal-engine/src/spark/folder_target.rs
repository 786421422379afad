//! How does a release become a folder of files that Spark's workers write?

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use shoal_core::{Error, Result};
use spark_connect_core::error::SparkError;

use super::columns::columns;
use super::error::{explained, is_path_not_found};
use super::files;
use super::protocol;
use super::session::Session;
use super::target::Target;
use crate::column::{EngineColumn, ValueKind};

/// A folder. The workers write another one beside it, which is renamed where this machine sees it. Where it does not (HDFS, an
/// object store), Spark has no way to rename: the workers copy what was verified, and Spark's own commit makes all files of
/// the copy appear at its end.
pub(super) struct FolderTarget {
    path: String,
    format: &'static str,
    missing: String,
    staging: String,
    /// Where the release is taken to, if more than that was staged.
    alone: String,
    aside: String,
    gone: String,
    overwrite: bool,
    /// Has writing begun?
    is_staged: AtomicBool,
}

/// What stands behind the name of an earlier release while another one takes its place.
const PUT_ASIDE: &str = ".shoal-replaced-";

/// What stands behind it once that is done, until its files are removed: nobody gives it its name back.
const GONE: &str = ".shoal-gone-";

/// The view through which what was staged is read.
const STAGED: &str = "shoal_staged";

impl FolderTarget {
    /// The folder at this path. `run` tells the names of this run from those of others.
    pub(super) fn new(path: String, missing: &str, run: &str, overwrite: bool) -> Result<Self> {
        let format = files::format_of(&path);
        files::check_output_format(format)?;
        let beside = |what: &str| format!("{path}.shoal-{what}-{run}");
        let (staging, alone) = (beside("staging"), beside("staging-release"));
        let [aside, gone] = [PUT_ASIDE, GONE].map(|what| format!("{path}{what}{run}"));
        let is_staged = AtomicBool::new(false);
        Ok(Self { path, format, missing: missing.to_owned(), staging, alone, aside, gone, overwrite, is_staged })
    }

    fn written(&self, place: &str) -> spark_connect_proto::Relation {
        protocol::files(place, self.format, &files::read_back_options(self.format, &self.missing))
    }

    /// Refuses columns that Spark would write in another form than they are read back in.
    fn check_columns(&self, session: &Session, query: &str) -> Result<()> {
        if self.format != "csv" {
            return Ok(());
        }
        let schema =
            session.schema(protocol::query(query)).map_err(|error| explained(&error, "cannot recode the table"))?;
        let is_lost = |column: &EngineColumn| {
            use ValueKind::{Double, Float, Moment, Timestamp};
            matches!(column.kind, None | Some(Float | Double | Timestamp | Moment))
        };
        match columns(schema).into_iter().find(is_lost) {
            None => Ok(()),
            Some(column) => Err(Error::place(format!(
                "column `{}` has the type {}, which Spark does not write to CSV as it is",
                column.name, column.type_name
            ))
            .hint("let `path` in [output] end in .parquet")),
        }
    }

    /// The folder and what was staged for it, if this machine sees what was staged.
    fn seen(&self) -> Option<(PathBuf, PathBuf)> {
        let (path, staging) = (files::local(&self.path)?, files::local(&self.staging)?);
        staging.is_dir().then_some((path, staging))
    }

    /// Gives its name back to an earlier release that a run had put aside which was killed before the new one was in its place.
    fn restore(&self) -> Result<()> {
        let Some(path) = files::local(&self.path).filter(|path| !path.exists()) else { return Ok(()) };
        match put_aside(&path) {
            None => Ok(()),
            Some(aside) => fs::rename(aside, &path).map_err(|error| Error::io("write", &path, &error)),
        }
    }

    /// Puts the release into its place, where this machine can rename it.
    fn rename(&self, path: &Path, release: &Path) -> Result<()> {
        let failed = |error: &std::io::Error| Error::io("write", path, error);
        if !path.exists() {
            return fs::rename(release, path).map_err(|error| failed(&error));
        }
        if !self.overwrite {
            return Err(taken(&self.path));
        }
        let beside = |place: &str| files::local(place).expect("it stands beside what this machine sees");
        let (aside, gone) = (beside(&self.aside), beside(&self.gone));
        fs::rename(path, &aside).map_err(|error| failed(&error))?;
        fs::rename(release, path).map_err(|error| {
            let _ = fs::rename(&aside, path);
            failed(&error)
        })?;
        // Removing takes a while, and what is half removed is no release any more.
        remove(if fs::rename(&aside, &gone).is_ok() { &gone } else { &aside });
        Ok(())
    }

    /// Lets the workers copy what was verified.
    fn copy(&self, session: &Session, verified: &str) -> Result<()> {
        self.write(session, verified, &self.path, self.overwrite).map_err(|error| {
            explained(&error, &format!("cannot copy the release to {}", self.path))
                .detail(format!("without the file _SUCCESS in it, {} is no release", self.path))
        })
    }

    fn write(&self, session: &Session, query: &str, place: &str, overwrite: bool) -> Result<(), SparkError> {
        let options = files::write_options(self.format, &self.missing);
        session.run(protocol::write_files(protocol::query(query), place, self.format, &options, overwrite))
    }
}

/// The last release that was put aside and not taken back.
fn put_aside(path: &Path) -> Option<PathBuf> {
    let begins = format!("{}{PUT_ASIDE}", path.file_name()?.to_str()?);
    let is_aside = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begins));
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let beside = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    beside.filter(is_aside).max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok())
}

fn taken(path: &str) -> Error {
    Error::place(format!("{path} exists already"))
        .hint("choose another `path` in [output], or replace it with `--overwrite`")
}

fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// Workers that were told to stop may still write for a moment: a folder is gone when it does not come back.
fn remove_for_good(path: &Path) {
    let (mut checks, mut absent) = (0, 0);
    while checks < 50 && absent < 5 {
        if path.exists() {
            remove(path);
            absent = 0;
        } else {
            absent += 1;
        }
        checks += 1;
        std::thread::sleep(Duration::from_millis(100));
    }
}

impl Target for FolderTarget {
    fn check(&self, session: &Session) -> Result<()> {
        // Whoever replaces it may be about to write nothing at all.
        if self.overwrite {
            return Ok(());
        }
        self.restore()?;
        if files::local(&self.path).is_some_and(|path| path.exists()) {
            return Err(taken(&self.path));
        }
        match session.schema(self.written(&self.path)) {
            Err(error) if is_path_not_found(&error) => Ok(()),
            // Some servers do not tell an empty place from none.
            Ok(schema) if columns(schema.clone()).is_empty() => Ok(()),
            _ => Err(taken(&self.path)),
        }
    }

    fn stage(&self, session: &Session, query: &str) -> Result<()> {
        self.check_columns(session, query)?;
        // What was put aside is replaced as any earlier release is.
        self.restore()?;
        self.is_staged.store(true, Ordering::SeqCst);
        let cannot = || format!("cannot write the release to {}", self.path);
        self.write(session, query, &self.staging, false).map_err(|error| explained(&error, &cannot()))?;
        let view = protocol::view(STAGED, self.written(&self.staging));
        session.run(view).map_err(|error| explained(&error, "the release cannot be read back"))
    }

    fn staged(&self) -> String {
        STAGED.to_owned()
    }

    fn publish(&self, session: &Session, release: Option<&str>) -> Result<()> {
        match (self.seen(), release) {
            (Some((path, staging)), None) => return self.rename(&path, &staging),
            (Some((path, _)), Some(release)) => {
                let cannot = || format!("cannot write the release to {}", self.path);
                self.write(session, release, &self.alone, false).map_err(|error| explained(&error, &cannot()))?;
                let alone = files::local(&self.alone).expect("it stands beside what this machine sees");
                self.rename(&path, &alone)?;
            }
            (None, release) => self.copy(session, release.unwrap_or(&format!("SELECT * FROM {STAGED}")))?,
        }
        self.discard(session);
        Ok(())
    }

    fn release(&self) -> String {
        self.path.clone()
    }

    fn discard(&self, session: &Session) {
        if !self.is_staged.swap(false, Ordering::SeqCst) {
            return;
        }
        match self.seen() {
            Some((_, staging)) => {
                remove_for_good(&staging);
                files::local(&self.alone).as_deref().map(remove);
            }
            // Spark cannot remove a folder, but it can empty one.
            None => {
                let nothing = protocol::query("SELECT 1 AS nothing WHERE false");
                let _ = session.run(protocol::write_files(nothing, &self.staging, self.format, &[], true));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_had_put_aside_gets_its_name_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("release.parquet");
        let target = FolderTarget::new(path.display().to_string(), "", "1f", true).unwrap();
        let aside = folder.path().join("release.parquet.shoal-replaced-0a");
        let write = |folder: &Path| {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("part"), "earlier").unwrap();
        };
        write(&aside);
        write(&folder.path().join("release.parquet.shoal-staging-0a"));
        target.restore().unwrap();
        assert!(path.join("part").exists() && !aside.exists());
        // Where there is a release, what was put aside is only what it replaced.
        write(&aside);
        target.restore().unwrap();
        assert!(aside.exists());
        assert!(folder.path().join("release.parquet.shoal-staging-0a").exists());
    }

    #[test]
    fn what_was_replaced_never_gets_its_name_back() {
        let folder = tempfile::tempdir().unwrap();
        let [path, new, gone] =
            ["release.parquet", "new", "release.parquet.shoal-gone-0a"].map(|name| folder.path().join(name));
        let target = FolderTarget::new(path.display().to_string(), "", "1f", true).unwrap();
        for (place, text) in [(&path, "earlier"), (&new, "new")] {
            fs::create_dir(place).unwrap();
            fs::write(place.join("part"), text).unwrap();
        }
        target.rename(&path, &new).unwrap();
        assert_eq!(fs::read_to_string(path.join("part")).unwrap(), "new");
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["release.parquet"]);
        // Whoever was killed while it was removed has left half of it, and its owner has removed the new one since.
        fs::rename(&path, &gone).unwrap();
        target.restore().unwrap();
        assert!(!path.exists() && gone.exists());
    }
}

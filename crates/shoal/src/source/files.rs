//! How is a table in a file anonymized into another file?

use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::count::{Columns, count};
use super::stage::{Staging, changed, stage};
use super::{Counted, Source, Staged};
use crate::format::{self, Dialect, InputFormat};
use crate::hierarchy::HierarchySpec;
use crate::outsider::OutsiderTable;
use crate::policy::{Policy, Role, Suppressed};
use crate::progress::Progress;
use crate::recode::Recoding;
use crate::spill::MemoryLimit;
use crate::table::{Dictionary, MissingMarkers};
use crate::{Error, Result};

/// A table in a file, and the file its release goes to.
#[derive(Debug)]
pub struct FileSource {
    input: PathBuf,
    output: PathBuf,
    /// The columns of the table when it was counted.
    columns: Vec<String>,
    dictionaries: Vec<Dictionary>,
}

impl FileSource {
    /// The files that a policy names, or others in their place.
    pub fn new(policy: &Policy, input: Option<&Path>, output: Option<&Path>) -> Result<Self> {
        let input = match (input, &policy.input.path) {
            (Some(path), _) => path.to_path_buf(),
            (None, Some(path)) => policy.folder.join(path),
            (None, None) => {
                return Err(Error::new("the policy names no input").hint("set `path` in [input], or give --input FILE"));
            }
        };
        let output = match (output, &policy.output.path) {
            (Some(path), _) => path.to_path_buf(),
            (None, Some(path)) => policy.folder.join(path),
            (None, None) => default_output(&input),
        };
        if is_same_file(&input, &output) {
            return Err(Error::new(format!("the release would replace its own input, {}", input.display()))
                .hint("give the release another name: `path` in [output], or --output FILE"));
        }
        let hierarchies = policy.columns.iter().filter_map(|column| match &column.hierarchy {
            Some(HierarchySpec::File(file)) => Some(policy.folder.join(file.path())),
            _ => None,
        });
        if let Some(hierarchy) = hierarchies.into_iter().find(|path| is_same_file(path, &output)) {
            return Err(Error::new(format!("the release would replace the hierarchy {}", hierarchy.display()))
                .hint("give the release another name: `path` in [output], or --output FILE"));
        }
        Ok(Self { input, output, columns: Vec::new(), dictionaries: Vec::new() })
    }

    /// The file that is read.
    pub fn input(&self) -> &Path {
        &self.input
    }

    /// The file that is written.
    pub fn output(&self) -> &Path {
        &self.output
    }
}

/// `a.csv.gz` becomes `a.release.csv.gz`, beside it.
fn default_output(input: &Path) -> PathBuf {
    let name = input.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let release = match name.split_once('.') {
        Some((stem, extensions)) => format!("{stem}.release.{extensions}"),
        None => format!("{name}.release"),
    };
    input.with_file_name(release)
}

/// Do two paths lead to one file, whether it exists yet or not?
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    let resolved = |path: &Path| match path.canonicalize() {
        Ok(path) => Some(path),
        // A file that does not exist yet is known by its folder.
        Err(_) => Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?)),
    };
    a == b || (resolved(a).is_some() && resolved(a) == resolved(b))
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

impl Source for FileSource {
    fn count(&mut self, policy: &Policy, progress: &dyn Progress) -> Result<Counted> {
        let mut reader = format::open(&policy.input_format(&self.input))?;
        policy.check_columns(reader.columns(), &self.input)?;
        let limit = memory_limit(policy, &self.output);
        let counted = count(reader.as_mut(), policy, limit.as_ref(), progress)?;
        self.columns = reader.columns().to_vec();
        self.dictionaries.clone_from(&counted.dictionaries);
        Ok(counted)
    }

    fn stage(&mut self, policy: &Policy, recoding: &Recoding<'_>, progress: &dyn Progress) -> Result<Box<dyn Staged>> {
        let mut reader = format::open(&policy.input_format(&self.input))?;
        if reader.columns() != self.columns {
            return Err(changed(&self.input));
        }
        let columns = Columns::new(policy, reader.columns());
        // The release names its columns even where the input does not: without one that was dropped, their places
        // would no longer tell which is which.
        let dialect = Dialect { header: true, ..reader.dialect() };
        let file = temporary_file(&self.output)?;
        let staging = Staging {
            policy,
            recoding,
            input: &self.input,
            columns: &columns,
            dictionaries: &self.dictionaries,
            dialect: &dialect,
        };
        let handle = file.reopen().map_err(|error| Error::io("write", &self.output, &error))?;
        let write_seconds = stage(reader.as_mut(), &staging, &self.output, handle, progress)?;
        Ok(Box::new(StagedFile { file, output: self.output.clone(), dialect, write_seconds }))
    }
}

/// What a policy allows counting to take; what exceeds it goes where the release will be.
fn memory_limit(policy: &Policy, output: &Path) -> Option<MemoryLimit> {
    policy.input.memory_limit.map(|bytes| MemoryLimit::new(bytes, folder_of(output)))
}

/// A file in the folder of `path`, whose name ends as `path` does and begins with a dot.
fn temporary_file(path: &Path) -> Result<NamedTempFile> {
    let name = path.file_name().ok_or_else(|| Error::new(format!("{} is not a file name", path.display())))?;
    let mut builder = Builder::new();
    let suffix = format!(".{}", name.to_string_lossy());
    builder.prefix(".").suffix(&suffix);
    #[cfg(unix)]
    {
        // What the user's own umask makes of it, as for any other file.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path)).map_err(|error| Error::io("write", path, &error))
}

struct StagedFile {
    file: NamedTempFile,
    output: PathBuf,
    dialect: Dialect,
    write_seconds: f64,
}

impl Staged for StagedFile {
    fn count(&self, policy: &Policy, progress: &dyn Progress) -> Result<OutsiderTable> {
        let names = |role| policy.with_role(role).map(|column| column.name.clone()).collect::<Vec<_>>();
        let mut reader = format::open(&InputFormat::written_like(self.file.path(), &self.dialect))?;
        OutsiderTable::read_within(
            memory_limit(policy, &self.output).as_ref(),
            reader.as_mut(),
            &names(Role::QuasiIdentifier),
            &names(Role::Sensitive),
            &MissingMarkers::new(policy.input.missing.clone()).written(),
            policy.output.suppressed == Suppressed::Keep,
            progress,
        )
    }

    fn write_seconds(&self) -> f64 {
        self.write_seconds
    }

    fn publish(self: Box<Self>) -> Result<String> {
        let Self { file, output, .. } = *self;
        file.persist(&output).map_err(|error| Error::io("write", &output, &error.error))?;
        // The rename itself survives a power cut only once the folder is on disk; where that cannot be asked for,
        // the release is still whole.
        if let Ok(folder) = std::fs::File::open(folder_of(&output)) {
            let _ = folder.sync_all();
        }
        Ok(output.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_named_after_its_input() {
        assert_eq!(default_output(Path::new("a/b.csv")), Path::new("a/b.release.csv"));
        assert_eq!(default_output(Path::new("b.csv.gz")), Path::new("b.release.csv.gz"));
    }

    #[test]
    fn one_file_by_two_names_is_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.csv");
        assert!(is_same_file(&file, &folder.path().join("./a.csv")), "before it exists");
        std::fs::write(&file, "x").unwrap();
        assert!(is_same_file(&file, &folder.path().join("./a.csv")));
        assert!(!is_same_file(&file, &folder.path().join("b.csv")));
    }
}

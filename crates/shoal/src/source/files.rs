//! How is a table in a file anonymized into another file?

use std::path::{Path, PathBuf};

use super::count::{Columns, count};
use super::sensitive_table::{self, SensitiveColumns};
use super::stage::{Staging, Written, changed, stage};
use super::staged::{StagedFile, Unnamed, temporary_file};
use super::{Counted, Source, Staged};
use crate::format::{self, Dialect, Formulas, TableReader};
use crate::hierarchy::HierarchySpec;
use crate::policy::{ColumnPolicy, FormulaCells, Policy, Replacement, Role};
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
    /// Where sensitive values go that get a table of their own.
    sensitive_output: Option<PathBuf>,
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
        let sensitive_output = policy.method.method.separates().map(|_| match &policy.output.sensitive_path {
            Some(path) => policy.folder.join(path),
            None => beside(&output),
        });
        if sensitive_output.as_ref().is_some_and(|path| is_same_file(path, &output)) {
            return Err(Error::new("both tables of the release would have one name")
                .hint("give `sensitive-path` in [output] another"));
        }
        for path in sensitive_output.iter().chain([&output]) {
            refuse_to_replace_what_is_read(policy, &input, path)?;
        }
        Ok(Self { input, output, sensitive_output, columns: Vec::new(), dictionaries: Vec::new() })
    }

    /// A table that is only read.
    pub fn to_read(input: &Path) -> Self {
        let (input, output) = (input.to_path_buf(), input.to_path_buf());
        Self { input, output, sensitive_output: None, columns: Vec::new(), dictionaries: Vec::new() }
    }

    /// Counts the table whatever other columns it has; nothing if it lacks one that is counted.
    pub fn count_any(&mut self, policy: &Policy, progress: &dyn Progress) -> Result<Option<Counted>> {
        let mut reader = format::open(&policy.input_format(&self.input))?;
        let is_counted = |column: &&ColumnPolicy| matches!(column.role, Role::QuasiIdentifier | Role::Sensitive);
        let mut counted = policy.columns.iter().filter(is_counted);
        if !counted.all(|column| reader.columns().contains(&column.name)) {
            return Ok(None);
        }
        self.count_from(reader.as_mut(), policy, progress).map(Some)
    }

    fn count_from(
        &mut self,
        reader: &mut dyn TableReader,
        policy: &Policy,
        progress: &dyn Progress,
    ) -> Result<Counted> {
        let limit = memory_limit(policy, &self.output);
        let counted = count(reader, policy, limit.as_ref(), progress)?;
        self.columns = reader.columns().to_vec();
        self.dictionaries.clone_from(&counted.dictionaries);
        Ok(counted)
    }

    /// The same table, once it is counted, for another policy that agrees on its columns.
    pub fn for_policy(&self, policy: &Policy, output: &Path) -> Result<Self> {
        let source = Self::new(policy, Some(&self.input), Some(output))?;
        Ok(Self { columns: self.columns.clone(), dictionaries: self.dictionaries.clone(), ..source })
    }

    /// The columns that a policy releases of the table, once it is counted.
    pub fn released_columns(&self, policy: &Policy) -> Vec<String> {
        Columns::new(policy, &self.columns).released_names(&self.columns)
    }

    /// The file that is read.
    pub fn input(&self) -> &Path {
        &self.input
    }

    /// The file that is written.
    pub fn output(&self) -> &Path {
        &self.output
    }

    /// Writes the table of sensitive values that belongs to a release.
    fn stage_sensitive(
        &self,
        reader: &dyn TableReader,
        staging: &Staging<'_>,
        path: &Path,
        bare: &[bool],
    ) -> Result<Unnamed> {
        let link = staging.policy.method.method.separates().expect("a table of sensitive values has its link columns");
        let places = &staging.columns.counted[staging.columns.quasi..];
        let sensitive = SensitiveColumns {
            names: places.iter().map(|&place| self.columns[place].clone()).collect(),
            data_types: places.iter().map(|&place| reader.data_type(place)).collect(),
            bare: places.iter().map(|&place| bare.get(place).copied().unwrap_or(false)).collect(),
        };
        let file = temporary_file(path)?;
        let handle = file.reopen().map_err(|error| Error::io("write", path, &error))?;
        let markers = MissingMarkers::new(staging.policy.input.missing.clone());
        sensitive_table::write(path, handle, staging.recoding, &sensitive, link, staging.dialect, markers.first())?;
        Ok(Unnamed { file, path: path.to_owned() })
    }
}

fn refuse_to_replace_what_is_read(policy: &Policy, input: &Path, output: &Path) -> Result<()> {
    if is_same_file(input, output) {
        return Err(Error::new(format!("the release would replace its own input, {}", input.display()))
            .hint("give the release another name: `path` in [output], or --output FILE"));
    }
    if input.is_dir() && folder_of(output).canonicalize().is_ok_and(|folder| is_inside(&folder, input)) {
        return Err(Error::new(format!("the release would be one of the files of its own input, {}", input.display()))
            .hint("put it into another folder: `path` in [output], or --output FILE"));
    }
    let hierarchies = policy.columns.iter().filter_map(|column| match &column.hierarchy {
        Some(HierarchySpec::File(file)) => Some(policy.folder.join(file.path())),
        _ => None,
    });
    if let Some(hierarchy) = hierarchies.into_iter().find(|path| is_same_file(path, output)) {
        return Err(Error::new(format!("the release would replace the hierarchy {}", hierarchy.display()))
            .hint("give the release another name: `path` in [output], or --output FILE"));
    }
    let key_files = policy.columns.iter().filter_map(|column| match &column.replace {
        Some(Replacement::Pseudonym { key_file: Some(file) }) => Some(policy.folder.join(file)),
        _ => None,
    });
    if let Some(key) = key_files.into_iter().find(|path| is_same_file(path, output)) {
        return Err(Error::new(format!("the release would replace the key of pseudonyms, {}", key.display()))
            .hint("give the release another name: `path` in [output], or --output FILE"));
    }
    Ok(())
}

/// `a.csv.gz` becomes `a.release.csv.gz`, beside it; what is read but not written in a format becomes CSV, and a folder a
/// file of the format of those in it.
fn default_output(input: &Path) -> PathBuf {
    let name = input.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (stem, extensions) = name.split_once('.').unwrap_or((&name, ""));
    let release = match format::extension_of_release(input) {
        Some(extension) if input.is_dir() => format!("{name}.release.{extension}"),
        Some(extension) => format!("{stem}.release.{extension}"),
        None if extensions.is_empty() => format!("{stem}.release"),
        None => format!("{stem}.release.{extensions}"),
    };
    input.with_file_name(release)
}

/// `release.csv.gz` becomes `release.sensitive.csv.gz`, beside it.
fn beside(output: &Path) -> PathBuf {
    let name = output.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let lower = name.to_lowercase();
    let uncompressed = lower.strip_suffix(".gz").or_else(|| lower.strip_suffix(".zst")).unwrap_or(&lower);
    let end = uncompressed.rfind('.').unwrap_or(uncompressed.len());
    // Where lower case letters take more bytes, the name is no known one, and is refused later.
    let (stem, extensions) = name.split_at_checked(end).unwrap_or((&name, ""));
    output.with_file_name(format!("{stem}.sensitive{extensions}"))
}

fn is_inside(folder: &Path, outer: &Path) -> bool {
    outer.canonicalize().is_ok_and(|outer| folder.starts_with(outer))
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
        policy.check_columns(reader.columns(), &self.input.display())?;
        self.count_from(reader.as_mut(), policy, progress)
    }

    fn stage(&mut self, policy: &Policy, recoding: &Recoding<'_>, progress: &dyn Progress) -> Result<Box<dyn Staged>> {
        let mut reader = format::open(&policy.input_format(&self.input))?;
        if reader.columns() != self.columns {
            return Err(changed(&self.input));
        }
        let columns = Columns::new(policy, reader.columns());
        // The release names its columns even where the input does not: without one that was dropped, their places
        // would no longer tell which is which.
        let formulas = Formulas::new(policy.output.formulas == FormulaCells::Escape);
        let dialect = Dialect { header: true, formulas, ..reader.dialect() };
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
        let Written { seconds, bare } = stage(reader.as_mut(), &staging, &self.output, handle, progress)?;
        let begin = std::time::Instant::now();
        let sensitive = match &self.sensitive_output {
            Some(path) => Some(self.stage_sensitive(reader.as_ref(), &staging, path, &bare)?),
            None => None,
        };
        let write_seconds = seconds + begin.elapsed().as_secs_f64();
        let release = Unnamed { file, path: self.output.clone() };
        Ok(Box::new(StagedFile { release, sensitive, dialect, write_seconds }))
    }

    fn files(&self) -> Vec<&Path> {
        [&self.input, &self.output].into_iter().map(PathBuf::as_path).chain(self.sensitive_output.as_deref()).collect()
    }
}

/// What a policy allows counting to take; what exceeds it goes where the release will be.
pub(super) fn memory_limit(policy: &Policy, output: &Path) -> Option<MemoryLimit> {
    policy.input.memory_limit.map(|bytes| MemoryLimit::new(bytes, folder_of(output)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_named_after_its_input() {
        assert_eq!(default_output(Path::new("a/b.csv")), Path::new("a/b.release.csv"));
        assert_eq!(default_output(Path::new("b.csv.gz")), Path::new("b.release.csv.gz"));
        assert_eq!(default_output(Path::new("a/b.xlsx")), Path::new("a/b.release.csv"));
        assert_eq!(default_output(Path::new("a/b.sqlite")), Path::new("a/b.release.csv"));
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("people");
        std::fs::create_dir_all(table.join("year=2024")).unwrap();
        std::fs::write(table.join("year=2024/part-0.jsonl"), "{}").unwrap();
        assert_eq!(default_output(&table), folder.path().join("people.release.jsonl"));
    }

    #[test]
    fn sensitive_values_go_beside_the_release() {
        let name = |name: &str| beside(Path::new(name)).display().to_string();
        assert_eq!(name("a/release.csv"), "a/release.sensitive.csv");
        assert_eq!(name("b.release.CSV.gz"), "b.release.sensitive.CSV.gz");
        assert_eq!(name("b.parquet"), "b.sensitive.parquet");
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

//! How is a table in a file anonymized into another file?

use std::path::{Path, PathBuf};

use super::count::{Columns, count};
use super::sensitive_table::{self, SensitiveColumns};
use super::stage::{Staging, Written, changed, stage};
use super::staged::StagedRelease;
use super::{Counted, Source, Staged};
use crate::policy::{ColumnPolicy, FormulaCells, Policy, Role};
use crate::publish::{Intent, Kind, Outputs, StagedFile, folder_of};
use shoal_core::recode::Recoding;
use shoal_core::spill::MemoryLimit;
use shoal_core::table::{Dictionary, MissingMarkers};
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::{self as format, Dialect, Formulas, TableReader};

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
                return Err(
                    Error::table("the policy names no input").hint("set `path` in [input], or give --input FILE")
                );
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
        Ok(Self { input, output, sensitive_output, columns: Vec::new(), dictionaries: Vec::new() })
    }

    /// A table that is only read.
    pub fn to_read(input: &Path) -> Self {
        let (input, output) = (input.to_path_buf(), input.to_path_buf());
        Self { input, output, sensitive_output: None, columns: Vec::new(), dictionaries: Vec::new() }
    }

    /// Counts the table whatever other columns it has; nothing if it lacks one that is counted.
    pub fn count_any(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Option<Counted>> {
        let mut reader = format::open(&policy.input_format(&self.input))?;
        let is_counted = |column: &&ColumnPolicy| matches!(column.role, Role::QuasiIdentifier | Role::Sensitive);
        let mut counted = policy.columns.iter().filter(is_counted);
        if !counted.all(|column| reader.columns().contains(&column.name)) {
            return Ok(None);
        }
        self.count_from(reader.as_mut(), policy, watch).map(Some)
    }

    fn count_from(&mut self, reader: &mut dyn TableReader, policy: &Policy, watch: &dyn Watch) -> Result<Counted> {
        let limit = memory_limit(policy, &self.output);
        let counted = count(reader, policy, limit.as_ref(), watch)?;
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
        file: &StagedFile,
        bare: &[bool],
    ) -> Result<()> {
        let link = staging.policy.method.method.separates().expect("a table of sensitive values has its link columns");
        let places = &staging.columns.counted[staging.columns.quasi..];
        let sensitive = SensitiveColumns {
            names: places.iter().map(|&place| self.columns[place].clone()).collect(),
            data_types: places.iter().map(|&place| reader.data_type(place)).collect(),
            bare: places.iter().map(|&place| bare.get(place).copied().unwrap_or(false)).collect(),
        };
        let markers = MissingMarkers::new(staging.policy.input.missing.clone());
        let (recoding, dialect) = (staging.recoding, staging.dialect);
        sensitive_table::write(file, recoding, &sensitive, link, dialect, markers.first())
    }

    /// The columns of both tables of the release, where there are files in their places; otherwise they do not matter yet.
    fn tables(&self, policy: &Policy) -> Result<[Vec<String>; 2]> {
        let is_needed = is_taken(&self.output) || self.sensitive_output.as_deref().is_some_and(is_taken);
        if !is_needed {
            return Ok([Vec::new(), Vec::new()]);
        }
        let reader = format::open(&policy.input_format(&self.input))?;
        policy.check_columns(reader.columns(), &self.input.display())?;
        let rows = Columns::new(policy, reader.columns()).released_names(reader.columns());
        let sensitive = policy.with_role(Role::Sensitive).map(|column| column.name.clone());
        let link = policy.method.method.separates();
        let values = link.map(|link| sensitive.chain([link.class, link.count].map(str::to_owned)).collect());
        Ok([rows, values.unwrap_or_default()])
    }
}

/// Is there anything that a release would replace?
fn is_taken(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.len() > 0)
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

impl Source for FileSource {
    fn count(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Counted> {
        let mut reader = format::open(&policy.input_format(&self.input))?;
        policy.check_columns(reader.columns(), &self.input.display())?;
        self.count_from(reader.as_mut(), policy, watch)
    }

    fn stage(
        &mut self,
        policy: &Policy,
        recoding: &Recoding<'_>,
        outputs: &mut Outputs,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Staged>> {
        let mut reader = format::open(&policy.input_format(&self.input))?;
        if reader.columns() != self.columns {
            return Err(changed(&self.input));
        }
        let columns = Columns::new(policy, reader.columns());
        // The release names its columns even where the input does not: without one that was dropped, their places
        // would no longer tell which is which.
        let formulas = Formulas::new(policy.output.formulas == FormulaCells::Escape);
        let dialect = Dialect { header: true, formulas, ..reader.dialect() };
        let release = outputs.create(&self.output)?;
        let staging = Staging {
            policy,
            recoding,
            input: &self.input,
            columns: &columns,
            dictionaries: &self.dictionaries,
            dialect: &dialect,
        };
        let Written { seconds, bare } = stage(reader.as_mut(), &staging, &self.output, release.writer()?, watch)?;
        let begin = std::time::Instant::now();
        let sensitive = self.sensitive_output.as_ref().map(|path| outputs.create(path)).transpose()?;
        if let Some(file) = &sensitive {
            self.stage_sensitive(reader.as_ref(), &staging, file, &bare)?;
        }
        let write_seconds = seconds + begin.elapsed().as_secs_f64();
        Ok(Box::new(StagedRelease { release, sensitive, dialect, write_seconds }))
    }

    fn announce(&self, policy: &Policy, intent: &mut Intent) -> Result<()> {
        intent.reads("its own input", format::file_of(&self.input));
        let tables = self.tables(policy);
        let kind = |place: usize, path: &Path| Kind::Table {
            columns: tables.as_ref().map(|tables| tables[place].clone()).map_err(Error::clone),
            format: Box::new(policy.input_format(path).of_release()),
            names_format: true,
        };
        intent.writes("the release", &self.output, kind(0, &self.output));
        if let Some(path) = &self.sensitive_output {
            intent.writes("the table of sensitive values", path, kind(1, path));
        }
        Ok(())
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
}

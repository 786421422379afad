//! How is a table anonymized whose rows pass through here: from a file, a folder or memory, into a file or memory?

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use shoal_core::recode::{Layout, Recoding};
use shoal_core::spill::MemoryLimit;
use shoal_core::table::MissingMarkers;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::{self as format, Dialect, Formulas, MemoryTable, MemoryTarget, NumberForm, TableReader};

use super::count::count;
use super::output_names::{beside, default_output};
use super::published_numbers::published;
use super::ranges;
use super::row_encoder::changed;
use super::sensitive_table::{self, SensitiveColumns};
use super::some_values;
use super::stage::{Staging, Written};
use super::staged_files::StagedFiles;
use super::staged_memory::StagedMemory;
use super::{Counted, Handover, Source, Staged, Table};
use crate::policy::{ColumnPolicy, FormulaCells, Policy, Role};
use crate::publish::{Columns, Intent, OutputKind, Outputs, StagedFile, folder_of};

/// A table whose rows are read here, and where its release goes.
///
/// ```
/// use shoal::{LocalSource, MemoryTable, Table};
///
/// let from_a_file_into_memory = LocalSource::to_read("patients.csv").into_memory();
/// assert_eq!(from_a_file_into_memory.output(), None);
/// ```
#[derive(Debug, Clone)]
pub struct LocalSource {
    origin: Table,
    destination: Destination,
    /// What noise is drawn with that has no key of its own: the same whenever this source reads its table.
    secret: Arc<OnceLock<Vec<u8>>>,
}

/// Where they go.
#[derive(Debug, Clone)]
enum Destination {
    /// Nowhere: the table is only counted.
    Nowhere,
    Memory,
    File(PathBuf),
    /// To an open file, which is handed on as it is.
    Held(Handover),
}

impl LocalSource {
    /// The files that a policy names, or others in their place.
    pub fn new(policy: &Policy, input: Option<&Path>, output: Option<&Path>) -> Result<Self> {
        let input = match (input, &policy.input.path) {
            (Some(path), _) => path.to_path_buf(),
            (None, Some(path)) => policy.folder.join(path),
            (None, None) => {
                return Err(
                    Error::policy("the policy names no input").hint("set `path` in [input], or give --input FILE")
                );
            }
        };
        Ok(Self::to_read(input).into_file(policy, output))
    }

    /// A table that is only read.
    pub fn to_read(input: impl Into<Table>) -> Self {
        Self { origin: input.into(), destination: Destination::Nowhere, secret: Arc::default() }
    }

    /// A table in memory, whose release will be there, too.
    pub fn in_memory(table: MemoryTable) -> Self {
        Self::to_read(table).into_memory()
    }

    /// The same with a release that stays in memory.
    #[must_use]
    pub fn into_memory(self) -> Self {
        Self { destination: Destination::Memory, ..self }
    }

    /// The same with a release in this file, or in that of the policy.
    #[must_use]
    pub fn into_file(self, policy: &Policy, output: Option<&Path>) -> Self {
        let release = match (output, &policy.output.path, &self.origin) {
            (Some(path), ..) => path.to_path_buf(),
            (None, Some(path), _) => policy.folder.join(path),
            (None, None, Table::File(input)) => default_output(input),
            (None, None, Table::Held(_) | Table::Memory(_) | Table::Rows(_)) => return self.into_memory(),
        };
        Self { destination: Destination::File(release), ..self }
    }

    /// The same with a release that gets no name.
    #[must_use]
    pub fn handed_over(self, release: Handover) -> Self {
        Self { destination: Destination::Held(release), ..self }
    }

    /// Counts the table whatever other columns it has; nothing if it lacks one that is counted.
    pub fn count_any(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Option<Counted>> {
        let mut reader = self.open(policy)?;
        let is_counted = |column: &&ColumnPolicy| matches!(column.role, Role::QuasiIdentifier | Role::Sensitive);
        let mut counted = policy.columns.iter().filter(is_counted);
        if !counted.all(|column| reader.columns().contains(&column.name)) {
            return Ok(None);
        }
        count(reader.as_mut(), policy, self.memory_limit(policy).as_ref(), watch).map(Some)
    }

    /// The file that is read, if it is one.
    pub fn input(&self) -> Option<&Path> {
        self.origin.path()
    }

    /// The file that the release goes to, if it does.
    pub fn output(&self) -> Option<&Path> {
        match &self.destination {
            Destination::File(release) => Some(release),
            Destination::Held(_) | Destination::Memory | Destination::Nowhere => None,
        }
    }

    fn open(&self, policy: &Policy) -> Result<Box<dyn TableReader>> {
        let reader = self.origin.open(|path| policy.input_format(path))?;
        Ok(published(reader, policy, &policy.noise_keys(&self.secret)?, &self.name()))
    }

    /// What the table is called in messages.
    fn name(&self) -> String {
        self.origin.to_string()
    }

    /// What a policy allows counting to take; what exceeds it goes where the release will be, or the table is.
    fn memory_limit(&self, policy: &Policy) -> Option<MemoryLimit> {
        let folder = match (&self.destination, &self.origin) {
            (Destination::File(release), _) => folder_of(release),
            (Destination::Held(release), _) => folder_of(release.file().name()),
            (_, Table::File(input)) => folder_of(input),
            (_, Table::Held(_) | Table::Memory(_) | Table::Rows(_)) => std::env::temp_dir(),
        };
        policy.input.memory_limit.map(|bytes| MemoryLimit::new(bytes, folder))
    }

    /// The columns of both tables of the release.
    fn tables(&self, policy: &Policy) -> Result<[Vec<String>; 2]> {
        let reader = self.open(policy)?;
        policy.check_columns(reader.columns(), &self.name())?;
        let rows = policy.split_names(&policy.layout(reader.columns()).released_names());
        let sensitive = policy.with_role(Role::Sensitive).map(|column| column.name.clone());
        let link = policy.method.method.separates();
        let values = link.map(|link| sensitive.chain([link.class, link.count].map(str::to_owned)).collect());
        Ok([rows, values.unwrap_or_default()])
    }

    fn stage_files(
        &self,
        policy: &Policy,
        recoding: &Recoding<'_>,
        (rows, sensitive): (Arc<StagedFile>, Option<&Path>),
        outputs: &mut Outputs,
        watch: &dyn Watch,
    ) -> Result<StagedFiles> {
        let mut reader = self.reopen(policy, recoding.layout())?;
        // The release names its columns even where the input does not: without one that was dropped, their places
        // would no longer tell which is which.
        let formulas = Formulas::new(policy.output.formulas == FormulaCells::Escape);
        let dialect = Dialect { header: true, formulas, ..reader.dialect() };
        let markers = MissingMarkers::new(policy.input.missing.clone());
        let release = rows.target();
        let staging = Staging { policy, recoding, table: &self.name(), folder: Some(folder_of(release)) };
        let create = |columns: &[_]| {
            let form = format::number_form(release);
            let split = ranges::split_columns(columns, policy, form);
            let writer = format::create(release, rows.writer()?, &split, &dialect, markers.first())?;
            Ok(ranges::writer(writer, columns, policy, form))
        };
        let Written { seconds, bare, people } = staging.write(reader.as_mut(), create, watch)?;
        let begin = Instant::now();
        let values = sensitive.map(|path| outputs.create(path)).transpose()?;
        if let Some(file) = &values {
            let columns = SensitiveColumns::new(policy, recoding, reader.as_ref(), &bare);
            let create =
                |columns: &[_]| format::create(file.target(), file.writer()?, columns, &dialect, markers.first());
            sensitive_table::write(recoding, &columns, create)?;
        }
        let write_seconds = seconds + begin.elapsed().as_secs_f64();
        Ok(StagedFiles { release: rows, sensitive: values, people, dialect, write_seconds, handover: None })
    }

    fn stage_in_memory(&self, policy: &Policy, recoding: &Recoding<'_>, watch: &dyn Watch) -> Result<Box<dyn Staged>> {
        let mut reader = self.reopen(policy, recoding.layout())?;
        let staging = Staging { policy, recoding, table: &self.name(), folder: None };
        let rows = MemoryTarget::default();
        let Written { seconds, bare, people } = staging.write(
            reader.as_mut(),
            |columns| {
                let split = ranges::split_columns(columns, policy, NumberForm::Typed);
                Ok(ranges::writer(rows.create(&split), columns, policy, NumberForm::Typed))
            },
            watch,
        )?;
        let begin = Instant::now();
        let values = policy.method.method.separates().map(|_| MemoryTarget::default());
        if let Some(values) = &values {
            let columns = SensitiveColumns::new(policy, recoding, reader.as_ref(), &bare);
            sensitive_table::write(recoding, &columns, |columns| Ok(values.create(columns)))?;
        }
        let write_seconds = seconds + begin.elapsed().as_secs_f64();
        Ok(Box::new(StagedMemory::new(&rows, values.as_ref(), people, write_seconds)?))
    }

    /// Opens the table once more; an error if it has other columns by now.
    fn reopen(&self, policy: &Policy, layout: &Layout) -> Result<Box<dyn TableReader>> {
        let reader = self.open(policy)?;
        if reader.columns() == layout.names { Ok(reader) } else { Err(changed(&self.name())) }
    }
}

/// Where sensitive values go that get a table of their own.
fn sensitive_file(policy: &Policy, release: &Path) -> Option<PathBuf> {
    policy.method.method.separates().map(|_| match &policy.output.sensitive_path {
        Some(path) => policy.folder.join(path),
        None => beside(release),
    })
}

impl Source for LocalSource {
    fn count(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Counted> {
        let mut reader = self.open(policy)?;
        policy.check_columns(reader.columns(), &self.name())?;
        count(reader.as_mut(), policy, self.memory_limit(policy).as_ref(), watch)
    }

    fn stage(
        &mut self,
        policy: &Policy,
        _: &Counted,
        recoding: &Recoding<'_>,
        outputs: &mut Outputs,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Staged>> {
        match &self.destination {
            Destination::File(release) => {
                let (rows, sensitive) = (outputs.create(release)?, sensitive_file(policy, release));
                let staged = self.stage_files(policy, recoding, (rows, sensitive.as_deref()), outputs, watch)?;
                Ok(Box::new(staged))
            }
            Destination::Held(_) if policy.method.method.separates().is_some() => {
                Err(Error::policy("a release in two tables does not go into one file").hint("name a file for it"))
            }
            Destination::Held(release) => {
                let rows = Arc::new(StagedFile::held(release.file().name(), release.file().handle()));
                let staged = self.stage_files(policy, recoding, (rows, None), outputs, watch)?;
                Ok(Box::new(StagedFiles { handover: Some(release.clone()), ..staged }))
            }
            Destination::Memory | Destination::Nowhere => self.stage_in_memory(policy, recoding, watch),
        }
    }

    fn some_values(&mut self, policy: &Policy, _: &dyn Watch) -> Result<Vec<(String, Vec<String>)>> {
        some_values::of_columns(self.open(policy)?.as_mut(), policy)
    }

    fn announce(&self, policy: &Policy, intent: &mut Intent) -> Result<()> {
        match &self.origin {
            Table::File(input) => _ = intent.reads("its own input", format::file_of(input)),
            Table::Held(input) => input.announce("its own input", intent),
            Table::Memory(_) | Table::Rows(_) => {}
        }
        let Destination::File(release) = &self.destination else { return Ok(()) };
        let kind = |place: usize, path: &Path| {
            let (source, asked) = (self.clone(), policy.clone());
            OutputKind::Table {
                columns: Columns::told_by(move || source.tables(&asked).map(|tables| tables[place].clone())),
                format: Box::new(policy.input_format(path).of_release()),
                names_format: true,
            }
        };
        intent.writes("the release", release, kind(0, release));
        if let Some(path) = sensitive_file(policy, release) {
            intent.writes("the table of sensitive values", &path, kind(1, &path));
        }
        Ok(())
    }
}

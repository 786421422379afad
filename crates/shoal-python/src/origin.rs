//! Where is the table that Python talks about, and where does its release go?

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use shoal::publish::{Intent, Outputs};
use shoal::{Counted, LocalSource, Policy, Source, Staged, Table, Watch};
use shoal_core::recode::Recoding;
use shoal_core::{Error, Result};

use crate::arrow_table::ArrowTable;

/// A table as Python names it: in memory, or in a file.
#[derive(FromPyObject)]
pub enum Named<'py> {
    Memory(PyRef<'py, ArrowTable>),
    File(PathBuf),
}

impl Named<'_> {
    pub fn table(&self) -> Table {
        match self {
            Self::Memory(table) => table.table().into(),
            Self::File(path) => path.clone().into(),
        }
    }

    /// Its file, if it is in one.
    pub fn file(&self) -> Option<PathBuf> {
        match self {
            Self::Memory(_) => None,
            Self::File(path) => Some(path.clone()),
        }
    }
}

/// Where releases of a study go: into memory, unless one is just being saved. Threads that share a study write one after the other,
/// so that none finds its release where another wants one.
#[derive(Clone, Default)]
pub struct Target(Arc<Place>);

#[derive(Default)]
struct Place {
    turn: Mutex<()>,
    file: Mutex<Option<PathBuf>>,
}

impl Target {
    fn file(&self) -> MutexGuard<'_, Option<PathBuf>> {
        self.0.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something while releases go into a file; without one, into memory.
    pub fn while_into<T>(&self, file: Option<PathBuf>, act: impl FnOnce() -> T) -> T {
        // Whoever panicked in its turn has left nothing that the next one reads.
        let _turn = self.0.turn.lock().unwrap_or_else(PoisonError::into_inner);
        *self.file() = file;
        act()
    }
}

/// A table whose release goes where its target says each time. Whatever is drawn when it is read is the same each time.
pub struct Redirected {
    source: LocalSource,
    target: Target,
}

impl Redirected {
    pub fn new(table: Table) -> (Self, Target) {
        let target = Target::default();
        (Self { source: LocalSource::to_read(table), target: target.clone() }, target)
    }

    fn local(&self, policy: &Policy) -> LocalSource {
        let source = self.source.clone();
        match self.target.file().as_deref() {
            Some(path) => source.into_file(policy, Some(path)),
            None => source.into_memory(),
        }
    }
}

impl Source for Redirected {
    fn count(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Counted> {
        self.local(policy).count(policy, watch)
    }

    fn stage(
        &mut self,
        policy: &Policy,
        counted: &Counted,
        recoding: &Recoding<'_>,
        outputs: &mut Outputs,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Staged>> {
        self.local(policy).stage(policy, counted, recoding, outputs, watch)
    }

    fn announce(&self, policy: &Policy, intent: &mut Intent) -> Result<()> {
        self.local(policy).announce(policy, intent)
    }

    fn some_values(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Vec<(String, Vec<String>)>> {
        self.local(policy).some_values(policy, watch)
    }
}

/// The table that is meant, or that of the policy; the target of its releases, where they come here at all.
pub fn open(table: Option<Table>, policy: &Policy, overwrite: bool) -> Result<(Box<dyn Source>, Option<Target>)> {
    let table = match (table, &policy.input.engine, &policy.input.path) {
        (Some(table), ..) => table,
        (None, Some(_), _) => return Ok((shoal_cli::source::open(policy, None, None, overwrite)?, None)),
        (None, None, Some(path)) => policy.folder.join(path).into(),
        (None, None, None) => {
            return Err(Error::policy("the policy names no input").hint("set `path` in [input], or give a table"));
        }
    };
    let (source, target) = Redirected::new(table);
    Ok((Box::new(source), Some(target)))
}

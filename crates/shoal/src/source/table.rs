//! Where is a table whose rows are read here?

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::HeldFile;
use shoal_core::Result;
use shoal_format::{self as format, InputFormat, MemoryTable, TableReader};

/// A table whose rows are read here: in a file or a folder, in memory, or wherever somebody else keeps rows.
///
/// ```
/// use std::path::Path;
/// use shoal::Table;
///
/// assert_eq!(Table::from("patients.csv").path(), Some(Path::new("patients.csv")));
/// ```
#[derive(Clone)]
pub enum Table {
    /// In a file of any format, or in a folder of files.
    File(PathBuf),
    /// In a file that is open already, and need not have a name.
    Held(HeldFile),
    /// In memory, as Arrow record batches.
    Memory(MemoryTable),
    /// Somewhere else.
    Rows(Arc<dyn OpenRows>),
}

/// Rows that can be read from their beginning, as often as is necessary: a run reads its table twice, and must find the same rows.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::sample;
/// use std::sync::Arc;
/// use shoal::{LocalSource, MemoryTable, OpenRows, Result, Study, Table, TableReader, Unwatched};
///
/// struct Ward(MemoryTable);
///
/// impl OpenRows for Ward {
///     fn name(&self) -> String {
///         "the ward's list".to_owned()
///     }
///
///     fn open(self: Arc<Self>) -> Result<Box<dyn TableReader>> {
///         Ok(self.0.reader())
///     }
/// }
///
/// let ward: Arc<dyn OpenRows> = Arc::new(Ward(sample::patients()?));
/// let study = Study::count(LocalSource::to_read(Table::Rows(ward)), &sample::policy(2)?, &Unwatched)?;
/// assert_eq!(study.table().rows, 12);
/// # Ok(())
/// # }
/// ```
pub trait OpenRows: Send + Sync {
    /// What the table is called in messages.
    fn name(&self) -> String;
    /// Starts to read.
    fn open(self: Arc<Self>) -> Result<Box<dyn TableReader>>;
}

impl Table {
    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Held(_) | Self::Memory(_) | Self::Rows(_) => None,
        }
    }

    /// Opens it; `format` says how a file is written.
    pub(crate) fn open(&self, format: impl FnOnce(&Path) -> InputFormat) -> Result<Box<dyn TableReader>> {
        match self {
            Self::File(path) => format::open(&format(path)),
            Self::Held(file) => file.open(format),
            Self::Memory(table) => Ok(table.reader()),
            Self::Rows(rows) => format::checked(Arc::clone(rows).open()?, rows.name()),
        }
    }
}

impl fmt::Display for Table {
    /// What it is called in messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Held(file) => file.name().display().fmt(f),
            Self::Memory(_) => f.write_str("the table in memory"),
            Self::Rows(rows) => f.write_str(&rows.name()),
        }
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({self})")
    }
}

impl From<PathBuf> for Table {
    fn from(path: PathBuf) -> Self {
        Self::File(path)
    }
}

impl From<&Path> for Table {
    fn from(path: &Path) -> Self {
        Self::File(path.to_path_buf())
    }
}

impl From<&str> for Table {
    fn from(path: &str) -> Self {
        Self::File(path.into())
    }
}

impl From<Arc<dyn OpenRows>> for Table {
    fn from(rows: Arc<dyn OpenRows>) -> Self {
        Self::Rows(rows)
    }
}

impl From<MemoryTable> for Table {
    fn from(table: MemoryTable) -> Self {
        Self::Memory(table)
    }
}

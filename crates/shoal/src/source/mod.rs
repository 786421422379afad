//! Where does the data live, and how is it counted, staged and published?
//!
//! Rows that are read here are the first kind of source, whether they are in files or in memory; a database or a cluster implements the same
//! few verbs, and hands over groups.

mod carrier;
mod cells;
mod column;
mod columns;
mod count;
mod groups;
mod handover;
mod held_file;
mod household_members;
mod json_forms;
mod lines;
mod local;
mod ordered_columns;
mod output_names;
mod people_file;
pub(crate) mod published_numbers;
pub(crate) mod ranges;
mod row_encoder;
mod row_names;
mod sensitive_table;
mod shared_writer;
mod some_values;
mod stage;
mod staged_files;
mod staged_memory;
mod table;
pub(crate) mod telling_columns;

pub use column::{column_values, values_in};
pub use groups::{GroupCounter, counted_columns};
pub use handover::Handover;
pub use held_file::HeldFile;
pub use household_members::HouseholdMembers;
pub use local::LocalSource;
pub use output_names::default_output;
pub use people_file::RowPeople;
pub use table::{OpenRows, Table};

use std::any::Any;
use std::sync::Arc;

use crate::meaning::repeats::Repeats;
use crate::outsider::OutsiderTable;
use crate::policy::Policy;
use crate::publish::{Hash, Intent, Outputs};
use shoal_core::Result;
use shoal_core::frequency::FrequencySet;
use shoal_core::recode::{Layout, Recoding};
use shoal_core::table::Dictionary;
use shoal_core::warning::Warning;
use shoal_core::watch::Watch;
use shoal_format::{MemoryTable, TableReader};

/// A place that holds a table and takes a release.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Policy, Study, Unwatched, sample};
/// use shoal::Source;
///
/// // A table may be anywhere that can be counted and recoded.
/// fn rows(source: Box<dyn Source>, policy: &Policy) -> shoal::Result<u64> {
///     Ok(Study::count(source, policy, &Unwatched)?.table().rows)
/// }
/// assert_eq!(rows(Box::new(LocalSource::in_memory(sample::patients()?)), &sample::policy(2)?)?, 12);
/// # Ok(())
/// # }
/// ```
pub trait Source: Send {
    /// Reads, encodes and counts the table.
    fn count(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Counted>;
    /// Applies a recoding to the table and writes the release where nobody takes it for one yet. `counted` is what it gave before; since
    /// then, nothing may have changed.
    fn stage(
        &mut self,
        policy: &Policy,
        counted: &Counted,
        recoding: &Recoding<'_>,
        outputs: &mut Outputs,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Staged>>;
    /// Says which files will be read and written; none where all is in an engine.
    fn announce(&self, _policy: &Policy, _intent: &mut Intent) -> Result<()> {
        Ok(())
    }
    /// Some different values of each column, to see what those look like that are not counted; none where nothing is published but what was counted.
    fn some_values(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Vec<(String, Vec<String>)>>;
    /// Nothing is asked for a while: nothing is to be held open that others wait for. Whether the table has changed meanwhile is found
    /// out when it is staged.
    fn rest(&mut self) -> Result<()> {
        Ok(())
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    fn count(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Counted> {
        (**self).count(policy, watch)
    }

    fn stage(
        &mut self,
        policy: &Policy,
        counted: &Counted,
        recoding: &Recoding<'_>,
        outputs: &mut Outputs,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Staged>> {
        (**self).stage(policy, counted, recoding, outputs, watch)
    }

    fn announce(&self, policy: &Policy, intent: &mut Intent) -> Result<()> {
        (**self).announce(policy, intent)
    }

    fn some_values(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Vec<(String, Vec<String>)>> {
        (**self).some_values(policy, watch)
    }

    fn rest(&mut self) -> Result<()> {
        (**self).rest()
    }
}

/// A release that is written but not published.
///
/// ```
/// use shoal::Staged;
///
/// // Where a release that is written, and not published yet, will be found.
/// fn place(staged: &dyn Staged) -> String {
///     staged.place().release
/// }
/// ```
pub trait Staged: Send {
    /// Counts it as an outsider would.
    fn count(&self, policy: &Policy, watch: &dyn Watch) -> Result<OutsiderTable>;
    /// The seconds that writing took.
    fn write_seconds(&self) -> f64;
    /// Where it will be found.
    fn place(&self) -> Published;
    /// What its readers should know.
    fn warnings(&self) -> Vec<Warning> {
        Vec::new()
    }
    /// Reads it as others will; none where it is in an engine.
    fn reader(&self, _policy: &Policy) -> Result<Option<Box<dyn TableReader>>> {
        Ok(None)
    }
    /// Publishes it together with everything else that its run has to say: all of it, at once. What stays in memory is handed out.
    fn publish(self: Box<Self>, outputs: Outputs) -> Result<Option<ReleaseInMemory>>;
}

/// A release that is in memory.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Unwatched, Writing, sample};
/// let source = LocalSource::in_memory(sample::patients()?);
/// let release = shoal::anonymize(source, &sample::policy(4)?, Writing::new(), &Unwatched)?;
/// let rows = release.in_memory.expect("where its table is").rows;
/// assert_eq!(rows.schema().field(0).name(), "age");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct ReleaseInMemory {
    /// Its rows.
    pub rows: MemoryTable,
    /// The table of its sensitive values, where those are in one of their own.
    pub sensitive: Option<MemoryTable>,
}

/// Where a release is found.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Unwatched, Writing, sample};
/// use shoal::Published;
///
/// let source = LocalSource::in_memory(sample::patients()?);
/// let release = shoal::anonymize(source, &sample::policy(4)?, Writing::new(), &Unwatched)?;
/// let Published { release_hash, sensitive, .. } = release.published;
/// assert!(release_hash.is_none() && sensitive.is_none(), "it is in no file, and in one table");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Published {
    /// The table of its rows.
    pub release: String,
    /// The table of its sensitive values, where those are in one of their own.
    pub sensitive: Option<String>,
    /// What was verified, where that is a file.
    pub release_hash: Option<Hash>,
    /// The same of the table of sensitive values.
    pub sensitive_hash: Option<Hash>,
}

/// What counting a table gives.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Unwatched, sample};
/// use shoal::Source;
///
/// let counted = LocalSource::in_memory(sample::patients()?).count(&sample::policy(2)?, &Unwatched)?;
/// assert_eq!((counted.rows, counted.dictionaries.len()), (12, 3));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Counted {
    /// The values of the quasi-identifiers and then of the sensitive columns, both in policy order.
    pub dictionaries: Vec<Arc<Dictionary>>,
    /// Every distinct tuple and how often it occurs.
    pub tuples: Arc<FrequencySet>,
    /// How many rows were counted.
    pub rows: u64,
    /// How many were left out because a value is missing.
    pub dropped_rows: u64,
    /// The columns of the table, and what becomes of each.
    pub layout: Layout,
    /// Columns that tell that rows may not be people.
    pub repeats: Vec<Repeats>,
    /// Columns that are published as they are and tell which rows are one person's.
    pub telling: Vec<String>,
    /// Who lives together, where a column says so.
    pub households: Option<HouseholdMembers>,
    /// The seconds that reading took.
    pub read_seconds: f64,
    /// What the source itself remembers of it, for the time when it is staged.
    pub kept: Kept,
}

/// Something that only whoever made it knows.
pub type Kept = Option<Arc<dyn Any + Send + Sync>>;

impl Counted {
    /// The codes of every tuple, in the order of the dictionaries, and how often it occurs.
    pub fn each_tuple(&self, mut act: impl FnMut(&[u32], u64)) {
        let quasi = self.layout.quasi;
        let mut codes = vec![0; self.dictionaries.len()];
        for class in 0..self.tuples.classes() {
            codes[..quasi].iter_mut().enumerate().for_each(|(column, code)| *code = self.tuples.code(class, column));
            let (tuples, counts) = self.tuples.entries(class);
            for (&tuple, &count) in tuples.iter().zip(counts) {
                codes[quasi..].copy_from_slice(self.tuples.sensitive().tuple(tuple));
                act(&codes, count);
            }
        }
    }
}

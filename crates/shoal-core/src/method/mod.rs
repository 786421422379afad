//! How are records put into classes that satisfy every requirement?
//!
//! Each method is one file (or folder) and one line in the list below; the policy, `shoal explain` and the laws in the
//! tests follow from the list.

mod acceptance;
mod all_rows;
mod as_read;
mod diversity;
mod draft;
mod eligible;
mod entry;
mod fallback;
mod grouping;
mod joining;
mod label;
mod leaving_out;
mod partition;
mod separated;
mod showing;
mod whole_people;

pub use acceptance::{Acceptance, Member};
pub use anatomy::LinkColumns;
pub use as_read::{AsRead, sensitive_label};
pub use eligible::{EligibleRange, eligible_range};
pub use entry::MethodEntry;
pub use grouping::Grouping;
pub use joining::Joining;
pub use label::{Categories, Cover, Covered, Ends, Label, LabelStyle, Numbers};
pub use partition::{Assignment, Classes, ColumnSums, GUARANTEES, GeneralizedSensitive, Partition, Remark};
pub use showing::{Showing, StandIns};
pub use whole_people::{Knows, Suppress, partition};

use std::time::Instant;

use crate::exact::Ratio;
use crate::frequency::{CountedTable, QuasiColumn, SensitiveColumn};
use crate::listed::Listed;
use crate::model::{Complaint, Requirement};
use crate::objective::Objective;
use crate::warning::Warning;
use crate::watch::Watch;
use crate::{Error, Result};

entry::methods! {
    "full_domain/mod.rs" full_domain::FullDomain,
    "mondrian/mod.rs" mondrian::Mondrian,
    "microaggregation/mod.rs" microaggregation::Microaggregation,
    "sweep/mod.rs" sweep::Sweep,
    "one_dimensional/mod.rs" one_dimensional::OneDimensional,
    "similarity_blocks/mod.rs" similarity_blocks::SimilarityBlocks,
    "anatomy/mod.rs" anatomy::Anatomy,
    "best.rs" best::Best,
}

/// What a search keeps at most where nobody says: enough for thousands of nodes of a table like Adult.
pub const SEARCH_MEMORY: usize = 512 << 20;

/// What a method is asked to do.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The table.
    pub table: &'a CountedTable,
    /// What every class must satisfy.
    pub requirements: &'a [Requirement],
    /// What is to be as small as possible.
    pub objective: &'a dyn Objective,
    /// The fraction of rows that may be left out.
    pub max_suppressed: Ratio,
    /// How values that differ within a class are shown, where each class has labels of its own.
    pub style: LabelStyle,
    /// What is known of somebody with several rows, where people are counted.
    pub knows: Knows,
    /// What is left out, where people are counted.
    pub suppress: Suppress,
    /// The requirements for other sensitive columns, if sensitive values may be generalized.
    pub resolver: Option<&'a dyn Resolver>,
    /// When it was asked. A time that a search is given is for all searches that it takes.
    pub begun: Instant,
    /// How many bytes a search may keep of what it has looked at.
    pub search_memory: usize,
}

/// Who can say what the requirements are once sensitive values are generalized.
pub trait Resolver: std::fmt::Debug + Sync {
    /// The requirements for these columns, which know generalized values beside those of the table; an error if one
    /// cannot judge such values.
    fn resolve(&self, columns: &[SensitiveColumn]) -> Result<Vec<Requirement>>;
}

impl<'a> Task<'a> {
    /// A release that satisfies the requirements with the least objective, in the usual style.
    pub fn new(
        table: &'a CountedTable,
        requirements: &'a [Requirement],
        objective: &'a dyn Objective,
        max_suppressed: Ratio,
    ) -> Self {
        let (knows, suppress) = (Knows::default(), Suppress::default());
        let style = LabelStyle::default();
        let (begun, search_memory) = (Instant::now(), SEARCH_MEMORY);
        Self {
            table,
            requirements,
            objective,
            max_suppressed,
            style,
            knows,
            suppress,
            resolver: None,
            begun,
            search_memory,
        }
    }

    /// The number of rows that may be left out.
    pub fn rows_to_spare(&self) -> u64 {
        self.max_suppressed.floor_of(self.table.rows)
    }

    /// An error if a column may not become as general as its hierarchy allows: a class must be able to show the root, since
    /// a local method has no other label for values that share nothing.
    pub fn refuse_max_level(&self, method: &str) -> Result<()> {
        let limited = |column: &&QuasiColumn| usize::from(column.max_level) < column.hierarchy.height();
        match self.table.quasi.iter().find(limited) {
            None => Ok(()),
            Some(column) => {
                Err(Error::policy(format!("`{method}` cannot keep to the `max-level` of column `{}`", column.name))
                    .detail("it gives each class the smallest label that covers its values, which may be the root")
                    .hint("remove `max-level`, or use `full-domain`"))
            }
        }
    }

    /// An error if people are counted, for a method that puts records into classes one by one, by what each of them shows.
    pub fn refuse_people(&self, method: &str) -> Result<()> {
        if self.table.people.is_none() {
            return Ok(());
        }
        Err(Error::policy(format!("`{method}` cannot count people: it takes each row for somebody else's"))
            .hint("`full-domain` (also with `local = true`), `mondrian` and `microaggregation` count people; `best` tries them all"))
    }

    /// An error if somebody knows all rows of a person, for a method that puts each row where it fits best.
    pub fn refuse_all_rows(&self, method: &str) -> Result<()> {
        if self.table.people.is_none() || self.knows == Knows::OneRow {
            return Ok(());
        }
        Err(Error::policy(format!("`{method}` does not make all rows of a person look like those of others"))
            .detail("with `knows = \"all-rows\"` that is asked")
            .hint("`full-domain` does, also with `local = true`; `best` tries both"))
    }

    /// An error if people are released or suppressed as a whole, for what looks at rows by the levels of their columns.
    pub fn refuse_whole_people(&self, what: &str) -> Result<()> {
        let key = match (self.knows, self.suppress) {
            (Knows::AllRows, _) => "`knows = \"all-rows\"`",
            (Knows::OneRow, Suppress::People) => "`suppress = \"people\"`",
            (Knows::OneRow, Suppress::Rows) => return Ok(()),
        };
        match self.table.people {
            Some(_) => Err(Error::policy(format!("{what} cannot be told with {key}"))
                .detail("which levels would do is asked of rows, and then more is asked of people")
                .hint("`shoal anonymize` finds a release; leave out the key to see what rows allow")),
            None => Ok(()),
        }
    }

    /// The labels of each quasi-identifier.
    pub fn covers(&self) -> Vec<Cover<'a>> {
        self.table.quasi.iter().map(|column| Cover::new(column, self.style)).collect()
    }
}

/// Refuses a `max-level` below the top of a hierarchy, where each class has labels of its own: what covers a class may lie
/// anywhere.
fn refuse_max_level(task: &Task<'_>) -> Result<()> {
    let limited = |column: &&QuasiColumn| usize::from(column.max_level) < column.hierarchy.height();
    match task.table.quasi.iter().find(limited) {
        None => Ok(()),
        Some(column) => {
            Err(Error::policy(format!("this method cannot keep to the `max-level` of column `{}`", column.name))
                .hint("remove it, or set `name = \"full-domain\"` in [method]"))
        }
    }
}

/// A way to partition a table into classes. Its fields are its parameters in a policy.
pub trait Method: std::fmt::Debug + Send + Sync {
    /// Its id in a policy.
    fn id(&self) -> &'static str;
    /// Itself with its usual parameters, and with others that take other paths: what laws about methods are held against.
    fn samples() -> Vec<Self>
    where
        Self: Sized + Default,
    {
        vec![Self::default()]
    }
    /// What can be said about its parameters without data.
    fn check(&self) -> Result<(), Complaint> {
        Ok(())
    }
    /// What whoever asks for it should know.
    fn warning(&self) -> Option<Warning> {
        None
    }
    /// Can what it loses be compared with what others lose? Not where quasi-identifiers are left as they are.
    fn is_comparable(&self) -> bool {
        true
    }
    /// Does each class have labels of its own, so that a style of labels makes sense?
    fn is_local(&self) -> bool {
        true
    }
    /// May it generalize sensitive values, those of records with the most frequent value first?
    fn generalizes_dominant(&self) -> bool {
        false
    }
    /// Does it end when a time or a number of steps is spent, with the best that it has found?
    fn has_budget(&self) -> bool {
        false
    }
    /// What may stand in the cells of its release, where labels have this style.
    fn showing(&self, style: LabelStyle) -> Showing {
        Showing::labels(style)
    }
    /// The columns that link the two tables of a release, where quasi-identifiers stay as they are and sensitive values are
    /// in a table of their own.
    fn separates(&self) -> Option<LinkColumns<'_>> {
        None
    }
    /// A partition all of whose classes satisfy every requirement, or why there is none. With more rows that may be
    /// suppressed there is always one that loses no more than without any.
    ///
    /// Told to stop, it ends soon, with an error or with whatever it has by then: whoever called it asks the watch once more before
    /// making use of it. Told to take the best, it ends with a release as soon as it has one, where it looks for several.
    fn partition(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition>;
}

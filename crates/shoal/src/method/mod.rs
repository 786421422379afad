//! How are records put into classes that satisfy every requirement?

pub mod full_domain;
mod partition;

pub use partition::{Assignment, Label, Partition};

use crate::Result;
use crate::exact::Ratio;
use crate::frequency::CountedTable;
use crate::model::Requirement;
use crate::objective::Objective;
use crate::page::{Page, page};
use crate::progress::Progress;

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
}

impl Task<'_> {
    /// The number of rows that may be left out.
    pub fn rows_to_spare(&self) -> u64 {
        self.max_suppressed.floor_of(self.table.rows)
    }
}

/// A way to partition a table into classes.
pub trait Method: std::fmt::Debug + Send + Sync {
    /// Its id in a policy.
    fn id(&self) -> &'static str;
    /// A partition all of whose classes satisfy every requirement, or why there is none.
    fn partition(&self, task: &Task<'_>, progress: &dyn Progress) -> Result<Partition>;
}

/// The pages of `shoal explain` for the methods, by id.
pub fn pages() -> Vec<(&'static str, Page)> {
    vec![("full-domain", page(include_str!("full_domain/mod.rs")))]
}

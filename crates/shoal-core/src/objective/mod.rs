//! How much has a release lost?
//!
//! Each measure is one file, and one line in the list below.

mod bounds;
mod candidate;
mod ideal;
pub mod order;

pub use bounds::LowerBounds;
pub use candidate::{Candidate, LabelSums, Shown};
pub use ideal::IdealCandidates;

use crate::frequency::QuasiColumn;
use crate::listed::{self, Listed, Named};

/// Declares the files of the objectives and makes the list of them.
macro_rules! objectives {
    ($($file:ident :: $objective:ident),* $(,)?) => {
        $(mod $file; pub use $file::$objective;)*

        /// Every objective that Shoal knows, the default first.
        pub static OBJECTIVES: &[Listed<&dyn Objective>] =
            &[$(Listed::new(&$file::$objective, include_str!(concat!(stringify!($file), ".rs")))),*];
    };
}

objectives! {
    loss::Loss,
    height::Height,
    average_class_size::AverageClassSize,
    discernibility::Discernibility,
    precision::Precision,
    non_uniform_entropy::NonUniformEntropy,
    information::Information,
}

/// A measure of what a release has lost: smallest for the original.
pub trait Objective: std::fmt::Debug + Send + Sync {
    /// Its id, everywhere.
    fn id(&self) -> &'static str;

    /// What a candidate has lost.
    fn value(&self, candidate: &Candidate<'_>) -> f64;

    /// No candidate at or above a node, with at most `max_suppressed` rows suppressed, has lost less than this. `ideal`
    /// is the candidate at that node if nothing had to be suppressed and every combination of its labels were a class
    /// of its own.
    ///
    /// Unless an objective says otherwise it is the value of the ideal: suppressing a row costs at least as much as
    /// generalizing it, and going up costs at least as much as staying. (The tests hold every objective to it.)
    fn lower_bound(&self, ideal: &Candidate<'_>, _max_suppressed: u64) -> f64 {
        self.value(ideal)
    }

    /// A candidate at exactly a node with at least `fewest.suppressed` rows suppressed has lost no less than this. `fewest`
    /// is the ideal with that many rows suppressed, in each column those whose labels say least.
    ///
    /// Unless an objective says otherwise it is the value of that candidate: each column loses least if the rows that had
    /// the least to lose are the ones suppressed. With as many rows suppressed it grows upwards, where
    /// [`counts_suppressed`](Self::counts_suppressed) says that they tell anything.
    fn bound_at(&self, fewest: &Candidate<'_>, _sizes: SizeDemand) -> f64 {
        self.value(fewest)
    }

    /// No release at or above a node with these classes loses less than this. For objectives that look at classes; the others
    /// have nothing to add.
    fn bound_by_classes(&self, _node: &NodeClasses<'_>) -> f64 {
        f64::NEG_INFINITY
    }

    /// Does it look at the labels that rows show?
    fn reads_labels(&self) -> bool {
        true
    }

    /// Can it tell anything by the number of rows that a node must suppress?
    fn counts_suppressed(&self) -> bool {
        true
    }

    /// Are its values and bounds rounded in the same direction, so that a bound at or above a value stays there? They are where
    /// both are whole numbers, or one division of whole numbers.
    fn keeps_order(&self) -> bool {
        false
    }

    /// What a row loses in a column by showing a label, if that is what this objective adds up: for methods that decide
    /// class by class. Only differences matter, and the same scale for all columns.
    fn label_loss(&self, _column: &QuasiColumn, _shown: ShownLabel) -> Option<f64> {
        None
    }

    /// Is what a row loses by a label told by nothing but how many leaves the label covers?
    fn reads_leaves_alone(&self) -> bool {
        false
    }

    /// The objective as a sum, or product, of a number for each column, if it is one.
    fn separable(&self) -> Option<&dyn Separable> {
        None
    }
}

/// The classes at a node, before any is suppressed.
#[derive(Debug, Clone, Copy)]
pub struct NodeClasses<'a> {
    /// The number of records of each.
    pub sizes: &'a [u64],
    /// How many records there are.
    pub rows: u64,
    /// How many of them may be suppressed at most.
    pub max_suppressed: u64,
    /// What is asked of the sizes of released classes.
    pub demand: SizeDemand,
}

/// What requirements ask of the size of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeDemand {
    /// No class with fewer records is released.
    pub least: u64,
    /// Is every class with as many released? Then nothing but a size is asked for.
    pub is_all: bool,
}

impl SizeDemand {
    /// Nothing is asked of sizes, and classes may fail for other reasons.
    pub const NONE: Self = Self { least: 1, is_all: false };
}

/// What there is to know of a label before it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShownLabel {
    /// The number of leaves that it covers.
    pub leaves: u64,
    /// The level of the lowest node that covers them.
    pub level: u8,
    /// The number of rows of the table whose value it covers.
    pub rows: u64,
}

/// An objective that is put together from a number for each column.
pub trait Separable: Objective {
    /// The number for a column; it depends on that column's level and rows alone.
    fn term(&self, candidate: &Candidate<'_>, column: usize) -> f64;
    /// The objective, from the numbers of all columns.
    fn combine(&self, candidate: &Candidate<'_>, terms: &mut dyn Iterator<Item = f64>) -> f64;
    /// The numbers of a candidate, put together.
    fn combined(&self, candidate: &Candidate<'_>) -> f64 {
        self.combine(candidate, &mut (0..candidate.columns.quasi.len()).map(|column| self.term(candidate, column)))
    }
}

impl Named for &'static dyn Objective {
    fn id(&self) -> &'static str {
        (**self).id()
    }
}

/// What a candidate has lost by every objective, by their ids.
pub fn values(candidate: &Candidate<'_>) -> Vec<(&'static str, f64)> {
    OBJECTIVES.iter().map(|entry| (entry.item.id(), entry.item.value(candidate))).collect()
}

/// The objective with this id.
pub fn by_id(id: &str) -> Option<&'static dyn Objective> {
    listed::find(OBJECTIVES, id).map(|entry| entry.item)
}

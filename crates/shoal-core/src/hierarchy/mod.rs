//! What does a value become as it is generalized, level by level?

mod alike;
mod bands;
mod check;
mod column_values;
mod dates;
mod equal_frequency;
mod file;
mod generated;
mod intervals;
pub mod known;
mod labels;
#[cfg(test)]
mod laws;
mod level;
mod mask;
mod numbers;
mod order;
mod parameters;
mod quantiles;
mod rows;
mod show;
mod spec;
mod suggest;
mod suppress;
#[cfg(test)]
mod testing;
mod to_csv;
mod told;
mod tree;
mod written;

pub use alike::{Profiles, alike};
pub use check::{Report, check};
pub use column_values::ColumnValues;
pub use dates::{Dates, days_named};
pub use file::File;
pub use intervals::Intervals;
pub use known::Known;
pub use level::Level;
pub use mask::Mask;
pub use order::{Measure, are_categories, is_ordered};
pub use quantiles::Quantiles;
pub use show::{draw, summary};
pub use spec::HierarchySpec;
pub use suggest::{Suggestion, suggest};
pub use suppress::Suppress;
pub use told::{Told, dashed, members, members_among};
pub use tree::Tree;
pub use written::{dates, file, intervals, known, mask, quantiles, suppress, tree};

use crate::table::Dictionary;

/// The label of a root that says nothing.
pub const ROOT: &str = "*";

/// The most levels above the values, the root among them: levels are told apart by one byte.
const MOST_LEVELS: usize = 255;

/// The tree over a column's values, as a stack of levels: level 0 holds the values themselves, the last one root.
///
/// Leaves are numbered so that the first are the codes of the column's dictionary, in its order; leaves that
/// the hierarchy knows by name but the column does not hold follow.
#[derive(Debug, Clone, PartialEq)]
pub struct Hierarchy {
    levels: Vec<Level>,
}

impl Hierarchy {
    /// A hierarchy of these levels, leaves first. What has a text of its own on level 0 is a leaf; a value and a missing
    /// one that are written alike are one.
    ///
    /// # Panics
    /// If the levels are not nested or the last is not one root labelled `*`: whoever builds them checks that first.
    pub fn new(mut levels: Vec<Level>) -> Self {
        assert!(levels.last().is_some_and(|root| root.labels() == [ROOT]), "a hierarchy has one root");
        for pair in levels.windows(2) {
            assert!(pair[0].first_split(&pair[1]).is_none(), "levels are nested");
        }
        let listed_before = levels[0].repeats();
        if listed_before.contains(&true) {
            levels.iter_mut().for_each(|level| level.leave_out(&listed_before));
        }
        Self { levels }
    }

    /// Two levels: every value as it is, and the root.
    pub fn suppress(dictionary: &Dictionary) -> Self {
        let values = Level::of_values(dictionary.values());
        let root = Level::root(dictionary.len());
        Self::new(vec![values, root])
    }

    /// The number of its highest level.
    pub fn height(&self) -> usize {
        self.levels.len() - 1
    }

    /// All levels, leaves first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// One level.
    pub fn level(&self, level: usize) -> &Level {
        &self.levels[level]
    }

    /// The number of leaves: rows of a hierarchy that is written down, values that occur under a generated one.
    pub fn domain_size(&self) -> u64 {
        self.levels[self.height()].leaves_under(0)
    }

    /// What a value (its code) is called on a level.
    pub fn label(&self, level: usize, code: u32) -> &str {
        let level = &self.levels[level];
        level.label(level.node_of(code))
    }
}

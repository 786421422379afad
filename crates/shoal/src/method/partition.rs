//! Which records go into which class, and what does each class show?

use crate::frequency::CountedTable;
use crate::lattice::Node;

/// What a class shows for a quasi-identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// A node of the column's hierarchy.
    Node {
        /// Its level.
        level: u8,
        /// Its place on that level.
        node: u32,
    },
}

impl Label {
    /// The text that stands in the release.
    pub fn text<'a>(&self, table: &'a CountedTable, column: usize) -> &'a str {
        match *self {
            Label::Node { level, node } => table.quasi[column].hierarchy.level(usize::from(level)).label(node),
        }
    }
}

/// How many of the records with a tuple go into a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment {
    /// The place of the tuple among all entries of the table's base frequency set.
    pub tuple: u32,
    /// The class; `None` suppresses the records.
    pub class: Option<u32>,
    /// How many records.
    pub count: u64,
}

/// The result of a method: classes, what they show, and who is in them. It assigns counts, not rows: of several
/// equal records some may go to one class and some to another.
#[derive(Debug, Clone)]
pub struct Partition {
    /// For each class, what it shows for each quasi-identifier.
    pub classes: Vec<Vec<Label>>,
    /// Sorted by tuple; the counts of a tuple add up to its frequency.
    pub assignments: Vec<Assignment>,
    /// The level of each column, where a method has one for all rows.
    pub node: Option<Node>,
    /// By how much a better partition of this kind could be better at most; 0 if it is known that there is none.
    pub gap: f64,
    /// How much was lost, by every objective, in the order of the list.
    pub objectives: Vec<(&'static str, f64)>,
    /// How many nodes the lattice has, and how many were looked at.
    pub lattice: Option<(u128, u64)>,
}

impl Partition {
    /// How many records are suppressed.
    pub fn suppressed(&self) -> u64 {
        self.assignments.iter().filter(|assignment| assignment.class.is_none()).map(|assignment| assignment.count).sum()
    }

    /// How many records are released.
    pub fn released(&self) -> u64 {
        self.class_sizes().iter().sum()
    }

    /// The number of records in each class.
    pub fn class_sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.classes.len()];
        for assignment in &self.assignments {
            if let Some(class) = assignment.class {
                sizes[class as usize] += assignment.count;
            }
        }
        sizes
    }
}

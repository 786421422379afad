//! Which nodes lose so much by their classes that nothing above them is worth a look, once the best is good enough?

use std::cmp::Ordering;

use crate::lattice::Node;

/// A node at or above which at least so much is lost.
#[derive(Debug)]
pub(super) struct Coarse {
    pub(super) bound: f64,
    pub(super) node: Node,
}

impl Ord for Coarse {
    /// The largest of a heap is the one that loses most; ties by the levels.
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then_with(|| self.node.cmp(&other.node))
    }
}

impl PartialOrd for Coarse {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Coarse {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Coarse {}

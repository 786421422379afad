//! Which nodes are still to be looked at, the most promising first?

use std::cmp::Ordering;

use crate::lattice::{Lattice, Node};
use crate::objective::LowerBounds;

/// A node that may still be best, or have better ones above it.
#[derive(Debug)]
pub(super) struct Open {
    /// What it and everything above it must lose.
    pub(super) bound: f64,
    pub(super) node: Node,
    /// Its successors are made by raising this column or one after it, so that each node is made once.
    from: usize,
}

impl Open {
    /// The lowest node, from which all others are made.
    pub(super) fn bottom(lattice: &Lattice, bounds: &LowerBounds<'_>) -> Self {
        Self::new(lattice.bottom().clone(), bounds, 0)
    }

    /// A node that was reached some other way.
    pub(super) fn at(node: Node, bounds: &LowerBounds<'_>) -> Self {
        Self::new(node, bounds, 0)
    }

    fn new(node: Node, bounds: &LowerBounds<'_>, from: usize) -> Self {
        Self { bound: bounds.above(&node), node, from }
    }

    /// Its classes tell that it and everything above it must lose so much.
    pub(super) fn raise(&mut self, bound: f64) {
        self.bound = self.bound.max(bound);
    }

    /// The nodes that are made from this one. They lie above it, and lose no less.
    pub(super) fn successors(&self, lattice: &Lattice, bounds: &LowerBounds<'_>) -> impl Iterator<Item = Self> {
        let raised = |column: usize| {
            let level = self.node.levels()[column];
            let may_rise = level < lattice.top().levels()[column];
            may_rise.then(|| {
                let mut next = Self::new(self.node.with_level(column, level + 1), bounds, column);
                next.raise(self.bound);
                next
            })
        };
        (self.from..lattice.columns()).filter_map(raised)
    }
}

impl Ord for Open {
    /// The largest of a heap is the one with the smallest bound; ties by the levels.
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then_with(|| other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

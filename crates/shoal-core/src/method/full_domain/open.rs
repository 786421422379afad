//! Which nodes are still to be looked at, the most promising first?

use std::cmp::Ordering;

use crate::lattice::{Lattice, Node};
use crate::objective::LowerBounds;

/// A box of nodes, one of which may still be best. No node is in two open boxes.
#[derive(Debug)]
pub(super) struct Open {
    /// What all of them must lose.
    pub(super) bound: f64,
    nodes: Lattice,
}

impl Open {
    /// All of these nodes.
    pub(super) fn new(nodes: Lattice, bounds: &LowerBounds<'_>) -> Self {
        Self { bound: bounds.above(nodes.bottom()), nodes }
    }

    /// The node that all others are above.
    pub(super) fn lowest(&self) -> &Node {
        self.nodes.bottom()
    }

    /// Its classes tell that the lowest node and everything above it must lose so much.
    pub(super) fn raise(&mut self, bound: f64) {
        self.bound = self.bound.max(bound);
    }

    /// How many of the nodes are at or below another, which is at or above the lowest of them.
    pub(super) fn nodes_up_to(&self, other: &Node) -> u128 {
        self.nodes.up_to(other).size()
    }

    /// The nodes that are not at or below another, which is at or above the lowest of them, in boxes. They lose no less.
    pub(super) fn without_those_up_to(&self, other: &Node, bounds: &LowerBounds<'_>) -> impl Iterator<Item = Self> {
        self.nodes.without_those_up_to(other).map(|nodes| {
            let mut part = Self::new(nodes, bounds);
            part.raise(self.bound);
            part
        })
    }
}

impl Ord for Open {
    /// The largest of a heap is the one with the smallest bound; ties by the levels.
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then_with(|| other.lowest().cmp(self.lowest()))
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

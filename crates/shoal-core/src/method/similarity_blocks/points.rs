//! What is there to be put together, and of which kind is each?

use super::space::Space;

/// Points of the space of quasi-identifiers: records by their tuples (kinds are sensitive values), or blocks by their
/// seeds (kinds are groups of values). In the order in which seeds are taken.
#[derive(Debug, Default)]
pub(super) struct Points {
    columns: usize,
    ranks: Vec<u32>,
    /// The kind of each.
    pub(super) kinds: Vec<u32>,
    /// How many there are of each.
    pub(super) counts: Vec<u64>,
}

impl Points {
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, ..Self::default() }
    }

    pub(super) fn push(&mut self, ranks: impl IntoIterator<Item = u32>, kind: u32, count: u64) {
        self.ranks.extend(ranks);
        self.kinds.push(kind);
        self.counts.push(count);
        debug_assert_eq!(self.ranks.len(), self.columns * self.kinds.len());
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(super) fn ranks(&self, point: u32) -> &[u32] {
        &self.ranks[point as usize * self.columns..][..self.columns]
    }

    /// How many there are of each kind.
    pub(super) fn totals(&self) -> Vec<u64> {
        let kinds = self.kinds.iter().max().map_or(0, |&last| last as usize + 1);
        let mut totals = vec![0; kinds];
        self.kinds.iter().zip(&self.counts).for_each(|(&kind, &count)| totals[kind as usize] += count);
        totals
    }
}

/// Which kinds may be found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wanted<'a> {
    /// None of these.
    Except(&'a [u32]),
    /// One of these.
    Only(&'a [u32]),
}

impl Wanted<'_> {
    #[inline]
    pub(super) fn holds(&self, kind: u32) -> bool {
        match self {
            Self::Except(kinds) => !kinds.contains(&kind),
            Self::Only(kinds) => kinds.contains(&kind),
        }
    }
}

/// The nearest point, and how far it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Neighbour {
    pub(super) point: u32,
    pub(super) distance: f64,
    /// Is it known that no other is nearer?
    pub(super) is_nearest: bool,
}

/// A way to find neighbours.
pub(super) trait Find: Sync {
    /// Prepares to find neighbours among these points.
    fn among<'p>(&self, space: &'p Space, points: &'p Points) -> Box<dyn Neighbours + 'p>;
}

/// Finds near points among those that are left.
pub(super) trait Neighbours {
    /// A point of a wanted kind that is as near to `ranks` as can be found; none if no such point is left.
    fn nearest(&mut self, ranks: &[u32], wanted: Wanted<'_>) -> Option<Neighbour>;
    /// Takes one away.
    fn take(&mut self, point: u32);
    /// How many are left of a point.
    fn left(&self, point: u32) -> u64;
}

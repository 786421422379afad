//! What must be lost at a node and everything above it?

use super::{Candidate, IdealCandidates, NodeClasses, Objective, Separable, SizeDemand};
use crate::frequency::CountedTable;
use crate::lattice::Node;

/// Lower bounds of an objective, for any node.
///
/// Where the objective is put together from a number for each column, the number for each of its levels is worked
/// out once: a bound is then a few additions, which matters when a lattice has millions of nodes.
#[derive(Debug)]
pub struct LowerBounds<'a> {
    objective: &'a dyn Objective,
    ideals: IdealCandidates<'a>,
    max_suppressed: u64,
    demand: SizeDemand,
    /// `[column][level]`
    terms: Vec<Vec<f64>>,
}

impl<'a> LowerBounds<'a> {
    /// The bounds of an objective on a table of which at most `max_suppressed` rows may be suppressed.
    pub fn new(objective: &'a dyn Objective, table: &'a CountedTable, max_suppressed: u64) -> Self {
        let ideals = IdealCandidates::new(table);
        let terms = match objective.separable() {
            None => Vec::new(),
            Some(separable) => terms(separable, &ideals, table),
        };
        Self { objective, ideals, max_suppressed, demand: SizeDemand::NONE, terms }
    }

    /// The same bounds, where this is asked of the sizes of released classes.
    #[must_use]
    pub fn asking(self, demand: SizeDemand) -> Self {
        Self { demand, ..self }
    }

    /// No release at or above this node loses less.
    pub fn above(&self, node: &Node) -> f64 {
        match self.objective.separable() {
            None => self.objective.lower_bound(&self.ideals.at(node), self.max_suppressed),
            Some(separable) => {
                let terms = self.terms.iter().zip(node.levels()).map(|(levels, &level)| levels[usize::from(level)]);
                separable.combine(&self.ideals.bare(node), &mut { terms })
            }
        }
    }

    /// No release at exactly this node loses less, if at least so many of its rows are suppressed; nor one above it, if as many are there.
    pub fn at(&self, node: &Node, suppressed: u64) -> f64 {
        self.objective.bound_at(&self.ideals.with_suppressed(node, suppressed), self.demand)
    }

    /// No release at or above a node with classes of these sizes loses less.
    pub fn above_classes(&self, sizes: &[u64]) -> f64 {
        let (rows, max_suppressed) = (self.ideals.rows(), self.max_suppressed);
        self.objective.bound_by_classes(&NodeClasses { sizes, rows, max_suppressed, demand: self.demand })
    }

    /// The candidates that the bounds come from.
    pub fn ideals(&self) -> &IdealCandidates<'a> {
        &self.ideals
    }
}

fn terms(separable: &dyn Separable, ideals: &IdealCandidates<'_>, table: &CountedTable) -> Vec<Vec<f64>> {
    let of_column = |column: usize| {
        let term = |level: usize| {
            let node = table.ungeneralized().with_level(column, level as u8);
            let ideal: Candidate<'_> = ideals.at(&node);
            separable.term(&ideal, column)
        };
        (0..table.quasi[column].hierarchy.levels().len()).map(term).collect()
    };
    (0..table.quasi.len()).map(of_column).collect()
}

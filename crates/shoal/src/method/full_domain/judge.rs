//! Which classes of a node satisfy every requirement, and is the node good enough?

use super::super::Task;
use crate::frequency::{FrequencySet, Generalization, TableProfile};
use crate::lattice::{Lattice, Node};
use crate::model::{Monotonicity, accepts_all};
use crate::objective::Candidate;

/// Judges nodes of the lattice; the searches differ only in which they ask it about.
#[derive(Debug)]
pub struct Judge<'a> {
    /// What is asked for.
    pub task: &'a Task<'a>,
    /// The nodes to choose from.
    pub lattice: Lattice,
    /// How frequency sets are rolled up.
    pub generalization: Generalization,
    input: TableProfile,
    spare: u64,
    monotonicity: Monotonicity,
}

/// Which classes are accepted, and how many rows are in the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// For each class, whether it is released.
    pub accepted: Vec<bool>,
    /// How many rows are not.
    pub suppressed: u64,
}

impl<'a> Judge<'a> {
    /// A judge for a task.
    pub fn new(task: &'a Task<'a>) -> Self {
        let table = task.table;
        let monotonicity = task.requirements.iter().map(|requirement| requirement.model.monotonicity()).min();
        Self {
            task,
            lattice: table.lattice(),
            generalization: Generalization::new(table.quasi.iter().map(|column| &column.hierarchy)),
            input: TableProfile::of_input(&table.sensitive, table.rows),
            spare: task.rows_to_spare(),
            monotonicity: monotonicity.unwrap_or(Monotonicity::Always),
        }
    }

    /// The frequency set at a node, straight from the base.
    pub fn scan(&self, node: &Node) -> FrequencySet {
        self.generalization.roll_up(&self.task.table.base, &self.task.table.ungeneralized(), node)
    }

    /// Which classes can be released together.
    ///
    /// Where a verdict depends on the released distribution, suppressing classes changes it: all that fail are dropped
    /// at once, the distribution is taken anew, and so on until nothing more fails. Nothing is readmitted, so this
    /// ends, and what is left satisfies every model by itself.
    pub fn judge(&self, set: &FrequencySet) -> Verdict {
        let requirements = self.task.requirements;
        let mut accepted: Vec<bool> =
            (0..set.classes()).map(|class| accepts_all(requirements, &set.class(class), &self.input)).collect();
        if requirements.iter().any(|requirement| requirement.model.depends_on_release()) {
            let mut dropped = accepted.contains(&false);
            while dropped {
                dropped = false;
                let profile = self.input.with_released(&self.task.table.sensitive, set, &accepted);
                for (class, accepted) in accepted.iter_mut().enumerate() {
                    if *accepted && !accepts_all(requirements, &set.class(class), &profile) {
                        *accepted = false;
                        dropped = true;
                    }
                }
            }
        }
        let sizes = set.sizes().iter().zip(&accepted);
        let suppressed = sizes.filter(|(_, accepted)| !**accepted).map(|(size, _)| size).sum();
        Verdict { accepted, suppressed }
    }

    /// Is a node with this verdict good enough? An empty release is never a release.
    pub fn satisfies(&self, verdict: &Verdict) -> bool {
        verdict.suppressed <= self.spare && verdict.suppressed < self.task.table.rows
    }

    /// What a node has lost.
    pub fn value(&self, node: &Node, set: &FrequencySet, verdict: &Verdict) -> f64 {
        self.task.objective.value(&Candidate::new(self.task.table, node, set, &verdict.accepted))
    }

    /// Does every generalization of a satisfying node satisfy, with the suppression that is allowed?
    pub fn is_monotone(&self) -> bool {
        match self.monotonicity {
            Monotonicity::Always => true,
            Monotonicity::WithoutSuppression => self.spare == 0,
            Monotonicity::Never => false,
        }
    }

    /// How many rows may be suppressed.
    pub fn spare(&self) -> u64 {
        self.spare
    }
}

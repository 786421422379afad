//! Which classes of a node satisfy every requirement, and is the node good enough?

use super::super::Task;
use crate::frequency::{FrequencySet, Generalization, TableProfile};
use crate::lattice::{Lattice, Node};
use crate::model::{Monotonicity, Requirement, accepts_all, drop_until_stable};
use crate::objective::{Candidate, LowerBounds};

/// Judges nodes of the lattice; the searches differ only in which they ask it about.
#[derive(Debug)]
pub struct Judge<'a> {
    /// What is asked for.
    pub task: &'a Task<'a>,
    /// The nodes to choose from.
    pub lattice: Lattice,
    /// How frequency sets are rolled up.
    pub generalization: Generalization,
    /// What must be lost at least.
    pub bounds: LowerBounds<'a>,
    input: TableProfile,
    spare: u64,
    /// Is the table only a part, so that what is not released here is released elsewhere?
    is_part: bool,
}

/// Which classes are accepted, and how many rows are in the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// For each class, whether it is released.
    pub accepted: Vec<bool>,
    /// How many rows are not.
    pub suppressed: u64,
    /// At every node at or below this one, at least so many rows are suppressed.
    pub suppressed_below: u64,
}

impl<'a> Judge<'a> {
    /// A judge for a task.
    pub fn new(task: &'a Task<'a>) -> Self {
        let table = task.table;
        let spare = task.rows_to_spare();
        Self {
            task,
            lattice: table.lattice(),
            generalization: Generalization::new(table.quasi.iter().map(|column| &column.hierarchy)),
            bounds: LowerBounds::new(task.objective, table, spare),
            input: TableProfile::of_input(&table.sensitive, table.rows),
            spare,
            is_part: false,
        }
    }

    /// A judge for some rows of a table, of which the others are released as well: the reference is the whole table.
    pub fn of_part(task: &'a Task<'a>) -> Self {
        let mut judge = Self::new(task);
        let rows = task.table.sensitive.first().map_or(task.table.rows, |column| column.input_counts().iter().sum());
        judge.input = TableProfile::of_input(&task.table.sensitive, rows);
        judge.is_part = true;
        judge
    }

    /// The frequency set at a node, straight from the base.
    pub fn scan(&self, node: &Node) -> FrequencySet {
        self.generalization.roll_up(&self.task.table.base, &self.task.table.ungeneralized(), node)
    }

    /// Which classes can be released together.
    pub fn judge(&self, set: &FrequencySet) -> Verdict {
        self.look_at(set, false)
    }

    /// The same, but a node that does not satisfy is measured only as far as a search can use it. Whether it satisfies,
    /// whether it rules out what is below it, and otherwise how many rows fail there, is as [`judge`](Self::judge) says;
    /// how many rows it suppresses itself is then a lower bound, good enough unless somebody is to be told.
    pub fn judge_early(&self, set: &FrequencySet) -> Verdict {
        self.look_at(set, true)
    }

    fn look_at(&self, set: &FrequencySet, ends_early: bool) -> Verdict {
        let requirements = self.task.requirements;
        let mut accepted = vec![true; set.classes()];
        let mut suppressed_below = 0;
        for (index, accepted) in accepted.iter_mut().enumerate() {
            let class = set.class(index);
            *accepted = accepts_all(requirements, &class, &self.input);
            if !*accepted {
                suppressed_below += self.least_failing(&class);
                if ends_early && suppressed_below > self.spare {
                    return Verdict { accepted: Vec::new(), suppressed: suppressed_below, suppressed_below };
                }
            }
        }
        let mut suppressed = suppressed_rows(set, &accepted);
        // Nothing is readmitted, so a node that suppresses too much already goes on to do so.
        let is_decided = ends_early && suppressed > self.spare;
        if !is_decided && !self.is_part {
            drop_until_stable(requirements, &self.task.table.sensitive, set, &self.input, &mut accepted);
            suppressed = suppressed_rows(set, &accepted);
        }
        Verdict { accepted, suppressed, suppressed_below }
    }

    /// However a class is divided, at least this many of its records are in parts that fail some requirement.
    fn least_failing(&self, class: &crate::frequency::EquivalenceClass<'_>) -> u64 {
        let fraction = self.spare as f64 / self.task.table.rows.max(1) as f64;
        let failing = |requirement: &&Requirement| !requirement.accepts(class, &self.input);
        let failing = self.task.requirements.iter().filter(failing);
        failing.map(|requirement| requirement.least_failing(class, &self.input, fraction)).max().unwrap_or(0)
    }

    /// Is a node with this verdict good enough? An empty release is never a release.
    pub fn satisfies(&self, verdict: &Verdict) -> bool {
        verdict.suppressed <= self.spare && verdict.suppressed < self.task.table.rows
    }

    /// Does no node at or below one with this verdict satisfy?
    pub fn rules_out_below(&self, verdict: &Verdict) -> bool {
        verdict.suppressed_below > self.spare || verdict.suppressed_below >= self.task.table.rows
    }

    /// What a node has lost.
    pub fn value(&self, node: &Node, set: &FrequencySet, verdict: &Verdict) -> f64 {
        self.task.objective.value(&self.candidate(node, set, verdict))
    }

    /// The release at a node, summed up.
    pub fn candidate<'b>(&'b self, node: &'b Node, set: &FrequencySet, verdict: &Verdict) -> Candidate<'b> {
        self.bounds.ideals().of(node, set, &verdict.accepted)
    }

    /// Does every generalization of a satisfying node satisfy, with the suppression that is allowed?
    pub fn is_monotone(&self) -> bool {
        let least = self.task.requirements.iter().map(|requirement| requirement.model.monotonicity()).min();
        match least.unwrap_or(Monotonicity::Always) {
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

fn suppressed_rows(set: &FrequencySet, accepted: &[bool]) -> u64 {
    let sizes = set.sizes().iter().zip(accepted);
    sizes.filter(|(_, accepted)| !**accepted).map(|(size, _)| size).sum()
}

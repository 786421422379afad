//! Which classes of a node satisfy every requirement, and is the node good enough?

use super::super::Task;
use crate::frequency::{EquivalenceClass, Summaries, Summary, TableProfile};
use crate::lattice::{Lattice, Node};
use crate::model::{Monotonicity, Requirement, drop_until_stable};
use crate::objective::{Candidate, LowerBounds, SizeDemand};

/// Judges nodes of the lattice; the searches differ only in which they ask it about.
#[derive(Debug)]
pub struct Judge<'a> {
    /// What is asked for.
    pub task: &'a Task<'a>,
    /// The nodes to choose from.
    pub lattice: Lattice,
    /// What is known of the classes at a node.
    pub summaries: Summaries<'a>,
    /// What must be lost at least.
    pub bounds: LowerBounds<'a>,
    input: TableProfile,
    spare: u64,
    /// No class with fewer records is accepted, and so no part of one.
    least_size: u64,
    /// The requirements that ask for more than a size.
    beyond_size: Vec<&'a Requirement>,
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
        Self::comparing_with(task.table.profile(), task)
    }

    fn comparing_with(input: TableProfile, task: &'a Task<'a>) -> Self {
        let table = task.table;
        let spare = task.rows_to_spare();
        let reads = task.requirements.iter().flat_map(|requirement| requirement.model.reads(table.sensitive.len()));
        let demand = size_demand(task.requirements);
        Self {
            task,
            lattice: table.lattice(),
            summaries: Summaries::new(&table.base, &table.quasi, reads),
            bounds: LowerBounds::new(task.objective, table, spare).asking(demand),
            input,
            spare,
            least_size: demand.least,
            beyond_size: task.requirements.iter().filter(|one| !one.model.is_about_size()).collect(),
            is_part: false,
        }
    }

    /// A judge for some rows of a table, of which the others are released as well: the reference is the profile of the whole table.
    pub fn of_part(task: &'a Task<'a>, whole: &TableProfile) -> Self {
        Self { is_part: true, ..Self::comparing_with(whole.clone(), task) }
    }

    /// The classes at a node, straight from the table.
    pub fn scan(&self, node: &Node) -> Summary {
        self.summaries.at(node)
    }

    /// The same to be judged, and for nothing else.
    pub fn scan_to_judge(&self, node: &Node) -> Summary {
        self.summaries.at_of(node, self.least_size)
    }

    /// Which classes can be released together.
    pub fn judge(&self, set: &Summary) -> Verdict {
        self.look_at(set, false)
    }

    /// The same, but a node that does not satisfy is measured only as far as a search can use it. Whether it satisfies,
    /// whether it rules out what is below it, and otherwise how many rows fail there, is as [`judge`](Self::judge) says;
    /// how many rows it suppresses itself is then a lower bound, good enough unless somebody is to be told.
    pub fn judge_early(&self, set: &Summary) -> Verdict {
        self.look_at(set, true)
    }

    fn look_at(&self, set: &Summary, ends_early: bool) -> Verdict {
        if ends_early {
            let too_small: u64 = set.sizes().iter().filter(|size| **size < self.least_size).sum();
            if too_small > self.spare {
                return Verdict { accepted: Vec::new(), suppressed: too_small, suppressed_below: too_small };
            }
        }
        self.summaries.complete(set);
        let mut accepted = vec![true; set.classes()];
        let (mut suppressed, mut suppressed_below) = (0, 0);
        for (index, (&size, accepted)) in set.sizes().iter().zip(&mut accepted).enumerate() {
            let least_failing = match size < self.least_size {
                true => Some(size),
                false if self.beyond_size.is_empty() => None,
                false => self.least_failing(&set.class(index)),
            };
            let Some(least_failing) = least_failing else { continue };
            *accepted = false;
            suppressed += size;
            suppressed_below += least_failing;
            if ends_early && suppressed_below > self.spare {
                return Verdict { accepted: Vec::new(), suppressed: suppressed_below, suppressed_below };
            }
        }
        // Nothing is readmitted, so a node that suppresses too much already goes on to do so.
        let is_decided = ends_early && suppressed > self.spare;
        if !is_decided && !self.is_part {
            let columns = &self.task.table.sensitive;
            let profile = |accepted: &[bool]| self.input.with_released_of(columns, set, accepted);
            drop_until_stable(self.task.requirements, |class| set.class(class), profile, &mut accepted);
            suppressed = suppressed_rows(set, &accepted);
        }
        Verdict { accepted, suppressed, suppressed_below }
    }

    /// However a class is divided, at least this many of its records are in parts that fail some requirement; nothing if the class
    /// itself satisfies all.
    fn least_failing(&self, class: &EquivalenceClass<'_>) -> Option<u64> {
        let fraction = self.spare as f64 / self.task.table.rows.max(1) as f64;
        let mut least = None;
        for requirement in &self.beyond_size {
            if least != Some(class.size()) && !requirement.accepts(class, &self.input) {
                least = least.max(Some(requirement.least_failing(class, &self.input, fraction)));
            }
        }
        least
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
    pub fn value(&self, set: &Summary, verdict: &Verdict) -> f64 {
        let objective = self.task.objective;
        if objective.reads_labels() {
            return objective.value(&self.candidate(set, verdict));
        }
        objective.value(&self.bounds.ideals().without_labels(set, &verdict.accepted))
    }

    /// The release at a node, summed up.
    pub fn candidate<'b>(&'b self, set: &'b Summary, verdict: &Verdict) -> Candidate<'b> {
        self.bounds.ideals().of(set, &verdict.accepted)
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

/// What the requirements ask of the size of a class: a class that needs so many values has as many records.
fn size_demand(requirements: &[Requirement]) -> SizeDemand {
    let by_values = |one: &Requirement| one.model.fewest_values().map_or(1, |(_, values)| values);
    let least = requirements.iter().map(|one| one.least_size().max(by_values(one))).max().unwrap_or(1);
    SizeDemand { least, is_all: requirements.iter().all(|one| one.model.is_about_size()) }
}

fn suppressed_rows(set: &Summary, accepted: &[bool]) -> u64 {
    let sizes = set.sizes().iter().zip(accepted);
    sizes.filter(|(_, accepted)| !**accepted).map(|(size, _)| size).sum()
}

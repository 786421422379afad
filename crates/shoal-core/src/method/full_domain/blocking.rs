//! Which records keep a combination of levels from being enough, and which columns make them rare?

use super::Judge;
use crate::frequency::FrequencySet;
use crate::lattice::Node;
use crate::method::Task;

/// The records of classes that fail at a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocking {
    /// How many there are: the node would do without them.
    pub rows: u64,
    /// In how many classes of the node they are.
    pub classes: u64,
    /// For each column, how many of them would be released if this column alone said nothing.
    pub rare_by: Vec<u64>,
}

/// The records that would have to be left out at a node.
pub fn blocking(task: &Task<'_>, node: &Node) -> Blocking {
    let judge = Judge::new(task);
    let base = &task.table.base;
    let (released, classes) = released(&judge, node);
    let failing: Vec<bool> = released.iter().map(|&released| !released).collect();
    let silent = task.table.fully_generalized();
    let rare_by = |column: usize| {
        let without = node.with_level(column, silent.levels()[column]);
        if without == *node {
            return 0;
        }
        let (released, _) = self::released(&judge, &without);
        rows_of(base, failing.iter().zip(&released).map(|(&failing, &released)| failing && released))
    };
    let rare_by = (0..task.table.quasi.len()).map(rare_by).collect();
    Blocking { rows: rows_of(base, failing.iter().copied()), classes, rare_by }
}

/// For each requirement, how many records would have to be left out at a node if it stood alone.
pub fn blocking_alone(task: &Task<'_>, node: &Node) -> Vec<u64> {
    let alone = |requirement| {
        let task = Task { requirements: std::slice::from_ref(requirement), ..*task };
        let judge = Judge::new(&task);
        judge.judge(&judge.scan_to_judge(node)).suppressed
    };
    task.requirements.iter().map(alone).collect()
}

/// For each class of the table as it is, whether it is released at a node; and how many classes of the node are not.
fn released(judge: &Judge<'_>, node: &Node) -> (Vec<bool>, u64) {
    let (set, class_of) = judge.summaries.at_and_tell(node);
    let verdict = judge.judge(&set);
    let failing = verdict.accepted.iter().filter(|accepted| !**accepted).count() as u64;
    (class_of.iter().map(|&class| verdict.accepted[class as usize]).collect(), failing)
}

fn rows_of(base: &FrequencySet, of: impl Iterator<Item = bool>) -> u64 {
    base.sizes().iter().zip(of).filter(|(_, counts)| *counts).map(|(size, _)| size).sum()
}

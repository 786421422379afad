//! Which nodes satisfy, and which of them are minimal?

use rayon::prelude::*;

use super::super::Task;
use super::super::eligible_range;
use super::{Judge, incognito};
use crate::Result;
use crate::lattice::Node;
use crate::objective::OBJECTIVES;
use crate::progress::Progress;

/// Every satisfying node of a lattice.
#[derive(Debug)]
pub struct Solutions {
    /// How many nodes the lattice has.
    pub nodes: u128,
    /// How many were looked at, those of subsets' lattices included.
    pub checked: u64,
    /// How many satisfy.
    pub satisfying: u64,
    /// Those below which no other lies.
    pub minimal: Vec<Solution>,
    /// All of them, if asked for.
    pub all: Option<Vec<Solution>>,
}

/// A satisfying node and the release it would give.
#[derive(Debug)]
pub struct Solution {
    /// The node.
    pub node: Node,
    /// How many classes would be released.
    pub classes: u64,
    /// How many rows would be suppressed.
    pub suppressed: u64,
    /// What would be lost, by every objective.
    pub objectives: Vec<(&'static str, f64)>,
}

/// Every satisfying node (minimal ones only, unless `all`), in lexicographic order.
pub fn solutions(task: &Task<'_>, all: bool, progress: &dyn Progress) -> Result<Solutions> {
    let judge = Judge::new(task);
    // Where the whole table as one class fails, no node can satisfy, and the search need not begin.
    if eligible_range(task).refuse_the_impossible(task).is_err() {
        let all = all.then(Vec::new);
        return Ok(Solutions { nodes: judge.lattice.size(), checked: 0, satisfying: 0, minimal: vec![], all });
    }
    let satisfying = incognito::satisfying(&judge, progress)?;
    let describe = |nodes: &[Node]| nodes.par_iter().map(|node| solution(&judge, node)).collect::<Vec<_>>();
    Ok(Solutions {
        nodes: judge.lattice.size(),
        checked: satisfying.checked,
        satisfying: satisfying.nodes.len() as u64,
        minimal: describe(&incognito::minimal(&satisfying.nodes)),
        all: all.then(|| describe(&satisfying.nodes)),
    })
}

/// Looking at more nodes, times the tuples of the table, takes longer than anybody waits for a report.
const MOST_LOOKS: u128 = 2_000_000_000;

/// The satisfying nodes alone, for a report: none where there is too much to look at, or where a search would refuse.
pub fn satisfying_nodes(task: &Task<'_>, progress: &dyn Progress) -> Option<Vec<Node>> {
    let judge = Judge::new(task);
    let looks = judge.lattice.size().saturating_mul(task.table.base.tuples() as u128);
    if looks > MOST_LOOKS {
        return None;
    }
    incognito::satisfying(&judge, progress).ok().map(|satisfying| satisfying.nodes)
}

fn solution(judge: &Judge<'_>, node: &Node) -> Solution {
    let set = judge.scan(node);
    let verdict = judge.judge(&set);
    let candidate = judge.candidate(node, &set, &verdict);
    let value = |entry: &crate::objective::Entry| (entry.objective.id(), entry.objective.value(&candidate));
    Solution {
        node: node.clone(),
        classes: candidate.classes,
        suppressed: verdict.suppressed,
        objectives: OBJECTIVES.iter().map(value).collect(),
    }
}

//! Which nodes satisfy, and which of them are minimal?

use std::collections::HashSet;

use rayon::prelude::*;

use super::super::Task;
use super::super::eligible_range;
use super::{Judge, incognito};
use crate::Result;
use crate::lattice::Node;
use crate::objective::values;
use crate::watch::Watch;

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
pub fn solutions(task: &Task<'_>, all: bool, watch: &dyn Watch) -> Result<Solutions> {
    task.refuse_whole_people("every solution")?;
    let judge = Judge::new(task);
    // Where the whole table as one class fails, no node can satisfy, and the search need not begin.
    if eligible_range(task).refuse_the_impossible(task).is_err() {
        let all = all.then(Vec::new);
        return Ok(Solutions { nodes: judge.lattice.size(), checked: 0, satisfying: 0, minimal: vec![], all });
    }
    let satisfying = incognito::satisfying(&judge, watch)?;
    let describe = |nodes: &[Node]| -> Result<Vec<Solution>> {
        let described = |node: &Node| watch.proceed().map(|()| solution(&judge, node));
        nodes.par_iter().map(described).collect()
    };
    Ok(Solutions {
        nodes: judge.lattice.size(),
        checked: satisfying.checked,
        satisfying: satisfying.nodes.len() as u64,
        minimal: describe(&incognito::minimal(&satisfying.nodes))?,
        all: all.then(|| describe(&satisfying.nodes)).transpose()?,
    })
}

/// Looking at so many tuples in all takes longer than anybody waits for a report.
const MOST_LOOKS: u128 = 150_000_000;

/// The satisfying nodes alone, for a report; none if there is too much to look at, or if a search would refuse. Where
/// everything above a satisfying node satisfies, it goes from the top down and looks only at them and at what lies right below.
pub fn satisfying_nodes(task: &Task<'_>, watch: &dyn Watch) -> Option<Vec<Node>> {
    let judge = Judge::new(task);
    let most = MOST_LOOKS / task.table.base.tuples().max(1) as u128;
    if !judge.is_monotone() {
        let is_small = judge.lattice.size() <= most;
        return is_small.then(|| incognito::satisfying(&judge, watch).ok()).flatten().map(|found| found.nodes);
    }
    watch.begin("alternatives", None);
    let satisfies = |node: &Node| judge.satisfies(&judge.judge_early(&judge.scan(node)));
    let mut seen: HashSet<Node> = HashSet::from([judge.lattice.top().clone()]);
    let mut layer: Vec<Node> = seen.iter().cloned().collect();
    let mut satisfying: Vec<Node> = Vec::new();
    while !layer.is_empty() && (seen.len() as u128) <= most && !watch.ends_search() {
        watch.advance(layer.len() as u64);
        let verdicts: Vec<bool> = layer.par_iter().map(satisfies).collect();
        let found: Vec<Node> = layer.into_iter().zip(verdicts).filter(|pair| pair.1).map(|pair| pair.0).collect();
        let below: Vec<Node> = found.iter().flat_map(|node| judge.lattice.predecessors(node)).collect();
        satisfying.extend(found);
        layer = below.into_iter().filter(|node| seen.insert(node.clone())).collect();
    }
    watch.end();
    satisfying.sort();
    layer.is_empty().then_some(satisfying)
}

fn solution(judge: &Judge<'_>, node: &Node) -> Solution {
    let set = judge.scan(node);
    let verdict = judge.judge(&set);
    let candidate = judge.candidate(&set, &verdict);
    Solution {
        node: node.clone(),
        classes: candidate.classes,
        suppressed: verdict.suppressed,
        objectives: values(&candidate),
    }
}

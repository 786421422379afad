//! Which nodes satisfy, and which of them are minimal?

use rayon::prelude::*;

use super::super::Task;
use super::super::eligible_range;
use super::{Judge, Place, border, incognito};
use crate::Result;
use crate::lattice::Node;
use crate::objective::{order::exceeds, values};
use crate::watch::Watch;

/// Every satisfying node of a lattice.
#[derive(Debug)]
pub struct Solutions {
    /// How many nodes the lattice has.
    pub nodes: u128,
    /// How many were looked at: few, where everything above a satisfying node satisfies; none below a node that rules out those.
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

impl Solution {
    /// What would be lost by an objective.
    pub fn lost(&self, objective: &str) -> f64 {
        self.objectives.iter().find(|(id, _)| *id == objective).map_or(f64::NAN, |(_, value)| *value)
    }
}

/// Every satisfying node (minimal ones only, unless `all`): those that lose least first, by the objective of the task, and of those that
/// lose the same the one that a search would take.
pub fn solutions(task: &Task<'_>, all: bool, watch: &dyn Watch) -> Result<Solutions> {
    task.refuse_whole_people("every solution")?;
    let judge = Judge::new(task);
    // Where the whole table as one class fails, no node can satisfy, and the search need not begin.
    if eligible_range(task).refuse_the_impossible(task).is_err() {
        let all = all.then(Vec::new);
        return Ok(Solutions { nodes: judge.lattice.size(), checked: 0, satisfying: 0, minimal: vec![], all });
    }
    let found = border::find(&judge, None, watch)?.expect("without a limit, no node stays open");
    let describe = |nodes: &[Node]| -> Result<Vec<Solution>> {
        let described = |node: &Node| watch.proceed().map(|()| solution(&judge, node));
        let mut solutions: Vec<Solution> = nodes.par_iter().map(described).collect::<Result<_>>()?;
        sort(&mut solutions, |solution| solution.lost(task.objective.id()));
        Ok(solutions)
    };
    Ok(Solutions {
        nodes: judge.lattice.size(),
        checked: found.checked,
        satisfying: found.satisfying.len() as u64,
        minimal: describe(&incognito::minimal(&found.satisfying))?,
        all: all.then(|| describe(&found.satisfying)).transpose()?,
    })
}

/// Puts those first that lose least; what only rounding tells apart is the same, and in the order in which a search would take it.
fn sort(solutions: &mut [Solution], lost: impl Fn(&Solution) -> f64) {
    solutions.sort_by(|a, b| lost(a).total_cmp(&lost(b)));
    let mut rest = solutions;
    while let Some(least) = rest.first().map(&lost) {
        let same = rest.partition_point(|solution| !exceeds(lost(solution), least)).max(1);
        let (same, others) = rest.split_at_mut(same);
        same.sort_by_cached_key(|solution| Place::of(solution.node.clone()));
        rest = others;
    }
}

/// Looking at so many tuples in all takes longer than anybody waits for a report.
const MOST_LOOKS: u128 = 150_000_000;

/// The satisfying nodes alone, for a report; none if there is too much to look at, or if a search would refuse.
pub fn satisfying_nodes(task: &Task<'_>, watch: &dyn Watch) -> Option<Vec<Node>> {
    let judge = Judge::new(task);
    let most = u64::try_from(MOST_LOOKS / task.table.base.tuples().max(1) as u128).unwrap_or(u64::MAX);
    border::find(&judge, Some(most), watch).ok().flatten().map(|found| found.satisfying)
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

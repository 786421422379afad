//! Which nodes satisfy, growing from single quasi-identifiers to all of them?
//!
//! LeFevre's Incognito: a node can satisfy only if, for every smaller set of quasi-identifiers, its levels do when the
//! other columns say nothing. So subsets are searched by size, each bottom-up; a node that satisfies takes its
//! generalizations along, and a projection that failed before rules a node out unseen.

use std::collections::HashSet;

use rayon::prelude::*;

use super::history::History;
use super::optimal::countable;
use super::{Found, Judge, exhaustive};
use crate::frequency::Summary;
use crate::lattice::{Lattice, Node};
use crate::watch::Watch;
use crate::{Error, Result};

/// All subsets are visited: a million of them.
const MOST_COLUMNS: usize = 20;

pub(super) fn search(judge: &Judge<'_>, watch: &dyn Watch) -> Result<Found> {
    if !judge.is_monotone() {
        // Without the promise, a projection that fails rules out nothing.
        return exhaustive::search(judge, watch);
    }
    let satisfying = satisfying(judge, watch)?;
    let mut found = Found::new();
    found.checked = satisfying.checked;
    let candidates = if judge.spare() == 0 { minimal(&satisfying.nodes) } else { satisfying.nodes };
    let value = |node: &Node| {
        let set = judge.scan(node);
        judge.value(&set, &judge.judge(&set))
    };
    let values: Vec<f64> =
        candidates.par_iter().map(|node| watch.proceed().map(|()| value(node))).collect::<Result<_>>()?;
    candidates.into_iter().zip(values).for_each(|(node, value)| found.offer(value, node));
    if found.best.winner().is_none() {
        // Failing projections say nothing about whole nodes; the most general one is the fairest measure.
        let top = judge.lattice.top().clone();
        let suppressed = judge.judge(&judge.scan(&top)).suppressed;
        found.came_close(top, suppressed);
    }
    Ok(found)
}

/// Every satisfying node, in lexicographic order, and how many nodes of all subsets' lattices were looked at.
struct Satisfying {
    nodes: Vec<Node>,
    checked: u64,
}

fn satisfying(judge: &Judge<'_>, watch: &dyn Watch) -> Result<Satisfying> {
    countable(&judge.lattice)?;
    let columns = judge.lattice.columns();
    if columns > MOST_COLUMNS {
        return Err(Error::policy(format!(
            "incognito visits every subset of {columns} quasi-identifiers, which is too many"
        ))
        .hint("use `search = \"optimal\"`"));
    }
    let mut subsets: Vec<u32> = (0..1u32 << columns).collect();
    subsets.sort_by_key(|subset| (subset.count_ones(), *subset));
    let mut incognito =
        Incognito { judge, history: History::new(judge), satisfying: vec![HashSet::new(); subsets.len()], checked: 0 };
    watch.begin("searching", Some(subsets.len() as u64));
    for subset in subsets {
        incognito.search_subset(subset, watch);
        watch.advance(1);
        watch.proceed()?;
    }
    watch.end();
    let all = incognito.satisfying.pop().expect("the set of all columns is a subset, the last");
    let mut nodes: Vec<Node> = all.into_iter().collect();
    nodes.sort();
    Ok(Satisfying { nodes, checked: incognito.checked })
}

struct Incognito<'a> {
    judge: &'a Judge<'a>,
    history: History,
    /// For each subset of the columns, the satisfying nodes; a column outside the subset stands at its root.
    satisfying: Vec<HashSet<Node>>,
    checked: u64,
}

impl Incognito<'_> {
    fn search_subset(&mut self, subset: u32, watch: &dyn Watch) {
        let lattice = self.lattice_of(subset);
        let mut layers: Vec<Vec<Node>> = Vec::new();
        for node in lattice.nodes().filter(|node| self.projections_satisfy(subset, node)) {
            let height = (node.height() - lattice.bottom().height()) as usize;
            layers.resize_with(layers.len().max(height + 1), Vec::new);
            layers[height].push(node);
        }
        let mut satisfying: HashSet<Node> = HashSet::new();
        for layer in layers {
            if watch.is_stopped() {
                return;
            }
            let unknown: Vec<&Node> = layer.iter().filter(|node| !satisfying.contains(*node)).collect();
            self.checked += unknown.len() as u64;
            let is_good = |set: &Summary| self.judge.satisfies(&self.judge.judge(set));
            let satisfies = |node: &&Node| self.history.ask(self.judge, node, is_good);
            let verdicts: Vec<bool> = unknown.par_iter().map(satisfies).collect();
            let newly: Vec<Node> =
                unknown.into_iter().zip(verdicts).filter(|(_, yes)| *yes).map(|(node, _)| node.clone()).collect();
            satisfying.extend(newly);
            for node in layer.iter().filter(|node| satisfying.contains(*node)).cloned().collect::<Vec<_>>() {
                satisfying.extend(lattice.successors(&node));
            }
        }
        self.satisfying[subset as usize] = satisfying;
    }

    /// The levels of the subset's columns, the others at their roots.
    fn lattice_of(&self, subset: u32) -> Lattice {
        let roots = self.judge.task.table.fully_generalized();
        let within = |node: &Node| {
            let level = |column: usize| {
                let from = if subset >> column & 1 == 1 { node } else { &roots };
                from.levels()[column]
            };
            Node::new((0..roots.levels().len()).map(level).collect())
        };
        Lattice::new(within(self.judge.lattice.bottom()), within(self.judge.lattice.top()))
    }

    fn projections_satisfy(&self, subset: u32, node: &Node) -> bool {
        let roots = self.judge.task.table.fully_generalized();
        (0..roots.levels().len()).filter(|column| subset >> column & 1 == 1).all(|column| {
            let smaller = subset & !(1 << column);
            // The empty subset is the whole table as one class, which was judged before any search.
            smaller == 0 || self.satisfying[smaller as usize].contains(&node.with_level(column, roots.levels()[column]))
        })
    }
}

/// The nodes below which no other of them lies.
pub(super) fn minimal(nodes: &[Node]) -> Vec<Node> {
    let mut by_height: Vec<&Node> = nodes.iter().collect();
    by_height.sort_by_key(|node| (node.height(), *node));
    let mut minimal: Vec<Node> = Vec::new();
    for node in by_height {
        if !minimal.iter().any(|below| below.is_at_or_below(node)) {
            minimal.push(node.clone());
        }
    }
    minimal.sort();
    minimal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_above_another_is_not_minimal() {
        let nodes = |levels: &[[u8; 2]]| levels.iter().map(|levels| Node::new(levels.to_vec())).collect::<Vec<_>>();
        let all = nodes(&[[0, 3], [1, 1], [1, 3], [2, 0], [2, 1]]);
        assert_eq!(minimal(&all), nodes(&[[0, 3], [1, 1], [2, 0]]));
        assert!(minimal(&[]).is_empty());
    }
}

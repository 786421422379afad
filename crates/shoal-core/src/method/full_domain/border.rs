//! Which nodes satisfy, where everything above a satisfying node does, with few looks?
//!
//! A chain of nodes whose verdict is open goes up from one of them; the lowest of it that satisfies is found by halving. That node takes
//! all above it along, and the highest that fails takes all below it. So only nodes near the border are looked at.

use std::collections::HashSet;

use rayon::prelude::*;

use super::Judge;
use super::history::History;
use super::optimal::countable;
use crate::Result;
use crate::frequency::Summary;
use crate::lattice::Node;
use crate::watch::Watch;

/// Chains that are halved side by side. Fixed, so that what is looked at does not depend on the number of threads.
const CHAINS: usize = 16;

/// The satisfying nodes of a lattice, in lexicographic order, and how many nodes were looked at.
pub(super) struct Border {
    pub(super) satisfying: Vec<Node>,
    pub(super) checked: u64,
}

/// Finds all satisfying nodes; with `most`, nothing if more nodes than that would have to be looked at.
pub(super) fn find(judge: &Judge<'_>, most: Option<u64>, watch: &dyn Watch) -> Result<Option<Border>> {
    debug_assert!(judge.is_monotone());
    let nodes = countable(&judge.lattice)?;
    let mut walk = Walk { judge, history: History::new(judge.lattice.columns()), known: vec![None; nodes] };
    let (mut checked, mut first_open) = (0, 0);
    watch.begin("searching", Some(nodes as u64));
    while let Some(start) = (first_open..nodes).find(|&place| walk.known[place].is_none()) {
        watch.proceed()?;
        if most.is_some_and(|most| checked > most || watch.ends_search()) {
            watch.end();
            return Ok(None);
        }
        watch.advance((start - first_open) as u64);
        first_open = start;
        let chains = walk.chains_from(start);
        let looks: Vec<Vec<(Node, bool)>> = chains.par_iter().map(|chain| walk.halve(chain)).collect();
        for (node, satisfies) in looks.into_iter().flatten() {
            checked += 1;
            walk.conclude(&node, satisfies);
        }
    }
    watch.end();
    watch.proceed()?;
    let satisfying = (0..nodes).filter(|&place| walk.known[place] == Some(true));
    Ok(Some(Border { satisfying: satisfying.map(|place| judge.lattice.node(place)).collect(), checked }))
}

struct Walk<'a> {
    judge: &'a Judge<'a>,
    history: History,
    /// By the place of a node, whether it satisfies, once that is known.
    known: Vec<Option<bool>>,
}

impl Walk<'_> {
    /// Chains of open nodes, each right above the one before. No node is in two of them, so that none is looked at twice.
    fn chains_from(&self, start: usize) -> Vec<Vec<Node>> {
        let lattice = &self.judge.lattice;
        let mut taken: HashSet<usize> = HashSet::new();
        let mut chains = Vec::with_capacity(CHAINS);
        for place in start..self.known.len() {
            if chains.len() == CHAINS {
                break;
            }
            let mut next = Some(lattice.node(place)).filter(|_| self.known[place].is_none() && !taken.contains(&place));
            let mut chain = Vec::new();
            while let Some(node) = next {
                taken.insert(lattice.index(&node));
                next = lattice.successors(&node).find(|above| {
                    let place = lattice.index(above);
                    self.known[place].is_none() && !taken.contains(&place)
                });
                chain.push(node);
            }
            if !chain.is_empty() {
                chains.push(chain);
            }
        }
        chains
    }

    /// Looks at as many nodes of a chain as it takes to know all of them.
    fn halve(&self, chain: &[Node]) -> Vec<(Node, bool)> {
        let mut looks = Vec::new();
        let (mut fails_below, mut satisfies_from) = (0, chain.len());
        while fails_below < satisfies_from {
            let middle = fails_below.midpoint(satisfies_from);
            let is_good = |set: &Summary| self.judge.satisfies(&self.judge.judge_early(set));
            let satisfies = self.history.ask(self.judge, &chain[middle], is_good);
            looks.push((chain[middle].clone(), satisfies));
            if satisfies {
                satisfies_from = middle;
            } else {
                fails_below = middle + 1;
            }
        }
        looks
    }

    /// Notes a verdict, and those that follow from it.
    fn conclude(&mut self, node: &Node, satisfies: bool) {
        let lattice = &self.judge.lattice;
        let mut open = vec![node.clone()];
        while let Some(node) = open.pop() {
            let known = &mut self.known[lattice.index(&node)];
            if known.is_none() {
                *known = Some(satisfies);
                match satisfies {
                    true => open.extend(lattice.successors(&node)),
                    false => open.extend(lattice.predecessors(&node)),
                }
            }
        }
    }
}

//! Which nodes satisfy, with few looks?
//!
//! A chain of nodes whose verdict is open goes up from one of them; the lowest of it that does not rule out what is below it is found by
//! halving. A node that does takes all below it along, and where everything above a satisfying node satisfies, such a node takes that
//! along: then only nodes near the border are looked at. Where models promise less, nodes above the border are looked at one by one.

use std::collections::HashSet;

use rayon::prelude::*;

use super::Judge;
use super::history::History;
use super::optimal::countable;
use crate::Result;
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
    let nodes = countable(&judge.lattice)?;
    let history = History::new(judge);
    let mut walk = Walk { judge, is_monotone: judge.is_monotone(), history, known: vec![None; nodes] };
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
        let looks: Vec<Vec<Look>> = chains.par_iter().map(|chain| walk.halve(chain)).collect();
        for look in looks.into_iter().flatten() {
            checked += 1;
            walk.conclude(&look);
        }
    }
    watch.end();
    watch.proceed()?;
    let satisfying = (0..nodes).filter(|&place| walk.known[place] == Some(true));
    Ok(Some(Border { satisfying: satisfying.map(|place| judge.lattice.node(place)).collect(), checked }))
}

/// What came of looking at a node.
struct Look {
    node: Node,
    satisfies: bool,
    /// Does nothing at or below it satisfy?
    rules_out_below: bool,
}

struct Walk<'a> {
    judge: &'a Judge<'a>,
    /// Does everything above a satisfying node satisfy?
    is_monotone: bool,
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
            if self.known[place].is_some() || taken.contains(&place) {
                continue;
            }
            let (mut next, mut chain) = (Some(lattice.node(place)), Vec::new());
            while let Some(node) = next {
                taken.insert(lattice.index(&node));
                next = lattice.successors(&node).find(|above| {
                    let place = lattice.index(above);
                    self.known[place].is_none() && !taken.contains(&place)
                });
                chain.push(node);
            }
            chains.push(chain);
        }
        chains
    }

    /// Looks at nodes of a chain until it is known which of them rule out what is below, and at one at least.
    fn halve(&self, chain: &[Node]) -> Vec<Look> {
        let mut looks = Vec::new();
        let (mut out_below, mut open_from) = (0, chain.len());
        while out_below < open_from {
            let middle = out_below.midpoint(open_from);
            let look = self.look_at(&chain[middle]);
            match look.rules_out_below {
                true => out_below = middle + 1,
                false => open_from = middle,
            }
            looks.push(look);
        }
        looks
    }

    fn look_at(&self, node: &Node) -> Look {
        let (satisfies, rules_out_below) = self.history.ask(self.judge, node, |set| {
            let verdict = self.judge.judge_early(set);
            (self.judge.satisfies(&verdict), self.judge.rules_out_below(&verdict))
        });
        Look { node: node.clone(), satisfies, rules_out_below: rules_out_below || (self.is_monotone && !satisfies) }
    }

    /// Notes a verdict, and those that follow from it.
    fn conclude(&mut self, look: &Look) {
        let lattice = &self.judge.lattice;
        let (upwards, downwards) = (look.satisfies && self.is_monotone, look.rules_out_below);
        let mut open = vec![look.node.clone()];
        while let Some(node) = open.pop() {
            let known = &mut self.known[lattice.index(&node)];
            if known.is_none() {
                *known = Some(look.satisfies);
                if upwards {
                    open.extend(lattice.successors(&node));
                } else if downwards {
                    open.extend(lattice.predecessors(&node));
                }
            }
        }
    }
}

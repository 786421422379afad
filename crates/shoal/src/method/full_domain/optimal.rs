//! Which node is best, looking at as few as possible?
//!
//! Nodes are taken in the order of a lower bound on what they and everything above them must lose, so the search ends
//! at the first whose bound is above the best value found. Where requirements are monotone, a chain is drawn from each
//! upwards and searched by halves: a node that fails takes everything below it out of the race, one that satisfies is
//! an early candidate.

use rayon::prelude::*;

use super::history::History;
use super::{Found, Judge, Ranked};
use crate::lattice::{Lattice, Node};
use crate::objective::IdealCandidates;
use crate::progress::Progress;
use crate::{Error, Result};

/// Chains that are searched at the same time. Fixed, so that the nodes looked at do not depend on the number of threads.
const CHAINS: usize = 8;

/// A lattice with more nodes cannot be listed.
const MOST_NODES: u128 = 50_000_000;

pub(super) fn search(judge: &Judge<'_>, progress: &dyn Progress) -> Result<Found> {
    let mut search = Optimal::new(judge)?;
    progress.begin("searching", Some(search.order.len() as u64));
    let mut at = 0;
    while at < search.order.len() {
        let begin = at;
        let starts = search.next_starts(&mut at);
        let looked_at: Vec<Vec<LookedAt>> = starts.par_iter().map(|&start| search.chain(start)).collect();
        looked_at.into_iter().flatten().for_each(|result| search.learn(result));
        progress.advance((at - begin) as u64);
    }
    progress.end();
    Ok(search.found)
}

/// The number of nodes, if they can be listed.
pub(super) fn countable(lattice: &Lattice) -> Result<usize> {
    if lattice.size() > MOST_NODES {
        return Err(Error::new(format!("the lattice has {} nodes, too many to search", lattice.size()))
            .hint("make some quasi-identifiers insensitive or narrow their levels with `min-level` and `max-level`"));
    }
    Ok(lattice.size() as usize)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unknown,
    Fails,
    Known,
}

struct LookedAt {
    node: Node,
    suppressed: u64,
    value: Option<f64>,
}

struct Optimal<'a> {
    judge: &'a Judge<'a>,
    history: History,
    bounds: Vec<f64>,
    order: Vec<u32>,
    states: Vec<State>,
    found: Found,
}

impl<'a> Optimal<'a> {
    fn new(judge: &'a Judge<'a>) -> Result<Self> {
        let nodes = countable(&judge.lattice)?;
        let ideals = IdealCandidates::new(judge.task.table);
        let bound = |index: usize| {
            let node = judge.lattice.node(index);
            judge.task.objective.lower_bound(&ideals.at(&node), judge.spare())
        };
        let bounds: Vec<f64> = (0..nodes).into_par_iter().map(bound).collect();
        let mut order: Vec<u32> = (0..nodes as u32).collect();
        order.sort_by(|&a, &b| bounds[a as usize].total_cmp(&bounds[b as usize]).then(a.cmp(&b)));
        let states = vec![State::Unknown; nodes];
        Ok(Self { judge, history: History::new(), bounds, order, states, found: Found::new() })
    }

    /// The next nodes that could still be best; `at` moves past them, or to the end if there are none.
    fn next_starts(&self, at: &mut usize) -> Vec<usize> {
        let mut starts = Vec::new();
        while starts.len() < CHAINS && *at < self.order.len() {
            let index = self.order[*at] as usize;
            if self.is_hopeless(self.bounds[index]) {
                *at = self.order.len();
                break;
            }
            *at += 1;
            if self.states[index] == State::Unknown {
                starts.push(index);
            }
        }
        starts
    }

    /// A bound equal to the best value may belong to a node that wins the tie; the margin is for rounding.
    fn is_hopeless(&self, bound: f64) -> bool {
        self.found.best.as_ref().is_some_and(|best| bound > best.value + 1e-12 * best.value.abs())
    }

    /// Looks at a node; where requirements are monotone, at some above it first.
    fn chain(&self, start: usize) -> Vec<LookedAt> {
        if !self.judge.is_monotone() {
            return vec![self.look_at(self.judge.lattice.node(start))];
        }
        let chain = self.chain_above(start);
        let mut looked_at = Vec::new();
        let (mut low, mut high) = (0, chain.len());
        while low < high {
            let middle = low.midpoint(high);
            let result = self.look_at(chain[middle].clone());
            if result.value.is_some() {
                high = middle
            } else {
                low = middle + 1
            }
            looked_at.push(result);
        }
        looked_at
    }

    /// From a node upwards, each time to the unknown successor with the smallest bound.
    fn chain_above(&self, start: usize) -> Vec<Node> {
        let lattice = &self.judge.lattice;
        let mut chain = vec![lattice.node(start)];
        loop {
            let unknown = lattice.successors(&chain[chain.len() - 1]).map(|node| (lattice.index(&node), node));
            let unknown = unknown.filter(|(index, _)| self.states[*index] == State::Unknown);
            match unknown.min_by(|a, b| self.bounds[a.0].total_cmp(&self.bounds[b.0]).then(a.0.cmp(&b.0))) {
                Some((_, node)) => chain.push(node),
                None => return chain,
            }
        }
    }

    fn look_at(&self, node: Node) -> LookedAt {
        let set = self.history.set_at(self.judge, &node);
        let verdict = self.judge.judge(&set);
        let value = self.judge.satisfies(&verdict).then(|| self.judge.value(&node, &set, &verdict));
        LookedAt { node, suppressed: verdict.suppressed, value }
    }

    fn learn(&mut self, result: LookedAt) {
        let index = self.judge.lattice.index(&result.node);
        // Chains searched at the same time may meet; a node counts once.
        if self.states[index] == State::Unknown {
            self.found.checked += 1;
        }
        match result.value {
            Some(value) => {
                self.states[index] = State::Known;
                self.found.offer(Ranked::new(value, result.node));
            }
            None => {
                self.states[index] = State::Fails;
                if self.judge.is_monotone() {
                    self.fail_below(&result.node);
                }
                self.found.came_close(result.node, result.suppressed);
            }
        }
    }

    /// Everything below a node that fails fails: otherwise the node, generalizing it, would satisfy.
    fn fail_below(&mut self, node: &Node) {
        let mut pending = vec![node.clone()];
        while let Some(node) = pending.pop() {
            for below in self.judge.lattice.predecessors(&node) {
                let state = &mut self.states[self.judge.lattice.index(&below)];
                if *state == State::Unknown {
                    *state = State::Fails;
                    pending.push(below);
                }
            }
        }
    }
}

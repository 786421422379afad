//! Which node is best, looking at as few as possible?
//!
//! Nodes are taken in the order of a lower bound on what they and everything above them must lose, so the search ends at
//! the first whose bound is above the best value found. What is open is kept in boxes, of which the lowest node stands for all: where that is
//! settled with many above it, the rest falls into a few boxes, so that hardly a node is made that nobody looks at, and a lattice of any
//! size can be begun.
//!
//! From each node a chain is drawn upwards and searched by halves: a node at which too many rows would fail, however its
//! classes are divided, takes everything below it out of the race; one that satisfies is an early candidate. And a node
//! below one at which many rows fail must suppress at least as many: that alone may cost more than the best does.

mod dive;

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::time::Instant;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::history::History;
use super::coarse::Coarse;
use super::open::Open;
use super::{Budget, Found, Judge, Place, Verdict};
use crate::frequency::Summary;
use crate::lattice::{Lattice, Node, NodeList};
use crate::objective::order;
use crate::watch::Watch;
use crate::words::combinations;
use crate::{Error, Result};

/// Chains that are searched at the same time. Fixed, so that the nodes looked at do not depend on the number of threads.
const CHAINS: usize = 8;

/// A lattice with more nodes is searched only within a budget.
const MOST_NODES: u128 = 50_000_000;

/// Open nodes that are kept at most; a search with a budget gives up the least promising ones, and says how good they could have been.
const MOST_OPEN: usize = 5_000_000;

/// So many looks inside chains must have ruled something out, or chains are given up: the models promise nothing.
const PATIENCE: u64 = 64;

pub(super) fn search(judge: &Judge<'_>, budget: Option<Budget>, watch: &dyn Watch) -> Result<Found> {
    if budget.is_none() {
        countable(&judge.lattice)?;
    }
    let mut search = Optimal::new(judge, budget);
    watch.begin("searching", None);
    if budget.is_some() {
        // The most general node satisfies most easily: with models that allow it, there is a release from now on.
        search.look_at_all(&[judge.lattice.top().clone()], watch);
        search.dive(watch);
    }
    while !search.is_spent() && !watch.ends_search() {
        let starts = search.next_starts();
        if starts.is_empty() {
            break;
        }
        let chains: Vec<Looks> = starts.par_iter().map(|start| search.chain(start.lowest(), watch)).collect();
        for (start, looks) in starts.into_iter().zip(chains) {
            search.learn_all(start, looks, watch);
        }
        if budget.is_some() {
            search.begin_elsewhere(watch);
            search.dive(watch);
        }
    }
    watch.end();
    watch.proceed()?;
    search.found.open_bound = search.open_bound();
    Ok(search.found)
}

/// Those that lose less come first, and of those that lose the same the lower.
fn in_order(one: &(f64, Node), other: &(f64, Node)) -> Ordering {
    one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1))
}

/// The number of nodes, if they can be listed.
pub(super) fn countable(lattice: &Lattice) -> Result<usize> {
    if lattice.size() > MOST_NODES {
        return Err(Error::policy(format!("the lattice has {} nodes, too many to search through", combinations(lattice.size()))).hint(
            "set `budget = \"30s\"` in [method] for the best release that can be found in that time, or narrow the levels \
             with `min-level` and `max-level`",
        ));
    }
    Ok(lattice.size() as usize)
}

/// What a chain has come to.
struct Looks {
    looked_at: Vec<LookedAt>,
    /// Was it cut short?
    is_cut: bool,
}

struct LookedAt {
    node: Node,
    suppressed: u64,
    suppressed_below: u64,
    rules_out_below: bool,
    /// What it loses, if it satisfies; or less, but more than the best.
    value: Option<f64>,
    /// What it and everything above it must lose, by its classes.
    bound_above: f64,
    /// Was it looked at for the sake of another node?
    in_passing: bool,
}

struct Optimal<'a> {
    judge: &'a Judge<'a>,
    history: History,
    budget: Option<Budget>,
    begun: Instant,
    open: BinaryHeap<Open>,
    /// What each node that was looked at loses, if it satisfies.
    looked_at: HashMap<Node, Option<f64>>,
    /// The highest nodes at or below which nothing satisfies.
    ruled_out: NodeList,
    /// Nodes at or below which at least so many rows are suppressed.
    failing: NodeList,
    failing_rows: Vec<u64>,
    /// Nodes at or above which more is lost than the best has lost.
    hopeless: NodeList,
    /// Nodes at or above which at least so much is lost, where the objective tells by their classes: the most first. As the best
    /// loses less, they become hopeless.
    coarse: BinaryHeap<Coarse>,
    /// Looks inside chains, and how many of them ruled something out.
    looks_in_passing: u64,
    rulings_in_passing: u64,
    dived_from: Option<Node>,
    /// The columns from which the search did not begin yet.
    beginnings: Range<usize>,
    /// The smallest bound of open nodes that were given up for want of memory.
    given_up: f64,
    found: Found,
}

impl<'a> Optimal<'a> {
    fn new(judge: &'a Judge<'a>, budget: Option<Budget>) -> Self {
        let all = Open::new(judge.lattice.clone(), &judge.bounds);
        let none = NodeList::new(judge.lattice.columns());
        Self {
            judge,
            history: History::new(judge),
            budget,
            begun: Instant::now(),
            open: BinaryHeap::from([all]),
            looked_at: HashMap::new(),
            ruled_out: none.clone(),
            failing: none.clone(),
            failing_rows: Vec::new(),
            hopeless: none,
            coarse: BinaryHeap::new(),
            looks_in_passing: 0,
            rulings_in_passing: 0,
            dived_from: None,
            beginnings: 0..judge.lattice.columns(),
            given_up: f64::INFINITY,
            found: Found::new(),
        }
    }

    fn is_spent(&self) -> bool {
        let by_run = self.judge.task.begun.elapsed();
        self.budget.is_some_and(|budget| budget.is_spent(by_run, self.begun.elapsed(), self.found.checked))
    }

    /// Gives up the least promising half of the open boxes, where there are too many.
    fn give_up_the_worst(&mut self) {
        if self.open.len() > MOST_OPEN {
            let mut open = std::mem::take(&mut self.open).into_vec();
            open.sort_unstable_by(|one, other| other.cmp(one));
            self.given_up = self.given_up.min(open[MOST_OPEN / 2].bound);
            open.truncate(MOST_OPEN / 2);
            self.open = open.into();
        }
    }

    /// What nodes that were not looked at lose at least, if they could be better than the best.
    fn open_bound(&self) -> Option<f64> {
        let open = self.open.peek().map(|open| open.bound);
        let given_up = Some(self.given_up).filter(|bound| bound.is_finite() && !self.is_hopeless(*bound));
        open.into_iter().chain(given_up).min_by(f64::total_cmp)
    }

    /// The next nodes that could still be best; none if no open node could be.
    fn next_starts(&mut self) -> Vec<Open> {
        let top = self.judge.lattice.top();
        if self.is_ruled_out(top) {
            self.open.clear();
            return Vec::new();
        }
        self.give_up_what_is_hopeless();
        let mut starts = Vec::new();
        while starts.len() < CHAINS && !self.is_spent() {
            let Some(open) = self.open.pop() else { break };
            if self.is_hopeless(open.bound) {
                self.open.clear();
                break;
            }
            // Its successors lie above it, so they are as hopeless.
            if self.loses_ties(&open) || self.hopeless.at_or_below(open.lowest()).next().is_some() {
                continue;
            }
            match self.settled_up_to(&open) {
                Some(settled) => self.split(&open, &settled),
                None => starts.push(open),
            }
        }
        starts
    }

    /// If the lowest node of a box is settled, a node up to which all of them are.
    fn settled_up_to(&self, open: &Open) -> Option<Node> {
        let ruled_out = self.ruled_out.at_or_above(open.lowest()).map(|place| self.ruled_out.node(place));
        let most = ruled_out.max_by_key(|node| open.nodes_up_to(node));
        let looked_at = || self.looked_at.contains_key(open.lowest()).then(|| open.lowest().clone());
        most.or_else(looked_at).or_else(|| self.too_costly_up_to(open.lowest()))
    }

    /// Leaves the nodes up to this one out of a box.
    fn split(&mut self, open: &Open, settled: &Node) {
        let rest: Vec<Open> = open.without_those_up_to(settled, &self.judge.bounds).collect();
        self.open.extend(rest.into_iter().filter(|next| !self.is_hopeless(next.bound)).collect::<Vec<_>>());
        if self.budget.is_some() {
            self.give_up_the_worst();
        }
    }

    /// A bound that is the same as the best value may belong to a node that wins the tie.
    fn is_hopeless(&self, bound: f64) -> bool {
        self.found.best.value().is_some_and(|least| order::is_hopeless(bound, least))
    }

    /// At best, do it and everything above it lose as little as the winner, which comes before them in the order?
    fn loses_ties(&self, open: &Open) -> bool {
        self.judge.task.objective.keeps_order() && self.found.best.is_beaten(open.bound, &Place::of(open.lowest().clone()))
    }

    /// Moves nodes to the hopeless ones that have become so since the best lost less; of two, one above the other says nothing.
    fn give_up_what_is_hopeless(&mut self) {
        while self.coarse.peek().is_some_and(|coarse| self.is_hopeless(coarse.bound)) {
            let Some(Coarse { node, .. }) = self.coarse.pop() else { return };
            if self.hopeless.at_or_below(&node).next().is_none() {
                let above: Vec<usize> = self.hopeless.at_or_above(&node).collect();
                self.hopeless.remove(&above);
                self.hopeless.push(&node);
            }
        }
    }

    fn is_ruled_out(&self, node: &Node) -> bool {
        self.ruled_out.at_or_above(node).next().is_some()
    }

    /// Can the node itself be left unseen: does it fail for sure, or cost too much for the rows it must suppress?
    fn is_out(&self, node: &Node) -> bool {
        self.is_ruled_out(node) || self.too_costly_up_to(node).is_some()
    }

    /// If a node costs too much for the rows that it must suppress, one above it up to which all do: they suppress no fewer rows, and what
    /// their labels lose grows upwards.
    fn too_costly_up_to(&self, node: &Node) -> Option<Node> {
        if self.found.best.value().is_none() || !self.judge.task.objective.counts_suppressed() {
            return None;
        }
        let most = self.failing.at_or_above(node).max_by_key(|&place| self.failing_rows[place])?;
        let is_too_costly = self.is_hopeless(self.judge.bounds.at(node, self.failing_rows[most]));
        is_too_costly.then(|| self.failing.node(most))
    }

    /// Looks at a node, and at some above it first, which may make that unnecessary.
    fn chain(&self, start: &Node, watch: &dyn Watch) -> Looks {
        let mut looked_at = Vec::new();
        if self.looks_in_passing < PATIENCE || self.rulings_in_passing > 0 {
            let chain = self.chain_above(start);
            let (mut low, mut high) = (1, chain.len());
            while low < high {
                if watch.ends_search() {
                    return Looks { looked_at, is_cut: true };
                }
                let middle = low.midpoint(high);
                let result = LookedAt { in_passing: true, ..self.look_at(chain[middle].clone()) };
                let is_out = result.rules_out_below;
                looked_at.push(result);
                if is_out { low = middle + 1 } else { high = middle }
            }
            if low > 1 {
                return Looks { looked_at, is_cut: false };
            }
        }
        looked_at.push(self.look_at(start.clone()));
        Looks { looked_at, is_cut: false }
    }

    /// From a node that is not ruled out upwards, each time to the successor with the smallest bound of those not looked at. What is above it
    /// is not ruled out either.
    fn chain_above(&self, start: &Node) -> Vec<Node> {
        let mut chain = vec![start.clone()];
        loop {
            let successors = self.judge.lattice.successors(&chain[chain.len() - 1]);
            let unknown = successors.filter(|node| !self.looked_at.contains_key(node));
            match unknown.map(|node| (self.judge.bounds.above(&node), node)).min_by(in_order) {
                Some((_, next)) => chain.push(next),
                None => return chain,
            }
        }
    }

    fn look_at(&self, node: Node) -> LookedAt {
        self.history.ask(self.judge, &node, |set| {
            // Which node came closest matters only while none satisfies.
            let is_early = self.found.best.value().is_some();
            let verdict = if is_early { self.judge.judge_early(set) } else { self.judge.judge(set) };
            let value = self.judge.satisfies(&verdict).then(|| self.value(&node, set, &verdict));
            let rules_out_below = self.judge.rules_out_below(&verdict);
            let bound_above = self.judge.bounds.above_classes(set.sizes());
            let Verdict { suppressed, suppressed_below, .. } = verdict;
            let node = node.clone();
            LookedAt { node, suppressed, suppressed_below, rules_out_below, value, bound_above, in_passing: false }
        })
    }

    /// What a node loses, or a bound that tells already that it cannot be best: its labels are added up only where it may.
    fn value(&self, node: &Node, set: &Summary, verdict: &Verdict) -> f64 {
        let objective = self.judge.task.objective;
        // Who goes on from good nodes to better ones compares those, too, that are not.
        if self.budget.is_none() && objective.reads_labels() && self.found.best.value().is_some() {
            let bound = self.judge.bounds.at(node, verdict.suppressed);
            if self.is_hopeless(bound) {
                return bound;
            }
        }
        self.judge.value(set, verdict)
    }

    fn look_at_all(&mut self, nodes: &[Node], watch: &dyn Watch) {
        let results: Vec<LookedAt> = nodes.par_iter().map(|node| self.look_at(node.clone())).collect();
        results.into_iter().for_each(|result| self.learn(result, watch));
    }

    fn learn_all(&mut self, mut start: Open, looks: Looks, watch: &dyn Watch) {
        for result in looks.looked_at {
            if result.node == *start.lowest() {
                start.raise(result.bound_above);
            }
            self.learn(result, watch);
        }
        if looks.is_cut {
            // Nobody knows what it and those above it lose.
            self.open.push(start);
        } else {
            self.split(&start, start.lowest());
        }
    }

    fn learn(&mut self, result: LookedAt, watch: &dyn Watch) {
        // Chains searched at the same time may meet; a node counts once.
        if self.looked_at.insert(result.node.clone(), result.value).is_some() {
            return;
        }
        self.found.checked += 1;
        watch.advance(1);
        self.looks_in_passing += u64::from(result.in_passing && result.value.is_none());
        self.rulings_in_passing += u64::from(result.in_passing && result.rules_out_below);
        if result.rules_out_below {
            let below: Vec<usize> = self.ruled_out.at_or_below(&result.node).collect();
            self.ruled_out.remove(&below);
            self.ruled_out.push(&result.node);
        } else if result.suppressed_below > 0 {
            self.failing.push(&result.node);
            self.failing_rows.push(result.suppressed_below);
        }
        if result.bound_above > f64::NEG_INFINITY {
            self.coarse.push(Coarse { bound: result.bound_above, node: result.node.clone() });
        }
        match result.value {
            Some(value) => self.found.offer(value, result.node),
            None => self.found.came_close(result.node, result.suppressed),
        }
    }
}

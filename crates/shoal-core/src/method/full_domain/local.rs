//! What if the rows that one combination of levels would suppress get levels of their own?

use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::time::Instant;

use rayon::prelude::*;

use super::open::Open;
use super::{Budget, Judge, Place};
use crate::exact::Ratio;
use crate::frequency::CountedTable;
use crate::lattice::Node;
use crate::method::{Grouping, Joining, Label, LabelStyle, Partition, Task};
use crate::objective::LowerBounds;
use crate::objective::order::{self, Least};
use crate::watch::{Go, Watch};
use crate::{Error, Result};

/// A combination of levels must release one row in so many of those that are left: picking out a few at a time would leave
/// the others scattered, and takes longer.
const ROWS_AT_ONCE: u64 = 100;

/// Nodes that are looked at side by side. Fixed, so that the result does not depend on the number of threads.
const BATCH: usize = 16;

/// So many nodes are looked at in their order, unless a budget says otherwise.
const MOST_NODES: u64 = 100_000;

/// Combinations of levels in the order of what they lose at least: each releases what it can of the rows that are left.
/// Rows that are left at last join the class that costs least.
///
/// (Taking the best node for all rows first, then the best for the rest, and so on, loses three times as much on the Adult
/// table: the first nodes are too general for most rows that they release.)
pub(super) fn partition(budget: Option<Budget>, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
    let task = &Task { style: LabelStyle::HIERARCHY, ..*task };
    let table = task.table;
    let bounds = LowerBounds::new(task.objective, table, 0);
    let mut nodes = Ascending::new(task, &bounds, budget);
    let mut joining = Joining::new(task, Grouping::new(table.quasi.len()));
    let whole = table.profile();
    let mut rest: Vec<usize> = (0..table.base.classes()).collect();
    watch.begin("recoding locally", Some(table.rows));
    while !rest.is_empty() {
        let part = table.with_base(table.base.part(&rest));
        let round = Task { table: &part, max_suppressed: Ratio::from(1), ..*task };
        let judge = Judge::of_part(&round, &whole);
        let Some(node) = next_that_releases(&judge, &mut nodes, watch) else { break };
        rest = release(&judge, &node, &rest, &mut joining);
        watch.advance(part.rows - rest.iter().map(|&class| table.base.sizes()[class]).sum::<u64>());
    }
    watch.end();
    watch.proceed()?;
    if joining.is_empty() {
        return Err(nothing_to_join(task));
    }
    for class in rest {
        watch.proceed()?;
        joining.join(class);
    }
    let partition = joining.into_grouping().settle(task)?;
    Ok(Partition { lattice: Some((table.lattice().size(), nodes.taken)), ..partition })
}

/// The next node at which enough of the rows that are left can be released.
fn next_that_releases(judge: &Judge<'_>, nodes: &mut Ascending<'_>, watch: &dyn Watch) -> Option<Node> {
    let rows = judge.task.table.rows;
    let releases_enough = |node: &Node| {
        let verdict = judge.judge(&judge.scan_to_judge(node));
        let released = rows - verdict.suppressed;
        released > 0 && released * ROWS_AT_ONCE >= rows
    };
    loop {
        match watch.go() {
            Go::On => {}
            Go::TakeBest => nodes.hurry(),
            Go::Stop => return None,
        }
        let mut batch = nodes.take(BATCH);
        if batch.is_empty() {
            return None;
        }
        let good: Vec<bool> = batch.par_iter().map(releases_enough).collect();
        if let Some(first) = good.iter().position(|&good| good) {
            let later = batch.split_off(first + 1);
            nodes.put_back(later);
            return batch.pop();
        }
    }
}

/// The nodes of a lattice in the order of what they lose at least, those that lose the same in the order of their places.
/// When the budget is spent, straight to the top.
struct Ascending<'a> {
    table: &'a CountedTable,
    bounds: &'a LowerBounds<'a>,
    open: BinaryHeap<Open>,
    /// Those that lose no more than this, in their order.
    least: f64,
    same: BTreeMap<Place, Open>,
    /// Nodes that were taken but not used, in order.
    waiting: VecDeque<Node>,
    last: Option<Node>,
    budget: Option<Budget>,
    begun: Instant,
    run_begun: Instant,
    taken: u64,
}

impl<'a> Ascending<'a> {
    fn new(task: &Task<'a>, bounds: &'a LowerBounds<'a>, budget: Option<Budget>) -> Self {
        let Task { table, begun: run_begun, .. } = *task;
        let open = BinaryHeap::from([Open::new(table.lattice(), bounds)]);
        let (least, same, waiting) = (f64::NEG_INFINITY, BTreeMap::new(), VecDeque::new());
        let begun = Instant::now();
        Self { table, bounds, open, least, same, waiting, last: None, budget, begun, run_begun, taken: 0 }
    }

    fn is_spent(&self) -> bool {
        match self.budget {
            Some(budget) => budget.is_spent(self.run_begun.elapsed(), self.begun.elapsed(), self.taken),
            None => self.taken >= MOST_NODES,
        }
    }

    /// From now on straight to the top.
    fn hurry(&mut self) {
        self.budget = Some(Budget::Nodes(0));
    }

    fn take(&mut self, count: usize) -> Vec<Node> {
        let nodes: Vec<Node> = (0..count).map_while(|_| self.next()).collect();
        self.taken += nodes.len() as u64;
        nodes
    }

    fn put_back(&mut self, nodes: Vec<Node>) {
        self.taken -= nodes.len() as u64;
        nodes.into_iter().rev().for_each(|node| self.waiting.push_front(node));
    }

    fn next(&mut self) -> Option<Node> {
        if let Some(node) = self.waiting.pop_front() {
            return Some(node);
        }
        let lattice = self.table.lattice();
        let next = match &self.last {
            Some(last) if self.is_spent() => {
                let successors = lattice.successors(last).map(|node| (self.bounds.above(&node), Place::of(node)));
                successors.collect::<Least<Place>>().into_winner()?.1.node
            }
            _ => {
                let open = self.next_open()?;
                self.open.extend(open.without_those_up_to(open.lowest(), self.bounds));
                open.lowest().clone()
            }
        };
        self.last = Some(next.clone());
        Some(next)
    }

    /// Takes the first of the open nodes that lose least.
    fn next_open(&mut self) -> Option<Open> {
        if self.same.is_empty() {
            self.least = self.open.peek()?.bound;
        }
        while let Some(open) = self.open.peek().filter(|open| !order::exceeds(open.bound, self.least)) {
            let place = Place::of(open.lowest().clone());
            self.same.extend(self.open.pop().map(|open| (place, open)));
        }
        self.same.pop_first().map(|(_, open)| open)
    }
}

/// Puts the rows that a node releases into classes; the places of the others among the classes of the base.
fn release(judge: &Judge<'_>, node: &Node, rest: &[usize], joining: &mut Joining<'_>) -> Vec<usize> {
    let (set, class_of) = judge.summaries.at_and_tell(node);
    let verdict = judge.judge(&set);
    let levels = node.levels().iter().enumerate();
    let labels = |class: usize| levels.clone().map(move |(column, &level)| (column, level, class));
    let label = |(column, level, class)| Label::Node { level, node: set.code(class, column) };
    let mut made = vec![None; set.classes()];
    for class in (0..set.classes()).filter(|&class| verdict.accepted[class]) {
        made[class] = Some(joining.class(labels(class).map(label).collect()));
    }
    let mut left = Vec::new();
    for (&base, &became) in rest.iter().zip(&class_of) {
        match made[became as usize] {
            Some(class) => joining.put(base, class),
            None => left.push(base),
        }
    }
    left
}

fn nothing_to_join(task: &Task<'_>) -> Error {
    let names: Vec<String> = task.requirements.iter().map(|requirement| requirement.model.name()).collect();
    Error::no_release(format!("no generalization of any part of the table satisfies {}", names.join(" and ")))
        .hint("ask for less, or give a quasi-identifier more levels")
}

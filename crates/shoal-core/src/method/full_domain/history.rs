//! From which summary that is already known is the next one made?

use std::sync::{Arc, RwLock};

use super::Judge;
use crate::frequency::Summary;
use crate::lattice::{Node, NodeList};

/// Keeps what is known of the classes at nodes that were looked at, up to a number of bytes.
#[derive(Debug)]
pub(super) struct History {
    known: RwLock<Known>,
    capacity: usize,
}

/// The summaries that are kept, those of fewest classes first.
#[derive(Debug)]
struct Known {
    nodes: NodeList,
    sets: Vec<Arc<Summary>>,
    /// As many as they took when they were put here, or more: models may have asked for more of them since.
    bytes: usize,
}

/// Enough for thousands of nodes of a table like Adult; a table with larger sets keeps fewer of them.
const CAPACITY: usize = 512 << 20;

impl History {
    pub(super) fn new(columns: usize) -> Self {
        let known = Known { nodes: NodeList::new(columns), sets: Vec::new(), bytes: 0 };
        Self { known: RwLock::new(known), capacity: CAPACITY }
    }

    /// Asks something about the classes at a node, merged from the fewest known ones below it. Their sizes are known; a judge who asks for more
    /// has it made.
    pub(super) fn ask<T>(&self, judge: &Judge<'_>, node: &Node, question: impl FnOnce(&Summary) -> T) -> T {
        let source = {
            let known = self.known.read().expect(NO_PANIC);
            known.nodes.at_or_below(node).next().map(|place| known.sets[place].clone())
        };
        let (set, source_classes) = match &source {
            Some(known) if known.node() == node => return question(known),
            Some(known) => (judge.summaries.sizes_above(known, node), known.classes()),
            None => (judge.summaries.sizes_at(node), judge.task.table.base.classes()),
        };
        let answer = question(&set);
        // A set not much smaller than what it was made from saves nothing to those above it.
        if set.classes() * 2 <= source_classes {
            self.keep(set.into());
        }
        answer
    }

    fn keep(&self, set: Arc<Summary>) {
        let mut known = self.known.write().expect(NO_PANIC);
        known.bytes += set.bytes();
        let place = known.sets.partition_point(|other| other.classes() <= set.classes());
        known.nodes.insert(place, set.node());
        known.sets.insert(place, set);
        if known.bytes > self.capacity {
            known.forget_down_to(self.capacity / 2);
        }
    }
}

impl Known {
    /// Forgets those of most classes until the others take no more than so many bytes: whatever is still to be looked at lies higher and higher, and
    /// is made faster of fewer classes.
    fn forget_down_to(&mut self, bytes: usize) {
        let mut kept = 0;
        let fits = |set: &&Arc<Summary>| {
            kept += set.bytes();
            kept <= bytes
        };
        let left = self.sets.iter().take_while(fits).count();
        self.nodes.remove(&(left..self.sets.len()).collect::<Vec<_>>());
        self.sets.truncate(left);
        self.bytes = self.sets.iter().map(|set| set.bytes()).sum();
    }
}

const NO_PANIC: &str = "no thread panics while it holds the lock";

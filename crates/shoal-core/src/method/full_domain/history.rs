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

/// The sets that are kept, the lightest first.
#[derive(Debug)]
struct Known {
    nodes: NodeList,
    sets: Vec<Arc<Summary>>,
    bytes: usize,
}

/// Enough for thousands of nodes of a table like Adult; a table with larger sets keeps fewer of them.
const CAPACITY: usize = 512 << 20;

impl History {
    pub(super) fn new(columns: usize) -> Self {
        let known = Known { nodes: NodeList::new(columns), sets: Vec::new(), bytes: 0 };
        Self { known: RwLock::new(known), capacity: CAPACITY }
    }

    /// The classes at a node, merged from the lightest known set below it.
    pub(super) fn set_at(&self, judge: &Judge<'_>, node: &Node) -> Arc<Summary> {
        let source = {
            let known = self.known.read().expect("no thread panics while it holds the lock");
            known.nodes.at_or_below(node).next().map(|place| known.sets[place].clone())
        };
        let (set, source_weight) = match &source {
            Some(known) if known.node() == node => return known.clone(),
            Some(known) => (judge.summaries.above(known, node), known.weight()),
            None => (judge.scan(node), judge.task.table.base.tuples()),
        };
        let set = Arc::new(set);
        // A set not much smaller than what it was made from saves nothing to those above it.
        if set.weight() * 2 <= source_weight {
            self.keep(set.clone());
        }
        set
    }

    fn keep(&self, set: Arc<Summary>) {
        let mut known = self.known.write().expect("no thread panics while it holds the lock");
        if known.bytes + set.bytes() <= self.capacity {
            known.bytes += set.bytes();
            let place = known.sets.partition_point(|other| other.weight() <= set.weight());
            known.nodes.insert(place, set.node());
            known.sets.insert(place, set);
        }
    }
}

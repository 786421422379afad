//! From which frequency set that is already known is the next one made?

use std::sync::{Arc, RwLock};

use super::Judge;
use crate::frequency::FrequencySet;
use crate::lattice::Node;

/// Keeps frequency sets of nodes that were looked at, up to a number of bytes.
#[derive(Debug)]
pub(super) struct History {
    sets: RwLock<Vec<(Node, Arc<FrequencySet>)>>,
    capacity: usize,
}

/// Enough for thousands of nodes of a table like Adult; a table with larger sets keeps fewer of them.
const CAPACITY: usize = 512 << 20;

impl History {
    pub(super) fn new() -> Self {
        Self { sets: RwLock::new(Vec::new()), capacity: CAPACITY }
    }

    /// The frequency set at a node, rolled up from the smallest known one below it.
    pub(super) fn set_at(&self, judge: &Judge<'_>, node: &Node) -> Arc<FrequencySet> {
        let source = {
            let sets = self.sets.read().expect("no thread panics while it holds the lock");
            let below = sets.iter().filter(|(known, _)| known.is_at_or_below(node));
            below.min_by_key(|(_, set)| set.tuples()).cloned()
        };
        let (set, source_size) = match &source {
            Some((known, set)) if known == node => return set.clone(),
            Some((known, set)) => (judge.generalization.roll_up(set, known, node), set.tuples()),
            None => (judge.scan(node), judge.task.table.base.tuples()),
        };
        let set = Arc::new(set);
        // A set not much smaller than what it was made from saves nothing to those above it.
        if set.tuples() * 2 <= source_size {
            self.keep(node.clone(), set.clone());
        }
        set
    }

    fn keep(&self, node: Node, set: Arc<FrequencySet>) {
        let mut sets = self.sets.write().expect("no thread panics while it holds the lock");
        let used: usize = sets.iter().map(|(_, set)| set.bytes()).sum();
        if used + set.bytes() <= self.capacity {
            sets.push((node, set));
        }
    }
}

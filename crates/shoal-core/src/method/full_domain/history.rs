//! From which summary that is already known is the next one made?

use std::collections::HashSet;
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
    /// As many as they took when they were put here, and those that they hold took.
    bytes: usize,
    /// What models had asked for by the time that this was counted; what they ask for later, of these or of others, counts on top.
    completed_before: usize,
}

impl History {
    pub(super) fn new(judge: &Judge<'_>) -> Self {
        let nodes = NodeList::new(judge.lattice.columns());
        let known = Known { nodes, sets: Vec::new(), bytes: 0, completed_before: 0 };
        Self { known: RwLock::new(known), capacity: judge.task.search_memory }
    }

    /// Asks something about the classes at a node, merged from the fewest known ones below it. Their sizes are known; a judge who asks for more
    /// has it made.
    pub(super) fn ask<T>(&self, judge: &Judge<'_>, node: &Node, question: impl FnOnce(&Summary) -> T) -> T {
        let source = {
            let known = self.known.read().expect(NO_PANIC);
            known.nodes.at_or_below(node).next().map(|place| known.sets[place].clone())
        };
        let answer = match source {
            Some(known) if known.node() == node => question(&known),
            source => self.make(judge, node, source, question),
        };
        self.stay_within_capacity(judge);
        answer
    }

    fn make<T>(
        &self,
        judge: &Judge<'_>,
        node: &Node,
        source: Option<Arc<Summary>>,
        question: impl FnOnce(&Summary) -> T,
    ) -> T {
        let (set, source_classes) = match &source {
            Some(known) => (judge.summaries.sizes_above(known, node), known.classes()),
            None => (judge.summaries.sizes_at(node), judge.task.table.base.classes()),
        };
        // What models ask for beyond this is counted as it is made.
        let bytes = set.bytes();
        let answer = question(&set);
        // A set not much smaller than what it was made from saves nothing to those above it.
        if set.classes() * 2 <= source_classes {
            self.keep(set.into(), bytes);
        }
        answer
    }

    fn keep(&self, set: Arc<Summary>, bytes: usize) {
        let mut known = self.known.write().expect(NO_PANIC);
        known.bytes += bytes;
        let place = known.sets.partition_point(|other| other.classes() <= set.classes());
        known.nodes.insert(place, set.node());
        known.sets.insert(place, set);
    }

    fn stay_within_capacity(&self, judge: &Judge<'_>) {
        let bytes = |known: &Known| known.bytes + judge.summaries.completed_bytes() - known.completed_before;
        if bytes(&self.known.read().expect(NO_PANIC)) <= self.capacity {
            return;
        }
        let mut known = self.known.write().expect(NO_PANIC);
        if bytes(&known) > self.capacity {
            known.completed_before = judge.summaries.completed_bytes();
            known.forget_down_to(self.capacity / 2);
        }
    }
}

impl Known {
    /// Forgets those of most classes until the others, with all that they hold, take no more than so many bytes: whatever is still to be looked at lies
    /// higher and higher, and is made faster of fewer classes.
    fn forget_down_to(&mut self, bytes: usize) {
        let mut nodes = self.nodes.emptied();
        let (mut kept, mut held) = (0, HashSet::new());
        self.sets.retain(|set| {
            let more: Vec<Arc<Summary>> = with_those_below(set).take_while(|set| !held.contains(&Arc::as_ptr(set))).collect();
            let more_bytes: usize = more.iter().map(|set| set.bytes()).sum();
            let fits = kept + more_bytes <= bytes;
            if fits {
                kept += more_bytes;
                held.extend(more.iter().map(Arc::as_ptr));
                nodes.push(set.node());
            }
            fits
        });
        self.nodes = nodes;
        self.bytes = kept;
    }
}

/// A set, that which it is still to be completed from, and so on.
fn with_those_below(set: &Arc<Summary>) -> impl Iterator<Item = Arc<Summary>> {
    std::iter::successors(Some(Arc::clone(set)), |set| set.below())
}

const NO_PANIC: &str = "no thread panics while it holds the lock";

#[cfg(test)]
mod tests {
    use std::sync::{OnceLock, Weak};

    use super::*;
    use crate::frequency::{FrequencySet, KeyLayout, QuasiColumn, Reads, SensitiveTuples, Summaries};
    use crate::hierarchy::{Hierarchy, Level};
    use crate::table::Dictionary;

    /// A column of 64 values, which become 16, 4 and one.
    fn column() -> QuasiColumn {
        let names: Vec<String> = (0..64).map(|value| format!("{value:02}")).collect();
        let dictionary = Dictionary::new(names.clone(), None, false);
        let grouped = |of: usize| {
            let labels: Vec<String> = (0..64).map(|value| format!("{of} from {}", value / of * of)).collect();
            Level::from_labels(labels.iter().map(String::as_str))
        };
        let hierarchy = Hierarchy::new(vec![Level::of_values(&names), grouped(4), grouped(16), Level::root(64)]);
        QuasiColumn {
            name: "q".to_owned(),
            dictionary: dictionary.into(),
            hierarchy,
            counts: vec![1; 64],
            weight: 1.0,
            min_level: 0,
            max_level: 3,
            ordered: false,
            round_ends: OnceLock::new(),
        }
    }

    /// A set that was judged by its sizes holds what it is made of, until it is completed.
    #[test]
    fn what_is_forgotten_is_gone_unless_it_is_counted() {
        let tuples = SensitiveTuples::new(1, vec![0, 1, 2]);
        let codes: Vec<[u32; 1]> = (0..64).map(|code| [code]).collect();
        let rows = codes.iter().map(|code| (code.as_slice(), code[0] % 3, 1));
        let base = FrequencySet::from_sorted(KeyLayout::new(&[64]), tuples, rows);
        let summaries = Summaries::new(&base, &[column()], [Reads::Counts { column: 0 }]);
        let node = |level| Node::new(vec![level]);
        let kept_within = |bytes: &dyn Fn(&Summary) -> usize, is_completed: bool| {
            let low = Arc::new(summaries.sizes_at(&node(1)));
            let high = Arc::new(summaries.sizes_above(&low, &node(2)));
            let alive: Vec<Weak<Summary>> = [&low, &high].map(Arc::downgrade).to_vec();
            let mut nodes = NodeList::new(1);
            [&high, &low].into_iter().for_each(|set| nodes.push(set.node()));
            if is_completed {
                summaries.complete(&high);
            }
            let limit = bytes(&low);
            let mut known = Known { nodes, sets: vec![high, low], bytes: 0, completed_before: 0 };
            known.forget_down_to(limit);
            let held: usize = alive.iter().filter_map(Weak::upgrade).map(|set| set.bytes()).sum();
            assert!(held == known.bytes && held <= limit && known.nodes.len() == known.sets.len());
            known.sets.iter().map(|set| set.classes()).collect::<Vec<_>>()
        };
        assert_eq!(kept_within(&Summary::bytes, true), [4], "without what it was made of");
        assert_eq!(kept_within(&Summary::bytes, false), [16], "the higher one would need both");
        assert_eq!(kept_within(&|low| 2 * low.bytes(), false), [4, 16]);
        assert_eq!(kept_within(&|_| 0, true), [0; 0]);
    }
}

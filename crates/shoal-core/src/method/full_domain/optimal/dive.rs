//! Which good releases can be found early, by a search that may not come to its end?
//!
//! From a node that satisfies, steps downwards as long as one of them makes it better. Where none does, one column may gain a level if
//! another gives one up. In a lattice that is too wide to be searched to its end, that is also done from other beginnings: from each column kept
//! as fine as it can be, with all others at their most general.

use super::{Optimal, in_order};
use crate::lattice::Node;
use crate::watch::Watch;

/// Lattices of fewer nodes come to their end soon enough: exchanges and other beginnings would only keep them from it.
const WIDE: u128 = 100_000;

/// So many exchanges are looked at before it is seen whether one of them was better. Fixed, so that it does not depend on the number of threads.
const EXCHANGES: usize = 64;

impl Optimal<'_> {
    /// From the best node on, as long as that makes it better.
    pub(super) fn dive(&mut self, watch: &dyn Watch) {
        while let Some(best) = self.best() {
            if self.dived_from.as_ref() == Some(&best) || self.is_over(watch) {
                return;
            }
            let below = self.judge.lattice.predecessors(&best);
            let unknown: Vec<Node> =
                below.filter(|node| !self.looked_at.contains_key(node) && !self.is_out(node)).collect();
            self.look_at_all(&unknown, watch);
            if self.is_wide() && self.best().as_ref() == Some(&best) {
                self.exchange(&best, watch);
            }
            self.dived_from = Some(best);
        }
    }

    /// From the next beginning downwards, to the best of the nodes below each time.
    pub(super) fn begin_elsewhere(&mut self, watch: &dyn Watch) {
        let Some(column) = self.beginnings.next().filter(|_| self.is_wide()) else { return };
        let lattice = &self.judge.lattice;
        let mut current = lattice.top().with_level(column, lattice.bottom().levels()[column]);
        if self.is_ruled_out(&current) {
            return;
        }
        self.look_at_unknown(vec![current.clone()], watch);
        while let Some(value) = self.value_of(&current).filter(|_| !self.is_over(watch)) {
            let below = self.judge.lattice.predecessors(&current);
            let below: Vec<Node> = below.filter(|node| !self.is_ruled_out(node)).collect();
            self.look_at_unknown(below.clone(), watch);
            let valued = below.into_iter().filter_map(|node| Some((self.value_of(&node)?, node)));
            let next = valued.min_by(in_order);
            match next.filter(|next| next.0 < value) {
                Some((_, next)) => current = next,
                None => return,
            }
        }
    }

    /// One column a level higher and another one lower, those that could lose least first, until one of them loses less.
    fn exchange(&mut self, best: &Node, watch: &dyn Watch) {
        let mut open: Vec<(f64, Node)> = Vec::new();
        for raised in self.judge.lattice.successors(best) {
            for node in self.judge.lattice.predecessors(&raised).filter(|node| node != best) {
                let bound = self.judge.bounds.at(&node, 0);
                if !self.looked_at.contains_key(&node) && !self.is_hopeless(bound) && !self.is_out(&node) {
                    open.push((bound, node));
                }
            }
        }
        open.sort_by(in_order);
        for exchanges in open.chunks(EXCHANGES) {
            if self.is_over(watch) || self.best().as_ref() != Some(best) {
                return;
            }
            let nodes: Vec<Node> = exchanges.iter().map(|(_, node)| node.clone()).collect();
            self.look_at_all(&nodes, watch);
        }
    }

    fn look_at_unknown(&mut self, mut nodes: Vec<Node>, watch: &dyn Watch) {
        nodes.retain(|node| !self.looked_at.contains_key(node));
        self.look_at_all(&nodes, watch);
    }

    /// What a node that was looked at loses, if it satisfies.
    fn value_of(&self, node: &Node) -> Option<f64> {
        self.looked_at.get(node).copied().flatten()
    }

    fn best(&self) -> Option<Node> {
        self.found.best.winner().map(|best| best.node.clone())
    }

    fn is_wide(&self) -> bool {
        self.judge.lattice.size() > WIDE
    }

    fn is_over(&self, watch: &dyn Watch) -> bool {
        self.is_spent() || watch.ends_search()
    }
}

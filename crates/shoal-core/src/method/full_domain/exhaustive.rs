//! Which node is best, by looking at every one?

use rayon::prelude::*;

use super::{Found, Judge, optimal};
use crate::Result;
use crate::lattice::Node;
use crate::watch::Watch;

/// A node that was looked at.
pub(super) struct Checked {
    pub(super) node: Node,
    pub(super) suppressed: u64,
    /// What it has lost, if it satisfies.
    pub(super) value: Option<f64>,
}

/// Judges every node, each straight from the base: the oracle for the other searches.
pub(super) fn search(judge: &Judge<'_>, watch: &dyn Watch) -> Result<Found> {
    let mut found = Found::new();
    for checked in check_every_node(judge, watch)? {
        found.checked += 1;
        match checked.value {
            Some(value) => found.offer(value, checked.node),
            None => found.came_close(checked.node, checked.suppressed),
        }
    }
    Ok(found)
}

pub(super) fn check_every_node(judge: &Judge<'_>, watch: &dyn Watch) -> Result<Vec<Checked>> {
    let nodes = optimal::countable(&judge.lattice)?;
    watch.begin("searching", Some(nodes as u64));
    let check = |index: usize| {
        let node = judge.lattice.node(index);
        let set = judge.scan(&node);
        let verdict = judge.judge(&set);
        let value = judge.satisfies(&verdict).then(|| judge.value(&node, &set, &verdict));
        watch.advance(1);
        Checked { node, suppressed: verdict.suppressed, value }
    };
    let checked = (0..nodes).into_par_iter().map(check).collect();
    watch.end();
    Ok(checked)
}

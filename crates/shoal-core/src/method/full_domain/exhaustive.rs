//! Which node is best, by looking at every one?

use rayon::prelude::*;

use super::{Found, Judge, optimal};
use crate::Result;
use crate::lattice::Node;
use crate::watch::Watch;

/// A node that was looked at.
struct Checked {
    node: Node,
    suppressed: u64,
    /// What it has lost, if it satisfies.
    value: Option<f64>,
}

/// Judges every node, each straight from the base: the oracle for the other searches.
pub(super) fn search(judge: &Judge<'_>, watch: &dyn Watch) -> Result<Found> {
    let mut found = Found::new();
    let every = check_every_node(judge, watch)?;
    if (every.len() as u128) < judge.lattice.size() {
        // Somebody had enough of it: any of the others may lose as little as that.
        found.open_bound = Some(judge.bounds.above(judge.lattice.bottom()));
    }
    for checked in every {
        found.checked += 1;
        match checked.value {
            Some(value) => found.offer(value, checked.node),
            None => found.came_close(checked.node, checked.suppressed),
        }
    }
    Ok(found)
}

/// What there is to say of every node, or of those that were reached when the search was to end.
fn check_every_node(judge: &Judge<'_>, watch: &dyn Watch) -> Result<Vec<Checked>> {
    let nodes = optimal::countable(&judge.lattice)?;
    watch.begin("searching", Some(nodes as u64));
    let check = |index: usize| {
        if watch.ends_search() {
            return None;
        }
        let node = judge.lattice.node(index);
        let set = judge.scan(&node);
        let verdict = judge.judge(&set);
        let value = judge.satisfies(&verdict).then(|| judge.value(&set, &verdict));
        watch.advance(1);
        Some(Checked { node, suppressed: verdict.suppressed, value })
    };
    let checked: Vec<Option<Checked>> = (0..nodes).into_par_iter().map(check).collect();
    watch.end();
    watch.proceed()?;
    Ok(checked.into_iter().flatten().collect())
}

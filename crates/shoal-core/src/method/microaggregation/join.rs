//! What becomes of clusters that are large enough and still fail a requirement?

use rayon::prelude::*;

use super::space::Space;
use crate::Result;
use crate::method::{Acceptance, Member};
use crate::watch::Watch;

/// Joins clusters that fail with those that are near, until all are accepted or one is left. Clusters come block by block,
/// in the order of the space: what fails in one block goes on to the next.
pub(super) fn until_accepted(
    space: &Space,
    acceptance: &Acceptance<'_>,
    blocks: Vec<Vec<Vec<Member>>>,
    watch: &dyn Watch,
) -> Result<Vec<Vec<Member>>> {
    let joined = |clusters| watch.proceed().map(|()| within_block(space, acceptance, clusters));
    let blocks: Vec<Joined> = blocks.into_par_iter().map(joined).collect::<Result<_>>()?;
    let mut all: Vec<Vec<Member>> = Vec::new();
    let mut failing: Option<Vec<Member>> = None;
    for Joined { mut accepted, failing: of_block } in blocks {
        watch.proceed()?;
        for pending in failing.take().into_iter().chain(of_block) {
            let joined = match failing.take() {
                Some(mut other) => {
                    other.extend(pending);
                    other
                }
                None => pending,
            };
            failing = grow(space, acceptance, joined, &mut accepted);
        }
        all.append(&mut accepted);
    }
    if let Some(pending) = failing {
        let mut rest = grow(space, acceptance, pending, &mut all);
        all.extend(rest.take());
    }
    Ok(all)
}

struct Joined {
    accepted: Vec<Vec<Member>>,
    failing: Option<Vec<Member>>,
}

fn within_block(space: &Space, acceptance: &Acceptance<'_>, clusters: Vec<Vec<Member>>) -> Joined {
    let (mut accepted, mut failing): (Vec<_>, Vec<_>) =
        clusters.into_iter().partition(|cluster| acceptance.accepts(cluster.iter().copied()));
    while let Some(cluster) = failing.pop() {
        // Two that fail may do together; an accepted one is only joined when there is no other.
        if failing.is_empty() {
            let failing = grow(space, acceptance, cluster, &mut accepted);
            return Joined { accepted, failing };
        }
        let nearest = nearest(space, &cluster, &failing);
        failing[nearest].extend(cluster);
        if acceptance.accepts(failing[nearest].iter().copied()) {
            accepted.push(failing.swap_remove(nearest));
        }
    }
    Joined { accepted, failing: None }
}

/// Joins a cluster with the nearest of the others until it is accepted; it comes back if it never is.
fn grow(
    space: &Space,
    acceptance: &Acceptance<'_>,
    mut cluster: Vec<Member>,
    others: &mut Vec<Vec<Member>>,
) -> Option<Vec<Member>> {
    while !others.is_empty() {
        let nearest = nearest(space, &cluster, others);
        cluster.extend(others.swap_remove(nearest));
        if acceptance.accepts(cluster.iter().copied()) {
            others.push(cluster);
            return None;
        }
    }
    Some(cluster)
}

/// The one of the others whose first record is nearest to the centre of a cluster.
fn nearest(space: &Space, cluster: &[Member], others: &[Vec<Member>]) -> usize {
    let centre = space.centre(cluster.iter().map(|member| (member.base, member.count)));
    let mut best = (f64::INFINITY, 0);
    for (place, other) in others.iter().enumerate() {
        let distance = space.distance_from(&centre, other[0].base);
        if distance < best.0 {
            best = (distance, place);
        }
    }
    best.1
}

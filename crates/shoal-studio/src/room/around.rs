//! What lies around a combination of levels: which of its neighbours satisfy, and what would they lose?

use std::collections::HashSet;

use shoal::{Error, Node, Result, Watch};
use shoal_core::lattice::Lattice;
use shoal_core::words::combinations;

use super::figures;
use crate::studio::Studio;
use crate::wire::{self, Around, AroundNode, ColumnLevel, WorkKind};
use crate::work::Run;

/// So many nodes are looked at: as many as somebody can take in, and a search in itself at each of them.
const MOST_NODES: usize = 160;

/// So many nodes are told at once, as they come.
const AT_ONCE: usize = 8;

/// Looks at the nodes nearest to one, or to the optimum; all of them, where they are few.
pub fn around(studio: &Studio, wanted: &Around, run: &Run<'_, wire::Neighbourhood>) -> Result<wire::Neighbourhood> {
    let watch: &dyn Watch = run.progress.as_ref();
    let asked = studio.asked()?;
    let study = studio.study(&asked.policy, watch)?;
    let lattice = lattice_of(&study);
    let names: Vec<&str> = study.table().quasi.iter().map(|column| column.name.as_str()).collect();
    let shown = with_levels(&lattice, &names, &wanted.fixed)?;
    let best = study.best(watch);
    let best = match best {
        Ok(best) => best.levels().cloned(),
        // Where nothing satisfies there is no optimum, and all the more to look at.
        Err(error) if error.kind() == shoal::Kind::NoRelease => None,
        Err(error) => return Err(error),
    };
    let center = match &wanted.levels {
        Some(levels) => inside(&lattice, levels)?,
        None => best.clone().unwrap_or_else(|| lattice.top().clone()),
    };
    let center = nearest_inside(&shown, &center);
    let nodes = nearest(&shown, &center, MOST_NODES);
    let mut found = wire::Neighbourhood {
        size: combinations(shown.size()),
        is_whole: shown.size() <= nodes.len() as u128,
        center: center.levels().to_vec(),
        best: best.map(|node| node.levels().to_vec()),
        nodes: Vec::new(),
    };
    watch.begin("looking at combinations", Some(nodes.len() as u64));
    for node in nodes {
        watch.proceed()?;
        let candidate = study.at(&node)?;
        let satisfies = candidate.shortcoming().is_none();
        found.nodes.push(AroundNode { levels: node.levels().to_vec(), satisfies, figures: figures(&candidate) });
        watch.advance(1);
        if found.nodes.len().is_multiple_of(AT_ONCE) {
            run.so_far(found.clone());
            studio.tell_work(WorkKind::Around);
        }
    }
    watch.end();
    Ok(found)
}

/// Every combination of levels that the policy allows.
pub(super) fn lattice_of(study: &shoal::Study) -> Lattice {
    let quasi = &study.table().quasi;
    let bottom = quasi.iter().map(|column| column.min_level).collect();
    let top = quasi.iter().map(|column| column.max_level).collect();
    Lattice::new(Node::new(bottom), Node::new(top))
}

/// Those nodes of a lattice that have these levels.
fn with_levels(lattice: &Lattice, names: &[&str], fixed: &[ColumnLevel]) -> Result<Lattice> {
    let (mut bottom, mut top) = (lattice.bottom().levels().to_vec(), lattice.top().levels().to_vec());
    for ColumnLevel { column, level } in fixed {
        let place = names.iter().position(|name| name == column);
        let place = place.ok_or_else(|| Error::policy(format!("{column} is no quasi-identifier of the policy")))?;
        let Some(level) = *level else { continue };
        if !(bottom[place]..=top[place]).contains(&level) {
            return Err(Error::policy(format!("the policy does not allow level {level} of {column}")));
        }
        (bottom[place], top[place]) = (level, level);
    }
    Ok(Lattice::new(Node::new(bottom), Node::new(top)))
}

/// The node of a lattice that is nearest to one of a larger lattice.
fn nearest_inside(lattice: &Lattice, node: &Node) -> Node {
    let (bottom, top) = (lattice.bottom().levels(), lattice.top().levels());
    let levels = node.levels().iter().zip(bottom.iter().zip(top));
    Node::new(levels.map(|(level, (low, high))| (*level).clamp(*low, *high)).collect())
}

fn inside(lattice: &Lattice, levels: &[u8]) -> Result<Node> {
    let node = Node::new(levels.to_vec());
    let fits = levels.len() == lattice.columns();
    if fits && lattice.bottom().is_at_or_below(&node) && node.is_at_or_below(lattice.top()) {
        return Ok(node);
    }
    Err(Error::policy("the policy does not allow this combination of levels"))
}

/// The nodes nearest to one by steps of one level, itself first; of equally near ones, those that are lower.
fn nearest(lattice: &Lattice, center: &Node, most: usize) -> Vec<Node> {
    let mut seen = HashSet::from([center.clone()]);
    let (mut nodes, mut from) = (vec![center.clone()], 0);
    while from < nodes.len() && nodes.len() < most {
        let ring = from..nodes.len();
        from = ring.end;
        let mut next: Vec<Node> = Vec::new();
        for node in &nodes[ring] {
            let neighbours = lattice.predecessors(node).chain(lattice.successors(node));
            next.extend(neighbours.filter(|neighbour| seen.insert(neighbour.clone())));
        }
        next.sort_by_key(Node::height);
        next.truncate(most - nodes.len());
        nodes.extend(next);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(levels: &[u8]) -> Node {
        Node::new(levels.to_vec())
    }

    #[test]
    fn the_nearest_nodes_come_first_and_each_once() {
        let lattice = Lattice::new(node(&[0, 1, 0]), node(&[3, 4, 2]));
        let center = node(&[1, 2, 0]);
        let steps = |other: &Node| -> u32 {
            other.levels().iter().zip(center.levels()).map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
        };
        let all = nearest(&lattice, &center, 1000);
        assert_eq!(all.len() as u128, lattice.size());
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
        assert!(all.is_sorted_by_key(steps) && all[0] == center);
        // Five neighbours: the last column cannot go down.
        assert_eq!(all.iter().filter(|other| steps(other) == 1).count(), 5);
        assert_eq!(nearest(&lattice, &center, 7), all[..7]);
    }

    #[test]
    fn a_level_that_is_asked_for_is_that_of_every_node() {
        let lattice = Lattice::new(node(&[0, 1, 0]), node(&[3, 4, 2]));
        let fixed = |column: &str, level: Option<u8>| ColumnLevel { column: column.to_owned(), level };
        let shown = with_levels(&lattice, &["a", "b", "c"], &[fixed("b", Some(4)), fixed("a", None)]).unwrap();
        let center = nearest_inside(&shown, &node(&[1, 2, 0]));
        assert_eq!(center.levels(), [1, 4, 0]);
        let all = nearest(&shown, &center, 1000);
        assert_eq!(all.len(), 4 * 3);
        assert!(all.iter().all(|node| node.levels()[1] == 4));
        for (column, level) in [("b", 0), ("b", 5), ("d", 1)] {
            assert!(
                with_levels(&lattice, &["a", "b", "c"], &[fixed(column, Some(level))]).is_err(),
                "{column} {level}"
            );
        }
    }

    #[test]
    fn nobody_gets_out_of_the_lattice() {
        let lattice = Lattice::new(node(&[0, 1]), node(&[3, 4]));
        assert!(inside(&lattice, &[0, 1]).is_ok() && inside(&lattice, &[3, 4]).is_ok());
        for levels in [&[0, 0][..], &[4, 4], &[1], &[1, 1, 1], &[]] {
            assert!(inside(&lattice, levels).is_err(), "{levels:?}");
        }
    }
}

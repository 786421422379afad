//! Which combinations of levels would do, and why do others not?

use shoal::{Error, Node, Result, Study, Watch};
use shoal_core::words::combinations;

use super::around::lattice_of;
use super::{figures, finite};
use crate::studio::Studio;
use crate::wire::{self, Bar, LatticeColumn, LevelsWanted, WhyNot};
use crate::work::Progress;

/// So many minimal nodes are told.
const MOST_NODES: usize = 200;

/// The quasi-identifiers and their levels.
pub fn lattice(studio: &Studio, question: &Progress) -> Result<wire::LatticeInfo> {
    let asked = studio.asked()?;
    let study = studio.study_for(&asked.policy, question)?;
    let quasi = &study.table().quasi;
    let column = |column: &shoal_core::frequency::QuasiColumn| LatticeColumn {
        name: column.name.clone(),
        height: column.hierarchy.height() as u8,
        min: column.min_level,
        max: column.max_level,
        examples: column.hierarchy.levels().iter().map(|level| most_frequent(level, &column.counts)).collect(),
    };
    Ok(wire::LatticeInfo {
        columns: quasi.iter().map(column).collect(),
        nodes: combinations(lattice_of(&study).size()),
        objective: asked.policy.method.objective.id().to_owned(),
    })
}

/// The label that most rows have.
fn most_frequent(level: &shoal_core::hierarchy::Level, counts: &[u64]) -> String {
    let mut rows = vec![0u64; level.len()];
    counts.iter().enumerate().for_each(|(leaf, count)| rows[level.node_of(leaf as u32) as usize] += count);
    let most = (0..rows.len()).max_by_key(|&node| (rows[node], std::cmp::Reverse(node)));
    most.map(|node| level.label(node as u32).to_owned()).unwrap_or_default()
}

/// What a release with certain levels would be.
pub fn levels(studio: &Studio, wanted: &LevelsWanted, question: &Progress) -> Result<wire::LevelsTried> {
    let levels: Option<Vec<u8>> = wanted.levels.split(',').map(|level| level.trim().parse().ok()).collect();
    let levels = levels.ok_or_else(|| Error::policy("levels are whole numbers with commas between them"))?;
    let asked = studio.asked()?;
    let study = studio.study_for(&asked.policy, question)?;
    if levels.len() != study.table().quasi.len() {
        return Err(Error::policy(format!(
            "there are {} quasi-identifiers, each with a level",
            study.table().quasi.len()
        )));
    }
    let node = Node::new(levels.clone());
    let candidate = study.at(&node)?;
    Ok(wire::LevelsTried { levels, figures: figures(&candidate), why_not: why_not(&study, &node)? })
}

fn why_not(study: &Study, node: &Node) -> Result<Option<WhyNot>> {
    let bars = |pairs: Vec<(String, u64)>| pairs.into_iter().map(|(label, rows)| Bar { label, rows }).collect();
    Ok(study.why_not(node)?.map(|why| WhyNot {
        rows: why.rows,
        allowed: why.allowed,
        by_requirement: bars(why.by_requirement),
        rare_by: bars(why.rare_by),
    }))
}

/// The minimal nodes, those that lose least first.
pub fn solutions(studio: &Studio, watch: &dyn Watch) -> Result<wire::Solutions> {
    let asked = studio.asked()?;
    let study = studio.study(&asked.policy, watch)?;
    let found = study.solutions(false, watch)?;
    let (objective, rows) = (asked.policy.method.objective.id(), study.table().rows);
    let value = |objectives: &[(&'static str, f64)]| {
        objectives.iter().find(|(id, _)| *id == objective).and_then(|(_, value)| finite(*value))
    };
    let minimal = found.minimal.len() as u64;
    let mut best: Vec<wire::Solution> = found
        .minimal
        .iter()
        .map(|solution| wire::Solution {
            levels: solution.node.levels().to_vec(),
            figures: wire::Figures {
                objective_value: value(&solution.objectives),
                released_rows: rows - solution.suppressed,
                suppressed_rows: solution.suppressed,
                classes: solution.classes,
            },
        })
        .collect();
    best.sort_by(|a, b| {
        let of = |one: &wire::Solution| one.figures.objective_value.unwrap_or(f64::INFINITY);
        of(a).total_cmp(&of(b))
    });
    best.truncate(MOST_NODES);
    Ok(wire::Solutions {
        nodes: combinations(found.nodes),
        checked: found.checked,
        satisfying: found.satisfying,
        minimal,
        best,
    })
}

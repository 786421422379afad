//! What may the values of a column become?

use shoal::{Error, Result};
use shoal_core::frequency::QuasiColumn;
use shoal_core::hierarchy::{ColumnValues, Level, check, suggest};

use super::known::known;
use crate::studio::{Asked, Studio};
use crate::wire::{self, Bar, ColumnWanted, LeafShown, LevelShown, Problem};
use crate::work::Progress;

/// So many labels of a level are shown.
const MOST_LABELS: usize = 60;

/// So many values are put into groups by hand.
const MOST_LEAVES: usize = 300;

/// The hierarchy of a quasi-identifier, level by level.
pub fn hierarchy(studio: &Studio, wanted: &ColumnWanted, question: &Progress) -> Result<wire::HierarchyShown> {
    let asked = studio.asked()?;
    let study = match studio.study_for(&asked.policy, question) {
        Ok(study) => study,
        Err(error) => return unsound(studio, &asked, wanted).ok_or(error),
    };
    let column = study.table().quasi.iter().find(|column| column.name == wanted.name);
    let column = column.ok_or_else(|| Error::policy("this column is no quasi-identifier of the policy"))?;
    let said = asked.policy.column(&wanted.name).and_then(|column| column.hierarchy.as_ref());
    let values =
        ColumnValues { name: &column.name, dictionary: &column.dictionary, counts: &column.counts, may_print: true };
    let suggestion = suggest(&values);
    let report = said.map(|spec| check(spec, &asked.policy.folder, Some(&values), true)).unwrap_or_default();
    Ok(wire::HierarchyShown {
        name: column.name.clone(),
        written: said.map(ToString::to_string).unwrap_or_default(),
        kind: said.map_or("suppress", |spec| spec.name()).to_owned(),
        suggestion: Some([suggestion.spec.to_string(), suggestion.reason]),
        allowed: [column.min_level, column.max_level],
        levels: column.hierarchy.levels().iter().map(|level| shown(column, level)).collect(),
        leaves: leaves(column),
        defects: report.defects.iter().map(Problem::from).collect(),
        warnings: report.warnings,
        known: known(&values),
    })
}

/// The hierarchy of a column that cannot be counted for its sake: what is wrong with it, and what could be in its place. Nothing where
/// something else is wrong.
fn unsound(studio: &Studio, asked: &Asked, wanted: &ColumnWanted) -> Option<wire::HierarchyShown> {
    let spec = asked.policy.column(&wanted.name)?.hierarchy.as_ref()?;
    let table = studio.table().ok()?;
    let column = table.sheet.column(&wanted.name).ok()?;
    let (name, dictionary, counts) = (&*column.name, &column.dictionary, &*column.counts);
    let values = ColumnValues { name, dictionary, counts, may_print: true };
    let report = check(spec, &asked.policy.folder, Some(&values), true);
    if report.is_sound() {
        return None;
    }
    let suggestion = suggest(&values);
    Some(wire::HierarchyShown {
        name: column.name.clone(),
        written: spec.to_string(),
        kind: spec.name().to_owned(),
        suggestion: Some([suggestion.spec.to_string(), suggestion.reason]),
        allowed: [0, 0],
        levels: Vec::new(),
        leaves: None,
        defects: report.defects.iter().map(Problem::from).collect(),
        warnings: report.warnings,
        known: known(&values),
    })
}

/// The values and their groups, unless there are too many of them.
fn leaves(column: &QuasiColumn) -> Option<Vec<LeafShown>> {
    let levels = column.hierarchy.levels();
    let (values, below_top) = (levels.first()?.len(), &levels[..levels.len().saturating_sub(1)]);
    let leaf = |leaf: u32| LeafShown {
        labels: below_top.iter().map(|level| level.label(level.node_of(leaf)).to_owned()).collect(),
        rows: column.counts.get(leaf as usize).copied().unwrap_or(0),
    };
    (values <= MOST_LEAVES && levels.len() > 1).then(|| (0..values as u32).map(leaf).collect())
}

fn shown(column: &QuasiColumn, level: &Level) -> LevelShown {
    let mut rows = vec![0u64; level.len()];
    for (leaf, &count) in column.counts.iter().enumerate() {
        rows[level.node_of(leaf as u32) as usize] += count;
    }
    let occurring = || (0..level.len()).filter(|&node| rows[node] > 0);
    let bar = |node: usize| Bar { label: level.label(node as u32).to_owned(), rows: rows[node] };
    LevelShown {
        labels: occurring().count() as u64,
        bars: occurring().take(MOST_LABELS).map(bar).collect(),
        smallest: occurring().map(|node| rows[node]).min().unwrap_or(0),
        loss: loss(column, level, &rows),
    }
}

/// What the column alone would lose at a level, as `loss` has it: the share of all leaves that a row could be, from 0 where it is one
/// of them to 1 where it could be any.
pub(super) fn loss(column: &QuasiColumn, level: &Level, rows: &[u64]) -> f64 {
    // Rows times leaves, which is whole: values as they are lose nothing, not what rounding leaves of that.
    let (leaves, all) = (u128::from(column.hierarchy.domain_size()), u128::from(rows.iter().sum::<u64>()));
    let under = |node: usize| u128::from(rows[node]) * u128::from(level.leaves_under(node as u32));
    let (lost, most) =
        ((0..level.len()).map(under).sum::<u128>().saturating_sub(all), (all * leaves).saturating_sub(all));
    if most == 0 { 0.0 } else { lost as f64 / most as f64 }
}

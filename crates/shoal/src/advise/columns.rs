//! What could be changed about a column?

use shoal_core::frequency::QuasiColumn;

use super::Asked;
use super::change::{About, Change, ChangeKind, Ladder};
use crate::policy::{Setting, column_key};

/// For each quasi-identifier whose levels the policy bounds, the levels that it could have beyond that.
pub(super) fn wider(asked: &Asked<'_>) -> Vec<Ladder> {
    let mut ladders = Vec::new();
    for (place, column) in asked.quasi() {
        let name = &column.name;
        let change = |what: String, key: &str, level: u8| Change {
            kind: ChangeKind::WiderLevels,
            what,
            settings: vec![Setting::new(column_key(name, key), level.to_string())],
            about: About::Column(place),
        };
        let (min, max, height) = (column.min_level, column.max_level, height(column));
        let more_general = (max + 1..=height)
            .map(|level| change(format!("`{name}` up to level {level} instead of {max}"), "max-level", level));
        let finer = (0..min)
            .rev()
            .map(|level| change(format!("`{name}` down to level {level} instead of {min}"), "min-level", level));
        ladders.extend([more_general.collect(), finer.collect()]);
    }
    ladders
}

/// Each quasi-identifier without anything that it says.
pub(super) fn given_up(asked: &Asked<'_>) -> Vec<Ladder> {
    let levels = asked.now.and_then(|now| now.levels());
    let mut ladders = Vec::new();
    for (place, column) in asked.quasi() {
        let top = height(column);
        if levels.is_some_and(|node| node.levels()[place] == top) {
            continue;
        }
        let mut settings = vec![Setting::new(column_key(&column.name, "min-level"), top.to_string())];
        if column.max_level < top {
            settings.push(Setting::new(column_key(&column.name, "max-level"), top.to_string()));
        }
        let what = format!("give up `{}`: the same in all rows", column.name);
        ladders.push(vec![Change { kind: ChangeKind::ColumnGivenUp, what, settings, about: About::Column(place) }]);
    }
    ladders
}

/// Each quasi-identifier a level finer than it is now, whatever that costs.
pub(super) fn finer(asked: &Asked<'_>) -> Vec<Ladder> {
    let Some(levels) = asked.now.and_then(|now| now.levels()) else { return Vec::new() };
    let finer = |(place, column): (usize, &QuasiColumn)| {
        let level = levels.levels()[place].checked_sub(1).filter(|level| *level >= column.min_level)?;
        let settings = vec![Setting::new(column_key(&column.name, "max-level"), level.to_string())];
        let what = match level {
            0 => format!("`{}` as it is", column.name),
            _ => format!("`{}` at level {level} or finer", column.name),
        };
        Some(vec![Change { kind: ChangeKind::FinerColumn, what, settings, about: About::Column(place) }])
    };
    asked.quasi().into_iter().filter_map(finer).collect()
}

impl Asked<'_> {
    /// The quasi-identifiers, unless they are left as they are.
    fn quasi(&self) -> Vec<(usize, &QuasiColumn)> {
        let are_left = self.study.policy().method.method.separates().is_some();
        self.study.table().quasi.iter().enumerate().filter(|_| !are_left).collect()
    }
}

fn height(column: &QuasiColumn) -> u8 {
    column.hierarchy.height() as u8
}

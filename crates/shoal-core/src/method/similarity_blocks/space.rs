//! How far apart are two records by their quasi-identifiers?

use chrono::Datelike;
use rust_decimal::prelude::ToPrimitive;

use crate::frequency::{CountedTable, QuasiColumn};

/// The quasi-identifiers as a space: equation 5 of (a,d)-diversity, a weighted sum over columns. Numbers and dates are as
/// far apart as they are, over the range of their column; other values as many steps up the hierarchy as it takes to meet,
/// over all steps there are. Short branches count as extended to full height.
#[derive(Debug)]
pub(super) struct Space {
    axes: Vec<Axis>,
}

/// A column, its values put into an order in which distances only grow in both directions: numbers by size, others as the
/// hierarchy lists them. So a range of ranks tells how near anything in it can be at best.
#[derive(Debug)]
struct Axis {
    rank_of: Vec<u32>,
    metric: Metric,
    /// The distances of all pairs of ranks, where there are few.
    table: Option<Vec<f64>>,
}

/// Up to how many ranks a table of all distances stays in a processor's cache.
const FEW: usize = 128;

#[derive(Debug)]
enum Metric {
    /// Positions by rank; a missing value, if there is one, comes last and is as far from all others as can be.
    Line { positions: Vec<f64>, missing: Option<u32>, farthest: f64 },
    /// The node above each rank, level by level from the first, and what meeting at a level costs.
    Tree { nodes: Vec<Vec<u32>>, costs: Vec<f64> },
}

impl Space {
    pub(super) fn new(table: &CountedTable) -> Self {
        let total: f64 = table.quasi.iter().map(|column| column.weight).sum();
        let share = |column: &QuasiColumn| if total > 0.0 { column.weight / total } else { 0.0 };
        Self { axes: table.quasi.iter().map(|column| Axis::new(column, share(column))).collect() }
    }

    pub(super) fn columns(&self) -> usize {
        self.axes.len()
    }

    /// The place of a value of a column on its axis.
    pub(super) fn rank(&self, column: usize, code: u32) -> u32 {
        self.axes[column].rank_of[code as usize]
    }

    /// The distance of two points, given as a rank for each column.
    pub(super) fn distance(&self, a: &[u32], b: &[u32]) -> f64 {
        self.axes.iter().zip(a.iter().zip(b)).map(|(axis, (&a, &b))| axis.distance(a, b)).sum()
    }

    /// The distance of two values of a column.
    pub(super) fn along(&self, column: usize, a: u32, b: u32) -> f64 {
        self.axes[column].distance(a, b)
    }

    /// No point in a box is nearer than this.
    pub(super) fn to_box(&self, point: &[u32], least: &[u32], most: &[u32]) -> f64 {
        let one = |(column, axis): (usize, &Axis)| {
            let at = point[column];
            if at < least[column] {
                axis.distance(at, least[column])
            } else if at > most[column] {
                axis.distance(at, most[column])
            } else {
                0.0
            }
        };
        self.axes.iter().enumerate().map(one).sum()
    }
}

impl Axis {
    fn new(column: &QuasiColumn, weight: f64) -> Self {
        let numbers = if column.ordered { numbers(column) } else { None };
        let mut axis = match numbers {
            Some(numbers) => Self::line(column, &numbers, weight),
            None => Self::tree(column, weight),
        };
        let ranks = axis.rank_of.len() as u32;
        if axis.rank_of.len() <= FEW {
            axis.table = Some((0..ranks).flat_map(|a| (0..ranks).map(move |b| (a, b))).map(|(a, b)| axis.worked_out(a, b)).collect());
        }
        axis
    }

    /// Values of an ordered column are sorted already, a missing one last.
    fn line(column: &QuasiColumn, numbers: &[f64], weight: f64) -> Self {
        let range = numbers.last().zip(numbers.first()).map_or(0.0, |(last, first)| last - first);
        let position = |number: &f64| if range > 0.0 { weight * (number - numbers[0]) / range } else { 0.0 };
        let mut positions: Vec<f64> = numbers.iter().map(position).collect();
        let missing = column.dictionary.missing();
        positions.resize(column.dictionary.len(), weight);
        let rank_of = (0..column.dictionary.len() as u32).collect();
        Self { rank_of, metric: Metric::Line { positions, missing, farthest: weight }, table: None }
    }

    fn tree(column: &QuasiColumn, weight: f64) -> Self {
        let levels = &column.hierarchy.levels()[1..];
        let mut codes: Vec<u32> = (0..column.dictionary.len() as u32).collect();
        let path = |code: u32| levels.iter().rev().map(move |level| level.node_of(code));
        codes.sort_by(|&a, &b| path(a).cmp(path(b)).then(a.cmp(&b)));
        let mut rank_of = vec![0; codes.len()];
        codes.iter().zip(0..).for_each(|(&code, rank)| rank_of[code as usize] = rank);
        let nodes = levels.iter().map(|level| codes.iter().map(|&code| level.node_of(code)).collect()).collect();
        let costs = (1..=levels.len()).map(|level| weight * level as f64 / levels.len() as f64).collect();
        Self { rank_of, metric: Metric::Tree { nodes, costs }, table: None }
    }

    #[inline]
    fn distance(&self, a: u32, b: u32) -> f64 {
        match &self.table {
            Some(table) => table[a as usize * self.rank_of.len() + b as usize],
            None => self.worked_out(a, b),
        }
    }

    fn worked_out(&self, a: u32, b: u32) -> f64 {
        if a == b {
            return 0.0;
        }
        match &self.metric {
            Metric::Line { missing, farthest, .. } if *missing == Some(a) || *missing == Some(b) => *farthest,
            Metric::Line { positions, .. } => (positions[a as usize] - positions[b as usize]).abs(),
            Metric::Tree { nodes, costs } => {
                let meet = nodes.iter().zip(costs).find(|(nodes, _)| nodes[a as usize] == nodes[b as usize]);
                meet.map_or(0.0, |(_, &cost)| cost)
            }
        }
    }
}

/// The values of a column as numbers, a missing one left out; days for dates.
fn numbers(column: &QuasiColumn) -> Option<Vec<f64>> {
    let kind = column.dictionary.column_type();
    let number = |text: &String| match kind.number(text) {
        Some(number) => number.to_f64(),
        None => kind.date(text).map(|date| f64::from(date.num_days_from_ce())),
    };
    column.dictionary.present().iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::{Hierarchy, Level};
    use crate::table::Dictionary;

    fn column(values: &[&str], missing: Option<&str>, levels: &[&[&str]], weight: f64) -> QuasiColumn {
        let dictionary = Dictionary::new(values.iter().map(|&value| value.to_owned()), missing, false);
        let mut all = vec![Level::of_values(dictionary.values())];
        all.extend(levels.iter().map(|labels| Level::from_labels(labels.iter().copied())));
        all.push(Level::root(dictionary.len()));
        let ordered = dictionary.column_type().is_ordered();
        let max_level = all.len() as u8 - 1;
        QuasiColumn {
            name: "q".to_owned(),
            counts: vec![1; dictionary.len()],
            hierarchy: Hierarchy::new(all),
            dictionary: dictionary.into(),
            weight,
            min_level: 0,
            max_level,
            ordered,
            round_ends: std::sync::OnceLock::new(),
        }
    }

    #[test]
    fn numbers_are_as_far_apart_as_they_are_and_missing_ones_as_far_as_can_be() {
        let axis = Axis::new(&column(&["20", "25", "60"], Some("?"), &[], 1.0), 0.5);
        assert_eq!([axis.distance(0, 1), axis.distance(2, 0), axis.distance(1, 1)], [0.0625, 0.5, 0.0]);
        assert_eq!([axis.distance(3, 0), axis.distance(1, 3), axis.distance(3, 3)], [0.5, 0.5, 0.0]);
        let constant = Axis::new(&column(&["7"], None, &[], 1.0), 1.0);
        assert_eq!(constant.distance(0, 0), 0.0, "0/0 is 0");
    }

    #[test]
    fn other_values_are_as_far_apart_as_the_steps_until_they_meet() {
        // a and c meet at level 1, b only at the root.
        let axis = Axis::new(&column(&["a", "b", "c"], None, &[&["x", "y", "x"]], 1.0), 1.0);
        let distance = |a: usize, b: usize| axis.distance(axis.rank_of[a], axis.rank_of[b]);
        assert_eq!([distance(0, 2), distance(0, 1), distance(1, 2), distance(1, 1)], [0.5, 1.0, 1.0, 0.0]);
        assert_eq!(axis.rank_of[0].abs_diff(axis.rank_of[2]), 1, "what meets early stands together");
    }

    #[test]
    fn distances_only_grow_along_an_axis() {
        let labels: [&[&str]; 2] = [&["x", "y", "x", "y", "z", "z"], &["m", "n", "m", "n", "m", "m"]];
        let axis = Axis::new(&column(&["a", "b", "c", "d", "e", "f"], None, &labels, 1.0), 1.0);
        for from in 0..6u32 {
            let up: Vec<f64> = (from..6).map(|to| axis.distance(from, to)).collect();
            let down: Vec<f64> = (0..=from).rev().map(|to| axis.distance(from, to)).collect();
            assert!(up.is_sorted() && down.is_sorted(), "{from}: {up:?} {down:?}");
        }
    }
}

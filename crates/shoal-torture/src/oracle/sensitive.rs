//! Which sensitive values does each row have, a generalized one spread over what it stands for?

use std::collections::{BTreeMap, BTreeSet};

use crate::decimal;
use crate::levels::Levels;
use crate::policy::{Column, Meaning};
use crate::requirement::Weights;

/// A sensitive column as an oracle sees it: every row in equal parts, each part a leaf.
#[derive(Debug, Clone)]
pub struct SensitiveCells {
    /// The leaves, in the order of their meaning; a missing value comes last.
    pub values: Vec<String>,
    /// For each row the leaves it may stand for, with parts; all rows have equally many.
    pub rows: Vec<Vec<(usize, i128)>>,
    /// The texts of the rows as they are.
    pub texts: Vec<String>,
    /// The labels of each leaf from itself to the root, where there is a hierarchy.
    pub paths: Option<Vec<Vec<String>>>,
    /// The number that each leaf stands for.
    pub numbers: Vec<Option<i128>>,
}

impl SensitiveCells {
    /// These cells of a column that may have `possible` values: those of the input, and those that have a weight. A text that
    /// is no value but a label above some stands for those of them that are possible, by weight.
    pub fn new(
        column: &Column,
        cells: &[String],
        possible: &BTreeSet<String>,
        levels: Option<&Levels>,
        missing: &str,
        weights: Option<&Weights>,
    ) -> Option<Self> {
        let mut values: Vec<String> = possible.iter().cloned().collect();
        let number = |value: &String| if value == missing { None } else { decimal::parse(value) };
        let is_number = column.meaning == Meaning::Number;
        values.sort_by_key(|value| {
            (value == missing, if is_number { number(value).unwrap_or(0) } else { 0 }, value.clone())
        });
        let place: BTreeMap<&str, usize> =
            values.iter().enumerate().map(|(place, value)| (value.as_str(), place)).collect();
        let weight = |value: &str| -> i128 {
            match weights {
                None => 1,
                Some(Weights::Released) => cells.iter().filter(|cell| *cell == value).count() as i128,
                Some(Weights::ByValue(weights)) => {
                    let named = weights.iter().find(|(known, _)| known == value);
                    named.map_or(1000, |(_, weight)| weight.0.into())
                }
            }
        };
        let mut spread: BTreeMap<&str, Vec<(usize, i128)>> = BTreeMap::new();
        for cell in cells {
            if spread.contains_key(cell.as_str()) {
                continue;
            }
            let parts = match place.get(cell.as_str()) {
                Some(&place) => vec![(place, 1)],
                None => {
                    let below = |value: &&String| {
                        levels.and_then(|levels| levels.path(value)).is_some_and(|path| path[1..].contains(cell))
                    };
                    let below: Vec<&String> = values.iter().filter(below).collect();
                    // Nothing below it is shown, or thought possible: then it may be any of that.
                    let is_even = below.iter().all(|value| weight(value) == 0);
                    let weight = |value: &str| if is_even { 1 } else { weight(value) };
                    below.iter().map(|value| (place[value.as_str()], weight(value))).collect()
                }
            };
            if parts.is_empty() {
                return None;
            }
            spread.insert(cell, parts);
        }
        let mut scale = 1;
        for parts in spread.values() {
            scale = lcm(scale, parts.iter().map(|part| part.1).sum())?;
        }
        for parts in spread.values_mut() {
            let total: i128 = parts.iter().map(|part| part.1).sum();
            parts.iter_mut().for_each(|part| part.1 *= scale / total);
        }
        let rows = cells.iter().map(|cell| spread[cell.as_str()].clone()).collect();
        let paths: Option<Option<Vec<Vec<String>>>> =
            levels.map(|levels| values.iter().map(|value| levels.path(value).map(<[_]>::to_vec)).collect());
        let paths = match paths {
            None => None,
            Some(None) => return None,
            Some(Some(paths)) => Some(paths),
        };
        let numbers = values.iter().map(number).collect();
        Some(Self { rows, texts: cells.to_vec(), paths, numbers, values })
    }

    /// The parts of each leaf among these rows.
    pub fn counts(&self, rows: &[usize]) -> Vec<i128> {
        let mut counts = vec![0; self.values.len()];
        for &row in rows {
            for &(leaf, parts) in &self.rows[row] {
                counts[leaf] += parts;
            }
        }
        counts
    }
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b).filter(|&scale| scale < 1 << 40)
}

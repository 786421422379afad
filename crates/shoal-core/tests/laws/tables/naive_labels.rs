//! Which values does the text of a label cover, and what has a release lost whose classes have labels of their own?

use std::collections::BTreeMap;

use super::{Plan, Quasi};

/// The leaves that a label covers, told from its text: a value, a range, a set, or a label of the hierarchy.
pub fn covered<'a>(quasi: &'a Quasi, label: &str) -> Vec<&'a str> {
    let leaves = || quasi.paths.iter().map(|path| path[0].as_str());
    if leaves().any(|leaf| leaf == label) {
        return leaves().filter(|leaf| *leaf == label).collect();
    }
    if let Some(set) = label.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let members: Vec<&str> = set.split(", ").collect();
        return leaves().filter(|leaf| members.contains(leaf)).collect();
    }
    if let Some((first, last)) = label.strip_prefix('[').and_then(|rest| rest.split_once(", ")) {
        let number = |text: &str| text.parse::<f64>().expect("ranges are of numbers");
        return match last.strip_suffix(')') {
            Some(end) => leaves().filter(|leaf| (number(first)..number(end)).contains(&number(leaf))).collect(),
            None => {
                let last = number(last.strip_suffix(']').expect("a range has two ends"));
                leaves().filter(|leaf| (number(first)..=last).contains(&number(leaf))).collect()
            }
        };
    }
    quasi.paths.iter().filter(|path| path.iter().any(|known| known == label)).map(|path| path[0].as_str()).collect()
}

/// The level of a label: its own, or that of the lowest node that covers a range or a set.
fn level(quasi: &Quasi, label: &str) -> usize {
    let own = (0..=quasi.height()).find(|&level| quasi.paths.iter().any(|path| path[level] == label));
    own.unwrap_or_else(|| lowest_level(quasi, &covered(quasi, label)))
}

/// The level of the lowest node that covers these leaves.
fn lowest_level(quasi: &Quasi, leaves: &[&str]) -> usize {
    let path = |leaf: &&str| quasi.path(leaf);
    (0..=quasi.height())
        .find(|&level| leaves.iter().map(path).all(|path| path[level] == quasi.path(leaves[0])[level]))
        .expect("the root covers everything")
}

/// A release: the labels and rows of each class, and the rows that are suppressed.
#[derive(Debug)]
pub struct LabelledRelease<'a> {
    pub plan: &'a Plan,
    pub classes: Vec<(Vec<String>, Vec<usize>)>,
    pub suppressed: Vec<usize>,
}

impl LabelledRelease<'_> {
    /// What is lost; undefined where the objective needs one level for all rows.
    pub fn value(&self, objective: &str) -> f64 {
        let (rows, suppressed) = (self.plan.rows.len() as f64, self.suppressed.len() as f64);
        let columns = self.plan.quasi.len();
        match objective {
            "height" => f64::NAN,
            "average-class-size" => (rows - suppressed) / self.classes.len() as f64,
            "discernibility" => {
                let squares: f64 = self.classes.iter().map(|(_, rows)| (rows.len() as f64).powi(2)).sum();
                squares + suppressed * rows
            }
            "precision" => self.weighted_mean(|column| {
                let quasi = &self.plan.quasi[column];
                let of_class = |(labels, rows): &(Vec<String>, Vec<usize>)| level(quasi, &labels[column]) * rows.len();
                let levels: usize = self.classes.iter().map(of_class).sum();
                (levels as f64 / quasi.height() as f64 + suppressed) / rows
            }),
            "loss" => {
                let factor = |column: usize| {
                    let domain = self.plan.quasi[column].paths.len() as f64;
                    let x = self.sum(column, |leaves| leaves.len() as f64 / domain) + suppressed;
                    let y = ((x - rows / domain) / (rows - rows / domain)).max(0.0);
                    (y * self.plan.quasi[column].weight + 1.0).powf(1.0 / columns as f64)
                };
                (0..columns).map(factor).product::<f64>() - 1.0
            }
            "non-uniform-entropy" => self.weighted_mean(|column| self.bits(column)) * columns as f64,
            "information" => {
                let of_sensitive: f64 = self.plan.sensitive.iter().map(|sensitive| sensitive.weight).sum();
                let quasi = self.plan.quasi.iter().enumerate();
                let kept: f64 = quasi
                    .map(|(column, quasi)| quasi.weight * self.sum(column, |leaves| 1.0 / leaves.len() as f64))
                    .sum();
                let weight = self.plan.quasi.iter().map(|quasi| quasi.weight).sum::<f64>() + of_sensitive;
                let original = rows * weight;
                if original == 0.0 { 0.0 } else { 1.0 - (kept + of_sensitive * (rows - suppressed)) / original }
            }
            other => panic!("no naive version of {other}: write one"),
        }
    }

    /// The sum over released rows of a number for the leaves that their label covers.
    fn sum(&self, column: usize, number: impl Fn(&[&str]) -> f64) -> f64 {
        let of_class = |(labels, rows): &(Vec<String>, Vec<usize>)| {
            number(&covered(&self.plan.quasi[column], &labels[column])) * rows.len() as f64
        };
        self.classes.iter().map(of_class).sum()
    }

    fn bits(&self, column: usize) -> f64 {
        let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
        self.plan.rows.iter().for_each(|row| *counts.entry(&row[column]).or_default() += 1.0);
        let value = |row: &usize| counts[self.plan.rows[*row][column].as_str()];
        let of_class = |(labels, rows): &(Vec<String>, Vec<usize>)| {
            let leaves = covered(&self.plan.quasi[column], &labels[column]);
            let under: f64 = leaves.iter().filter_map(|leaf| counts.get(leaf)).sum();
            rows.iter().map(|row| -(value(row) / under).log2()).sum::<f64>()
        };
        let all = self.plan.rows.len() as f64;
        let of_suppressed = self.suppressed.iter().map(|row| -(value(row) / all).log2());
        self.classes.iter().map(of_class).sum::<f64>() + of_suppressed.sum::<f64>()
    }

    fn weighted_mean(&self, of_column: impl Fn(usize) -> f64) -> f64 {
        let weights: f64 = self.plan.quasi.iter().map(|quasi| quasi.weight).sum();
        let quasi = self.plan.quasi.iter().enumerate();
        let sum: f64 = quasi.map(|(column, quasi)| quasi.weight * of_column(column)).sum();
        if weights == 0.0 { 0.0 } else { sum / weights }
    }
}

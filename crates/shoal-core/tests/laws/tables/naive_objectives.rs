//! What has a release lost, summed up row by row as the objectives' definitions say?

use std::collections::BTreeMap;

use super::Plan;

/// A release at some levels: the rows of each class that is released, and the rows that are not.
#[derive(Debug)]
pub struct NaiveRelease<'a> {
    pub plan: &'a Plan,
    pub levels: &'a [u8],
    pub classes: Vec<Vec<usize>>,
    pub suppressed: Vec<usize>,
}

impl NaiveRelease<'_> {
    pub fn value(&self, objective: &str) -> f64 {
        let rows = self.plan.rows.len() as f64;
        let suppressed = self.suppressed.len() as f64;
        match objective {
            "height" => self.levels.iter().map(|&level| f64::from(level)).sum(),
            "average-class-size" => (rows - suppressed) / (self.classes.len() as f64).max(1.0),
            "discernibility" => {
                let each = |class: &Vec<usize>| class.iter().map(|_| class.len() as f64).sum::<f64>();
                self.classes.iter().map(each).sum::<f64>() + self.suppressed.iter().map(|_| rows).sum::<f64>()
            }
            "precision" => self.weighted_mean(|column| {
                let share = f64::from(self.levels[column]) / self.plan.quasi[column].height() as f64;
                (self.released().map(|_| share).sum::<f64>() + suppressed) / rows
            }),
            "loss" => {
                let columns = self.plan.quasi.len();
                let factor = |column: usize| {
                    let quasi = &self.plan.quasi[column];
                    let leaves = quasi.paths.len() as f64;
                    let x: f64 = self.released().map(|row| self.leaves(row, column) / leaves).sum::<f64>() + suppressed;
                    let y = ((x - rows / leaves) / (rows - rows / leaves)).max(0.0);
                    (y * quasi.weight + 1.0).powf(1.0 / columns as f64)
                };
                (0..columns).map(factor).product::<f64>() - 1.0
            }
            "non-uniform-entropy" => {
                let bits = self.weighted_mean(|column| self.entropy(column));
                bits * self.plan.quasi.len() as f64
            }
            "information" => {
                let of_sensitive: f64 = self.plan.sensitive.iter().map(|sensitive| sensitive.weight).sum();
                let quasi = || self.plan.quasi.iter().enumerate();
                let of_row = |row: usize| {
                    quasi().map(|(column, quasi)| quasi.weight / self.leaves(row, column)).sum::<f64>() + of_sensitive
                };
                let original = rows * (quasi().map(|(_, quasi)| quasi.weight).sum::<f64>() + of_sensitive);
                let kept: f64 = self.released().map(of_row).sum();
                if original == 0.0 { 0.0 } else { 1.0 - kept / original }
            }
            other => panic!("no naive version of {other}: write one"),
        }
    }

    fn released(&self) -> impl Iterator<Item = usize> + '_ {
        self.classes.iter().flatten().copied()
    }

    fn label(&self, row: usize, column: usize) -> &str {
        self.plan.quasi[column].label(&self.plan.rows[row][column], self.levels[column])
    }

    fn leaves(&self, row: usize, column: usize) -> f64 {
        self.plan.quasi[column].leaves_under(self.label(row, column), self.levels[column]) as f64
    }

    fn entropy(&self, column: usize) -> f64 {
        let all = 0..self.plan.rows.len();
        let value = |row: usize| self.plan.rows[row][column].as_str();
        let label = |row: usize| self.label(row, column);
        let values = occurrences(all.clone().map(value));
        let labels = occurrences(all.clone().map(label));
        let suppressed = occurrences(self.suppressed.iter().map(|&row| label(row)));
        let generalized = all.map(|row| -(values[value(row)] / labels[label(row)]).log2());
        let of_suppressed =
            self.suppressed.iter().map(|&row| -(suppressed[label(row)] / self.suppressed.len() as f64).log2());
        generalized.sum::<f64>() + of_suppressed.sum::<f64>()
    }

    fn weighted_mean(&self, of_column: impl Fn(usize) -> f64) -> f64 {
        let weights: f64 = self.plan.quasi.iter().map(|quasi| quasi.weight).sum();
        let quasi = self.plan.quasi.iter().enumerate();
        let sum: f64 = quasi.map(|(column, quasi)| quasi.weight * of_column(column)).sum();
        if weights == 0.0 { 0.0 } else { sum / weights }
    }
}

fn occurrences<'a>(texts: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, f64> {
    let mut counts = BTreeMap::new();
    texts.for_each(|text| *counts.entry(text).or_default() += 1.0);
    counts
}

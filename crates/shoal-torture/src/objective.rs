//! How much has a release with one level for each column lost, by every objective?

use std::collections::HashMap;

use crate::levels::Levels;
use crate::question::Question;

/// What all rows show for a column on one level.
pub struct NodeColumn {
    /// A number for each label, by row.
    pub codes: Vec<u32>,
    /// The leaves under the label of each row.
    leaves: Vec<u64>,
    domain: u64,
    height: usize,
    /// The bits that a row has lost: -log2(rows with its value / rows with its label).
    bits: Vec<f64>,
}

impl NodeColumn {
    pub fn new(levels: &Levels, cells: &[String], level: usize) -> Self {
        let (mut numbers, mut with_label, mut with_value) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut codes = Vec::with_capacity(cells.len());
        for cell in cells {
            let label = levels.label(cell, level);
            let next = numbers.len() as u32;
            codes.push(*numbers.entry(label).or_insert(next));
            *with_label.entry(label).or_insert(0u32) += 1;
            *with_value.entry(cell).or_insert(0u32) += 1;
        }
        let bits =
            |cell: &String| -(f64::from(with_value[cell]) / f64::from(with_label[levels.label(cell, level)])).log2();
        Self {
            codes,
            leaves: cells.iter().map(|cell| levels.leaves_under(level, levels.label(cell, level))).collect(),
            domain: levels.domain(),
            height: levels.height(),
            bits: cells.iter().map(bits).collect(),
        }
    }
}

/// The value of every objective.
#[derive(Debug, Clone)]
pub struct Objectives(Vec<(&'static str, f64)>);

impl Objectives {
    pub fn get(&self, id: &str) -> f64 {
        self.0.iter().find(|(known, _)| *known == id).map_or(f64::NAN, |pair| pair.1)
    }

    pub fn all(&self) -> &[(&'static str, f64)] {
        &self.0
    }

    /// Those of a node: what its columns show, their levels, the sizes of released classes, which rows are released.
    pub fn new(
        question: &Question<'_>,
        node: &[&NodeColumn],
        levels: &[usize],
        sizes: &[usize],
        released: &[bool],
    ) -> Self {
        let rows = released.len() as f64;
        let shown: usize = sizes.iter().sum();
        let suppressed = rows - shown as f64;
        let weight = |place: usize| question.quasi[place].weight.map_or(1.0, |weight| weight.0 as f64 / 1000.0);
        let weights: Vec<f64> = (0..node.len()).map(weight).collect();
        let all_weights: f64 = weights.iter().sum();
        let weighted = |values: Vec<f64>| -> f64 {
            let sum: f64 = values.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
            if all_weights == 0.0 { 0.0 } else { sum / all_weights }
        };
        let precision = node
            .iter()
            .zip(levels)
            .map(|(column, &level)| (shown as f64 * level as f64 / column.height as f64 + suppressed) / rows);
        let bits = node.iter().map(|column| entropy(column, released));
        let squares: usize = sizes.iter().map(|size| size * size).sum();
        let loss = node.iter().zip(&weights).map(|(column, weight)| share(column, released) * weight + 1.0);
        let columns = node.len() as f64;
        Self(vec![
            ("loss", loss.product::<f64>().powf(1.0 / columns) - 1.0),
            ("height", levels.iter().sum::<usize>() as f64),
            ("average-class-size", shown as f64 / sizes.len() as f64),
            ("discernibility", squares as f64 + suppressed * rows),
            ("precision", weighted(precision.collect())),
            ("non-uniform-entropy", weighted(bits.collect()) * columns),
            ("information", information(question, node, &weights, released)),
        ])
    }
}

/// The mean share of leaves under a label, rescaled to run from 0 (nothing generalized) to 1.
fn share(column: &NodeColumn, released: &[bool]) -> f64 {
    let cell = |(row, &released): (usize, &bool)| {
        if released { column.leaves[row] as f64 / column.domain as f64 } else { 1.0 }
    };
    let sum: f64 = released.iter().enumerate().map(cell).sum();
    let rows = released.len() as f64;
    let least = rows / column.domain as f64;
    if column.domain <= 1 { 0.0 } else { ((sum - least) / (rows - least)).max(0.0) }
}

fn entropy(column: &NodeColumn, released: &[bool]) -> f64 {
    let mut with_label: HashMap<u32, u32> = HashMap::new();
    let suppressed: Vec<usize> = (0..released.len()).filter(|&row| !released[row]).collect();
    for &row in &suppressed {
        *with_label.entry(column.codes[row]).or_default() += 1;
    }
    let hidden = |row: &usize| -(f64::from(with_label[&column.codes[*row]]) / suppressed.len() as f64).log2();
    column.bits.iter().sum::<f64>() + suppressed.iter().map(hidden).sum::<f64>()
}

/// 1 - um: what is left of the information of all cells, sensitive ones included.
fn information(question: &Question<'_>, node: &[&NodeColumn], weights: &[f64], released: &[bool]) -> f64 {
    let sensitive: f64 =
        question.sensitive.iter().map(|column| column.weight.map_or(1.0, |weight| weight.0 as f64 / 1000.0)).sum();
    let all = (weights.iter().sum::<f64>() + sensitive) * released.len() as f64;
    let cells = |row: usize| -> f64 {
        node.iter().zip(weights).map(|(column, weight)| weight / column.leaves[row] as f64).sum::<f64>() + sensitive
    };
    let left: f64 = (0..released.len()).filter(|&row| released[row]).map(cells).sum();
    if all == 0.0 { 0.0 } else { 1.0 - left / all }
}

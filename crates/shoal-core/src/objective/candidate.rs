//! What do objectives need to know of a release before it is written?

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::ShownLabel;
use crate::frequency::{CountedTable, FrequencySet, TableColumns};
use crate::lattice::Node;

/// A possible release, summed up.
#[derive(Debug)]
pub struct Candidate<'a> {
    /// The columns of the table it is made from.
    pub columns: TableColumns<'a>,
    /// How many classes are released.
    pub classes: u64,
    /// The sum of their squared sizes.
    pub squares: u128,
    /// How many rows are suppressed.
    pub suppressed: u64,
    /// What its rows show.
    pub shown: Shown<'a>,
}

/// What the rows of a candidate show.
#[derive(Debug)]
pub enum Shown<'a> {
    /// Each column has one level for all rows.
    Node {
        /// The level of each column.
        node: &'a Node,
        /// For each column, the number of released rows under each node of its level.
        released: Vec<Cow<'a, [u64]>>,
        /// For each column, the number of suppressed rows under each node of its level.
        suppressed: Vec<Cow<'a, [u64]>>,
    },
    /// Each class has labels of its own.
    Labels {
        /// What the labels of each quasi-identifier come to.
        quasi: Vec<LabelSums>,
        /// What the labels of each sensitive column come to.
        sensitive: Vec<LabelSums>,
    },
}

/// What the labels of a column come to, over all released rows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LabelSums {
    /// The number of leaves under each label.
    pub covered_leaves: u128,
    /// One over the number of leaves under each label.
    pub information: f64,
    /// The level of the lowest node that covers each label.
    pub levels: f64,
    /// -log2 of the share of the row's value among all rows of the table that the label would cover.
    pub bits: f64,
}

impl LabelSums {
    /// What released rows show, by what there is to know of each label: how many show it. `values` are the rows of the table
    /// with each value; a suppressed row shows the root.
    ///
    /// Each row lacks the bits that tell its value from the others under its label; which row has which label does not
    /// matter for their sum. Equal labels are added up first, and in one order: whoever knows what a release shows comes to
    /// the same sums, to the last digit.
    pub fn of_labels(
        shown: impl IntoIterator<Item = (ShownLabel, u64)>,
        values: impl IntoIterator<Item = u64>,
        suppressed: u64,
    ) -> Self {
        let mut rows_by_label: BTreeMap<ShownLabel, u64> = BTreeMap::new();
        shown.into_iter().for_each(|(label, rows)| *rows_by_label.entry(label).or_default() += rows);
        let (mut rows, mut of_values) = (0, 0.0);
        for value_rows in values {
            rows += value_rows;
            of_values += n_log_n(value_rows);
        }
        let log = |rows: u64| (rows.max(1) as f64).log2();
        let mut sums = Self { bits: suppressed as f64 * log(rows), ..Self::default() };
        for (label, rows) in rows_by_label {
            sums.covered_leaves += u128::from(label.leaves) * u128::from(rows);
            sums.information += rows as f64 / label.leaves.max(1) as f64;
            sums.levels += rows as f64 * f64::from(label.level);
            sums.bits += rows as f64 * log(label.rows);
        }
        sums.bits = (sums.bits - of_values).max(0.0);
        sums
    }
}

impl<'a> Candidate<'a> {
    /// The candidate that releases the accepted classes of `set`, the frequency set at `node`.
    pub fn new(table: &'a CountedTable, node: &'a Node, set: &FrequencySet, accepted: &[bool]) -> Self {
        let nodes = |column: usize| table.quasi[column].hierarchy.level(usize::from(node.levels()[column])).len();
        let mut released: Vec<Vec<u64>> = (0..table.quasi.len()).map(|column| vec![0; nodes(column)]).collect();
        let mut not_released = released.clone();
        let (mut classes, mut squares, mut suppressed) = (0, 0, 0);
        for (class, &size) in set.sizes().iter().enumerate() {
            let histograms = if accepted[class] {
                classes += 1;
                squares += u128::from(size) * u128::from(size);
                &mut released
            } else {
                suppressed += size;
                &mut not_released
            };
            for (column, histogram) in histograms.iter_mut().enumerate() {
                histogram[set.code(class, column) as usize] += size;
            }
        }
        let owned = |histograms: Vec<Vec<u64>>| histograms.into_iter().map(Cow::Owned).collect();
        let shown = Shown::Node { node, released: owned(released), suppressed: owned(not_released) };
        Self { columns: table.columns(), classes, squares, suppressed, shown }
    }

    /// How many rows the table has.
    pub fn rows(&self) -> u64 {
        self.columns.rows
    }

    /// How many rows are released.
    pub fn released(&self) -> u64 {
        self.rows() - self.suppressed
    }

    /// The level of each column, where it is one for all rows.
    pub fn node(&self) -> Option<&Node> {
        match &self.shown {
            Shown::Node { node, .. } => Some(node),
            Shown::Labels { .. } => None,
        }
    }

    /// The sum over released rows of the number of leaves under their label in a column.
    pub fn covered_leaves(&self, column: usize) -> u128 {
        match &self.shown {
            Shown::Labels { quasi, .. } => quasi[column].covered_leaves,
            Shown::Node { node, released, .. } => {
                let level = self.columns.quasi[column].hierarchy.level(usize::from(node.levels()[column]));
                let leaves =
                    |(node, &rows): (usize, &u64)| u128::from(rows) * u128::from(level.leaves_under(node as u32));
                released[column].iter().enumerate().map(leaves).sum()
            }
        }
    }

    /// The sum over released rows of one over the number of leaves under their label in a column.
    pub fn information(&self, column: usize) -> f64 {
        match &self.shown {
            Shown::Labels { quasi, .. } => quasi[column].information,
            Shown::Node { node, released, .. } => {
                let level = self.columns.quasi[column].hierarchy.level(usize::from(node.levels()[column]));
                let kept = |(node, &rows): (usize, &u64)| rows as f64 / level.leaves_under(node as u32).max(1) as f64;
                released[column].iter().enumerate().map(kept).sum()
            }
        }
    }

    /// The same of a sensitive column: a row whose value is shown as it is keeps all of it.
    pub fn sensitive_information(&self, column: usize) -> f64 {
        match &self.shown {
            Shown::Labels { sensitive, .. } => sensitive[column].information,
            Shown::Node { .. } => self.released() as f64,
        }
    }

    /// The sum over released rows of the level of their label in a column.
    pub fn levels(&self, column: usize) -> f64 {
        match &self.shown {
            Shown::Labels { quasi, .. } => quasi[column].levels,
            Shown::Node { node, .. } => self.released() as f64 * f64::from(node.levels()[column]),
        }
    }

    /// How many bits of a column are left unsaid, in all rows: those of their labels, and for suppressed rows those of
    /// telling them apart.
    pub fn bits(&self, column: usize) -> f64 {
        let of_suppressed = match &self.shown {
            Shown::Labels { .. } => 0.0,
            Shown::Node { suppressed, .. } => {
                let of_labels: f64 = suppressed[column].iter().map(|&rows| n_log_n(rows)).sum();
                (n_log_n(self.suppressed) - of_labels).max(0.0)
            }
        };
        self.generalized_bits(column) + of_suppressed
    }

    /// The bits of labels alone. Where classes have labels of their own, a suppressed row shows the root.
    pub fn generalized_bits(&self, column: usize) -> f64 {
        match &self.shown {
            Shown::Labels { quasi, .. } => quasi[column].bits,
            Shown::Node { released, suppressed, .. } => {
                let label_rows = released[column].iter().zip(suppressed[column].iter());
                let of_values: f64 = self.columns.quasi[column].counts.iter().map(|&rows| n_log_n(rows)).sum();
                let of_labels: f64 = label_rows.map(|(released, suppressed)| n_log_n(released + suppressed)).sum();
                (of_labels - of_values).max(0.0)
            }
        }
    }

    /// The mean of a number for each quasi-identifier, by weight; 0 if none has a weight.
    pub fn weighted_mean(&self, numbers: &mut dyn Iterator<Item = f64>) -> f64 {
        let weighted = self.columns.quasi.iter().zip(numbers);
        let (sum, weights) = weighted
            .fold((0.0, 0.0), |(sum, weights), (quasi, number)| (sum + quasi.weight * number, weights + quasi.weight));
        if weights > 0.0 { sum / weights } else { 0.0 }
    }
}

fn n_log_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).log2() }
}

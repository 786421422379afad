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

/// For each node, the candidate if no row had to be suppressed and as many classes as possible came out.
#[derive(Debug)]
pub struct IdealCandidates<'a> {
    table: &'a CountedTable,
    /// `[column][level]`: the number of rows under each node.
    rows_by_node: Vec<Vec<Vec<u64>>>,
    nothing: Vec<Vec<Vec<u64>>>,
}

impl<'a> IdealCandidates<'a> {
    /// Sums up the rows under every node of every hierarchy.
    pub fn new(table: &'a CountedTable) -> Self {
        let sums = |quasi: &crate::frequency::QuasiColumn| -> Vec<Vec<u64>> {
            let of_level = |level: &crate::hierarchy::Level| {
                let mut rows = vec![0; level.len()];
                let leaves = quasi.counts.iter().enumerate();
                leaves.for_each(|(code, count)| rows[level.node_of(code as u32) as usize] += count);
                rows
            };
            quasi.hierarchy.levels().iter().map(of_level).collect()
        };
        let rows_by_node: Vec<Vec<Vec<u64>>> = table.quasi.iter().map(sums).collect();
        let mut nothing = rows_by_node.clone();
        nothing.iter_mut().flatten().for_each(|rows| rows.fill(0));
        Self { table, rows_by_node, nothing }
    }

    /// The ideal candidate at a node.
    pub fn at<'b>(&'b self, node: &'b Node) -> Candidate<'b> {
        let released = histograms(&self.rows_by_node, node);
        let occurring = |rows: &Cow<'_, [u64]>| rows.iter().filter(|&&rows| rows > 0).count() as u64;
        let combinations = released.iter().map(occurring).fold(1, u64::saturating_mul);
        let classes = combinations.min(self.table.base.classes() as u64);
        let shown = Shown::Node { node, released, suppressed: histograms(&self.nothing, node) };
        Candidate { classes, squares: fewest_squares(self.table.rows, classes), shown, ..self.bare(node) }
    }

    /// The ideal candidate with so many rows suppressed, in each column those whose labels cover most leaves. The columns
    /// need not agree on which rows those are, so this may be no release at all: it loses less than any.
    pub fn with_suppressed<'b>(&'b self, node: &'b Node, suppressed: u64) -> Candidate<'b> {
        let mut candidate = self.at(node);
        candidate.suppressed = suppressed;
        candidate.squares = fewest_squares(self.table.rows - suppressed, candidate.classes);
        let Shown::Node { released, suppressed: gone, .. } = &mut candidate.shown else { return candidate };
        for (column, quasi) in self.table.quasi.iter().enumerate() {
            let level = quasi.hierarchy.level(usize::from(node.levels()[column]));
            let (released, gone) = (released[column].to_mut(), gone[column].to_mut());
            let mut widest_first: Vec<u32> = (0..level.len() as u32).collect();
            widest_first.sort_by_key(|&node| std::cmp::Reverse(level.leaves_under(node)));
            let mut left = suppressed;
            for node in widest_first {
                let take = left.min(released[node as usize]);
                released[node as usize] -= take;
                gone[node as usize] += take;
                left -= take;
            }
        }
        candidate
    }

    /// The candidate that releases the accepted classes of `set`, the frequency set at `node`.
    ///
    /// The rows under each label are known for the whole table, so it is enough to count those of the released or of
    /// the suppressed classes, whichever are fewer.
    pub fn of<'b>(&'b self, node: &'b Node, set: &FrequencySet, accepted: &[bool]) -> Candidate<'b> {
        let mut candidate = self.bare(node);
        for (&size, &accepted) in set.sizes().iter().zip(accepted) {
            if accepted {
                candidate.classes += 1;
                candidate.squares += u128::from(size) * u128::from(size);
            } else {
                candidate.suppressed += size;
            }
        }
        let fewer_released = candidate.classes * 2 < set.classes() as u64;
        let all = histograms(&self.rows_by_node, node);
        let counted: Vec<Cow<'b, [u64]>> =
            (0..all.len()).map(|column| count_rows(set, column, all[column].len(), accepted, fewer_released)).collect();
        let others = all.iter().zip(&counted).map(|(all, counted)| difference(all, counted)).collect();
        let (released, suppressed) = if fewer_released { (counted, others) } else { (others, counted) };
        Candidate { shown: Shown::Node { node, released, suppressed }, ..candidate }
    }

    /// A candidate of which nothing is known but the node.
    pub(super) fn bare<'b>(&'b self, node: &'b Node) -> Candidate<'b> {
        Candidate {
            columns: self.table.columns(),
            classes: 0,
            squares: 0,
            suppressed: 0,
            shown: Shown::Node { node, released: Vec::new(), suppressed: Vec::new() },
        }
    }
}

/// The rows under each label of a column, in the classes that are accepted or in those that are not.
fn count_rows<'b>(set: &FrequencySet, column: usize, labels: usize, accepted: &[bool], which: bool) -> Cow<'b, [u64]> {
    let mut rows = vec![0; labels];
    for (class, (&size, &accepted)) in set.sizes().iter().zip(accepted).enumerate() {
        if accepted == which {
            rows[set.code(class, column) as usize] += size;
        }
    }
    Cow::Owned(rows)
}

fn difference<'b>(all: &[u64], part: &[u64]) -> Cow<'b, [u64]> {
    all.iter().zip(part).map(|(all, part)| all - part).collect()
}

fn histograms<'b>(rows: &'b [Vec<Vec<u64>>], node: &Node) -> Vec<Cow<'b, [u64]>> {
    let columns = rows.iter().zip(node.levels());
    columns.map(|(levels, &level)| Cow::Borrowed(levels[usize::from(level)].as_slice())).collect()
}

fn n_log_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).log2() }
}

/// Squares of sizes with a given sum are smallest when all sizes are equal.
fn fewest_squares(rows: u64, classes: u64) -> u128 {
    u128::from(rows).pow(2) / u128::from(classes.max(1))
}

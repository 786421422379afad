//! What do objectives need to know of a release before it is written?

use std::borrow::Cow;

use crate::frequency::{CountedTable, FrequencySet};
use crate::lattice::Node;

/// A possible release: a node and which of its classes would be suppressed, summed up.
#[derive(Debug)]
pub struct Candidate<'a> {
    /// The table it is made from.
    pub table: &'a CountedTable,
    /// The level of each column.
    pub node: &'a Node,
    /// How many classes are released.
    pub classes: u64,
    /// The sum of their squared sizes.
    pub squares: u128,
    /// How many rows are suppressed.
    pub suppressed: u64,
    /// For each column, the number of released rows under each node of its level.
    pub released_by_node: Vec<Cow<'a, [u64]>>,
    /// For each column, the number of suppressed rows under each node of its level.
    pub suppressed_by_node: Vec<Cow<'a, [u64]>>,
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
        Self {
            table,
            node,
            classes,
            squares,
            suppressed,
            released_by_node: released.into_iter().map(Cow::Owned).collect(),
            suppressed_by_node: not_released.into_iter().map(Cow::Owned).collect(),
        }
    }

    /// How many rows the table has.
    pub fn rows(&self) -> u64 {
        self.table.rows
    }

    /// How many rows are released.
    pub fn released(&self) -> u64 {
        self.rows() - self.suppressed
    }

    /// The sum over released rows of the number of leaves under their label in a column.
    pub fn covered_leaves(&self, column: usize) -> u128 {
        let level = self.table.quasi[column].hierarchy.level(usize::from(self.node.levels()[column]));
        let leaves = |(node, &rows): (usize, &u64)| u128::from(rows) * u128::from(level.leaves_under(node as u32));
        self.released_by_node[column].iter().enumerate().map(leaves).sum()
    }

    /// The mean of a number for each quasi-identifier, by weight; 0 if none has a weight.
    pub fn weighted_mean(&self, numbers: &mut dyn Iterator<Item = f64>) -> f64 {
        let weighted = self.table.quasi.iter().zip(numbers);
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
        let released_by_node = histograms(&self.rows_by_node, node);
        let occurring = |rows: &Cow<'_, [u64]>| rows.iter().filter(|&&rows| rows > 0).count() as u64;
        let combinations = released_by_node.iter().map(occurring).fold(1, u64::saturating_mul);
        let classes = combinations.min(self.table.base.classes() as u64);
        Candidate {
            classes,
            squares: fewest_squares(self.table.rows, classes),
            released_by_node,
            suppressed_by_node: histograms(&self.nothing, node),
            ..self.bare(node)
        }
    }

    /// The ideal candidate with so many rows suppressed, in each column those whose labels cover most leaves. The columns
    /// need not agree on which rows those are, so this may be no release at all: it loses less than any.
    pub fn with_suppressed<'b>(&'b self, node: &'b Node, suppressed: u64) -> Candidate<'b> {
        let mut candidate = self.at(node);
        candidate.suppressed = suppressed;
        candidate.squares = fewest_squares(self.table.rows - suppressed, candidate.classes);
        for (column, quasi) in self.table.quasi.iter().enumerate() {
            let level = quasi.hierarchy.level(usize::from(node.levels()[column]));
            let released = candidate.released_by_node[column].to_mut();
            let gone = candidate.suppressed_by_node[column].to_mut();
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
        (candidate.released_by_node, candidate.suppressed_by_node) =
            if fewer_released { (counted, others) } else { (others, counted) };
        candidate
    }

    /// A candidate of which nothing is known but the node.
    pub(super) fn bare<'b>(&'b self, node: &'b Node) -> Candidate<'b> {
        Candidate {
            table: self.table,
            node,
            classes: 0,
            squares: 0,
            suppressed: 0,
            released_by_node: Vec::new(),
            suppressed_by_node: Vec::new(),
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

/// Squares of sizes with a given sum are smallest when all sizes are equal.
fn fewest_squares(rows: u64, classes: u64) -> u128 {
    u128::from(rows).pow(2) / u128::from(classes.max(1))
}

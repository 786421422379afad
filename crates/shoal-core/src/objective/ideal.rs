//! What would a release at a node have lost at least, and what has it lost once it is known which classes are released?

use std::borrow::Cow;

use super::{Candidate, Shown};
use crate::frequency::{CountedTable, Summary};
use crate::lattice::Node;

/// For each node, the candidate if no row had to be suppressed and as many classes as possible came out.
#[derive(Debug)]
pub struct IdealCandidates<'a> {
    table: &'a CountedTable,
    /// `[column][level]`: the number of rows under each node.
    rows_by_node: Vec<Vec<Vec<u64>>>,
    nothing: Vec<Vec<Vec<u64>>>,
    /// `[column][level]`: the nodes, those that cover most leaves first.
    widest_first: Vec<Vec<Vec<u32>>>,
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
        let widest_first = |level: &crate::hierarchy::Level| {
            let mut nodes: Vec<u32> = (0..level.len() as u32).collect();
            nodes.sort_by_key(|&node| std::cmp::Reverse(level.leaves_under(node)));
            nodes
        };
        let of_column =
            |quasi: &crate::frequency::QuasiColumn| quasi.hierarchy.levels().iter().map(widest_first).collect();
        let widest_first = table.quasi.iter().map(of_column).collect();
        Self { table, rows_by_node, nothing, widest_first }
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
        for (column, &level) in node.levels().iter().enumerate() {
            let (released, gone) = (released[column].to_mut(), gone[column].to_mut());
            let mut left = suppressed;
            for &node in &self.widest_first[column][usize::from(level)] {
                if left == 0 {
                    break;
                }
                let take = left.min(released[node as usize]);
                released[node as usize] -= take;
                gone[node as usize] += take;
                left -= take;
            }
        }
        candidate
    }

    /// How many rows the table has.
    pub(super) fn rows(&self) -> u64 {
        self.table.rows
    }

    /// The candidate that releases the accepted classes of a node.
    ///
    /// The rows under each label are known for the whole table, so it is enough to count those of the released or of
    /// the suppressed classes, whichever are fewer.
    pub fn of<'b>(&'b self, set: &'b Summary, accepted: &[bool]) -> Candidate<'b> {
        let candidate = self.without_labels(set, accepted);
        let fewer_released = candidate.classes * 2 < set.classes() as u64;
        let all = histograms(&self.rows_by_node, set.node());
        let counted = set.rows_by_label(|class| accepted[class] == fewer_released);
        let others = all.iter().zip(&counted).map(|(all, counted)| difference(all, counted)).collect();
        // Labels that do not occur have no rows.
        let padded = |(mut rows, all): (Vec<u64>, &Cow<'_, [u64]>)| {
            rows.resize(all.len(), 0);
            Cow::Owned(rows)
        };
        let counted = counted.into_iter().zip(&all).map(padded).collect();
        let (released, suppressed) = if fewer_released { (counted, others) } else { (others, counted) };
        Candidate { shown: Shown::Node { node: set.node(), released, suppressed }, ..candidate }
    }

    /// The same for an objective that does not look at labels.
    pub fn without_labels<'b>(&'b self, set: &'b Summary, accepted: &[bool]) -> Candidate<'b> {
        let mut candidate = self.bare(set.node());
        candidate.squares = squares(set.sizes(), self.table.rows);
        candidate.classes = set.classes() as u64;
        for (&size, _) in set.sizes().iter().zip(accepted).filter(|(_, accepted)| !**accepted) {
            candidate.classes -= 1;
            candidate.squares -= u128::from(size) * u128::from(size);
            candidate.suppressed += size;
        }
        candidate
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

/// The rows under each label that are not among these; those of labels beyond the end of `part` are all among the others.
fn difference<'b>(all: &[u64], part: &[u64]) -> Cow<'b, [u64]> {
    let part = part.iter().chain(std::iter::repeat(&0));
    all.iter().zip(part).map(|(all, part)| all - part).collect()
}

/// The sum of the squares of sizes that add up to `rows`, or less.
pub(super) fn squares(sizes: &[u64], rows: u64) -> u128 {
    // The sum of squares is at most the square of the sum.
    if rows <= u32::MAX.into() {
        return sizes.iter().map(|size| size * size).sum::<u64>().into();
    }
    sizes.iter().map(|&size| u128::from(size) * u128::from(size)).sum()
}

fn histograms<'b>(rows: &'b [Vec<Vec<u64>>], node: &Node) -> Vec<Cow<'b, [u64]>> {
    let columns = rows.iter().zip(node.levels());
    columns.map(|(levels, &level)| Cow::Borrowed(levels[usize::from(level)].as_slice())).collect()
}

/// Squares of sizes with a given sum are smallest when all sizes are equal.
fn fewest_squares(rows: u64, classes: u64) -> u128 {
    u128::from(rows).pow(2) / u128::from(classes.max(1))
}

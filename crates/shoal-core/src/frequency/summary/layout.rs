//! How do the codes of all columns at a node fit into a key, and how does a key at one node become that at another?
//!
//! Columns that stand side by side and have few values are one *group*: their codes together are one number, with no gaps, and a
//! table takes that number from a node to another. So a key is read in two or three steps, not in nine, and it takes fewer
//! bits the higher its node stands.

use std::ops::Range;

use super::super::key::Field;
use super::super::{Generalization, KeyLayout};
use crate::lattice::Node;

/// Columns are one group as long as a table of all their codes stays in the processor's nearest cache.
const GROUP_BITS: u32 = 11;

/// The groups of the columns of a table, and how many codes each column has on each level.
#[derive(Debug)]
pub(super) struct Groups {
    columns: Vec<Range<usize>>,
    /// `[column][level]`: as many as occur. Nodes are numbered in the order of their leaves, and those that occur come first.
    sizes: Vec<Vec<u32>>,
    /// Where each column stands in a key of the table as it is counted.
    base: Vec<Field>,
}

/// Where each group stands in a key at a node.
#[derive(Debug)]
pub(super) struct NodeLayout {
    pub(super) fields: Vec<Field>,
    pub(super) words: usize,
    /// The bits of a key of one word.
    pub(super) bits: u32,
}

/// What becomes of a part of a key: the code of a group, or of several that stand side by side.
#[derive(Debug)]
pub(super) struct Step<'t> {
    pub(super) from: Field,
    /// The word of the new key that it goes to.
    pub(super) word: usize,
    pub(super) change: Change<'t>,
}

/// How an old code becomes a part of the new key.
#[derive(Debug)]
pub(super) enum Change<'t> {
    /// It stays, and is shifted to its place.
    Stays(u32),
    /// By a table that is there already; the new code is shifted to its place.
    Known(&'t [u32], u32),
    /// By a table that was made for this look, of new codes at their places.
    Made(Vec<u64>),
}

/// Steps are joined as long as their table stays in the processor's nearest cache.
const JOINT_BITS: u32 = 11;

impl Step<'_> {
    /// A table of as many entries as there are old codes, those included that do not occur.
    fn into_table(self) -> Vec<u64> {
        let codes = self.from.mask as usize + 1;
        let mut table = match self.change {
            Change::Stays(shift) => (0..codes as u64).map(|code| code << shift).collect(),
            Change::Known(table, shift) => table.iter().take(codes).map(|&code| u64::from(code) << shift).collect(),
            Change::Made(table) => table,
        };
        table.resize(codes, 0);
        table
    }
}

/// Makes one step of several that stand side by side, where reading `classes` keys once less takes longer than making the table.
pub(super) fn joined<'t>(steps: impl Iterator<Item = Step<'t>>, classes: usize) -> Vec<Step<'t>> {
    let mut joined: Vec<Step<'t>> = Vec::new();
    for step in steps {
        let bits_with = |last: &Step<'_>| step.from.shift + step.from.bits() - last.from.shift;
        let fits = |last: &mut Step<'_>| {
            let is_beside = last.from.word == step.from.word && last.word == step.word;
            is_beside && bits_with(last) <= JOINT_BITS && 1 << bits_with(last) <= classes
        };
        let Some(last) = joined.pop_if(fits) else {
            joined.push(step);
            continue;
        };
        let from = Field { mask: (1 << bits_with(&last)) - 1, ..last.from };
        // Between the two may be bits of a group that says nothing at the new node.
        let (word, gap) = (last.word, step.from.shift - last.from.shift - last.from.bits());
        let (low, high) = (last.into_table(), step.into_table());
        let mut table = Vec::with_capacity(from.mask as usize + 1);
        for sum in high {
            (0..1 << gap).for_each(|_| table.extend(low.iter().map(|part| part + sum)));
        }
        joined.push(Step { from, word, change: Change::Made(table) });
    }
    joined
}

impl Groups {
    /// The groups of columns with this many distinct codes each.
    pub(super) fn new(layout: &KeyLayout, domains: &[usize], generalization: &Generalization) -> Self {
        let base = layout.fields().to_vec();
        let mut columns: Vec<Range<usize>> = Vec::new();
        let mut bits = 0;
        for (column, field) in base.iter().enumerate() {
            match columns.last_mut() {
                Some(group) if bits + field.bits() <= GROUP_BITS && base[group.start].word == field.word => {
                    group.end = column + 1
                }
                _ => {
                    columns.push(column..column + 1);
                    bits = 0;
                }
            }
            bits += field.bits();
        }
        let occurring = |column: usize| {
            let of_level = |level: usize| {
                let nodes = &generalization.table(column, 0, level as u8)[..domains[column]];
                nodes.iter().max().map_or(1, |last| last + 1)
            };
            (0..generalization.levels(column)).map(of_level).collect()
        };
        Self { columns, sizes: (0..base.len()).map(occurring).collect(), base }
    }

    /// How keys are made at a node.
    pub(super) fn layout(&self, node: &Node) -> NodeLayout {
        let bits = |group: &Range<usize>| u64::BITS - (self.codes(group, node) - 1).leading_zeros();
        let (mut word, mut shift) = (0, 0);
        let place = |group: &Range<usize>| {
            let bits = bits(group);
            if shift + bits > u64::BITS {
                (word, shift) = (word + 1, 0);
            }
            // A group of no bits at the end of a full word must not be shifted out of it.
            let field = Field { word, shift: shift.min(u64::BITS - 1), mask: (1u64 << bits) - 1 };
            shift += bits;
            field
        };
        let fields = self.columns.iter().map(place).collect();
        NodeLayout { fields, words: word + 1, bits: shift }
    }

    /// How many codes a group has at a node. No more than two to the power of its bits, 32 or fewer.
    fn codes(&self, group: &Range<usize>, node: &Node) -> u64 {
        group.clone().map(|column| u64::from(self.size(column, node))).product()
    }

    fn size(&self, column: usize, node: &Node) -> u32 {
        self.sizes[column][usize::from(node.levels()[column])]
    }

    /// The code of a column in a key at a node.
    pub(super) fn code(&self, layout: &NodeLayout, node: &Node, key: &[u64], column: usize) -> u32 {
        let group = self.columns.iter().position(|group| group.contains(&column)).expect("every column is in a group");
        let mut code = layout.fields[group].read(key) as u32;
        for before in self.columns[group].start..column {
            code /= self.size(before, node);
        }
        code % self.size(column, node)
    }

    /// Sums for each group, one for each of its codes, become sums for each column.
    pub(super) fn by_column(&self, node: &Node, of_groups: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let mut of_columns: Vec<Vec<u64>> =
            (0..self.sizes.len()).map(|column| vec![0; self.size(column, node) as usize]).collect();
        for (group, sums) in self.columns.iter().zip(of_groups) {
            for (code, &sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0) {
                let mut code = code as u32;
                for column in group.clone() {
                    of_columns[column][(code % self.size(column, node)) as usize] += sum;
                    code /= self.size(column, node);
                }
            }
        }
        of_columns
    }

    /// For each group, as many zeros as it has codes at a node.
    pub(super) fn zeros(&self, node: &Node) -> Vec<Vec<u64>> {
        self.columns.iter().map(|group| vec![0; self.codes(group, node) as usize]).collect()
    }

    /// From the keys of the table as it is counted to those at a node.
    pub(super) fn steps_from_base<'t>(
        &self,
        generalization: &'t Generalization,
        to: &Node,
        layout: &NodeLayout,
        classes: usize,
    ) -> Vec<Step<'t>> {
        let table = |column: usize| generalization.table(column, 0, to.levels()[column]);
        let step = |(group, target): (&Range<usize>, &Field)| {
            let (first, bits) =
                (self.base[group.start], group.clone().map(|column| self.base[column].bits()).sum::<u32>());
            let from = Field { mask: (1u64 << bits) - 1, shift: first.shift.min(u64::BITS - 1), ..first };
            let change = match group.len() {
                1 => Change::Known(table(group.start), target.shift),
                _ => Change::Made(
                    self.table(group, (to, target), |column| (1 << self.base[column].bits(), table(column))),
                ),
            };
            Step { from, word: target.word, change }
        };
        // A group of one code says nothing.
        let speaking = self.columns.iter().zip(&layout.fields).filter(|(_, target)| target.mask > 0);
        joined(speaking.map(step), classes)
    }

    /// From the keys at a node to those at another, at or above it.
    pub(super) fn steps_between<'t>(
        &self,
        generalization: &'t Generalization,
        (from, from_layout): (&Node, &NodeLayout),
        (to, to_layout): (&Node, &NodeLayout),
        classes: usize,
    ) -> Vec<Step<'t>> {
        let level = |node: &Node, column: usize| node.levels()[column];
        let table = |column: usize| generalization.table(column, level(from, column), level(to, column));
        let step = |at: usize| {
            let (group, target) = (&self.columns[at], &to_layout.fields[at]);
            let change = match group.len() {
                _ if group.clone().all(|column| level(from, column) == level(to, column)) => {
                    Change::Stays(target.shift)
                }
                1 => Change::Known(table(group.start), target.shift),
                _ => Change::Made(
                    self.table(group, (to, target), |column| (self.size(column, from) as usize, table(column))),
                ),
            };
            Step { from: from_layout.fields[at], word: target.word, change }
        };
        let speaking = (0..self.columns.len()).filter(|&at| to_layout.fields[at].mask > 0);
        joined(speaking.map(step), classes)
    }

    /// The new code of a group, at its place, for each old one: the first column's old code runs fastest, through as many as
    /// `of_column` says.
    fn table<'t>(
        &self,
        group: &Range<usize>,
        (to, target): (&Node, &Field),
        of_column: impl Fn(usize) -> (usize, &'t [u32]),
    ) -> Vec<u64> {
        let (mut table, mut stride) = (vec![0], 1 << target.shift);
        for column in group.clone() {
            let (codes, above) = of_column(column);
            let below = table.len();
            let mut next = Vec::with_capacity(below * codes);
            for code in 0..codes {
                // Where more codes fit into the bits than there are, nobody asks for the others.
                let new = above.get(code).map_or(0, |&new| u64::from(new) * stride);
                next.extend(table.iter().map(|sum| sum + new));
            }
            table = next;
            // Behind the last column of a key that fills its word there is no next one.
            stride = stride.wrapping_mul(u64::from(self.size(column, to)));
        }
        table
    }
}

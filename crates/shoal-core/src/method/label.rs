//! What does a class show for a quasi-identifier, and which values does that cover?

use std::borrow::Cow;

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::frequency::QuasiColumn;
use crate::hierarchy::Level;

/// What a class shows for a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Label {
    /// A node of the column's hierarchy.
    Node {
        /// Its level.
        level: u8,
        /// Its place on that level.
        node: u32,
    },
    /// All values from one to another, in the column's order: `[20, 29]`.
    Range {
        /// The code of the smallest.
        first: u32,
        /// The code of the largest.
        last: u32,
    },
    /// All values between two round numbers or dates, in the column's order: `[20, 30)`.
    Between {
        /// The code of the smallest.
        first: u32,
        /// The code of the largest.
        last: u32,
    },
    /// Some values: `{a, b}`. Their codes, in order.
    Set(Box<[u32]>),
    /// A number that stands for all values from one to another.
    Number {
        /// As it is written.
        text: Box<str>,
        /// The code of the smallest.
        first: u32,
        /// The code of the largest.
        last: u32,
    },
    /// A value that stands for others as well.
    Value {
        /// Its code.
        shown: u32,
        /// The codes of all that it stands for, in order.
        covers: Box<[u32]>,
    },
}

impl Label {
    /// The text that stands in the release.
    pub fn text<'a>(&'a self, column: &'a QuasiColumn) -> Cow<'a, str> {
        let value = |code: u32| column.dictionary.value(code);
        match self {
            Self::Node { level, node } => column.hierarchy.level(usize::from(*level)).label(*node).into(),
            Self::Range { first, last } => {
                let ends = column.dictionary.column_type().write_ends(value(*first), value(*last));
                format!("[{ends}]").into()
            }
            Self::Between { first, last } => {
                column.round_ends().text(*first, *last, column.dictionary.column_type()).into()
            }
            Self::Set(codes) => {
                let values: Vec<&str> = codes.iter().map(|&code| value(code)).collect();
                format!("{{{}}}", values.join(", ")).into()
            }
            Self::Number { text, .. } => Cow::Borrowed(text),
            Self::Value { shown, .. } => value(*shown).into(),
        }
    }
}

/// How local recoding shows values that differ within a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LabelStyle {
    /// What becomes of numbers and dates.
    pub numbers: Numbers,
    /// What becomes of everything else.
    pub categories: Categories,
    /// Where ranges begin and end.
    pub ends: Ends,
}

impl LabelStyle {
    /// Every label is a node of a hierarchy.
    pub const HIERARCHY: Self =
        Self { numbers: Numbers::Hierarchy, categories: Categories::Hierarchy, ends: Ends::Rounded };
}

/// What becomes of numbers and dates that differ within a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Numbers {
    /// Their range: `[20, 30)`.
    #[default]
    Ranges,
    /// The lowest node of the hierarchy that covers them.
    Hierarchy,
}

/// Where ranges begin and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ends {
    /// At round numbers and dates, as round as the spread of the column supports: `[20, 30)`.
    #[default]
    Rounded,
    /// At the smallest and the largest value of the class, which are somebody's: `[21, 28]`.
    Exact,
}

/// What becomes of values without an order that differ within a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Categories {
    /// The lowest node of the hierarchy that covers them.
    #[default]
    Hierarchy,
    /// The set of them: `{a, b}`.
    Sets,
}

/// Finds the labels of a column that cover some of its values.
#[derive(Debug)]
pub struct Cover<'a> {
    column: &'a QuasiColumn,
    shape: LabelShape,
    ends: Ends,
    /// The leaves of an ordered column that are no values of it, in order.
    others: Vec<(Decimal, u32)>,
    /// For each value of an ordered column, how many of these are smaller, and how many are no larger.
    others_to: Vec<(u64, u64)>,
    /// The number of rows under each node, level by level.
    rows_by_node: Vec<Vec<u64>>,
    /// A leaf under each node, level by level.
    first_leaves: Vec<Vec<u32>>,
}

/// What labels of several values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LabelShape {
    Nodes,
    Ranges,
    Sets,
}

/// What objectives need to know of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Covered {
    /// The number of leaves that it covers.
    pub leaves: u64,
    /// The level of the lowest node that covers them.
    pub level: u8,
    /// The number of rows of the table whose value it covers.
    pub rows: u64,
}

impl<'a> Cover<'a> {
    /// The labels of this column in this style. A column that must reach some level is shown by its hierarchy alone: what
    /// a range or set would be there, nobody can say.
    pub fn new(column: &'a QuasiColumn, style: LabelStyle) -> Self {
        let shape = match (column.ordered, style) {
            _ if column.min_level > 0 => LabelShape::Nodes,
            (true, LabelStyle { numbers: Numbers::Ranges, .. }) => LabelShape::Ranges,
            (false, LabelStyle { categories: Categories::Sets, .. }) => LabelShape::Sets,
            _ => LabelShape::Nodes,
        };
        let rows_by_node = column.hierarchy.levels().iter().map(|level| {
            let mut rows = vec![0; level.len()];
            column
                .counts
                .iter()
                .enumerate()
                .for_each(|(code, count)| rows[level.node_of(code as u32) as usize] += count);
            rows
        });
        let rows_by_node = rows_by_node.collect();
        let first_leaves = column.hierarchy.levels().iter().map(first_leaves).collect();
        let others = other_leaves(column);
        let others_to = others_to(column, &others);
        Self { column, shape, ends: style.ends, others, others_to, rows_by_node, first_leaves }
    }

    /// The column.
    pub fn column(&self) -> &'a QuasiColumn {
        self.column
    }

    /// Are values shown as sets?
    pub fn shows_sets(&self) -> bool {
        self.shape == LabelShape::Sets
    }

    /// Are values shown as ranges?
    pub fn shows_ranges(&self) -> bool {
        self.shape == LabelShape::Ranges
    }

    /// The smallest label that covers these values. There must be one at least; they may repeat.
    pub fn label(&self, codes: impl IntoIterator<Item = u32> + Clone) -> Label {
        let mut all = codes.clone().into_iter();
        let first = all.next().expect("a class has a value in every column");
        let (least, most) = all.fold((first, first), |(least, most), code| (least.min(code), most.max(code)));
        if self.shape == LabelShape::Nodes
            || least == most
            || (self.shape == LabelShape::Ranges && self.column.dictionary.missing() == Some(most))
        {
            return self.node(codes);
        }
        if self.shape == LabelShape::Ranges {
            return self.range(least, most);
        }
        let mut values: Vec<u32> = codes.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        let node = self.node(values.iter().copied());
        if self.covered(&node).leaves == values.len() as u64 { node } else { Label::Set(values.into()) }
    }

    /// The smallest range from one value to another.
    fn range(&self, least: u32, most: u32) -> Label {
        let (first, last) = self.values_between(least, most);
        match self.ends {
            Ends::Exact => Label::Range { first, last },
            Ends::Rounded => Label::Between { first, last },
        }
    }

    /// The first and the last value of the smallest label from one value of an ordered column to another.
    pub fn values_between(&self, least: u32, most: u32) -> (u32, u32) {
        match self.ends {
            Ends::Rounded if least != most => self.column.round_ends().around(least, most),
            _ => (least, most),
        }
    }

    /// The first of the values that no range separates from this one.
    pub fn first_with(&self, code: u32) -> u32 {
        match (self.shape, self.ends) {
            (LabelShape::Ranges, Ends::Rounded) => self.column.round_ends().first_with(code),
            _ => code,
        }
    }

    /// The smallest label that covers what another covers, and one more value.
    pub fn with(&self, label: &Label, code: u32) -> Label {
        match label {
            &Label::Node { level, node } => {
                let hierarchy = &self.column.hierarchy;
                if hierarchy.level(usize::from(level)).node_of(code) == node {
                    return label.clone();
                }
                if self.shape == LabelShape::Nodes {
                    let first = self.first_leaves[usize::from(level)][node as usize];
                    let (level, node) = self.lowest([first, code], level);
                    return Label::Node { level, node };
                }
                let under = |code: &u32| hierarchy.level(usize::from(level)).node_of(*code) == node;
                let codes: Vec<u32> = (0..self.column.dictionary.len() as u32).filter(under).chain([code]).collect();
                self.label(codes)
            }
            &Label::Range { first, last } | &Label::Between { first, last } => self.label([first, last, code]),
            Label::Set(codes) => self.label(codes.iter().copied().chain([code])),
            Label::Number { text, first, last } => {
                Label::Number { text: text.clone(), first: code.min(*first), last: code.max(*last) }
            }
            Label::Value { shown, covers } => {
                let mut codes: Vec<u32> = covers.iter().copied().chain([code]).collect();
                codes.sort_unstable();
                codes.dedup();
                Label::Value { shown: *shown, covers: codes.into() }
            }
        }
    }

    /// The lowest node that covers these values and is not below the lowest level allowed.
    pub fn node(&self, codes: impl IntoIterator<Item = u32> + Clone) -> Label {
        let (level, node) = self.lowest(codes, self.column.min_level);
        Label::Node { level, node }
    }

    fn lowest(&self, codes: impl IntoIterator<Item = u32> + Clone, from: u8) -> (u8, u32) {
        let levels = self.column.hierarchy.levels().iter().enumerate().skip(usize::from(from));
        for (number, level) in levels {
            let mut nodes = codes.clone().into_iter().map(|code| level.node_of(code));
            let first = nodes.next().expect("a class has a value in every column");
            if nodes.all(|node| node == first) {
                return (number as u8, first);
            }
        }
        unreachable!("the root covers everything")
    }

    /// What a label covers.
    pub fn covered(&self, label: &Label) -> Covered {
        let rows = |codes: &mut dyn Iterator<Item = u32>| codes.map(|code| self.column.counts[code as usize]).sum();
        match label {
            &Label::Node { level, node } => Covered {
                leaves: self.column.hierarchy.level(usize::from(level)).leaves_under(node),
                level,
                rows: self.rows_by_node[usize::from(level)][node as usize],
            },
            &Label::Between { first, last } => {
                let others = self.others_within(first, last).iter().map(|&(_, leaf)| leaf);
                Covered {
                    leaves: self.leaves_from(first, last, Ends::Rounded),
                    level: self.lowest((first..=last).chain(others), 0).0,
                    rows: rows(&mut (first..=last)),
                }
            }
            &Label::Range { first, last } | &Label::Number { first, last, .. } => Covered {
                leaves: self.leaves_from(first, last, Ends::Exact),
                level: self.lowest(first..=last, 0).0,
                rows: rows(&mut (first..=last)),
            },
            Label::Set(codes) | Label::Value { covers: codes, .. } => Covered {
                leaves: codes.len() as u64,
                level: self.lowest(codes.iter().copied(), 0).0,
                rows: rows(&mut codes.iter().copied()),
            },
        }
    }

    /// Is the label below the highest level that the column may have?
    pub fn allows(&self, label: &Label) -> bool {
        let highest = self.column.max_level;
        usize::from(highest) == self.column.hierarchy.height() || self.covered(label).level <= highest
    }

    /// The number of leaves that the smallest label from one value of an ordered column to another covers.
    pub fn leaves_between(&self, least: u32, most: u32) -> u64 {
        let (first, last) = self.values_between(least, most);
        if least == most { 1 } else { self.leaves_from(first, last, self.ends) }
    }

    /// The number of leaves of a range that holds the values from one to another.
    fn leaves_from(&self, first: u32, last: u32, ends: Ends) -> u64 {
        let others = match ends {
            Ends::Rounded => self.others_within(first, last).len() as u64,
            // Not up to the next value that occurs: leaves between that and the last are not covered. Another way to write an end is.
            Ends::Exact => self.others_to[last as usize].1 - self.others_to[first as usize].0,
        };
        u64::from(last - first) + 1 + others
    }

    /// The leaves between the round ends around the values from one to another that are no values of the column.
    fn others_within(&self, first: u32, last: u32) -> &[(Decimal, u32)] {
        if self.others.is_empty() {
            return &[];
        }
        let before = |code: u32, beyond_all: usize| {
            let end = self.column.round_ends().number_before(code);
            end.map_or(beyond_all, |end| self.others.partition_point(|other| other.0 < end))
        };
        &self.others[before(first, 0)..before(last + 1, self.others.len())]
    }
}

/// The first leaf under each node.
fn first_leaves(level: &Level) -> Vec<u32> {
    let mut first = vec![0; level.len()];
    for (leaf, &node) in level.nodes_of_leaves().iter().enumerate().rev() {
        first[node as usize] = leaf as u32;
    }
    first
}

/// The leaves that a hierarchy of numbers lists and the column does not hold, in order.
fn other_leaves(column: &QuasiColumn) -> Vec<(Decimal, u32)> {
    let level = column.hierarchy.level(0);
    let listed = (0..).zip(level.nodes_of_leaves()).skip(column.dictionary.len());
    let number = |(leaf, &node): (u32, &u32)| {
        column.dictionary.column_type().number(level.label(node)).map(|number| (number, leaf))
    };
    let mut others: Vec<(Decimal, u32)> = listed.filter_map(number).collect();
    others.sort_unstable();
    others
}

/// How many of the other leaves are smaller than each value of an ordered column, and how many are no larger.
fn others_to(column: &QuasiColumn, others: &[(Decimal, u32)]) -> Vec<(u64, u64)> {
    let number = |value: &String| column.dictionary.column_type().number(value).filter(|_| !others.is_empty());
    let to = |value: &String| match number(value) {
        Some(number) => {
            let places =
                [others.partition_point(|other| other.0 < number), others.partition_point(|other| other.0 <= number)];
            (places[0] as u64, places[1] as u64)
        }
        None => (others.len() as u64, others.len() as u64),
    };
    column.dictionary.values().iter().map(to).collect()
}

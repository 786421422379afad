//! What does a label tell somebody who sees its text, and not where it stands in the hierarchy?

use hashbrown::HashMap;

use super::{Cover, Label};
use crate::frequency::{QuasiColumn, SensitiveColumn};
use crate::hierarchy::Level;
use crate::objective::ShownLabel;

/// The labels of a column as they are read.
///
/// Nodes with the same text are one to the reader, wherever they stand: a leaf and a group that is named like it are both
/// "that leaf, or one of the group". A range names numbers, and so every value that is the same number: `[2.10, 5]` has
/// `2.1` in it.
#[derive(Debug)]
pub struct AsRead<'a> {
    cover: &'a Cover<'a>,
    /// For each text that nodes of several levels have, all that it may stand for.
    alike: HashMap<&'a str, ShownLabel>,
}

impl<'a> AsRead<'a> {
    /// The labels of a column.
    pub fn new(cover: &'a Cover<'a>) -> Self {
        let column = cover.column();
        let mut nodes: HashMap<&str, Vec<(u8, u32)>> = HashMap::new();
        for level in shown_levels(column) {
            for (label, node) in column.hierarchy.level(usize::from(level)).labels().iter().zip(0..) {
                nodes.entry(label).or_default().push((level, node));
            }
        }
        nodes.retain(|_, nodes| nodes.len() > 1);
        let first_leaves: Vec<Vec<u32>> = match nodes.is_empty() {
            true => Vec::new(),
            false => column.hierarchy.levels().iter().map(first_leaves).collect(),
        };
        let joined = |(text, nodes): (&'a str, Vec<(u8, u32)>)| (text, joined(cover, &nodes, &first_leaves));
        Self { cover, alike: nodes.into_iter().map(joined).collect() }
    }

    /// What a label tells.
    pub fn shown(&self, label: &Label) -> ShownLabel {
        match label {
            Label::Node { level, node } => {
                let text = self.cover.column().hierarchy.level(usize::from(*level)).label(*node);
                self.alike.get(text).copied().unwrap_or_else(|| of(self.cover, label))
            }
            &Label::Range { first, last } => of(self.cover, &self.range(first, last)),
            // Round ends never part values that are the same number.
            Label::Between { first, .. } => self.node_like(label, *first).unwrap_or_else(|| of(self.cover, label)),
            Label::Set(_) | Label::Number { .. } | Label::Value { .. } => of(self.cover, label),
        }
    }

    /// What a node above a value tells that has the text of a label, if there is one: a range `[20, 40)` cannot be told from a
    /// node of that name, even where a lower node covers all values that it holds.
    fn node_like(&self, label: &Label, value: u32) -> Option<ShownLabel> {
        let column = self.cover.column();
        let text = label.text(column);
        let on_level = |level: u8| {
            let nodes = column.hierarchy.level(usize::from(level));
            let node = nodes.node_of(value);
            (nodes.label(node) == &*text).then(|| of(self.cover, &Label::Node { level, node }))
        };
        self.alike.get(&*text).copied().or_else(|| shown_levels(column).find_map(on_level))
    }

    /// What the text of a node tells, if there is one with this text that may be shown.
    pub fn node(&self, text: &str) -> Option<ShownLabel> {
        let column = self.cover.column();
        let found = || {
            shown_levels(column).find_map(|level| {
                let node = column.hierarchy.level(usize::from(level)).node(text)?;
                Some(of(self.cover, &Label::Node { level, node }))
            })
        };
        self.alike.get(text).copied().or_else(found)
    }

    /// The range of all values that are a number from that of one to that of another.
    fn range(&self, first: u32, last: u32) -> Label {
        let dictionary = &self.cover.column().dictionary;
        let (values, kind) = (dictionary.present(), dictionary.column_type());
        let is_same = |a: u32, b: u32| kind.says_the_same(&values[a as usize], &values[b as usize]);
        let (mut first, mut last) = (first, last);
        while first > 0 && is_same(first - 1, first) {
            first -= 1;
        }
        while (last as usize) + 1 < values.len() && is_same(last, last + 1) {
            last += 1;
        }
        Label::Range { first, last }
    }
}

/// What a value of a sensitive column tells, generalized or not.
pub fn sensitive_label(column: &SensitiveColumn, code: u32) -> ShownLabel {
    ShownLabel { leaves: column.leaves_under(code), level: column.level_of(code) as u8, rows: column.rows_under(code) }
}

/// The levels whose labels may be shown.
fn shown_levels(column: &QuasiColumn) -> std::ops::RangeInclusive<u8> {
    column.min_level..=column.hierarchy.height() as u8
}

fn of(cover: &Cover<'_>, label: &Label) -> ShownLabel {
    let covered = cover.covered(label);
    ShownLabel { leaves: covered.leaves, level: covered.level, rows: covered.rows }
}

/// Everything below some nodes, lowest first. Of two nodes of a hierarchy, one lies below the other or they share nothing: what
/// the highest of them cover is to be added up.
fn joined(cover: &Cover<'_>, nodes: &[(u8, u32)], first_leaves: &[Vec<u32>]) -> ShownLabel {
    let hierarchy = &cover.column().hierarchy;
    let leaf = |(level, node): (u8, u32)| first_leaves[usize::from(level)][node as usize];
    let mut highest: Vec<(u8, u32)> = Vec::new();
    for &node in nodes.iter().rev() {
        let is_below = |&(level, above): &(u8, u32)| hierarchy.level(usize::from(level)).node_of(leaf(node)) == above;
        if !highest.iter().any(is_below) {
            highest.push(node);
        }
    }
    let mut all = ShownLabel { leaves: 0, level: 0, rows: 0 };
    for &(level, node) in &highest {
        let below = of(cover, &Label::Node { level, node });
        all = ShownLabel { leaves: all.leaves + below.leaves, level, rows: all.rows + below.rows };
    }
    all.level = match highest.as_slice() {
        // The same leaves may have this text on a lower level, too.
        &[one] => {
            let is_all = |&&(level, node): &&(u8, u32)| {
                let lower = hierarchy.level(usize::from(level)).leaves_under(node);
                lower == all.leaves && hierarchy.level(usize::from(one.0)).node_of(leaf((level, node))) == one.1
            };
            nodes.iter().find(is_all).map_or(one.0, |node| node.0)
        }
        several => {
            let leaves: Vec<u32> = several.iter().map(|&node| leaf(node)).collect();
            let is_one = |level: &Level| leaves.iter().all(|&leaf| level.node_of(leaf) == level.node_of(leaves[0]));
            let from = several.iter().map(|node| usize::from(node.0)).max().unwrap_or(0);
            let found = (from..hierarchy.height()).find(|&level| is_one(hierarchy.level(level)));
            found.unwrap_or(hierarchy.height()) as u8
        }
    };
    all
}

/// The first leaf under each node.
fn first_leaves(level: &Level) -> Vec<u32> {
    let mut first = vec![0; level.len()];
    for (leaf, &node) in level.nodes_of_leaves().iter().enumerate().rev() {
        first[node as usize] = leaf as u32;
    }
    first
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::hierarchy::Hierarchy;
    use crate::method::LabelStyle;
    use crate::table::{Dictionary, Reading};

    fn column(values: &[&str], levels: &[&[&str]]) -> QuasiColumn {
        let dictionary = Dictionary::new(values.iter().map(|&value| value.to_owned()), None, Reading::default());
        let levels = levels.iter().map(|labels| Level::from_labels(labels.iter().copied())).collect();
        let hierarchy = Hierarchy::new(levels);
        QuasiColumn {
            name: "q".to_owned(),
            ordered: dictionary.column_type().is_ordered(),
            dictionary: dictionary.into(),
            max_level: hierarchy.height() as u8,
            hierarchy,
            counts: (1..=values.len() as u64).collect(),
            weight: 1.0,
            min_level: 0,
            round_ends: OnceLock::new(),
        }
    }

    #[test]
    fn a_group_named_like_a_leaf_is_read_as_both() {
        // One branch is short (`d` is `d` twice), one group is named like its first leaf, one like a leaf of another.
        let column = column(
            &["a", "b", "c", "d", "e"],
            &[&["a", "b", "c", "d", "e"], &["a", "a", "b", "d", "b"], &["*", "*", "*", "*", "*"]],
        );
        let cover = Cover::new(&column, LabelStyle::default());
        let read = AsRead::new(&cover);
        let node = |level, node| read.shown(&Label::Node { level, node });
        let all_a = ShownLabel { leaves: 2, level: 1, rows: 3 };
        assert_eq!((node(0, 0), node(1, 0)), (all_a, all_a), "a, or one of a and b");
        let any_b = ShownLabel { leaves: 3, level: 2, rows: 10 };
        assert_eq!((node(0, 1), node(1, 1)), (any_b, any_b), "b, or one of c and e: only the root has all three");
        assert_eq!(node(1, 2), ShownLabel { leaves: 1, level: 0, rows: 4 }, "d is d on every level");
        assert_eq!(node(0, 2), ShownLabel { leaves: 1, level: 0, rows: 3 });
        assert_eq!(read.node("b"), Some(any_b));
        assert_eq!(read.node("f"), None);
    }

    #[test]
    fn a_range_that_is_called_like_a_node_is_read_as_that_node() {
        let column = column(
            &["20", "25", "29", "41"],
            &[
                &["20", "25", "29", "41"],
                &["[20, 30)", "[20, 30)", "[20, 30)", "[40, 50)"],
                &["[20, 40)", "[20, 40)", "[20, 40)", "[40, 60)"],
                &["*"; 4],
            ],
        );
        let cover = Cover::new(&column, LabelStyle::default());
        let read = AsRead::new(&cover);
        let range = cover.label([0, 2]);
        assert_eq!(range.text(&column), "[20, 40)");
        let shown = ShownLabel { leaves: 3, level: 2, rows: 6 };
        assert_eq!((read.shown(&range), read.node("[20, 40)")), (shown, Some(shown)));
    }

    #[test]
    fn a_range_has_every_text_of_its_ends() {
        let column = column(&["2.1", "2.10", "3", "5", "5.0"], &[&["2.1", "2.10", "3", "5", "5.0"], &["*"; 5]]);
        let cover = Cover::new(&column, LabelStyle::default());
        let shown = AsRead::new(&cover).shown(&Label::Range { first: 1, last: 3 });
        assert_eq!((shown.leaves, shown.rows), (5, 15));
    }
}

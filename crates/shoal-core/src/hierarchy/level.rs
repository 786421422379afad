//! Which nodes does one level of a hierarchy have, and which leaves lie under each?

use hashbrown::HashMap;

use super::ROOT;

/// One level: its nodes, told apart by their labels, since that is all an outsider sees.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    labels: Vec<String>,
    node_of_leaf: Vec<u32>,
    leaves: Vec<u64>,
}

impl Level {
    /// A level from the label of each leaf; equal labels are one node, numbered in order of appearance.
    pub fn from_labels<'a>(labels_of_leaves: impl IntoIterator<Item = &'a str>) -> Self {
        let mut level = Self { labels: Vec::new(), node_of_leaf: Vec::new(), leaves: Vec::new() };
        let mut nodes: HashMap<&str, u32> = HashMap::new();
        for label in labels_of_leaves {
            let node = *nodes.entry(label).or_insert_with(|| {
                level.labels.push(label.to_owned());
                level.leaves.push(0);
                (level.labels.len() - 1) as u32
            });
            level.node_of_leaf.push(node);
            level.leaves[node as usize] += 1;
        }
        level
    }

    /// The same from the number of each leaf's label; `node_of` has a place for each number, none of which has a node yet.
    pub(super) fn from_numbers<'t>(
        numbers: impl Iterator<Item = u32>,
        node_of: &mut [u32],
        text: impl Fn(u32) -> &'t str,
    ) -> Self {
        let mut level = Self { labels: Vec::new(), node_of_leaf: Vec::new(), leaves: Vec::new() };
        for number in numbers {
            let node = &mut node_of[number as usize];
            if *node == u32::MAX {
                *node = level.labels.len() as u32;
                level.labels.push(text(number).to_owned());
                level.leaves.push(0);
            }
            level.node_of_leaf.push(*node);
            level.leaves[*node as usize] += 1;
        }
        level
    }

    /// Level 0: each value is a leaf.
    pub fn of_values(values: &[String]) -> Self {
        Self::from_labels(values.iter().map(String::as_str))
    }

    /// The last level: one node above every leaf listed.
    pub fn root(listed: usize) -> Self {
        Self { labels: vec![ROOT.to_owned()], node_of_leaf: vec![0; listed], leaves: vec![listed as u64] }
    }

    /// For each leaf listed, does one before it have its node?
    pub(super) fn repeats(&self) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        self.node_of_leaf.iter().map(|&node| std::mem::replace(&mut seen[node as usize], true)).collect()
    }

    /// Some of the leaves listed are none of their own.
    pub(super) fn leave_out(&mut self, leaves: &[bool]) {
        let left_out = self.node_of_leaf.iter().zip(leaves).filter(|(_, is_left_out)| **is_left_out);
        left_out.for_each(|(&node, _)| self.leaves[node as usize] -= 1);
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The labels of the nodes.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The label of a node.
    pub fn label(&self, node: u32) -> &str {
        &self.labels[node as usize]
    }

    /// The node with this label.
    pub fn node(&self, label: &str) -> Option<u32> {
        self.labels.iter().position(|known| known == label).map(|node| node as u32)
    }

    /// The node above a leaf (its code).
    pub fn node_of(&self, leaf: u32) -> u32 {
        self.node_of_leaf[leaf as usize]
    }

    /// The node above each leaf.
    pub fn nodes_of_leaves(&self) -> &[u32] {
        &self.node_of_leaf
    }

    /// The number of leaves under a node.
    pub fn leaves_under(&self, node: u32) -> u64 {
        self.leaves[node as usize]
    }

    /// Two leaves that share a node here but not on the level `above`, if there are any: then the two levels
    /// are not nested.
    pub fn first_split(&self, above: &Level) -> Option<(u32, u32)> {
        let mut first_leaf: Vec<Option<u32>> = vec![None; self.len()];
        for (leaf, &node) in self.node_of_leaf.iter().enumerate() {
            let leaf = leaf as u32;
            match first_leaf[node as usize] {
                None => first_leaf[node as usize] = Some(leaf),
                Some(first) if above.node_of(first) != above.node_of(leaf) => return Some((first, leaf)),
                Some(_) => {}
            }
        }
        None
    }

    /// For each node of this level, its parent on the level above; the two are nested.
    pub fn parents(&self, above: &Level) -> Vec<u32> {
        let mut parents = vec![0; self.len()];
        for (leaf, &node) in self.node_of_leaf.iter().enumerate() {
            parents[node as usize] = above.node_of(leaf as u32);
        }
        parents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_are_one_node() {
        let level = Level::from_labels(["north", "south", "north"]);
        assert_eq!(level.labels(), ["north", "south"]);
        assert_eq!(level.nodes_of_leaves(), [0, 1, 0]);
        assert_eq!(level.leaves_under(0), 2);
    }

    #[test]
    fn a_split_is_found() {
        let lower = Level::from_labels(["a", "a", "b"]);
        assert_eq!(lower.first_split(&Level::from_labels(["x", "y", "y"])), Some((0, 1)));
        assert_eq!(lower.first_split(&Level::from_labels(["x", "x", "x"])), None);
        assert_eq!(lower.parents(&Level::from_labels(["x", "x", "y"])), [0, 1]);
    }
}

//! Which combinations of levels are there to choose from?

use std::fmt;

/// A combination of levels, one for each quasi-identifier in policy order.
///
/// ```
/// use shoal_core::lattice::Node;
///
/// let (low, high) = (Node::new(vec![0, 1]), Node::new(vec![2, 1]));
/// assert!(low.is_at_or_below(&high));
/// assert_eq!(high.height(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(Vec<u8>);

impl Node {
    /// A node of these levels.
    pub fn new(levels: Vec<u8>) -> Self {
        Self(levels)
    }

    /// Its levels.
    pub fn levels(&self) -> &[u8] {
        &self.0
    }

    /// The sum of its levels.
    pub fn height(&self) -> u32 {
        self.0.iter().map(|&level| u32::from(level)).sum()
    }

    /// Is every level at most the other's?
    pub fn is_at_or_below(&self, other: &Node) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine <= theirs)
    }

    /// The same node with one level replaced.
    #[must_use]
    pub fn with_level(&self, column: usize, level: u8) -> Self {
        let mut levels = self.0.clone();
        levels[column] = level;
        Self(levels)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels: Vec<String> = self.0.iter().map(u8::to_string).collect();
        write!(f, "({})", levels.join(", "))
    }
}

/// All nodes between a bottom and a top.
#[derive(Debug, Clone)]
pub struct Lattice {
    bottom: Node,
    top: Node,
}

impl Lattice {
    /// The nodes from `bottom` to `top`, both included.
    pub fn new(bottom: Node, top: Node) -> Self {
        assert!(bottom.is_at_or_below(&top), "no column's smallest level is above its largest");
        Self { bottom, top }
    }

    /// Its lowest node.
    pub fn bottom(&self) -> &Node {
        &self.bottom
    }

    /// Its highest node.
    pub fn top(&self) -> &Node {
        &self.top
    }

    /// How many columns its nodes have.
    pub fn columns(&self) -> usize {
        self.top.0.len()
    }

    /// No lattice is said to have more nodes.
    pub const COUNTED_UP_TO: u128 = u128::MAX;

    /// How many nodes there are, or [`Lattice::COUNTED_UP_TO`].
    pub fn size(&self) -> u128 {
        (0..self.columns()).fold(1u128, |size, column| size.saturating_mul(self.levels_of(column) as u128))
    }

    fn levels_of(&self, column: usize) -> usize {
        usize::from(self.top.0[column] - self.bottom.0[column]) + 1
    }

    /// The place of a node in [`Lattice::nodes`].
    pub fn index(&self, node: &Node) -> usize {
        let place =
            |index, column: usize| index * self.levels_of(column) + usize::from(node.0[column] - self.bottom.0[column]);
        (0..self.columns()).fold(0, place)
    }

    /// The node at a place of [`Lattice::nodes`].
    pub fn node(&self, mut index: usize) -> Node {
        let mut levels = self.bottom.0.clone();
        for column in (0..self.columns()).rev() {
            levels[column] += (index % self.levels_of(column)) as u8;
            index /= self.levels_of(column);
        }
        Node(levels)
    }

    /// Every node, in lexicographic order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.size() as usize).map(|index| self.node(index))
    }

    /// The nodes one level above `node` in one column.
    pub fn successors<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = Node> + 'a {
        (0..self.columns())
            .filter(|&column| node.0[column] < self.top.0[column])
            .map(|column| node.with_level(column, node.0[column] + 1))
    }

    /// The nodes one level below `node` in one column.
    pub fn predecessors<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = Node> + 'a {
        (0..self.columns())
            .filter(|&column| node.0[column] > self.bottom.0[column])
            .map(|column| node.with_level(column, node.0[column] - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_numbered_in_lexicographic_order() {
        let lattice = Lattice::new(Node::new(vec![0, 1]), Node::new(vec![2, 2]));
        let nodes: Vec<Node> = lattice.nodes().collect();
        assert_eq!(lattice.size(), 6);
        assert!(nodes.is_sorted());
        for (index, node) in nodes.iter().enumerate() {
            assert_eq!(lattice.index(node), index);
        }
        assert_eq!(lattice.successors(&nodes[0]).collect::<Vec<_>>(), [Node::new(vec![1, 1]), Node::new(vec![0, 2])]);
        assert_eq!(lattice.predecessors(&nodes[0]).count(), 0);
        assert_eq!(nodes[5].height(), 4);
    }
}

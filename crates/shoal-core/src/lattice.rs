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

    /// The nodes at or below another, which is at or above the lowest.
    #[must_use]
    pub fn up_to(&self, node: &Node) -> Self {
        let top = self.top.0.iter().zip(&node.0).map(|(top, level)| *top.min(level)).collect();
        Self::new(self.bottom.clone(), Node(top))
    }

    /// The nodes that are not at or below another, which is at or above the lowest: in lattices of which no two share a node.
    ///
    /// In each of these nodes some column stands above the other's level. Those of which a column is the first to do so are a lattice: the
    /// columns before it stand no higher than the other's, those after it as high as any.
    pub fn without_those_up_to(&self, node: &Node) -> impl Iterator<Item = Self> {
        let mut top = self.top.clone();
        let first_above = move |(column, &level): (usize, &u8)| {
            let rises = level < top.0[column];
            rises.then(|| {
                let part = Self::new(self.bottom.with_level(column, level + 1), top.clone());
                top.0[column] = level;
                part
            })
        };
        node.0.iter().enumerate().filter_map(first_above)
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

/// Nodes side by side in memory, to be compared with one of which nothing is known yet: there are thousands of them, and each
/// comparison is a few instructions.
#[derive(Debug, Clone)]
pub struct NodeList {
    columns: usize,
    /// How many chunks a node takes.
    chunks: usize,
    levels: Vec<Chunk>,
}

/// As many levels as a processor compares at once; where a node has fewer, the others are 0.
type Chunk = [u8; 16];

impl NodeList {
    /// An empty list of nodes with so many columns.
    pub fn new(columns: usize) -> Self {
        Self { columns, chunks: columns.div_ceil(size_of::<Chunk>()).max(1), levels: Vec::new() }
    }

    /// An empty list of such nodes.
    pub fn emptied(&self) -> Self {
        Self { levels: Vec::new(), ..*self }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.levels.len() / self.chunks
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// The node at a place.
    pub fn node(&self, place: usize) -> Node {
        let levels = self.levels[place * self.chunks..(place + 1) * self.chunks].as_flattened();
        Node::new(levels[..self.columns].to_vec())
    }

    /// Puts a node at a place; those from there on move up.
    pub fn insert(&mut self, place: usize, node: &Node) {
        let at = place * self.chunks;
        self.levels.splice(at..at, self.packed(node));
    }

    /// Puts a node at the end.
    pub fn push(&mut self, node: &Node) {
        let packed = self.packed(node);
        self.levels.extend(packed);
    }

    /// The places of the nodes at or above this one.
    pub fn at_or_above(&self, node: &Node) -> impl Iterator<Item = usize> {
        let node = self.packed(node);
        let known = self.levels.chunks_exact(self.chunks).enumerate();
        known
            .filter(move |(_, above)| node.iter().zip(*above).all(|(low, high)| is_below(low, high)))
            .map(|(place, _)| place)
    }

    /// The places of the nodes at or below this one.
    pub fn at_or_below(&self, node: &Node) -> impl Iterator<Item = usize> {
        let node = self.packed(node);
        let known = self.levels.chunks_exact(self.chunks).enumerate();
        known
            .filter(move |(_, below)| below.iter().zip(&node).all(|(low, high)| is_below(low, high)))
            .map(|(place, _)| place)
    }

    /// Leaves out the nodes at these places, which ascend.
    pub fn remove(&mut self, places: &[usize]) {
        for &place in places.iter().rev() {
            self.levels.drain(place * self.chunks..(place + 1) * self.chunks);
        }
    }

    fn packed(&self, node: &Node) -> Vec<Chunk> {
        let mut packed = vec![Chunk::default(); self.chunks];
        packed.as_flattened_mut()[..node.0.len()].copy_from_slice(&node.0);
        packed
    }
}

/// Is every level at most the other's? Without a way out in between, so that all are compared at once.
#[inline]
fn is_below(low: &Chunk, high: &Chunk) -> bool {
    low.iter().zip(high).fold(true, |all, (low, high)| all & (low <= high))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn what_is_left_without_the_nodes_below_one_is_in_one_part(
            bottom in prop::collection::vec(0..3u8, 3),
            above in prop::collection::vec(0..4u8, 3),
            up_to in prop::collection::vec(0..5u8, 3),
        ) {
            let raised = |by: &[u8]| Node::new(bottom.iter().zip(by).map(|(level, by)| level + by).collect());
            let (lattice, other) = (Lattice::new(Node::new(bottom.clone()), raised(&above)), raised(&up_to));
            let contains = |part: &Lattice, node: &Node| part.bottom().is_at_or_below(node) && node.is_at_or_below(part.top());
            let parts: Vec<Lattice> = lattice.without_those_up_to(&other).collect();
            for node in Lattice::new(Node::new(vec![0; 3]), Node::new(vec![7; 3])).nodes() {
                let (is_in, is_below) = (contains(&lattice, &node), node.is_at_or_below(&other));
                let parts = parts.iter().filter(|part| contains(part, &node)).count();
                prop_assert_eq!(parts, usize::from(is_in && !is_below), "{}", &node);
                prop_assert_eq!(contains(&lattice.up_to(&other), &node), is_in && is_below, "{}", &node);
            }
        }
    }

    #[test]
    fn a_list_compares_as_nodes_do() {
        for columns in [1, 3, 16, 17, 40] {
            let node = |seed: usize| {
                Node::new((0..columns).map(|column| ((seed * 7 + column * seed * 5) % 3) as u8).collect())
            };
            let nodes: Vec<Node> = (0..30).map(node).collect();
            let mut list = NodeList::new(columns);
            nodes[1..].iter().for_each(|node| list.push(node));
            list.insert(0, &nodes[0]);
            assert_eq!(list.len(), nodes.len());
            assert_eq!((0..list.len()).map(|place| list.node(place)).collect::<Vec<_>>(), nodes);
            let places =
                |of: &dyn Fn(&Node) -> bool| (0..nodes.len()).filter(|&place| of(&nodes[place])).collect::<Vec<_>>();
            for node in &nodes {
                assert_eq!(list.at_or_above(node).collect::<Vec<_>>(), places(&|known| node.is_at_or_below(known)));
                assert_eq!(list.at_or_below(node).collect::<Vec<_>>(), places(&|known| known.is_at_or_below(node)));
            }
            list.remove(&[0, 2]);
            let left: Vec<&Node> =
                nodes.iter().enumerate().filter(|(place, _)| ![0, 2].contains(place)).map(|(_, node)| node).collect();
            let above = (0..left.len()).filter(|&place| nodes[3].is_at_or_below(left[place])).collect::<Vec<_>>();
            assert_eq!(list.at_or_above(&nodes[3]).collect::<Vec<_>>(), above);
        }
    }
}

//! What becomes of a frequency set when its columns are generalized further?

use super::FrequencySet;
use super::group::Groups;
use crate::hierarchy::Hierarchy;
use crate::lattice::Node;

/// For every column and every pair of levels, which node of the upper level lies above each node of the lower.
#[derive(Debug)]
pub struct Generalization {
    /// `above[column][from][to - from]`
    above: Vec<Vec<Vec<Vec<u32>>>>,
}

/// Up to so many distinct sensitive tuples, a class is merged as a row of a dense matrix.
const DENSE_TUPLES: usize = 256;

/// A matrix takes no more than this many cells.
const DENSE_CELLS: usize = 1 << 22;

impl Generalization {
    /// The tables for these hierarchies, one for each quasi-identifier.
    ///
    /// # Panics
    /// If two values of a column have the same text: then its codes would not be the nodes of level 0.
    pub fn new<'a>(hierarchies: impl IntoIterator<Item = &'a Hierarchy>) -> Self {
        let tables = |hierarchy: &Hierarchy| {
            let levels = hierarchy.levels();
            assert_eq!(levels[0].len(), levels[0].nodes_of_leaves().len(), "every value has a text of its own");
            let from_level = |from: usize| levels[from..].iter().map(|above| levels[from].parents(above)).collect();
            (0..levels.len()).map(from_level).collect()
        };
        Self { above: hierarchies.into_iter().map(tables).collect() }
    }

    /// The table that takes a column's codes from one level to a higher one.
    pub fn table(&self, column: usize, from: u8, to: u8) -> &[u32] {
        &self.above[column][usize::from(from)][usize::from(to - from)]
    }

    /// How many levels a column has.
    pub(super) fn levels(&self, column: usize) -> usize {
        self.above[column].len()
    }

    /// The frequency set at `to`, from the one at `from`, which lies at or below it.
    pub fn roll_up(&self, set: &FrequencySet, from: &Node, to: &Node) -> FrequencySet {
        self.roll_up_and_tell(set, from, to).0
    }

    /// The same, and for each class of `set` the class it became part of.
    pub fn roll_up_and_tell(&self, set: &FrequencySet, from: &Node, to: &Node) -> (FrequencySet, Vec<u32>) {
        debug_assert!(from.is_at_or_below(to));
        let changed = |column: usize| {
            let (from, to) = (from.levels()[column], to.levels()[column]);
            (from < to).then(|| self.table(column, from, to))
        };
        let tables: Vec<Option<&[u32]>> = (0..set.layout().columns()).map(changed).collect();
        let mut groups = Groups::of(set, &tables);
        let tuples = set.sensitive().len();
        let rolled = if set.has_sizes_only() {
            let mut sizes = vec![0; groups.len()];
            groups.class_of.iter().zip(set.sizes()).for_each(|(&class, &size)| sizes[class as usize] += size);
            set.of_sizes(std::mem::take(&mut groups.keys), sizes)
        } else if (1..=DENSE_TUPLES).contains(&tuples) && tuples * groups.len() <= DENSE_CELLS {
            merge_dense(set, &groups)
        } else {
            merge_sparse(set, &groups)
        };
        (rolled, groups.class_of)
    }
}

/// Joins the sensitive tuples of all old classes that fall into the same new one, a matrix row for each.
fn merge_dense(set: &FrequencySet, groups: &Groups) -> FrequencySet {
    let tuples = set.sensitive().len();
    let mut matrix = vec![0u64; tuples * groups.len()];
    for (old, &class) in groups.class_of.iter().enumerate() {
        let row = &mut matrix[class as usize * tuples..][..tuples];
        let (codes, counts) = set.entries(old);
        codes.iter().zip(counts).for_each(|(&code, &count)| row[code as usize] += count);
    }
    let mut rolled = FrequencySet::empty(set.layout().clone(), set.shared_sensitive().clone());
    for (key, row) in groups.keys.chunks_exact(set.layout().words()).zip(matrix.chunks_exact(tuples)) {
        rolled.begin_class(key);
        let present = row.iter().enumerate().filter(|(_, count)| **count > 0);
        present.for_each(|(code, &count)| rolled.push(code as u32, count));
    }
    rolled.finish();
    rolled
}

/// The same where a matrix would be mostly empty: the old classes sorted by their new one, then joined one by one.
fn merge_sparse(set: &FrequencySet, groups: &Groups) -> FrequencySet {
    let (members, starts) = groups.members();
    let mut rolled = FrequencySet::empty(set.layout().clone(), set.shared_sensitive().clone());
    let mut count_of = vec![0u64; set.sensitive().len()];
    let mut touched: Vec<u32> = Vec::new();
    for (class, key) in groups.keys.chunks_exact(set.layout().words()).enumerate() {
        rolled.begin_class(key);
        for &old in &members[starts[class]..starts[class + 1]] {
            let (codes, counts) = set.entries(old as usize);
            for (&code, &count) in codes.iter().zip(counts) {
                if count_of[code as usize] == 0 {
                    touched.push(code);
                }
                count_of[code as usize] += count;
            }
        }
        touched.sort_unstable();
        for code in touched.drain(..) {
            rolled.push(code, std::mem::take(&mut count_of[code as usize]));
        }
    }
    rolled.finish();
    rolled
}

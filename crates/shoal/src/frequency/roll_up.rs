//! What becomes of a frequency set when its columns are generalized further?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::{FrequencySet, KeyLayout};
use crate::hierarchy::Hierarchy;
use crate::lattice::Node;

/// For every column and every pair of levels, which node of the upper level lies above each node of the lower.
#[derive(Debug)]
pub struct Generalization {
    /// `above[column][from][to - from]`
    above: Vec<Vec<Vec<Vec<u32>>>>,
}

impl Generalization {
    /// The tables for these hierarchies, one for each quasi-identifier.
    pub fn new<'a>(hierarchies: impl IntoIterator<Item = &'a Hierarchy>) -> Self {
        let tables = |hierarchy: &Hierarchy| {
            let levels = hierarchy.levels();
            let from_level = |from: usize| levels[from..].iter().map(|above| levels[from].parents(above)).collect();
            (0..levels.len()).map(from_level).collect()
        };
        Self { above: hierarchies.into_iter().map(tables).collect() }
    }

    /// The table that takes a column's codes from one level to a higher one.
    pub fn table(&self, column: usize, from: u8, to: u8) -> &[u32] {
        &self.above[column][usize::from(from)][usize::from(to - from)]
    }

    /// The frequency set at `to`, from the one at `from`, which lies at or below it.
    pub fn roll_up(&self, set: &FrequencySet, from: &Node, to: &Node) -> FrequencySet {
        debug_assert!(from.is_at_or_below(to));
        let tables: Vec<&[u32]> = (0..set.layout().columns())
            .map(|column| self.table(column, from.levels()[column], to.levels()[column]))
            .collect();
        // A key of a known number of words is compared and hashed without a loop.
        match set.layout().words() {
            1 => group::<1>(set, &tables),
            2 => group::<2>(set, &tables),
            3 => group::<3>(set, &tables),
            4 => group::<4>(set, &tables),
            words => group_wide(set, &tables, words),
        }
    }
}

fn group<const WORDS: usize>(set: &FrequencySet, tables: &[&[u32]]) -> FrequencySet {
    let hasher = FixedState::default();
    let mut keys: Vec<[u64; WORDS]> = Vec::new();
    let mut places: HashTable<u32> = HashTable::new();
    let (old_keys, _) = set.keys().as_chunks::<WORDS>();
    let class_of = old_keys.iter().map(|old| {
        let mut key = [0u64; WORDS];
        generalize(set.layout(), tables, old, &mut key);
        let Some(&place) = places.find(hasher.hash_one(key), |&place| keys[place as usize] == key) else {
            let place = keys.len() as u32;
            keys.push(key);
            places.insert_unique(hasher.hash_one(key), place, |&place| hasher.hash_one(keys[place as usize]));
            return place;
        };
        place
    });
    let class_of: Vec<u32> = class_of.collect();
    merge(set, &class_of, keys.as_flattened())
}

/// The same for keys of any width.
fn group_wide(set: &FrequencySet, tables: &[&[u32]], words: usize) -> FrequencySet {
    let mut keys: Vec<u64> = Vec::new();
    let mut places: std::collections::HashMap<Vec<u64>, u32> = std::collections::HashMap::new();
    let mut class_of = Vec::with_capacity(set.classes());
    for old in set.keys().chunks_exact(words) {
        let mut key = vec![0; words];
        generalize(set.layout(), tables, old, &mut key);
        let next = places.len() as u32;
        class_of.push(*places.entry(key).or_insert_with_key(|key| {
            keys.extend_from_slice(key);
            next
        }));
    }
    merge(set, &class_of, &keys)
}

#[inline]
fn generalize(layout: &KeyLayout, tables: &[&[u32]], old: &[u64], new: &mut [u64]) {
    for (column, table) in tables.iter().enumerate() {
        layout.put(new, column, table[layout.code(old, column) as usize]);
    }
}

/// Joins the sensitive tuples of all old classes that fall into the same new one.
fn merge(set: &FrequencySet, class_of: &[u32], keys: &[u64]) -> FrequencySet {
    let words = set.layout().words();
    let classes = keys.len() / words;
    let (members, starts) = members_by_class(class_of, classes);
    let mut rolled = FrequencySet::empty(set.layout().clone(), set.shared_sensitive().clone());
    let mut count_of = vec![0u64; set.sensitive().len()];
    let mut touched: Vec<u32> = Vec::new();
    for class in 0..classes {
        rolled.begin_class(&keys[class * words..][..words]);
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

/// The old classes sorted by their new class (a counting sort), and where each new class's begin.
fn members_by_class(class_of: &[u32], classes: usize) -> (Vec<u32>, Vec<usize>) {
    let mut starts = vec![0usize; classes + 1];
    for &class in class_of {
        starts[class as usize + 1] += 1;
    }
    for class in 0..classes {
        starts[class + 1] += starts[class];
    }
    let mut next = starts.clone();
    let mut members = vec![0u32; class_of.len()];
    for (old, &class) in class_of.iter().enumerate() {
        members[next[class as usize]] = old as u32;
        next[class as usize] += 1;
    }
    (members, starts)
}

//! Which records are in no class yet, and which of them share a class at the next combination of levels?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;

use super::super::draft::Part;
use crate::frequency::{CountedTable, KeyLayout};
use crate::lattice::Node;

/// Records that are in no class yet, by quasi-identifier tuple, smallest first.
#[derive(Debug)]
pub(super) struct Remaining {
    pub(super) parts: Vec<Part>,
    /// Where the parts of each quasi-identifier tuple begin; one more at the end.
    starts: Vec<u32>,
}

/// Quasi-identifier tuples that have the same value at a combination of levels.
#[derive(Debug)]
pub(super) struct Groups {
    /// The tuples, one group after the other, smallest first in each.
    members: Vec<u32>,
    starts: Vec<u32>,
}

impl Groups {
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn members(&self, group: usize) -> &[u32] {
        &self.members[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

impl Remaining {
    /// All records of a table; `shows` says which sensitive tuple each tuple of the table shows.
    pub(super) fn new(table: &CountedTable, shows: impl Fn(u32) -> u32) -> Self {
        let base = &table.base;
        let columns = table.quasi.len();
        let mut order: Vec<u32> = (0..base.classes() as u32).collect();
        let codes = |class: u32| (0..columns).map(move |column| base.code(class as usize, column));
        order.par_sort_unstable_by(|&a, &b| codes(a).cmp(codes(b)));
        let mut parts = Vec::with_capacity(base.tuples());
        for class in order {
            let (tuples, counts) = base.entries(class as usize);
            let first = base.first_entry(class as usize) as u32;
            let entries = (first..).zip(tuples.iter().zip(counts));
            parts.extend(entries.map(|(tuple, (&sensitive, &count))| Part {
                class,
                tuple,
                shows: shows(sensitive),
                count,
            }));
        }
        Self::of_parts(parts)
    }

    /// These parts, those of a quasi-identifier tuple side by side.
    pub(super) fn of_parts(parts: Vec<Part>) -> Self {
        let begins = |place: &u32| *place == 0 || parts[*place as usize - 1].class != parts[*place as usize].class;
        let starts = (0..parts.len() as u32).filter(begins).chain([parts.len() as u32]).collect();
        Self { parts, starts }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The parts of a quasi-identifier tuple.
    pub(super) fn range(&self, member: u32) -> std::ops::Range<usize> {
        self.starts[member as usize] as usize..self.starts[member as usize + 1] as usize
    }

    /// Groups the tuples by their values at a node.
    pub(super) fn groups(&self, table: &CountedTable, node: &Node) -> Groups {
        let levels: Vec<_> = table
            .quasi
            .iter()
            .zip(node.levels())
            .map(|(column, &level)| column.hierarchy.level(usize::from(level)))
            .collect();
        let layout = KeyLayout::new(&levels.iter().map(|level| level.len()).collect::<Vec<_>>());
        let (words, members) = (layout.words(), self.starts.len() - 1);
        let mut keys = vec![0u64; words * members];
        keys.par_chunks_mut(words).with_min_len(1 << 12).enumerate().for_each(|(member, key)| {
            let class = self.parts[self.starts[member] as usize].class as usize;
            for (column, level) in levels.iter().enumerate() {
                layout.put(key, column, level.node_of(table.base.code(class, column)));
            }
        });
        let key = |member: u32| &keys[member as usize * words..][..words];
        let hasher = FixedState::default();
        let mut found: HashTable<(u32, u32)> = HashTable::new();
        let mut sizes: Vec<u32> = Vec::new();
        let mut group_of = Vec::with_capacity(members);
        for member in 0..members as u32 {
            let hash = hasher.hash_one(key(member));
            let same = |&(first, _): &(u32, u32)| key(first) == key(member);
            let rehash = |&(first, _): &(u32, u32)| hasher.hash_one(key(first));
            let new = (member, sizes.len() as u32);
            let group = found.entry(hash, same, rehash).or_insert(new).get().1;
            if group == new.1 {
                sizes.push(0);
            }
            sizes[group as usize] += 1;
            group_of.push(group);
        }
        Groups::new(&group_of, &sizes)
    }
}

impl Groups {
    /// From the group of each member and how many members each has.
    fn new(group_of: &[u32], sizes: &[u32]) -> Self {
        let mut starts = Vec::with_capacity(sizes.len() + 1);
        starts.push(0);
        sizes.iter().for_each(|size| starts.push(starts[starts.len() - 1] + size));
        let mut next = starts.clone();
        let mut members = vec![0; group_of.len()];
        for (member, &group) in group_of.iter().enumerate() {
            members[next[group as usize] as usize] = member as u32;
            next[group as usize] += 1;
        }
        Self { members, starts }
    }
}

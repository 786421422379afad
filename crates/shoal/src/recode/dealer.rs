//! Where does the next row go, when rows with the same values go to different classes?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::Place;
use crate::frequency::CountedTable;
use crate::method::{Assignment, Partition};

/// Gives each row that streams by its place, in the order of the assignments, until all are taken.
#[derive(Debug)]
pub struct Dealer<'a> {
    columns: usize,
    /// The codes of every tuple, one tuple after the other.
    codes: Vec<u32>,
    assignments: &'a [Assignment],
    /// Where the assignments of each tuple begin; one more at the end.
    starts: Vec<u32>,
    tuples: HashTable<u32>,
    hasher: FixedState,
    /// For each tuple, the assignment that is being filled and how many of its places are taken.
    next: Vec<(u32, u64)>,
}

impl<'a> Dealer<'a> {
    pub(super) fn new(table: &CountedTable, partition: &'a Partition) -> Self {
        let count = table.base.tuples();
        let mut starts = vec![0u32; count + 1];
        for assignment in &partition.assignments {
            starts[assignment.tuple as usize + 1] += 1;
        }
        for tuple in 0..count {
            starts[tuple + 1] += starts[tuple];
        }
        let columns = table.quasi.len() + table.sensitive.len();
        let mut codes = Vec::with_capacity(count * columns);
        table.each_tuple(0..table.base.classes(), |tuple, _| codes.extend_from_slice(tuple));
        let hasher = FixedState::default();
        let of_tuple = |tuple: u32| &codes[tuple as usize * columns..][..columns];
        let mut tuples = HashTable::with_capacity(count);
        for tuple in 0..count as u32 {
            tuples.insert_unique(hasher.hash_one(of_tuple(tuple)), tuple, |&tuple| hasher.hash_one(of_tuple(tuple)));
        }
        let next = starts[..count].iter().map(|&start| (start, 0)).collect();
        Self { columns, codes, assignments: &partition.assignments, starts, tuples, hasher, next }
    }

    /// The place of the next row with these codes.
    pub fn deal(&mut self, codes: &[u32]) -> Place {
        let hash = self.hasher.hash_one(codes);
        let is_it = |&tuple: &u32| &self.codes[tuple as usize * self.columns..][..self.columns] == codes;
        let Some(&tuple) = self.tuples.find(hash, is_it) else { return Place::Nowhere };
        let end = self.starts[tuple as usize + 1];
        let (at, taken) = &mut self.next[tuple as usize];
        while *at < end && *taken == self.assignments[*at as usize].count {
            (*at, *taken) = (*at + 1, 0);
        }
        if *at == end {
            return Place::Nowhere;
        }
        *taken += 1;
        Place::of(&self.assignments[*at as usize])
    }
}

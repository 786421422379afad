//! Where does the next row go, when rows with the same values go to different classes?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};

use super::Place;
use crate::frequency::CountedTable;
use crate::method::{Assignment, Partition};

/// Knows the places of each tuple. Most have one only, and rows find it on all threads at once; the others wait until they
/// are dealt theirs.
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
}

/// In which order rows that wait come to be dealt their places: those who come first get the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dealing {
    /// In that of the table, which the release keeps.
    InOrder,
    /// In any: they show nothing but what was counted, so that nobody can tell one from another.
    AsTheyCome,
    /// In that of a hash of what they show besides ([`OwnHash`](super::OwnHash)), which a [`RowOrder`](super::RowOrder) brings them into.
    /// So a row's place is a function of the rows of the table, wherever they stand in it, and tells nothing of that.
    ByWhatTheyShow,
}

/// What has been dealt so far: for each tuple with several places, which is being filled, and how many of it are taken.
#[derive(Debug, Default)]
pub struct Dealt {
    filling: HashMap<u32, (u32, u64)>,
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
        let columns = table.tuple_width();
        let mut codes = Vec::with_capacity(count * columns);
        table.each_tuple(0..table.base.classes(), |tuple, _| codes.extend_from_slice(tuple));
        let hasher = FixedState::default();
        let of_tuple = |tuple: u32| &codes[tuple as usize * columns..][..columns];
        let mut tuples = HashTable::with_capacity(count);
        for tuple in 0..count as u32 {
            tuples.insert_unique(hasher.hash_one(of_tuple(tuple)), tuple, |&tuple| hasher.hash_one(of_tuple(tuple)));
        }
        Self { columns, codes, assignments: &partition.assignments, starts, tuples, hasher }
    }

    /// The place of a row with these codes, or that it waits for one.
    #[inline]
    pub fn find(&self, codes: &[u32]) -> Place {
        let hash = self.hasher.hash_one(codes);
        let is_it = |&tuple: &u32| self.codes(tuple) == codes;
        let Some(&tuple) = self.tuples.find(hash, is_it) else { return Place::Nowhere };
        match self.of_tuple(tuple) {
            [] => Place::Nowhere,
            [only] => Place::of(only),
            _ => Place::Waiting { tuple },
        }
    }

    fn of_tuple(&self, tuple: u32) -> &'a [Assignment] {
        &self.assignments[self.starts[tuple as usize] as usize..self.starts[tuple as usize + 1] as usize]
    }

    /// The codes of a tuple.
    pub fn codes(&self, tuple: u32) -> &[u32] {
        &self.codes[tuple as usize * self.columns..][..self.columns]
    }

    /// The next place of a tuple that has several.
    pub fn deal(&self, tuple: u32, dealt: &mut Dealt) -> Place {
        let places = self.of_tuple(tuple);
        let (at, taken) = dealt.filling.entry(tuple).or_default();
        while let Some(place) = places.get(*at as usize) {
            if *taken < place.count {
                *taken += 1;
                return Place::of(place);
            }
            (*at, *taken) = (*at + 1, 0);
        }
        Place::Nowhere
    }
}

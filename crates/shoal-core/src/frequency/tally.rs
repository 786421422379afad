//! How often does each key occur, when there may be about as many keys as rows?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use rayon::prelude::*;

use super::tuple_key::TupleKey;
use crate::spill::sum_up;

/// Counts keys. Those seen lately are counted in a table that fits into the processor's cache; when it is full it is
/// emptied into a list, in which a key may then stand more than once until the list is sorted and summed up.
#[derive(Debug)]
pub(super) struct Tally<K> {
    recent: HashTable<(K, u64)>,
    hasher: FixedState,
    /// How many keys the table may hold, and how many rows it has counted since it was emptied.
    limit: usize,
    counted: usize,
    /// How many keys it may ever hold.
    most: usize,
    entries: Vec<(K, u64)>,
    /// The length of the list at which it is summed up, for the sake of memory.
    sum_up_at: usize,
}

/// A table of so many keys stays in the cache of a processor.
const SMALL: usize = (1 << 15) / 8 * 7;
const LONG: usize = 1 << 24;

impl<K: TupleKey> Tally<K> {
    /// A tally whose table holds at most so many keys.
    pub(super) fn new(most: usize) -> Self {
        Self::with_limits(SMALL.min(most), most, LONG)
    }

    fn with_limits(limit: usize, most: usize, sum_up_at: usize) -> Self {
        let (recent, hasher) = (HashTable::new(), FixedState::default());
        Self { recent, hasher, limit, counted: 0, most, entries: Vec::new(), sum_up_at }
    }

    #[inline]
    pub(super) fn add(&mut self, key: K, times: u64) {
        self.counted += 1;
        let hasher = &self.hasher;
        let hash = hasher.hash_one(&key);
        if let Some((_, count)) = self.recent.find_mut(hash, |(other, _)| *other == key) {
            *count += times;
            return;
        }
        if self.recent.len() >= self.limit {
            self.make_room();
        }
        self.recent.insert_unique(hash, (key, times), |(key, _)| self.hasher.hash_one(key));
    }

    fn make_room(&mut self) {
        // Where most rows find their key in the table, a larger table is worth its memory.
        if self.counted / 2 >= self.recent.len() && self.limit <= self.most / 2 {
            self.limit *= 2;
            return;
        }
        self.empty_table();
        if self.entries.len() >= self.sum_up_at {
            sum_up(&mut self.entries);
            self.sum_up_at = self.sum_up_at.max(2 * self.entries.len());
        }
    }

    fn empty_table(&mut self) {
        self.entries.extend(self.recent.drain());
        self.counted = 0;
    }

    /// The memory it takes where a key and its count take so many bytes.
    pub(super) fn bytes(&self, entry: usize) -> usize {
        entry * self.entries.len() + (entry + 1) * self.recent.capacity()
    }

    /// All keys, each once, in their order; what is done with the list afterwards, it is counted on.
    pub(super) fn summed_up(&mut self) -> &mut Vec<(K, u64)> {
        self.empty_table();
        sum_up(&mut self.entries);
        &mut self.entries
    }

    /// All keys, some perhaps more than once.
    pub(super) fn into_entries(mut self) -> Vec<(K, u64)> {
        self.empty_table();
        self.entries
    }

    /// The same counts for keys that are written another way.
    pub(super) fn map<L: TupleKey>(self, map: impl Fn(&K) -> L + Sync) -> Tally<L> {
        let (limit, most, sum_up_at) = (self.limit, self.most, self.sum_up_at);
        let entries = self.into_entries().into_par_iter().map(|(key, count)| (map(&key), count)).collect();
        Tally { entries, ..Tally::with_limits(limit, most, sum_up_at) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nothing_is_lost_whatever_the_limits(
            keys in prop::collection::vec(0u64..50, 0..400),
            limit in 1usize..20,
            sum_up_at in 1usize..100,
        ) {
            let (mut tally, mut slow) = (Tally::with_limits(limit, 4 * limit, sum_up_at), BTreeMap::new());
            for key in keys {
                tally.add(key, 1);
                *slow.entry(key).or_insert(0u64) += 1;
            }
            let mut entries = tally.into_entries();
            sum_up(&mut entries);
            prop_assert_eq!(entries, slow.into_iter().collect::<Vec<_>>());
        }
    }
}

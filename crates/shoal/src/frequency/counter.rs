//! Which tuples pass by in a stream of rows, and how often each?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::{FrequencySet, KeyLayout, SensitiveTuples};

/// Counts tuples of codes as they stream by; the codes may be provisional, since a dictionary is complete
/// only at the end.
#[derive(Debug)]
pub struct TupleCounter {
    columns: usize,
    codes: Vec<u32>,
    counts: Vec<u64>,
    places: HashTable<u32>,
    hasher: FixedState,
}

impl TupleCounter {
    /// A counter of tuples with this many columns.
    pub fn new(columns: usize) -> Self {
        Self { columns, codes: Vec::new(), counts: Vec::new(), places: HashTable::new(), hasher: FixedState::default() }
    }

    /// Counts one more row.
    pub fn add(&mut self, tuple: &[u32]) {
        debug_assert_eq!(tuple.len(), self.columns);
        let Self { columns, codes, counts, places, hasher } = self;
        let at = |place: u32| &codes[place as usize * *columns..][..*columns];
        let hash = hasher.hash_one(tuple);
        if let Some(&place) = places.find(hash, |&place| at(place) == tuple) {
            counts[place as usize] += 1;
            return;
        }
        let place = u32::try_from(counts.len()).expect("fewer than 2^32 distinct tuples fit into memory");
        places.insert_unique(hash, place, |&place| hasher.hash_one(at(place)));
        codes.extend_from_slice(tuple);
        counts.push(1);
    }

    /// How many distinct tuples were seen so far.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Was nothing counted yet?
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The frequency set, after each column's codes were renamed to its final ones. The first `quasi` columns
    /// are the quasi-identifiers, the others sensitive; `domain_sizes` has the number of codes of each.
    pub fn finish(mut self, quasi: usize, renamed: &[Vec<u32>], domain_sizes: &[usize]) -> FrequencySet {
        let columns = self.columns;
        if columns > 0 {
            for tuple in self.codes.chunks_exact_mut(columns) {
                for (code, names) in tuple.iter_mut().zip(renamed) {
                    *code = names[*code as usize];
                }
            }
        }
        let tuple = |place: usize| &self.codes[place * columns..][..columns];
        let mut order: Vec<usize> = (0..self.counts.len()).collect();
        order.sort_unstable_by_key(|&place| &tuple(place)[quasi..]);
        let mut sensitive: Vec<u32> = Vec::new();
        let mut code_of = vec![0u32; self.counts.len()];
        for (code, group) in order.chunk_by(|&a, &b| tuple(a)[quasi..] == tuple(b)[quasi..]).enumerate() {
            sensitive.extend_from_slice(&tuple(group[0])[quasi..]);
            group.iter().for_each(|&place| code_of[place] = code as u32);
        }
        let tuples = SensitiveTuples::new(columns - quasi, sensitive);
        order.sort_unstable_by_key(|&place| tuple(place));
        let layout = KeyLayout::new(&domain_sizes[..quasi]);
        let rows = order.iter().map(|&place| (&tuple(place)[..quasi], code_of[place], self.counts[place]));
        FrequencySet::from_sorted(layout, tuples, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_are_counted_together_in_the_final_order() {
        let mut counter = TupleCounter::new(2);
        for row in [[0, 0], [1, 1], [0, 0], [0, 1]] {
            counter.add(&row);
        }
        // The first column's provisional codes are the reverse of the final ones.
        let set = counter.finish(1, &[vec![1, 0], vec![0, 1]], &[2, 2]);
        assert_eq!(set.classes(), 2);
        assert_eq!(set.rows(), 4);
        assert_eq!(set.class(0).counts(0).iter().collect::<Vec<_>>(), [(1, 1)]);
        assert_eq!(set.class(1).counts(0).iter().collect::<Vec<_>>(), [(0, 2), (1, 1)]);
    }
}

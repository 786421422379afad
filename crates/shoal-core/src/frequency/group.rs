//! Which classes of a frequency set become one when their keys are generalized?

use std::collections::HashMap;

use super::FrequencySet;

/// The new keys, and for each old class the place of its new key.
#[derive(Debug)]
pub(super) struct Groups {
    pub(super) keys: Vec<u64>,
    pub(super) class_of: Vec<u32>,
    words: usize,
}

impl Groups {
    /// Generalizes the keys of a set by a table for each column that changes, and groups them.
    pub(super) fn of(set: &FrequencySet, tables: &[Option<&[u32]>]) -> Self {
        // A key of a known number of words is compared and hashed without a loop.
        match set.layout().words() {
            1 => group::<1>(set, tables),
            2 => group::<2>(set, tables),
            3 => group::<3>(set, tables),
            4 => group::<4>(set, tables),
            words => group_wide(set, tables, words),
        }
    }

    /// How many new classes there are.
    pub(super) fn len(&self) -> usize {
        self.keys.len() / self.words
    }

    /// The old classes sorted by their new class (a counting sort), and where each new class's begin.
    pub(super) fn members(&self) -> (Vec<u32>, Vec<usize>) {
        let mut starts = vec![0usize; self.len() + 1];
        for &class in &self.class_of {
            starts[class as usize + 1] += 1;
        }
        for class in 0..self.len() {
            starts[class + 1] += starts[class];
        }
        let mut next = starts.clone();
        let mut members = vec![0u32; self.class_of.len()];
        for (old, &class) in self.class_of.iter().enumerate() {
            members[next[class as usize]] = old as u32;
            next[class as usize] += 1;
        }
        (members, starts)
    }
}

/// No key is at this place yet.
const EMPTY: u32 = u32::MAX;

/// Open addressing with linear probing, at most half full. The table never grows: there are no more new keys than old.
fn group<const WORDS: usize>(set: &FrequencySet, tables: &[Option<&[u32]>]) -> Groups {
    let replacement = set.layout().replacement(tables);
    let (old_keys, _) = set.keys().as_chunks::<WORDS>();
    let bits = (2 * old_keys.len()).next_power_of_two().trailing_zeros().max(4);
    let mask = (1usize << bits) - 1;
    let mut places = vec![EMPTY; mask + 1];
    let mut keys: Vec<[u64; WORDS]> = Vec::new();
    let mut class_of = Vec::with_capacity(old_keys.len());
    for old in old_keys {
        let key = replacement.apply(old);
        let mut at = hash(&key) >> (u64::BITS - bits);
        let class = loop {
            match places[at as usize & mask] {
                EMPTY => {
                    places[at as usize & mask] = keys.len() as u32;
                    keys.push(key);
                    break keys.len() as u32 - 1;
                }
                class if keys[class as usize] == key => break class,
                _ => at += 1,
            }
        };
        class_of.push(class);
    }
    Groups { keys: keys.as_flattened().to_vec(), class_of, words: WORDS }
}

/// Multiplication by an odd constant (2^64 over the golden ratio) spreads every bit upwards; the upper bits are used.
#[inline]
fn hash<const WORDS: usize>(key: &[u64; WORDS]) -> u64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    key.iter().fold(0, |hash: u64, &word| (hash.rotate_left(29) ^ word ^ (word >> 32)).wrapping_mul(GOLDEN))
}

/// The same for keys of any width.
fn group_wide(set: &FrequencySet, tables: &[Option<&[u32]>], words: usize) -> Groups {
    let replacement = set.layout().replacement(tables);
    let mut keys: Vec<u64> = Vec::new();
    let mut places: HashMap<Vec<u64>, u32> = HashMap::new();
    let mut class_of = Vec::with_capacity(set.classes());
    let mut key = Vec::with_capacity(words);
    for old in set.keys().chunks_exact(words) {
        replacement.apply_wide(old, &mut key);
        let next = places.len() as u32;
        class_of.push(*places.entry(key.clone()).or_insert_with_key(|key| {
            keys.extend_from_slice(key);
            next
        }));
    }
    Groups { keys, class_of, words }
}

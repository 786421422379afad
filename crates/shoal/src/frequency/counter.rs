//! Which tuples pass by in a stream of rows, and how often each?

use std::sync::Arc;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::tally::{Tally, sum_up};
use super::tuple_key::{TupleKey, TupleLayout};
use super::{FrequencySet, KeyLayout, SensitiveTuples};

/// Counts tuples of codes as they stream by; the codes may be provisional, since a dictionary is complete
/// only at the end.
#[derive(Debug)]
pub struct TupleCounter {
    /// The number of codes that each column has room for.
    room: Vec<u32>,
    layout: TupleLayout,
    keys: Keys,
}

/// The narrowest keys that tuples fit into.
#[derive(Debug)]
enum Keys {
    Word(Tally<u64>),
    TwoWords(Tally<u128>),
    Wide(Tally<Box<[u32]>>),
}

impl TupleCounter {
    /// A counter of tuples with this many columns.
    pub fn new(columns: usize) -> Self {
        let room = vec![1; columns];
        Self { layout: TupleLayout::new(room.iter().map(|_| 1)), room, keys: Keys::Word(Tally::new()) }
    }

    /// Counts one more row.
    #[inline]
    pub fn add(&mut self, tuple: &[u32]) {
        debug_assert_eq!(tuple.len(), self.room.len());
        if tuple.iter().zip(&self.room).any(|(code, room)| code >= room) {
            self.make_room(tuple);
        }
        match &mut self.keys {
            Keys::Word(tally) => tally.add(TupleKey::pack(tuple, &self.layout)),
            Keys::TwoWords(tally) => tally.add(TupleKey::pack(tuple, &self.layout)),
            Keys::Wide(tally) => tally.add(TupleKey::pack(tuple, &self.layout)),
        }
    }

    /// Gives the columns whose codes have become too large all the codes of one more bit, so that this happens rarely.
    #[cold]
    fn make_room(&mut self, tuple: &[u32]) {
        for (room, &code) in self.room.iter_mut().zip(tuple).filter(|(room, code)| **code >= **room) {
            *room = code.saturating_add(1).checked_next_power_of_two().unwrap_or(u32::MAX);
        }
        let layout = TupleLayout::new(self.room.iter().map(|&room| room as usize));
        let old = std::mem::replace(&mut self.layout, layout);
        let keys = std::mem::replace(&mut self.keys, Keys::Word(Tally::new()));
        let (columns, layout) = (self.room.len(), &self.layout);
        self.keys = match keys {
            Keys::Word(tally) => repacked(tally, columns, &old, layout),
            Keys::TwoWords(tally) => repacked(tally, columns, &old, layout),
            Keys::Wide(tally) => repacked(tally, columns, &old, layout),
        };
    }

    /// The frequency set, after each column's codes were renamed to its final ones. The first `quasi` columns
    /// are the quasi-identifiers, the others sensitive; `domain_sizes` has the number of codes of each.
    pub fn finish(self, quasi: usize, renamed: &[Vec<u32>], domain_sizes: &[usize]) -> FrequencySet {
        Self::finish_all(vec![(self, renamed.to_vec())], quasi, domain_sizes)
    }

    /// The frequency set of all that several counters have counted, each with its own provisional codes.
    pub fn finish_all(counters: Vec<(Self, Vec<Vec<u32>>)>, quasi: usize, domain_sizes: &[usize]) -> FrequencySet {
        let layout = TupleLayout::new(domain_sizes.iter().copied());
        match layout.bits() {
            0..=64 => frequency_set::<u64>(counters, quasi, domain_sizes, &layout),
            65..=128 => frequency_set::<u128>(counters, quasi, domain_sizes, &layout),
            _ => frequency_set::<Box<[u32]>>(counters, quasi, domain_sizes, &layout),
        }
    }

    /// Appends the counted tuples under their final names.
    fn append_renamed<K: TupleKey>(self, renamed: &[Vec<u32>], layout: &TupleLayout, entries: &mut Vec<(K, u64)>) {
        fn append<A: TupleKey, B: TupleKey>(
            tally: Tally<A>,
            (old, layout): (&TupleLayout, &TupleLayout),
            renamed: &[Vec<u32>],
            entries: &mut Vec<(B, u64)>,
        ) {
            let rename = |codes: &mut Vec<u32>, (key, count): (A, u64)| {
                key.unpack(old, codes);
                codes.iter_mut().zip(renamed).for_each(|(code, names)| *code = names[*code as usize]);
                (B::pack(codes, layout), count)
            };
            entries.par_extend(tally.into_entries().into_par_iter().map_init(|| vec![0; renamed.len()], rename));
        }
        let layouts = (&self.layout, layout);
        match self.keys {
            Keys::Word(tally) => append(tally, layouts, renamed, entries),
            Keys::TwoWords(tally) => append(tally, layouts, renamed, entries),
            Keys::Wide(tally) => append(tally, layouts, renamed, entries),
        }
    }
}

fn repacked<K: TupleKey>(tally: Tally<K>, columns: usize, old: &TupleLayout, new: &TupleLayout) -> Keys {
    fn repack<A: TupleKey, B: TupleKey>(key: &A, columns: usize, old: &TupleLayout, new: &TupleLayout) -> B {
        let mut codes = vec![0; columns];
        key.unpack(old, &mut codes);
        B::pack(&codes, new)
    }
    match new.bits() {
        0..=64 => Keys::Word(tally.map(|key| repack(key, columns, old, new))),
        65..=128 => Keys::TwoWords(tally.map(|key| repack(key, columns, old, new))),
        _ => Keys::Wide(tally.map(|key| repack(key, columns, old, new))),
    }
}

fn frequency_set<K: TupleKey>(
    counters: Vec<(TupleCounter, Vec<Vec<u32>>)>,
    quasi: usize,
    domain_sizes: &[usize],
    layout: &TupleLayout,
) -> FrequencySet {
    let mut entries: Vec<(K, u64)> = Vec::new();
    for (counter, renamed) in counters {
        counter.append_renamed(&renamed, layout, &mut entries);
    }
    sum_up(&mut entries);
    let columns = domain_sizes.len();
    let mut codes = vec![0; columns];
    let (tuples, code_of) = sensitive_tuples(&entries, quasi, columns, layout);
    let key_layout = KeyLayout::new(&domain_sizes[..quasi]);
    let mut set = FrequencySet::empty(Arc::new(key_layout), Arc::new(tuples));
    let (mut key, mut previous) = (vec![0; set.layout().words()], None);
    for (tuple, count) in &entries {
        tuple.unpack(layout, &mut codes);
        key.fill(0);
        for (column, &code) in codes[..quasi].iter().enumerate() {
            set.layout().put(&mut key, column, code);
        }
        if previous.as_ref() != Some(&key) {
            set.begin_class(&key);
            previous.get_or_insert_with(|| key.clone()).copy_from_slice(&key);
        }
        set.push(code_of.get(&codes[quasi..]).copied().unwrap_or(0), *count);
    }
    set.finish();
    set
}

/// The distinct sensitive tuples, sorted, and the code of each; where no column is sensitive all share the empty one.
fn sensitive_tuples<K: TupleKey>(
    entries: &[(K, u64)],
    quasi: usize,
    columns: usize,
    layout: &TupleLayout,
) -> (SensitiveTuples, HashMap<Vec<u32>, u32>) {
    let mut code_of: HashMap<Vec<u32>, u32> = HashMap::new();
    if quasi < columns {
        let mut codes = vec![0; columns];
        for (tuple, _) in entries {
            tuple.unpack(layout, &mut codes);
            if !code_of.contains_key(&codes[quasi..]) {
                code_of.insert(codes[quasi..].to_vec(), 0);
            }
        }
    }
    let mut distinct: Vec<Vec<u32>> = code_of.keys().cloned().collect();
    distinct.sort_unstable();
    for (code, tuple) in distinct.iter().enumerate() {
        code_of.insert(tuple.clone(), code as u32);
    }
    (SensitiveTuples::new(columns - quasi, distinct.concat()), code_of)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

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

    /// (quasi-identifier codes, sensitive codes, rows) of every tuple of a set, in its order.
    fn listed(set: &FrequencySet) -> Vec<(Vec<u32>, Vec<u32>, u64)> {
        let mut list = Vec::new();
        for class in 0..set.classes() {
            let quasi: Vec<u32> = (0..set.layout().columns()).map(|column| set.code(class, column)).collect();
            let (tuples, counts) = set.entries(class);
            for (&tuple, &count) in tuples.iter().zip(counts) {
                list.push((quasi.clone(), set.sensitive().tuple(tuple).to_vec(), count));
            }
        }
        list
    }

    /// Rows of a few columns, from narrow ones to ones so wide that no integer holds a tuple.
    fn rows() -> impl Strategy<Value = (usize, usize, Vec<Vec<u32>>)> {
        (1usize..7, prop::sample::select(vec![2u32, 300, 1 << 20, 1 << 30])).prop_flat_map(|(columns, domain)| {
            let row = prop::collection::vec(prop_oneof![0..2u32, 0..domain], columns);
            (Just(columns), 0..=columns, prop::collection::vec(row, 0..60))
        })
    }

    proptest! {
        #[test]
        fn counters_find_what_a_sorted_map_finds((columns, quasi, rows) in rows(), split in 0usize..60) {
            // Provisional codes by appearance, as dictionaries give them, so that the domain is dense.
            let mut distinct: Vec<Vec<u32>> = vec![Vec::new(); columns];
            rows.iter().for_each(|row| row.iter().zip(&mut distinct).for_each(|(&code, seen)| seen.push(code)));
            distinct.iter_mut().for_each(|seen| { seen.sort_unstable(); seen.dedup(); });
            let finals = |column: usize, code: u32| distinct[column].binary_search(&code).unwrap() as u32;
            let mut slow = BTreeMap::new();
            for row in &rows {
                let row: Vec<u32> = row.iter().enumerate().map(|(column, &code)| finals(column, code)).collect();
                *slow.entry(row).or_insert(0u64) += 1;
            }
            let expected: Vec<_> =
                slow.into_iter().map(|(row, count)| (row[..quasi].to_vec(), row[quasi..].to_vec(), count)).collect();

            let (first, second) = rows.split_at(split.min(rows.len()));
            let counters = [first, second].map(|rows| {
                let mut counter = TupleCounter::new(columns);
                let mut names: Vec<Vec<u32>> = vec![Vec::new(); columns];
                for row in rows {
                    let provisional: Vec<u32> = row.iter().enumerate().map(|(column, &code)| {
                        let name = finals(column, code);
                        let seen = names[column].iter().position(|&known| known == name);
                        seen.unwrap_or_else(|| { names[column].push(name); names[column].len() - 1 }) as u32
                    }).collect();
                    counter.add(&provisional);
                }
                (counter, names)
            });
            let sizes: Vec<usize> = distinct.iter().map(Vec::len).collect();
            prop_assert_eq!(listed(&TupleCounter::finish_all(counters.into(), quasi, &sizes)), expected);
        }

        #[test]
        fn codes_of_any_size_find_room((columns, _, rows) in rows()) {
            let mut counter = TupleCounter::new(columns);
            let mut slow = BTreeMap::new();
            for row in &rows {
                counter.add(row);
                *slow.entry(row.clone()).or_insert(0u64) += 1;
            }
            fn unpacked<K: TupleKey>(tally: Tally<K>, columns: usize, layout: &TupleLayout) -> Vec<(Vec<u32>, u64)> {
                let mut entries = tally.into_entries();
                sum_up(&mut entries);
                let unpack = |(key, count): &(K, u64)| {
                    let mut codes = vec![0; columns];
                    key.unpack(layout, &mut codes);
                    (codes, *count)
                };
                entries.iter().map(unpack).collect()
            }
            let found = match counter.keys {
                Keys::Word(tally) => unpacked(tally, columns, &counter.layout),
                Keys::TwoWords(tally) => unpacked(tally, columns, &counter.layout),
                Keys::Wide(tally) => unpacked(tally, columns, &counter.layout),
            };
            prop_assert_eq!(found, slow.into_iter().collect::<Vec<_>>());
        }
    }
}

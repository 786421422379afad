//! Which tuples pass by in a stream of rows, and how often each?

use rayon::prelude::*;

use super::FrequencySet;
use super::assembly::Assembly;
use super::spilled::{self, Spilled};
use super::tally::Tally;
use super::tuple_key::{TupleKey, TupleLayout};
use crate::spill::{MemoryLimit, sum_up};
use crate::{Error, Result};

/// Counts tuples of codes as they stream by; the codes may be provisional, since a dictionary is complete
/// only at the end.
#[derive(Debug)]
pub struct TupleCounter {
    /// The number of codes that each column has room for.
    room: Vec<u32>,
    layout: TupleLayout,
    keys: Keys,
    limit: Option<MemoryLimit>,
    /// What was put away for the sake of memory.
    spilled: Option<Spilled>,
    /// Why that failed, until somebody can be told.
    failure: Option<Error>,
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
        Self::within(columns, None)
    }

    /// A counter that puts away what exceeds its thread's share of a limit, when it is told to.
    pub fn within(columns: usize, limit: Option<MemoryLimit>) -> Self {
        let (room, layout) = (vec![1; columns], TupleLayout::new(vec![1; columns]));
        // A table is kept small beside the list it is emptied into, but keeps some keys however small the limit.
        let most = limit.as_ref().map_or(usize::MAX, |limit| (limit.share() / 16 / size_of::<(u64, u64)>()).max(16));
        Self { layout, room, keys: Keys::Word(Tally::new(most)), limit, spilled: None, failure: None }
    }

    /// Counts one more row.
    #[inline]
    pub fn add(&mut self, tuple: &[u32]) {
        self.add_times(tuple, 1);
    }

    /// Counts so many more equal rows.
    #[inline]
    pub fn add_times(&mut self, tuple: &[u32], times: u64) {
        debug_assert_eq!(tuple.len(), self.room.len());
        if tuple.iter().zip(&self.room).any(|(code, room)| code >= room) {
            self.make_room(tuple);
        }
        match &mut self.keys {
            Keys::Word(tally) => tally.add(TupleKey::pack(tuple, &self.layout), times),
            Keys::TwoWords(tally) => tally.add(TupleKey::pack(tuple, &self.layout), times),
            Keys::Wide(tally) => tally.add(TupleKey::pack(tuple, &self.layout), times),
        }
    }

    /// Gives the columns whose codes have become too large all the codes of one more bit, so that this happens rarely.
    #[cold]
    fn make_room(&mut self, tuple: &[u32]) {
        for (room, &code) in self.room.iter_mut().zip(tuple).filter(|(room, code)| **code >= **room) {
            *room = code.saturating_add(1).checked_next_power_of_two().unwrap_or(u32::MAX);
        }
        // While the keys are packed anew they are in memory twice.
        if self.exceeds(self.share() / 4)
            && let Err(error) = self.spill()
        {
            self.failure.get_or_insert(error);
        }
        let layout = TupleLayout::new(self.room.iter().map(|&room| room as usize));
        let old = std::mem::replace(&mut self.layout, layout);
        let keys = std::mem::replace(&mut self.keys, Keys::Word(Tally::new(0)));
        let (columns, layout) = (self.room.len(), &self.layout);
        self.keys = match keys {
            Keys::Word(tally) => repacked(tally, columns, &old, layout),
            Keys::TwoWords(tally) => repacked(tally, columns, &old, layout),
            Keys::Wide(tally) => repacked(tally, columns, &old, layout),
        };
    }

    fn share(&self) -> usize {
        self.limit.as_ref().map_or(usize::MAX, MemoryLimit::share)
    }

    fn exceeds(&self, bytes: usize) -> bool {
        self.bytes() > bytes
    }

    /// How much memory it takes, near enough.
    fn bytes(&self) -> usize {
        fn bytes<K: TupleKey>(tally: &Tally<K>, layout: &TupleLayout) -> usize {
            tally.bytes(K::bytes_in_list(K::width(layout)))
        }
        match &self.keys {
            Keys::Word(tally) => bytes(tally, &self.layout),
            Keys::TwoWords(tally) => bytes(tally, &self.layout),
            Keys::Wide(tally) => bytes(tally, &self.layout),
        }
    }

    /// Puts away what was counted if it takes more than a thread's share of the memory, of which others take some
    /// bytes. To be called every few thousand rows.
    pub fn spill_if_large(&mut self, others: usize) -> Result<()> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let share = self.share();
        let most = share.saturating_sub(others).max(share / 8);
        if !self.exceeds(most) {
            return Ok(());
        }
        match &mut self.keys {
            Keys::Word(tally) => _ = tally.summed_up(),
            Keys::TwoWords(tally) => _ = tally.summed_up(),
            Keys::Wide(tally) => _ = tally.summed_up(),
        }
        // Where keys occur often, that made room enough.
        if self.exceeds(most / 2) { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> Result<()> {
        fn write<K: TupleKey>(tally: &mut Tally<K>, layout: &TupleLayout, spilled: &mut Spilled) -> Result<()> {
            let entries = tally.summed_up();
            spilled.write(entries, layout)?;
            entries.clear();
            Ok(())
        }
        let Some(limit) = &self.limit else { return Ok(()) };
        let spilled = match &mut self.spilled {
            Some(spilled) => spilled,
            none => none.insert(Spilled::new(limit)?),
        };
        match &mut self.keys {
            Keys::Word(tally) => write(tally, &self.layout, spilled),
            Keys::TwoWords(tally) => write(tally, &self.layout, spilled),
            Keys::Wide(tally) => write(tally, &self.layout, spilled),
        }
    }

    /// All that was counted, put away.
    fn into_spilled(mut self, limit: &MemoryLimit) -> Result<Spilled> {
        self.limit = Some(limit.clone());
        self.spill()?;
        self.failure.map_or(Ok(()), Err)?;
        self.spilled.map_or_else(|| Spilled::new(limit), Ok)
    }

    /// The frequency set, after each column's codes were renamed to its final ones. The first `quasi` columns
    /// are the quasi-identifiers, the others sensitive; `domain_sizes` has the number of codes of each.
    pub fn finish(self, quasi: usize, renamed: &[Vec<u32>], domain_sizes: &[usize]) -> FrequencySet {
        assert!(self.limit.is_none(), "a counter with a limit is finished by `finish_all`");
        Self::finish_in_memory(vec![(self, renamed.to_vec())], quasi, domain_sizes)
    }

    /// The frequency set of all that several counters have counted, each with its own provisional codes, within a limit if
    /// they had one.
    pub fn finish_all(
        counters: Vec<(Self, Vec<Vec<u32>>)>,
        quasi: usize,
        domain_sizes: &[usize],
        limit: Option<&MemoryLimit>,
    ) -> Result<FrequencySet> {
        // What is in memory is there twice while it is renamed, and then once more as the set.
        let fits = |limit: &&MemoryLimit| {
            counters.iter().all(|(counter, _)| counter.spilled.is_none() && counter.failure.is_none())
                && counters.iter().map(|(counter, _)| counter.bytes()).sum::<usize>() <= limit.bytes() / 4
        };
        let Some(limit) = limit.filter(|limit| !fits(limit)) else {
            return Ok(Self::finish_in_memory(counters, quasi, domain_sizes));
        };
        let spilled = counters.into_iter().map(|(counter, names)| Ok((counter.into_spilled(limit)?, names)));
        let spilled = spilled.collect::<Result<_>>()?;
        let layout = TupleLayout::new(domain_sizes.iter().copied());
        match layout.bits() {
            0..=64 => spilled::frequency_set::<u64>(spilled, quasi, domain_sizes, &layout, limit),
            65..=128 => spilled::frequency_set::<u128>(spilled, quasi, domain_sizes, &layout, limit),
            _ => spilled::frequency_set::<Box<[u32]>>(spilled, quasi, domain_sizes, &layout, limit),
        }
    }

    fn finish_in_memory(counters: Vec<(Self, Vec<Vec<u32>>)>, quasi: usize, domain_sizes: &[usize]) -> FrequencySet {
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

/// The frequency set of counters that have everything in memory.
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
    let (mut assembly, mut codes) = (Assembly::new(quasi, domain_sizes), vec![0; domain_sizes.len()]);
    for (tuple, count) in &entries {
        tuple.unpack(layout, &mut codes);
        assembly.push(&codes, *count);
    }
    assembly.finish()
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

    fn within(bytes: u64) -> MemoryLimit {
        MemoryLimit::new(bytes, std::env::temp_dir())
    }

    #[test]
    fn a_set_that_does_not_fit_is_refused_with_advice() {
        let limit = within(20_000);
        let mut counter = TupleCounter::within(1, Some(limit.clone()));
        for row in 0..5000 {
            counter.add(&[row]);
            counter.spill_if_large(0).unwrap();
        }
        let names = (0..5000).collect();
        let error = TupleCounter::finish_all(vec![(counter, vec![names])], 1, &[5000], Some(&limit)).unwrap_err();
        assert!(error.message().contains("`memory-limit`"), "{error}");
        assert!(error.hint_text().is_some_and(|hint| hint.contains("drop a quasi-identifier")), "{error}");
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
        fn counters_find_what_a_sorted_map_finds(
            (columns, quasi, rows) in rows(),
            split in 0usize..60,
            // None at all; one that puts away every few tuples; one that does so now and then.
            limit in prop::sample::select(vec![None, Some(8), Some(3000)]),
        ) {
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
                let mut counter = TupleCounter::within(columns, limit.map(within));
                let mut names: Vec<Vec<u32>> = vec![Vec::new(); columns];
                for row in rows {
                    let provisional: Vec<u32> = row.iter().enumerate().map(|(column, &code)| {
                        let name = finals(column, code);
                        let seen = names[column].iter().position(|&known| known == name);
                        seen.unwrap_or_else(|| { names[column].push(name); names[column].len() - 1 }) as u32
                    }).collect();
                    counter.add(&provisional);
                    counter.spill_if_large(0).unwrap();
                }
                (counter, names)
            });
            let sizes: Vec<usize> = distinct.iter().map(Vec::len).collect();
            // The set itself is to fit.
            let limit = limit.map(|_| within(1 << 20));
            let set = TupleCounter::finish_all(counters.into(), quasi, &sizes, limit.as_ref()).unwrap();
            prop_assert_eq!(listed(&set), expected);
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

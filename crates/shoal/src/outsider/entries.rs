//! How often does each row of numbers stand there, whether they repeat or not?

use super::listed::{Block, Listed};
use super::numbered::Numbered;

/// Rows of numbers with their counts. Equal ones are added up as long as that pays; where hardly two are alike, looking for another
/// costs more than a list does.
#[derive(Debug)]
pub(super) struct Entries {
    /// Nothing if rows are listed.
    tally: Option<Tally>,
    listed: Listed,
}

/// Different rows, and how often each stands there.
#[derive(Debug)]
struct Tally {
    rows: Numbered,
    counts: Vec<u64>,
    added: usize,
}

/// So many different rows still fit into what is near the processor. Few in tests, which shall see what comes after.
const FEW: usize = if cfg!(test) { 8 } else { 1 << 18 };

/// What the tally keeps of a row takes some five times what the list does, and so many times the time once it is large: each row must come
/// at least twice for that.
const WORTHWHILE: usize = 2;

impl Entries {
    /// No rows yet, of so many numbers each. Who knows that hardly two are alike has them listed from the beginning.
    pub(super) fn new(width: usize, is_list: bool) -> Self {
        Self { tally: (!is_list).then(|| Tally::new(width)), listed: Listed::new(width) }
    }

    /// Adds a row that stands there so many times.
    #[inline]
    pub(super) fn add(&mut self, row: &[u32], count: u64) {
        let Some(tally) = &mut self.tally else { return self.listed.push(row, count) };
        tally.add(row, count);
        if !tally.pays() {
            tally.empty_into(&mut self.listed);
            self.tally = None;
        }
    }

    /// Puts all rows into blocks.
    pub(super) fn close(&mut self) {
        if let Some(tally) = &mut self.tally {
            tally.empty_into(&mut self.listed);
        }
        self.listed.close();
    }

    /// How many numbers a row has.
    pub(super) fn width(&self) -> usize {
        self.listed.width()
    }

    /// All rows, once they are closed.
    pub(super) fn blocks(&self) -> &[Block] {
        debug_assert!(self.tally.as_ref().is_none_or(|tally| tally.counts.is_empty()), "all rows are in blocks");
        self.listed.blocks()
    }

    /// Forgets all rows, but not whether they repeat.
    pub(super) fn clear(&mut self) {
        if let Some(tally) = &mut self.tally {
            tally.clear();
        }
        self.listed.clear();
    }

    /// How much memory they take, near enough.
    pub(super) fn memory(&self) -> usize {
        self.tally.as_ref().map_or(0, |tally| tally.rows.memory() + 8 * tally.counts.len()) + self.listed.memory()
    }
}

impl Tally {
    fn new(width: usize) -> Self {
        Self { rows: Numbered::new(width), counts: Vec::new(), added: 0 }
    }

    #[inline]
    fn add(&mut self, row: &[u32], count: u64) {
        self.added += 1;
        let number = self.rows.number(row) as usize;
        match self.counts.get_mut(number) {
            Some(so_far) => *so_far += count,
            None => self.counts.push(count),
        }
    }

    /// Do rows repeat often enough? That is asked whenever there are twice as many different ones.
    #[inline]
    fn pays(&self) -> bool {
        let len = self.counts.len();
        len < FEW || !len.is_power_of_two() || self.added >= WORTHWHILE * len
    }

    fn empty_into(&mut self, listed: &mut Listed) {
        self.rows.iter().zip(&self.counts).for_each(|(row, &count)| listed.push(row, count));
        self.clear();
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.counts.clear();
        self.added = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_are_counted_whether_they_repeat_or_not(
            rows in prop::collection::vec((prop::array::uniform3(prop_oneof![0u32..3, 0u32..100_000]), 1u64..4), 0..60),
            is_list: bool,
        ) {
            let mut entries = Entries::new(3, is_list);
            let mut slow: BTreeMap<[u32; 3], u64> = BTreeMap::new();
            for (row, count) in &rows {
                entries.add(row, *count);
                *slow.entry(*row).or_default() += count;
            }
            entries.close();
            let mut found: BTreeMap<[u32; 3], u64> = BTreeMap::new();
            for block in entries.blocks() {
                for row in 0..block.len() {
                    let numbers: Vec<u32> = block.row(row).collect();
                    *found.entry(numbers.try_into().unwrap()).or_default() += block.count(row);
                }
            }
            prop_assert_eq!(found, slow);
            entries.clear();
            entries.close();
            prop_assert!(entries.blocks().is_empty());
        }
    }

    #[test]
    fn rows_that_do_not_repeat_are_listed() {
        let (mut repeating, mut different) = (Entries::new(1, false), Entries::new(1, false));
        for row in 0..8 * FEW as u32 {
            repeating.add(&[row / 4], 1);
            different.add(&[row], 1);
        }
        assert!(repeating.tally.is_some() && different.tally.is_none());
    }
}

//! How are entries in any order made into sorted runs?

use rayon::prelude::*;

use super::{MemoryLimit, RunKey, Runs};
use crate::Result;

/// Takes entries in any order and writes them in sorted runs, each as long as memory allows.
#[derive(Debug)]
pub struct Sorter<K> {
    entries: Vec<(K, u64)>,
    most: usize,
    width: usize,
    runs: Runs,
}

/// A list is at least so long, however little memory there is.
const SHORTEST: usize = 64;

impl<K: RunKey> Sorter<K> {
    /// A sorter of keys of this width that takes a thread's share of the memory.
    pub fn new(width: usize, limit: &MemoryLimit) -> Result<Self> {
        let most = (limit.share() / K::bytes_in_list(width)).max(SHORTEST);
        Ok(Self { entries: Vec::new(), most, width, runs: Runs::new(limit)? })
    }

    /// Takes an entry.
    #[inline]
    pub fn push(&mut self, key: K, count: u64) -> Result<()> {
        if self.entries.len() >= self.most {
            sum_up(&mut self.entries);
            // Where keys occur often, the list has become short again.
            if self.entries.len() > self.most / 2 {
                self.runs.write(self.width, self.entries.drain(..))?;
            }
        }
        self.entries.push((key, count));
        Ok(())
    }

    /// The sorted runs of all entries.
    pub fn finish(mut self) -> Result<Runs> {
        sum_up(&mut self.entries);
        self.runs.write(self.width, self.entries)?;
        Ok(self.runs)
    }
}

/// Sorts a list of counts and makes one of equal keys.
pub fn sum_up<K: Ord + Send>(entries: &mut Vec<(K, u64)>) {
    entries.par_sort_unstable();
    entries.dedup_by(|next, first| {
        let is_same = next.0 == first.0;
        if is_same {
            first.1 += next.1;
        }
        is_same
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Debug;

    use proptest::prelude::*;

    use super::super::Merge;
    use super::*;

    /// What sorters with little memory, one for each list, make of entries, merged.
    fn merged<K: RunKey>(lists: &[Vec<(K, u64)>], width: usize, memory: u64) -> Vec<(K, u64)> {
        let limit = MemoryLimit::new(memory, std::env::temp_dir());
        let mut files = Vec::new();
        for list in lists {
            let mut sorter = Sorter { most: 5, ..Sorter::new(width, &limit).unwrap() };
            list.iter().for_each(|(key, count)| sorter.push(key.clone(), *count).unwrap());
            files.push(sorter.finish().unwrap());
        }
        let (mut merge, mut all) = (Merge::new(&files, 1).unwrap(), Vec::new());
        while let Some(entry) = merge.next_entry().unwrap() {
            all.push(entry);
        }
        all
    }

    fn check<K: RunKey + Debug>(lists: Vec<Vec<(K, u64)>>, width: usize) -> Result<(), TestCaseError> {
        let mut slow: BTreeMap<K, u64> = BTreeMap::new();
        lists.iter().flatten().for_each(|(key, count)| *slow.entry(key.clone()).or_default() += count);
        prop_assert_eq!(merged(&lists, width, 1000), slow.into_iter().collect::<Vec<_>>());
        Ok(())
    }

    fn lists<K: Debug + Clone>(key: impl Strategy<Value = K> + Clone) -> impl Strategy<Value = Vec<Vec<(K, u64)>>> {
        let count = prop_oneof![1u64..4, Just(127), Just(128), 1..u64::MAX >> 8];
        prop::collection::vec(prop::collection::vec((key, count), 0..50), 0..4)
    }

    proptest! {
        #[test]
        fn words(lists in lists(prop_oneof![0u64..20, 0u64..1 << 24])) {
            check(lists, 3)?;
        }

        #[test]
        fn whole_words(lists in lists(any::<u64>())) {
            check(lists, 8)?;
        }

        #[test]
        fn two_words(lists in lists(prop_oneof![0u128..20, any::<u128>()])) {
            check(lists, 16)?;
        }

        #[test]
        fn wide_keys(lists in lists(prop::collection::vec(prop_oneof![0u32..3, any::<u32>()], 5).prop_map(Vec::into_boxed_slice))) {
            check(lists, 20)?;
        }

        #[test]
        fn keys_of_no_bits(lists in lists(Just(0u64))) {
            check(lists, 0)?;
        }
    }

    #[test]
    fn long_runs_are_read_piece_by_piece() {
        let keys = |first: u64| (first..90_000).step_by(3).map(|key| (key, key + 1)).collect::<Vec<_>>();
        let limit = MemoryLimit::new(1 << 30, std::env::temp_dir());
        let mut runs = Runs::new(&limit).unwrap();
        (0..3).for_each(|first| runs.write(3, keys(first)).unwrap());
        let files = [runs];
        let mut merge = Merge::<u64>::new(&files, 1).unwrap();
        for key in 0..90_000 {
            assert_eq!(merge.next_entry().unwrap(), Some((key, key + 1)));
        }
        assert_eq!(merge.next_entry().unwrap(), None);
    }
}

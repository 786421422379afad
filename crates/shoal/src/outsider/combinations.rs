//! How often does each combination of texts stand in a table, whether they fit into memory or not?

use rayon::prelude::*;

use super::text_counts::{TextCounts, renumber};
use shoal_core::Result;
use shoal_core::spill::{MemoryLimit, Merge, Runs, Sorter};

/// What one thread counts. Where a limit is set, combinations that exceed its share of it are put away; the texts stay.
#[derive(Debug)]
pub(super) struct CountedByThread {
    pub(super) counts: TextCounts,
    put_away: Option<Runs>,
}

impl CountedByThread {
    pub(super) fn new(counts: TextCounts) -> Self {
        Self { counts, put_away: None }
    }

    /// Puts away what takes too much memory. To be called every few thousand rows.
    pub(super) fn keep_within(&mut self, limit: &MemoryLimit) -> Result<()> {
        let share = limit.share();
        let most = share.saturating_sub(self.counts.bytes_of_texts()).max(share / 8);
        if self.counts.bytes_of_combinations() <= most {
            return Ok(());
        }
        let runs = match &mut self.put_away {
            Some(runs) => runs,
            none => none.insert(Runs::new(limit)?),
        };
        let combinations = self.counts.iter().map(|(combination, count)| (Box::<[u32]>::from(combination), count));
        runs.write(width(self.counts.columns()), combinations)?;
        self.counts.clear();
        Ok(())
    }

    /// All combinations under new numbers, in sorted runs.
    fn sorted(&self, renumbered: &[Vec<u32>], limit: &MemoryLimit) -> Result<Runs> {
        let renumber = |combination: &[u32]| -> Box<[u32]> { renumber(combination, renumbered).collect() };
        let mut sorter = Sorter::new(width(renumbered.len()), limit)?;
        for run in 0..self.put_away.as_ref().map_or(0, Runs::len) {
            let Some(runs) = &self.put_away else { break };
            let mut reader = runs.read::<Box<[u32]>>(run, BUFFER);
            while let Some((combination, count)) = reader.next_entry()? {
                sorter.push(renumber(&combination), count)?;
            }
        }
        for (combination, count) in self.counts.iter() {
            sorter.push(renumber(combination), count)?;
        }
        sorter.finish()
    }
}

/// Bytes that are read at a time of a list that is read by itself.
const BUFFER: usize = 1 << 18;

/// The bytes of a combination in a file.
fn width(columns: usize) -> usize {
    size_of::<u32>() * columns
}

/// What all threads have counted.
#[derive(Debug)]
pub(super) struct Combinations {
    /// All texts, and all combinations unless they are in files.
    pub(super) held: TextCounts,
    sorted: Vec<Runs>,
    buffers: usize,
}

impl Combinations {
    /// What was counted in memory.
    pub(super) fn held(held: TextCounts) -> Self {
        Self { held, sorted: Vec::new(), buffers: 0 }
    }

    pub(super) fn join(columns: usize, threads: Vec<CountedByThread>, limit: Option<&MemoryLimit>) -> Result<Self> {
        let mut all = Self { held: TextCounts::new(columns), sorted: Vec::new(), buffers: 0 };
        let total: usize = threads.iter().map(|thread| thread.counts.bytes_of_combinations()).sum();
        let fits =
            |limit: &&MemoryLimit| threads.iter().all(|thread| thread.put_away.is_none()) && total <= limit.bytes() / 2;
        let Some(limit) = limit.filter(|limit| !fits(limit)) else {
            for thread in threads {
                if all.held.len() == 0 {
                    all.held = thread.counts;
                } else {
                    all.held.join(&thread.counts);
                }
            }
            return Ok(all);
        };
        all.buffers = limit.bytes() / 8;
        for thread in threads {
            let renumbered = all.held.adopt_texts(&thread.counts);
            all.sorted.push(thread.sorted(&renumbered, limit)?);
        }
        Ok(all)
    }

    /// Every combination and how often it stands there, in no particular order; one that was listed may come several times.
    pub(super) fn each(&self, mut act: impl FnMut(&[u32], u64)) -> Result<()> {
        self.held.iter().for_each(|(combination, count)| act(combination, count));
        self.each_in_files(act)
    }

    /// The same in the order of their numbers, so that those that begin alike come one after the other. Rows that were listed may be alike.
    pub(super) fn each_sorted(&self, mut act: impl FnMut(&[u32], u64)) -> Result<()> {
        let held = &self.held;
        let mut places: Vec<u32> = (0..held.len() as u32).collect();
        places.par_sort_unstable_by(|&a, &b| held.combination(a).cmp(held.combination(b)));
        places.into_iter().for_each(|place| act(held.combination(place), held.count(place)));
        self.each_in_files(act)
    }

    /// What is in files is sorted, and then nothing else is in memory.
    fn each_in_files(&self, mut act: impl FnMut(&[u32], u64)) -> Result<()> {
        let mut merge = Merge::<Box<[u32]>>::new(&self.sorted, self.buffers)?;
        while let Some((combination, count)) = merge.next_entry()? {
            act(&combination, count);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::BTreeMap;

    use arrow_array::StringArray;
    use proptest::prelude::*;

    use super::*;
    use shoal_core::table::MissingMarkers;
    use shoal_format::Rows;

    /// What two threads count of rows, the first of them up to `split`.
    fn counted(rows: &[[String; 2]], split: usize, is_list: bool, limit: Option<&MemoryLimit>) -> Combinations {
        let markers = MissingMarkers::new(vec![String::new()]);
        let (first, second) = rows.split_at(split.min(rows.len()));
        let threads = [first, second].map(|part| {
            let column = |column: usize| part.iter().map(|row| Some(row[column].as_str())).collect::<StringArray>();
            let cells = Rows::of_arrays(part.len(), (0..2).map(|at| Cow::Owned(column(at))).collect());
            let mut thread = CountedByThread::new(if is_list { TextCounts::listing(2) } else { TextCounts::new(2) });
            for row in 0..part.len() {
                thread.counts.add_row(&cells, row, &[0, 1], None, &markers, &mut Vec::new());
                limit.map_or(Ok(()), |limit| thread.keep_within(limit)).unwrap();
            }
            thread
        });
        Combinations::join(2, threads.into(), limit).unwrap()
    }

    proptest! {
        #[test]
        fn memory_does_not_matter(
            rows in prop::collection::vec(prop::array::uniform2("[a-d]{0,2}"), 0..80),
            split in 0usize..80,
            bytes in prop::sample::select(vec![None, Some(1), Some(5000), Some(1 << 20)]),
            is_list: bool,
        ) {
            let limit = bytes.map(|bytes| MemoryLimit::new(bytes, std::env::temp_dir()));
            let found = counted(&rows, split, is_list, limit.as_ref());
            let mut slow: BTreeMap<[String; 2], u64> = BTreeMap::new();
            rows.iter().for_each(|row| *slow.entry(row.clone()).or_default() += 1);

            let texts = found.held.texts();
            let named = |combination: &[u32]| [0, 1].map(|at| texts[at][combination[at] as usize].to_owned());
            let (mut in_any_order, mut in_order) = (BTreeMap::new(), Vec::new());
            found.each(|combination, count| *in_any_order.entry(named(combination)).or_default() += count).unwrap();
            prop_assert_eq!(&in_any_order, &slow);
            found.each_sorted(|combination, count| in_order.push((combination.to_vec(), count))).unwrap();
            prop_assert!(in_order.is_sorted());
            let mut joined: BTreeMap<[String; 2], u64> = BTreeMap::new();
            in_order.into_iter().for_each(|(found, count)| *joined.entry(named(&found)).or_default() += count);
            prop_assert_eq!(joined, slow);
        }
    }
}

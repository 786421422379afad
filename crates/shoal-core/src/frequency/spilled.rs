//! How do tuples in files, under provisional names, become a frequency set?

use rayon::prelude::*;

use super::FrequencySet;
use super::assembly::Assembly;
use super::tuple_key::{TupleKey, TupleLayout};
use crate::spill::{MemoryLimit, Merge, Runs, Sorter};
use crate::{Error, Result};

/// Tuples that one counter has put away. Provisional names do not sort as the final ones do, so the order of these lists
/// is of no use: they are read once more when the names are known, and sorted then.
#[derive(Debug)]
pub(super) struct Spilled {
    runs: Runs,
    /// How the keys of each run are packed: as long as new values appear, keys grow.
    layouts: Vec<TupleLayout>,
}

/// Bytes that are read at a time of a list that is read by itself.
const BUFFER: usize = 1 << 18;

/// The set is measured after so many tuples.
const BETWEEN_CHECKS: usize = 1 << 10;

impl Spilled {
    pub(super) fn new(limit: &MemoryLimit) -> Result<Self> {
        Ok(Self { runs: Runs::new(limit)?, layouts: Vec::new() })
    }

    pub(super) fn write<K: TupleKey>(&mut self, entries: &[(K, u64)], layout: &TupleLayout) -> Result<()> {
        self.runs.write(K::width(layout), entries.iter().cloned())?;
        self.layouts.push(layout.clone());
        Ok(())
    }

    /// The same tuples under their final names, sorted.
    fn renamed<K: TupleKey>(&self, names: &[Vec<u32>], layout: &TupleLayout, limit: &MemoryLimit) -> Result<Runs> {
        let mut sorter = Sorter::new(K::width(layout), limit)?;
        for (run, old) in self.layouts.iter().enumerate() {
            match old.bits() {
                0..=64 => self.rename::<u64, K>(run, names, layout, &mut sorter)?,
                65..=128 => self.rename::<u128, K>(run, names, layout, &mut sorter)?,
                _ => self.rename::<Box<[u32]>, K>(run, names, layout, &mut sorter)?,
            }
        }
        sorter.finish()
    }

    fn rename<A: TupleKey, B: TupleKey>(
        &self,
        run: usize,
        names: &[Vec<u32>],
        layout: &TupleLayout,
        sorter: &mut Sorter<B>,
    ) -> Result<()> {
        let (old, mut codes) = (&self.layouts[run], vec![0; names.len()]);
        let mut reader = self.runs.read::<A>(run, BUFFER);
        while let Some((key, count)) = reader.next_entry()? {
            key.unpack(old, &mut codes);
            codes.iter_mut().zip(names).for_each(|(code, names)| *code = names[*code as usize]);
            sorter.push(B::pack(&codes, layout), count)?;
        }
        Ok(())
    }
}

/// The frequency set of all that counters have put away, each with its own provisional names.
pub(super) fn frequency_set<K: TupleKey>(
    counters: Vec<(Spilled, Vec<Vec<u32>>)>,
    quasi: usize,
    domain_sizes: &[usize],
    layout: &TupleLayout,
    limit: &MemoryLimit,
) -> Result<FrequencySet> {
    let sorted = counters.into_par_iter().map(|(spilled, names)| spilled.renamed::<K>(&names, layout, limit));
    let sorted: Vec<Runs> = sorted.collect::<Result<_>>()?;
    let mut merge = Merge::<K>::new(&sorted, limit.bytes() / 8)?;
    let (mut assembly, mut codes) = (Assembly::new(quasi, domain_sizes), vec![0; domain_sizes.len()]);
    let mut tuples = 0usize;
    while let Some((key, count)) = merge.next_entry()? {
        key.unpack(layout, &mut codes);
        assembly.push(&codes, count);
        tuples += 1;
        if tuples.is_multiple_of(BETWEEN_CHECKS) && assembly.bytes() > limit.bytes() {
            return Err(too_many(assembly.tuples(), limit));
        }
    }
    let set = assembly.finish();
    if set.bytes() > limit.bytes() { Err(too_many(set.tuples(), limit)) } else { Ok(set) }
}

/// What is searched has to be in memory.
fn too_many(tuples: usize, limit: &MemoryLimit) -> Error {
    Error::place("the distinct combinations of values alone take more than `memory-limit` allows")
        .detail(format!("{tuples} of them fill its {} bytes, and there may be more", limit.bytes()))
        .hint(
            "raise the limit; or drop a quasi-identifier or sensitive column, or make its values coarser in the table \
             itself (a month instead of a day, fewer digits of a number)",
        )
}

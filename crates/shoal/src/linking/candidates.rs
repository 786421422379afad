//! In which groups of classes can each of many people be?

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

/// The candidates of all entries of a table, found once: every attack asks for them.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Where those of each entry begin; one more at the end.
    starts: Vec<usize>,
    groups: Vec<u32>,
}

/// No more are kept: labels that overlap a lot leave everybody with thousands.
const MOST: usize = if cfg!(test) { 40 } else { 1 << 26 };

/// So many entries are looked up in one go.
const BLOCK: usize = 4096;

impl Candidates {
    /// Those of so many entries, each of which is looked up by itself; nothing if they are too many to be kept.
    pub(super) fn find(entries: usize, look_up: impl Fn(usize, &mut Vec<u32>) + Sync) -> Option<Self> {
        let found = AtomicUsize::new(0);
        let of_block = |block: usize| {
            let (mut ends, mut groups) = (Vec::with_capacity(BLOCK), Vec::new());
            for entry in block * BLOCK..((block + 1) * BLOCK).min(entries) {
                look_up(entry, &mut groups);
                ends.push(groups.len());
                if groups.len() > MOST {
                    return None;
                }
            }
            let before = found.fetch_add(groups.len(), Ordering::Relaxed);
            (before + groups.len() <= MOST).then_some((ends, groups))
        };
        let blocks = (0..entries.div_ceil(BLOCK)).into_par_iter().map(of_block).collect::<Option<Vec<_>>>()?;
        let mut all = Self { starts: vec![0], groups: Vec::with_capacity(found.into_inner()) };
        all.starts.reserve(entries);
        for (ends, groups) in blocks {
            let before = all.groups.len();
            all.starts.extend(ends.into_iter().map(|end| before + end));
            all.groups.extend(groups);
        }
        Some(all)
    }

    /// The groups that an entry can be in.
    pub(super) fn of(&self, entry: usize) -> &[u32] {
        &self.groups[self.starts[entry]..self.starts[entry + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_has_its_own() {
        let look_up = |entry: usize, groups: &mut Vec<u32>| groups.extend(0..entry as u32 % 3);
        let few = Candidates::find(30, look_up).unwrap();
        assert!((0..30).all(|entry| few.of(entry) == (0..entry as u32 % 3).collect::<Vec<_>>()));
        assert!(Candidates::find(60, look_up).is_none(), "60 entries have as many candidates, and 40 are kept");
        let across_blocks =
            |entry: usize, groups: &mut Vec<u32>| groups.extend((entry % 300 == 7).then_some(entry as u32));
        let many = Candidates::find(2 * BLOCK + 1, across_blocks).unwrap();
        assert_eq!((many.of(BLOCK + 111), many.of(2 * BLOCK)), (&[BLOCK as u32 + 111][..], &[][..]));
    }
}

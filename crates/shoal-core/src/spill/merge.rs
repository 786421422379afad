//! How do sorted runs become one?

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::{RunKey, RunReader, Runs};
use crate::Result;

/// Goes through sorted runs at once, in the order of their keys; each key comes once, with the sum of its counts.
#[derive(Debug)]
pub struct Merge<'a, K> {
    readers: Vec<RunReader<'a, K>>,
    /// The next key of each run that has one, and which run it is of.
    heads: BinaryHeap<Reverse<(K, usize)>>,
    /// The count of the next key of each run.
    counts: Vec<u64>,
}

/// Bytes that are read of a run at a time: no more than pays, no fewer than the system reads anyway.
const LARGEST_BUFFER: usize = 1 << 18;
const SMALLEST_BUFFER: usize = 1 << 12;

impl<'a, K: RunKey> Merge<'a, K> {
    /// Merges all runs of some files, with buffers of so many bytes together where that is possible.
    pub fn new(files: &'a [Runs], buffers: usize) -> Result<Self> {
        let total: usize = files.iter().map(Runs::len).sum();
        let buffer = (buffers / total.max(1)).clamp(SMALLEST_BUFFER, LARGEST_BUFFER);
        let readers: Vec<_> =
            files.iter().flat_map(|runs| (0..runs.len()).map(move |run| runs.read(run, buffer))).collect();
        let mut merge = Self { heads: BinaryHeap::with_capacity(total), counts: vec![0; total], readers };
        for run in 0..total {
            if let Some((key, count)) = merge.readers[run].next_entry()? {
                merge.counts[run] = count;
                merge.heads.push(Reverse((key, run)));
            }
        }
        Ok(merge)
    }

    /// The next key and its count.
    pub fn next_entry(&mut self) -> Result<Option<(K, u64)>> {
        let Some(Reverse((key, _))) = self.heads.peek() else { return Ok(None) };
        let (key, mut sum) = (key.clone(), 0);
        while let Some(mut head) = self.heads.peek_mut().filter(|head| head.0.0 == key) {
            let run = head.0.1;
            sum += self.counts[run];
            match self.readers[run].next_entry()? {
                Some((next, count)) => {
                    self.counts[run] = count;
                    *head = Reverse((next, run));
                }
                None => {
                    PeekMut::pop(head);
                }
            }
        }
        Ok(Some((key, sum)))
    }
}

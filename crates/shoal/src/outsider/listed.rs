//! How are rows kept of which hardly two are alike?

use super::narrow::Narrow;

/// Rows of numbers and how often each stands there, in the order in which they came.
#[derive(Debug)]
pub(super) struct Listed {
    width: usize,
    /// The rows of the block that is being filled, one after the other.
    waiting: Vec<u32>,
    waiting_counts: Vec<u64>,
    blocks: Vec<Block>,
    /// The bytes of all blocks.
    bytes: usize,
}

/// Some rows, column by column.
#[derive(Debug)]
pub(super) struct Block {
    columns: Vec<Narrow>,
    /// How often each row stands there; nothing if all do once.
    counts: Option<Vec<u64>>,
    len: usize,
}

/// Rows of a block: enough that what a block takes by itself does not matter, and few in tests, which shall see several.
const BLOCK: usize = if cfg!(test) { 5 } else { 1 << 16 };

impl Listed {
    /// No rows yet, of so many numbers each.
    pub(super) fn new(width: usize) -> Self {
        let (waiting, waiting_counts, blocks) = (Vec::new(), Vec::new(), Vec::new());
        Self { width, waiting, waiting_counts, blocks, bytes: 0 }
    }

    /// Adds a row that stands there so many times.
    #[inline]
    pub(super) fn push(&mut self, row: &[u32], count: u64) {
        self.waiting.extend_from_slice(row);
        self.waiting_counts.push(count);
        if self.waiting_counts.len() == BLOCK {
            self.close();
        }
    }

    /// Puts the rows that wait into a block.
    pub(super) fn close(&mut self) {
        let len = self.waiting_counts.len();
        if len == 0 {
            return;
        }
        let column = |column: usize| Narrow::of(self.waiting.iter().skip(column).step_by(self.width).copied());
        let columns = (0..self.width).map(column).collect();
        let counts = self.waiting_counts.iter().any(|&count| count != 1).then(|| self.waiting_counts.clone());
        let block = Block { columns, counts, len };
        self.bytes += block.bytes();
        self.blocks.push(block);
        self.waiting.clear();
        self.waiting_counts.clear();
    }

    /// How many numbers a row has.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// All rows in blocks; those that wait belong to none.
    pub(super) fn blocks(&self) -> &[Block] {
        debug_assert!(self.waiting_counts.is_empty(), "the last block is closed");
        &self.blocks
    }

    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.width);
    }

    /// How much memory they take, near enough.
    pub(super) fn memory(&self) -> usize {
        self.bytes + 4 * self.waiting.len() + 8 * self.waiting_counts.len()
    }
}

impl Block {
    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The numbers of a column, by row.
    pub(super) fn column(&self, column: usize) -> &Narrow {
        &self.columns[column]
    }

    /// The numbers of a row.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = u32> {
        self.columns.iter().map(move |column| column.get(row))
    }

    /// How often a row stands there.
    #[inline]
    pub(super) fn count(&self, row: usize) -> u64 {
        self.counts.as_ref().map_or(1, |counts| counts[row])
    }

    /// Does every row stand there once?
    pub(super) fn is_of_single_rows(&self) -> bool {
        self.counts.is_none()
    }

    fn bytes(&self) -> usize {
        let counts = self.counts.as_ref().map_or(0, |counts| 8 * counts.len());
        self.columns.iter().map(Narrow::bytes).sum::<usize>() + counts
    }
}

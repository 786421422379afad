//! What do the rows of one class hold?

/// The members of a class: the numbers of the texts of each, one member after the other, and how many rows each stands for. One may
/// come several times.
#[derive(Debug)]
pub(super) struct Members {
    width: usize,
    numbers: Vec<u32>,
    counts: Vec<u64>,
}

impl Members {
    /// Nobody yet, of so many numbers each.
    pub(super) fn new(width: usize) -> Self {
        Self { width, numbers: Vec::new(), counts: Vec::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, numbers: impl IntoIterator<Item = u32>, count: u64) {
        self.numbers.extend(numbers);
        self.counts.push(count);
        debug_assert_eq!(self.numbers.len(), self.width * self.counts.len());
    }

    pub(super) fn clear(&mut self) {
        self.numbers.clear();
        self.counts.clear();
    }

    /// Is there nobody?
    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// How many rows a member stands for.
    pub(super) fn count(&self, at: usize) -> u64 {
        self.counts[at]
    }

    #[inline]
    fn numbers(&self, at: usize) -> &[u32] {
        &self.numbers[at * self.width..][..self.width]
    }

    /// Every member and how many rows it stands for.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.counts.iter().enumerate().map(move |(at, &count)| (self.numbers(at), count))
    }
}

//! How often does each value of a column, or each combination of sensitive values, occur in each class?

use super::super::Counts;
use super::becoming::Becoming;

/// The values of each class, sorted by code, and their counts.
#[derive(Debug, Default)]
pub(super) struct CountsOf {
    /// Where those of each class begin; one more at the end.
    starts: Vec<usize>,
    codes: Vec<u32>,
    counts: Vec<u64>,
}

/// Up to so many distinct values, a class is merged as a row of a dense matrix.
const DENSE_VALUES: usize = 256;

/// A matrix takes no more than this many cells.
const DENSE_CELLS: usize = 1 << 22;

/// What classes hold before they are merged: sorted or not, and some values perhaps more than once.
pub(super) trait Held {
    /// The entries of a class: names of values, and counts.
    fn entries(&self, class: usize) -> (&[u32], &[u64]);
    /// The value of a name.
    fn value(&self, name: u32) -> u32;
}

impl Held for CountsOf {
    #[inline]
    fn entries(&self, class: usize) -> (&[u32], &[u64]) {
        let of_class = self.of(class);
        (of_class.codes, of_class.counts)
    }

    #[inline]
    fn value(&self, name: u32) -> u32 {
        name
    }
}

impl CountsOf {
    /// Puts together what classes hold that become one.
    pub(super) fn merged(held: &impl Held, becoming: &Becoming<'_>, sizes: &[u64], values: usize) -> Self {
        let rows: u64 = sizes.iter().sum();
        let is_small = (1..=DENSE_VALUES).contains(&values) && values * sizes.len() <= DENSE_CELLS;
        if is_small && rows <= u32::MAX.into() {
            merge_dense(held, becoming.class_of, sizes.len(), values)
        } else {
            merge_sparse(held, becoming, values)
        }
    }

    /// The values of a class.
    #[inline]
    pub(super) fn of(&self, class: usize) -> Counts<'_> {
        let range = self.starts[class]..self.starts[class + 1];
        Counts { codes: &self.codes[range.clone()], counts: &self.counts[range] }
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.starts.len() + 12 * self.codes.len()
    }
}

/// A row of a matrix for each new class.
fn merge_dense(held: &impl Held, class_of: &[u32], classes: usize, values: usize) -> CountsOf {
    let mut matrix = vec![0u32; values * classes];
    let mut entries = 0;
    for (old, &class) in class_of.iter().enumerate() {
        let row = &mut matrix[class as usize * values..][..values];
        let (names, counts) = held.entries(old);
        entries += names.len();
        names.iter().zip(counts).for_each(|(&name, &count)| row[held.value(name) as usize] += count as u32);
    }
    // Each cell is written down, and the next one over it if it was empty: one place more than there can be full ones.
    let most = entries.min(matrix.len()) + 1;
    let (mut codes, mut counts, mut end) = (vec![0u32; most], vec![0u64; most], 0);
    let mut starts = Vec::with_capacity(classes + 1);
    for row in matrix.chunks_exact(values) {
        starts.push(end);
        for (code, &count) in row.iter().enumerate() {
            (codes[end], counts[end]) = (code as u32, count.into());
            end += usize::from(count > 0);
        }
    }
    starts.push(end);
    codes.truncate(end);
    counts.truncate(end);
    codes.shrink_to_fit();
    counts.shrink_to_fit();
    CountsOf { starts, codes, counts }
}

/// The same where a matrix would be mostly empty: the old classes sorted by their new one, then joined one by one.
fn merge_sparse(held: &impl Held, becoming: &Becoming<'_>, values: usize) -> CountsOf {
    let mut merged = CountsOf::default();
    let mut count_of = vec![0u64; values];
    let mut touched: Vec<u32> = Vec::new();
    for members in becoming.members() {
        merged.starts.push(merged.codes.len());
        for &old in members {
            let (names, counts) = held.entries(old as usize);
            for (&name, &count) in names.iter().zip(counts) {
                let code = held.value(name);
                if count_of[code as usize] == 0 {
                    touched.push(code);
                }
                count_of[code as usize] += count;
            }
        }
        touched.sort_unstable();
        for code in touched.drain(..) {
            merged.codes.push(code);
            merged.counts.push(std::mem::take(&mut count_of[code as usize]));
        }
    }
    merged.starts.push(merged.codes.len());
    merged.codes.shrink_to_fit();
    merged.counts.shrink_to_fit();
    merged
}

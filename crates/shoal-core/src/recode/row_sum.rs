//! Are these the rows that were counted, in whichever order they come?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

/// A sum over rows that does not depend on their order, so that threads can add up theirs and join the sums.
///
/// It is made of two independent hashes: tables that differ by accident have different sums but for one case in 2^64 or
/// more. Nobody's safety rests on it, since the release is counted anew before it is published.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowSum {
    rows: u64,
    sums: [u64; 2],
}

impl RowSum {
    /// Adds a row so many times.
    #[inline]
    pub fn add(&mut self, codes: &[u32], count: u64) {
        self.rows += count;
        let seeds = [0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344];
        for (sum, seed) in self.sums.iter_mut().zip(seeds) {
            *sum = sum.wrapping_add(FixedState::with_seed(seed).hash_one(codes).wrapping_mul(count));
        }
    }

    /// The sum of the rows of both.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        let [a, b] = self.sums;
        let [c, d] = other.sums;
        Self { rows: self.rows + other.rows, sums: [a.wrapping_add(c), b.wrapping_add(d)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(rows: &[[u32; 2]]) -> RowSum {
        let mut sum = RowSum::default();
        rows.iter().for_each(|row| sum.add(row, 1));
        sum
    }

    #[test]
    fn order_does_not_matter_and_everything_else_does() {
        let [a, b, c] = [[0, 1], [1, 0], [7, 7]];
        assert_eq!(sum(&[a, b, c]), sum(&[c, a, b]));
        assert_eq!(sum(&[a]).joined(sum(&[c, b])), sum(&[a, b, c]));
        let mut twice = RowSum::default();
        twice.add(&a, 2);
        assert_eq!(twice, sum(&[a, a]));
        for other in [&[a, b] as &[_], &[a, b, b], &[a, a, c], &[a, b, c, c]] {
            assert_ne!(sum(other), sum(&[a, b, c]));
        }
    }
}

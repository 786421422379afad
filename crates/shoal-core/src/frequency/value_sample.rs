//! Do the values of a column repeat, told in little memory however many there are?
//!
//! Values are hashed. As long as their hashes are few, all are kept and counted; when they become too many, only those below
//! half of the threshold so far stay, with all of their rows. Which values are kept depends on their hashes alone, so that any
//! division of the rows among threads gives the same sample.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use hashbrown::HashMap;

/// No more values are kept of all watched columns together, unless they are very many.
const MOST: usize = 1 << 16;

/// And no fewer of each: from so many, shares are told to within a few percent.
const LEAST: usize = 1 << 12;

/// Counts how often values occur, on a sample of them where they are many.
#[derive(Debug, Clone)]
pub struct ValueSample {
    hasher: FixedState,
    /// The rows of each value that is kept, by the value's hash. Of so few hashes two are the same with a probability of one in
    /// billions.
    counts: HashMap<u64, u64, FixedState>,
    /// No more are kept.
    most: usize,
    /// How often the threshold was halved.
    halvings: u32,
    /// The rows that have a value, kept or not.
    rows: u64,
}

/// How often the values of a column occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repetition {
    /// The rows that have a value.
    pub rows: u64,
    /// One in two to the power of this many values was looked at; all of them where it is 0.
    pub halvings: u32,
    /// How many different values were looked at.
    pub values: u64,
    /// The rows that have one of these.
    pub rows_of_values: u64,
    /// The most rows that have the same one.
    pub largest: u64,
}

impl ValueSample {
    /// For one of so many columns.
    pub fn one_of(columns: usize) -> Self {
        Self::within((MOST / columns.max(1)).max(LEAST))
    }

    fn within(most: usize) -> Self {
        Self { hasher: FixedState::default(), counts: HashMap::default(), most, halvings: 0, rows: 0 }
    }

    /// Counts one more row with this value.
    #[inline]
    pub fn add(&mut self, value: &str) {
        self.rows += 1;
        let hash = self.hasher.hash_one(value);
        if hash <= threshold(self.halvings) {
            self.count(hash, 1);
        }
    }

    #[inline]
    fn count(&mut self, hash: u64, rows: u64) {
        *self.counts.entry(hash).or_insert(0) += rows;
        while self.counts.len() > self.most {
            self.halvings += 1;
            self.forget();
        }
    }

    /// Forgets the values that are above the threshold by now.
    fn forget(&mut self) {
        let threshold = threshold(self.halvings);
        self.counts.retain(|hash, _| *hash <= threshold);
    }

    /// What several have counted together.
    pub fn joined<'a>(samples: impl Iterator<Item = &'a Self>) -> Self {
        samples
            .cloned()
            .reduce(|mut all, sample| {
                all.join(&sample);
                all
            })
            .unwrap_or_else(|| Self::one_of(1))
    }

    /// Adds what another one has counted.
    fn join(&mut self, other: &Self) {
        self.rows += other.rows;
        self.halvings = self.halvings.max(other.halvings);
        self.forget();
        for (&hash, &rows) in &other.counts {
            if hash <= threshold(self.halvings) {
                self.count(hash, rows);
            }
        }
    }

    /// How much memory it takes, near enough.
    pub fn bytes(&self) -> usize {
        self.counts.capacity() * (size_of::<(u64, u64)>() + 1)
    }

    /// What was found.
    pub fn repetition(&self) -> Repetition {
        Repetition {
            rows: self.rows,
            halvings: self.halvings,
            values: self.counts.len() as u64,
            rows_of_values: self.counts.values().sum(),
            largest: self.counts.values().copied().max().unwrap_or(0),
        }
    }
}

/// The largest hash that is kept.
fn threshold(halvings: u32) -> u64 {
    u64::MAX.checked_shr(halvings).unwrap_or(0)
}

impl Repetition {
    /// Was every value looked at?
    pub fn is_exact(&self) -> bool {
        self.halvings == 0
    }

    /// Was a value found that several rows have?
    pub fn is_found(&self) -> bool {
        self.largest > 1
    }

    /// How many rows have the same value on average, of those that were looked at.
    pub fn mean(&self) -> f64 {
        self.rows_of_values as f64 / self.values.max(1) as f64
    }

    /// How many different values there are: exactly, where all were looked at; otherwise about so many, with two digits that count.
    pub fn distinct(&self) -> u64 {
        if self.is_exact() {
            return self.values;
        }
        let estimate = self.values as f64 * 2f64.powi(self.halvings as i32);
        let scale = 10f64.powi(estimate.log10().floor() as i32 - 1);
        ((estimate / scale).round() * scale) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn sampled<'a>(values: impl Iterator<Item = &'a String>, most: usize) -> ValueSample {
        let mut sample = ValueSample::within(most);
        values.for_each(|value| sample.add(value));
        sample
    }

    #[test]
    fn few_values_are_counted_exactly() {
        let values = ["a", "b", "a", "c", "a", "b"].map(str::to_owned);
        let found = sampled(values.iter(), 3).repetition();
        assert_eq!(found, Repetition { rows: 6, halvings: 0, values: 3, rows_of_values: 6, largest: 3 });
        assert!(found.is_exact() && found.is_found() && found.mean() == 2.0 && found.distinct() == 3);
        assert!(!ValueSample::within(3).repetition().is_found(), "nothing repeats where there is nothing");
    }

    #[test]
    fn many_values_are_estimated() {
        let values: Vec<String> = (0..200_000u32).map(|row| (row / 2).to_string()).collect();
        let found = sampled(values.iter(), LEAST).repetition();
        assert_eq!((found.rows, found.largest, found.mean()), (200_000, 2, 2.0));
        assert!(found.halvings > 0 && found.values <= LEAST as u64);
        assert!((95_000..=105_000).contains(&found.distinct()), "{found:?}");
    }

    proptest! {
        /// However rows are divided, the sample is that of a naive count: all values whose hash is below the largest threshold
        /// that leaves few enough of them.
        #[test]
        fn a_sample_is_that_of_a_naive_count(
            rows in prop::collection::vec(0u32..200, 0..600),
            threads in 1usize..5,
            most in 1usize..80,
        ) {
            let rows: Vec<String> = rows.iter().map(u32::to_string).collect();
            let hasher = FixedState::default();
            let mut naive: BTreeMap<u64, u64> = BTreeMap::new();
            rows.iter().for_each(|value| *naive.entry(hasher.hash_one(value.as_str())).or_default() += 1);
            let mut halvings = 0;
            while naive.keys().filter(|&&hash| hash <= u64::MAX >> halvings).count() > most {
                halvings += 1;
            }
            let kept: Vec<u64> = naive.range(..=u64::MAX >> halvings).map(|(_, &rows)| rows).collect();

            let parts = (0..threads).map(|thread| sampled(rows.iter().skip(thread).step_by(threads), most));
            let joined = ValueSample::joined(parts.collect::<Vec<_>>().iter());
            let expected = Repetition {
                rows: rows.len() as u64,
                halvings,
                values: kept.len() as u64,
                rows_of_values: kept.iter().sum(),
                largest: kept.iter().copied().max().unwrap_or(0),
            };
            prop_assert_eq!(joined.repetition(), expected);
            if halvings == 0 {
                let distinct: std::collections::BTreeSet<&String> = rows.iter().collect();
                prop_assert_eq!(joined.repetition().distinct(), distinct.len() as u64);
            }
        }
    }
}

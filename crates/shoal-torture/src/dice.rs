//! Where does chance come from, so that a case is the same on every machine?

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// One stream of random numbers.
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The stream of a case: every pair of seed and number has its own.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&number.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Any number of 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`, which is above 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// A number from `first` to `last`, both included.
    pub fn between(&mut self, first: i64, last: i64) -> i64 {
        first + self.below((last - first + 1) as usize) as i64
    }

    /// True this often in a hundred.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// These in a random order.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            all.swap(last, self.below(last + 1));
        }
    }

    /// Some of these, at least `least`, in their order.
    pub fn some<T: Clone>(&mut self, all: &[T], least: usize) -> Vec<T> {
        let count = least + self.below(all.len() - least + 1);
        let mut places: Vec<usize> = (0..all.len()).collect();
        self.shuffle(&mut places);
        places.truncate(count);
        places.sort_unstable();
        places.into_iter().map(|place| all[place].clone()).collect()
    }
}

//! Where does chance come from, so that it is the same on every platform?

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// One stream of random numbers.
pub(super) struct Draws(ChaCha8Rng);

impl Draws {
    /// The stream of a seed. The key is the seed itself: how a library would stretch it may change.
    pub(super) fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Any number of 32 bits.
    pub(super) fn bits(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A number below `end`; the bias of at most `end` in 2^32 does not matter for made-up people.
    pub(super) fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(end)) >> 32) as u32
    }

    /// True this often in a thousand.
    pub(super) fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut draws = Draws::new(0);
        // The first words of ChaCha8 under the zero key, as its reference vectors give them.
        assert_eq!(draws.bits().to_le_bytes(), [0x3e, 0x00, 0xef, 0x2f]);
        assert_eq!(draws.bits().to_le_bytes(), [0x89, 0x5f, 0x40, 0xd6]);
    }

    #[test]
    fn a_chance_is_taken_as_often_as_it_says() {
        let mut draws = Draws::new(1);
        let taken = (0..100_000).filter(|_| draws.chance(250)).count();
        assert!((24_500..25_500).contains(&taken), "{taken}");
        assert!(!draws.chance(0) && draws.chance(1000));
    }
}

//! Values that look as if people had typed them, the same in every run.

/// Numbers that look random.
pub struct Draws(u64);

impl Draws {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below this.
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % most
    }

    /// One of some.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    /// An age, most of them in the middle.
    pub fn age(&mut self) -> u64 {
        18 + self.below(25) + self.below(25) + self.below(25)
    }
}

//! In which order do rows come to be dealt their places, that are alike in all that was counted?

use twox_hash::XxHash3_64;

/// Makes a hash of what a row shows beside what was counted, which is the same whatever file it stands in and will stand in.
#[derive(Debug)]
pub struct OwnHash {
    seed: u64,
    bytes: Vec<u8>,
}

impl OwnHash {
    /// Hashes that a seed decides about, too.
    pub fn new(seed: u64) -> Self {
        Self { seed, bytes: Vec::new() }
    }

    /// The hash of a row with this tuple and these cells. No cell and an empty one are the same in some formats, and so here.
    pub fn of<T: AsRef<str>>(&mut self, tuple: u32, cells: impl Iterator<Item = Option<T>>) -> u64 {
        self.bytes.clear();
        self.bytes.extend_from_slice(&tuple.to_le_bytes());
        for cell in cells {
            let text = cell.as_ref().map_or("", AsRef::as_ref);
            // With its length before it, no cell can be taken for two.
            self.bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
            self.bytes.extend_from_slice(text.as_bytes());
        }
        XxHash3_64::oneshot_with_seed(self.seed, &self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuple_cells_their_ends_and_the_seed_decide() {
        let of = |seed, tuple, cells: &[Option<&str>]| OwnHash::new(seed).of(tuple, cells.iter().copied());
        let one = of(1, 7, &[Some("ab"), Some("c")]);
        assert_eq!(one, of(1, 7, &[Some("ab"), Some("c")]));
        for other in
            [of(2, 7, &[Some("ab"), Some("c")]), of(1, 8, &[Some("ab"), Some("c")]), of(1, 7, &[Some("a"), Some("bc")])]
        {
            assert_ne!(one, other);
        }
        assert_eq!(of(1, 7, &[None]), of(1, 7, &[Some("")]));
        assert_ne!(of(1, 7, &[None]), of(1, 7, &[]));
    }
}

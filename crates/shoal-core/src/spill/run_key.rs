//! How does a key become bytes in a file, and a key again?

/// A key that can be written in a fixed number of bytes, its width.
pub trait RunKey: Clone + Ord + Send + Sync {
    /// Appends `width` bytes that stand for the key.
    fn put(&self, width: usize, bytes: &mut Vec<u8>);
    /// The key of such bytes.
    fn get(bytes: &[u8]) -> Self;
    /// The bytes of memory that a key of this width and its count take in a list.
    fn bytes_in_list(width: usize) -> usize;
}

macro_rules! integer_key {
    ($integer:ty) => {
        impl RunKey for $integer {
            #[inline]
            fn put(&self, width: usize, bytes: &mut Vec<u8>) {
                debug_assert!(width >= size_of::<Self>() || *self >> (8 * width) == 0, "the key fits its width");
                bytes.extend_from_slice(&self.to_le_bytes()[..width]);
            }

            #[inline]
            fn get(bytes: &[u8]) -> Self {
                let mut all = [0; size_of::<Self>()];
                all[..bytes.len()].copy_from_slice(bytes);
                Self::from_le_bytes(all)
            }

            fn bytes_in_list(_: usize) -> usize {
                size_of::<(Self, u64)>()
            }
        }
    };
}

integer_key!(u64);
integer_key!(u128);

/// Codes one after the other, four bytes each.
impl RunKey for Box<[u32]> {
    fn put(&self, _: usize, bytes: &mut Vec<u8>) {
        self.iter().for_each(|code| bytes.extend_from_slice(&code.to_le_bytes()));
    }

    fn get(bytes: &[u8]) -> Self {
        bytes.as_chunks().0.iter().map(|code| u32::from_le_bytes(*code)).collect()
    }

    fn bytes_in_list(width: usize) -> usize {
        // What a memory allocator adds to a small piece.
        const OVERHEAD: usize = 16;
        size_of::<(Self, u64)>() + width + OVERHEAD
    }
}

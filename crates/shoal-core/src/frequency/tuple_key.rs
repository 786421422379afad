//! How does a whole tuple become one thing that is quickly compared?

use std::hash::Hash;

use crate::spill::RunKey;

/// How many bits each column of a tuple takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TupleLayout {
    widths: Vec<u32>,
}

impl TupleLayout {
    /// For columns with this many distinct codes each.
    pub(super) fn new(domain_sizes: impl IntoIterator<Item = usize>) -> Self {
        let bits = |size: usize| usize::BITS - size.saturating_sub(1).leading_zeros();
        Self { widths: domain_sizes.into_iter().map(bits).collect() }
    }

    /// The bits of a whole tuple.
    pub(super) fn bits(&self) -> u32 {
        self.widths.iter().sum()
    }
}

/// The codes of a tuple in one piece. Keys of one layout are ordered as their tuples are: the first column decides first.
pub(super) trait TupleKey: RunKey + Hash {
    /// The bytes that a key of this layout takes in a file.
    fn width(layout: &TupleLayout) -> usize;
    fn pack(codes: &[u32], layout: &TupleLayout) -> Self;
    fn unpack(&self, layout: &TupleLayout, codes: &mut [u32]);
}

macro_rules! packed_into_an_integer {
    ($integer:ty) => {
        impl TupleKey for $integer {
            fn width(layout: &TupleLayout) -> usize {
                layout.bits().div_ceil(u8::BITS) as usize
            }

            #[inline]
            fn pack(codes: &[u32], layout: &TupleLayout) -> Self {
                codes.iter().zip(&layout.widths).fold(0, |key, (&code, &width)| key << width | <$integer>::from(code))
            }

            #[inline]
            fn unpack(&self, layout: &TupleLayout, codes: &mut [u32]) {
                let mut key = *self;
                for (code, &width) in codes.iter_mut().zip(&layout.widths).rev() {
                    *code = (key & ((1 << width) - 1)) as u32;
                    key >>= width;
                }
            }
        }
    };
}

packed_into_an_integer!(u64);
packed_into_an_integer!(u128);

/// A tuple that fits into no integer stays as it is.
impl TupleKey for Box<[u32]> {
    fn width(layout: &TupleLayout) -> usize {
        size_of::<u32>() * layout.widths.len()
    }

    fn pack(codes: &[u32], _: &TupleLayout) -> Self {
        codes.into()
    }

    fn unpack(&self, _: &TupleLayout, codes: &mut [u32]) {
        codes.copy_from_slice(self);
    }
}

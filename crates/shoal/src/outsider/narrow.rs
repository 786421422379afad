//! How are many small numbers kept in few bytes?

/// Numbers, each in as many bytes as the largest of them needs.
#[derive(Debug)]
pub(super) enum Narrow {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl Narrow {
    /// So many zeros, where numbers up to the largest will stand.
    pub(super) fn zeros(len: usize, largest: u32) -> Self {
        match largest {
            0..=0xff => Self::One(vec![0; len]),
            0x100..=0xffff => Self::Two(vec![0; len]),
            _ => Self::Four(vec![0; len]),
        }
    }

    /// These numbers.
    pub(super) fn of(numbers: impl Iterator<Item = u32> + Clone) -> Self {
        match numbers.clone().max().unwrap_or(0) {
            0..=0xff => Self::One(numbers.map(|number| number as u8).collect()),
            0x100..=0xffff => Self::Two(numbers.map(|number| number as u16).collect()),
            _ => Self::Four(numbers.collect()),
        }
    }

    /// The number at a place.
    #[inline]
    pub(super) fn get(&self, at: usize) -> u32 {
        match self {
            Self::One(numbers) => u32::from(numbers[at]),
            Self::Two(numbers) => u32::from(numbers[at]),
            Self::Four(numbers) => numbers[at],
        }
    }

    /// Puts a number to a place; none larger than was said.
    #[inline]
    pub(super) fn set(&mut self, at: usize, number: u32) {
        match self {
            Self::One(numbers) => numbers[at] = number as u8,
            Self::Two(numbers) => numbers[at] = number as u16,
            Self::Four(numbers) => numbers[at] = number,
        }
        debug_assert_eq!(self.get(at), number, "no number is larger than was said");
    }

    /// The largest of them; 0 if there is none.
    pub(super) fn largest(&self) -> u32 {
        let largest = match self {
            Self::One(numbers) => numbers.iter().copied().max().map(u32::from),
            Self::Two(numbers) => numbers.iter().copied().max().map(u32::from),
            Self::Four(numbers) => numbers.iter().copied().max(),
        };
        largest.unwrap_or(0)
    }

    /// The bytes they take.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::One(numbers) => numbers.len(),
            Self::Two(numbers) => 2 * numbers.len(),
            Self::Four(numbers) => 4 * numbers.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back_as_they_were(numbers in prop::collection::vec(prop::num::u32::ANY, 0..20), shift in 0u32..32) {
            let numbers: Vec<u32> = numbers.into_iter().map(|number| number >> shift).collect();
            let largest = numbers.iter().copied().max().unwrap_or(0);
            let mut put = Narrow::zeros(numbers.len(), largest);
            numbers.iter().enumerate().for_each(|(at, &number)| put.set(at, number));
            let collected = Narrow::of(numbers.iter().copied());
            for (at, &number) in numbers.iter().enumerate() {
                prop_assert_eq!((put.get(at), collected.get(at)), (number, number));
            }
            prop_assert_eq!((put.bytes(), put.largest()), (collected.bytes(), largest));
        }
    }

    #[test]
    fn each_number_takes_as_many_bytes_as_the_largest_needs() {
        for (largest, bytes) in [(0, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4), (u32::MAX, 4)] {
            assert_eq!(Narrow::of([largest, 0].into_iter()).bytes(), 2 * bytes);
        }
    }
}

//! Which sensitive tuples does a class hold, as models see it?

use super::members::Members;
use shoal_core::frequency::SensitiveTuples;

/// Makes sensitive tuples of the members of classes: the models' code of each text, then the person where people are known.
#[derive(Debug)]
pub(super) struct TupleMaker<'a> {
    /// For each sensitive column, the models' code of each of our texts.
    codes: &'a [Vec<u32>],
    /// Is the last number of a member a person?
    people: bool,
    /// Nothing if a tuple has more bits than an integer.
    packing: Option<Packing>,
}

/// How a tuple becomes an integer of the same order.
#[derive(Debug)]
struct Packing {
    /// How many bits each of its numbers has, and how many stand behind them.
    places: Vec<(u32, u32)>,
}

/// What is needed again for each class.
pub(super) type Packed = Vec<(u64, u64)>;

impl<'a> TupleMaker<'a> {
    pub(super) fn new(codes: &'a [Vec<u32>], people: bool) -> Self {
        let of_column = |codes: &Vec<u32>| codes.iter().max().map_or(0, |largest| u32::BITS - largest.leading_zeros());
        let bits: Vec<u32> = codes.iter().map(of_column).chain(people.then_some(u32::BITS)).collect();
        Self { codes, people, packing: Packing::new(&bits) }
    }

    /// The sensitive tuples of a class, and how many rows have each.
    pub(super) fn make(&self, members: &Members, packed: &mut Packed) -> (SensitiveTuples, Vec<u64>) {
        let (distinct, counts) = match &self.packing {
            Some(packing) => self.sort_packed(packing, members, packed),
            None => self.sort(members),
        };
        let tuples = SensitiveTuples::new(self.width(), distinct);
        (if self.people { tuples.of_people() } else { tuples }, counts)
    }

    fn width(&self) -> usize {
        self.codes.len() + usize::from(self.people)
    }

    fn tuple(&self, numbers: &[u32]) -> impl Iterator<Item = u32> {
        let codes = numbers.iter().zip(self.codes).map(|(&number, codes)| codes[number as usize]);
        codes.chain(numbers.last().copied().filter(|_| self.people))
    }

    /// The distinct tuples in their order, one after the other, and how many rows have each.
    fn sort_packed(&self, packing: &Packing, members: &Members, packed: &mut Packed) -> (Vec<u32>, Vec<u64>) {
        packed.clear();
        packed.extend(members.iter().map(|(numbers, count)| (packing.pack(self.tuple(numbers)), count)));
        packed.sort_unstable_by_key(|entry| entry.0);
        let (mut distinct, mut counts) = (Vec::new(), Vec::new());
        for same in packed.chunk_by(|a, b| a.0 == b.0) {
            distinct.extend(packing.unpack(same[0].0));
            counts.push(same.iter().map(|entry| entry.1).sum());
        }
        (distinct, counts)
    }

    /// The same for tuples of any length.
    fn sort(&self, members: &Members) -> (Vec<u32>, Vec<u64>) {
        let width = self.width();
        let tuples: Vec<u32> = members.iter().flat_map(|(numbers, _)| self.tuple(numbers)).collect();
        let tuple = |at: usize| &tuples[at * width..][..width];
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_unstable_by(|&a, &b| tuple(a).cmp(tuple(b)));
        let (mut distinct, mut counts) = (Vec::new(), Vec::new());
        for same in order.chunk_by(|&a, &b| tuple(a) == tuple(b)) {
            distinct.extend_from_slice(tuple(same[0]));
            counts.push(same.iter().map(|&at| members.count(at)).sum());
        }
        (distinct, counts)
    }
}

impl Packing {
    /// Of numbers with so many bits; nothing if they are too many. One bit is always left, so that no shift is as long as the integer.
    fn new(bits: &[u32]) -> Option<Self> {
        let mut behind: u32 = bits.iter().sum();
        if behind >= u64::BITS {
            return None;
        }
        let place = |&bits: &u32| {
            behind -= bits;
            (bits, behind)
        };
        Some(Self { places: bits.iter().map(place).collect() })
    }

    #[inline]
    fn pack(&self, tuple: impl Iterator<Item = u32>) -> u64 {
        tuple.zip(&self.places).fold(0, |packed, (number, &(_, behind))| packed | (u64::from(number) << behind))
    }

    #[inline]
    fn unpack(&self, packed: u64) -> impl Iterator<Item = u32> {
        self.places.iter().map(move |&(bits, behind)| ((packed >> behind) & ((1u64 << bits) - 1)) as u32)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Codes that stand for our numbers 0 to 3: small ones in any order, or with gaps.
    fn codes() -> impl Strategy<Value = Vec<u32>> {
        prop_oneof![Just(vec![0]), Just(vec![2, 0, 1, 3]), Just(vec![7, 100_000, 3, 0]), Just(vec![u32::MAX, 1, 5, 0])]
    }

    proptest! {
        #[test]
        fn packed_tuples_are_those_that_are_sorted_as_they_are(
            codes in prop::collection::vec(codes(), 0..3),
            rows in prop::collection::vec((prop::array::uniform2(0u32..4), prop_oneof![0u32..3, Just(u32::MAX)], 1u64..5), 0..40),
            people: bool,
        ) {
            let mut members = Members::new(codes.len() + usize::from(people));
            for (numbers, person, count) in rows {
                let numbers = numbers.into_iter().zip(&codes).map(|(number, codes)| number % codes.len() as u32);
                members.push(numbers.chain(people.then_some(person)), count);
            }
            let maker = TupleMaker::new(&codes, people);
            if let Some(packing) = &maker.packing {
                prop_assert_eq!(maker.sort_packed(packing, &members, &mut Vec::new()), maker.sort(&members));
            }
            let (tuples, counts) = maker.make(&members, &mut Vec::new());
            prop_assert!((1..tuples.len() as u32).all(|at| tuples.tuple(at - 1) < tuples.tuple(at)));
            prop_assert_eq!(counts.iter().sum::<u64>(), members.iter().map(|member| member.1).sum::<u64>());
        }
    }

    #[test]
    fn tuples_of_two_columns_and_a_person_fit_where_columns_are_short() {
        let (short, long) = (vec![0u32, 100_000], vec![u32::MAX]);
        assert!(TupleMaker::new(&[short.clone(), vec![13]], true).packing.is_some());
        assert!(TupleMaker::new(&[short, long.clone()], true).packing.is_none());
        assert!(TupleMaker::new(&[long.clone(), long], false).packing.is_none());
    }
}

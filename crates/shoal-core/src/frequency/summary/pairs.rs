//! Who has which values of a column in each class?

use super::becoming::{Becoming, order_of};

/// All pairs of a value and somebody who has it, in their order; classes name them by their places.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    values: Vec<u32>,
    people: Vec<u32>,
    /// How many people there are.
    everybody: usize,
}

impl Pairs {
    /// From pairs in any order: the different ones, and the place of each.
    pub(super) fn new(pairs: &[(u32, u32)]) -> (Self, Vec<u32>) {
        let pair = |at: u32| pairs[at as usize];
        let (mut all, mut place_of) = (Self::default(), vec![0; pairs.len()]);
        for (place, same) in (0..).zip(order_of(pairs).chunk_by(|&a, &b| pair(a) == pair(b))) {
            let (value, person) = pair(same[0]);
            all.values.push(value);
            all.people.push(person);
            all.everybody = all.everybody.max(person as usize + 1);
            same.iter().for_each(|&at| place_of[at as usize] = place);
        }
        (all, place_of)
    }

    /// A pair by its place: what is had, and who has it.
    pub(super) fn pair(&self, place: u32) -> (u32, u32) {
        (self.values[place as usize], self.people[place as usize])
    }

    /// How many have each value, of pairs at these places, in their order.
    pub(super) fn having(&self, places: &[u32]) -> (Vec<u32>, Vec<u64>) {
        let (mut values, mut counts): (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
        for &place in places {
            let value = self.values[place as usize];
            match counts.last_mut() {
                Some(count) if values.last() == Some(&value) => *count += 1,
                _ => {
                    values.push(value);
                    counts.push(1);
                }
            }
        }
        (values, counts)
    }
}

/// The pairs of each class.
#[derive(Debug)]
pub(super) struct PairsOf {
    /// Where those of each class begin; one more at the end.
    starts: Vec<usize>,
    places: Vec<u32>,
    /// How many different people each class has, where somebody asked.
    people: Vec<u32>,
}

/// What classes hold before they are merged.
pub(super) trait HeldPairs {
    /// Adds the places of the pairs of a class.
    fn add_to(&self, class: usize, places: &mut Vec<u32>);
    /// Are they sorted, and each there once?
    const SORTED: bool;
}

impl HeldPairs for PairsOf {
    #[inline]
    fn add_to(&self, class: usize, places: &mut Vec<u32>) {
        places.extend_from_slice(self.of(class));
    }

    const SORTED: bool = true;
}

impl PairsOf {
    /// Puts together what classes hold that become one; `counting` people, or not. Of classes that are not `wanted`, nothing.
    pub(super) fn merged<H: HeldPairs>(
        held: &H,
        becoming: &Becoming<'_>,
        all: &Pairs,
        counting: bool,
        wanted: impl Fn(usize) -> bool,
    ) -> Self {
        let starts = Vec::with_capacity(becoming.classes() + 1);
        let mut merged = Self { starts, places: Vec::new(), people: Vec::new() };
        let mut sorter = Sorter { bound: all.values.len(), is_there: Vec::new() };
        for (place, members) in becoming.members().enumerate() {
            let begin = merged.places.len();
            merged.starts.push(begin);
            if !wanted(place) {
                continue;
            }
            members.iter().for_each(|&old| held.add_to(old as usize, &mut merged.places));
            if members.len() > 1 || !H::SORTED {
                sorter.sort_and_dedup(&mut merged.places, begin);
            }
        }
        merged.starts.push(merged.places.len());
        merged.places.shrink_to_fit();
        if counting {
            merged.people = merged.count_people(all);
        }
        merged
    }

    fn count_people(&self, all: &Pairs) -> Vec<u32> {
        let mut last_class = vec![u32::MAX; all.everybody];
        let count = |(class, range): (u32, &[usize])| {
            let is_new = |place: &&u32| {
                let last = &mut last_class[all.people[**place as usize] as usize];
                std::mem::replace(last, class) != class
            };
            self.places[range[0]..range[1]].iter().filter(is_new).count() as u32
        };
        (0..).zip(self.starts.windows(2)).map(count).collect()
    }

    /// The places of the pairs of a class, sorted.
    #[inline]
    pub(super) fn of(&self, class: usize) -> &[u32] {
        &self.places[self.starts[class]..self.starts[class + 1]]
    }

    /// How many people a class has, where that was counted.
    pub(super) fn people(&self, class: usize) -> Option<u64> {
        self.people.get(class).map(|&people| people.into())
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.starts.len() + 4 * (self.places.len() + self.people.len())
    }
}

/// Sorts lists of numbers below a bound, and leaves each number there once.
struct Sorter {
    bound: usize,
    /// A bit for each number; none is set between two lists.
    is_there: Vec<u64>,
}

/// A list that has one of so many numbers that there could be is marked number by number instead of compared.
const SPARSE: usize = 32;

impl Sorter {
    /// Sorts what a list has from a place on.
    fn sort_and_dedup(&mut self, list: &mut Vec<u32>, from: usize) {
        let end = match (list.len() - from) * SPARSE < self.bound {
            true => by_comparing(&mut list[from..]),
            false => self.by_marking(&mut list[from..]),
        };
        list.truncate(from + end);
    }

    /// How many are left of a list, at its beginning.
    fn by_marking(&mut self, list: &mut [u32]) -> usize {
        self.is_there.resize(self.bound.div_ceil(64), 0);
        list.iter().for_each(|&number| self.is_there[number as usize / 64] |= 1 << (number % 64));
        let mut end = 0;
        for (word, bits) in (0u32..).zip(&mut self.is_there) {
            let mut left = std::mem::take(bits);
            while left != 0 {
                list[end] = word * 64 + left.trailing_zeros();
                end += 1;
                left &= left - 1;
            }
        }
        end
    }
}

fn by_comparing(list: &mut [u32]) -> usize {
    list.sort_unstable();
    let mut end = 0;
    for at in 0..list.len() {
        if at == 0 || list[at] != list[end - 1] {
            list[end] = list[at];
            end += 1;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    struct Listed(Vec<Vec<u32>>);

    impl HeldPairs for Listed {
        fn add_to(&self, class: usize, places: &mut Vec<u32>) {
            places.extend_from_slice(&self.0[class]);
        }

        const SORTED: bool = false;
    }

    proptest! {
        /// Few of many numbers are compared, and others marked.
        #[test]
        fn lists_are_sorted_either_way(lists in prop::collection::vec(prop::collection::vec(0u32..3000, 1..200), 1..4)) {
            let mut sorter = Sorter { bound: 3000, is_there: Vec::new() };
            for list in lists {
                let slow: Vec<u32> = list.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
                let mut sorted = [vec![7, 7, 3], list].concat();
                sorter.sort_and_dedup(&mut sorted, 3);
                prop_assert_eq!(&sorted[..3], &[7, 7, 3]);
                prop_assert_eq!(&sorted[3..], &slow);
            }
        }

        #[test]
        fn merged_classes_have_what_their_parts_had(
            pairs in prop::collection::vec((0u32..4, 0u32..6), 1..40),
            old in 1usize..8,
            becomes in prop::array::uniform2(prop::array::uniform8(0usize..8)),
        ) {
            let (all, place_of) = Pairs::new(&pairs);
            let mut listed = Listed(vec![Vec::new(); old]);
            let mut slow: Vec<BTreeSet<(u32, u32)>> = vec![BTreeSet::new(); old];
            for (at, &pair) in pairs.iter().enumerate() {
                prop_assert_eq!(all.pair(place_of[at]), pair);
                listed.0[at % old].push(place_of[at]);
                slow[at % old].insert(pair);
            }
            // Twice, as from the table to a node and on to one above it.
            let as_they_are: Vec<u32> = (0..old as u32).collect();
            let mut merged = PairsOf::merged(&listed, &Becoming::new(&as_they_are, old), &all, true, |_| true);
            for becomes in becomes {
                let classes = slow.len().div_ceil(2);
                let class_of: Vec<u32> = (0..slow.len()).map(|class| {
                    if class < classes { class as u32 } else { (becomes[class] % classes) as u32 }
                }).collect();
                merged = PairsOf::merged(&merged, &Becoming::new(&class_of, classes), &all, true, |_| true);
                let mut joined = vec![BTreeSet::new(); classes];
                slow.iter().zip(&class_of).for_each(|(pairs, &class)| joined[class as usize].extend(pairs));
                slow = joined;
                for (class, pairs) in slow.iter().enumerate() {
                    let found: Vec<(u32, u32)> = merged.of(class).iter().map(|&place| all.pair(place)).collect();
                    prop_assert_eq!(&found, &pairs.iter().copied().collect::<Vec<_>>());
                    let people: BTreeSet<u32> = pairs.iter().map(|pair| pair.1).collect();
                    prop_assert_eq!(merged.people(class), Some(people.len() as u64));
                    let (values, counts) = all.having(merged.of(class));
                    prop_assert_eq!(counts.iter().sum::<u64>() as usize, pairs.len());
                    prop_assert!(values.is_sorted_by(|a, b| a < b));
                }
            }
        }
    }
}

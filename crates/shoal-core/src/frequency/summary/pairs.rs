//! Who has which values of a column in each class?

use rayon::prelude::*;

use super::counts::members;

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
        let mut order: Vec<(u32, u32, u32)> =
            pairs.iter().zip(0..).map(|(&(value, person), at)| (value, person, at)).collect();
        order.par_sort_unstable();
        let (mut all, mut place_of) = (Self::default(), vec![0; pairs.len()]);
        for (place, same) in (0..).zip(order.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))) {
            all.values.push(same[0].0);
            all.people.push(same[0].1);
            all.everybody = all.everybody.max(same[0].1 as usize + 1);
            same.iter().for_each(|&(_, _, at)| place_of[at as usize] = place);
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
        class_of: &[u32],
        classes: usize,
        all: &Pairs,
        counting: bool,
        wanted: impl Fn(usize) -> bool,
    ) -> Self {
        let (members, firsts) = members(class_of, classes);
        let mut merged = Self { starts: Vec::with_capacity(classes + 1), places: Vec::new(), people: Vec::new() };
        for (place, class) in firsts.windows(2).enumerate() {
            let begin = merged.places.len();
            merged.starts.push(begin);
            if !wanted(place) {
                continue;
            }
            let members = &members[class[0] as usize..class[1] as usize];
            members.iter().for_each(|&old| held.add_to(old as usize, &mut merged.places));
            if members.len() > 1 || !H::SORTED {
                sort_and_dedup(&mut merged.places, begin);
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

    /// How many pairs all classes hold together.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.starts.len() + 4 * (self.places.len() + self.people.len())
    }
}

/// Sorts what a list has from a place on, and leaves each of it there once.
fn sort_and_dedup(list: &mut Vec<u32>, from: usize) {
    list[from..].sort_unstable();
    let mut end = from;
    for at in from..list.len() {
        if at == from || list[at] != list[end - 1] {
            list[end] = list[at];
            end += 1;
        }
    }
    list.truncate(end);
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
            let mut merged = PairsOf::merged(&listed, &(0..old as u32).collect::<Vec<_>>(), old, &all, true, |_| true);
            for becomes in becomes {
                let classes = slow.len().div_ceil(2);
                let class_of: Vec<u32> = (0..slow.len()).map(|class| {
                    if class < classes { class as u32 } else { (becomes[class] % classes) as u32 }
                }).collect();
                merged = PairsOf::merged(&merged, &class_of, classes, &all, true, |_| true);
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

//! Which old classes is each new one made of?

use std::cell::OnceCell;

/// What becomes of classes that are merged.
pub(super) struct Becoming<'a> {
    /// For each old class, the new one.
    pub(super) class_of: &'a [u32],
    classes: usize,
    /// The old classes by their new ones, and where those of each begin; made when somebody asks, once for all parts of a summary.
    sorted: OnceCell<(Vec<u32>, Vec<u32>)>,
}

impl<'a> Becoming<'a> {
    pub(super) fn new(class_of: &'a [u32], classes: usize) -> Self {
        Self { class_of, classes, sorted: OnceCell::new() }
    }

    /// How many new classes there are.
    pub(super) fn classes(&self) -> usize {
        self.classes
    }

    /// The old classes of each new one.
    pub(super) fn members(&self) -> impl Iterator<Item = &[u32]> {
        let (members, firsts) = self.sorted.get_or_init(|| sorted_by(self.class_of, self.classes));
        firsts.windows(2).map(|class| &members[class[0] as usize..class[1] as usize])
    }
}

/// The places of a list sorted by what stands there, which is below `bound`, and where those with each number begin: a counting sort, which leaves
/// the same numbers in their order.
pub(super) fn sorted_by(numbers: &[u32], bound: usize) -> (Vec<u32>, Vec<u32>) {
    let firsts = firsts(numbers.iter().copied(), bound);
    let mut next = firsts.clone();
    let mut sorted = vec![0u32; numbers.len()];
    for (place, &number) in numbers.iter().enumerate() {
        sorted[next[number as usize] as usize] = place as u32;
        next[number as usize] += 1;
    }
    (sorted, firsts)
}

/// Where the places with each number begin, if they are sorted by it; one more at the end.
fn firsts(numbers: impl Iterator<Item = u32>, bound: usize) -> Vec<u32> {
    let mut firsts = vec![0u32; bound + 1];
    numbers.for_each(|number| firsts[number as usize + 1] += 1);
    for number in 0..bound {
        firsts[number + 1] += firsts[number];
    }
    firsts
}

/// The places of pairs in the order of the pairs: sorted by their second numbers, and, as that is kept among the same ones, by their first.
pub(super) fn order_of(pairs: &[(u32, u32)]) -> Vec<u32> {
    let bound = |number: fn(&(u32, u32)) -> u32| pairs.iter().map(number).max().map_or(0, |last| last as usize + 1);
    let seconds: Vec<u32> = pairs.iter().map(|pair| pair.1).collect();
    let (by_second, _) = sorted_by(&seconds, bound(|pair| pair.1));
    drop(seconds);
    let first_of = |place: u32| pairs[place as usize].0;
    let mut next = firsts(by_second.iter().map(|&place| first_of(place)), bound(|pair| pair.0));
    let mut order = vec![0u32; pairs.len()];
    for place in by_second {
        let next = &mut next[first_of(place) as usize];
        order[*next as usize] = place;
        *next += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn counting_sorts_as_comparing_does(pairs in prop::collection::vec((0u32..5, 0u32..9), 0..60)) {
            let mut slow: Vec<u32> = (0..pairs.len() as u32).collect();
            slow.sort_by_key(|&place| pairs[place as usize]);
            prop_assert_eq!(order_of(&pairs), slow);

            let class_of: Vec<u32> = pairs.iter().map(|pair| pair.0).collect();
            let becoming = Becoming::new(&class_of, 5);
            let members: Vec<Vec<u32>> = becoming.members().map(<[u32]>::to_vec).collect();
            prop_assert_eq!(members.len(), 5);
            for (class, members) in members.iter().enumerate() {
                let slow: Vec<u32> =
                    (0..pairs.len() as u32).filter(|&old| class_of[old as usize] as usize == class).collect();
                prop_assert_eq!(members, &slow);
            }
        }
    }
}

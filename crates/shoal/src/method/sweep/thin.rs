//! Which records must leave a class so that it becomes diverse enough?

use super::super::diversity::Diversity;
use crate::frequency::{Counts, Induction};

/// Selects the records to sweep (section III.D of the paper): as long as the class is not diverse, one whose removal lowers
/// the induced frequency of the dominant value most. Of a tied dominant value, the one with the smallest code.
#[derive(Debug)]
pub(super) struct Thinning<'a> {
    pub(super) diversity: &'a Diversity<'a>,
    /// How values of the column that decides spread over its leaves.
    pub(super) induction: &'a Induction,
}

/// A class of so many records is small.
const SMALL: u64 = 4096;

/// The next removals.
enum Step {
    /// One record of each of these places, in this order, and that so many times.
    Rounds { places: Vec<usize>, times: u64 },
    /// One record of this place.
    One(usize),
}

impl Thinning<'_> {
    /// How many records with each code stay, given how many there are (codes sorted, counts above 0); `None` if only
    /// an empty class would do.
    ///
    /// Records are removed in bulk where removing them one by one would come to the same. Leaves within one record of the
    /// dominant one take turns: after a *round*, one record of each, all stand as before but for one record each. The
    /// cumulative frequencies F(j) do not rise from round to round, nor from within a round to its end: for whole counts the
    /// first class that is diverse is found by halving between rounds, then record by record. It costs no more than the
    /// number of distinct values, however many records leave. Where generalized values give leaves fractions of records, a
    /// class within a round may be diverse though that at its end is not; small classes with such values lose their records
    /// one by one, and from large ones a few more than necessary may leave.
    pub(super) fn thin(&self, codes: &[u32], counts: &[u64]) -> Option<Vec<u64>> {
        let has_fractions = self.diversity.has_generalized(codes);
        if !has_fractions && !self.diversity.is_diverse(codes, &vec![1; codes.len()]) {
            // The values that are there, each once: nothing that removals could lead to is more even.
            return None;
        }
        let one_by_one = has_fractions && counts.iter().sum::<u64>() <= SMALL;
        let mut left = counts.to_vec();
        while !self.diversity.is_diverse(codes, &left) {
            match self.next(codes, &left)? {
                Step::One(place) => left[place] -= 1,
                Step::Rounds { places, .. } if one_by_one => left[places[0]] -= 1,
                Step::Rounds { places, times } => {
                    let after = |rounds: u64| {
                        let mut after = left.clone();
                        places.iter().for_each(|&place| after[place] -= rounds);
                        after
                    };
                    if !self.diversity.is_diverse(codes, &after(times)) {
                        left = after(times);
                        continue;
                    }
                    let (mut too_few, mut enough) = (0, times);
                    while too_few + 1 < enough {
                        let middle = too_few.midpoint(enough);
                        if self.diversity.is_diverse(codes, &after(middle)) { enough = middle } else { too_few = middle }
                    }
                    left = after(too_few);
                    for &place in &places {
                        left[place] -= 1;
                        if self.diversity.is_diverse(codes, &left) {
                            break;
                        }
                    }
                }
            }
            if left.iter().all(|&count| count == 0) {
                return None;
            }
        }
        Some(left)
    }

    /// What leaves next; `None` if no removal lowers the dominant value's frequency.
    fn next(&self, codes: &[u32], left: &[u64]) -> Option<Step> {
        let record = self.induction.scale();
        let (present, counts): (Vec<u32>, Vec<u64>) =
            codes.iter().zip(left).filter(|(_, left)| **left > 0).map(|(&code, &left)| (code, left)).unzip();
        let masses = self.induction.induce(Counts { codes: &present, counts: &counts });
        let mut leaves: Vec<(u64, u32)> =
            masses.counts.iter().zip(masses.codes.iter()).map(|(&mass, &leaf)| (mass, leaf)).collect();
        leaves.sort_unstable_by_key(|&(mass, leaf)| (std::cmp::Reverse(mass), leaf));
        let &(top, dominant) = leaves.first()?;
        let turns = leaves.partition_point(|&(mass, _)| mass + record > top);
        // A record whose value is the leaf itself.
        let plain = |leaf: u32| codes.binary_search(&leaf).ok().filter(|&place| left[place] > 0);
        let places: Option<Vec<usize>> = leaves[..turns].iter().map(|&(_, leaf)| plain(leaf)).collect();
        if let Some(places) = places {
            let fewest = places.iter().map(|&place| left[place]).min()?;
            let until_next = leaves.get(turns).map_or(u64::MAX, |&(below, _)| (top - record - below) / record + 1);
            return Some(Step::Rounds { places, times: fewest.min(until_next) });
        }
        let share = |place: usize| {
            let mut share = 0;
            self.induction.each_part(codes[place], |leaf, parts| share += if leaf == dominant { parts } else { 0 });
            share
        };
        let best = (0..codes.len()).filter(|&place| left[place] > 0).max_by_key(|&place| (share(place), std::cmp::Reverse(place)))?;
        let size: u64 = counts.iter().sum();
        (u128::from(share(best)) * u128::from(size) > u128::from(top)).then_some(Step::One(best))
    }
}

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

/// From a class of so many records they leave one by one.
const SMALL: u64 = 512;

/// The next removals: one record of each of these places, in this order, and that so many times.
struct Rounds {
    places: Vec<usize>,
    times: u64,
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
        if !self.can_become_diverse(codes) {
            return None;
        }
        let one_by_one = self.diversity.has_generalized(codes) && counts.iter().sum::<u64>() <= SMALL;
        let mut left = counts.to_vec();
        while !self.diversity.is_diverse(codes, &left) {
            let Rounds { places, times } = self.next(codes, &left)?;
            if one_by_one {
                left[places[0]] -= 1;
            } else {
                left = self.after_rounds(codes, left, &places, times);
            }
            if left.iter().all(|&count| count == 0) {
                return None;
            }
        }
        Some(left)
    }

    /// Could any class of records with these codes be diverse? Every leaf that they may stand for, as often as any other:
    /// nothing that removals could lead to is more even.
    fn can_become_diverse(&self, codes: &[u32]) -> bool {
        if !self.diversity.has_generalized(codes) {
            return self.diversity.is_diverse(codes, &vec![1; codes.len()]);
        }
        let mut leaves = Vec::new();
        for &code in codes {
            self.induction.each_part(code, |leaf, parts| leaves.extend((parts > 0).then_some(leaf)));
        }
        leaves.sort_unstable();
        leaves.dedup();
        self.diversity.is_diverse(&leaves, &vec![1; leaves.len()])
    }

    /// What is left after these rounds, or after as many of the removals as make the class diverse.
    fn after_rounds(&self, codes: &[u32], left: Vec<u64>, places: &[usize], times: u64) -> Vec<u64> {
        let after = |rounds: u64| {
            let mut after = left.clone();
            places.iter().for_each(|&place| after[place] -= rounds);
            after
        };
        let all = after(times);
        if !self.diversity.is_diverse(codes, &all) {
            return all;
        }
        let (mut too_few, mut enough) = (0, times);
        while too_few + 1 < enough {
            let middle = too_few.midpoint(enough);
            if self.diversity.is_diverse(codes, &after(middle)) { enough = middle } else { too_few = middle }
        }
        let mut left = after(too_few);
        for &place in places {
            left[place] -= 1;
            if self.diversity.is_diverse(codes, &left) {
                break;
            }
        }
        left
    }

    /// What leaves next; `None` if no removal lowers the dominant value's frequency.
    fn next(&self, codes: &[u32], left: &[u64]) -> Option<Rounds> {
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
            return Some(Rounds { places, times: fewest.min(until_next) });
        }
        let share = |place: usize, leaf: u32| {
            let mut share = 0;
            self.induction.each_part(codes[place], |covered, parts| share += if covered == leaf { parts } else { 0 });
            share
        };
        let present = (0..codes.len()).filter(|&place| left[place] > 0);
        let best = present.max_by_key(|&place| (share(place, dominant), std::cmp::Reverse(place)))?;
        let (taken, size) = (share(best, dominant), counts.iter().sum::<u64>());
        if u128::from(taken) * u128::from(size) <= u128::from(top) {
            return None;
        }
        // Until another leaf is dominant.
        let until_below = |&(mass, leaf): &(u64, u32)| {
            let nearer = taken.saturating_sub(share(best, leaf));
            (top - mass).checked_div(nearer).map_or(u64::MAX, |removals| removals + 1)
        };
        let times = leaves[1..].iter().map(until_below).min().unwrap_or(u64::MAX).min(left[best]);
        Some(Rounds { places: vec![best], times })
    }
}

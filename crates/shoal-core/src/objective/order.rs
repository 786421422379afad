//! Which candidate has lost least, where rounding must not decide?

/// Two values are the same if they differ by no more than this part of the lesser one, or by no more than this where that is
/// below 1. Sums over columns are rounded in another way if the columns come in another order, and a loss may be the
/// difference of numbers near 1.
pub const TOLERANCE: f64 = 1e-12;

/// Is a value larger than another, by more than rounding explains?
pub fn exceeds(value: f64, other: f64) -> bool {
    is_above(value, other, TOLERANCE)
}

/// Must everything that loses at least `bound` lose more than `least`? The bound is rounded, too, hence twice the tolerance.
pub fn is_hopeless(bound: f64, least: f64) -> bool {
    is_above(bound, least, 2.0 * TOLERANCE)
}

fn is_above(value: f64, other: f64, tolerance: f64) -> bool {
    value > other + tolerance * other.abs().max(1.0)
}

/// The candidate that has lost least; of those that have lost the same, the first in their own order.
///
/// To be the same is not transitive, so it is asked of the least value alone, once all candidates are known. Until then
/// every candidate is kept that might win, so that it does not matter in which order they come.
#[derive(Debug, Clone)]
pub struct Least<T> {
    /// Each has lost more than the one before, and comes before it in the order; all have lost the same as the first.
    stairs: Vec<(f64, T)>,
}

impl<T> Default for Least<T> {
    fn default() -> Self {
        Self { stairs: Vec::new() }
    }
}

impl<T: Ord> Least<T> {
    /// One more candidate. What is not a number is worse than anything.
    pub fn offer(&mut self, value: f64, candidate: T) {
        let value = if value.is_nan() { f64::INFINITY } else { value };
        if self.value().is_some_and(|least| exceeds(value, least)) {
            return;
        }
        let place = self.stairs.partition_point(|(known, _)| *known < value);
        let no_worse = self.stairs.partition_point(|(known, _)| *known <= value);
        if self.stairs[..no_worse].last().is_some_and(|(_, known)| *known <= candidate) {
            return;
        }
        let beaten = self.stairs[place..].partition_point(|(_, known)| *known >= candidate);
        self.stairs.splice(place..place + beaten, [(value, candidate)]);
        let least = self.stairs[0].0;
        self.stairs.truncate(self.stairs.partition_point(|(known, _)| !exceeds(*known, least)));
    }

    /// Would a candidate change nothing that loses at least `bound`, known without rounding, and comes at or after `first` in the order?
    pub fn is_beaten(&self, bound: f64, first: &T) -> bool {
        // What beats the winner later beats that candidate, too, and whatever makes the winner lose too much.
        self.stairs.last().is_some_and(|(value, winner)| bound >= *value && winner < first)
    }

    /// The least that any candidate has lost.
    pub fn value(&self) -> Option<f64> {
        self.stairs.first().map(|(value, _)| *value)
    }

    /// The candidate that wins so far.
    pub fn winner(&self) -> Option<&T> {
        self.stairs.last().map(|(_, candidate)| candidate)
    }

    /// The candidate that wins, and what it has lost.
    pub fn into_winner(mut self) -> Option<(f64, T)> {
        self.stairs.pop()
    }
}

impl<T: Ord> FromIterator<(f64, T)> for Least<T> {
    fn from_iter<I: IntoIterator<Item = (f64, T)>>(candidates: I) -> Self {
        let mut least = Self::default();
        candidates.into_iter().for_each(|(value, candidate)| least.offer(value, candidate));
        least
    }
}

/// Sorts candidates by what they have lost; those that have lost the same as the first of them by their own order.
pub fn sort_by_loss<T: Ord>(candidates: &mut [(f64, T)]) {
    candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut begin = 0;
    while begin < candidates.len() {
        let least = candidates[begin].0;
        let same = candidates[begin..].partition_point(|(value, _)| !exceeds(*value, least)).max(1);
        candidates[begin..begin + same].sort_unstable_by(|a, b| a.1.cmp(&b.1));
        begin += same;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rounding_does_not_decide() {
        assert!(0.1 + 0.2 > 0.3 && !exceeds(0.1 + 0.2, 0.3));
        assert!(exceeds(0.3 + 1e-11, 0.3) && exceeds(1e13 + 11.0, 1e13) && !exceeds(1e13 + 9.0, 1e13));
        assert!(!exceeds(f64::INFINITY, f64::INFINITY) && exceeds(f64::INFINITY, 1.0));
        let winner = |candidates: &[(f64, u32)]| candidates.iter().copied().collect::<Least<u32>>().into_winner();
        assert_eq!(winner(&[(0.3, 2), (0.1 + 0.2, 1)]), Some((0.1 + 0.2, 1)));
        assert_eq!(winner(&[(0.4, 1), (0.3, 2)]), Some((0.3, 2)));
        assert_eq!(winner(&[(f64::NAN, 2), (f64::NAN, 1)]), Some((f64::INFINITY, 1)));
        assert_eq!(winner(&[]), None);
    }

    /// Values in steps of half the tolerance: many are the same as their neighbours, whose neighbours are not.
    fn candidates() -> impl Strategy<Value = Vec<(f64, u32)>> {
        let candidate =
            (0..9u32, 0..20u32).prop_map(|(steps, order)| (0.5 + f64::from(steps) * TOLERANCE / 2.0, order));
        prop::collection::vec(candidate, 1..12)
    }

    proptest! {
        #[test]
        fn the_winner_is_the_first_of_those_as_good_as_the_least(candidates in candidates()) {
            let least = candidates.iter().map(|pair| pair.0).fold(f64::INFINITY, f64::min);
            let same = candidates.iter().filter(|(value, _)| !exceeds(*value, least));
            let first = same.map(|pair| pair.1).min();
            let mut turned = candidates.clone();
            for _ in 0..candidates.len() {
                turned.rotate_left(1);
                let found: Least<u32> = turned.iter().copied().collect();
                prop_assert_eq!(found.value(), Some(least));
                prop_assert_eq!(found.winner().copied(), first);
            }
            sort_by_loss(&mut turned);
            prop_assert_eq!(turned.first().map(|pair| pair.1), first);
            let same: Vec<u32> = turned.iter().take_while(|(value, _)| !exceeds(*value, least)).map(|pair| pair.1).collect();
            prop_assert!(same.is_sorted());
        }
    }
}

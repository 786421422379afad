//! How many records of a class can be in parts that satisfy, however it is divided?
//!
//! Definitions that bound shares hold of several parts as one if they hold of each, so what can be accepted of a class is no more than its largest part
//! that could be: all others fail.

/// No part has more records that keeps its limits and has enough records within them.
///
/// `limits` are the records that the class holds of each value (or of several together), and how many of `of` records of a part count as such at
/// most; the `unlimited` count, however many they are. Of a part of p records, `required` p must count (a fraction, as numerator and denominator).
///
/// So p satisfies: sum of min(held, p expected / of) + unlimited >= p required. Each minimum is at most either of its two: if those that are
/// at their limit for some larger part are taken as held, and the others as expected, p (required - sum of expected / of) <= sum of held + unlimited. That is
/// a bound whichever are taken so; each is tried on the part that the last one allows, until nothing changes.
pub(super) fn largest_part(size: u64, limits: &[(u64, u64)], of: u64, unlimited: u64, required: (u64, u64)) -> u64 {
    let (numerator, denominator) = (u128::from(required.0), u128::from(required.1));
    let mut most = size;
    loop {
        let (mut held, mut expected) = (u128::from(unlimited), 0);
        for &(here, share) in limits {
            let is_all = u128::from(here) * u128::from(of) < u128::from(most) * u128::from(share);
            if is_all { held += u128::from(here) } else { expected += u128::from(share) }
        }
        let lacking = (numerator * u128::from(of)).saturating_sub(denominator * expected);
        let scaled = held.checked_mul(u128::from(of)).and_then(|held| held.checked_mul(denominator));
        // Numbers that are too large say nothing.
        let Some(largest) = scaled.and_then(|scaled| scaled.checked_div(lacking)) else { return most };
        if largest >= u128::from(most) {
            return most;
        }
        most = largest as u64;
    }
}

/// The denominator of parameters that are rounded, so that numbers stay small.
pub(super) const BILLION: u64 = 1_000_000_000;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_part_takes_all_of_what_is_rare_and_no_more_than_its_share_of_what_is_frequent() {
        // Of 8, 1 and 1 records no value may have more than half: of the first no more than 2 fit to the others.
        assert_eq!(largest_part(10, &[(8, 1), (1, 1), (1, 1)], 2, 0, (1, 1)), 4);
        // Of a third of them it is 3 in all, one of each.
        assert_eq!(largest_part(10, &[(8, 1), (1, 1), (1, 1)], 3, 0, (1, 1)), 3);
        // With a fourth nothing is allowed: three values do not make four quarters.
        assert_eq!(largest_part(10, &[(8, 1), (1, 1), (1, 1)], 4, 0, (1, 1)), 0);
        // Where the others may be as many as they are, there is room for their share.
        assert_eq!(largest_part(10, &[(8, 1)], 4, 2, (1, 1)), 2);
        assert_eq!(largest_part(10, &[(8, 3)], 4, 2, (1, 1)), 8);
        // A class of one value against one that is half of the reference has half in common with it.
        assert_eq!((largest_part(6, &[(6, 1)], 2, 0, (1, 2)), largest_part(6, &[(6, 1)], 2, 0, (3, 5))), (6, 0));
    }

    proptest! {
        #[test]
        fn no_larger_part_is_within_its_limits(
            limits in prop::collection::vec((0..20u64, 0..12u64), 1..5),
            of in 1..30u64,
            unlimited in 0..4u64,
            required in (0..12u64, 1..12u64),
        ) {
            let size: u64 = unlimited + limits.iter().map(|limit| limit.0).sum::<u64>();
            let is_within = |part: u64| {
                let counted: u64 = limits.iter().map(|&(held, share)| (held * of).min(part * share)).sum();
                (counted + unlimited * of) * required.1 >= part * required.0 * of
            };
            let slow = (0..=size).rev().find(|&part| is_within(part)).unwrap_or(0);
            prop_assert_eq!(largest_part(size, &limits, of, unlimited, required), slow);
        }
    }
}

//! Which number would somebody try next who finds that a parameter asks too much?
//!
//! Nobody asks for k = 9 instead of 10, or for t = 0.21 instead of 0.2: a step goes to the next number that people use. Every walk ends.

/// The numbers that people use from 10 on, up to the next power of ten.
const USUAL: [f64; 8] = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5];

/// The shares and distances that people use.
const SHARES: [f64; 17] = [0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9];

/// Beyond this, a factor bounds nothing that is worth bounding.
const LARGEST_FACTOR: f64 = 100.0;

/// The next smaller whole number that people use: one less up to 5, then 5, 10, 15, 20, 25, 30, 40, 50, 75, 100 and so on.
pub(super) fn fewer(number: u64, least: u64) -> Option<u64> {
    let next = match number {
        0..=5 => number.checked_sub(1)?,
        6..=10 => 5,
        _ => {
            let mut power = 10;
            while power <= number / 10 {
                power *= 10;
            }
            let below = |factor: &f64| (factor * power as f64) as u64;
            // 10 itself where the number is 11 to 15; what is no power of ten has one below it.
            USUAL.iter().rev().map(below).find(|&usual| usual < number).unwrap_or(power / 10 * 15 / 2)
        }
    };
    (next >= least && next < number).then_some(next)
}

/// The next smaller number in steps of a half up to 5, then among the whole numbers that people use.
pub(super) fn less(number: f64, least: f64) -> Option<f64> {
    let next = if number <= 5.0 { (number * 2.0).ceil() / 2.0 - 0.5 } else { fewer(number.ceil() as u64, 5)? as f64 };
    (next >= least && next < number).then_some(next)
}

/// The next larger share that people use, below 1: at 1, everything would be accepted.
pub(super) fn larger_share(share: f64) -> Option<f64> {
    SHARES.into_iter().find(|&usual| usual > share)
}

/// The next smaller share that people use.
pub(super) fn smaller_share(share: f64) -> Option<f64> {
    SHARES.into_iter().rev().find(|&usual| usual < share)
}

/// The next larger factor that people use: by halves up to 3, then 4, 5, 7.5, 10 and so on.
pub(super) fn larger_factor(factor: f64) -> Option<f64> {
    let halves = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.5];
    let tens = USUAL.map(|usual| usual * 10.0);
    halves.into_iter().chain(tens).chain([LARGEST_FACTOR]).find(|&usual| usual > factor)
}

/// The next smaller reach: half of it in numbers that people use, down to 1 or to a hundredth, and then none.
pub(super) fn smaller_reach(reach: f64) -> Option<f64> {
    match reach {
        _ if reach <= 0.0 => None,
        _ if reach > 1e15 => Some(1e15),
        _ if reach > 1.0 => Some(fewer(reach.ceil() as u64, 1)? as f64),
        _ => Some(smaller_share(reach).unwrap_or(0.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number on the way from one.
    fn walk(from: f64, step: impl Fn(f64) -> Option<f64>) -> Vec<f64> {
        std::iter::successors(Some(from), |&number| step(number)).skip(1).collect()
    }

    #[test]
    fn steps_go_to_numbers_that_people_use() {
        let whole = |from: u64| walk(from as f64, |number| fewer(number as u64, 2).map(|next| next as f64));
        assert_eq!(whole(11), [10.0, 5.0, 4.0, 3.0, 2.0]);
        assert_eq!(whole(7), whole(10));
        assert_eq!(whole(120)[..9], [100.0, 75.0, 50.0, 40.0, 30.0, 25.0, 20.0, 15.0, 10.0]);
        assert_eq!(whole(2), [0.0; 0]);
        assert_eq!(fewer(2, 1), Some(1));
        assert_eq!(fewer(1, 1), None);
        assert_eq!(fewer(u64::MAX, 2), Some(15_000_000_000_000_000_000));

        assert_eq!(walk(3.0, |l| less(l, 1.5)), [2.5, 2.0, 1.5]);
        assert_eq!(walk(2.4, |l| less(l, 1.5)), [2.0, 1.5]);
        assert_eq!(walk(12.5, |l| less(l, 1.5))[..3], [10.0, 5.0, 4.5]);
        assert_eq!(less(1.2, 1.5), None);

        assert_eq!(larger_share(0.167), Some(0.2));
        assert_eq!(walk(0.5, larger_share), [0.6, 0.7, 0.75, 0.8, 0.9]);
        assert_eq!(larger_share(0.95), None);
        assert_eq!(walk(0.1, smaller_share), [0.05, 0.03, 0.02, 0.01]);
        assert_eq!(walk(2.0, larger_factor)[..6], [2.5, 3.0, 4.0, 5.0, 7.5, 10.0]);
        assert_eq!(walk(80.0, larger_factor), [100.0]);
        assert_eq!(walk(500.0, smaller_reach)[..4], [400.0, 300.0, 250.0, 200.0]);
        assert_eq!(walk(1.5, smaller_reach)[..3], [1.0, 0.9, 0.8]);
        assert_eq!(walk(0.5, smaller_reach).last(), Some(&0.0));
    }

    #[test]
    fn every_walk_ends_and_goes_one_way() {
        for from in [1e-9, 0.3, 1.0, 1.7, 5.0, 6.5, 99.0, 1e6, 1e15, 1e18, 1e300] {
            for (step, is_down) in [
                (&(|n| less(n, 1.5)) as &dyn Fn(f64) -> Option<f64>, true),
                (&larger_share, false),
                (&smaller_share, true),
                (&larger_factor, false),
                (&smaller_reach, true),
            ] {
                let walked = walk(from, step);
                assert!(walked.len() < 300, "{from}: {walked:?}");
                let all: Vec<f64> = [vec![from], walked].concat();
                assert!(all.windows(2).all(|pair| (pair[1] < pair[0]) == is_down && pair[1] != pair[0]), "{all:?}");
            }
        }
    }
}

//! How is one of several outcomes drawn with given shares, in constant time?

use super::draws::Draws;

/// One slot of the alias method: the slot's own outcome, or another one.
#[derive(Clone, Copy)]
struct Slot {
    /// Below this fraction (of 2^32) it is the slot's own outcome.
    own_below: u32,
    other: u8,
}

/// Shares of `N` outcomes, prepared by the compiler for Walker's alias method: one random number decides both
/// for a slot and, with what remains of it, for one of the slot's two outcomes.
pub(super) struct Shares<const N: usize>([Slot; N]);

impl<const N: usize> Shares<N> {
    /// Shares in proportion to these weights, whatever they add up to.
    pub(super) const fn new(weights: [u32; N]) -> Self {
        assert!(N > 0 && N <= 256, "outcomes are numbered in a byte");
        let mut total = 0;
        let mut i = 0;
        while i < N {
            total += weights[i] as u64;
            i += 1;
        }
        assert!(total > 0, "something has to be possible");

        // Every slot holds `total`; an outcome has N times its weight to put into slots.
        let mut slots = [Slot { own_below: 0, other: 0 }; N];
        let mut left = [0; N];
        let mut filled = [false; N];
        i = 0;
        while i < N {
            slots[i].other = i as u8;
            left[i] = weights[i] as u64 * N as u64;
            i += 1;
        }
        // The poorest outcome's slot is filled up by the richest; the last slot is all its own.
        let mut round = 1;
        while round < N {
            let (poorest, richest) = extremes(&left, &filled);
            if left[poorest] < total {
                slots[poorest] = Slot { own_below: ((left[poorest] << 32) / total) as u32, other: richest as u8 };
                left[richest] -= total - left[poorest];
            }
            filled[poorest] = true;
            round += 1;
        }
        Self(slots)
    }

    /// One of the outcomes.
    pub(super) fn draw(&self, draws: &mut Draws) -> usize {
        let wide = u64::from(draws.bits()) * N as u64;
        let own = (wide >> 32) as usize;
        let slot = self.0[own];
        if (wide as u32) < slot.own_below { own } else { usize::from(slot.other) }
    }
}

const fn extremes<const N: usize>(left: &[u64; N], filled: &[bool; N]) -> (usize, usize) {
    let (mut poorest, mut richest) = (usize::MAX, usize::MAX);
    let mut i = 0;
    while i < N {
        if !filled[i] {
            if poorest == usize::MAX || left[i] < left[poorest] {
                poorest = i;
            }
            if richest == usize::MAX || left[i] >= left[richest] {
                richest = i;
            }
        }
        i += 1;
    }
    (poorest, richest)
}

/// The shares of `N` named categories under each of `C` conditions.
pub(super) struct Table<const N: usize, const C: usize> {
    names: [&'static str; N],
    shares: [Shares<N>; C],
}

impl<const N: usize, const C: usize> Table<N, C> {
    /// A table as it is printed: a line for each category, a column of weights for each condition.
    pub(super) const fn new(lines: [(&'static str, [u32; C]); N]) -> Self {
        let mut names = [""; N];
        let mut shares = [const { Shares([Slot { own_below: 0, other: 0 }; N]) }; C];
        let mut column = 0;
        while column < C {
            let mut weights = [0; N];
            let mut line = 0;
            while line < N {
                names[line] = lines[line].0;
                weights[line] = lines[line].1[column];
                line += 1;
            }
            shares[column] = Shares::new(weights);
            column += 1;
        }
        Self { names, shares }
    }

    /// A category under a condition.
    pub(super) fn draw(&self, condition: usize, draws: &mut Draws) -> usize {
        self.shares[condition].draw(draws)
    }

    /// What a category is called.
    pub(super) fn name(&self, category: usize) -> &'static str {
        self.names[category]
    }

    /// What the categories are called.
    #[cfg(test)]
    pub(super) fn names(&self) -> &[&'static str] {
        &self.names
    }
}

/// The number of the age band that `age` is in, when a new one begins at each of `starts`.
pub(super) fn band(age: u32, starts: &[u32]) -> usize {
    starts.iter().filter(|&&start| age >= start).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_come_in_their_shares() {
        static SHARES: Shares<5> = Shares::new([0, 1, 2, 7, 90]);
        let mut draws = Draws::new(5);
        let mut counts = [0; 5];
        for _ in 0..1_000_000 {
            counts[SHARES.draw(&mut draws)] += 1;
        }
        assert_eq!(counts[0], 0);
        for (count, percent) in counts.into_iter().zip([0, 1, 2, 7, 90]) {
            assert!(i32::abs(count - percent * 10_000) < 1_000, "{counts:?}");
        }
    }

    #[test]
    fn even_shares_and_single_outcomes_work() {
        let mut draws = Draws::new(5);
        assert_eq!(Shares::new([3]).draw(&mut draws), 0);
        let even = Shares::new([1; 4]);
        let zeros = (0..40_000).filter(|_| even.draw(&mut draws) == 0).count();
        assert!((9_500..10_500).contains(&zeros), "{zeros}");
    }

    #[test]
    fn a_table_is_read_down_its_columns() {
        static TABLE: Table<2, 2> = Table::new([("a", [1, 0]), ("b", [0, 1])]);
        let mut draws = Draws::new(5);
        assert_eq!(TABLE.name(TABLE.draw(0, &mut draws)), "a");
        assert_eq!(TABLE.name(TABLE.draw(1, &mut draws)), "b");
    }

    #[test]
    fn a_band_starts_at_its_first_age() {
        assert_eq!([19, 20, 24, 25].map(|age| band(age, &[20, 25])), [0, 1, 1, 2]);
    }
}

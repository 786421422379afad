//! Which rows of two lists belong together, if both stand in one order and each lacks some?

/// Rows that are looked at together. Of what is found among them only the first half is kept, since what comes behind them could
/// change the rest.
const WINDOW: usize = 512;

/// Pairs of places in two lists, ascending in both, of rows that fit each other: as many as can be, window by window. Time grows with
/// the length of the lists and the square of how many rows of a window have no partner, and never beyond the square of a window for each.
pub(super) fn align(these: usize, those: usize, fits: impl Fn(usize, usize) -> bool) -> Vec<(u32, u32)> {
    let (mut here, mut there) = (0, 0);
    let mut pairs = Vec::new();
    while here < these && there < those {
        let (own, others) = ((these - here).min(WINDOW), (those - there).min(WINDOW));
        let is_last = here + own == these && there + others == those;
        let found = most_pairs(own, others, |one, other| fits(here + one, there + other));
        let is_kept = |&&(one, other): &&(usize, usize)| is_last || (one < WINDOW / 2 && other < WINDOW / 2);
        let kept = found.iter().take_while(is_kept).count();
        pairs.extend(found[..kept].iter().map(|&(one, other)| ((here + one) as u32, (there + other) as u32)));
        let (passed, others_passed) = match kept.checked_sub(1).map(|last| found[last]) {
            _ if is_last => (own, others),
            Some((one, other)) => (one + 1, other + 1),
            None => (own.div_ceil(2), others.div_ceil(2)),
        };
        (here, there) = (here + passed, there + others_passed);
    }
    pairs
}

/// The most pairs that two short lists have: Myers' greedy algorithm (1986), which asks nothing of what fits. On each diagonal (the place
/// in one list minus that in the other) it knows how far one comes in the first while so many rows are left without a partner.
fn most_pairs(these: usize, those: usize, fits: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let (these, those) = (these as isize, those as isize);
    let mut history: Vec<Furthest> = Vec::new();
    for left in 0..=these + those {
        let mut furthest = Furthest { left, places: vec![0; 2 * left as usize + 1] };
        for diagonal in (-left..=left).step_by(2) {
            let mut here = history.last().map_or(0, |before| before.entered(diagonal).1);
            while here < these && here - diagonal < those && fits(here as usize, (here - diagonal) as usize) {
                here += 1;
            }
            furthest.places[(diagonal + left) as usize] = here as i32;
        }
        let is_end = (these - those).abs() <= left && furthest.of(these - those) >= these;
        history.push(furthest);
        if is_end {
            break;
        }
    }
    trace(these, those, &history)
}

/// How far one comes on each diagonal with so many rows left without a partner.
struct Furthest {
    left: isize,
    /// From the lowest diagonal on, which is `-left`.
    places: Vec<i32>,
}

impl Furthest {
    fn of(&self, diagonal: isize) -> isize {
        self.places[(diagonal + self.left) as usize] as isize
    }

    /// From which diagonal another one is entered, with one row more left without a partner, and where: from its neighbour below, and a
    /// row of the first list is left, or from that above, and it is one of the second.
    fn entered(&self, diagonal: isize) -> (isize, isize) {
        let (below, above) = (diagonal - 1, diagonal + 1);
        let is_from_above = below < -self.left || (above <= self.left && self.of(below) < self.of(above));
        if is_from_above { (above, self.of(above)) } else { (below, self.of(below) + 1) }
    }
}

/// The pairs on the way to the end of both lists, from the first on.
fn trace(these: isize, those: isize, history: &[Furthest]) -> Vec<(usize, usize)> {
    let (mut here, mut there) = (these, those);
    let mut pairs = Vec::new();
    for left in (0..history.len()).rev() {
        let diagonal = here - there;
        let (from, entered) = match left.checked_sub(1) {
            Some(before) => history[before].entered(diagonal),
            None => (0, 0),
        };
        while here > entered {
            (here, there) = (here - 1, there - 1);
            pairs.push((here as usize, there as usize));
        }
        if from < diagonal {
            here -= 1;
        } else if from > diagonal {
            there -= 1;
        }
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The slow twin: the length of a longest common subsequence of what fits, by the whole table of them.
    fn most(these: &[u8], those: &[u8], fits: impl Fn(u8, u8) -> bool) -> usize {
        let mut lengths = vec![vec![0; those.len() + 1]; these.len() + 1];
        for (one, &own) in these.iter().enumerate() {
            for (other, &its) in those.iter().enumerate() {
                let with_both = lengths[one][other] + usize::from(fits(own, its));
                lengths[one + 1][other + 1] = with_both.max(lengths[one][other + 1]).max(lengths[one + 1][other]);
            }
        }
        lengths[these.len()][those.len()]
    }

    /// Not transitive, as labels that overlap are not.
    fn near(one: u8, other: u8) -> bool {
        one.abs_diff(other) <= 1
    }

    proptest! {
        #[test]
        fn no_more_pairs_are_possible(
            these in prop::collection::vec(0u8..8, 0..30),
            those in prop::collection::vec(0u8..8, 0..30),
        ) {
            let pairs = most_pairs(these.len(), those.len(), |one, other| near(these[one], those[other]));
            prop_assert!(pairs.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1), "{pairs:?}");
            prop_assert!(pairs.iter().all(|&(one, other)| near(these[one], those[other])));
            prop_assert_eq!(pairs.len(), most(&these, &those, near));
        }
    }

    /// Numbers that repeat as those of a table do, and have nothing to do with each other (SplitMix64).
    fn number(row: usize) -> u64 {
        let mut number = (row as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (number ^ number >> 31) & 63
    }

    #[test]
    fn rows_find_their_partners_though_many_are_gone() {
        let these: Vec<usize> = (0..5_000).filter(|row| row % 11 != 3).collect();
        let those: Vec<usize> = (0..5_200).filter(|row| row % 7 != 5 && !(900..1_000).contains(row)).collect();
        let pairs = align(these.len(), those.len(), |one, other| number(these[one]) == number(those[other]));
        assert!(pairs.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1));
        let right = pairs.iter().filter(|&&(one, other)| these[one as usize] == those[other as usize]).count();
        let common = these.iter().filter(|row| those.binary_search(row).is_ok()).count();
        assert!(right * 100 >= common * 97, "{right} of {common}, {} pairs", pairs.len());
    }

    #[test]
    fn ends_and_nothing_at_all() {
        assert_eq!(align(0, 3, |_, _| true), []);
        assert_eq!(align(3, 2, |_, _| true).len(), 2);
        assert_eq!(align(2_000, 2_000, |_, _| false), []);
        let all: Vec<(u32, u32)> = (0..2_000).map(|row| (row, row)).collect();
        assert_eq!(align(2_000, 2_000, |_, _| true), all);
    }
}

//! How much may be said of the original?

use std::ops::RangeInclusive;

use super::{Safe, percent};
use crate::model::Requirement;
use crate::report::{grouped, number, plural};

/// The threshold below which a count of originals is not told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    threshold: u64,
}

/// A share that may be drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share(f64);

/// No report tells fewer originals than that.
const LEAST: u64 = 10;

/// Shares of the original are told in no more pieces than that.
const MOST_PIECES: u64 = 99;

/// Figures of the whole original need so many times the threshold of rows.
const ROWS_OF_FIGURES: u64 = 10;

impl Share {
    /// So many of so many records of the release.
    pub fn of_release(part: f64, whole: u64) -> Self {
        Self(part / whole.max(1) as f64)
    }

    /// From 0 to 1.
    pub fn value(self) -> f64 {
        self.0
    }

    /// In percent.
    pub fn text(self) -> Safe {
        Safe(percent(self.0))
    }
}

impl Rule {
    /// The rule for a release that has to satisfy these.
    pub fn new(requirements: &[Requirement]) -> Self {
        let k = requirements.iter().map(Requirement::least_size).max().unwrap_or(1);
        Self { threshold: k.max(LEAST) }
    }

    /// The threshold.
    pub fn threshold(self) -> u64 {
        self.threshold
    }

    /// May this count of originals be told?
    pub fn tells(self, count: u64) -> bool {
        count == 0 || count >= self.threshold
    }

    /// A count of originals.
    pub fn count(self, count: u64) -> Safe {
        Safe(match self.tells(count) {
            true => grouped(i64::try_from(count).unwrap_or(i64::MAX)),
            false => format!("fewer than {}", self.threshold),
        })
    }

    /// A count of originals with its noun.
    pub fn counted(self, count: u64, noun: &'static str) -> Safe {
        Safe(match self.tells(count) {
            true => plural(count, noun),
            false => format!("fewer than {}", plural(self.threshold, noun)),
        })
    }

    /// May figures of an original of so many rows be told?
    pub fn tells_figures(self, rows: u64) -> bool {
        rows >= self.threshold * ROWS_OF_FIGURES
    }

    /// A figure that all rows of the original had a part in.
    pub fn figure(self, value: f64, rows: u64) -> Safe {
        if !self.tells_figures(rows) || !value.is_finite() {
            return Safe::words("–");
        }
        Safe(number(rounded(value, 3)))
    }

    /// The same as a number with four digits that count, as a release tells its loss.
    pub fn exact_figure(self, value: f64, rows: u64) -> Option<f64> {
        (self.tells_figures(rows) && value.is_finite()).then(|| rounded(value, 4))
    }

    /// The same as a number: not a number if it is not to be told.
    pub fn value(self, value: f64, rows: u64) -> f64 {
        if self.tells_figures(rows) { (value * 100.0).round() / 100.0 } else { f64::NAN }
    }

    /// A share of some rows of the original, as exact as the threshold allows: in steps that so many rows make up.
    pub fn share(self, share: f64, of_rows: u64) -> Safe {
        if !self.tells_figures(of_rows) || !share.is_finite() {
            return Safe::words("–");
        }
        let finest = self.threshold as f64 / of_rows as f64;
        let steps = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];
        let step = steps.into_iter().find(|&step| step >= finest).unwrap_or(0.1);
        let share = (share / step).round() * step;
        Safe(if step < 0.01 { format!("{:.1}%", share * 100.0) } else { format!("{:.0}%", share * 100.0) })
    }

    /// The share of a group among all rows of the original. `implied` are the counts that the release allows, `released` the rows
    /// of it that the release has. Told is the piece of these counts that the truth is in, and of the piece that place which is nearest to what one
    /// would expect from the release.
    pub fn share_before(self, truth: u64, implied: &RangeInclusive<u64>, released: Share, rows: u64) -> Share {
        let expected = released.0 * rows as f64;
        let piece = self.piece(truth, implied);
        Share(expected.clamp(*piece.start() as f64, *piece.end() as f64) / rows.max(1) as f64)
    }

    /// The piece of the implied counts that the truth is in: one of an odd number, all of one width but the middle one, which
    /// has the rest. So pieces are the same counted from either end.
    fn piece(self, truth: u64, implied: &RangeInclusive<u64>) -> RangeInclusive<u64> {
        let (from, to) = (*implied.start(), *implied.end());
        let counts = (to - from).saturating_add(1);
        let pieces = (counts / self.threshold).min(MOST_PIECES);
        let pieces = if pieces.is_multiple_of(2) { pieces.saturating_sub(1) } else { pieces }.max(1);
        let width = counts / pieces;
        let (half, place) = (pieces / 2, truth.clamp(from, to) - from);
        match (place / width, (to - truth.clamp(from, to)) / width) {
            (below, _) if below < half => from + below * width..=from + (below + 1) * width - 1,
            (_, above) if above < half => to + 1 - (above + 1) * width..=to - above * width,
            _ => from + half * width..=to - half * width,
        }
    }
}

/// A number with so many digits that count.
fn rounded(value: f64, digits: i32) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let scale = 10f64.powi(digits - 1 - value.abs().log10().floor() as i32);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEN: Rule = Rule { threshold: 10 };

    #[test]
    fn small_counts_are_not_told() {
        assert_eq!(TEN.count(0).as_str(), "0");
        assert_eq!(TEN.count(9).as_str(), "fewer than 10");
        assert_eq!(TEN.counted(1, "row").as_str(), "fewer than 10 rows");
        assert_eq!(TEN.counted(1234, "row").as_str(), "1,234 rows");
    }

    #[test]
    fn where_few_were_left_out_the_release_tells_the_share_before() {
        // Nobody was left out: what is known is known.
        let released = Share::of_release(25.0, 100);
        assert_eq!(TEN.share_before(25, &(25..=25), released, 100), released);
        // Five were: whoever of them was in this group, the same is told.
        let told: Vec<Share> = (25..=30).map(|truth| TEN.share_before(truth, &(25..=30), released, 105)).collect();
        assert!(told.iter().all(|share| *share == told[0]));
        assert_eq!(told[0].text().as_str(), "25%");
    }

    #[test]
    fn where_many_were_the_piece_is_told() {
        // 100 of 1,000 left out; of 90 in this group 45 are, which the release alone would not make one expect.
        let released = Share::of_release(45.0, 900);
        let told = TEN.share_before(90, &(45..=145), released, 1000);
        assert!((0.08..=0.1).contains(&told.value()), "{told:?}");
    }

    #[test]
    fn figures_are_rounded_and_small_tables_have_none() {
        assert_eq!(TEN.figure(0.123_456, 100).as_str(), "0.123");
        assert_eq!(TEN.figure(0.123_456, 99).as_str(), "–");
        assert_eq!(TEN.share(0.123_456, 100_000).as_str(), "12.3%");
        assert_eq!(TEN.share(0.123_456, 500).as_str(), "12%");
        assert_eq!(TEN.share(0.123_456, 120).as_str(), "10%");
    }

    proptest! {
        /// However many counts the release allows, each piece has the truth in it and at least as many counts as the
        /// threshold, or all there are; the pieces do not overlap; and seen from the other end they are the same.
        #[test]
        fn a_piece_leaves_enough_counts(from in 0u64..1000, length in 0u64..5000, k in 10u64..60, at in 0.0f64..1.0) {
            let (rule, to) = (Rule { threshold: k }, from + length);
            let truth = from + (at * length as f64) as u64;
            let piece = rule.piece(truth, &(from..=to));
            prop_assert!(piece.contains(&truth) && *piece.start() >= from && *piece.end() <= to);
            prop_assert!(piece.end() - piece.start() + 1 >= k.min(length + 1));
            prop_assert_eq!(rule.piece(*piece.start(), &(from..=to)), piece.clone());
            prop_assert_eq!(rule.piece(*piece.end(), &(from..=to)), piece.clone());
            let mirrored = rule.piece(to - (truth - from), &(from..=to));
            prop_assert_eq!(mirrored, to - (piece.end() - from)..=to - (piece.start() - from));
        }
    }
}

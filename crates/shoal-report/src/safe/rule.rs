//! How much may be said of the original?

use std::ops::RangeInclusive;

use super::{Safe, percent};
use crate::{grouped, number, plural};
use shoal_core::model::Requirement;

/// The threshold below which a count of originals is not told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    threshold: u64,
    /// Are rows somebody's who may have many? Then even a threshold of them may be one person's.
    of_people: bool,
    left_out: LeftOut,
}

/// What may be told of how many rows were left out of the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LeftOut {
    Told,
    /// That they are fewer than the threshold, and nothing from which their number would follow.
    FewRows,
    /// That there are some: they are of fewer people than the threshold, or may be. Some have hundreds, so that even many rows are about few.
    OfFewPeople,
}

/// A share that may be drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share(f64);

/// Where a share of the original lies: from one fraction to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShareWithin {
    least: Fraction,
    most: Fraction,
}

/// So many of so many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fraction {
    part: u64,
    rows: u64,
}

/// What a release shows of a group: rows that are surely in it, rows that can be, and how many rows there are.
#[derive(Debug, Clone, Copy)]
pub struct GroupShown {
    /// Rows that are surely in the group.
    pub certain: u64,
    /// Rows that can be.
    pub possible: u64,
    /// All rows of the release.
    pub rows: u64,
}

/// No report tells fewer originals than that.
const LEAST: u64 = 10;

/// Shares of the original are told in no more pieces than that.
const MOST_PIECES: u64 = 99;

/// What the release leaves open of a share is told, too, if it is no more than that.
const NARROW_PERCENT: u128 = 5;

/// Shares that lie within fewer percent than that have a digit after the point.
const FINE_POINTS: f64 = 2.0;

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

impl Fraction {
    fn value(self) -> f64 {
        self.part as f64 / self.rows as f64
    }

    /// The smaller one.
    fn min(self, other: Self) -> Self {
        let is_smaller =
            u128::from(self.part) * u128::from(other.rows) <= u128::from(other.part) * u128::from(self.rows);
        if is_smaller { self } else { other }
    }
}

impl ShareWithin {
    /// The least that it can be, from 0 to 1.
    pub fn least(self) -> f64 {
        self.least.value()
    }

    /// The most that it can be.
    pub fn most(self) -> f64 {
        self.most.value()
    }

    /// Is more than one count possible?
    pub fn is_open(self) -> bool {
        self.least != self.most
    }

    /// The difference of both, as parts of the product of their rows.
    fn difference(self) -> (u128, u128) {
        let (least, most) = (self.least, self.most);
        let scaled = |a: u64, b: u64| u128::from(a) * u128::from(b);
        (scaled(most.part, least.rows).saturating_sub(scaled(least.part, most.rows)), scaled(most.rows, least.rows))
    }

    /// Is so little open that it says something even if the release says no less?
    fn is_narrow(self) -> bool {
        let (part, whole) = self.difference();
        part * 100 <= whole * NARROW_PERCENT
    }

    /// In percent: `15–20%`, rounded outwards, so that the truth is in it; one number where both ends are written alike.
    pub fn text(self) -> Safe {
        let [least, most] = [self.least(), self.most()].map(percent);
        if least == most {
            return Safe(least);
        }
        let (part, whole) = self.difference();
        let per_percent: u128 = if (part as f64) * 100.0 / (whole as f64) < FINE_POINTS { 10 } else { 1 };
        let scaled = |fraction: Fraction| u128::from(fraction.part) * 100 * per_percent;
        let low = scaled(self.least) / u128::from(self.least.rows);
        let high = scaled(self.most).div_ceil(u128::from(self.most.rows));
        let written = |tenths_or_ones: u128| (tenths_or_ones as f64 / per_percent as f64).to_string();
        Safe(format!("{}–{}%", written(low), written(high)))
    }
}

impl Rule {
    /// The rule for a release that has to satisfy these.
    pub fn new<'a>(requirements: impl IntoIterator<Item = &'a Requirement>) -> Self {
        let least = Self { threshold: LEAST, of_people: false, left_out: LeftOut::Told };
        requirements.into_iter().fold(least, |rule, requirement| Self {
            threshold: rule.threshold.max(requirement.least_size()),
            of_people: rule.of_people || requirement.model.counts_people(),
            ..rule
        })
    }

    /// The same where so many rows of the original, of so many people if that is known, are not in the release, and cannot be counted there either.
    #[must_use]
    pub fn leaving_out(self, rows: u64, people: Option<u64>) -> Self {
        let left_out = match people {
            Some(people) if !self.tells(people) => LeftOut::OfFewPeople,
            _ if !self.tells(rows) => LeftOut::FewRows,
            _ => LeftOut::Told,
        };
        Self { left_out, ..self }
    }

    /// Is it a secret how many rows were left out?
    pub fn hides_left_out(self) -> bool {
        self.left_out != LeftOut::Told
    }

    /// That rows were left out, where it is a secret how many.
    pub fn few_left_out(self) -> Safe {
        Safe(match self.left_out {
            LeftOut::OfFewPeople => "some left out".to_owned(),
            LeftOut::FewRows | LeftOut::Told => format!("fewer than {} left out", self.threshold),
        })
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

    /// May figures of an original of so many rows be told? Not where it is a secret how many were left out: each of them has a part in
    /// almost any figure, and whoever knows which finds their number, however it is rounded.
    pub fn tells_figures(self, rows: u64) -> bool {
        rows >= self.threshold * ROWS_OF_FIGURES && !self.hides_left_out()
    }

    /// A figure that all rows of the original had a part in, with three digits that count.
    pub fn figure(self, value: f64, rows: u64) -> Safe {
        self.loss(value, rows).map_or(Safe::words("–"), |value| Safe(number(value)))
    }

    /// A loss, or how far the release is from its original, with three digits that count.
    pub fn loss(self, value: f64, rows: u64) -> Option<f64> {
        (self.tells_figures(rows) && value.is_finite()).then(|| rounded(value, 3))
    }

    /// The same with four, as a certificate tells it.
    pub fn exact_loss(self, value: f64, rows: u64) -> Option<f64> {
        (self.tells_figures(rows) && value.is_finite()).then(|| rounded(value, 4))
    }

    /// May it be told that at most such a fraction of the original was to be left out? Not where that leaves fewer numbers possible than
    /// are kept secret.
    pub fn tells_limit(self, fraction: f64, released: u64) -> bool {
        let hidden = self.threshold - 1;
        !self.hides_left_out() || fraction * (released + hidden) as f64 + 1e-9 >= hidden as f64
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

    /// The share of a group among all rows of the original, of which the release allows some counts: told is the piece
    /// of these that the truth is in. Nothing where that is all of them and leaves much open, since it would only look like news; nor
    /// where the release cannot be one of this original, since no count is implied then.
    ///
    /// Where it is a secret how many rows were left out, all is worked out for as many as there can have been, so that
    /// neither the pieces nor their ends depend on the secret; nothing where that could be any number. Where people are counted, all is one
    /// piece, since the rows that tell two apart may be one person's.
    pub fn share_before(self, truth: u64, shown: GroupShown, rows: u64) -> Option<ShareWithin> {
        if self.left_out == LeftOut::OfFewPeople {
            return None;
        }
        let left_out = if self.hides_left_out() { self.threshold - 1 } else { rows.saturating_sub(shown.rows) };
        let implied = shown.certain..=shown.possible + left_out;
        if !implied.contains(&truth) {
            return None;
        }
        let piece = if self.of_people { implied.clone() } else { self.piece(truth, &implied) };
        let most_rows = (shown.rows + left_out).max(1);
        let fraction = |part: u64, rows: u64| Fraction { part, rows };
        let most = match self.hides_left_out() {
            // The least number of rows gives the largest share; all that are left out together give no more than this.
            true => fraction(*piece.end(), shown.rows + 1).min(fraction(*implied.end(), most_rows)),
            false => fraction(*piece.end(), most_rows),
        };
        let told = ShareWithin { least: fraction(*piece.start(), most_rows), most };
        (piece != implied || told.is_narrow()).then_some(told)
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

    const TEN: Rule = Rule { threshold: 10, of_people: false, left_out: LeftOut::Told };
    const OF_PEOPLE: Rule = Rule { of_people: true, ..TEN };
    const SECRET: Rule = Rule { left_out: LeftOut::FewRows, ..TEN };

    #[test]
    fn small_counts_are_not_told() {
        assert_eq!(TEN.count(0).as_str(), "0");
        assert_eq!(TEN.count(9).as_str(), "fewer than 10");
        assert_eq!(TEN.counted(1, "row").as_str(), "fewer than 10 rows");
        assert_eq!(TEN.counted(1234, "row").as_str(), "1,234 rows");
    }

    /// So many of `rows`, where the release shows a group of `implied.start()` and everybody else that is implied was left out.
    fn told(truth: u64, implied: RangeInclusive<u64>, rows: u64) -> Option<String> {
        let (certain, left_out) = (*implied.start(), implied.end() - implied.start());
        let shown = GroupShown { certain, possible: certain, rows: rows - left_out };
        TEN.share_before(truth, shown, rows).map(|share| share.text().as_str().to_owned())
    }

    #[test]
    fn where_few_were_left_out_what_the_release_leaves_open_is_told_if_it_is_little() {
        // Nobody was left out: what is known is known.
        assert_eq!(told(25, 25..=25, 100).as_deref(), Some("25%"));
        // Five were: whoever of them was in this group, the same is told. 25/105 is 23.8%, 30/105 is 28.6%.
        for truth in 25..=30 {
            assert_eq!(told(truth, 25..=30, 105).as_deref(), Some("23–29%"));
        }
        // Of 40 rows they would be 12.5%, which says no more than the release does.
        assert_eq!(told(12, 10..=15, 40), None);
        // 148/300 is 49.3%, 152/300 is 50.7%: with the digits that it takes.
        assert_eq!(told(150, 148..=152, 300).as_deref(), Some("49.3–50.7%"));
        // 2499 and 2501 of 10,000 are written alike.
        assert_eq!(told(2500, 2499..=2501, 10_000).as_deref(), Some("25%"));
        assert_eq!(told(3, 0..=4, 10_000).as_deref(), Some("0–0.1%"));
    }

    #[test]
    fn where_many_were_the_piece_is_told() {
        // 100 of 1,000 left out; of 90 in this group 45 are, which the release alone would not make one expect. The 101 counts
        // from 45 to 145 are nine pieces: four of eleven, one of thirteen from 89 to 101, four of eleven.
        assert_eq!(told(90, 45..=145, 1000).as_deref(), Some("8.9–10.1%"));
        assert_eq!(told(88, 45..=145, 1000).as_deref(), Some("7.8–8.8%"));
        // 135/1000 and 145/1000, and all between, are written as 14%.
        assert_eq!(told(145, 45..=145, 1000).as_deref(), Some("14%"));
        // All of the 15 counts are one piece: of 100 rows, anything from 5% to 19%, as the release itself says.
        assert_eq!(told(7, 5..=19, 100), None);
    }

    #[test]
    fn nothing_is_told_of_an_original_that_cannot_be_the_original() {
        assert_eq!(told(24, 25..=25, 100), None);
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
            let (rule, to) = (Rule { threshold: k, ..TEN }, from + length);
            let truth = from + (at * length as f64) as u64;
            let piece = rule.piece(truth, &(from..=to));
            prop_assert!(piece.contains(&truth) && *piece.start() >= from && *piece.end() <= to);
            prop_assert!(piece.end() - piece.start() + 1 >= k.min(length + 1));
            prop_assert_eq!(rule.piece(*piece.start(), &(from..=to)), piece.clone());
            prop_assert_eq!(rule.piece(*piece.end(), &(from..=to)), piece.clone());
            let mirrored = rule.piece(to - (truth - from), &(from..=to));
            prop_assert_eq!(mirrored, to - (piece.end() - from)..=to - (piece.start() - from));
        }

        /// What is told is true, and the same for every count of the piece: it tells the piece, never the count.
        #[test]
        fn what_is_told_is_true_and_only_the_piece(
            from in 0u64..1000, open in 0u64..2000, left_out in 0u64..3000, more in 0u64..100_000, k in 10u64..60, at in 0.0f64..1.0,
        ) {
            let rule = Rule { threshold: k, ..TEN }.leaving_out(left_out, None);
            let shown = GroupShown { certain: from, possible: from + open, rows: from + open + more };
            let (truth, rows) = (from + (at * (open + left_out) as f64) as u64, shown.rows + left_out);
            let told = |truth| rule.share_before(truth, shown, rows);
            let secret = if rule.hides_left_out() { k - 1 } else { left_out };
            let piece = rule.piece(truth, &(from..=shown.possible + secret));
            prop_assert!(piece.clone().all(|count| told(count) == told(truth)));
            let Some(told) = told(truth) else { return Ok(()) };
            let share = truth as f64 / rows.max(1) as f64;
            prop_assert!(told.least() <= share + 1e-12 && share <= told.most() + 1e-12);
            let text = told.text();
            match text.as_str().trim_end_matches('%').split_once('–') {
                Some((low, high)) => {
                    let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
                    prop_assert!(low <= share * 100.0 + 1e-9 && share * 100.0 <= high + 1e-9, "{share}: {text:?}");
                    prop_assert!(low < high && high <= 100.0);
                }
                None => prop_assert_eq!(text.as_str(), percent(share)),
            }
        }

        /// Where a few were left out, the same is told however many they were: of a group that nobody was left out of, and of one that all
        /// of them were.
        #[test]
        fn a_secret_number_of_rows_changes_nothing(certain in 0u64..500, open in 0u64..50, more in 100u64..1000) {
            let shown = GroupShown { certain, possible: certain + open, rows: certain + open + more };
            let told = |left_out: u64, in_group: u64| SECRET.share_before(certain + in_group, shown, shown.rows + left_out);
            for left_out in 1..10 {
                prop_assert_eq!(told(left_out, 0), told(1, 0));
                let all = told(left_out, left_out);
                prop_assert!((1..10).filter(|&other| told(other, other) == all).count() >= 4 || all == told(left_out, 0));
            }
        }
    }

    #[test]
    fn what_would_tell_a_secret_is_not_told() {
        assert_eq!((TEN.loss(0.123_456, 300), SECRET.loss(0.123_456, 300)), (Some(0.123), None));
        assert_eq!((SECRET.figure(0.123_456, 300).as_str(), SECRET.share(0.5, 10_000).as_str()), ("–", "–"));
        assert!(SECRET.value(0.5, 10_000).is_nan());
        // Of 299 rows, at most 0.5% is one row: whoever knows that some were left out would know how many.
        assert!(!SECRET.tells_limit(0.005, 298) && SECRET.tells_limit(0.05, 298) && TEN.tells_limit(0.005, 298));
        assert!(
            TEN.leaving_out(9, None).hides_left_out()
                && !TEN.leaving_out(10, None).hides_left_out()
                && !TEN.leaving_out(0, None).hides_left_out()
        );
    }

    #[test]
    fn many_rows_of_few_people_are_few() {
        let (few, many) = (TEN.leaving_out(500, Some(2)), TEN.leaving_out(500, Some(10)));
        assert!(few.hides_left_out() && !many.hides_left_out() && !TEN.leaving_out(0, Some(0)).hides_left_out());
        assert_eq!(few, TEN.leaving_out(2, Some(2)), "nor is it told whether they have many rows");
        assert_eq!(few.few_left_out().as_str(), "some left out");
        assert_eq!(SECRET.few_left_out().as_str(), "fewer than 10 left out");
        assert_eq!(few.share_before(600, GroupShown { certain: 300, possible: 300, rows: 1000 }, 1500), None);
    }

    #[test]
    fn of_people_no_piece_is_told() {
        // Of 500 rows that were left out, of eleven people, 490 are one person's: 500 more rows of this group, and it is known what they have.
        let (rule, shown) =
            (OF_PEOPLE.leaving_out(500, Some(11)), GroupShown { certain: 100, possible: 100, rows: 1000 });
        assert!(!rule.hides_left_out());
        assert_eq!(rule.share_before(600, shown, 1500), None);
        assert!(TEN.leaving_out(500, None).share_before(600, shown, 1500).is_some());
        // Of 100,000 rows, that of a group all or none were left out says little.
        let many = GroupShown { rows: 100_000, ..shown };
        let told = |truth| rule.share_before(truth, many, 100_500).map(|share| share.text().as_str().to_owned());
        assert_eq!((told(600), told(100)), (Some("0–0.6%".to_owned()), Some("0–0.6%".to_owned())));
    }
}

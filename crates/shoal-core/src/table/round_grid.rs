//! Which of the numbers or dates between two values are rounder than others?

use chrono::{Datelike, Days, NaiveDate};
use rust_decimal::Decimal;

/// What values lie on, and which of its places are rounder than others.
pub(super) trait Grid {
    type Point: Copy + PartialOrd;
    /// How fine a place may be, the finest first.
    type Fineness: Copy + Ord;
    /// As fine as all values are.
    fn finest(&self) -> Self::Fineness;
    /// The fineness of ends among some values, where so many are looked at on each side of an end.
    fn fineness(&self, around: Around<Self::Point>, neighbours: usize) -> Self::Fineness;
    /// The roundest place after one and not after another, if it is not too fine.
    fn roundest(&self, after: Self::Point, to: Self::Point, fineness: Self::Fineness) -> Option<Self::Point>;
    /// The same between a value and the next one; if that would be the next one itself, rather the roundest place that is no
    /// value, where there is one that is about as round.
    fn between(&self, after: Self::Point, value: Self::Point, fineness: Self::Fineness) -> Option<Self::Point>;
    /// The places before and after one that are as far from it as the values around are apart, on average, and far enough
    /// for an end.
    fn beside(
        &self,
        place: Self::Point,
        around: Around<Self::Point>,
        fineness: Self::Fineness,
    ) -> [Option<Self::Point>; 2];
    /// Is a value the only place of the finest kind from one end up to another?
    fn is_alone(&self, value: Self::Point, low: Self::Point, high: Self::Point) -> bool;
}

/// The values around an end: the first, the last, and how many steps from neighbour to neighbour that takes, at least one.
#[derive(Clone, Copy)]
pub(super) struct Around<P> {
    pub(super) from: P,
    pub(super) to: P,
    pub(super) steps: usize,
}

/// The finest step is the mean distance of values, times the number of neighbours on a side, over this.
const FINENESS: usize = 80;

/// Numbers; a fineness is a step by its place among all.
pub(super) struct NumberGrid {
    /// 1, 2 and 5 times every power of ten, from the smallest up.
    steps: Vec<Decimal>,
    /// The place of the largest of which all values are multiples.
    finest: usize,
}

/// The exponent of the largest power of ten that can be written, and how many digits after the point can.
const LARGEST_EXPONENT: u32 = 28;

impl NumberGrid {
    /// The grid of these numbers.
    pub(super) fn new(numbers: &[Decimal]) -> Self {
        let fraction = |scale: u32| Decimal::from_i128_with_scale(1, scale);
        let power = |exponent: u32| Decimal::from_i128_with_scale(10_i128.pow(exponent), 0);
        let powers = (1..=LARGEST_EXPONENT).rev().map(fraction).chain((0..=LARGEST_EXPONENT).map(power));
        let steps: Vec<Decimal> =
            powers.flat_map(|power| [1, 2, 5].map(|times: u32| power * Decimal::from(times))).collect();
        let digits = numbers.iter().map(|number| number.normalize().scale()).max().unwrap_or(0);
        let by_digits = 3 * (LARGEST_EXPONENT - digits) as usize;
        let measure = common_measure(numbers, steps[by_digits]);
        let divides = |step: &Decimal| measure.checked_rem(*step) == Some(Decimal::ZERO);
        let finest = (by_digits..steps.len()).rev().find(|&place| steps[place] <= measure && divides(&steps[place]));
        Self { finest: finest.unwrap_or(by_digits), steps }
    }

    /// The largest step that has a multiple after one number and not after another.
    fn coarsest(&self, after: Decimal, to: Decimal, fineness: usize) -> Option<usize> {
        // A power of ten divides all coarser steps: where it has no multiple, none has.
        first_multiple(after, to, self.steps[fineness / 3 * 3])?;
        let magnitude = after.abs().max(to.abs());
        let above = self.steps.partition_point(|step| *step <= magnitude);
        (fineness..above).rev().find(|&place| first_multiple(after, to, self.steps[place]).is_some())
    }
}

/// The largest number of which all of some numbers are multiples, as far as it is more than a unit.
fn common_measure(numbers: &[Decimal], unit: Decimal) -> Decimal {
    let mut measure = Decimal::ZERO;
    for number in numbers {
        let (mut larger, mut smaller) = (number.abs(), measure);
        while smaller != Decimal::ZERO {
            let Some(rest) = larger.checked_rem(smaller) else { return unit };
            (larger, smaller) = (smaller, rest);
        }
        measure = larger;
        if Decimal::ZERO < measure && measure <= unit {
            return unit;
        }
    }
    measure.max(unit)
}

impl Grid for NumberGrid {
    type Point = Decimal;
    type Fineness = usize;

    fn finest(&self) -> usize {
        self.finest
    }

    fn fineness(&self, Around { from, to, steps }: Around<Decimal>, neighbours: usize) -> usize {
        let coarsest = self.steps.len() - 1;
        // Numbers too far apart to be subtracted are far apart.
        let Some(spread) = to.checked_sub(from) else { return coarsest };
        let finest = spread * (Decimal::from(neighbours) / Decimal::from(steps * FINENESS));
        self.steps.partition_point(|step| *step < finest).clamp(self.finest, coarsest)
    }

    fn roundest(&self, after: Decimal, to: Decimal, fineness: usize) -> Option<Decimal> {
        if after < Decimal::ZERO && to >= Decimal::ZERO {
            return Some(Decimal::ZERO);
        }
        let step = self.coarsest(after, to, fineness)?;
        first_multiple(after, to, self.steps[step])
    }

    fn between(&self, after: Decimal, value: Decimal, fineness: usize) -> Option<Decimal> {
        let roundest = self.roundest(after, value, fineness)?;
        // Nothing is about as round as 0, nor finer than what all values are.
        let is_free = roundest < value || value == Decimal::ZERO;
        let finer = self.coarsest(after, value, fineness).filter(|&step| !is_free && step > self.finest);
        let free = finer.and_then(|step| first_multiple(after, value, self.steps[step - 1]));
        Some(free.filter(|end| *end < value).unwrap_or(roundest))
    }

    fn beside(&self, place: Decimal, around: Around<Decimal>, fineness: usize) -> [Option<Decimal>; 2] {
        let mean = around.to.checked_sub(around.from).map(|spread| spread / Decimal::from(around.steps));
        let distance = mean.unwrap_or(Decimal::ZERO).max(self.steps[fineness]);
        [place.checked_sub(distance), place.checked_add(distance)]
    }

    fn is_alone(&self, value: Decimal, low: Decimal, high: Decimal) -> bool {
        let step = self.steps[self.finest];
        let [below, above] = [value.checked_sub(low), high.checked_sub(value)];
        below.is_some_and(|gap| gap < step) && above.is_some_and(|gap| gap <= step)
    }
}

/// The first multiple of a step after one number, unless it is after another.
fn first_multiple(after: Decimal, to: Decimal, step: Decimal) -> Option<Decimal> {
    let rest = after.checked_rem(step)?;
    let rest = if rest < Decimal::ZERO { rest.checked_add(step)? } else { rest };
    let multiple = after.checked_sub(rest)?.checked_add(step)?;
    // Numbers with very many digits are rounded: what is not between the two separates nothing.
    (after < multiple && multiple <= to).then_some(multiple)
}

/// Dates; a fineness is the shortest period whose first day may be an end.
pub(super) struct Calendar;

/// A stretch of time and about how many days it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Period {
    Day = 1,
    Month = 30,
    Quarter = 91,
    Year = 365,
    Decade = 3_652,
}

const LONGEST_FIRST: [Period; 5] = [Period::Decade, Period::Year, Period::Quarter, Period::Month, Period::Day];

impl Period {
    /// The first day of the next period.
    fn next(self, date: NaiveDate) -> Option<NaiveDate> {
        let (year, month) = (date.year(), date.month0());
        let first_of =
            |year: i32, month0: u32| NaiveDate::from_ymd_opt(year + (month0 / 12) as i32, month0 % 12 + 1, 1);
        match self {
            Period::Day => date.succ_opt(),
            Period::Month => first_of(year, month + 1),
            Period::Quarter => first_of(year, (month / 3 + 1) * 3),
            Period::Year => first_of(year + 1, 0),
            Period::Decade => first_of((year.div_euclid(10) + 1) * 10, 0),
        }
    }
}

impl Grid for Calendar {
    type Point = NaiveDate;
    type Fineness = Period;

    fn finest(&self) -> Period {
        Period::Day
    }

    fn fineness(&self, Around { from, to, steps }: Around<NaiveDate>, neighbours: usize) -> Period {
        let days = (to - from).num_days() as u128 * neighbours as u128;
        let is_long = |period: &&Period| **period as u128 * (steps * FINENESS) as u128 >= days;
        LONGEST_FIRST.iter().rev().find(is_long).copied().unwrap_or(Period::Decade)
    }

    fn roundest(&self, after: NaiveDate, to: NaiveDate, fineness: Period) -> Option<NaiveDate> {
        let periods = LONGEST_FIRST.into_iter().filter(|period| *period >= fineness);
        periods.filter_map(|period| period.next(after)).find(|date| *date <= to)
    }

    fn between(&self, after: NaiveDate, value: NaiveDate, fineness: Period) -> Option<NaiveDate> {
        let roundest = self.roundest(after, value, fineness)?;
        // A day is far less round than the first of a month, which many have who know no better.
        let first_days = |period: &Period| *period > Period::Day && period.next(after) == Some(value);
        let coarsest = LONGEST_FIRST.iter().position(first_days).filter(|_| roundest == value);
        let finer = coarsest.and_then(|place| LONGEST_FIRST.get(place + 1)).filter(|period| **period > Period::Day);
        let free = finer.and_then(|period| period.next(after)).filter(|date| *date < value);
        Some(free.unwrap_or(roundest))
    }

    fn beside(&self, place: NaiveDate, around: Around<NaiveDate>, fineness: Period) -> [Option<NaiveDate>; 2] {
        let mean = (around.to - around.from).num_days() as u64 / around.steps as u64;
        // Some months, years and decades are a day longer than others.
        let longest = fineness as u64 + u64::from(fineness != Period::Day);
        let days = Days::new(mean.max(longest));
        [place.checked_sub_days(days), place.checked_add_days(days)]
    }

    fn is_alone(&self, _value: NaiveDate, low: NaiveDate, high: NaiveDate) -> bool {
        low.succ_opt() == Some(high)
    }
}

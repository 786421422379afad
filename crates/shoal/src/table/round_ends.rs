//! At which round numbers or dates can a range of a column's values begin and end?

use chrono::{Datelike, Days, NaiveDate};
use rust_decimal::Decimal;

use super::{ColumnType, Dictionary, Kind};

/// The ends that ranges of a column may have: round numbers or dates between its values, so that no end is somebody's own
/// value merely because a range had to end there.
///
/// Between two neighbours a < b the end is the roundest number in (a, b]: the first multiple after a of the largest step of
/// 1, 2 or 5 times a power of ten that has one there; of dates, the first day of a decade, year, quarter or month, or a day.
/// How fine a step may be depends on how far apart the values around are: no finer than a tenth of their mean distance, so
/// that ends have as few digits as the column's spread supports, and in a long column there are some thousand ends at most.
/// Neighbours that would need a finer one are never separated. Before the first and after the last value ends are rounded
/// outwards, by no more than the mean distance of the values there.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundEnds {
    /// For each value that is not missing, the first and the last of those that are not separated from it.
    together: Vec<(u32, u32)>,
    /// The first values after an end, and the number of values.
    begins: Vec<u32>,
    /// The end before each of them, and the last one; an end beyond what can be written is none.
    ends: Vec<Option<End>>,
}

/// An end of a range.
#[derive(Debug, Clone, PartialEq)]
struct End {
    text: String,
    number: Option<Decimal>,
}

/// So many values on each side of an end say how fine it may be, at least, and at least this part of all.
const NEIGHBOURS: usize = 8;
const PART_OF_ALL: usize = 200;
/// The finest step is the mean distance of values, times the number of neighbours on a side, over this.
const FINENESS: usize = 80;

impl RoundEnds {
    /// The ends for the values of a dictionary; a column of text has none but those around all of it.
    pub fn new(dictionary: &Dictionary) -> Self {
        let (column_type, present) = (dictionary.column_type(), dictionary.present());
        let ends = match column_type.kind() {
            Kind::Date => {
                present.iter().map(|value| column_type.date(value)).collect::<Option<Vec<_>>>().map(|dates| {
                    let written = |date: NaiveDate| End { text: column_type.write_date(date), number: None };
                    ends(&dates, &Calendar, written)
                })
            }
            _ => present.iter().map(|value| column_type.number(value)).collect::<Option<Vec<_>>>().map(|numbers| {
                let grid = NumberGrid::new(column_type, &numbers);
                let written = |number: Decimal| End {
                    text: format!("{}{}", number.normalize(), column_type.unit()),
                    number: Some(number),
                };
                ends(&numbers, &grid, written)
            }),
        };
        Self::of_ends(present.len(), ends.unwrap_or_default())
    }

    /// From the ends between neighbours, with the place of the value that follows each; the first is before all values.
    fn of_ends(values: usize, ends: Vec<(usize, Option<End>)>) -> Self {
        let (begins, ends): (Vec<u32>, _) = ends.into_iter().map(|(place, end)| (place as u32, end)).unzip();
        let mut together = Vec::with_capacity(values);
        for pair in begins.windows(2) {
            together.resize(pair[1] as usize, (pair[0], pair[1] - 1));
        }
        Self { together, begins, ends }
    }

    /// The first and the last value of the smallest range from one value to another that has such ends.
    pub fn around(&self, first: u32, last: u32) -> (u32, u32) {
        let last = self.together.get(last as usize).map_or(last, |together| together.1);
        (self.first_with(first), last)
    }

    /// The first of the values that are not separated from this one.
    pub fn first_with(&self, code: u32) -> u32 {
        self.together.get(code as usize).map_or(code, |together| together.0)
    }

    /// The range from one value to another: `[20, 30)`.
    pub fn text(&self, first: u32, last: u32) -> String {
        let end = |code: u32| self.end_before(code).map_or("", |end| &end.text);
        format!("[{}, {})", end(first), end(last + 1))
    }

    /// The number at which a range begins whose first value this is, or ends if it is the next one after its last.
    pub fn number_before(&self, code: u32) -> Option<Decimal> {
        self.end_before(code).and_then(|end| end.number)
    }

    fn end_before(&self, code: u32) -> Option<&End> {
        self.begins.binary_search(&code).ok().and_then(|place| self.ends[place].as_ref())
    }
}

/// What values lie on, and which of its places are rounder than others.
trait Grid {
    type Point: Copy + PartialOrd;
    /// How fine a place may be, the finest first.
    type Fineness: Copy + Ord;
    /// The fineness of ends among some values, where so many are looked at on each side of an end.
    fn fineness(&self, around: Around<Self::Point>, neighbours: usize) -> Self::Fineness;
    /// The roundest place after one and not after another, if it is not too fine.
    fn roundest(&self, after: Self::Point, to: Self::Point, fineness: Self::Fineness) -> Option<Self::Point>;
    /// The places before and after one that are as far from it as the values around are apart, on average, and far enough
    /// for an end.
    fn beside(
        &self,
        place: Self::Point,
        around: Around<Self::Point>,
        fineness: Self::Fineness,
    ) -> [Option<Self::Point>; 2];
}

/// The values around an end: the first, the last, and how many steps from neighbour to neighbour that takes, at least one.
#[derive(Clone, Copy)]
struct Around<P> {
    from: P,
    to: P,
    steps: usize,
}

/// The ends before the first value, between neighbours wherever there is one, and after the last; with the place of the
/// value that follows.
fn ends<G: Grid>(points: &[G::Point], grid: &G, written: impl Fn(G::Point) -> End) -> Vec<(usize, Option<End>)> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return vec![] };
    let neighbours = NEIGHBOURS.max(points.len() / PART_OF_ALL);
    let from_to = |from: usize, to: usize| Around { from: points[from], to: points[to], steps: (to - from).max(1) };
    // Some values before an end and the one after it, and the other way round.
    let most = points.len() - 1;
    let sides = |place: usize| {
        let from = place.min(most).saturating_sub(neighbours);
        let to = (place.max(1) - 1 + neighbours).min(most);
        [from_to(from, (from + neighbours).min(most)), from_to(to.saturating_sub(neighbours), to)]
    };
    // The side where values lie closer together decides: an outlier takes nothing from its neighbours.
    let fineness = |place: usize| {
        let [left, right] = sides(place).map(|side| grid.fineness(side, neighbours));
        left.min(right)
    };
    let beside = |place: usize, point: G::Point| grid.beside(point, sides(place)[0], fineness(place));
    let [before, _] = beside(0, first);
    let [_, after] = beside(points.len(), last);
    let lowest = before.and_then(|before| grid.roundest(before, first, fineness(0)));
    let highest = after.and_then(|after| grid.roundest(last, after, fineness(points.len())));
    let mut ends = vec![(0, lowest.map(&written))];
    for place in 1..points.len() {
        if points[place - 1] < points[place]
            && let Some(end) = grid.roundest(points[place - 1], points[place], fineness(place))
        {
            ends.push((place, Some(written(end))));
        }
    }
    ends.push((points.len(), highest.map(&written)));
    ends
}

/// Numbers; a fineness is a step by its place among all.
struct NumberGrid {
    /// 1, 2 and 5 times every power of ten, from the smallest up.
    steps: Vec<Decimal>,
    /// The place of the finest digit that the values themselves have.
    finest: usize,
}

/// The exponent of the largest power of ten that can be written, and how many digits after the point can.
const LARGEST_EXPONENT: u32 = 28;

impl NumberGrid {
    fn new(column_type: &ColumnType, numbers: &[Decimal]) -> Self {
        let fraction = |scale: u32| Decimal::from_i128_with_scale(1, scale);
        let power = |exponent: u32| Decimal::from_i128_with_scale(10_i128.pow(exponent), 0);
        let powers = (1..=LARGEST_EXPONENT).rev().map(fraction).chain((0..=LARGEST_EXPONENT).map(power));
        let steps = powers.flat_map(|power| [1, 2, 5].map(|times: u32| power * Decimal::from(times))).collect();
        let digits = match column_type.kind() {
            Kind::Integer => 0,
            _ => numbers.iter().map(|number| number.normalize().scale()).max().unwrap_or(0),
        };
        Self { steps, finest: 3 * (LARGEST_EXPONENT - digits) as usize }
    }
}

impl Grid for NumberGrid {
    type Point = Decimal;
    type Fineness = usize;

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
        // A power of ten divides all coarser steps: where it has no multiple, none has.
        first_multiple(after, to, self.steps[fineness / 3 * 3])?;
        let magnitude = after.abs().max(to.abs());
        let above = self.steps.partition_point(|step| *step <= magnitude);
        (fineness..above).rev().find_map(|place| first_multiple(after, to, self.steps[place]))
    }

    fn beside(&self, place: Decimal, around: Around<Decimal>, fineness: usize) -> [Option<Decimal>; 2] {
        let mean = around.to.checked_sub(around.from).map(|spread| spread / Decimal::from(around.steps));
        let distance = mean.unwrap_or(Decimal::ZERO).max(self.steps[fineness]);
        [place.checked_sub(distance), place.checked_add(distance)]
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
struct Calendar;

/// A stretch of time and about how many days it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Period {
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

    fn fineness(&self, Around { from, to, steps }: Around<NaiveDate>, neighbours: usize) -> Period {
        let days = (to - from).num_days() as u128 * neighbours as u128;
        let is_long = |period: &&Period| **period as u128 * (steps * FINENESS) as u128 >= days;
        LONGEST_FIRST.iter().rev().find(is_long).copied().unwrap_or(Period::Decade)
    }

    fn roundest(&self, after: NaiveDate, to: NaiveDate, fineness: Period) -> Option<NaiveDate> {
        let periods = LONGEST_FIRST.into_iter().filter(|period| *period >= fineness);
        periods.filter_map(|period| period.next(after)).find(|date| *date <= to)
    }

    fn beside(&self, place: NaiveDate, around: Around<NaiveDate>, fineness: Period) -> [Option<NaiveDate>; 2] {
        let mean = (around.to - around.from).num_days() as u64 / around.steps as u64;
        // Some months, years and decades are a day longer than others.
        let longest = fineness as u64 + u64::from(fineness != Period::Day);
        let days = Days::new(mean.max(longest));
        [place.checked_sub_days(days), place.checked_add_days(days)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dictionary(values: &[&str]) -> Dictionary {
        Dictionary::new(values.iter().map(|value| (*value).to_owned()), None, false)
    }

    /// The texts of all ends in order, and the values between each two.
    fn drawn(values: &[&str]) -> String {
        let dictionary = dictionary(values);
        let ends = RoundEnds::new(&dictionary);
        let mut drawn = String::new();
        for (place, &begin) in ends.begins.iter().enumerate() {
            let until = ends.begins.get(place + 1).copied().unwrap_or(begin);
            let values: Vec<&str> = (begin..until).map(|code| dictionary.value(code)).collect();
            let end = ends.ends[place].as_ref().map_or("-", |end| &end.text);
            drawn += &format!("|{end}| {} ", values.join(" "));
        }
        drawn.trim_end().to_owned()
    }

    #[test]
    fn whole_numbers_close_together_are_all_ends() {
        assert_eq!(drawn(&["17", "18", "19", "20", "21"]), "|17| 17 |18| 18 |19| 19 |20| 20 |21| 21 |22|");
    }

    #[test]
    fn the_roundest_number_between_two_is_the_end() {
        // 0 is rounder than anything, a multiple of 20 rounder than one of 10, and that rounder than 45.
        assert_eq!(drawn(&["-7", "18", "23", "41", "48"]), "|-20| -7 |0| 18 |20| 23 |40| 41 |45| 48 |50|");
    }

    #[test]
    fn what_only_a_finer_step_would_separate_stays_together() {
        // Mean distance about 1, so a tenth is the finest step, and 2.42 and 2.43 have no tenth between them.
        let values = ["1.371", "2.42", "2.43", "3.514", "4.02"];
        assert_eq!(drawn(&values), "|1| 1.371 |2| 2.42 2.43 |3| 3.514 |4| 4.02 |4.5|");
    }

    #[test]
    fn one_number_in_two_spellings_is_never_cut() {
        assert_eq!(drawn(&["2.1", "2.10", "3.7"]), "|2| 2.1 2.10 |3| 3.7 |4|");
    }

    #[test]
    fn an_outlier_takes_nothing_from_the_others() {
        let values: Vec<String> = (0..100).map(|n: u32| (n * 10).to_string()).chain(["9876543".to_owned()]).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let ends = RoundEnds::new(&dictionary(&values));
        assert_eq!(ends.begins.len(), 102, "all are separated");
        assert_eq!(ends.text(100, 100), "[5000000, 10000000)");
        assert_eq!(ends.text(1, 5), "[10, 60)");
    }

    #[test]
    fn dates_end_with_decades_years_quarters_months_and_days() {
        let years = drawn(&["1948-05-06", "1955-03-02", "1955-11-30", "1962-01-01", "1962-02-14", "1980-07-07"]);
        let expected = "|1942-01-01| 1948-05-06 |1950-01-01| 1955-03-02 1955-11-30 |1960-01-01| \
                        1962-01-01 1962-02-14 |1970-01-01| 1980-07-07 |1981-01-01|";
        assert_eq!(years, expected);
        let months = drawn(&["2024-01-20", "2024-03-15", "2024-05-10", "2024-08-02", "2025-02-03"]);
        let expected = "|2024-01-01| 2024-01-20 |2024-02-01| 2024-03-15 |2024-04-01| 2024-05-10 |2024-07-01| \
                        2024-08-02 |2025-01-01| 2025-02-03 |2025-04-01|";
        assert_eq!(months, expected);
        let days = drawn(&["31.12.2023", "02.01.2024", "03.01.2024"]);
        assert_eq!(days, "|31.12.2023| 31.12.2023 |01.01.2024| 02.01.2024 |03.01.2024| 03.01.2024 |04.01.2024|");
    }

    #[test]
    fn units_stay_and_nothing_is_written_beyond_the_largest_number() {
        assert_eq!(drawn(&["3K", "11K"]), "|0K| 3K |10K| 11K |15K|");
        let largest = "79228162514264337593543950335";
        assert_eq!(drawn(&["1", largest]).matches("|-|").count(), 1);
        assert_eq!(drawn(&[largest]), format!("|79228162514264337593543950335| {largest} |-|"));
        assert_eq!(drawn(&[]), "");
        assert_eq!(drawn(&["a", "b"]), "");
    }
}

//! At which round numbers or dates can a range of a column's values begin and end?

use chrono::NaiveDate;
use rust_decimal::Decimal;

use super::round_grid::{Around, Calendar, Grid, NumberGrid};
use super::{ColumnType, Dictionary, ValueKind};

/// The ends that ranges of a column may have: round numbers or dates between its values, so that no end is somebody's own
/// value merely because a range had to end there.
///
/// Between two neighbours a < b the end is the roundest number in (a, b]: the first multiple after a of the largest step of
/// 1, 2 or 5 times a power of ten that has one there; of dates, the first day of a decade, year, quarter or month, or a day.
/// Where that is b itself, which somebody has, the next finer step is asked for one that nobody has: 1081 between 1080 and 1082,
/// but 1100 between 1060 and 1100. How fine a step may be depends on how far apart the values around are: no finer than a tenth of
/// their mean distance, so that ends have as few digits as the column's spread supports, and in a long column there are some
/// thousand ends at most. Neighbours that would need a finer one are never separated, unless they are in groups that were made before
/// ([`RoundEnds::of_groups`]). Before the first and after the last value ends are rounded outwards, by no more than the mean
/// distance of the values there.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundEnds {
    /// For each value that is not missing, the first and the last of those that are not separated from it.
    together: Vec<(u32, u32)>,
    /// The first values after an end, and the number of values.
    begins: Vec<u32>,
    /// The end before each of them, and the last one; an end beyond what can be written is none.
    ends: Vec<Option<End>>,
    /// Of each range from one end to the next: does it hold one value, and could it hold no other?
    holds_one: Vec<bool>,
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

impl RoundEnds {
    /// The ends for the values of a dictionary; a column of text has none but those around all of it.
    pub fn new(dictionary: &Dictionary) -> Self {
        Self::read(dictionary, None)
    }

    /// The ends of neighbouring groups of all values, which are given by their first values: each as round as the gap before the
    /// group allows, however fine that is. Values that are the same number are in one group.
    pub fn of_groups(dictionary: &Dictionary, begins: &[u32]) -> Self {
        Self::read(dictionary, Some(begins))
    }

    fn read(dictionary: &Dictionary, groups: Option<&[u32]>) -> Self {
        let (column_type, present) = (dictionary.column_type(), dictionary.present());
        let ends = match column_type.kind() {
            ValueKind::Date => {
                let dates = present.iter().map(|value| column_type.date(value)).collect::<Option<Vec<_>>>();
                let written = |date: NaiveDate| End { text: column_type.write_date(date), number: None };
                dates.map(|dates| Self::of_points(&dates, &Calendar, groups, written))
            }
            _ => {
                let numbers = present.iter().map(|value| column_type.number(value)).collect::<Option<Vec<_>>>();
                let written = |number: Decimal| End { text: column_type.write_exactly(number), number: Some(number) };
                numbers.map(|numbers| Self::of_points(&numbers, &NumberGrid::new(&numbers), groups, written))
            }
        };
        ends.unwrap_or(Self { together: vec![], begins: vec![], ends: vec![], holds_one: vec![] })
    }

    fn of_points<G: Grid>(
        points: &[G::Point],
        grid: &G,
        groups: Option<&[u32]>,
        written: impl Fn(G::Point) -> End,
    ) -> Self {
        let places = Spread { points, grid }.ends(groups);
        let mut together = Vec::with_capacity(points.len());
        let mut holds_one = Vec::with_capacity(places.len());
        for pair in places.windows(2) {
            let [(begin, low), (next, high)] = [pair[0], pair[1]];
            together.resize(next, (begin as u32, next as u32 - 1));
            let is_alone = |(low, high)| grid.is_alone(points[begin], low, high);
            holds_one.push(next == begin + 1 && low.zip(high).is_some_and(is_alone));
        }
        let begins = places.iter().map(|&(place, _)| place as u32).collect();
        Self { together, begins, ends: places.into_iter().map(|(_, end)| end.map(&written)).collect(), holds_one }
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

    /// The range from one value to another, as a column of this type has it: `[20, 30)`.
    pub fn text(&self, first: u32, last: u32, column_type: &ColumnType) -> String {
        let end = |code: u32| self.end_before(code).map_or("", |end| &end.text);
        format!("[{})", column_type.write_ends(end(first), end(last + 1)))
    }

    /// Is a value by itself between two ends, which leave no room for another as coarse as all values of the column are? So it is with
    /// 2 among the whole numbers 1, 2 and 3, whose range `[2, 3)` says the same in more words.
    pub fn is_alone(&self, code: u32) -> bool {
        self.begins.binary_search(&code).is_ok_and(|place| self.holds_one.get(place) == Some(&true))
    }

    /// The number at which a range begins whose first value this is, or ends if it is the next one after its last.
    pub fn number_before(&self, code: u32) -> Option<Decimal> {
        self.end_before(code).and_then(|end| end.number)
    }

    fn end_before(&self, code: u32) -> Option<&End> {
        self.begins.binary_search(&code).ok().and_then(|place| self.ends[place].as_ref())
    }
}

/// The values of a column in order, with the grid they lie on.
struct Spread<'a, G: Grid> {
    points: &'a [G::Point],
    grid: &'a G,
}

impl<G: Grid> Spread<'_, G> {
    /// The ends before the first value, between neighbours wherever there is one (or before each group, if these are given), and
    /// after the last; with the place of the value that follows.
    fn ends(&self, groups: Option<&[u32]>) -> Vec<(usize, Option<G::Point>)> {
        let count = self.points.len();
        if count == 0 {
            return vec![];
        }
        let mut ends = vec![(0, self.lowest())];
        match groups {
            None => ends.extend((1..count).filter_map(|place| Some((place, Some(self.between(place)?))))),
            Some(groups) => {
                let inner = groups.iter().map(|&begin| begin as usize).filter(|place| (1..count).contains(place));
                ends.extend(inner.map(|place| (place, Some(self.however_fine(place)))));
            }
        }
        ends.push((count, self.highest()));
        ends
    }

    fn lowest(&self) -> Option<G::Point> {
        let first = self.points[0];
        let [before, _] = self.beside(0, first);
        self.grid.between(before?, first, self.fineness(0))
    }

    fn highest(&self) -> Option<G::Point> {
        let (count, last) = (self.points.len(), self.points[self.points.len() - 1]);
        let [_, after] = self.beside(count, last);
        self.grid.roundest(last, after?, self.fineness(count))
    }

    /// The end before a value and after the one before it, if it need not be too fine.
    fn between(&self, place: usize) -> Option<G::Point> {
        let (before, value) = (self.points[place - 1], self.points[place]);
        (before < value).then(|| self.grid.between(before, value, self.fineness(place)))?
    }

    /// The same, however fine it is; a number with more digits than can be reckoned with is its own end.
    fn however_fine(&self, place: usize) -> G::Point {
        let (before, value) = (self.points[place - 1], self.points[place]);
        self.grid.between(before, value, self.grid.finest()).unwrap_or(value)
    }

    /// How fine an end may be. The side where values lie closer together decides: an outlier takes nothing from its neighbours.
    fn fineness(&self, place: usize) -> G::Fineness {
        let [left, right] = self.sides(place).map(|side| self.grid.fineness(side, self.neighbours()));
        left.min(right)
    }

    fn beside(&self, place: usize, point: G::Point) -> [Option<G::Point>; 2] {
        self.grid.beside(point, self.sides(place)[0], self.fineness(place))
    }

    fn neighbours(&self) -> usize {
        NEIGHBOURS.max(self.points.len() / PART_OF_ALL)
    }

    /// Some values before an end and the one after it, and the other way round.
    fn sides(&self, place: usize) -> [Around<G::Point>; 2] {
        let (most, neighbours) = (self.points.len() - 1, self.neighbours());
        let from_to =
            |from: usize, to: usize| Around { from: self.points[from], to: self.points[to], steps: (to - from).max(1) };
        let from = place.min(most).saturating_sub(neighbours);
        let to = (place.max(1) - 1 + neighbours).min(most);
        [from_to(from, (from + neighbours).min(most)), from_to(to.saturating_sub(neighbours), to)]
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
    fn an_end_that_nobody_has_is_preferred_if_it_is_about_as_round() {
        // 1082 is a multiple of 2, but 1081 is nobody's; 1100 is far rounder than 1080, 1050 is not far less round than 1100.
        assert_eq!(drawn(&["1080", "1082", "1083"]), "|1080| 1080 |1081| 1082 |1083| 1083 |1084|");
        assert!(drawn(&["1001", "1060", "1100"]).contains("1060 |1100| 1100"));
        assert!(drawn(&["1001", "1010", "1100"]).contains("1010 |1050| 1100"));
        // All are multiples of 5: 10, and not 8, is no finer than they are.
        assert_eq!(drawn(&["5", "10", "15"]), "|5| 5 |10| 10 |15| 15 |20|");
        let dates = drawn(&["2001-05-03", "2003-06-10", "2004-01-01", "2009-12-31", "2010-01-01"]);
        assert!(dates.contains("2003-06-10 |2003-07-01| 2004-01-01"), "{dates}");
    }

    #[test]
    fn ends_of_groups_are_as_fine_as_they_must_be() {
        let dictionary = dictionary(&["1.371", "2.42", "2.43", "3.514", "4.02"]);
        let ends = RoundEnds::of_groups(&dictionary, &[0, 2, 4]);
        let text = |first, last| ends.text(first, last, dictionary.column_type());
        assert_eq!([text(0, 1), text(2, 3), text(4, 4)], ["[1, 2.425)", "[2.425, 4)", "[4, 4.5)"]);
        assert_eq!(text(2, 4), "[2.425, 4.5)");
        assert!(!ends.is_alone(4));
    }

    #[test]
    fn one_number_in_two_spellings_is_never_cut() {
        assert_eq!(drawn(&["2.1", "2.10", "3.7"]), "|2| 2.1 2.10 |3| 3.7 |4|");
    }

    #[test]
    fn an_outlier_takes_nothing_from_the_others() {
        let values: Vec<String> = (0..100).map(|n: u32| (n * 10).to_string()).chain(["9876543".to_owned()]).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let dictionary = dictionary(&values);
        let ends = RoundEnds::new(&dictionary);
        assert_eq!(ends.begins.len(), 102, "all are separated");
        assert_eq!(ends.text(100, 100, dictionary.column_type()), "[5000000, 10000000)");
        assert_eq!(ends.text(1, 5, dictionary.column_type()), "[5, 60)");
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
    fn ends_have_the_decimal_commas_of_the_values() {
        let values = ["1,371", "2,42", "3,514", "4,02"].map(str::to_owned);
        let dictionary = Dictionary::new(values, None, true);
        let ends = RoundEnds::new(&dictionary);
        assert_eq!(ends.text(0, 3, dictionary.column_type()), "[1; 4,5)");
        let whole = Dictionary::new(["17", "18", "19"].map(str::to_owned), None, true);
        assert_eq!(RoundEnds::new(&whole).text(0, 1, whole.column_type()), "[17, 19)");
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

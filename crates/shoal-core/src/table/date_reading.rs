//! Which part of a date is the day, which the month, and in which century does it lie?

use std::str::FromStr;

use chrono::{Datelike, NaiveDate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NumberMarks;
use crate::Error;

/// The order of day, month and year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DateOrder {
    /// 31/12/1999.
    DayFirst,
    /// 12/31/1999.
    MonthFirst,
    /// 1999/12/31, also with a year of two digits.
    YearFirst,
    /// They are no dates, whatever they look like.
    None,
}

impl DateOrder {
    /// As a policy writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::DayFirst => "day-first",
            Self::MonthFirst => "month-first",
            Self::YearFirst => "year-first",
            Self::None => "none",
        }
    }

    pub(super) fn of(format: &str) -> Self {
        match format.get(..2) {
            Some("%d") => Self::DayFirst,
            Some("%m") => Self::MonthFirst,
            _ => Self::YearFirst,
        }
    }
}

/// How the dates of a column are to be read, as far as somebody has said so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DateReading {
    /// The order of day and month.
    pub order: Option<DateOrder>,
    /// The first of the hundred years that two digits may mean.
    pub first_year: Option<i32>,
}

impl DateReading {
    /// What a format says about the order, where nothing else is said.
    #[must_use]
    pub fn or_format(self, format: &str) -> Self {
        let place = |part: &str| format.find(part);
        let order = match (place("%d"), place("%m"), place("%Y").or(place("%y"))) {
            (_, Some(month), Some(year)) if year < month => Some(DateOrder::YearFirst),
            (Some(day), Some(month), _) if day < month => Some(DateOrder::DayFirst),
            (Some(_), Some(_), _) => Some(DateOrder::MonthFirst),
            _ => None,
        };
        Self { order: self.order.or(order), ..self }
    }
}

/// How the values of a column are to be read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    /// How numbers are written.
    pub marks: NumberMarks,
    /// How dates are.
    pub dates: DateReading,
}

impl From<NumberMarks> for Reading {
    fn from(marks: NumberMarks) -> Self {
        Self { marks, dates: DateReading::default() }
    }
}

impl From<bool> for Reading {
    fn from(decimal_comma: bool) -> Self {
        NumberMarks::from(decimal_comma).into()
    }
}

/// A column whose values are dates in more than one way. Until somebody says which, they are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unclear {
    /// The formats that read every value, and not all alike.
    formats: Vec<&'static str>,
    /// Do years have two digits, and nobody says which century they mean?
    has_short_years: bool,
    /// A value that is another day in another format.
    example: String,
}

/// The ways to write a date, those of four-digit years first.
pub(super) const DATE_FORMATS: [&str; 19] = [
    "%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y%m%d", "%d-%b-%Y",
    "%d %b %Y", "%d%b%Y", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%y/%m/%d", "%d-%m-%y", "%m-%d-%y", "%y-%m-%d",
    "%d-%b-%y",
];

/// The months as databases and statistical packages write them, whatever language they speak: `31-DEC-99`, `31DEC1999`.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A hundred years to begin with, as spreadsheets have them: 1930 to 2029.
pub const USUAL_FIRST_YEAR: i32 = 1930;

/// How the values of a column are dates, if they are.
pub(super) enum Found {
    None,
    Clear(&'static str),
    Unclear(Unclear),
}

/// The formats that read every value, as far as `reading` leaves a choice.
pub(super) fn find<'a>(values: impl Iterator<Item = &'a str> + Clone, reading: DateReading) -> Found {
    let first_year = reading.first_year.unwrap_or(USUAL_FIRST_YEAR);
    let is_asked_for = |format: &&str| match reading.order {
        None => true,
        // A year of four digits that comes first leaves no question, nor does the name of a month.
        Some(order) => {
            let is_clear = format.starts_with("%Y") || format.contains("%b");
            order == DateOrder::of(format) || order != DateOrder::None && is_clear
        }
    };
    let day = |value: &str, format: &str| parse_date(value, format, first_year);
    let reads = |format: &&str| values.clone().all(|value| day(value, format).is_some());
    let mut formats: Vec<&'static str> = DATE_FORMATS.into_iter().filter(is_asked_for).filter(reads).collect();
    let Some(&first) = formats.first() else { return Found::None };
    // The smallest, since the order of values depends on which thread came first.
    let differing = |format: &str| values.clone().filter(|value| day(value, format) != day(value, first)).min();
    formats.retain(|format| *format == first || differing(format).is_some());
    let has_short_years = reading.first_year.is_none() && first.contains("%y");
    if formats.len() == 1 && !has_short_years {
        return Found::Clear(first);
    }
    let example = match formats.get(1) {
        Some(second) => differing(second),
        None => values.clone().min(),
    };
    let example = example.unwrap_or_default();
    Found::Unclear(Unclear { formats, has_short_years, example: example.to_owned() })
}

impl Unclear {
    /// The orders that all values fit; one, if only the century is unclear.
    pub fn orders(&self) -> Vec<DateOrder> {
        self.formats.iter().map(|format| DateOrder::of(format)).collect()
    }

    /// Do years have two digits, and nobody says which century they mean?
    pub fn has_short_years(&self) -> bool {
        self.has_short_years
    }

    /// What is unclear.
    pub fn what(&self) -> &'static str {
        match (self.formats.len() > 1, self.has_short_years) {
            (true, true) => "the dates can be read in several ways, and their years have two digits",
            (true, false) => "the dates can be read in several ways",
            (false, _) => "the years have two digits",
        }
    }

    /// All readings, of a value where one may be shown.
    pub fn readings(&self, may_print: bool) -> String {
        let first_years = if self.has_short_years { vec![1900, 2000] } else { vec![USUAL_FIRST_YEAR] };
        if !may_print || self.example.is_empty() {
            let orders: Vec<&str> = self.orders().iter().map(|order| order.name()).collect();
            let centuries = if self.has_short_years { ", in either of two centuries" } else { "" };
            return format!(
                "every value is a date {}{centuries}; none is shown, since they are sensitive",
                orders.join(" and ")
            );
        }
        let mut readings = Vec::new();
        for format in &self.formats {
            let days = first_years.iter().filter_map(|&first| parse_date(&self.example, format, first));
            let days: Vec<String> = days.map(|day| day.to_string()).collect();
            let order = DateOrder::of(format).name();
            readings.push(match self.formats.len() {
                1 => days.join(" or "),
                _ => format!("{} {order}", days.join(" or ")),
            });
        }
        format!("`{}` may be {}", self.example, readings.join(", or "))
    }

    /// Why a column that has to be read as dates cannot be.
    pub fn error(&self, column: &str, may_print: bool) -> Error {
        Error::table(format!("column `{column}`: {}", self.what()))
            .detail(self.readings(may_print))
            .hint(format!("say in [columns.\"{column}\"]: {}", self.keys()))
    }

    /// The same without the value that it shows.
    #[must_use]
    pub fn without_example(self) -> Self {
        Self { example: String::new(), ..self }
    }

    /// The lines of a policy that would say it.
    pub fn keys(&self) -> String {
        let order = self
            .orders()
            .iter()
            .map(|order| format!("`dates = \"{}\"`", order.name()))
            .collect::<Vec<_>>()
            .join(" or ");
        let years =
            format!("`two-digit-years = {USUAL_FIRST_YEAR}`, which is {USUAL_FIRST_YEAR} to {}", USUAL_FIRST_YEAR + 99);
        match (self.formats.len() > 1, self.has_short_years) {
            (true, true) => format!("{order}, and {years}"),
            (true, false) => order,
            (false, _) => years,
        }
    }
}

/// The day that a text is in a format; two digits of a year mean one of the hundred from `first_year` on.
pub(super) fn parse_date(text: &str, format: &str, first_year: i32) -> Option<NaiveDate> {
    parse_day(without_time(text), format, first_year)
}

fn parse_day(day: &str, format: &str, first_year: i32) -> Option<NaiveDate> {
    if format.contains("%b") {
        return parse_day(&with_number_of_month(day)?, &format.replace("%b", "%m"), first_year);
    }
    let Some(separator) = format.chars().find(|c| !c.is_alphabetic() && *c != '%') else {
        let is_whole = day.len() == 8 && day.bytes().all(|byte| byte.is_ascii_digit());
        return if is_whole { NaiveDate::parse_from_str(day, format).ok() } else { None };
    };
    let (mut year, mut month, mut of_month) = (0, 0, 0);
    let mut parts = day.split(separator);
    for part in format.split(separator) {
        let digits = parts.next().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        let is_long_enough = match part {
            // `55` is no year of the first century.
            "%Y" => digits.len() == 4,
            "%y" => digits.len() == 2,
            _ => matches!(digits.len(), 1 | 2),
        };
        let number: u32 = digits.parse().ok().filter(|_| is_long_enough)?;
        match part {
            "%Y" => year = i32::try_from(number).ok()?,
            "%y" => year = in_window(i32::try_from(number).ok()?, first_year),
            "%m" => month = number,
            _ => of_month = number,
        }
    }
    if parts.next().is_some() { None } else { NaiveDate::from_ymd_opt(year, month, of_month) }
}

/// A day with two digits in place of the only letters that it has, if these name a month and the day stands before it.
fn with_number_of_month(day: &str) -> Option<String> {
    let start = day.find(|c: char| c.is_ascii_alphabetic()).filter(|&start| start > 0)?;
    let (before, rest) = day.split_at(start);
    let (name, after) = rest.split_at_checked(3)?;
    let month = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(name))? + 1;
    Some(format!("{before}{month:02}{after}"))
}

/// The date of a time stamp: a time of day may follow, and the hierarchy of dates starts with the day.
fn without_time(text: &str) -> &str {
    let end = text
        .match_indices(['T', ' '])
        .map(|(at, _)| at)
        .find(|&at| at == 10 && NaiveDate::from_str(&text[..at]).is_ok() || is_time(text[at + 1..].trim_start()));
    end.map_or(text, |at| text[..at].trim_end())
}

/// Is it a time of day: `14:05`, `2:05 PM`, `14:05:33.5`, `14:05:33Z`, `14:05:33+02:00`?
fn is_time(text: &str) -> bool {
    let half_day = ["am", "pm", "AM", "PM"].into_iter().find_map(|half| text.strip_suffix(half));
    let text = half_day.map_or(text, str::trim_end);
    let in_zone = text.strip_suffix('Z').unwrap_or_else(|| text.rfind(['+', '-']).map_or(text, |at| &text[..at]));
    let is_below = |part: &str, most: u32, least_digits: usize| {
        let is_number = (least_digits..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number && part.parse().is_ok_and(|number: u32| number < most)
    };
    let parts: Vec<&str> = in_zone.split(':').collect();
    let (clock, seconds) = match parts[..] {
        [hours, minutes] => ((hours, minutes), None),
        [hours, minutes, seconds] => ((hours, minutes), Some(seconds)),
        _ => return false,
    };
    let is_second = |seconds: &str| {
        let (whole, part) = seconds.split_once(['.', ',']).unwrap_or((seconds, "0"));
        is_below(whole, 61, 2) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    is_below(clock.0, 25, 1) && is_below(clock.1, 60, 2) && seconds.is_none_or(is_second)
}

/// The year of a hundred with these last two digits.
fn in_window(year: i32, first_year: i32) -> i32 {
    first_year + (year - first_year).rem_euclid(100)
}

/// A day whose century was made up from two digits, in the century that they mean.
pub fn in_century(day: NaiveDate, first_year: i32) -> Option<NaiveDate> {
    day.with_year(in_window(day.year(), first_year))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str], order: Option<DateOrder>, first_year: Option<i32>) -> Found {
        find(values.iter().copied(), DateReading { order, first_year })
    }

    fn clear(values: &[&str], order: Option<DateOrder>, first_year: Option<i32>) -> Option<&'static str> {
        match found(values, order, first_year) {
            Found::Clear(format) => Some(format),
            _ => None,
        }
    }

    fn unclear(values: &[&str], order: Option<DateOrder>, first_year: Option<i32>) -> Unclear {
        match found(values, order, first_year) {
            Found::Unclear(unclear) => unclear,
            _ => panic!("{values:?} are clear"),
        }
    }

    #[test]
    fn one_value_can_decide_the_order_of_all() {
        assert_eq!(clear(&["03/04/2024", "31/12/1999"], None, None), Some("%d/%m/%Y"));
        assert_eq!(clear(&["03/04/2024", "12/31/1999"], None, None), Some("%m/%d/%Y"));
        assert_eq!(clear(&["2024-03-04"], None, None), Some("%Y-%m-%d"));
        assert_eq!(clear(&["03.04.2024"], None, None), Some("%d.%m.%Y"), "nobody writes the month before a full stop");
        assert_eq!(clear(&["04/04/2024", "5/5/1999"], None, None), Some("%d/%m/%Y"), "the same days either way");
        assert_eq!(clear(&["13/13/2024"], None, None), None);
    }

    #[test]
    fn a_time_of_day_may_follow_any_date() {
        let day = |text, format| parse_date(text, format, 1930).map(|day| day.to_string());
        for text in ["31.12.1999 14:05", "31.12.1999 1:05 PM", "31.12.1999  14:05:33.25", "31.12.1999T14:05:33+02:00"] {
            assert_eq!(day(text, "%d.%m.%Y").as_deref(), Some("1999-12-31"), "{text}");
        }
        assert_eq!(day("31.12.99 9:00", "%d.%m.%y").as_deref(), Some("1999-12-31"));
        for text in ["31.12.1999 25:05:00:1", "31.12.1999 14:60", "31.12.1999 bed 4", "31.12.1999 14"] {
            assert_eq!(day(text, "%d.%m.%Y"), None, "{text}");
        }
        assert_eq!(clear(&["12/31/1999 14:05", "01/02/2000 08:00"], None, None), Some("%m/%d/%Y"));
    }

    #[test]
    fn months_may_have_their_names() {
        assert_eq!(clear(&["31-Dec-1999", "1-JAN-2000"], None, None), Some("%d-%b-%Y"));
        assert_eq!(clear(&["31DEC1999", "01jan2000"], None, None), Some("%d%b%Y"));
        assert_eq!(clear(&["31 Dec 1999", "01 Sep 2000 14:05"], None, None), Some("%d %b %Y"));
        assert_eq!(clear(&["31-Dec-99"], None, Some(1930)), Some("%d-%b-%y"));
        assert!(unclear(&["31-Dec-99"], None, None).has_short_years());
        assert_eq!(clear(&["05-Dec-1999"], Some(DateOrder::MonthFirst), None), Some("%d-%b-%Y"), "no question");
        assert_eq!(clear(&["05-Dec-1999"], Some(DateOrder::None), None), None);
        let day = |text, format| parse_date(text, format, 1930).map(|day| day.to_string());
        assert_eq!(day("31-OCT-1999 14:05:33", "%d-%b-%Y").as_deref(), Some("1999-10-31"));
        assert_eq!(day("31OCT99", "%d%b%Y"), None);
        for text in ["31-Dez-1999", "31-December-1999", "31-De", "Dec-05-1999", "30-Feb-1999", "bed 4", "é-Dec-1999"] {
            assert_eq!(clear(&[text], None, Some(1930)), None, "{text}");
        }
    }

    #[test]
    fn what_fits_both_orders_is_asked() {
        let asked = unclear(&["04/04/2024", "03/04/2024"], None, None);
        assert_eq!(asked.orders(), [DateOrder::DayFirst, DateOrder::MonthFirst]);
        assert_eq!(asked.readings(true), "`03/04/2024` may be 2024-04-03 day-first, or 2024-03-04 month-first");
        assert_eq!(asked.keys(), "`dates = \"day-first\"` or `dates = \"month-first\"`");
        assert!(!asked.readings(false).contains("03/04"));
        assert_eq!(clear(&["03/04/2024"], Some(DateOrder::MonthFirst), None), Some("%m/%d/%Y"));
        assert_eq!(clear(&["03-04-2024"], Some(DateOrder::DayFirst), None), Some("%d-%m-%Y"));
        assert_eq!(clear(&["2024-03-04"], Some(DateOrder::DayFirst), None), Some("%Y-%m-%d"), "no question");
        assert_eq!(clear(&["03/04/2024"], Some(DateOrder::None), None), None);
        assert_eq!(clear(&["31/12/1999"], Some(DateOrder::MonthFirst), None), None, "it does not fit");
    }

    #[test]
    fn two_digits_are_no_year_until_somebody_says_which() {
        let asked = unclear(&["31.12.55"], None, None);
        assert_eq!(asked.readings(true), "`31.12.55` may be 1955-12-31 or 2055-12-31");
        assert_eq!(asked.keys(), "`two-digit-years = 1930`, which is 1930 to 2029");
        assert_eq!(clear(&["31.12.55"], None, Some(1930)), Some("%d.%m.%y"));
        let both = unclear(&["03/04/55"], None, None);
        assert_eq!(both.orders().len(), 2, "no month has 55 days");
        assert_eq!(
            both.readings(true),
            "`03/04/55` may be 1955-04-03 or 2055-04-03 day-first, or 1955-03-04 or 2055-03-04 month-first"
        );
        assert_eq!(unclear(&["03/04/05"], None, Some(1930)).orders().len(), 3);
        let day = |text, first| parse_date(text, "%d.%m.%y", first).map(|day| day.to_string());
        assert_eq!(day("31.12.29", 1930).as_deref(), Some("2029-12-31"));
        assert_eq!(day("31.12.30", 1930).as_deref(), Some("1930-12-31"));
        assert_eq!(day("29.02.00", 1900), None, "1900 was no leap year");
        assert_eq!(parse_date("31.12.55", "%d.%m.%Y", 1930), None);
    }

    #[test]
    fn formats_say_the_order() {
        let order = |format| DateReading::default().or_format(format).order;
        assert_eq!(order("%d/%m/%Y"), Some(DateOrder::DayFirst));
        assert_eq!(order("%m/%d/%y %H:%M"), Some(DateOrder::MonthFirst));
        assert_eq!(order("%Y%m%d"), Some(DateOrder::YearFirst));
        assert_eq!(order("%B %Y"), None);
    }
}

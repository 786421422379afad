//! Are the values of a column text, whole numbers, decimals or dates?

use std::cmp::Ordering;

use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::NumberMarks;
use super::Thousands;
use super::date_reading::{DATE_FORMATS, DateOrder, Found, Reading, USUAL_FIRST_YEAR, Unclear, find, parse_date};

/// The four kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueKind {
    /// Anything else.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers, some with a fraction.
    Decimal,
    /// Calendar dates.
    Date,
}

impl ValueKind {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            ValueKind::Text => "text",
            ValueKind::Integer => "whole number",
            ValueKind::Decimal => "decimal",
            ValueKind::Date => "date",
        }
    }
}

/// The kind of a column's values and how to read one of them.
///
/// It is found out from all values that occur: one that does not fit makes the column text, so nothing is
/// ever read as something it may not be. So does a choice between two readings that nobody has made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "WrittenType")]
pub struct ColumnType {
    kind: ValueKind,
    marks: NumberMarks,
    /// The currency that stands before every number, as in `$5`.
    currency: String,
    /// What follows every number, as in `3K`, `11K`.
    unit: String,
    date_format: &'static str,
    /// The first of the hundred years that two digits may mean, if somebody has said so.
    first_year: Option<i32>,
    /// The readings to choose from, where the values are dates in several ways.
    unclear: Option<Box<Unclear>>,
}

/// A type as a file says it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenType {
    kind: ValueKind,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    decimal_comma: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thousands: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    currency: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    unit: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    two_digit_years: Option<i32>,
}

impl From<ColumnType> for WrittenType {
    fn from(ColumnType { kind, marks, currency, unit, date_format, first_year, .. }: ColumnType) -> Self {
        let NumberMarks { decimal_comma, thousands } = marks;
        let thousands = thousands.map(|mark| mark.name().to_owned());
        let format = (kind == ValueKind::Date).then(|| date_format.to_owned());
        Self { kind, decimal_comma, thousands, currency, unit, format, two_digit_years: first_year }
    }
}

impl<'de> Deserialize<'de> for ColumnType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        WrittenType::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl TryFrom<WrittenType> for ColumnType {
    type Error = String;

    fn try_from(written: WrittenType) -> Result<Self, String> {
        let WrittenType { kind, decimal_comma, thousands, currency, unit, format, two_digit_years: first_year } =
            written;
        let thousands = match thousands {
            None => None,
            Some(mark) => {
                Some(Thousands::named(&mark).ok_or_else(|| format!("`{mark}` does not stand between thousands"))?)
            }
        };
        let marks = NumberMarks { decimal_comma, thousands };
        let date_format = match format {
            None => DATE_FORMATS[0],
            Some(format) => *DATE_FORMATS.iter().find(|known| **known == format).ok_or_else(|| {
                format!("there is no date format `{format}`; expected one of {}", DATE_FORMATS.join(", "))
            })?,
        };
        Ok(Self { kind, marks, currency, unit, date_format, first_year, unclear: None })
    }
}

impl ColumnType {
    /// Plain text.
    pub fn text() -> Self {
        Self {
            kind: ValueKind::Text,
            marks: NumberMarks::default(),
            currency: String::new(),
            unit: String::new(),
            date_format: DATE_FORMATS[0],
            first_year: None,
            unclear: None,
        }
    }

    /// Finds out the type of a column from its distinct values, missing ones left out.
    pub fn detect<'a, I>(values: I, reading: impl Into<Reading>) -> Self
    where
        I: Iterator<Item = &'a str> + Clone,
    {
        let Reading { marks, dates } = reading.into();
        let text = Self { marks, first_year: dates.first_year, ..Self::text() };
        let Some(first) = values.clone().next() else { return text };
        let around = (currency_of(first), unit_of(first));
        if values.clone().all(|value| text.decimal_between(value, around).is_some()) {
            let whole = |value| text.decimal_between(value, around).is_some_and(|number| number.scale() == 0);
            let kind = if values.clone().all(whole) { ValueKind::Integer } else { ValueKind::Decimal };
            return Self { kind, currency: around.0.to_owned(), unit: around.1.to_owned(), ..text };
        }
        match find(values, dates) {
            Found::None => text,
            Found::Clear(date_format) => Self { kind: ValueKind::Date, date_format, ..text },
            Found::Unclear(unclear) => Self { unclear: Some(Box::new(unclear)), ..text },
        }
    }

    /// The readings to choose from, where the values are dates in several ways; they count as text until somebody does.
    pub fn unclear(&self) -> Option<&Unclear> {
        self.unclear.as_deref()
    }

    /// The first of the hundred years that two digits may mean, if somebody has said so.
    pub fn first_year(&self) -> Option<i32> {
        self.first_year
    }

    /// The order of day, month and year in a date column, unless a year of four digits comes first and leaves no question.
    pub fn date_order(&self) -> Option<DateOrder> {
        (self.kind == ValueKind::Date && !self.date_format.starts_with("%Y")).then(|| DateOrder::of(self.date_format))
    }

    /// The kind of the values.
    pub fn kind(&self) -> ValueKind {
        self.kind
    }

    /// What follows every number of a number column, as the `K` of `3K`; most often nothing.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// The digits of a number, of what may have the column's currency before it or its unit behind it.
    pub fn bare<'t>(&self, text: &'t str) -> &'t str {
        let digits = text.strip_suffix(&*self.unit).unwrap_or(text);
        digits.strip_prefix(&*self.currency).unwrap_or(digits)
    }

    /// Do the values have an order that means something?
    pub fn is_ordered(&self) -> bool {
        self.kind != ValueKind::Text
    }

    /// Is it a column of numbers?
    pub fn is_number(&self) -> bool {
        matches!(self.kind, ValueKind::Integer | ValueKind::Decimal)
    }

    /// The number that `text` stands for, in a number column.
    pub fn number(&self, text: &str) -> Option<Decimal> {
        if self.is_number() { self.decimal_between(text, (&self.currency, &self.unit)) } else { None }
    }

    /// The date that `text` stands for, in a date column.
    pub fn date(&self, text: &str) -> Option<NaiveDate> {
        let first_year = self.first_year.unwrap_or(USUAL_FIRST_YEAR);
        if self.kind == ValueKind::Date { parse_date(text, self.date_format, first_year) } else { None }
    }

    /// A number as the values of a number column are written: the shortest digits that read back as it, with the currency and
    /// the unit of the values, and nothing between thousands.
    pub fn write(&self, number: f64) -> String {
        self.written(&number.to_string())
    }

    /// A number with all its digits as the values of a number column are written.
    pub fn write_exactly(&self, number: Decimal) -> String {
        self.written(&number.normalize().to_string())
    }

    fn written(&self, digits: &str) -> String {
        let (sign, digits) = if let Some(digits) = digits.strip_prefix('-') { ("-", digits) } else { ("", digits) };
        let digits = if self.marks.decimal_comma { digits.replace('.', ",") } else { digits.to_owned() };
        format!("{sign}{}{digits}{}", self.currency, self.unit)
    }

    /// Both ends of a range as a label has them between its brackets: `20, 30`. Where numbers have decimal commas, a semicolon
    /// separates them, as in `1,5; 2,5`: in all labels of a column of decimals, and of whole numbers where an end has a fraction.
    pub fn write_ends(&self, first: &str, last: &str) -> String {
        let has_commas = || self.kind == ValueKind::Decimal || first.contains(',') || last.contains(',');
        let separator = if self.marks.decimal_comma && self.is_number() && has_commas() { ';' } else { ',' };
        format!("{first}{separator} {last}")
    }

    /// A date as the values of a date column are written.
    pub fn write_date(&self, date: NaiveDate) -> String {
        date.format(self.date_format).to_string()
    }

    /// The order of two values: numbers by size, dates by time, text by its bytes; equal ones by their bytes.
    pub fn compare(&self, a: &str, b: &str) -> Ordering {
        self.rank(a).cmp(&self.rank(b)).then_with(|| a.cmp(b))
    }

    /// Do two texts say the same number, or the same day?
    pub fn says_the_same(&self, a: &str, b: &str) -> bool {
        if self.is_ordered() { self.rank(a) == self.rank(b) } else { a == b }
    }

    /// What a value is sorted by before its bytes, so that sorting need not read each text again and again.
    pub(super) fn rank(&self, text: &str) -> Rank {
        match self.kind {
            ValueKind::Text => Rank::Text,
            ValueKind::Integer | ValueKind::Decimal => Rank::Number(self.number(text)),
            ValueKind::Date => Rank::Date(self.date(text)),
        }
    }

    /// The number between a currency and a unit; the sign may stand on either side of the currency.
    fn decimal_between(&self, text: &str, (currency, unit): (&str, &str)) -> Option<Decimal> {
        let text = text.strip_suffix(unit)?;
        let sign = |text: &str| text.starts_with(['-', '+']).then(|| text.as_bytes()[0]);
        let before = sign(text);
        let rest = text[usize::from(before.is_some())..].strip_prefix(currency)?;
        let behind = sign(rest).filter(|_| before.is_none());
        let unsigned = &rest[usize::from(behind.is_some())..];
        if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == ',') {
            return None;
        }
        // `02139` names a place, it does not count anything.
        if unsigned.len() > 1 && unsigned.starts_with('0') && unsigned.as_bytes()[1].is_ascii_digit() {
            return None;
        }
        let plain = self.marks.plain(unsigned)?;
        match before.or(behind) {
            Some(b'-') => parse_decimal(&format!("-{plain}")),
            _ => parse_decimal(&plain),
        }
    }
}

/// What a text means, as far as it matters to the order of a column; all values of a column have the same kind of rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Text,
    Number(Option<Decimal>),
    Date(Option<NaiveDate>),
}

fn parse_decimal(text: &str) -> Option<Decimal> {
    if text.contains('_') {
        return None;
    }
    if text.contains(['e', 'E']) { Decimal::from_scientific(text).ok() } else { Decimal::from_str_exact(text).ok() }
}

/// The codes of currencies that stand before numbers often enough.
const CURRENCIES: [&str; 12] = ["EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "SEK", "NOK", "DKK"];

/// The currency before the number in `text`, if there is one: a sign such as `$`, `€` or `R$`, or a code. Other letters before
/// digits are part of a code.
fn currency_of(text: &str) -> &str {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let end = text.find(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+')).unwrap_or(0);
    let (before, name) = (&text[..end], text[..end].trim_end());
    let is_sign =
        |c: char| matches!(c, '$' | '£' | '¥' | '¢' | '€' | '₩' | '₪' | '₫' | '₱' | '₴' | '₹' | '₺' | '₽' | '₿');
    let has_sign = name.chars().count() <= 3 && name.contains(is_sign) && !name.contains(char::is_whitespace);
    if has_sign || CURRENCIES.contains(&name) { before } else { "" }
}

/// No unit is longer: ` percent`.
const LONGEST_UNIT: usize = 8;

/// What follows the number at the start of `text`, if it is short enough to be a unit.
fn unit_of(text: &str) -> &str {
    let end = text.rfind(|c: char| c.is_ascii_digit()).map_or(0, |last| last + 1);
    let unit = &text[end..];
    if end > 0 && unit.chars().count() <= LONGEST_UNIT { unit } else { "" }
}

#[cfg(test)]
mod tests {
    use super::super::DateReading;
    use super::*;

    fn detect(values: &[&str]) -> ColumnType {
        ColumnType::detect(values.iter().copied(), false)
    }

    #[test]
    fn kinds_are_told_apart() {
        assert_eq!(detect(&["1", "-20", "3"]).kind(), ValueKind::Integer);
        assert_eq!(detect(&["1", "2.5"]).kind(), ValueKind::Decimal);
        assert_eq!(detect(&["1", "x"]).kind(), ValueKind::Text);
        assert_eq!(detect(&["2024-02-29", "1999-12-31"]).kind(), ValueKind::Date);
        assert_eq!(detect(&["2023-02-29"]).kind(), ValueKind::Text, "there is no such day");
        assert_eq!(detect(&["31.12.1999"]).kind(), ValueKind::Date);
        assert_eq!(detect(&["12/31/1999", "01/02/1999"]).date("01/02/1999"), NaiveDate::from_ymd_opt(1999, 1, 2));
        assert_eq!(detect(&["2024-02-29T10:00:00"]).kind(), ValueKind::Date);
        assert_eq!(detect(&[]).kind(), ValueKind::Text);
    }

    #[test]
    fn what_may_be_read_in_two_ways_is_text_until_somebody_chooses() {
        for values in [&["03/04/2024", "05/06/2024"][..], &["31.12.55", "01.01.49"], &["03-04-2024"]] {
            let column = detect(values);
            assert_eq!((column.kind(), column.unclear().is_some()), (ValueKind::Text, true), "{values:?}");
        }
        let dates = DateReading { order: Some(DateOrder::MonthFirst), first_year: Some(1950) };
        let column = ColumnType::detect(["03/04/55"].into_iter(), Reading { dates, ..Reading::default() });
        assert_eq!(column.date("03/04/55"), NaiveDate::from_ymd_opt(1955, 3, 4));
        let written = serde_json::to_string(&column).unwrap();
        assert_eq!(serde_json::from_str::<ColumnType>(&written).unwrap(), column, "{written}");
    }

    #[test]
    fn codes_with_leading_zeros_are_text_and_zero_is_a_number() {
        assert_eq!(detect(&["02139", "10001"]).kind(), ValueKind::Text);
        assert_eq!(detect(&["0", "0.5", "-0.25"]).kind(), ValueKind::Decimal);
    }

    #[test]
    fn numbers_sort_by_size_also_with_a_unit() {
        let salary = detect(&["3K", "11K"]);
        assert_eq!(salary.kind(), ValueKind::Integer);
        assert_eq!(salary.compare("3K", "11K"), Ordering::Less);
        let ages = detect(&["9 years", "41 years"]);
        assert_eq!((ages.kind(), ages.unit()), (ValueKind::Integer, " years"));
        assert_eq!(detect(&["9", "10"]).compare("9", "10"), Ordering::Less);
        assert_eq!(detect(&["9", "ten"]).compare("9", "ten"), Ordering::Less);
        assert_eq!(detect(&["11th", "2nd"]).kind(), ValueKind::Text);
    }

    #[test]
    fn types_are_written_and_read_back() {
        for values in [&["1", "2"][..], &["3K"], &["12/31/1999", "01/02/1999"], &["a"]] {
            let written = serde_json::to_string(&detect(values)).unwrap();
            assert_eq!(serde_json::from_str::<ColumnType>(&written).unwrap(), detect(values), "{written}");
        }
        assert!(serde_json::from_str::<ColumnType>(r#"{"kind": "date", "format": "%H"}"#).is_err());
    }

    #[test]
    fn currencies_and_thousands_are_read_and_written() {
        let german = NumberMarks { decimal_comma: true, thousands: Some(Thousands::Point) };
        let reading = Reading { marks: german, ..Reading::default() };
        let column = ColumnType::detect(["1.234,56 €", "980,00 €", "-5 €"].into_iter(), reading);
        assert_eq!((column.kind(), column.unit()), (ValueKind::Decimal, " €"));
        assert_eq!(column.number("1.234,56 €"), Decimal::from_str_exact("1234.56").ok());
        assert_eq!((column.write(2500.5), column.bare("1.234,56 €")), ("2500,5 €".into(), "1.234,56"));
        let dollars = detect(&["$5", "-$20", "$-3.50", "$1000"]);
        assert_eq!(dollars.kind(), ValueKind::Decimal);
        assert_eq!(dollars.number("-$20"), Some(Decimal::from(-20)));
        assert_eq!(dollars.number("$-3.50"), Decimal::from_str_exact("-3.5").ok());
        assert_eq!((dollars.write(-2.5), dollars.write_exactly(Decimal::TEN)), ("-$2.5".into(), "$10".into()));
        assert_eq!(detect(&["EUR 5", "EUR 12"]).kind(), ValueKind::Integer);
        for text in [&["A1", "A2"][..], &["$5", "€5"], &["-$-5"], &["ICD 5"], &["$ 05"], &["$"]] {
            assert_eq!(detect(text).kind(), ValueKind::Text, "{text:?}");
        }
        for column in [column, dollars] {
            let written = serde_json::to_string(&column).unwrap();
            assert_eq!(serde_json::from_str::<ColumnType>(&written).unwrap(), column, "{written}");
        }
    }

    #[test]
    fn a_decimal_comma_is_a_comma() {
        let column = ColumnType::detect(["3,5", "12"].into_iter(), true);
        assert_eq!(column.kind(), ValueKind::Decimal);
        assert_eq!(column.number("3,5"), Decimal::from_str_exact("3.5").ok());
        assert_eq!((column.write(2.5), column.write_exactly(Decimal::new(2500, 3))), ("2,5".into(), "2,5".into()));
        assert_eq!([column.write_ends("1,5", "3"), column.write_ends("1", "3")], ["1,5; 3", "1; 3"]);
        let whole = ColumnType::detect(["12"].into_iter(), true);
        assert_eq!([whole.write_ends("1,5", "3"), whole.write_ends("1", "3")], ["1,5; 3", "1, 3"]);
        assert_eq!(ColumnType::detect(["a"].into_iter(), true).write_ends("a", "b"), "a, b");
        assert_eq!(ColumnType::detect(["3.5"].into_iter(), true).kind(), ValueKind::Text);
    }
}

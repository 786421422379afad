//! Does a label show more of a date, an age or a postal code than Safe Harbor allows?
//!
//! A release shows values as they are, ranges, sets, masks and open ends: what counts is what the label tells, whatever made it.

use chrono::{Datelike, NaiveDate};
use rust_decimal::Decimal;

use super::header::Header;
use shoal_core::hierarchy::{Told, dashed};

/// The oldest age that may be shown.
const OLDEST: i64 = 89;

/// Nobody is as old: a larger number is no age.
const NO_AGE: i64 = 130;

/// Does a label of a column of dates show a day, a week, a month or a quarter?
pub(super) fn is_finer_than_year(label: &str) -> bool {
    let told = Told::of(label);
    let is_finer = |named: &str| is_part_of_year(named) || is_compact(named) || is_month_of_short_year(named);
    !is_of_whole_years(&told) && told.named().into_iter().any(is_finer)
}

/// The same where nothing says that the column is about dates.
pub(super) fn is_surely_finer_than_year(label: &str) -> bool {
    let told = Told::of(label);
    !is_of_whole_years(&told) && told.named().iter().any(|named| is_part_of_year(named))
}

/// From the first day of a year to the last one of a year: no more than years.
fn is_of_whole_years(told: &Told<'_>) -> bool {
    let &Told::Between(low, high) = told else { return false };
    let day = |text: &str| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    let begins = |date: NaiveDate| date.ordinal() == 1;
    let ends = |date: NaiveDate| date.succ_opt().is_some_and(begins);
    let is_whole = |end: Option<(&str, bool)>, is_first: bool| match end {
        None => true,
        Some((text, included)) => {
            day(text).is_some_and(|date| if is_first == included { begins(date) } else { ends(date) })
        }
    };
    is_whole(low, true) && is_whole(high, false)
}

/// A year and a number of one or two digits, with nothing between them but what stands in dates; or day, month and a short
/// year; or the name of a month.
fn is_part_of_year(text: &str) -> bool {
    let numbers: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).collect();
    let is_year = |number: &&&str| number.len() == 4;
    let is_short = |number: &&&str| number.len() <= 2;
    let (years, short) = (numbers.iter().filter(is_year).count(), numbers.iter().filter(is_short).count());
    if names_a_month(text) {
        return years + short == numbers.len();
    }
    let stands_in_dates = |c: char| c.is_ascii_digit() || "-/.: *TZQWqw+".contains(c);
    let is_plain =
        text.chars().all(stands_in_dates) && text.starts_with(|c: char| c.is_ascii_digit() || "*QqWw".contains(c));
    let has_year = years >= 1 && short >= 1 && text.contains(['-', '/', '.', ' ', 'Q', 'q', 'W', 'w']);
    // 31/12/55, but no version or time of day.
    let has_short_year = numbers.len() >= 3 && short >= 3 && is_short_date(text);
    is_plain && (has_year && !is_decimal(text) || has_short_year)
}

/// `1980.5` is a number, and so may be the mean of years.
fn is_decimal(text: &str) -> bool {
    text.parse::<Decimal>().is_ok()
}

fn is_short_date(text: &str) -> bool {
    let day = text.split([' ', 'T']).next().unwrap_or_default();
    ["%d/%m/%y", "%m/%d/%y", "%d.%m.%y", "%d-%m-%y", "%y-%m-%d", "%m-%d-%y"]
        .iter()
        .any(|format| NaiveDate::parse_from_str(day, format).is_ok())
}

fn names_a_month(text: &str) -> bool {
    const MONTHS: &str = "=jan, =feb, =mar, =apr, =may, =jun, =jul, =aug, =sep, =sept, =oct, =nov, =dec, =january, =february, \
                          =march, =april, =june, =july, =august, =september, =october, =november, =december, =januar, \
                          =februar, =maerz, =mai, =juni, =juli, =oktober, =dezember, =okt, =dez";
    let header = Header::new(text);
    MONTHS.split(", ").any(|month| header.matches(month))
}

/// `20240131`, `202401` and what is left of them under a mask, which only the name of the column tells from a number.
fn is_compact(text: &str) -> bool {
    let digits = text.trim_end_matches('*');
    let is_shown = (5..=14).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let month = digits.get(4..6).and_then(|month| month.parse::<u8>().ok());
    let is_month = digits.len() < 6 && text.len() >= 6 || month.is_some_and(|month| (1..=12).contains(&month));
    is_shown
        && matches!(text.len(), 6 | 8 | 12 | 14)
        && (digits.starts_with("19") || digits.starts_with("20"))
        && is_month
}

/// `03/80`, which only the name of the column tells from a fraction.
fn is_month_of_short_year(text: &str) -> bool {
    let is_short = |number: &str| (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('/').is_some_and(|(one, other)| is_short(one) && is_short(other))
}

/// Does a label of a column of ages tell an age over 89, or how far above 89 somebody is? That somebody is 90 or older, or
/// older than something below, it may tell.
pub(super) fn is_age_above_89(label: &str) -> bool {
    let (oldest, no_age) = (Decimal::from(OLDEST), Decimal::from(NO_AGE));
    let is_too_old = |age: Decimal| age > oldest && age < no_age;
    let told = match Told::of(label) {
        Told::Values(values) if values.len() == 1 => dashed_ages(values[0]).unwrap_or(Told::Values(values)),
        told => told,
    };
    match told {
        Told::Values(values) => {
            values.iter().filter_map(|value| ages(value)).any(|(low, high)| is_too_old(low) || is_too_old(high))
        }
        Told::Between(low, high) => {
            let end = |end: Option<(&str, bool)>| end.and_then(|(text, included)| Some((ages(text)?.0, included)));
            // The single group that is allowed begins at 90: `>= 90` and `> 89` do, `>= 95` does not.
            let begins_late = end(low).is_some_and(|(age, included)| {
                if included { is_too_old(age) && age > oldest + Decimal::ONE } else { is_too_old(age) }
            });
            // `[80, 90)` ends with 89.
            let ends_late = end(high).is_some_and(|(age, included)| {
                if included { is_too_old(age) } else { is_too_old(age) && age > oldest + Decimal::ONE }
            });
            // `[90, 200)` is as open as `>= 90`, `[90, 90]` is not.
            begins_late || ends_late
        }
    }
}

/// `80-89`, `80 to 89`.
fn dashed_ages(text: &str) -> Option<Told<'_>> {
    let is_age = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && ages(text).is_some();
    let (low, high) = dashed(text).next().filter(|(low, high)| is_age(low) && is_age(high))?;
    Some(Told::Between(Some((low, true)), Some((high, true))))
}

/// The least and the largest age that a text with a number can mean: two for a mask, such as `9*`.
fn ages(text: &str) -> Option<(Decimal, Decimal)> {
    let number: String = text.chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '*')).collect();
    let number = number.replace(',', ".");
    let filled = |digit: &str| number.replace('*', digit).trim_end_matches('.').parse::<Decimal>().ok();
    if number.starts_with('*') { None } else { Some((filled("0")?, filled("9")?)) }
}

/// Does a label of a column of postal codes show more than their first three characters?
pub(super) fn is_long_postal_code(label: &str) -> bool {
    let told = Told::of(label);
    let shown = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    // A word is no code.
    let is_long = |text: &&str| shown(text) > 3 && text.contains(|c: char| c.is_ascii_digit());
    let prefixes = |text: &str, digit: char| text.chars().skip(3).all(|c| c == digit);
    match &told {
        Told::Values(values) => values.iter().any(is_long),
        // `[13000, 13100)` and `[13000, 13099]` are 130**.
        Told::Between(low, high) => {
            let is_prefix = |(end, included): &(&str, bool), of_included: char, of_other: char| {
                prefixes(end, if *included { of_included } else { of_other })
            };
            let is_fine = |end: &Option<(&str, bool)>, of_included, of_other| {
                end.as_ref().is_none_or(|end| !is_long(&end.0) || is_prefix(end, of_included, of_other))
            };
            !is_fine(low, '0', '9') || !is_fine(high, '9', '0')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_weeks_months_and_quarters_are_finer_than_a_year() {
        let finer = [
            "1980-01-31",
            "31.01.1980",
            "1/31/1980",
            "31/01/55",
            "1980-01",
            "01/1980",
            "1980-Q1",
            "Q1 1980",
            "1980Q1",
            "1980-W05",
            "1980-01-31T10:15:00Z",
            "31.01.1980 10:15",
            "1980-01-**",
            "1980-0****",
            "**.01.1980",
            "March 1980",
            "5. März 1980",
            "Mar-80",
            "[1980-01-03, 1980-02-01)",
            "[1980-11-03, 1981-02-01)",
            "[1970-01-01, 1980-02-01)",
            "[1970-01-01, 1979-12-31)",
            "{1980-01, 1980-03}",
            ">= 1980-03",
            "[1980-01, 1980-06]",
        ];
        for label in finer {
            assert!(is_finer_than_year(label), "{label}");
            assert!(is_surely_finer_than_year(label), "{label}");
        }
        let years = [
            "1980",
            "1980s",
            "[1980, 1990)",
            "1980-1985",
            "1980 - 1985",
            "{1980, 1983}",
            ">= 1980",
            "1980-**-**",
            "**.**.1980",
            "[1970-01-01, 1980-01-01)",
            "[1970-01-01, 1979-12-31]",
            "1980.5",
            "emergency",
            "10:30",
            "*",
        ];
        for label in years {
            assert!(!is_finer_than_year(label), "{label}");
        }
    }

    #[test]
    fn dates_without_separators_are_dates_in_a_column_of_dates() {
        let compact = ["19800131", "198001", "198001**", "19800***", "[19800103, 19800201)", "19800131101500"];
        for label in compact.into_iter().chain(["03/80", "3/80", "{03/80, 04/80}"]) {
            assert!(is_finer_than_year(label) && !is_surely_finer_than_year(label), "{label}");
        }
        for label in ["1980****", "1980**", "13053", "198013", "[1980, 1985]", "**/80"] {
            assert!(!is_finer_than_year(label), "{label}");
        }
    }

    #[test]
    fn ages_above_89_are_seen_wherever_they_stand() {
        let above = [
            "90",
            "91.5",
            "104",
            "[90, 95)",
            "[85, 95)",
            "[80, 90]",
            "80-90",
            "85 to 94",
            "{88, 91}",
            "9*",
            "10*",
            ">= 95",
            "95+",
            "> 90",
            "95 or older",
            "< 95",
            "<= 90",
            "[90, 90]",
            "[91, 200)",
        ];
        for label in above {
            assert!(is_age_above_89(label), "{label}");
        }
        let fine = [
            "89",
            "0",
            "[80, 90)",
            "[85, 90)",
            "80-89",
            "8*",
            ">= 90",
            "90+",
            "90 or older",
            "> 89",
            ">= 80",
            "[80, 200)",
            "[90, )",
            "[90, ∞)",
            "< 90",
            "<= 89",
            "999",
            "*",
            "unknown",
            "{85, 88}",
        ];
        for label in fine {
            assert!(!is_age_above_89(label), "{label}");
        }
    }

    #[test]
    fn postal_codes_of_more_than_three_characters_are_seen_wherever_they_stand() {
        for label in
            ["13053", "1305*", "SW1A 1AA", "[13053, 13068]", "{130**, 1305*}", "{13053, 13068}", "[13000, 13050)"]
        {
            assert!(is_long_postal_code(label), "{label}");
        }
        for label in
            ["130**", "13***", "{130**, 131**}", "[13000, 13100)", "[13000, 13099]", "[130, 139]", "SW1", "unknown"]
        {
            assert!(!is_long_postal_code(label), "{label}");
        }
    }
}

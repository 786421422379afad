//! Which hierarchy would suit the values of a column?

use rust_decimal::Decimal;

use super::dates::parse;
use super::{ColumnValues, Dates, HierarchySpec, Intervals, Mask, Quantiles, Suppress, known};
use crate::table::ValueKind;

/// A hierarchy to start with, and why; `spec.to_string()` is what to put into a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The hierarchy.
    pub spec: HierarchySpec,
    /// Why this one, in a sentence for people.
    pub reason: String,
}

/// Up to so many values there is little to generalize.
const FEW: usize = 5;

/// Numbers of groups, each a quarter of the one before.
const GROUPS: [u32; 3] = [64, 16, 4];

/// A hierarchy that suits the values of a column: it can be built over them.
pub fn suggest(column: &ColumnValues<'_>) -> Suggestion {
    let values = column.dictionary.present();
    let kind = column.dictionary.column_type().kind();
    if let Some(known) = known::suggestion(column) {
        return known;
    }
    if values.len() <= FEW && !is_code(values) {
        return suppress(format!("{} values are too few to group", values.len()));
    }
    match kind {
        ValueKind::Date => dates(column),
        ValueKind::Text if column.dictionary.column_type().unclear().is_some() => unclear_dates(column),
        _ if is_code(values) => code(values),
        ValueKind::Integer | ValueKind::Decimal => numbers(column),
        ValueKind::Text => suppress("text has no order; a tree written by hand, or a file, would keep more".to_owned()),
    }
}

fn suppress(reason: String) -> Suggestion {
    Suggestion { spec: HierarchySpec::Suppress(Suppress {}), reason }
}

fn dates(column: &ColumnValues<'_>) -> Suggestion {
    let column_type = column.dictionary.column_type();
    let dates: Vec<_> = column.dictionary.present().iter().filter_map(|value| column_type.date(value)).collect();
    Suggestion { spec: HierarchySpec::Dates(Dates::suggested(&dates, None)), reason: "all values are dates".to_owned() }
}

fn unclear_dates(column: &ColumnValues<'_>) -> Suggestion {
    let asked = column.dictionary.column_type().unclear().map(|unclear| {
        format!("{}: {}; say in the policy: {}", unclear.what(), unclear.readings(column.may_print), unclear.keys())
    });
    suppress(asked.unwrap_or_default())
}

/// Do digits name something here, as in a zip code: all equally long, and more of them than a year has?
fn is_code(values: &[String]) -> bool {
    let Some(length) = values.first().filter(|_| values.len() > 1).map(String::len) else { return false };
    let is_year = |value: &String| value.len() == 4 && ("1800".."2100").contains(&value.as_str());
    length >= 4
        && values.iter().all(|value| value.len() == length && value.bytes().all(|byte| byte.is_ascii_digit()))
        && !values.iter().all(is_year)
}

/// Codes of digits, some of which are dates.
fn code(values: &[String]) -> Suggestion {
    let format = "%Y%m%d";
    let dates = values.iter().map(|value| parse(value, format, None).filter(|_| value.len() == 8));
    match dates.collect::<Option<Vec<_>>>() {
        Some(dates) => Suggestion {
            spec: HierarchySpec::Dates(Dates::suggested(&dates, Some(format))),
            reason: "all values can be read as dates without separators".to_owned(),
        },
        None => Suggestion {
            spec: HierarchySpec::Mask(Mask::default()),
            reason: format!("all values have {} digits, as codes do", values[0].len()),
        },
    }
}

fn numbers(column: &ColumnValues<'_>) -> Suggestion {
    let column_type = column.dictionary.column_type();
    let values = column.dictionary.present();
    let numbers: Vec<Decimal> = values.iter().filter_map(|value| column_type.number(value)).collect();
    let quartile = |quarters| quantile(&numbers, column.present_counts(), quarters);
    let (smallest, largest) = (numbers[0], numbers[numbers.len() - 1]);
    let range = largest.checked_sub(smallest);
    // Half of the rows in less than a tenth of the range: equally wide intervals would leave most of them empty.
    let is_skewed = range.is_some_and(|range| (quartile(3) - quartile(1)) < range / Decimal::TEN);
    let widths = range.filter(|_| !is_skewed).and_then(|range| widths(range, column_type.kind()));
    match widths {
        Some(widths) => Suggestion {
            spec: HierarchySpec::Intervals(Intervals::of_widths(widths)),
            reason: match column.may_print {
                true => format!("all values are numbers, from {} to {}", values[0], values[values.len() - 1]),
                false => "all values are numbers".to_owned(),
            },
        },
        None => {
            let mut groups: Vec<u32> =
                GROUPS.into_iter().filter(|groups| *groups as usize * 2 <= values.len()).collect();
            if groups.is_empty() {
                groups.push(2);
            }
            let reason = match is_skewed {
                true => "half of the rows lie within less than a tenth of the range of the numbers",
                false => "no round widths suit the range of the numbers",
            };
            Suggestion { spec: HierarchySpec::Quantiles(Quantiles::of_groups(groups)), reason: reason.to_owned() }
        }
    }
}

/// The number below which this many quarters of the rows lie.
fn quantile(numbers: &[Decimal], counts: &[u64], quarters: u128) -> Decimal {
    let rows: u128 = counts.iter().map(|count| u128::from(*count)).sum();
    let mut below = 0;
    let at = counts.iter().position(|count| {
        below += u128::from(*count);
        below * 4 >= rows * quarters
    });
    numbers[at.unwrap_or(0)]
}

/// Widths of 1, 2 or 5 times a power of ten, each a multiple of the one before, from about a twentieth of the range
/// up to half of it.
fn widths(range: Decimal, kind: ValueKind) -> Option<Vec<Decimal>> {
    let finest = match kind {
        ValueKind::Integer => (range / Decimal::from(20)).max(Decimal::TWO),
        _ => range / Decimal::from(20),
    };
    let mut power = Decimal::ONE;
    while power > finest && power.scale() < 20 {
        power = (power / Decimal::TEN).normalize();
    }
    let mut widths: Vec<Decimal> = Vec::new();
    loop {
        for digit in [Decimal::ONE, Decimal::TWO, Decimal::from(5)] {
            let width = power.checked_mul(digit)?;
            if width > range / Decimal::TWO {
                return if widths.is_empty() { None } else { Some(widths) };
            }
            let nests = widths.last().is_none_or(|last| (width % last).is_zero());
            if width >= finest && nests {
                widths.push(width.normalize());
            }
        }
        power = power.checked_mul(Decimal::TEN)?;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::testing::dictionary;
    use super::*;
    use proptest::prelude::*;

    /// The suggestion as TOML, after a look at whether it can be built.
    fn suggested(values: &[String], count: impl Fn(usize) -> u64) -> String {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let dictionary = dictionary(&values, Some("?"));
        let counts: Vec<u64> = (0..dictionary.len()).map(count).collect();
        let column = ColumnValues { name: "c", dictionary: &dictionary, counts: &counts, may_print: true };
        let Suggestion { spec, reason } = suggest(&column);
        assert!(!reason.is_empty());
        spec.build(&column, Path::new("")).unwrap_or_else(|error| panic!("{spec}: {error}"));
        spec.to_string()
    }

    fn texts<T: ToString>(values: impl IntoIterator<Item = T>) -> Vec<String> {
        values.into_iter().map(|value| value.to_string()).collect()
    }

    #[test]
    fn numbers_get_widths_that_people_use() {
        assert_eq!(suggested(&texts(17..=90), |_| 1), "{ intervals = [5, 10, 20] }");
        assert_eq!(suggested(&texts(0..=10), |_| 1), "{ intervals = [2] }");
        assert_eq!(suggested(&texts((0..100).map(|n| n * 1_001)), |_| 1), "{ intervals = [5000, 10000, 20000] }");
        assert_eq!(suggested(&texts(1950..2010), |_| 1), "{ intervals = [5, 10, 20] }", "years are no codes");
        let tenths = (0..=20).map(|n| Decimal::new(n * 25, 2));
        assert_eq!(suggested(&texts(tenths), |_| 1), "{ intervals = [0.5, 1, 2] }");
    }

    #[test]
    fn skewed_numbers_get_quantiles() {
        let frequency = |code| if code == 0 { 900 } else { 1 };
        assert_eq!(suggested(&texts((0..100).map(|n| n * n)), frequency), "{ quantiles = [16, 4] }");
        assert_eq!(suggested(&texts([0, 1, 2, 3, 4, 900]), |_| 1), "{ quantiles = [2] }");
    }

    #[test]
    fn codes_are_masked_unless_they_are_dates() {
        assert_eq!(suggested(&texts((0..50).map(|n| 13_000 + n * 37)), |_| 1), "{ mask = { from = \"right\" } }");
        assert_eq!(suggested(&texts((0..50).map(|n| format!("{n:05}"))), |_| 1), "{ mask = { from = \"right\" } }");
        let days = texts((1..=28).map(|day| 20_240_200 + day));
        assert_eq!(suggested(&days, |_| 1), "{ dates = { levels = [\"day\"], format = \"%Y%m%d\" } }");
    }

    #[test]
    fn dates_get_the_periods_that_tell_them_apart() {
        let year = texts((1..=12).map(|month| format!("2024-{month:02}-15")));
        assert_eq!(suggested(&year, |_| 1), "{ dates = [\"month\", \"quarter\"] }");
        let times = texts((1..=12).map(|month| format!("19{month}4-01-15T0{}:00:00", month % 2)).take(9));
        assert!(suggested(&times, |_| 1).contains("\"decade\""));
    }

    #[test]
    fn the_rest_is_suppressed() {
        assert_eq!(suggested(&texts(["f", "m"]), |_| 1), "{ suppress = {} }");
        assert_eq!(suggested(&texts([1, 2, 3]), |_| 1), "{ suppress = {} }");
        assert_eq!(suggested(&texts(["ab", "cd", "ef", "gh", "ij", "kl"]), |_| 1), "{ suppress = {} }");
        assert_eq!(suggested(&[], |_| 1), "{ suppress = {} }");
    }

    proptest! {
        #[test]
        fn every_suggestion_can_be_built(
            whole in prop::collection::vec(any::<i64>(), 0..40),
            decimals in prop::collection::vec((any::<i32>(), 0_u32..12), 0..40),
            texts_ in prop::collection::vec("[0-9a-c]{0,6}", 0..40),
        ) {
            suggested(&texts(whole), |code| 1 + code as u64 % 3);
            suggested(&texts(decimals.iter().map(|&(digits, scale)| Decimal::new(digits.into(), scale))), |_| 1);
            suggested(&texts_, |_| 1);
        }
    }
}

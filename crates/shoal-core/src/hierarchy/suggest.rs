//! Which hierarchy would suit the values of a column?

use std::path::Path;

use rust_decimal::Decimal;

use super::dates::parse;
use super::{ColumnValues, Dates, HierarchySpec, Intervals, Mask, Quantiles, Suppress, bands, known};
use crate::table::ValueKind;

/// A hierarchy to start with, and why; `spec.to_string()` is what to put into a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The hierarchy.
    pub spec: HierarchySpec,
    /// Why this one, in a sentence for people.
    pub reason: String,
    /// Is it there only because nothing is known of such values?
    pub is_last_resort: bool,
}

impl Suggestion {
    /// A hierarchy that suits.
    pub fn new(spec: HierarchySpec, reason: impl Into<String>) -> Self {
        Self { spec, reason: reason.into(), is_last_resort: false }
    }
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
    if let Some(bands) = (kind == ValueKind::Text).then(|| bands::suggestion(column)).flatten() {
        return bands;
    }
    if values.len() <= FEW && !is_code(values) {
        return suppress(format!("{} values are too few to group", values.len()));
    }
    match kind {
        ValueKind::Date => dates(column),
        ValueKind::Text if column.dictionary.column_type().unclear().is_some() => unclear_dates(column),
        _ if is_code(values) => code(values),
        ValueKind::Integer | ValueKind::Decimal => numbers(column),
        ValueKind::Text => Suggestion {
            is_last_resort: true,
            ..suppress("text has no order; a tree written by hand, or a file, would keep more".to_owned())
        },
    }
}

fn suppress(reason: String) -> Suggestion {
    Suggestion::new(HierarchySpec::Suppress(Suppress {}), reason)
}

fn dates(column: &ColumnValues<'_>) -> Suggestion {
    let column_type = column.dictionary.column_type();
    let dates: Vec<_> = column.dictionary.present().iter().filter_map(|value| column_type.date(value)).collect();
    Suggestion::new(HierarchySpec::Dates(Dates::suggested(&dates, None)), "all values are dates")
}

fn unclear_dates(column: &ColumnValues<'_>) -> Suggestion {
    let asked = column.dictionary.column_type().unclear().map(|unclear| {
        format!("{}: {}; say in the policy: {}", unclear.what(), unclear.readings(column.may_print), unclear.keys())
    });
    suppress(asked.unwrap_or_default())
}

/// Do digits name something here, as in a zip code: all equally long, and more of them than a year has, or beginning with a zero? Amounts
/// of money are as often round.
fn is_code(values: &[String]) -> bool {
    let Some(first) = values.first().filter(|_| values.len() > 1) else { return false };
    let is_year = |value: &String| value.len() == 4 && ("1800".."2100").contains(&value.as_str());
    let digits = first.bytes().filter(u8::is_ascii_digit).count();
    let begin_with_zero = values.iter().any(|value| value.starts_with('0'));
    (digits >= 4 || digits >= 2 && begin_with_zero)
        && values.iter().all(|value| has_shape_of(value, first))
        && !values.iter().all(is_year)
        && (begin_with_zero || !values.iter().all(|value| value.ends_with('0')))
}

/// Do two values have digits at the same places, and beside them nothing but one and the same blank or dash: `113 46`, `1234-567`?
fn has_shape_of(value: &str, other: &str) -> bool {
    let is_like = |(one, other): (u8, u8)| match one {
        b' ' | b'-' => one == other,
        _ => one.is_ascii_digit() && other.is_ascii_digit(),
    };
    let is_separator = |byte: &u8| !byte.is_ascii_digit();
    value.len() == other.len()
        && value.bytes().zip(other.bytes()).all(is_like)
        && value.as_bytes().iter().filter(|byte| is_separator(byte)).count() <= 1
        && !value.starts_with([' ', '-'])
}

/// Codes of digits, some of which are dates.
fn code(values: &[String]) -> Suggestion {
    let format = "%Y%m%d";
    let dates = values.iter().map(|value| parse(value, format, None).filter(|_| value.len() == 8));
    match dates.collect::<Option<Vec<_>>>() {
        Some(dates) => Suggestion::new(
            HierarchySpec::Dates(Dates::suggested(&dates, Some(format))),
            "all values can be read as dates without separators",
        ),
        None => Suggestion::new(
            HierarchySpec::Mask(Mask::default()),
            format!("all values have {} digits, as codes do", values[0].bytes().filter(u8::is_ascii_digit).count()),
        ),
    }
}

/// Round widths, unless groups of equal frequency keep clearly more.
fn numbers(column: &ColumnValues<'_>) -> Suggestion {
    let column_type = column.dictionary.column_type();
    let values = column.dictionary.present();
    let numbers: Vec<Decimal> = values.iter().filter_map(|value| column_type.number(value)).collect();
    let range = numbers[numbers.len() - 1].checked_sub(numbers[0]);
    let widths = range.and_then(|range| widths(range, column_type.kind()));
    let wide = widths.map(|widths| HierarchySpec::Intervals(Intervals::of_widths(widths)));
    let mut groups: Vec<u32> = GROUPS.into_iter().filter(|groups| *groups as usize * 2 <= values.len()).collect();
    if groups.is_empty() {
        groups.push(2);
    }
    let equal = HierarchySpec::Quantiles(Quantiles::of_groups(groups));
    match wide.map(|spec| (excess(&spec, column), spec)) {
        Some((wide, spec))
            if excess(&equal, column).is_none_or(|equal| wide.is_some_and(|wide| wide <= CLEARLY * equal)) =>
        {
            let reason = match column.may_print {
                true => format!("all values are numbers, from {} to {}", values[0], values[values.len() - 1]),
                false => "all values are numbers".to_owned(),
            };
            Suggestion::new(spec, reason)
        }
        Some(_) => {
            Suggestion::new(equal, "groups of equally many rows keep more of these numbers than round widths would")
        }
        None => Suggestion::new(equal, "no round widths suit the range of the numbers"),
    }
}

/// Round bounds are easier to read, so that others must keep more than a little more.
const CLEARLY: f64 = 1.25;

/// How much more a hierarchy loses than so many equal groups of rows and values would: the mean over its levels between the values and
/// the root of the share of values that a row's label covers, times the number of labels. None where there is no such level.
fn excess(spec: &HierarchySpec, column: &ColumnValues<'_>) -> Option<f64> {
    let hierarchy = spec.build(column, Path::new("")).ok()?;
    let counts = column.present_counts();
    let (rows, values) = (counts.iter().sum::<u64>().max(1) as f64, counts.len() as f64);
    let of_level = |level: usize| {
        let level = hierarchy.level(level);
        let mut covered: Vec<(u64, u64)> = vec![(0, 0); level.len()];
        for (code, &count) in counts.iter().enumerate() {
            let (rows, values) = &mut covered[level.node_of(code as u32) as usize];
            *rows += count;
            *values += 1;
        }
        let labels = covered.iter().filter(|(_, values)| *values > 0).count() as f64;
        let share = |&(in_rows, in_values): &(u64, u64)| in_rows as f64 / rows * (in_values as f64 / values);
        covered.iter().map(share).sum::<f64>() * labels
    };
    let levels: Vec<f64> = (1..hierarchy.height()).map(of_level).collect();
    (!levels.is_empty()).then(|| levels.iter().sum::<f64>() / levels.len() as f64)
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
        let Suggestion { spec, reason, .. } = suggest(&column);
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
        assert_eq!(
            suggested(&texts((0..50).map(|n| format!("{:03} {:02}", 100 + n * 7, n))), |_| 1),
            "{ mask = { from = \"right\" } }"
        );
        assert_eq!(
            suggested(&texts((0..50).map(|n| format!("1{n:03}-{:03}", n * 9))), |_| 1),
            "{ mask = { from = \"right\" } }"
        );
        assert_eq!(
            suggested(&texts((0..50).map(|n| format!("{:02}", n * 2))), |_| 1),
            "{ mask = { from = \"right\" } }",
            "years"
        );
        assert!(suggested(&texts((20..90).map(|n| n * 500)), |_| 1).starts_with("{ intervals"), "round amounts");
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

//! Which interval does a number lie in, level by level?

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use super::generated::assemble;
use super::numbers::numbers;
use super::parameters::{ListOrTable, Number};
use super::{ColumnValues, Hierarchy, MOST_LEVELS};
use crate::table::ColumnType;
use crate::{Error, Result};

/// Half-open intervals such as `[20, 25)`, a level for each width, each width a multiple of the one before.
///
/// They are counted from `origin`. Numbers below `bottom` or from `top` on are one interval each on every level
/// (`< 20`, `>= 80`), and the intervals between are clipped there. Arithmetic is decimal: 0.3 in widths of 0.1 lies
/// in `[0.3, 0.4)`, which is `[0,3; 0,4)` in a table with decimal commas.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(with = "ListOrTable<Number, Table>")]
pub struct Intervals {
    widths: Vec<Number>,
    origin: Number,
    bottom: Option<Number>,
    top: Option<Number>,
}

/// The widths, and where intervals begin and end.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    /// The width of the intervals on each level.
    #[schemars(length(min = 1), example = vec![5, 10, 20])]
    widths: Vec<Number>,
    /// Where an interval begins.
    #[schemars(extend("default" = 0), example = 0)]
    origin: Option<Number>,
    /// Numbers below this are one interval on every level: `< 20`.
    #[schemars(example = 20)]
    bottom: Option<Number>,
    /// Numbers from this on are one interval on every level: `>= 80`.
    #[schemars(example = 80)]
    top: Option<Number>,
}

impl<'de> Deserialize<'de> for Intervals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match ListOrTable::<Number, Table>::deserialize(deserializer)? {
            ListOrTable::List(widths) => Self { widths, origin: Number(Decimal::ZERO), bottom: None, top: None },
            ListOrTable::Table(Table { widths, origin, bottom, top }) => {
                Self { widths, origin: origin.unwrap_or(Number(Decimal::ZERO)), bottom, top }
            }
        })
    }
}

impl Intervals {
    /// Intervals of these widths, counted from 0.
    pub fn of_widths(widths: impl IntoIterator<Item = Decimal>) -> Self {
        Self {
            widths: widths.into_iter().map(Number).collect(),
            origin: Number(Decimal::ZERO),
            bottom: None,
            top: None,
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.widths.is_empty() {
            return Err(
                Error::policy("`intervals` has no widths").hint("name one for each level: `intervals = [5, 10]`")
            );
        }
        if self.widths.len() >= MOST_LEVELS {
            return Err(Error::policy(format!("{} widths are too many", self.widths.len()))
                .hint(format!("a hierarchy has at most {MOST_LEVELS} levels")));
        }
        if let Some(width) = self.widths.iter().find(|width| width.0 <= Decimal::ZERO) {
            return Err(Error::policy(format!("an interval cannot be {} wide", width.0)).hint("widths are above 0"));
        }
        for pair in self.widths.windows(2) {
            let (lower, upper) = (pair[0].0, pair[1].0);
            if upper <= lower || !upper.checked_rem(lower).is_some_and(|rest| rest.is_zero()) {
                return Err(Error::policy(format!(
                    "intervals of width {upper} do not nest over those of width {lower}"
                ))
                .hint("each width is a multiple of the one before, as in `intervals = [5, 10, 20]`"));
            }
        }
        match (self.bottom, self.top) {
            (Some(bottom), Some(top)) if bottom.0 >= top.0 => Err(Error::policy(format!(
                "the `bottom` of the intervals, {}, is not below their `top`, {}",
                bottom.0, top.0
            ))),
            _ => Ok(()),
        }
    }

    pub(super) fn build(&self, column: &ColumnValues<'_>) -> Result<Hierarchy> {
        let hint = "`dates` is for dates, `mask` for codes, `tree` or `file` for anything";
        let numbers = numbers(column, "intervals", hint)?;
        let column_type = column.dictionary.column_type();
        let levels = self.widths.iter().map(|width| self.level(width.0, &numbers, column_type));
        let levels = levels.collect::<Option<Vec<_>>>().ok_or_else(|| {
            Error::table(format!("the numbers of column `{}` are too large for these intervals", column.name))
        })?;
        assemble(column, levels)
    }

    /// One level, unless its bounds are too large to be written down.
    fn level(&self, width: Decimal, numbers: &[Decimal], column_type: &ColumnType) -> Option<Vec<String>> {
        let written = |number: Decimal| column_type.write_exactly(number);
        let mut level = Vec::with_capacity(numbers.len());
        while level.len() < numbers.len() {
            let start = level.len();
            let (from, below) = self.bounds(numbers[start], width)?;
            let within = |number: &Decimal| below.is_none_or(|below| *number < below);
            let end = start + numbers[start..].partition_point(within);
            let label = match (from, below) {
                (Some(from), Some(below)) => format!("[{})", column_type.write_ends(&written(from), &written(below))),
                (None, Some(below)) => format!("< {}", written(below)),
                (Some(from), None) => format!(">= {}", written(from)),
                (None, None) => unreachable!("an interval has a bound"),
            };
            level.resize(end, label);
        }
        Some(level)
    }

    /// Where the interval of `number` starts and where it ends, as far as it does.
    fn bounds(&self, number: Decimal, width: Decimal) -> Option<(Option<Decimal>, Option<Decimal>)> {
        let (bottom, top) = (self.bottom.map(|number| number.0), self.top.map(|number| number.0));
        if let Some(bottom) = bottom.filter(|bottom| number < *bottom) {
            return Some((None, Some(bottom)));
        }
        if let Some(top) = top.filter(|top| number >= *top) {
            return Some((Some(top), None));
        }
        // A remainder is exact where a quotient would be rounded.
        let rest = number.checked_sub(self.origin.0)?.checked_rem(width)?;
        let rest = if rest < Decimal::ZERO { rest + width } else { rest };
        let from = number.checked_sub(rest)?;
        let below = from.checked_add(width)?;
        let clipped_from = bottom.map_or(from, |bottom| from.max(bottom));
        let clipped_below = top.map_or(below, |top| below.min(top));
        Some((Some(clipped_from), Some(clipped_below)))
    }

    pub(super) fn to_toml(&self) -> toml::Value {
        let widths = toml::Value::Array(self.widths.iter().map(|width| width.to_toml()).collect());
        if self.origin.0.is_zero() && self.bottom.is_none() && self.top.is_none() {
            return widths;
        }
        let mut table = toml::Table::new();
        table.insert("widths".to_owned(), widths);
        let others = [("origin", Some(self.origin)), ("bottom", self.bottom), ("top", self.top)];
        for (key, number) in others {
            if let Some(number) = number {
                table.insert(key.to_owned(), number.to_toml());
            }
        }
        table.into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{build, dictionary, leaves, path, spec};
    use crate::table::Dictionary;

    #[test]
    fn a_number_lies_in_wider_and_wider_intervals() {
        let hierarchy = build("intervals = [5, 10, 20]", &dictionary(&["17", "23", "40", "-3"], None)).unwrap();
        assert_eq!(path(&hierarchy, 0), ["-3", "[-5, 0)", "[-10, 0)", "[-20, 0)", "*"]);
        assert_eq!(path(&hierarchy, 2), ["23", "[20, 25)", "[20, 30)", "[20, 40)", "*"]);
        // Each of the four is alone in its interval, however wide, and under the root there are all of them.
        assert_eq!(leaves(&hierarchy, 0), [1, 1, 1, 1, 4]);
        assert_eq!(leaves(&hierarchy, 2), [1, 1, 1, 1, 4]);
        let hierarchy = build("intervals = [5, 10, 20]", &dictionary(&["17", "23", "27", "38", "40"], None)).unwrap();
        assert_eq!(leaves(&hierarchy, 1), [1, 1, 2, 3, 5]);
    }

    #[test]
    fn one_outlier_does_not_make_an_interval_small() {
        let values: Vec<String> = (0..500).chain([1_000_000]).map(|income: u32| income.to_string()).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let hierarchy = build("intervals = [1000]", &dictionary(&values, None)).unwrap();
        assert_eq!(leaves(&hierarchy, 0), [1, 500, 501]);
    }

    #[test]
    fn bottom_and_top_close_the_intervals() {
        let text = "intervals = { widths = [10, 20], origin = 5, bottom = 20, top = 80 }";
        let hierarchy = build(text, &dictionary(&["3", "20", "26", "79", "80", "99"], None)).unwrap();
        assert_eq!(path(&hierarchy, 0), ["3", "< 20", "< 20", "*"]);
        assert_eq!(path(&hierarchy, 1), ["20", "[20, 25)", "[20, 25)", "*"]);
        assert_eq!(path(&hierarchy, 2), ["26", "[25, 35)", "[25, 45)", "*"]);
        assert_eq!(path(&hierarchy, 3), ["79", "[75, 80)", "[65, 80)", "*"]);
        assert_eq!(path(&hierarchy, 4), ["80", ">= 80", ">= 80", "*"]);
        assert_eq!(leaves(&hierarchy, 0), [1, 1, 1, 6]);
        assert_eq!(leaves(&hierarchy, 5), [1, 2, 2, 6]);
    }

    #[test]
    fn decimals_are_exact() {
        let dictionary = dictionary(&["0.3", "0.35", "0.7", "1.10"], None);
        let hierarchy = build("intervals = [0.1, 0.5]", &dictionary).unwrap();
        assert_eq!(path(&hierarchy, 0), ["0.3", "[0.3, 0.4)", "[0, 0.5)", "*"]);
        assert_eq!(path(&hierarchy, 2), ["0.7", "[0.7, 0.8)", "[0.5, 1)", "*"]);
        assert_eq!(path(&hierarchy, 3), ["1.10", "[1.1, 1.2)", "[1, 1.5)", "*"]);
        assert_eq!(leaves(&hierarchy, 0), [1, 2, 2, 4]);
    }

    #[test]
    fn labels_have_the_decimal_commas_of_the_values() {
        let commas = Dictionary::new(["0,3", "0,7", "12"].map(str::to_owned), None, true);
        let hierarchy = build("intervals = { widths = [0.5], bottom = 0.4, top = 1.5 }", &commas).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["< 0,4", "[0,5; 1)", ">= 1,5"]);
    }

    #[test]
    fn a_missing_value_stays_apart_up_to_the_root() {
        let hierarchy = build("intervals = [10]", &dictionary(&["1", "12"], Some("?"))).unwrap();
        assert_eq!(path(&hierarchy, 2), ["?", "?", "*"]);
        assert_eq!(leaves(&hierarchy, 2), [1, 1, 3]);
        let error = build("intervals = [10]", &dictionary(&["1"], Some("[0, 10)"))).unwrap_err();
        assert!(error.message().contains("also a label"), "{error}");
    }

    #[test]
    fn a_unit_stays_on_the_labels_and_spellings_are_leaves() {
        let hierarchy = build("intervals = [10]", &dictionary(&["3K", "11K"], None)).unwrap();
        assert_eq!(path(&hierarchy, 0), ["3K", "[0K, 10K)", "*"]);
        let hierarchy = build("intervals = [10]", &dictionary(&["1", "+1", "2"], None)).unwrap();
        assert_eq!(leaves(&hierarchy, 0), [1, 3, 3]);
    }

    #[test]
    fn widths_wider_than_the_data_stay_levels() {
        let hierarchy = build("intervals = [100, 1000]", &dictionary(&["1", "2"], None)).unwrap();
        assert_eq!(hierarchy.height(), 3);
        assert_eq!(path(&hierarchy, 0), ["1", "[0, 100)", "[0, 1000)", "*"]);
    }

    #[test]
    fn numbers_at_the_end_of_the_range_do_no_harm() {
        let largest = "79228162514264337593543950335";
        assert!(build("intervals = [10]", &dictionary(&["1", largest], None)).is_err());
        let hierarchy = build("intervals = { widths = [10], top = 100 }", &dictionary(&["1", largest], None)).unwrap();
        assert_eq!(hierarchy.domain_size(), 2);
    }

    #[test]
    fn parameters_are_checked() {
        let message = |text| spec(text).check().unwrap_err().to_string();
        assert!(message("intervals = []").contains("no widths"));
        assert!(message("intervals = [0]").contains("cannot be 0 wide"));
        assert!(message("intervals = [5, 12]").contains("width 12 do not nest over those of width 5"));
        assert!(message("intervals = [10, 5]").contains("do not nest"));
        assert!(message("intervals = [5, 5]").contains("do not nest"));
        assert!(spec("intervals = [0.1, 0.3]").check().is_ok());
        assert!(message("intervals = { widths = [5], bottom = 9, top = 9 }").contains("not below"));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let error = build("intervals = [5]", &dictionary(&["01", "x"], None)).unwrap_err();
        assert_eq!(error.message(), "`intervals` needs numbers, and column `c` holds text");
        let error = build("intervals = [5]", &dictionary(&["2024-01-01"], None)).unwrap_err();
        assert_eq!(error.message(), "`intervals` needs numbers, and column `c` holds dates");
        let error = build("intervals = [5]", &dictionary(&["1", "2", "unknown"], None)).unwrap_err();
        assert!(
            error.to_string().contains("hint: texts that stand for a missing value belong into `missing` of [input]; "),
            "{error}"
        );
    }
}

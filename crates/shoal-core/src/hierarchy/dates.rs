//! Which month, quarter, year does a date lie in?

use std::collections::HashSet;

use chrono::format::{Item, Numeric, StrftimeItems};
use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, Weekday};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use super::generated::assemble;
use super::parameters::ListOrTable;
use super::{ColumnValues, Hierarchy};
use crate::table::{ColumnType, ValueKind, in_century};
use crate::{Error, Result};

/// The periods that a date lies in, such as month and year: a level for each, fine to coarse.
///
/// The table form `{ levels = [..], format = "%d/%m/%Y" }` says how the dates are written where that cannot be found
/// out, as in `20240305`.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(with = "ListOrTable<Period, Table>")]
pub struct Dates {
    levels: Vec<Period>,
    format: Option<String>,
}

/// A stretch of time; those that come later are longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Period {
    /// 2024-03-05.
    Day,
    /// 2024-W10.
    Week,
    /// 2024-03.
    Month,
    /// 2024-Q1.
    Quarter,
    /// 2024.
    Year,
    /// 2020s.
    Decade,
}

/// The periods, and how dates are written.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    /// The period of each level, fine to coarse.
    #[schemars(length(min = 1), example = vec!["month", "year"])]
    levels: Vec<Period>,
    /// How the dates are written, where that cannot be found out.
    #[schemars(example = &"%d/%m/%Y")]
    format: Option<String>,
}

impl<'de> Deserialize<'de> for Dates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match ListOrTable::<Period, Table>::deserialize(deserializer)? {
            ListOrTable::List(levels) => Self { levels, format: None },
            ListOrTable::Table(Table { levels, format }) => Self { levels, format },
        })
    }
}

impl Period {
    fn name(self) -> &'static str {
        match self {
            Period::Day => "day",
            Period::Week => "week",
            Period::Month => "month",
            Period::Quarter => "quarter",
            Period::Year => "year",
            Period::Decade => "decade",
        }
    }

    fn label(self, date: NaiveDate) -> String {
        let year = date.year();
        match self {
            Period::Day => format!("{year:04}-{:02}-{:02}", date.month(), date.day()),
            // A week belongs to the year that holds most of it, which may not be the day's.
            Period::Week => format!("{:04}-W{:02}", date.iso_week().year(), date.iso_week().week()),
            Period::Month => format!("{year:04}-{:02}", date.month()),
            Period::Quarter => format!("{year:04}-Q{}", date.month0() / 3 + 1),
            Period::Year => format!("{year:04}"),
            Period::Decade => format!("{:04}s", year.div_euclid(10) * 10),
        }
    }

    /// The first day of the period of this length that has a label, if there is one.
    fn first_day(self, label: &str) -> Option<NaiveDate> {
        let year = || label.get(..4)?.parse::<i32>().ok();
        let number = |at: usize| label.get(at..)?.parse::<u32>().ok();
        let day = match self {
            Period::Day => label.parse().ok(),
            Period::Week => NaiveDate::from_isoywd_opt(year()?, number(6)?, Weekday::Mon),
            Period::Month => NaiveDate::from_ymd_opt(year()?, number(5)?, 1),
            Period::Quarter => NaiveDate::from_ymd_opt(year()?, number(6)?.checked_mul(3)?.checked_sub(2)?, 1),
            Period::Year | Period::Decade => NaiveDate::from_ymd_opt(year()?, 1, 1),
        };
        // What is written in another way is the label of nothing.
        day.filter(|day| self.label(*day) == label)
    }

    /// The first day of the next period, of one that begins with this day.
    fn next(self, first: NaiveDate) -> Option<NaiveDate> {
        match self {
            Period::Day => first.succ_opt(),
            Period::Week => first.checked_add_days(Days::new(7)),
            Period::Month => first.checked_add_months(Months::new(1)),
            Period::Quarter => first.checked_add_months(Months::new(3)),
            Period::Year => first.checked_add_months(Months::new(12)),
            Period::Decade => first.checked_add_months(Months::new(120)),
        }
    }
}

/// The first and the last day of what a label of this hierarchy names, however long that is: `2024-03-05`, `2024-W10`,
/// `2024-03`, `2024-Q1`, `2024`, `2020s`. No two periods are written alike.
pub fn days_named(label: &str) -> Option<(NaiveDate, NaiveDate)> {
    let periods = [Period::Day, Period::Week, Period::Month, Period::Quarter, Period::Year, Period::Decade];
    periods.into_iter().find_map(|period| {
        let first = period.first_day(label)?;
        Some((first, period.next(first)?.pred_opt()?))
    })
}

impl Dates {
    /// A level for each of the usual periods that tells some of these dates apart, and for the day where the values
    /// also tell the time; `format` where the dates are not written in one of the usual ways.
    pub(super) fn suggested(dates: &[NaiveDate], format: Option<&str>) -> Self {
        let distinct = |period: Period| dates.iter().map(|date| period.label(*date)).collect::<HashSet<_>>().len();
        let mut levels = vec![Period::Month, Period::Quarter, Period::Year, Period::Decade];
        levels.retain(|period| distinct(*period) > 1);
        if levels.is_empty() || distinct(Period::Day) < dates.len() {
            levels.insert(0, Period::Day);
        }
        Self { levels, format: format.map(str::to_owned) }
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.levels.is_empty() {
            return Err(Error::policy("`dates` has no levels").hint("name some: `dates = [\"month\", \"year\"]`"));
        }
        for pair in self.levels.windows(2) {
            let (lower, upper) = (pair[0].name(), pair[1].name());
            if pair[0] >= pair[1] {
                return Err(Error::policy(format!("`{upper}` cannot stand above `{lower}` in a hierarchy of dates"))
                    .hint("order them from fine to coarse: day, month, quarter, year, decade"));
            }
            if pair[0] == Period::Week {
                return Err(Error::policy(format!("weeks do not nest in `{upper}`"))
                    .detail(format!("a week can begin in one {upper} and end in the next"))
                    .hint("let `week` be the last level, or leave it out"));
            }
        }
        let unreadable = |format: &str| StrftimeItems::new(format).any(|item| item == Item::Error);
        match self.format.as_deref().filter(|format| unreadable(format)) {
            Some(format) => Err(Error::policy(format!("`{format}` is not a date format"))
                .hint("day, month and year are `%d`, `%m` and `%Y`, as in `%d/%m/%Y`")),
            None => Ok(()),
        }
    }

    pub(super) fn build(&self, column: &ColumnValues<'_>) -> Result<Hierarchy> {
        let dates = self.dates(column)?;
        let labels = |period: &Period| dates.iter().map(|date| period.label(*date)).collect();
        assemble(column, self.levels.iter().map(labels))
    }

    /// How the dates are written, where somebody has said so.
    pub(super) fn format(&self) -> Option<&str> {
        self.format.as_deref()
    }

    /// Is a value of a column of this type a date?
    pub(super) fn reads(&self, value: &str, column_type: &ColumnType) -> bool {
        match &self.format {
            Some(format) => parse(value, format, column_type.first_year()).is_some(),
            None => column_type.date(value).is_some(),
        }
    }

    fn dates(&self, column: &ColumnValues<'_>) -> Result<Vec<NaiveDate>> {
        let present = column.dictionary.present();
        let column_type = column.dictionary.column_type();
        let Some(format) = &self.format else {
            if let Some(unclear) = column_type.unclear() {
                return Err(unclear.error(column.name, column.may_print));
            }
            let dates = present.iter().map(|value| column_type.date(value)).collect::<Option<Vec<_>>>();
            return dates.ok_or_else(|| not_dates(column));
        };
        if has_short_years(format) && column_type.first_year().is_none() {
            let error = Error::table(format!(
                "the years of column `{}` have two digits, by the format `{format}`",
                column.name
            ));
            return Err(error.hint(format!(
                "say in [columns.\"{}\"] which hundred years they mean: `two-digit-years = 1930` is 1930 to 2029",
                column.name
            )));
        }
        let read = |value: &String| parse(value, format, column_type.first_year());
        let dates: Vec<Option<NaiveDate>> = present.iter().map(read).collect();
        let Some(first) = dates.iter().position(Option::is_none) else {
            return Ok(dates.into_iter().flatten().collect());
        };
        let unread = dates.iter().filter(|date| date.is_none()).count();
        Err(Error::policy(format!(
            "{unread} of the {} values of column `{}` are no dates written as `{format}`",
            present.len(),
            column.name
        ))
        .detail(column.which(&present[first])))
    }

    pub(super) fn to_toml(&self) -> toml::Value {
        let levels = toml::Value::Array(self.levels.iter().map(|level| level.name().into()).collect());
        let Some(format) = &self.format else { return levels };
        let mut table = toml::Table::new();
        table.insert("levels".to_owned(), levels);
        table.insert("format".to_owned(), format.clone().into());
        table.into()
    }
}

/// A date, or the date of a point in time; a year of two digits is one of the hundred from `first_year` on.
pub(super) fn parse(text: &str, format: &str, first_year: Option<i32>) -> Option<NaiveDate> {
    let day = NaiveDate::parse_from_str(text, format)
        .or_else(|_| NaiveDateTime::parse_from_str(text, format).map(|time| time.date()))
        .ok()?;
    match has_short_years(format) {
        true => in_century(day, first_year?),
        // `55` is no year of the first century.
        false => Some(day).filter(|day| day.year() >= 1000),
    }
}

/// Does a format read years of two digits?
fn has_short_years(format: &str) -> bool {
    StrftimeItems::new(format).any(|item| matches!(item, Item::Numeric(Numeric::YearMod100, _)))
}

fn not_dates(column: &ColumnValues<'_>) -> Error {
    let held = match column.dictionary.column_type().kind() {
        ValueKind::Integer | ValueKind::Decimal => "numbers",
        ValueKind::Text | ValueKind::Date => "text",
    };
    Error::table(format!("`dates` needs dates, and column `{}` holds {held}", column.name)).hint(
        "say how they are written: `dates = { levels = [..], format = \"%Y%m%d\" }`; years alone are numbers: \
         `intervals = [5, 10]`",
    )
}

#[cfg(test)]
mod tests {
    use super::super::testing::{build, dictionary, leaves, path, spec};
    use super::days_named;
    use crate::table::{DateReading, Dictionary, Reading};

    #[test]
    fn a_date_lies_in_longer_and_longer_periods() {
        let text = "dates = ['day', 'month', 'quarter', 'year', 'decade']";
        let hierarchy = build(text, &dictionary(&["2024-03-05", "2024-02-29", "1999-12-31"], Some(""))).unwrap();
        assert_eq!(path(&hierarchy, 2), ["2024-03-05", "2024-03-05", "2024-03", "2024-Q1", "2024", "2020s", "*"]);
        assert_eq!(leaves(&hierarchy, 2), [1, 1, 1, 2, 2, 2, 4]);
        assert_eq!(path(&hierarchy, 0), ["1999-12-31", "1999-12-31", "1999-12", "1999-Q4", "1999", "1990s", "*"]);
        assert_eq!(path(&hierarchy, 3), ["", "", "", "", "", "", "*"]);
    }

    #[test]
    fn weeks_are_those_of_iso_8601() {
        let hierarchy =
            build("dates = ['week']", &dictionary(&["2024-03-05", "2021-01-03", "2024-12-30"], None)).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["2020-W53", "2024-W10", "2025-W01"]);
    }

    #[test]
    fn labels_are_read_back_as_the_days_they_name() {
        let days = |label| days_named(label).map(|(first, last)| format!("{first} {last}"));
        for (label, expected) in [
            ("2024-02-29", "2024-02-29 2024-02-29"),
            ("2020-W53", "2020-12-28 2021-01-03"),
            ("2024-02", "2024-02-01 2024-02-29"),
            ("2024-Q4", "2024-10-01 2024-12-31"),
            ("2024", "2024-01-01 2024-12-31"),
            ("1950s", "1950-01-01 1959-12-31"),
        ] {
            assert_eq!(days(label).as_deref(), Some(expected), "{label}");
        }
        for label in ["1954s", "2024-13", "2024-Q5", "2024-Q0", "2024-3", "24", "2023-W53", "20240305", "+024", ""] {
            assert_eq!(days(label), None, "{label}");
        }
    }

    #[test]
    fn other_ways_to_write_a_date_are_read() {
        let hierarchy = build("dates = ['month']", &dictionary(&["05.03.2024", "31.12.1999"], None)).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["1999-12", "2024-03"]);
        let text = "dates = { levels = ['month'], format = '%Y%m%d' }";
        let hierarchy = build(text, &dictionary(&["20240305"], None)).unwrap();
        assert_eq!(path(&hierarchy, 0), ["20240305", "2024-03", "*"]);
        let text = "dates = { levels = ['day'], format = '%d/%m/%Y %H:%M' }";
        let hierarchy = build(text, &dictionary(&["05/03/2024 10:30"], None)).unwrap();
        assert_eq!(path(&hierarchy, 0), ["05/03/2024 10:30", "2024-03-05", "*"]);
    }

    #[test]
    fn what_may_be_read_in_two_ways_is_refused_with_both() {
        let error = build("dates = ['month']", &dictionary(&["03/04/2024"], None)).unwrap_err().to_string();
        assert!(error.contains("`03/04/2024` may be 2024-04-03 day-first, or 2024-03-04 month-first"), "{error}");
        assert!(
            error.contains("say in [columns.\"c\"]: `dates = \"day-first\"` or `dates = \"month-first\"`"),
            "{error}"
        );
        let error = build("dates = ['decade']", &dictionary(&["31.12.55"], None)).unwrap_err().to_string();
        assert!(error.contains("may be 1955-12-31 or 2055-12-31"), "{error}");
        assert!(error.contains("`two-digit-years = 1930`, which is 1930 to 2029"), "{error}");
        let format = "dates = { levels = ['decade'], format = '%d.%m.%y' }";
        let error = build(format, &dictionary(&["31.12.55"], None)).unwrap_err().to_string();
        assert!(error.contains("two-digit-years = 1930"), "{error}");
        let dates = DateReading { order: None, first_year: Some(1930) };
        let reading = Reading { dates, ..Reading::default() };
        let named = Dictionary::new(["31.12.55".to_owned()], None, reading);
        for text in ["dates = ['decade']", format] {
            assert_eq!(build(text, &named).unwrap().level(1).labels(), ["1950s"]);
        }
        let long = "dates = { levels = ['decade'], format = '%d.%m.%Y' }";
        let error = build(long, &dictionary(&["31.12.55"], None)).unwrap_err().to_string();
        assert!(error.contains("1 of the 1 values of column `c` are no dates written as"), "{error}");
    }

    #[test]
    fn levels_that_do_not_nest_are_refused() {
        let message = |text| spec(text).check().unwrap_err().to_string();
        assert!(message("dates = ['week', 'month']").contains("a week can begin in one month and end in the next"));
        assert!(message("dates = ['week', 'year']").contains("weeks do not nest in `year`"));
        assert!(message("dates = ['year', 'month']").contains("`month` cannot stand above `year`"));
        assert!(message("dates = ['year', 'year']").contains("cannot stand above"));
        assert!(message("dates = []").contains("no levels"));
        assert!(message("dates = { levels = ['day'], format = '%J' }").contains("not a date format"));
        assert!(spec("dates = ['day', 'week']").check().is_ok());
    }

    #[test]
    fn what_is_no_date_is_refused() {
        let error = build("dates = ['year']", &dictionary(&["1987", "1988"], None)).unwrap_err();
        assert_eq!(error.message(), "`dates` needs dates, and column `c` holds numbers");
        let text = "dates = { levels = ['month'], format = '%Y%m%d' }";
        let error = build(text, &dictionary(&["20240305", "soon"], None)).unwrap_err().to_string();
        assert!(error.contains("1 of the 2 values of column `c`") && error.contains("the first is `soon`"), "{error}");
    }
}

//! What stands in a column, before anything is concluded from it?

use std::time::SystemTime;

use chrono::{DateTime, Datelike, NaiveDate, Utc};

use super::column_scan::ColumnScan;
use crate::meaning::topic;
use shoal_core::table::{ColumnType, DateReading, NumberMarks, Reading, USUAL_FIRST_YEAR, Unclear};

/// The cells of a column: distinct texts and how often each occurs, in the order of the first occurrence.
#[derive(Debug, Clone)]
pub(super) struct ColumnText<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Every text that occurs; the counts mean nothing where the column was only sampled.
    pub(super) texts: Vec<(&'a str, u64)>,
    /// The rows without a cell.
    pub(super) nulls: u64,
    /// Where the column was only sampled: it has more distinct values than this.
    pub(super) more_than: Option<u64>,
}

impl<'a> ColumnText<'a> {
    pub(super) fn new(name: &'a str, scan: &'a ColumnScan) -> Self {
        match scan {
            ColumnScan::Whole(column) => Self {
                name,
                texts: column.pairs().filter_map(|(value, count)| Some((value?, count))).collect(),
                nulls: column.pairs().filter(|(value, _)| value.is_none()).map(|(_, count)| count).sum(),
                more_than: None,
            },
            ColumnScan::Sampled { values, more_than, missing } => Self {
                name,
                texts: values.iter().filter(|value| !value.is_empty()).map(|value| (value.as_str(), 1)).collect(),
                nulls: *missing,
                more_than: Some(*more_than),
            },
        }
    }

    /// The same column without the cells that mark a missing value, which become cells that are not there.
    pub(super) fn without(mut self, markers: &[String]) -> Self {
        let is_missing = |text: &str| markers.iter().any(|marker| marker == text);
        if self.more_than.is_none() {
            self.nulls += self.texts.iter().filter(|(text, _)| is_missing(text)).map(|(_, count)| count).sum::<u64>();
        }
        self.texts.retain(|(text, _)| !is_missing(text));
        self
    }

    /// The distinct texts.
    pub(super) fn distinct(&self) -> impl Iterator<Item = &'a str> + Clone {
        self.texts.iter().map(|(text, _)| *text)
    }

    /// How the values are to be read: where dates could be read in several ways, a guess, and what it is a guess between.
    pub(super) fn reading(&self, marks: NumberMarks) -> (Reading, Option<Unclear>) {
        let detected = ColumnType::detect(self.distinct(), marks);
        let Some(unclear) = detected.unclear() else { return (marks.into(), None) };
        let order = unclear.orders().first().copied().filter(|_| unclear.orders().len() > 1);
        let first_year = unclear.has_short_years().then_some(USUAL_FIRST_YEAR);
        let mut dates = DateReading { order, first_year };
        if first_year.is_some() && topic::of(self.name).is_some_and(|topic| topic.is_of_age) {
            let read = ColumnType::detect(self.distinct(), Reading { marks, dates });
            let latest = self.distinct().filter_map(|value| read.date(value)).max();
            dates.first_year =
                Some(first_year_of_births(latest, DateTime::<Utc>::from(SystemTime::now()).date_naive()));
        }
        (Reading { marks, dates }, Some(unclear.clone()))
    }

    /// What kind of values they are.
    pub(super) fn column_type(&self, reading: impl Into<Reading>) -> ColumnType {
        ColumnType::detect(self.distinct(), reading)
    }
}

/// The first of the hundred years that two digits of a birth date mean: nobody is born after today.
fn first_year_of_births(latest: Option<NaiveDate>, today: NaiveDate) -> i32 {
    match latest {
        Some(latest) if latest > today => today.year() - 99,
        _ => USUAL_FIRST_YEAR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_born_after_today() {
        let day = |year| NaiveDate::from_ymd_opt(year, 6, 30);
        let today = day(2026).expect("a day");
        assert_eq!(first_year_of_births(day(2028), today), 1927, "1927 to 2026");
        assert_eq!(first_year_of_births(day(2024), today), USUAL_FIRST_YEAR);
        assert_eq!(first_year_of_births(None, today), USUAL_FIRST_YEAR);
    }
}

//! Which number or category stands for the records of a cluster?

use chrono::{Datelike, NaiveDate};
use rust_decimal::Decimal;

use super::{CategoriesBy, NumbersBy};
use crate::frequency::CountedTable;
use crate::method::{Cover, Label, Member};

/// Gives clusters their labels.
#[derive(Debug)]
pub(super) struct Replacement<'a> {
    pub(super) table: &'a CountedTable,
    pub(super) covers: &'a [Cover<'a>],
    pub(super) numbers: NumbersBy,
    pub(super) categories: CategoriesBy,
}

impl Replacement<'_> {
    /// What a cluster shows.
    pub(super) fn labels(&self, members: &[Member]) -> Vec<Label> {
        (0..self.covers.len()).map(|column| self.label(members, column)).collect()
    }

    fn label(&self, members: &[Member], column: usize) -> Label {
        let (quasi, cover) = (&self.table.quasi[column], &self.covers[column]);
        let mut values: Vec<(u32, u64)> =
            members.iter().map(|member| (self.table.base.code(member.base as usize, column), member.count)).collect();
        values.sort_unstable();
        values.dedup_by(|next, last| {
            let same = next.0 == last.0;
            last.1 += if same { next.1 } else { 0 };
            same
        });
        let codes = values.iter().map(|value| value.0);
        let (first, last) = (values[0].0, values[values.len() - 1].0);
        // What a number or another value would be on a higher level, nobody can say; nor what stands for a missing one.
        if quasi.min_level > 0 || (quasi.ordered && quasi.dictionary.missing() == Some(last)) {
            return cover.label(codes);
        }
        if quasi.ordered {
            let text = self.number(column, &values).into_boxed_str();
            return Label::Number { text, first, last };
        }
        match self.categories {
            CategoriesBy::Ancestor => cover.label(codes),
            CategoriesBy::Mode => {
                let shown = values.iter().max_by_key(|(code, count)| (*count, std::cmp::Reverse(*code)));
                Label::Value { shown: shown.map_or(first, |value| value.0), covers: codes.collect() }
            }
        }
    }

    /// The mean or median of values of an ordered column, as its own values are written.
    fn number(&self, column: usize, values: &[(u32, u64)]) -> String {
        let dictionary = &self.table.quasi[column].dictionary;
        let text = |code: u32| dictionary.value(code).to_owned();
        let kind = dictionary.column_type();
        let number = |code: u32| kind.number(dictionary.value(code));
        let (low, high) = medians(values);
        let by_mean = self.numbers == NumbersBy::Mean;
        // One value stays as it is written.
        if values.len() == 1 || (!by_mean && low == high) {
            return text(low);
        }
        if !kind.is_number() {
            let day = |code: u32| kind.date(dictionary.value(code));
            let mean = by_mean.then(|| mean_day(values.iter().map(|&(code, count)| (day(code), count))));
            // A day between two days is one of them.
            return mean.flatten().map_or_else(|| text(low), |mean| kind.write_date(mean));
        }
        let chosen = if by_mean { values.to_vec() } else { vec![(low, 1), (high, 1)] };
        let sum = chosen.iter().try_fold(Decimal::ZERO, |sum, &(code, count)| {
            number(code)?.checked_mul(Decimal::from(count))?.checked_add(sum)
        });
        let count: u64 = chosen.iter().map(|value| value.1).sum();
        let mean = sum.and_then(|sum| sum.checked_div(Decimal::from(count)));
        let mean = mean.and_then(|mean| mean.to_string().parse::<f64>().ok());
        // Numbers too large to add up exactly.
        mean.map_or_else(|| text(low), |mean| kind.write(mean))
    }
}

/// The day nearest to the mean of days, the earlier of two.
fn mean_day(days: impl Iterator<Item = (Option<NaiveDate>, u64)>) -> Option<NaiveDate> {
    let (mut sum, mut total) = (0, 0);
    for (day, count) in days {
        sum += i128::from(day?.num_days_from_ce()) * i128::from(count);
        total += i128::from(count);
    }
    let mean = (2 * sum + total - 1).div_euclid(2 * total);
    NaiveDate::from_num_days_from_ce_opt(i32::try_from(mean).ok()?)
}

/// The two values in the middle, or twice the one.
fn medians(values: &[(u32, u64)]) -> (u32, u32) {
    let total: u64 = values.iter().map(|value| value.1).sum();
    let at = |rank: u64| {
        let mut sum = 0;
        let reached = |value: &&(u32, u64)| {
            sum += value.1;
            sum > rank
        };
        values.iter().find(reached).map_or(0, |value| value.0)
    };
    (at((total - 1) / 2), at(total / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_days_is_a_day() {
        let day = |text: &str| text.parse::<NaiveDate>().ok();
        let mean = |days: &[(&str, u64)]| mean_day(days.iter().map(|&(text, count)| (day(text), count)));
        assert_eq!(mean(&[("2024-03-01", 1), ("2024-03-02", 1), ("2024-03-06", 1)]), day("2024-03-03"));
        assert_eq!(mean(&[("2024-02-28", 3), ("2024-03-01", 1)]), day("2024-02-28"), "a half is the earlier day");
        assert_eq!(mean(&[("1970-01-01", 1), ("no day", 1)]), None);
    }

    #[test]
    fn the_middle_of_an_even_number_of_values_is_two() {
        assert_eq!(medians(&[(3, 1), (5, 1), (9, 1)]), (5, 5));
        assert_eq!(medians(&[(3, 2), (5, 1), (9, 1)]), (3, 5));
        assert_eq!(medians(&[(3, 4)]), (3, 3));
    }
}

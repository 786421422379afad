//! Which day of a year is it?

const MONTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const FEBRUARY: usize = 1;

/// How many days a year has.
pub(super) fn days_of(year: u32) -> u32 {
    365 + u32::from(is_leap(year))
}

/// Month and day of a day of a year; the first is 0.
pub(super) fn month_and_day(year: u32, day: u32) -> (u32, u32) {
    let mut day = day;
    for (month, days) in MONTHS.into_iter().enumerate() {
        let days = days + u32::from(month == FEBRUARY && is_leap(year));
        if day < days {
            return (month as u32 + 1, day + 1);
        }
        day -= days;
    }
    unreachable!("a year has no more days")
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_months_add_up_to_the_year() {
        assert_eq!([1900, 1960, 1961, 2000].map(days_of), [365, 366, 365, 366]);
        assert_eq!(
            (month_and_day(2003, 0), month_and_day(2003, 58), month_and_day(2003, 59)),
            ((1, 1), (2, 28), (3, 1))
        );
        assert_eq!((month_and_day(2004, 59), month_and_day(2004, 365)), ((2, 29), (12, 31)));
        assert_eq!(month_and_day(2003, 319), (11, 16));
    }
}

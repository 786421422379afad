//! Which day is a date, and in which week, month, quarter, year and decade does it lie?

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    pub year: i64,
    pub month: i64,
    pub day: i64,
}

impl Day {
    /// So many days after 1970-01-01.
    pub fn after_1970(days: i64) -> Self {
        let mut left = days;
        let mut year = 1970;
        while left < 0 {
            year -= 1;
            left += year_length(year);
        }
        while left >= year_length(year) {
            left -= year_length(year);
            year += 1;
        }
        let mut month = 1;
        while left >= month_length(year, month) {
            left -= month_length(year, month);
            month += 1;
        }
        Self { year, month, day: left + 1 }
    }

    /// The days since 1970-01-01.
    fn since_1970(self) -> i64 {
        let years: i64 = if self.year >= 1970 {
            (1970..self.year).map(year_length).sum()
        } else {
            -(self.year..1970).map(year_length).sum::<i64>()
        };
        years + (1..self.month).map(|month| month_length(self.year, month)).sum::<i64>() + self.day - 1
    }

    /// How it is written: `%Y`, `%m` and `%d` stand for year, month and day.
    pub fn write(self, format: &str) -> String {
        let Self { year, month, day } = self;
        format
            .replace("%Y", &format!("{year:04}"))
            .replace("%m", &format!("{month:02}"))
            .replace("%d", &format!("{day:02}"))
    }

    /// The day that a text written like this stands for.
    pub fn parse(text: &str, format: &str) -> Option<Self> {
        let (mut rest, mut day) = (text, Self { year: 0, month: 0, day: 0 });
        let mut pattern = format.chars();
        while let Some(letter) = pattern.next() {
            if letter != '%' {
                rest = rest.strip_prefix(letter)?;
                continue;
            }
            let field = pattern.next()?;
            let length = if field == 'Y' { 4 } else { 2 };
            let digits = rest.get(..length)?;
            let number: i64 = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??;
            rest = &rest[length..];
            match field {
                'Y' => day.year = number,
                'm' => day.month = number,
                _ => day.day = number,
            }
        }
        (rest.is_empty() && day.write(format) == text).then_some(day)
    }

    /// The label of the period that it lies in.
    pub fn label(self, period: &str) -> String {
        let Self { year, month, day } = self;
        match period {
            "day" => format!("{year:04}-{month:02}-{day:02}"),
            "week" => self.iso_week(),
            "month" => format!("{year:04}-{month:02}"),
            "quarter" => format!("{year:04}-Q{}", (month - 1) / 3 + 1),
            "year" => format!("{year:04}"),
            _ => format!("{:04}s", year.div_euclid(10) * 10),
        }
    }

    /// A week is that of its Thursday (ISO 8601).
    fn iso_week(self) -> String {
        let days = self.since_1970();
        // 1970-01-01 was a Thursday, three days after a Monday.
        let weekday = (days + 3).rem_euclid(7);
        let thursday = Self::after_1970(days - weekday + 3);
        let first = Self { month: 1, day: 1, ..thursday }.since_1970();
        format!("{:04}-W{:02}", thursday.year, (thursday.since_1970() - first) / 7 + 1)
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn year_length(year: i64) -> i64 {
    if is_leap(year) { 366 } else { 365 }
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_are_those_of_iso_8601() {
        let week = |text| Day::parse(text, "%Y-%m-%d").expect("a date").label("week");
        assert_eq!([week("2024-03-05"), week("2021-01-03"), week("2024-12-30")], ["2024-W10", "2020-W53", "2025-W01"]);
    }

    #[test]
    fn days_are_counted_both_ways() {
        for days in [-40_000, -1, 0, 59, 60, 365, 20_000] {
            assert_eq!(Day::after_1970(days).since_1970(), days);
        }
        assert_eq!(Day::after_1970(19_787).write("%d.%m.%Y"), "05.03.2024");
    }
}

//! On which day was somebody born who is so old?

use crate::generate::calendar::{days_of, month_and_day};
use crate::generate::draws::Draws;

/// Ages are those on the last day of this year, so that the year of birth follows from the age alone.
pub(super) const REFERENCE_YEAR: u32 = 1994;

/// Year, month and day; every day of the year is as likely.
pub(super) fn birth_date(age: u32, draws: &mut Draws) -> (u32, u32, u32) {
    let year = REFERENCE_YEAR - age;
    let (month, day) = month_and_day(year, draws.below(days_of(year)));
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn days_of(year: u32) -> BTreeSet<(u32, u32, u32)> {
        let mut draws = Draws::new(1);
        (0..20_000).map(|_| birth_date(REFERENCE_YEAR - year, &mut draws)).collect()
    }

    #[test]
    fn every_day_of_the_year_occurs() {
        assert_eq!(days_of(1960).len(), 366);
        assert!(days_of(1960).contains(&(1960, 2, 29)));
        assert_eq!(days_of(1961).len(), 365);
        assert_eq!(days_of(1900).len(), 365);
        assert!(days_of(1961).contains(&(1961, 12, 31)));
    }
}

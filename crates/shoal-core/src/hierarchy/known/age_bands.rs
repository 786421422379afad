//! In which of the usual bands does an age lie?

use rust_decimal::Decimal;

use super::{Cell, KnownHierarchy};

/// # Age bands
///
/// **Definition.** Ages in years, in the bands that statistics of population use.
/// **Levels.** `five-years` (`[20, 25)`, up to `>= 90`), `ten-years` (`[0, 15)`, `[15, 25)`, `[25, 35)`, .. `>= 85`), `broad` (`[0, 15)`,
/// `[15, 65)`, `>= 65`: too young to work, of working age, older).
/// **Values.** Numbers from 0 to 150, with or without fractions, and `90+` or `>= 90` for those of at least 90.
/// **Source.** Bands of five and ten years and the broad groups are those of the United Nations' standard age classifications; that
/// ages from 90 on are one band is HIPAA's Safe Harbor.
/// **Example.** `37` is `[35, 40)` in `[35, 45)` in `[15, 65)`.
/// ```toml
/// hierarchy = { known = "age-bands" }
/// ```
#[derive(Debug)]
pub(super) struct AgeBands;

/// Where the bands of each level begin.
const FIVE_YEARS: [u32; 19] = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90];
const TEN_YEARS: [u32; 9] = [0, 15, 25, 35, 45, 55, 65, 75, 85];
const BROAD: [u32; 3] = [0, 15, 65];

/// The oldest that somebody may be.
const OLDEST: u32 = 150;

/// The oldest band.
const OLD: [&str; 3] = ["90+", ">= 90", ">=90"];

impl KnownHierarchy for AgeBands {
    fn id(&self) -> &'static str {
        "age-bands"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["five-years", "ten-years", "broad"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let age = if OLD.contains(&cell.text) { Decimal::from(90) } else { cell.number()? };
        let is_age = (Decimal::ZERO..=OLDEST.into()).contains(&age);
        let label = |bounds: &[u32]| band(age, bounds, cell);
        is_age.then(|| vec![label(&FIVE_YEARS), label(&TEN_YEARS), label(&BROAD)])
    }

    fn examples(&self) -> &'static [&'static str] {
        &["37", "0", "90", "15.5"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["age", "ages", "alter", "edad", "eta"]
    }

    fn is_distinctive(&self, _: &str) -> bool {
        false
    }

    fn is_of_numbers(&self) -> bool {
        true
    }
}

/// The band that an age lies in; the first begins with 0.
fn band(age: Decimal, bounds: &[u32], cell: &Cell<'_>) -> String {
    let at = bounds.partition_point(|bound| Decimal::from(*bound) <= age);
    let written = |bound: u32| cell.column_type.write_exactly(bound.into());
    let from = written(bounds[at.saturating_sub(1)]);
    match bounds.get(at) {
        Some(&below) => format!("[{})", cell.column_type.write_ends(&from, &written(below))),
        None => format!(">= {from}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;

    #[test]
    fn ages_lie_in_bands() {
        assert_eq!(path("age-bands", "37"), ["[35, 40)", "[35, 45)", "[15, 65)"]);
        assert_eq!(path("age-bands", "0"), ["[0, 5)", "[0, 15)", "[0, 15)"]);
        assert_eq!(path("age-bands", "14.9"), ["[10, 15)", "[0, 15)", "[0, 15)"]);
        assert_eq!(path("age-bands", "15"), ["[15, 20)", "[15, 25)", "[15, 65)"]);
        assert_eq!(path("age-bands", "65"), ["[65, 70)", "[65, 75)", ">= 65"]);
        assert_eq!(path("age-bands", "89"), ["[85, 90)", ">= 85", ">= 65"]);
        for value in ["90", "104", "90+", ">= 90"] {
            assert_eq!(path("age-bands", value), [">= 90", ">= 85", ">= 65"], "{value}");
        }
        for value in ["", "-1", "151", "old", "80+"] {
            assert_eq!(path("age-bands", value), [""; 0], "{value}");
        }
    }
}

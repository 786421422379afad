//! In which of the usual bands does an age lie?

use rust_decimal::Decimal;

use super::words::fold;
use super::{Cell, KnownHierarchy};

/// # Age bands
///
/// **Definition.** Ages in years, in the bands that statistics of population use.
/// **Levels.** `five-years` (`[20, 25)`, up to `>= 90`), `ten-years` (`[0, 15)`, `[15, 25)`, `[25, 35)`, .. `>= 85`), `broad` (`[0, 15)`,
/// `[15, 65)`, `>= 65`: too young to work, of working age, older).
/// **Values.** Numbers from 0 to 150, with or without fractions; an age in years, months, weeks or days (`34 yrs`, `5 months`); ages from
/// one on or below one (`90+`, `>= 90`, `> 89`, `< 1`), which stay as they are, in one spelling, where no band holds all of them.
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

/// What follows a number, and how many of it make a year.
const UNITS: [(&str, u32); 4] = [
    ("y yr yrs year years yo a ans an j jahr jahre anos anni jaar ar lat", 1),
    ("m mo mos mon mths month months monat monate mois meses mesi maand maanden manader", 12),
    ("w wk wks week weeks woche wochen semaines semanas settimane weken veckor", 52),
    ("d day days tag tage jours dias giorni dagen dagar", 365),
];

/// What is known of an age.
enum Age {
    Exactly(Decimal),
    From(Decimal),
    Below(Decimal),
}

impl KnownHierarchy for AgeBands {
    fn id(&self) -> &'static str {
        "age-bands"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["five-years", "ten-years", "broad"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let age = age(cell)?;
        let (Age::Exactly(years) | Age::From(years) | Age::Below(years)) = age;
        let is_age = (Decimal::ZERO..=OLDEST.into()).contains(&years);
        let label = |bounds: &[u32]| match age {
            Age::Exactly(age) => band(age, bounds, cell),
            Age::From(age) => from(age, bounds, cell),
            Age::Below(age) => below(age, bounds, cell),
        };
        is_age.then(|| vec![label(&FIVE_YEARS), label(&TEN_YEARS), label(&BROAD)])
    }

    fn examples(&self) -> &'static [&'static str] {
        &["37", "0", "90", "15.5"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["age", "ages", "alter", "lebensalter", "edad", "idade", "eta", "leeftijd", "alder", "wiek"]
    }

    fn is_distinctive(&self, _: &str) -> bool {
        false
    }

    fn is_of_numbers(&self) -> bool {
        true
    }
}

/// An age as it is written.
fn age(cell: &Cell<'_>) -> Option<Age> {
    if let Some(years) = cell.number() {
        return Some(Age::Exactly(years));
    }
    let number = |text: &str| Decimal::from_str_exact(text.trim()).ok();
    if let Some(rest) = cell.text.strip_suffix('+').or_else(|| cell.text.strip_prefix(">=")).or_else(|| cell.text.strip_prefix('≥')) {
        return number(rest).map(Age::From);
    }
    if let Some(rest) = cell.text.strip_prefix('>') {
        // Years are counted when they are over.
        return number(rest).map(|years| Age::From(years.floor() + Decimal::ONE));
    }
    if let Some(rest) = cell.text.strip_prefix('<') {
        return number(rest).filter(|years| *years > Decimal::ZERO).map(Age::Below);
    }
    let end = cell.text.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
    let (digits, unit) = cell.text.split_at(end);
    let unit = fold(unit);
    let of_a_year = UNITS.iter().find(|(words, _)| words.split(' ').any(|word| word == unit))?.1;
    number(digits)?.checked_div(of_a_year.into()).map(Age::Exactly)
}

/// All that are at least so old: the oldest band, if it begins before that.
fn from(age: Decimal, bounds: &[u32], cell: &Cell<'_>) -> String {
    let oldest = bounds.last().map_or(Decimal::ZERO, |bound| (*bound).into());
    format!(">= {}", cell.column_type.write_exactly(if oldest <= age { oldest } else { age }))
}

/// All that are younger: the youngest band, if it ends after that.
fn below(age: Decimal, bounds: &[u32], cell: &Cell<'_>) -> String {
    match Decimal::from(bounds[1]) < age {
        true => format!("< {}", cell.column_type.write_exactly(age)),
        false => band(Decimal::ZERO, bounds, cell),
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
        for value in ["", "-1", "151", "old", "+", "<0", "12 apples", "200+", "5-9"] {
            assert_eq!(path("age-bands", value), [""; 0], "{value}");
        }
    }

    #[test]
    fn ages_may_have_a_unit_or_be_open() {
        for value in ["34 yrs", "34 years", "34y", "34 Jahre", "34 ans", "34 år"] {
            assert_eq!(path("age-bands", value), ["[30, 35)", "[25, 35)", "[15, 65)"], "{value}");
        }
        for value in ["5 months", "<1", "< 1", "3 weeks", "59 mo"] {
            assert_eq!(path("age-bands", value), ["[0, 5)", "[0, 15)", "[0, 15)"], "{value}");
        }
        assert_eq!(path("age-bands", "60 months"), ["[5, 10)", "[0, 15)", "[0, 15)"]);
        assert_eq!(path("age-bands", "> 89"), [">= 90", ">= 85", ">= 65"]);
        assert_eq!(path("age-bands", "80+"), [">= 80", ">= 80", ">= 65"], "no band holds those from 80 on but the broad one");
        assert_eq!(path("age-bands", "<18"), ["< 18", "< 18", "< 18"]);
    }
}

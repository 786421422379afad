//! In which section of NACE does an industry lie?

use super::digits::has_digits;
use super::{Cell, KnownHierarchy};

/// # NACE Rev. 2
///
/// **Definition.** Codes of economic activities of the European Union, second revision, from their digits.
/// **Levels.** `class` (`62.01`), `group` (`62.0*`), `division` (`62.**`), `section` (its letter and its divisions, `J 58-63`). A code of a group has
/// its own name below the level that it stands on.
/// **Values.** `62.01`, `6201`, `J62.01` or `62`, and the longer codes that countries make of them (`62.01.1`, `62.010`). A zero at the
/// beginning may be missing before a dot (`1.11`). A letter that is not that of the section makes a code unknown, and so does a number that is no division.
/// **Source.** Sections and their divisions: annex I of Regulation (EC) No 1893/2006; no titles. ISIC Rev. 4 has the same sections and divisions.
/// **Example.** `62.01` is `62.01` in `62.0*` in `62.**` in `J 58-63`.
/// ```toml
/// hierarchy = { known = "nace" }
/// ```
#[derive(Debug)]
pub(super) struct Nace;

/// The letter of each section with its first and its last division.
const SECTIONS: [(&str, u8, u8); 21] = [
    ("A", 1, 3),
    ("B", 5, 9),
    ("C", 10, 33),
    ("D", 35, 35),
    ("E", 36, 39),
    ("F", 41, 43),
    ("G", 45, 47),
    ("H", 49, 53),
    ("I", 55, 56),
    ("J", 58, 63),
    ("K", 64, 66),
    ("L", 68, 68),
    ("M", 69, 75),
    ("N", 77, 82),
    ("O", 84, 84),
    ("P", 85, 85),
    ("Q", 86, 88),
    ("R", 90, 93),
    ("S", 94, 96),
    ("T", 97, 98),
    ("U", 99, 99),
];

impl KnownHierarchy for Nace {
    fn id(&self) -> &'static str {
        "nace"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["class", "group", "division", "section"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let code = cell.text.to_ascii_uppercase();
        let number = code.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
        let letter = &code[..code.len() - number.len()];
        if number.is_empty() {
            let section = SECTIONS.iter().find(|(known, ..)| *known == letter)?;
            return Some(vec![name(section); 4]);
        }
        let digits = digits(number.trim_start())?;
        let division: u8 = digits[..2].parse().ok()?;
        let section = SECTIONS.iter().find(|(_, first, last)| (*first..=*last).contains(&division))?;
        let is_own = letter.is_empty() || letter == section.0;
        let label = |shown: usize| {
            let own: String = digits[2..].chars().take(shown).collect();
            let hidden = "*".repeat(2 - own.len());
            format!("{}.{own}{hidden}", &digits[..2])
        };
        is_own.then(|| vec![label(2), label(1), label(0), name(section)])
    }

    fn examples(&self) -> &'static [&'static str] {
        &["62.01", "J62.01", "0111", "47", "C"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["nace*", "isic*", "wz 2008", "wz08", "naf", "ateco", "cnae"]
    }

    fn is_distinctive(&self, value: &str) -> bool {
        value.contains('.') && value.starts_with(|first: char| first.is_ascii_alphabetic())
    }
}

fn name((letter, first, last): &(&str, u8, u8)) -> String {
    match first == last {
        true => format!("{letter} {first:02}"),
        false => format!("{letter} {first:02}-{last:02}"),
    }
}

/// The digits of a code without its dots: two at least.
fn digits(number: &str) -> Option<String> {
    let mut parts = number.split('.');
    let first = parts.next()?;
    let rest: String = parts.collect();
    let digits = match rest.is_empty() {
        true => first.to_owned(),
        false if has_digits(first, 1, 2) => format!("{first:0>2}{rest}"),
        false => return None,
    };
    has_digits(&digits, 2, 6).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;
    use super::*;

    #[test]
    fn industries_lie_in_sections() {
        assert_eq!(path("nace", "62.01"), ["62.01", "62.0*", "62.**", "J 58-63"]);
        for value in ["6201", "J62.01", "j 62.01", "62.01.1", "62.010", "62010"] {
            assert_eq!(path("nace", value), path("nace", "62.01"), "{value}");
        }
        assert_eq!(path("nace", "1.11"), ["01.11", "01.1*", "01.**", "A 01-03"]);
        assert_eq!(path("nace", "47"), ["47.**", "47.**", "47.**", "G 45-47"]);
        assert_eq!(path("nace", "47.1"), ["47.1*", "47.1*", "47.**", "G 45-47"]);
        assert_eq!(path("nace", "99"), ["99.**", "99.**", "99.**", "U 99"]);
        assert_eq!(path("nace", "C"), ["C 10-33"; 4]);
        for value in ["", "4", "34", "40", "00", "K62.01", "62,01", "V", "J62.01.1.1.1", "6201000"] {
            assert_eq!(path("nace", value), [""; 0], "{value}");
        }
    }

    #[test]
    fn sections_are_in_order_and_have_88_divisions() {
        assert!(SECTIONS.windows(2).all(|pair| pair[0].2 < pair[1].1 && pair[0].0 < pair[1].0));
        let divisions: usize = SECTIONS.iter().map(|(_, first, last)| usize::from(last - first) + 1).sum();
        assert_eq!(divisions, 88, "the regulation has so many, and none is missing within a section");
    }
}

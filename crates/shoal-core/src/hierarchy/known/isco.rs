//! In which group of ISCO-08 does an occupation lie?

use super::digits::{has_digits, masked};
use super::{Cell, KnownHierarchy};

/// # ISCO-08
///
/// **Definition.** Codes of occupations of the International Standard Classification of Occupations of 2008, from their digits.
/// **Levels.** `minor` (`251*`), `sub-major` (`25**`), `major` (`2***`).
/// **Values.** Codes of four digits, or of fewer for a group. Codes of the armed forces begin with a zero; where a column of numbers has
/// lost it, `110`, `210` and `310` are taken for `0110`, `0210` and `0310`, as there are no minor groups of these numbers. National codes of four digits
/// with the same levels, such as the British SOC, are read as well.
/// **Source.** The structure of the code, as the International Labour Organization describes it; no list of occupations is built in, so
/// that a code that looks right is taken for one.
/// **Example.** `2512` is `251*` in `25**` in `2***`.
/// ```toml
/// hierarchy = { known = "isco" }
/// ```
#[derive(Debug)]
pub(super) struct Isco;

impl KnownHierarchy for Isco {
    fn id(&self) -> &'static str {
        "isco"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["minor", "sub-major", "major"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let is_code = has_digits(cell.text, 1, 4);
        let code = match cell.text {
            "110" | "210" | "310" => format!("0{}", cell.text),
            text => text.to_owned(),
        };
        is_code.then(|| [3, 2, 1].map(|shown| masked(&code, shown, 4)).to_vec())
    }

    fn examples(&self) -> &'static [&'static str] {
        &["2512", "0110", "52"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["isco*"]
    }

    fn is_distinctive(&self, _: &str) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;

    #[test]
    fn occupations_lie_in_three_groups() {
        assert_eq!(path("isco", "2512"), ["251*", "25**", "2***"]);
        assert_eq!(path("isco", "0110"), ["011*", "01**", "0***"]);
        assert_eq!(path("isco", "110"), path("isco", "0110"));
        assert_eq!(path("isco", "251"), ["251*", "25**", "2***"], "a group lies where its members do");
        assert_eq!(path("isco", "2"), ["2***", "2***", "2***"]);
        for value in ["", "25123", "25.1", "-251", "nurse"] {
            assert_eq!(path("isco", value), [""; 0], "{value}");
        }
    }
}

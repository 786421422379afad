//! In which group of the ATC classification does a medicine lie?

use super::{Cell, KnownHierarchy};

/// # ATC
///
/// **Definition.** Codes of medicines of the Anatomical Therapeutic Chemical classification, from the code's structure.
/// **Levels.** `chemical` (the first five characters, `C07AB`), `pharmacological` (four, `C07A`), `therapeutic` (three, `C07`),
/// `anatomical` (one, `C`). A code of a group has its own name below the level that it stands on.
/// **Values.** Codes of one, three, four, five or seven characters: a letter, two digits, two letters, two digits, of which all or the
/// first stand there. The first letter is one of the fourteen that there are.
/// **Source.** The structure of the code, as the WHO Collaborating Centre for Drug Statistics Methodology describes it; no list of
/// medicines is built in, so that a code that looks right is taken for one.
/// **Example.** `C07AB02` is `C07AB` in `C07A` in `C07` in `C`.
/// ```toml
/// hierarchy = { known = "atc" }
/// ```
#[derive(Debug)]
pub(super) struct Atc;

/// How many characters each level shows, fine to coarse.
const SHOWN: [usize; 4] = [5, 4, 3, 1];

impl KnownHierarchy for Atc {
    fn id(&self) -> &'static str {
        "atc"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["chemical", "pharmacological", "therapeutic", "anatomical"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let code = cell.text.to_ascii_uppercase();
        let fits = |(at, byte): (usize, u8)| match at {
            0 => b"ABCDGHJLMNPRSV".contains(&byte),
            1 | 2 | 5 | 6 => byte.is_ascii_digit(),
            _ => byte.is_ascii_uppercase(),
        };
        let is_code = [1, 3, 4, 5, 7].contains(&code.len()) && code.bytes().enumerate().all(fits);
        is_code.then(|| SHOWN.map(|shown| code[..shown.min(code.len())].to_owned()).to_vec())
    }

    fn examples(&self) -> &'static [&'static str] {
        &["C07AB02", "a10ba02", "N02"]
    }

    fn about_health(&self) -> Option<&'static str> {
        Some("codes of medicines (ATC)")
    }

    fn headers(&self) -> &'static [&'static str] {
        &["atc*"]
    }

    fn is_distinctive(&self, value: &str) -> bool {
        value.len() == 7
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;

    #[test]
    fn medicines_lie_in_four_groups() {
        assert_eq!(path("atc", "C07AB02"), ["C07AB", "C07A", "C07", "C"]);
        assert_eq!(path("atc", "a10ba02"), ["A10BA", "A10B", "A10", "A"]);
        assert_eq!(path("atc", "J01"), ["J01", "J01", "J01", "J"]);
        assert_eq!(path("atc", "V"), ["V", "V", "V", "V"]);
        for value in ["", "C0", "C07AB0", "E07AB02", "CO7AB02", "C07AB021", "É07", "C07ÄB2"] {
            assert_eq!(path("atc", value), [""; 0], "{value}");
        }
    }
}

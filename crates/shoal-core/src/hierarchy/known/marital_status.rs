//! Is somebody married, and were they?

use std::collections::HashMap;
use std::sync::OnceLock;

use super::words::{fold, places};
use super::{Cell, KnownHierarchy};

/// # Marital status
///
/// **Definition.** Whether somebody is or was married.
/// **Levels.** `status` (`never married`, `married`, `partnership`, `separated`, `divorced`, `widowed`), `group` (`never married`;
/// `married or partnership`; `separated, divorced or widowed`).
/// **Values.** Words in English, German, French, Spanish, Italian, Portuguese and Dutch, among them those of the Adult table. Somebody
/// who is married and lives apart is `married`, unless the word says separated. Codes (`1`, `M`) differ from table to table and are not known.
/// **Source.** The categories of the United Nations' recommendations for censuses; which word is which is Shoal's judgement.
/// **Example.** `Married-civ-spouse` is `married` in `married or partnership`.
/// ```toml
/// hierarchy = { known = "marital-status" }
/// ```
#[derive(Debug)]
pub(super) struct MaritalStatus;

const STATUS: [&str; 6] = ["never married", "married", "partnership", "separated", "divorced", "widowed"];

/// The words for each status.
const WORDS: [&str; 6] = [
    "never married, single, unmarried, single never married, nevermarried, ledig, unverheiratet, celibataire, soltero, soltera, soltero a, celibe, nubile, \
     celibe nubile, solteiro, solteira, solteiro a, ongehuwd, bachelor",
    "married, married civ spouse, married af spouse, married spouse absent, married spouse present, currently married, remarried, verheiratet, \
     marie, mariee, marie e, casado, casada, casado a, coniugato, coniugata, coniugato a, sposato, sposata, gehuwd, getrouwd",
    "partnership, civil partnership, registered partnership, in a partnership, domestic partnership, domestic partner, civil union, cohabiting, \
     living together, living with partner, partnered, eingetragene lebenspartnerschaft, lebenspartnerschaft, verpartnert, pacse, pacsee, pacs, \
     union libre, pareja de hecho, union de hecho, uniao estavel, convivente, unione civile, geregistreerd partnerschap, samenwonend",
    "separated, legally separated, married but separated, getrennt, getrennt lebend, dauernd getrennt lebend, separe, separee, separe e, separado, separada, \
     separado a, separato, separata",
    "divorced, geschieden, divorce, divorcee, divorce e, divorciado, divorciada, divorciado a, divorziato, divorziata, gescheiden",
    "widowed, widow, widower, verwitwet, veuf, veuve, veuf ve, viudo, viuda, viudo a, vedovo, vedova, viuvo, viuva, viuvo a, weduwe, weduwnaar, verweduwd",
];

impl KnownHierarchy for MaritalStatus {
    fn id(&self) -> &'static str {
        "marital-status"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["status", "group"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        static PLACES: OnceLock<HashMap<String, usize>> = OnceLock::new();
        let status = *PLACES.get_or_init(|| places(&WORDS)).get(&fold(cell.text))?;
        let group = match status {
            0 => STATUS[0],
            1 | 2 => "married or partnership",
            _ => "separated, divorced or widowed",
        };
        Some(vec![STATUS[status].to_owned(), group.to_owned()])
    }

    fn examples(&self) -> &'static [&'static str] {
        &["Married-civ-spouse", "single", "verwitwet", "Divorcé(e)"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["marital*", "civil status", "familienstand", "personenstand", "estado civil", "stato civile", "etat civil"]
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;
    use super::*;

    #[test]
    fn words_of_several_languages_are_one_status() {
        assert_eq!(path("marital-status", "Married-civ-spouse"), ["married", "married or partnership"]);
        assert_eq!(path("marital-status", "Never-married"), ["never married", "never married"]);
        assert_eq!(path("marital-status", "LEDIG"), ["never married", "never married"]);
        assert_eq!(path("marital-status", "Divorcé(e)"), ["divorced", "separated, divorced or widowed"]);
        assert_eq!(path("marital-status", "verwitwet"), ["widowed", "separated, divorced or widowed"]);
        assert_eq!(path("marital-status", "União estável"), ["partnership", "married or partnership"]);
        let adult = ["Divorced", "Married-AF-spouse", "Married-spouse-absent", "Separated", "Widowed"];
        assert!(adult.iter().all(|value| !path("marital-status", value).is_empty()));
        for value in ["", "M", "1", "yes", "Husband"] {
            assert_eq!(path("marital-status", value), [""; 0], "{value}");
        }
    }

    #[test]
    fn no_word_is_two() {
        let words = WORDS.iter().map(|words| words.split(", ").count()).sum::<usize>();
        assert_eq!(places(&WORDS).len(), words);
        // Every label names itself.
        for status in STATUS {
            assert_eq!(path("marital-status", status)[0], status);
        }
    }
}

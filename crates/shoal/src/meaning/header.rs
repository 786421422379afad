//! Of which words does the name of a column consist, and do they match a pattern?

/// The words of a column's name, in small letters and without accents: `PatientID`, `patient-id` and `Patient Id`
/// are the same two words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header(Vec<String>);

impl Header {
    pub(super) fn new(name: &str) -> Self {
        let characters: Vec<char> = name.chars().collect();
        let mut words = vec![String::new()];
        for (at, &character) in characters.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| characters[before]);
            let begins_word = character.is_uppercase()
                && (before.is_some_and(char::is_lowercase)
                    || before.is_some_and(char::is_uppercase)
                        && characters.get(at + 1).is_some_and(|next| next.is_lowercase()));
            if begins_word || !character.is_alphabetic() {
                words.push(String::new());
            }
            if let (true, Some(word)) = (character.is_alphabetic(), words.last_mut()) {
                character.to_lowercase().for_each(|letter| push_plain(word, letter));
            }
        }
        words.retain(|word| !word.is_empty());
        Self(words)
    }

    /// Do the words match a pattern? It is a run of words, each with a `*` before or after it where a longer word will
    /// do, as in compounds, and with `|` between words of which any will do; `=` before the pattern means that no other word may be there.
    pub(super) fn matches(&self, pattern: &str) -> bool {
        let (pattern, whole) = match pattern.strip_prefix('=') {
            Some(pattern) => (pattern, true),
            None => (pattern, false),
        };
        let parts: Vec<&str> = pattern.split(' ').collect();
        let fits = |words: &[String]| {
            words.iter().zip(&parts).all(|(word, part)| part.split('|').any(|part| word_matches(word, part)))
        };
        if whole { self.0.len() == parts.len() && fits(&self.0) } else { self.0.windows(parts.len()).any(fits) }
    }
}

fn word_matches(word: &str, part: &str) -> bool {
    match (part.strip_prefix('*'), part.strip_suffix('*')) {
        (Some(rest), None) => word.ends_with(rest),
        (None, Some(rest)) => word.starts_with(rest),
        (Some(rest), Some(_)) => word.contains(rest.trim_end_matches('*')),
        (None, None) => word == part,
    }
}

/// Appends a small letter, the German way for umlauts and without its accent otherwise.
fn push_plain(word: &mut String, letter: char) {
    let plain = match letter {
        'ä' | 'æ' => "ae",
        'ö' | 'ø' | 'œ' => "oe",
        'ü' => "ue",
        'ß' => "ss",
        'á' | 'à' | 'â' | 'ã' | 'å' | 'ą' | 'ă' => "a",
        'ç' | 'ć' | 'č' => "c",
        'ď' => "d",
        'é' | 'è' | 'ê' | 'ë' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'í' | 'ì' | 'î' | 'ï' | 'ı' => "i",
        'ł' | 'ľ' => "l",
        'ñ' | 'ń' | 'ň' => "n",
        'ó' | 'ò' | 'ô' | 'õ' | 'ő' => "o",
        'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ť' | 'ț' => "t",
        'ú' | 'ù' | 'û' | 'ů' | 'ű' => "u",
        'ý' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => return word.push(letter),
    };
    word.push_str(plain);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(name: &str) -> String {
        Header::new(name).0.join(" ")
    }

    #[test]
    fn a_name_falls_into_words() {
        assert_eq!(words("PatientID"), "patient id");
        assert_eq!(words("patient_id"), "patient id");
        assert_eq!(words("ZIPCode"), "zip code");
        assert_eq!(words("icd10.code"), "icd code");
        assert_eq!(words("Straße / Größe"), "strasse groesse");
        assert_eq!(words("Prénom"), "prenom");
        assert_eq!(words("  42 "), "");
        assert_eq!(words("年龄"), "年龄");
        assert_eq!(words("Imię, Płeć i Dochód"), "imie plec i dochod");
    }

    #[test]
    fn patterns_match_words_and_parts_of_them() {
        let header = Header::new("Haupt-Diagnosetext");
        assert!(header.matches("diagnose*"));
        assert!(header.matches("*gnose*"));
        assert!(header.matches("haupt *text"));
        assert!(!header.matches("diagnose"));
        assert!(!header.matches("=haupt"));
        assert!(header.matches("neben|haupt diagnose*|befund*") && !header.matches("neben|erst *"));
        assert!(Header::new("Patient").matches("=patient"));
        assert!(!Header::new("percentage").matches("age"));
        assert!(!Header::new("").matches("age"));
    }
}

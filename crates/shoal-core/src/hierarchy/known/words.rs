//! When are two words the same, however they are written?

use std::collections::HashMap;

/// A text in small letters, without accents, dots and apostrophes, its words one space apart: `Côte-d’Ivoire` and
/// `cote divoire` are the same.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match plain(letter) {
            Some(plain) => folded.push_str(plain),
            None if letter == '&' => folded.push_str(" and "),
            None if letter.is_alphanumeric() => folded.push(letter),
            // Marks that stand after their letter, and signs within words.
            None if ('\u{300}'..='\u{36f}').contains(&letter) || ".'’ʼ`´‘".contains(letter) => {}
            None => folded.push(' '),
        }
    }
    let words: Vec<&str> = folded.split_whitespace().collect();
    match words.as_slice() {
        ["the", rest @ ..] if !rest.is_empty() => rest.join(" "),
        words => words.join(" "),
    }
}

/// A small letter of the Latin alphabet without its accent; none if it has none, or is no such letter.
fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' | 'ạ'..='ặ' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' | 'ẹ'..='ệ' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ỉ' | 'ị' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ơ' | 'ọ'..='ợ' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ț' => "t",
        'þ' => "th",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ư' | 'ụ'..='ự' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' | 'ỳ'..='ỹ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => return None,
    })
}

/// The places of words in a list of groups: `"single, ledig"` has two words.
pub(super) fn places(groups: &[&str]) -> HashMap<String, usize> {
    let group = |(place, words): (usize, &&str)| words.split(", ").map(|word| (fold(word), place)).collect::<Vec<_>>();
    groups.iter().enumerate().flat_map(group).collect()
}

/// The length of the longest of these words that the name of a column has; one that ends with `*` may go on.
pub(super) fn longest_word(name: &str, words: &[&str]) -> Option<usize> {
    // `countryCode` is two words.
    let mut apart = String::new();
    for (at, letter) in name.char_indices() {
        let begins = letter.is_uppercase() && name[..at].ends_with(char::is_lowercase);
        apart.extend(begins.then_some(' '));
        apart.push(letter);
    }
    let name = fold(&apart);
    let fits = |word: &str| match word.strip_suffix('*') {
        Some(beginning) => format!(" {name}").contains(&format!(" {beginning}")),
        None => format!(" {name} ").contains(&format!(" {word} ")),
    };
    words.iter().filter(|word| fits(word)).map(|word| word.len()).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_makes_no_difference() {
        for text in ["Côte d’Ivoire", "cote divoire", "  CÔTE-D'IVOIRE ", "Co\u{302}te d'Ivoire"] {
            assert_eq!(fold(text), "cote divoire", "{text}");
        }
        assert_eq!(fold("Trinidad & Tobago"), "trinidad and tobago");
        assert_eq!(fold("The Gambia"), "gambia");
        assert_eq!(fold("U.S.A."), "usa");
        assert_eq!(fold("Österreich / Weißrußland"), "osterreich weissrussland");
        assert_eq!(fold("İstanbul"), "istanbul");
        assert_eq!(fold("日本"), "日本");
        assert_eq!(fold("the"), "the");
        assert_eq!(fold(" - "), "");
    }

    #[test]
    fn names_of_columns_have_words() {
        let has_word = |name: &str, words: &[&str]| longest_word(name, words).is_some();
        assert!(has_word("countryCode", &["country"]) && has_word("COUNTRY_OF_BIRTH", &["country"]));
        assert!(has_word("Hauptdiagnose ICD-10", &["icd 10"]) && has_word("nationality", &["nation*"]));
        assert!(has_word("ICD-9 code", &["icd 9*"]) && has_word("icd_9cm", &["icd 9*"]));
        assert!(!has_word("discountry", &["country"]) && !has_word("", &["country"]));
        assert_eq!(longest_word("ICD-10-CM", &["icd*", "icd 10 cm"]), Some(9), "the one that says most");
    }
}

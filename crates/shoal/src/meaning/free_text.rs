//! Are values texts that somebody wrote, and which things that identify somebody stand in them?

use super::address;
use super::national_id::is_national_id;
use super::pattern::{is_email, is_iban, is_phone, is_ssn, is_url};
use super::person_name::is_like_a_name;

/// Words before somebody's name, in small letters.
const TITLES: [&str; 18] = [
    "mr", "mrs", "ms", "miss", "dr", "dra", "prof", "herr", "herrn", "frau", "mme", "monsieur", "sr", "sra", "signora",
    "dott", "pani", "mevrouw",
];

/// In capitals these are as often something else: multiple sclerosis, an emergency room, the senior of two.
const ABBREVIATIONS: [&str; 3] = ["ms", "sr", "dr"];

/// So many words nobody types into a list of choices, nor so many letters of a script without spaces.
const SENTENCE: usize = 5;
const LETTERS: usize = 12;

/// Are most of these texts of several words, as somebody writes them who is asked for a note? Names have fewer, and codes no words.
pub fn are_notes<'a>(values: impl Iterator<Item = &'a str> + Clone) -> bool {
    are_mostly(values, |value| words_of_letters(value) >= 3 && !is_like_a_name(value) || is_unspaced_text(value))
}

/// Are most of them sentences?
pub fn are_sentences<'a>(values: impl Iterator<Item = &'a str> + Clone) -> bool {
    are_mostly(values, |value| {
        value.len() >= 40 && value.split_whitespace().count() >= SENTENCE || is_unspaced_text(value)
    })
}

/// Do most of them have two words at least?
pub fn have_words<'a>(values: impl Iterator<Item = &'a str> + Clone) -> bool {
    are_mostly(values, |value| words_of_letters(value) >= 2 || is_unspaced_text(value))
}

fn are_mostly<'a>(values: impl Iterator<Item = &'a str> + Clone, is: impl Fn(&str) -> bool) -> bool {
    values.clone().filter(|value| is(value)).count() * 2 > values.count()
}

fn words_of_letters(text: &str) -> usize {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let is_word =
        |word: &String| word.chars().count() >= 2 && word.chars().all(|c| c.is_alphabetic() || "-'’.".contains(c));
    text.split_whitespace().map(bare).filter(is_word).count()
}

/// Chinese and Japanese have no spaces between words.
fn is_unspaced_text(text: &str) -> bool {
    let is_unspaced =
        |c: &char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}');
    text.chars().filter(is_unspaced).count() >= LETTERS
}

/// What stands in a text of several words, if anything does.
pub(super) fn found_in(text: &str) -> Option<&'static str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() < 3 {
        return None;
    }
    let bare = |word: &&str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '+').to_owned();
    let bares: Vec<String> = words.iter().map(bare).collect();
    let any = |is: fn(&str) -> bool| bares.iter().any(|word| is(word));
    match () {
        () if any(is_email) => Some("e-mail addresses"),
        () if any(is_url) => Some("web addresses"),
        () if any(is_ssn) || any(is_national_id) => Some("national ids"),
        () if any(is_iban) => Some("bank accounts (IBAN)"),
        () if has_phone(text) => Some("phone numbers"),
        () if has_titled_name(&bares) => Some("names"),
        () if address::is_in(text) => Some("addresses"),
        () => None,
    }
}

/// A run of digits and what stands between them in phone numbers.
fn has_phone(text: &str) -> bool {
    let runs = text.split(|c: char| !(c.is_ascii_digit() || "+-/() ".contains(c)));
    runs.map(|run| run.trim_matches([' ', '-', '/'])).any(|run| {
        let is_date = run.len() == 10 && run.matches(['-', '/']).count() == 2;
        !is_date && run.starts_with(['+', '0', '(']) && is_phone(run)
    })
}

fn has_titled_name(words: &[String]) -> bool {
    words.windows(2).any(|pair| is_title(&pair[0], &pair[1]) && is_part_of_name(&pair[1]))
}

/// A title and what a name consists of: `Dr Miller`, `Prof. Dr. Anna van Dijk`.
pub(super) fn is_titled_name(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(|word| word.trim_matches(['.', ',']).to_owned()).collect();
    let is_only_name = || words.iter().all(|word| word.chars().all(|c| c.is_alphabetic() || "-'’.".contains(c)));
    words.len() <= 6
        && is_only_name()
        && words.first().is_some_and(|first| is_known_title(first))
        && has_titled_name(&words)
}

fn is_known_title(word: &str) -> bool {
    TITLES.contains(&word.to_lowercase().as_str())
}

fn is_shouted(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(char::is_uppercase)
}

/// Is a word the title of the next one? In capitals it may be an abbreviation, most of all where the name is not in capitals.
fn is_title(word: &str, name: &str) -> bool {
    let is_ambiguous =
        || is_shouted(word) && (!is_shouted(name) || ABBREVIATIONS.contains(&word.to_lowercase().as_str()));
    is_known_title(word) && !is_ambiguous()
}

fn is_part_of_name(word: &str) -> bool {
    let is_capital = word.chars().next().is_some_and(char::is_uppercase);
    is_capital && word.chars().all(|c| c.is_alphabetic() || "-'’".contains(c)) && !is_known_title(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_in_texts() {
        assert_eq!(found_in("please write to ann@example.org soon"), Some("e-mail addresses"));
        assert_eq!(found_in("call back at 030 1234 5678, thanks"), Some("phone numbers"));
        assert_eq!(found_in("seen by Dr. Meier at noon"), Some("names"));
        assert_eq!(found_in("lives at Hauptstr. 12 alone"), Some("addresses"));
        assert_eq!(found_in("her number is 12345678Z they say"), Some("national ids"));
        assert_eq!(found_in("see https://example.org/ann for more"), Some("web addresses"));
    }

    #[test]
    fn other_texts_have_none() {
        for text in [
            "headache and a fever since 2024-01-31",
            "blood pressure 120/80, pulse 72 at rest",
            "a b",
            "the doctor said so",
            "Exec managerial staff",
            "moved on 03/04/2024 to another ward",
        ] {
            assert_eq!(found_in(text), None, "{text}");
        }
    }

    #[test]
    fn an_abbreviation_in_capitals_is_no_title() {
        for text in ["MS Relapsing form", "ER and MS Unit North", "MS RELAPSING FORM", "DR Congo, eastern provinces"] {
            assert_eq!(found_in(text), None, "{text}");
        }
        assert_eq!(found_in("seen by MRS SMITH today"), Some("names"));
        assert_eq!(found_in("seen by Ms Smith today"), Some("names"));
    }

    #[test]
    fn a_name_with_a_title_is_nothing_else() {
        for name in ["Dr Miller", "Dr. Miller", "Prof. Dr. Anna van Dijk", "Mrs O’Neill", "Herr Meier-Schulz"] {
            assert!(is_titled_name(name), "{name}");
        }
        for other in ["Miller", "Dr", "Dr Miller 2", "MS Unit", "Ward Dr Miller", "dr oetker", "Frau"] {
            assert!(!is_titled_name(other), "{other}");
        }
    }

    #[test]
    fn notes_have_words_and_choices_have_few() {
        let notes = ["slept badly since June", "felt dizzy at work", "two sons, lives alone"];
        assert!(are_notes(notes.into_iter()) && have_words(notes.into_iter()) && !are_sentences(notes.into_iter()));
        let sentences = ["the patient came in with a headache and a fever", "nothing was found that explains the pain"];
        assert!(are_sentences(sentences.into_iter()));
        assert!(are_sentences(["頭痛がひどく夜も眠れないと訴える"].into_iter()), "no spaces");
        for others in [
            &["flu", "gout"][..],
            &["SW1A 1AA", "N1 2AB"],
            &["34 years 2 months"],
            &["Anna Maria Smith"],
            &["風邪"],
            &[],
        ] {
            assert!(!are_notes(others.iter().copied()), "{others:?}");
        }
        assert!(have_words(["Ann Smith"].into_iter()) && !have_words(["12 K"].into_iter()));
    }
}

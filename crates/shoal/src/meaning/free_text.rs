//! Which things that identify somebody stand in longer texts?

use super::address;
use super::national_id::is_national_id;
use super::pattern::{is_email, is_iban, is_phone, is_ssn, is_url};

/// Words before somebody's name, in small letters.
const TITLES: [&str; 14] =
    ["mr", "mrs", "ms", "miss", "dr", "prof", "herr", "herrn", "frau", "mme", "monsieur", "sr", "sra", "signora"];

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
    let is_name = |word: &String| {
        word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().all(|c| c.is_alphabetic() || "-'’".contains(c))
    };
    let is_title = |word: &String| TITLES.contains(&word.to_lowercase().as_str());
    words.windows(2).any(|pair| is_title(&pair[0]) && is_name(&pair[1]) && !is_title(&pair[1]))
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
}

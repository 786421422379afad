//! Does a text name a house in a street?

/// Words for streets, in small letters; a German one may also end a longer word.
const STREETS: [&str; 34] = [
    "street",
    "st",
    "road",
    "rd",
    "avenue",
    "ave",
    "lane",
    "ln",
    "drive",
    "court",
    "ct",
    "boulevard",
    "blvd",
    "square",
    "terrace",
    "rue",
    "chemin",
    "calle",
    "avenida",
    "avda",
    "plaza",
    "via",
    "viale",
    "piazza",
    "corso",
    "straße",
    "strasse",
    "str",
    "weg",
    "platz",
    "allee",
    "gasse",
    "ufer",
    "straat",
];
const ENDINGS: [&str; 9] = ["straße", "strasse", "str", "weg", "platz", "allee", "gasse", "ufer", "straat"];

/// A street and a number beside it: `12 Main Street`, `Hauptstr. 12a`, `rue de la Paix 7`.
pub(super) fn is_in(text: &str) -> bool {
    let words: Vec<String> = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    let near = |place: usize| &words[place.saturating_sub(4)..(place + 5).min(words.len())];
    (0..words.len()).any(|place| is_street(&words[place]) && near(place).iter().any(|word| is_house(word)))
}

fn is_street(word: &str) -> bool {
    let ends = |ending: &str| word.len() > ending.len() + 2 && word.ends_with(ending);
    STREETS.contains(&word) || ENDINGS.into_iter().any(ends)
}

/// A number of up to four digits, perhaps with a letter.
fn is_house(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    (1..=4).contains(&digits) && matches!(&word.as_bytes()[digits..], [] | [b'a'..=b'z'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_is_a_street_and_a_number() {
        for address in [
            "12 Main Street",
            "Hauptstr. 12a, Berlin",
            "Schloßplatz 1",
            "7 rue de la Paix",
            "Calle Mayor 3",
            "221B Baker St",
        ] {
            assert!(is_in(address), "{address}");
        }
        for other in ["Street", "Private", "room 12", "via phone", "12", "Weg", "Berlin 10115", "Strategy 2"] {
            assert!(!is_in(other), "{other}");
        }
    }
}

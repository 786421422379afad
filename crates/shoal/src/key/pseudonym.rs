//! Which keys of pseudonyms are too weak to be used?

use std::path::Path;

use super::{file, random_bytes, to_hex};
use shoal_core::{Error, Result};

/// A key that pseudonyms are made with.
///
/// A key that somebody could guess hides nothing, since identifiers are few enough to try them all. So a key has at least 32 characters and
/// is worth at least 80 bits by this count: a character is worth as many bits as it takes to choose it among the different
/// characters of the key (at most 6), but 1.5 in a key that consists of words (letters, spaces and punctuation, no capital
/// within a word), and nothing where it goes on with a repetition (three or more characters that stood in the key before) or with a
/// sequence (`aaa`, `abc`, `321`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PseudonymKey(Vec<u8>);

const LEAST_CHARACTERS: usize = 32;
const LEAST_BITS: f64 = 80.0;
const MOST_BITS_OF_A_CHARACTER: f64 = 6.0;
const BITS_IN_A_WORD: f64 = 1.5;

/// Shorter pieces occur twice by chance.
const REPETITION: usize = 3;

const HOW_TO_MAKE_ONE: &str = "make one with `shoal keys pseudonym -o pseudonym.key`, keep it secret, and keep it: without it no \
                               later release has the same pseudonyms";

impl PseudonymKey {
    /// One that nobody can guess.
    pub fn fresh() -> Result<Self> {
        Ok(Self(to_hex(&random_bytes()?).into_bytes()))
    }

    /// The key in a text. What stands around it, such as the end of a line, is no part of it, so that a file and the
    /// environment can hold the same one.
    pub fn parse(text: &str) -> Result<Self> {
        let key = text.trim();
        let length = key.chars().count();
        let weakness = match () {
            () if length < LEAST_CHARACTERS => {
                format!("the key has {length} characters, and fewer than {LEAST_CHARACTERS} can be guessed")
            }
            () if bits(key) < LEAST_BITS => {
                format!(
                    "the key can be guessed: it is worth {:.0} bits, and {LEAST_BITS} are needed",
                    bits(key).floor()
                )
            }
            () => return Ok(Self(key.as_bytes().to_vec())),
        };
        Err(Error::policy(weakness)
            .detail("repetitions and sequences count for nothing, words for little")
            .hint(HOW_TO_MAKE_ONE))
    }

    /// The key in a file.
    pub fn read(path: &Path) -> Result<Self> {
        let (text, _) = file::read(path).map_err(|error| error.hint(HOW_TO_MAKE_ONE))?;
        Self::parse(&text).map_err(|error| error.at(path.display()))
    }

    /// The key in an environment variable.
    pub fn of_environment(variable: &str) -> Result<Self> {
        match std::env::var(variable) {
            Ok(text) => Self::parse(&text).map_err(|error| error.at(variable)),
            Err(_) => Err(Error::policy("pseudonyms need a key, and there is none")
                .detail(format!(
                    "neither `key-file` beside `replace` nor the environment variable {variable} names one"
                ))
                .hint(HOW_TO_MAKE_ONE)),
        }
    }

    /// Writes it to a new file that nobody else can read.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = String::from_utf8_lossy(&self.0);
        file::create(path, &format!("{text}\n"), file::Readers::Owner)
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// How many bits a key is worth, by the count above.
fn bits(key: &str) -> f64 {
    let characters: Vec<char> = key.chars().collect();
    let mut different = characters.clone();
    different.sort_unstable();
    different.dedup();
    let each = match is_words(&characters) {
        true => BITS_IN_A_WORD,
        false => (different.len() as f64).log2().min(MOST_BITS_OF_A_CHARACTER),
    };
    let counting = (0..characters.len()).filter(|&at| !repeats(&characters, at) && !continues(&characters, at));
    counting.count() as f64 * each
}

/// Nothing but letters, spaces and punctuation, and no capital after a small letter.
fn is_words(characters: &[char]) -> bool {
    let is_of_text = |c: &char| c.is_alphabetic() || c.is_whitespace() || " .,;:!?'\"-_/()".contains(*c);
    let is_inner_capital = |pair: &[char]| pair[0].is_lowercase() && pair[1].is_uppercase();
    characters.iter().all(is_of_text) && !characters.windows(2).any(is_inner_capital)
}

/// Does the piece that ends here stand in the key before?
fn repeats(characters: &[char], at: usize) -> bool {
    let Some(start) = (at + 1).checked_sub(REPETITION) else { return false };
    let piece = &characters[start..=at];
    characters[..at].windows(REPETITION).any(|earlier| earlier == piece)
}

/// Is this the third of three that follow one another, or that are the same?
fn continues(characters: &[char], at: usize) -> bool {
    let Some(start) = at.checked_sub(2) else { return false };
    let [a, b, c] = [start, start + 1, at].map(|place| i64::from(u32::from(characters[place])));
    b - a == c - b && (-1..=1).contains(&(b - a))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "3f0c9a71b2d84e56a7c81f02e9d4b653";

    #[test]
    fn what_surrounds_a_key_is_not_it() {
        assert_eq!(PseudonymKey::parse(&format!("  {GOOD}\r\n")).unwrap().bytes(), GOOD.as_bytes());
    }

    #[test]
    fn keys_that_can_be_guessed_are_refused() {
        let short = PseudonymKey::parse(&GOOD[1..]).unwrap_err();
        assert!(short.message().starts_with("the key has 31 characters"), "{short}");
        assert!(PseudonymKey::parse("  \n").unwrap_err().message().starts_with("the key has 0 characters"));
        let weak = [
            "0123456789abcdef0123456789abcdef".to_owned(),
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".to_owned(),
            "hospital".repeat(8),
            "Hospital2024!".repeat(5),
            "correct horse battery staple ".repeat(3),
            "geheim123".repeat(10),
            "ab".repeat(40),
            "x".repeat(200),
            "the quick brown fox jumps over the lazy dog".to_owned(),
            "9876543210987654321098765432109876543210".to_owned(),
            format!("{}{}", "a".repeat(40), "b".repeat(40)),
            "qwertyuiopasdfghjklzxcvbnmqwertyuiop".to_owned(),
        ];
        for key in weak {
            let error = PseudonymKey::parse(&key).map(|_| key.clone()).unwrap_err();
            assert!(error.message().starts_with("the key can be guessed"), "{key}: {error}");
            assert!(!error.to_string().contains(&key), "no message shows a key");
            assert!(error.hint_text().is_some_and(|hint| hint.contains("shoal keys pseudonym")));
        }
    }

    /// Hexadecimal digits, as `shoal keys` and `openssl rand -hex` make them, and base64 are not refused: 20,000 keys of the
    /// shortest kind.
    #[test]
    fn random_keys_are_not_refused() {
        use sha2::{Digest, Sha256};

        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for round in 0_u32..10_000 {
            let bytes = Sha256::digest(round.to_be_bytes());
            for key in [
                to_hex(&bytes[..16]),
                bytes.iter().map(|byte| char::from(alphabet[usize::from(byte & 63)])).collect::<String>(),
            ] {
                assert!(PseudonymKey::parse(&key).is_ok(), "{key} in round {round} is worth {}", bits(&key));
            }
        }
        let fresh = PseudonymKey::fresh().unwrap();
        assert_eq!(PseudonymKey::parse(std::str::from_utf8(fresh.bytes()).unwrap()).unwrap(), fresh);
    }
}

//! Which keys of pseudonyms are too weak to be used?

use std::path::Path;

use super::guessable::is_guessable;
use super::{file, random_bytes, to_hex};
use shoal_core::{Error, Result};

/// A key that pseudonyms are made with.
///
/// A key that somebody could guess hides nothing, since identifiers are few enough to try them all. So a key has the form of random bytes,
/// at least 16 of them: as they are, in hexadecimal digits or in base64. Texts in such a form that people think up are refused (`is_guessable`
/// says which), and so is such a form of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PseudonymKey(Vec<u8>);

const LEAST_BYTES: usize = 16;

const HOW_TO_MAKE_ONE: &str = "make one with `shoal keys pseudonym -o pseudonym.key`, keep it secret, and keep it: without it no \
                               later release has the same pseudonyms";

impl PseudonymKey {
    /// One that nobody can guess.
    pub fn fresh() -> Result<Self> {
        Ok(Self(to_hex(&random_bytes()?).into_bytes()))
    }

    /// The key in some bytes. What stands around a text, such as the end of a line, is no part of it, so that a file and the
    /// environment can hold the same one; bytes that are no text are all part of it.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        let (key, weakness) = match text_of(bytes) {
            Some(text) => (text.trim().as_bytes(), weakness_of_text(text.trim())),
            None => (bytes, weakness_of_bytes(bytes)),
        };
        match weakness {
            None => Ok(Self(key.to_vec())),
            Some(weakness) => Err(Error::policy(format!("the key can be guessed: {weakness}"))
                .detail("a key is at least 16 random bytes, as they are, in hexadecimal digits or in base64")
                .hint(HOW_TO_MAKE_ONE)),
        }
    }

    /// The key in a file.
    pub fn read(path: &Path) -> Result<Self> {
        let (bytes, _) = file::read_bytes(path).map_err(|error| error.hint(HOW_TO_MAKE_ONE))?;
        Self::parse(&bytes).map_err(|error| error.at(path.display()))
    }

    /// The key in an environment variable.
    pub fn of_environment(variable: &str) -> Result<Self> {
        match std::env::var(variable) {
            Ok(text) => Self::parse(text.as_bytes()).map_err(|error| error.at(variable)),
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

/// These bytes as the text that they are: without characters that nobody types.
fn text_of(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    text.chars().all(|character| !character.is_control() || character.is_ascii_whitespace()).then_some(text)
}

/// Are most of these characters letters, in any alphabet? Random bytes that happen to be a text are not.
fn is_of_letters(text: &str) -> bool {
    text.chars().filter(|character| character.is_alphabetic()).count() * 4 > text.chars().count() * 3
}

const TOO_SHORT: &str = "it is shorter than 16 bytes";
const HAS_PATTERNS: &str = "it has words or patterns that random bytes do not have";

fn weakness_of_text(text: &str) -> Option<&'static str> {
    // Programs break long lines of base64.
    let text: String = text.chars().filter(|character| !matches!(character, '\r' | '\n')).collect();
    let Some(bytes) = from_hex(&text).or_else(|| from_base64(&text)) else {
        return Some("it is a text, and not random bytes in hexadecimal digits or in base64");
    };
    match () {
        () if bytes.len() < LEAST_BYTES => Some(TOO_SHORT),
        () if text.bytes().all(|byte| byte.is_ascii_digit()) => Some("it has no letter"),
        () if is_guessable(text.as_bytes(), bits(&bytes)) => Some(HAS_PATTERNS),
        () => weakness_of_bytes(&bytes),
    }
}

fn weakness_of_bytes(bytes: &[u8]) -> Option<&'static str> {
    let zeros = bytes.iter().filter(|&&byte| byte == 0).count();
    match () {
        () if bytes.len() < LEAST_BYTES => Some(TOO_SHORT),
        // As in UTF-16.
        () if zeros * 3 > bytes.len() => Some(HAS_PATTERNS),
        () if text_of(bytes).is_some_and(is_of_letters) || is_guessable(bytes, bits(bytes)) => Some(HAS_PATTERNS),
        () => None,
    }
}

/// How many bits it takes to draw so many bytes.
fn bits(bytes: &[u8]) -> f64 {
    8.0 * bytes.len() as f64
}

/// The bytes of hexadecimal digits, of either case; an odd one at the end counts for nothing.
fn from_hex(text: &str) -> Option<Vec<u8>> {
    let is_one_case =
        !(text.contains(|c: char| c.is_ascii_lowercase()) && text.contains(|c: char| c.is_ascii_uppercase()));
    let digits = text.chars().map(|character| character.to_digit(16)).collect::<Option<Vec<u32>>>()?;
    is_one_case.then(|| digits.chunks_exact(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

/// The bytes of base64, in the alphabet of mails or of addresses, with what fills it up at the end or without.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let value = |byte: u8| {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        })
    };
    let values = digits.bytes().map(value).collect::<Option<Vec<u8>>>()?;
    let is_whole = digits.len() % 4 != 1 && text.len() - digits.len() <= 2;
    let bytes = values.chunks(4).flat_map(|four| {
        let all = four.iter().enumerate().fold(0_u32, |all, (at, &value)| all | u32::from(value) << (18 - 6 * at));
        all.to_be_bytes()[1..four.len()].to_vec()
    });
    is_whole.then(|| bytes.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "3f0c9a71b2d84e56a7c81f02e9d4b653";

    fn parse(text: &str) -> Result<PseudonymKey> {
        PseudonymKey::parse(text.as_bytes())
    }

    #[test]
    fn what_surrounds_a_key_is_not_it() {
        assert_eq!(parse(&format!("  {GOOD}\r\n")).unwrap().bytes(), GOOD.as_bytes());
        let raw = b" \x80\xff\x00\x11\x22\xfe\x93\x81\x07\x9c\xd4\x1f\xe2\xb9\x55\n";
        assert_eq!(PseudonymKey::parse(raw).unwrap().bytes(), raw, "these bytes are no text");
    }

    fn base64(bytes: &[u8]) -> String {
        const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let four = |three: &[u8]| {
            let mut all = [0; 4];
            all[1..=three.len()].copy_from_slice(three);
            let all = u32::from_be_bytes(all);
            let digit = |at: usize| char::from(ALPHABET[(all >> (18 - 6 * at)) as usize & 63]);
            (0..4).map(|at| if at <= three.len() { digit(at) } else { '=' }).collect::<String>()
        };
        bytes.chunks(3).map(four).collect()
    }

    #[test]
    fn the_forms_of_random_bytes_are_read() {
        assert_eq!(base64(b"light work."), "bGlnaHQgd29yay4=", "RFC 4648");
        for length in 16..40 {
            let bytes: Vec<u8> = (0..length).map(|at| (at * 37 + 11) as u8).collect();
            let text = base64(&bytes);
            assert_eq!(from_base64(&text), Some(bytes.clone()));
            assert_eq!(from_base64(text.trim_end_matches('=')), Some(bytes.clone()));
            assert_eq!(from_base64(&text.replace('+', "-").replace('/', "_")), Some(bytes.clone()));
            assert_eq!(from_hex(&to_hex(&bytes)), Some(bytes.clone()));
            assert_eq!(from_hex(&to_hex(&bytes).to_uppercase()), Some(bytes));
        }
        assert_eq!(
            [from_base64("abcde"), from_base64("ab=c"), from_base64("a b c"), from_base64("ab======")],
            [None, None, None, None]
        );
        assert_eq!(from_hex("aB"), None);
    }

    #[test]
    fn keys_that_can_be_guessed_are_refused() {
        let short = parse(&GOOD[2..]).unwrap_err();
        assert_eq!(short.message(), "the key can be guessed: it is shorter than 16 bytes");
        let phrases = [
            "correct horse battery staple",
            "correcthorsebatterystaple",
            "CorrectHorseBatteryStaple",
            "CorrectHorseBattery2024",
            "Correct-Horse-Battery-Staple",
            "correct_horse_battery_staple_",
            "C0rr3ctH0rs3B4tt3ryStapl3",
            "the quick brown fox jumps over the lazy dog",
            "Krankenhaus-Berlin-Mitte-2024",
            "StadtkrankenhausSchwabingMuenchen",
            "GeheimesPasswortVonThomasMueller1984",
            "annamariaschmidt19840312",
            "AnnaSchmidt1984AnnaSchmidt1985",
            "Hospital2024Hospital2024",
            "Sommer2024!Sommer2024!Sommer2024!",
            "qwertyuiopasdfghjklzxcvbnmqwertyuiop",
            "1qaz2wsx3edc4rfv5tgb6yhn",
            "QWERTZUIOPASDFGHJKLYXCVBNM",
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            "1984-03-12 1986-07-30 2011-01-01",
            "19840312198607302011010120130908",
            "9876543210987654321098765432109876543210",
            "314159265358979323846264338327950288",
            "Stra\u{df}enverkehrsordnung \u{fc}ber alles in der Welt",
            "0123456789abcdef0123456789abcdef",
            "deadbeefdeadbeefdeadbeefdeadbeef",
            "deadbeefcafebabefeedface8badf00d",
            "MyHospitalSecretKey2024",
            "MySecretHospitalKey1",
            "PseudonymKeyForResearch",
            "31415926535897932384626433832795a",
            "243f6a8885a308d313198a2e03707344",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "d41d8cd98f00b204e9800998ecf8427e",
            "00112233445566778899aabbccddeeff",
            "000102030405060708090a0b0c0d0e0f",
            "ffffffffffffffffffffffffffffffff",
            "hospitalhospitalhospitalhospital",
            "abababababababababababababababab",
        ];
        for phrase in phrases {
            for key in [phrase.to_owned(), to_hex(phrase.as_bytes()), base64(phrase.as_bytes())] {
                let error = parse(&key).map(|_| key.clone()).unwrap_err();
                assert!(error.message().starts_with("the key can be guessed"), "{key}: {error}");
                assert!(!error.to_string().contains(&key), "no message shows a key");
                assert!(error.hint_text().is_some_and(|hint| hint.contains("shoal keys pseudonym")));
            }
        }
        let latin: Vec<u8> = "M\u{fc}ller und S\u{f6}hne, geheim".chars().map(|character| character as u8).collect();
        let wide: Vec<u8> = "correct horse battery".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [latin, [&[0xff, 0xfe][..], &wide].concat(), vec![0; 32], (0..32).collect(), vec![0xab; 64]] {
            assert!(PseudonymKey::parse(&bytes).is_err(), "{bytes:?}");
        }
    }

    /// Random bytes are not refused, in any of their forms.
    #[test]
    fn random_keys_are_not_refused() {
        use sha2::{Digest, Sha256};

        for round in 0_u32..20_000 {
            let random = Sha256::digest(round.to_be_bytes());
            for bytes in [&random[..16], &random[..]] {
                let base64 = base64(bytes);
                for key in [to_hex(bytes), base64.trim_end_matches('=').to_owned(), format!("{base64}\n")] {
                    assert!(parse(&key).is_ok(), "{key} in round {round}");
                }
            }
        }
        let mut refused = 0;
        for round in 0_u32..50_000 {
            refused += u32::from(PseudonymKey::parse(&Sha256::digest(round.to_le_bytes())[..16]).is_err());
            assert!(PseudonymKey::parse(&Sha256::digest(round.to_le_bytes())).is_ok());
        }
        assert!(refused <= 3, "bytes that happen to be a text are rare, and {refused} were refused");
        let lines = format!("{}\n{}\n", base64(&Sha256::digest(b"a")[..30]), base64(&Sha256::digest(b"b")));
        assert!(parse(&lines).is_ok(), "as programs break lines");
        let fresh = PseudonymKey::fresh().unwrap();
        assert_eq!(PseudonymKey::parse(fresh.bytes()).unwrap(), fresh);
    }
}

//! Which name does a release give to somebody whose own must not be shown?

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Names that are made from identifiers with a key: the same for the same identifier, and without the key nobody can tell
/// whose they are, not even by trying all identifiers there are.
#[derive(Debug, Clone)]
pub struct Pseudonyms {
    /// With the key, and with the domain where there is one.
    keyed: Hmac<Sha256>,
}

/// No text in UTF-8 has this byte: what begins with it is no identifier without a domain.
const BEFORE_A_DOMAIN: u8 = 0xff;

/// Lower case, without 0, 1, 8 and 9, which look like letters. The first character is always one of the first eight, a
/// letter: no spreadsheet takes a name for a number.
const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const LENGTH: u32 = 26;

impl Pseudonyms {
    /// Names that depend on this key, and on a domain if there is one. What is hashed begins with the byte 255 then, the number of the
    /// domain's bytes as eight bytes (the highest first) and the domain itself, so that no two pairs of domain and identifier
    /// are hashed alike, nor a pair and an identifier without a domain.
    pub fn new(key: &[u8], domain: Option<&str>) -> Self {
        let mut keyed: Hmac<Sha256> = Hmac::new_from_slice(key).expect("HMAC takes a key of any length");
        if let Some(domain) = domain {
            keyed.update(&[BEFORE_A_DOMAIN]);
            keyed.update(&(domain.len() as u64).to_be_bytes());
            keyed.update(domain.as_bytes());
        }
        Self { keyed }
    }

    /// The name for an identifier: the first 128 bits of its HMAC-SHA-256, as 26 digits to the base of 32. Two of a billion
    /// identifiers have the same one in one case of 10^20. It depends on nothing else, and so not on who stands where in a
    /// table.
    pub fn of(&self, identifier: &str) -> String {
        let mut keyed = self.keyed.clone();
        keyed.update(identifier.as_bytes());
        let code = keyed.finalize().into_bytes();
        let number = code.iter().take(16).fold(0_u128, |number, &byte| number << 8 | u128::from(byte));
        let digit = |place: u32| char::from(DIGITS[(number >> (5 * place)) as usize & 31]);
        (0..LENGTH).rev().map(digit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From Python: `hmac.new(b"key", b"The quick brown fox jumps over the lazy dog", "sha256")`, a well-known example.
    #[test]
    fn names_are_the_first_half_of_an_hmac() {
        let name = Pseudonyms::new(b"key", None).of("The quick brown fox jumps over the lazy dog");
        let number = name.bytes().fold(0_u128, |number, digit| {
            number << 5 | DIGITS.iter().position(|&known| known == digit).unwrap() as u128
        });
        assert_eq!(format!("{number:032x}"), "f7bc83f430538424b13298e6aa6fb143");
        assert_eq!(name.len(), 26);
    }

    #[test]
    fn they_depend_on_key_and_identifier_alone() {
        let (one, other) = (Pseudonyms::new(b"one", None), Pseudonyms::new(b"other", None));
        assert_eq!(one.of("P-1"), one.clone().of("P-1"));
        assert_ne!(one.of("P-1"), one.of("P-2"));
        assert_ne!(one.of("P-1"), other.of("P-1"));
        assert!(one.of("").starts_with(|first: char| first.is_ascii_lowercase()));
    }

    /// From Python: `hmac.new(b"key", b"\xff" + (8).to_bytes(8, "big") + b"patients" + b"4711", "sha256")`.
    #[test]
    fn a_domain_gives_other_names_and_cannot_be_confused_with_an_identifier() {
        let patients = Pseudonyms::new(b"key", Some("patients")).of("4711");
        assert_eq!(patients, EXPECTED_IN_DOMAIN);
        let others = [
            Pseudonyms::new(b"key", None).of("4711"),
            Pseudonyms::new(b"key", None).of("patients4711"),
            Pseudonyms::new(b"key", Some("patient")).of("s4711"),
            Pseudonyms::new(b"key", Some("patients4")).of("711"),
            Pseudonyms::new(b"key", Some("")).of("patients4711"),
        ];
        assert!(!others.contains(&patients));
    }

    const EXPECTED_IN_DOMAIN: &str = "eu5yqwwzsnln3yk67wzumfzqrx";
}

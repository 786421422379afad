//! Where do keys come from, who may read them, and which of them could be guessed?
//!
//! A key of pseudonyms is some random bytes; a key of signatures is an Ed25519 key in the usual files (PEM: PKCS#8 and SPKI), which
//! other programs make and read, too.

mod file;
mod guessable;
mod known_words;
mod pseudonym;
mod signature;

pub use file::{MODE_HINT, is_open_to_others};
pub use pseudonym::PseudonymKey;
pub use signature::{PublicKey, Signature, Signer};

use shoal_core::{Error, Result};

/// Random bytes of the operating system.
fn random_bytes() -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::place(format!("the operating system gives no random numbers: {error}")))?;
    Ok(bytes)
}

/// Bytes as lower-case hexadecimal digits.
fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of exactly so many lower-case digits: each key and signature is written in one way only.
fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; N];
    if text.len() != 2 * N {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_one_way() {
        assert_eq!(to_hex(&[0, 255, 26]), "00ff1a");
        assert_eq!(from_hex::<3>("00ff1a"), Some([0, 255, 26]));
        for other in ["00FF1A", "00ff1", "00ff1a0", "00ff1g", "00ff1é", ""] {
            assert_eq!(from_hex::<3>(other), None, "{other}");
        }
    }

    #[test]
    fn random_bytes_differ() {
        assert_ne!(random_bytes().unwrap(), random_bytes().unwrap());
    }
}

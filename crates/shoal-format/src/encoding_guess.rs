//! In which encoding is a text that is not UTF-8?

use std::io::Read;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use super::{InputFormat, file_kind, folder_parts, signature};
use shoal_core::{Error, Result};

/// The bytes beyond ASCII tell the encoding; so many of them are enough.
const LOOKED_AT: usize = 1 << 22;
const PIECE: usize = 1 << 16;

/// The encoding in which a file of text seems to be, by its WHATWG name; none if it is UTF-8, says by itself what it is, or is
/// no text. The guess is the one that browsers make for pages that do not tell.
pub fn guessed_encoding(input: &InputFormat) -> Result<Option<String>> {
    if input.handle.is_none() && input.path.is_dir() {
        let path = folder_parts::of(&input.path)?.swap_remove(0).path;
        return guessed_encoding(&InputFormat { path, ..input.clone() });
    }
    let (format, compression) = file_kind::of(&input.path)?;
    if !format.is_text {
        return Ok(None);
    }
    let io = |error: &std::io::Error| Error::io("read", &input.path, error);
    let mut bytes = compression.reader(input.open()?).map_err(|error| io(&error))?;
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let (mut head, mut looked_at, mut is_utf_8) = (Vec::new(), 0, Utf8Check::default());
    loop {
        let mut piece = Vec::with_capacity(PIECE);
        bytes.by_ref().take(PIECE as u64).read_to_end(&mut piece).map_err(|error| io(&error))?;
        if head.is_empty() {
            head.clone_from(&piece);
            if encoding_rs::Encoding::for_bom(&head).is_some() || signature::of(&head).is_some() {
                return Ok(None);
            }
            if let Some(label) = signature::utf_16_without_mark(&head) {
                return Ok(Some(label.to_owned()));
            }
        }
        if piece.is_empty() {
            break;
        }
        is_utf_8.take(&piece);
        if !piece.is_ascii() && looked_at < LOOKED_AT {
            detector.feed(&piece, false);
            looked_at += piece.len();
        }
    }
    if is_utf_8.holds() {
        return Ok(None);
    }
    let guess = detector.guess(None, Utf8Detection::Deny);
    Ok(Some(guess.name().to_lowercase()))
}

/// Is a text that comes in pieces UTF-8?
#[derive(Default)]
struct Utf8Check {
    /// The beginning of a character at the end of a piece.
    rest: Vec<u8>,
    is_broken: bool,
}

impl Utf8Check {
    fn take(&mut self, piece: &[u8]) {
        if self.is_broken {
            return;
        }
        self.rest.extend_from_slice(piece);
        let valid = match std::str::from_utf8(&self.rest) {
            Ok(text) => text.len(),
            Err(error) => {
                self.is_broken = error.error_len().is_some();
                error.valid_up_to()
            }
        };
        self.rest.drain(..valid);
    }

    fn holds(&self) -> bool {
        !self.is_broken && self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_files::SampleFile;

    fn guessed(bytes: impl AsRef<[u8]>) -> Option<String> {
        guessed_encoding(&SampleFile::with("a.csv", bytes).input()).expect("a file")
    }

    #[test]
    fn what_is_not_utf_8_is_guessed_and_what_is_goes_without_saying() {
        let german = "name;ort\nM\u{fc}ller;K\u{f6}ln\nWei\u{df};D\u{fc}sseldorf\n";
        assert_eq!(guessed(german), None);
        let (bytes, ..) = encoding_rs::WINDOWS_1252.encode(german);
        assert_eq!(guessed(&bytes).as_deref(), Some("windows-1252"));
        let (bytes, ..) = encoding_rs::WINDOWS_1251.encode("\u{438}\u{43c}\u{44f};\u{433}\u{43e}\u{440}\u{43e}\u{434}\n\u{410}\u{43d}\u{43d}\u{430};\u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430}\n");
        assert_eq!(guessed(&bytes).as_deref(), Some("windows-1251"));
        let utf_16: Vec<u8> = "a,b\n1,2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(guessed(utf_16).as_deref(), Some("utf-16le"));
        assert_eq!(guessed(""), None);
    }

    #[test]
    fn a_character_may_lie_across_two_pieces() {
        for before in PIECE - 3..=PIECE {
            let text = "x".repeat(before) + "\u{20ac}\n";
            assert_eq!(guessed(text), None);
        }
        assert!(guessed(b"a\n\xe2\x82").is_some(), "cut short");
    }
}

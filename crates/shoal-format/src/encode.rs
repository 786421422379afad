//! How does text become the bytes of an encoding?

use encoding_rs::{Encoder, EncoderResult, Encoding};

/// Encodes a text that comes in pieces.
pub(super) enum TextEncoder {
    /// The text as it is.
    Utf8,
    /// Two bytes a unit; encoding_rs decodes UTF-16 but does not write it.
    Utf16 { big_endian: bool },
    /// Any other, which may carry a state from piece to piece.
    Other(Encoder),
}

/// The text has a character that the encoding lacks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unmappable;

impl TextEncoder {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        if encoding == encoding_rs::UTF_8 {
            TextEncoder::Utf8
        } else if encoding == encoding_rs::UTF_16LE || encoding == encoding_rs::UTF_16BE {
            TextEncoder::Utf16 { big_endian: encoding == encoding_rs::UTF_16BE }
        } else {
            TextEncoder::Other(encoding.new_encoder())
        }
    }

    /// Appends the bytes of `text`; `last` if no more text follows.
    pub(super) fn encode(&mut self, mut text: &str, last: bool, bytes: &mut Vec<u8>) -> Result<(), Unmappable> {
        match self {
            TextEncoder::Utf8 => bytes.extend_from_slice(text.as_bytes()),
            TextEncoder::Utf16 { big_endian: false } => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            TextEncoder::Utf16 { big_endian: true } => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            TextEncoder::Other(encoder) => loop {
                bytes.reserve(text.len() + 16);
                let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(text, bytes, last);
                text = &text[read..];
                match result {
                    EncoderResult::InputEmpty => break,
                    EncoderResult::OutputFull => {}
                    EncoderResult::Unmappable(_) => return Err(Unmappable),
                }
            },
        }
        Ok(())
    }
}

/// Can an encoding write this text?
pub(super) fn can_write(encoding: &'static Encoding, text: &str) -> bool {
    TextEncoder::new(encoding).encode(text, true, &mut Vec::new()).is_ok()
}

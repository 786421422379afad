//! Which small number stands for a text, found quickly?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Codes of texts. Most values of a column are short, so what is needed to tell them apart stands in the table itself and
/// the text need not be looked at.
#[derive(Debug, Clone, Default)]
pub struct TextCodes {
    table: HashTable<(Digest, u32)>,
    hasher: FixedState,
}

/// The length of a text and two words of it: up to sixteen bytes, that is all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Digest {
    words: [u64; 2],
    length: usize,
}

const WHOLE: usize = 16;

impl Digest {
    #[inline]
    fn new(text: &str, hasher: &FixedState) -> Self {
        let bytes = text.as_bytes();
        let length = bytes.len();
        // The first and the last bytes overlap where the length is no power of two.
        let words = if length > WHOLE {
            [hasher.hash_one(text), 0]
        } else if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            [u64::from_le_bytes(*first), u64::from_le_bytes(*last)]
        } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            [u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into()]
        } else {
            let byte = |at: usize| bytes.get(at).copied().map_or(0, u64::from);
            [byte(0) | byte(1) << 8 | byte(2) << 16, 0]
        };
        Self { words, length }
    }

    #[inline]
    fn hash(self) -> u64 {
        // Two multiplications whose halves are folded, as foldhash does with longer texts.
        const ODD: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];
        let [a, b] = self.words;
        let product = u128::from(a ^ ODD[0]) * u128::from(b ^ ODD[1] ^ self.length as u64);
        let folded = (product as u64) ^ (product >> 64) as u64;
        let product = u128::from(folded ^ a) * u128::from(ODD[0]);
        (product as u64) ^ (product >> 64) as u64
    }
}

impl TextCodes {
    /// The code of a text; `text_of` has the text of each code that was given.
    #[inline]
    pub fn get<'t>(&self, text: &str, text_of: impl Fn(u32) -> &'t str) -> Option<u32> {
        let digest = Digest::new(text, &self.hasher);
        let is_it = |&(other, code): &(Digest, u32)| other == digest && (text.len() <= WHOLE || text_of(code) == text);
        self.table.find(digest.hash(), is_it).map(|&(_, code)| code)
    }

    /// How much memory it takes, near enough.
    pub fn bytes(&self) -> usize {
        (size_of::<(Digest, u32)>() + 1) * self.table.capacity()
    }

    /// Gives a code to a text that has none.
    pub fn insert(&mut self, text: &str, code: u32) {
        let digest = Digest::new(text, &self.hasher);
        self.table.insert_unique(digest.hash(), (digest, code), |(digest, _)| digest.hash());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_text_keeps_its_own_code(texts in prop::collection::vec("[ab\\PC]{0,20}|[ab]{0,40}", 0..80)) {
            let (mut codes, mut slow) = (TextCodes::default(), HashMap::new());
            let mut values: Vec<&str> = Vec::new();
            for text in &texts {
                let found = codes.get(text, |code| values[code as usize]);
                prop_assert_eq!(found, slow.get(text.as_str()).copied());
                if found.is_none() {
                    codes.insert(text, values.len() as u32);
                    slow.insert(text.as_str(), values.len() as u32);
                    values.push(text);
                }
            }
        }
    }

    #[test]
    fn zeros_are_not_nothing() {
        let mut codes = TextCodes::default();
        let texts: Vec<String> = (0..40).map(|length| "\0".repeat(length)).collect();
        for (code, text) in texts.iter().enumerate() {
            assert_eq!(codes.get(text, |code| &texts[code as usize]), None);
            codes.insert(text, code as u32);
        }
        assert_eq!(codes.get(&texts[33], |code| &texts[code as usize]), Some(33));
    }
}

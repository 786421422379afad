//! Which labels does a hierarchy have, each of them once?

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Texts and a number for each. Most cells of a hierarchy repeat what stands in the row before, so that a text is kept once, and
/// whoever compares labels compares numbers. The texts are somebody else's: where they go in the table is drawn anew in every run.
#[derive(Debug, Default)]
pub(super) struct Labels {
    texts: Vec<String>,
    numbers: HashTable<u32>,
    hasher: RandomState,
}

impl Labels {
    /// The number of a text, a new one if it has none yet.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let Self { texts, numbers, hasher } = self;
        let hash = hasher.hash_one(text);
        if let Some(&number) = numbers.find(hash, |number| texts[*number as usize] == text) {
            return number;
        }
        let number = texts.len() as u32;
        texts.push(text.to_owned());
        numbers.insert_unique(hash, number, |&number| hasher.hash_one(texts[number as usize].as_str()));
        number
    }

    /// The number of a text, if it has one.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.numbers.find(self.hasher.hash_one(text), |&number| self.texts[number as usize] == text).copied()
    }

    /// The text with a number.
    pub(super) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }
}

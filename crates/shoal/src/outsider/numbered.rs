//! Which number has each combination of numbers?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Numbers combinations of so many numbers as they appear.
#[derive(Debug)]
pub(super) struct Numbered {
    width: usize,
    /// One combination after the other.
    combinations: Vec<u32>,
    len: u32,
    places: HashTable<u32>,
    hasher: FixedState,
}

impl Numbered {
    pub(super) fn new(width: usize) -> Self {
        let (places, hasher) = (HashTable::new(), FixedState::default());
        Self { width, combinations: Vec::new(), len: 0, places, hasher }
    }

    /// The number of a combination.
    #[inline]
    pub(super) fn number(&mut self, combination: &[u32]) -> u32 {
        let Self { width, combinations, len, places, hasher } = self;
        let at = |place: u32| &combinations[place as usize * *width..][..*width];
        let hash = hasher.hash_one(combination);
        if let Some(&place) = places.find(hash, |&place| at(place) == combination) {
            return place;
        }
        let place = *len;
        *len = place.checked_add(1).expect("fewer than 2^32 combinations fit into memory");
        places.insert_unique(hash, place, |&place| hasher.hash_one(at(place)));
        combinations.extend_from_slice(combination);
        place
    }

    /// The combination of a number.
    #[inline]
    pub(super) fn combination(&self, number: u32) -> &[u32] {
        &self.combinations[number as usize * self.width..][..self.width]
    }

    /// How many combinations there are.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// All combinations by their number.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len).map(move |number| self.combination(number))
    }

    /// Forgets all, and gives back the memory: whoever forgets has too little of it.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.width);
    }

    /// How much memory they take, near enough.
    pub(super) fn memory(&self) -> usize {
        4 * self.combinations.len() + 5 * self.places.capacity()
    }

    /// Gives back the memory of whoever looks for a combination; nobody will.
    pub(super) fn close(&mut self) {
        self.places = HashTable::new();
        self.combinations.shrink_to_fit();
    }
}

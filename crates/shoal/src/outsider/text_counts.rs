//! How often does each combination of texts stand in a table?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};

use crate::format::Rows;
use crate::table::MissingMarkers;

/// Counts combinations of texts, numbering the texts of each column as they appear.
#[derive(Debug)]
pub(super) struct TextCounts {
    numbers: Vec<HashMap<Box<str>, u32, FixedState>>,
    /// Whether each column has a missing value.
    has_missing: Vec<bool>,
    /// The numbers of the texts of each combination, one combination after the other.
    combinations: Vec<u32>,
    counts: Vec<u64>,
    places: HashTable<u32>,
    hasher: FixedState,
}

impl TextCounts {
    pub(super) fn new(columns: usize) -> Self {
        Self {
            numbers: (0..columns).map(|_| HashMap::default()).collect(),
            has_missing: vec![false; columns],
            combinations: Vec::new(),
            counts: Vec::new(),
            places: HashTable::new(),
            hasher: FixedState::default(),
        }
    }

    /// Counts a row, of which these cells matter. All missing values are one, written as the first marker.
    #[inline]
    pub(super) fn add_row(
        &mut self,
        rows: &Rows<'_>,
        row: usize,
        slots: &[usize],
        markers: &MissingMarkers,
        combination: &mut Vec<u32>,
    ) {
        combination.clear();
        for (column, &slot) in slots.iter().enumerate() {
            let cell = rows.cell(row, slot).filter(|text| !markers.contain(text));
            self.has_missing[column] |= cell.is_none();
            combination.push(self.number(column, cell.unwrap_or(markers.first())));
        }
        self.add(combination, 1);
    }

    #[inline]
    fn number(&mut self, column: usize, text: &str) -> u32 {
        let numbers = &mut self.numbers[column];
        if let Some(&number) = numbers.get(text) {
            return number;
        }
        let number = u32::try_from(numbers.len()).expect("a column has fewer than 2^32 distinct texts");
        numbers.insert(text.into(), number);
        number
    }

    #[inline]
    fn add(&mut self, combination: &[u32], count: u64) {
        let Self { combinations, counts, places, hasher, .. } = self;
        let width = combination.len();
        let at = |place: u32| &combinations[place as usize * width..][..width];
        let hash = hasher.hash_one(combination);
        if let Some(&place) = places.find(hash, |&place| at(place) == combination) {
            counts[place as usize] += count;
            return;
        }
        let place = u32::try_from(counts.len()).expect("fewer than 2^32 combinations fit into memory");
        places.insert_unique(hash, place, |&place| hasher.hash_one(at(place)));
        combinations.extend_from_slice(combination);
        counts.push(count);
    }

    /// Adds what another has counted.
    pub(super) fn join(&mut self, other: &Self) {
        let mut renumbered: Vec<Vec<u32>> = Vec::new();
        for (column, texts) in other.texts().into_iter().enumerate() {
            renumbered.push(texts.iter().map(|text| self.number(column, text)).collect());
            self.has_missing[column] |= other.has_missing[column];
        }
        for (combination, count) in other.iter() {
            let renumbered = combination.iter().zip(&renumbered).map(|(&number, column)| column[number as usize]);
            let combination: Vec<u32> = renumbered.collect();
            self.add(&combination, count);
        }
    }

    /// The texts of each column by their number.
    pub(super) fn texts(&self) -> Vec<Vec<&str>> {
        let mut all = Vec::with_capacity(self.numbers.len());
        for numbers in &self.numbers {
            let mut texts = vec![""; numbers.len()];
            numbers.iter().for_each(|(text, &number)| texts[number as usize] = text);
            all.push(texts);
        }
        all
    }

    /// Does a column have a missing value?
    pub(super) fn has_missing(&self, column: usize) -> bool {
        self.has_missing[column]
    }

    /// Every combination and how often it stands there.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u32], u64)> {
        let width = self.numbers.len();
        self.counts.iter().enumerate().map(move |(at, &count)| (&self.combinations[at * width..][..width], count))
    }
}

//! How often does each combination of texts stand in a table?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashTable};

use shoal_core::table::MissingMarkers;
use shoal_format::Rows;

/// Counts combinations of texts, numbering the texts of each column as they appear.
#[derive(Debug)]
pub(super) struct TextCounts {
    numbers: Vec<HashMap<Box<str>, u32, FixedState>>,
    /// Whether each column has a missing value.
    has_missing: Vec<bool>,
    /// The numbers of the texts of each combination, one combination after the other.
    combinations: Vec<u32>,
    counts: Vec<u64>,
    /// Is every row a combination of its own, however many are alike?
    is_list: bool,
    places: HashTable<u32>,
    hasher: FixedState,
    /// The bytes of all texts.
    text_bytes: usize,
}

impl TextCounts {
    pub(super) fn new(columns: usize) -> Self {
        Self {
            numbers: (0..columns).map(|_| HashMap::default()).collect(),
            has_missing: vec![false; columns],
            combinations: Vec::new(),
            counts: Vec::new(),
            is_list: false,
            places: HashTable::new(),
            hasher: FixedState::default(),
            text_bytes: 0,
        }
    }

    /// The same for rows of which hardly two are alike, as where it is told whose they are: they are listed, and looking for equal ones is left
    /// to whoever sorts them.
    pub(super) fn listing(columns: usize) -> Self {
        Self { is_list: true, ..Self::new(columns) }
    }

    /// Combinations that are known already: of the places of these texts, of which that of a missing value is told.
    pub(super) fn of_texts(columns: &[(&[String], Option<u32>)]) -> Self {
        let mut counts = Self::new(columns.len());
        for (column, (texts, missing)) in columns.iter().enumerate() {
            for text in *texts {
                counts.number(column, text);
            }
            counts.has_missing[column] = missing.is_some();
        }
        counts
    }

    /// Counts a row, of which these cells matter, and whom it is about, where somebody knows that. All missing values are one, written
    /// as the first marker.
    #[inline]
    pub(super) fn add_row(
        &mut self,
        rows: &Rows<'_>,
        row: usize,
        slots: &[usize],
        person: Option<Whom<'_>>,
        markers: &MissingMarkers,
        combination: &mut Vec<u32>,
    ) {
        combination.clear();
        for (column, &slot) in slots.iter().enumerate() {
            let cell = rows.cell(row, slot).filter(|text| !markers.contain(text));
            self.has_missing[column] |= cell.is_none();
            combination.push(self.number(column, cell.unwrap_or(markers.first())));
        }
        match person {
            Some(Whom::Named(person)) => combination.push(self.number(slots.len(), person)),
            Some(Whom::Numbered(person)) => combination.push(person),
            None => {}
        }
        self.add(combination, 1);
    }

    /// Counts so many rows with these texts, and whom they are about, where somebody knows that; `None` is a missing value.
    pub(super) fn add_rows(
        &mut self,
        texts: &[Option<&str>],
        person: Option<&str>,
        count: u64,
        markers: &MissingMarkers,
        combination: &mut Vec<u32>,
    ) {
        combination.clear();
        for (column, text) in texts.iter().enumerate() {
            let text = text.filter(|text| !markers.contain(text));
            self.has_missing[column] |= text.is_none();
            combination.push(self.number(column, text.unwrap_or(markers.first())));
        }
        if let Some(person) = person {
            combination.push(self.number(texts.len(), person));
        }
        self.add(combination, count);
    }

    #[inline]
    fn number(&mut self, column: usize, text: &str) -> u32 {
        let numbers = &mut self.numbers[column];
        if let Some(&number) = numbers.get(text) {
            return number;
        }
        let number = u32::try_from(numbers.len()).expect("a column has fewer than 2^32 distinct texts");
        numbers.insert(text.into(), number);
        self.text_bytes += text.len();
        number
    }

    #[inline]
    pub(super) fn add(&mut self, combination: &[u32], count: u64) {
        let Self { combinations, counts, places, hasher, is_list, .. } = self;
        if *is_list {
            combinations.extend_from_slice(combination);
            counts.push(count);
            return;
        }
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

    /// Takes over the texts of another; for each column, the numbers here of its texts there. None where its numbers stand for no texts.
    pub(super) fn adopt_texts(&mut self, other: &Self) -> Vec<Vec<u32>> {
        let mut renumbered: Vec<Vec<u32>> = Vec::new();
        for (column, texts) in other.texts().into_iter().enumerate() {
            renumbered.push(texts.iter().map(|text| self.number(column, text)).collect());
            self.has_missing[column] |= other.has_missing[column];
        }
        renumbered
    }

    /// Adds what another has counted.
    pub(super) fn join(&mut self, other: &Self) {
        let renumbered = self.adopt_texts(other);
        for (combination, count) in other.iter() {
            let combination: Vec<u32> = renumber(combination, &renumbered).collect();
            self.add(&combination, count);
        }
    }

    /// Forgets all combinations, but not the numbers of the texts.
    pub(super) fn clear(&mut self) {
        self.combinations.clear();
        self.counts.clear();
        self.places.clear();
    }

    /// How much memory the texts take, near enough.
    pub(super) fn bytes_of_texts(&self) -> usize {
        // A text and its number in a table, and what a memory allocator adds to a small piece.
        const ENTRY: usize = size_of::<(Box<str>, u32)>() + 1;
        const OVERHEAD: usize = 16;
        let of_tables: usize = self.numbers.iter().map(|numbers| ENTRY * numbers.capacity()).sum();
        let texts: usize = self.numbers.iter().map(HashMap::len).sum();
        of_tables + OVERHEAD * texts + self.text_bytes
    }

    /// How much memory the combinations take, near enough.
    pub(super) fn bytes_of_combinations(&self) -> usize {
        4 * self.combinations.len() + 8 * self.counts.len() + 5 * self.places.capacity()
    }

    /// The same combinations without their last column, each counted as often as the text of that column says; none if one
    /// is no number.
    pub(super) fn weighted(&self) -> Option<Self> {
        let last = self.numbers.len().checked_sub(1)?;
        let texts = self.texts();
        let weights: Vec<u64> = texts[last].iter().map(|text| text.parse().ok()).collect::<Option<_>>()?;
        let mut weighted = Self::new(last);
        weighted.numbers.clone_from_slice(&self.numbers[..last]);
        weighted.has_missing.copy_from_slice(&self.has_missing[..last]);
        for (combination, count) in self.iter() {
            let weight = weights[combination[last] as usize].checked_mul(count)?;
            weighted.add(&combination[..last], weight);
        }
        Some(weighted)
    }

    /// Does each text of the only column occur as often as it does in the first column of others?
    pub(super) fn has_the_totals_of(&self, others: &Self) -> bool {
        let (own, theirs) = (self.totals(), others.totals());
        own.len() == theirs.len() && own.iter().all(|(text, total)| theirs.get(text) == Some(total))
    }

    fn totals(&self) -> HashMap<&str, u64> {
        let texts = &self.texts()[0];
        let mut totals = vec![0; texts.len()];
        self.iter().for_each(|(combination, count)| totals[combination[0] as usize] += count);
        texts.iter().copied().zip(totals).filter(|pair| pair.1 > 0).collect()
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

    /// How many columns a combination has.
    pub(super) fn columns(&self) -> usize {
        self.numbers.len()
    }

    /// How many combinations there are.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// A combination by its place.
    pub(super) fn combination(&self, place: u32) -> &[u32] {
        let width = self.numbers.len();
        &self.combinations[place as usize * width..][..width]
    }

    /// How often the combination at a place stands there.
    pub(super) fn count(&self, place: u32) -> u64 {
        self.counts[place as usize]
    }

    /// Every combination and how often it stands there.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u32], u64)> {
        let width = self.numbers.len();
        self.counts.iter().enumerate().map(move |(at, &count)| (&self.combinations[at * width..][..width], count))
    }
}

/// Whom a row is about.
#[derive(Debug, Clone, Copy)]
pub(super) enum Whom<'a> {
    /// By a text of the table.
    Named(&'a str),
    /// By a number of whoever knows.
    Numbered(u32),
}

/// A combination under new numbers; those of a column without texts stay.
pub(super) fn renumber(combination: &[u32], renumbered: &[Vec<u32>]) -> impl Iterator<Item = u32> {
    let pairs = combination.iter().zip(renumbered);
    pairs.map(|(&number, column)| column.get(number as usize).copied().unwrap_or(number))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::BTreeMap;

    use arrow_array::StringArray;
    use proptest::prelude::*;

    use super::*;

    /// Each combination of texts and its count.
    fn listed(counts: &TextCounts) -> BTreeMap<Vec<String>, u64> {
        let texts = counts.texts();
        let words = |combination: &[u32]| {
            combination.iter().zip(&texts).map(|(&number, texts)| texts[number as usize].to_owned()).collect()
        };
        let mut listed = BTreeMap::new();
        counts.iter().for_each(|(combination, count)| *listed.entry(words(combination)).or_default() += count);
        listed
    }

    proptest! {
        #[test]
        fn joined_counts_are_those_of_a_sorted_map(
            rows in prop::collection::vec(prop::array::uniform2(prop::option::of("[ab?]{0,2}")), 0..60),
            split in 0usize..60,
            is_list: bool,
        ) {
            let markers = MissingMarkers::new(vec!["?".to_owned(), "".to_owned()]);
            let shown = |cell: &Option<String>| cell.clone().filter(|text| !markers.contain(text)).unwrap_or("?".to_owned());
            let mut slow: BTreeMap<Vec<String>, u64> = BTreeMap::new();
            rows.iter().for_each(|row| *slow.entry(row.iter().map(shown).collect()).or_default() += 1);

            let (first, second) = rows.split_at(split.min(rows.len()));
            let [mut all, other] = [first, second].map(|part| {
                let column = |column: usize| part.iter().map(|row| row[column].as_deref()).collect::<StringArray>();
                let cells = Rows::of_arrays(part.len(), (0..2).map(|at| Cow::Owned(column(at))).collect());
                let counts = if is_list { TextCounts::listing(2) } else { TextCounts::new(2) };
                let (mut counts, mut combination) = (counts, Vec::new());
                (0..part.len()).for_each(|row| counts.add_row(&cells, row, &[0, 1], None, &markers, &mut combination));
                counts
            });
            all.join(&other);
            prop_assert_eq!(listed(&all), slow);
            for column in 0..2 {
                let is_missing = rows.iter().any(|row| row[column].as_ref().is_none_or(|text| markers.contain(text)));
                prop_assert_eq!(all.has_missing(column), is_missing);
            }
        }
    }
}

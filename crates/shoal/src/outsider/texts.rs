//! Which texts stand in each column, and which number does each have?

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use shoal_core::table::MissingMarkers;

/// Numbers the texts of each column as they appear.
#[derive(Debug, Clone)]
pub(super) struct Texts {
    numbers: Vec<HashMap<Box<str>, u32, FixedState>>,
    /// Whether each column has a missing value.
    has_missing: Vec<bool>,
    /// The bytes of all texts.
    bytes: usize,
}

impl Texts {
    pub(super) fn new(columns: usize) -> Self {
        let numbers = (0..columns).map(|_| HashMap::default()).collect();
        Self { numbers, has_missing: vec![false; columns], bytes: 0 }
    }

    /// Texts that are known already, numbered by their places; of each column, the number of a missing value is told.
    pub(super) fn known(columns: &[(&[String], Option<u32>)]) -> Self {
        let mut known = Self::new(columns.len());
        for (column, (texts, missing)) in columns.iter().enumerate() {
            for text in *texts {
                known.number(column, text);
            }
            known.has_missing[column] = missing.is_some();
        }
        known
    }

    /// The number of a text.
    #[inline]
    pub(super) fn number(&mut self, column: usize, text: &str) -> u32 {
        let numbers = &mut self.numbers[column];
        if let Some(&number) = numbers.get(text) {
            return number;
        }
        let number = u32::try_from(numbers.len()).expect("a column has fewer than 2^32 distinct texts");
        numbers.insert(text.into(), number);
        self.bytes += text.len();
        number
    }

    /// The number of a cell. All missing values are one, written as the first marker.
    #[inline]
    pub(super) fn number_of_cell(&mut self, column: usize, cell: Option<&str>, markers: &MissingMarkers) -> u32 {
        let shown = cell.filter(|text| !markers.contain(text));
        self.has_missing[column] |= shown.is_none();
        self.number(column, shown.unwrap_or(markers.first()))
    }

    /// Takes over the texts of another; for each column, the numbers here of its texts there. None where its numbers stand for no texts.
    pub(super) fn adopt(&mut self, other: &Self) -> Vec<Vec<u32>> {
        let mut renumbered: Vec<Vec<u32>> = Vec::new();
        for (column, texts) in other.by_number().into_iter().enumerate() {
            renumbered.push(texts.iter().map(|text| self.number(column, text)).collect());
            self.has_missing[column] |= other.has_missing[column];
        }
        renumbered
    }

    /// The texts of each column by their number.
    pub(super) fn by_number(&self) -> Vec<Vec<&str>> {
        (0..self.columns()).map(|column| self.of_column(column)).collect()
    }

    /// The texts of a column by their number.
    pub(super) fn of_column(&self, column: usize) -> Vec<&str> {
        let numbers = &self.numbers[column];
        let mut texts = vec![""; numbers.len()];
        numbers.iter().for_each(|(text, &number)| texts[number as usize] = text);
        texts
    }

    /// Without the last column.
    #[must_use]
    pub(super) fn without_last(mut self) -> Self {
        self.has_missing.pop();
        let texts = self.numbers.pop().unwrap_or_default();
        self.bytes -= texts.keys().map(|text| text.len()).sum::<usize>();
        self
    }

    /// How many columns there are.
    pub(super) fn columns(&self) -> usize {
        self.numbers.len()
    }

    /// How many texts a column has.
    pub(super) fn len(&self, column: usize) -> usize {
        self.numbers[column].len()
    }

    /// Does a column have a missing value?
    pub(super) fn has_missing(&self, column: usize) -> bool {
        self.has_missing[column]
    }

    /// How much memory they take, near enough.
    pub(super) fn memory(&self) -> usize {
        // A text and its number in a table, and what a memory allocator adds to a small piece.
        const ENTRY: usize = size_of::<(Box<str>, u32)>() + 1;
        const OVERHEAD: usize = 16;
        let of_tables: usize = self.numbers.iter().map(|numbers| ENTRY * numbers.capacity()).sum();
        let texts: usize = self.numbers.iter().map(HashMap::len).sum();
        of_tables + OVERHEAD * texts + self.bytes
    }
}

/// The number here of what has one elsewhere; numbers that are not in the list are the same.
#[inline]
pub(super) fn renumbered(number: u32, numbers: &[u32]) -> u32 {
    numbers.get(number as usize).copied().unwrap_or(number)
}

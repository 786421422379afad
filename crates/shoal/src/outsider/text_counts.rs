//! How often does each combination of texts stand in what one thread reads?

use shoal_core::table::MissingMarkers;
use shoal_format::Rows;

use super::entries::Entries;
use super::listed::Block;
use super::numbered::Numbered;
use super::texts::{Texts, renumbered};

/// Counts combinations of texts on two levels. Quasi-identifiers make a class: there are few, and whoever looks for one finds it near the
/// processor. Of a row nothing else is kept but the number of its class and those of its other texts.
#[derive(Debug)]
pub(super) struct TextCounts {
    texts: Texts,
    /// The numbers of its texts for each class.
    classes: Numbered,
    /// A class, then the numbers of the texts of sensitive columns, then a person where it is known whose the rows are.
    entries: Entries,
    quasi: usize,
    entry: Vec<u32>,
}

impl TextCounts {
    /// Of so many columns, the person included; the first of them are quasi-identifiers.
    pub(super) fn new(quasi: usize, columns: usize) -> Self {
        Self::of(quasi, Texts::new(columns), false)
    }

    /// The same for rows of which hardly two are alike, as where it is told whose they are: they are listed, and looking for equal ones is left
    /// to whoever sorts them.
    pub(super) fn listing(quasi: usize, columns: usize) -> Self {
        Self::of(quasi, Texts::new(columns), true)
    }

    /// Of combinations that are known already: of the places of these texts, of which that of a missing value is told.
    pub(super) fn of_texts(quasi: usize, columns: &[(&[String], Option<u32>)]) -> Self {
        Self::of(quasi, Texts::known(columns), false)
    }

    fn of(quasi: usize, texts: Texts, is_list: bool) -> Self {
        let width = 1 + texts.columns() - quasi;
        let (classes, entries) = (Numbered::new(quasi), Entries::new(width, is_list));
        Self { texts, classes, entries, quasi, entry: Vec::with_capacity(width) }
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
            combination.push(self.texts.number_of_cell(column, rows.cell(row, slot), markers));
        }
        match person {
            Some(Whom::Named(person)) => combination.push(self.texts.number(slots.len(), person)),
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
            combination.push(self.texts.number_of_cell(column, *text, markers));
        }
        if let Some(person) = person {
            combination.push(self.texts.number(texts.len(), person));
        }
        self.add(combination, count);
    }

    /// Counts a combination of numbers of texts so many times.
    #[inline]
    pub(super) fn add(&mut self, combination: &[u32], count: u64) {
        let (shown, held) = combination.split_at(self.quasi);
        self.entry.clear();
        self.entry.push(self.classes.number(shown));
        self.entry.extend_from_slice(held);
        self.entries.add(&self.entry, count);
    }

    /// Forgets all combinations, but not the numbers of the texts.
    pub(super) fn clear(&mut self) {
        self.classes.clear();
        self.entries.clear();
    }

    /// The texts.
    pub(super) fn texts(&self) -> &Texts {
        &self.texts
    }

    /// How much memory the combinations take, near enough.
    pub(super) fn bytes_of_combinations(&self) -> usize {
        self.classes.memory() + self.entries.memory()
    }

    /// Every combination and how often it stands there; one may come several times.
    pub(super) fn combinations(&mut self) -> impl Iterator<Item = (Box<[u32]>, u64)> {
        self.entries.close();
        let (classes, blocks) = (&self.classes, self.entries.blocks());
        blocks.iter().flat_map(move |block| (0..block.len()).map(move |row| combination(classes, block, row)))
    }

    /// Its parts: the texts, the classes, and all entries in blocks.
    pub(super) fn into_parts(mut self) -> (Texts, Numbered, Entries) {
        self.entries.close();
        (self.texts, self.classes, self.entries)
    }
}

fn combination(classes: &Numbered, block: &Block, row: usize) -> (Box<[u32]>, u64) {
    let mut numbers = block.row(row);
    let shown = numbers.next().map_or(&[] as &[u32], |class| classes.combination(class));
    (shown.iter().copied().chain(numbers).collect(), block.count(row))
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
pub(super) fn renumber(combination: &[u32], numbers: &[Vec<u32>]) -> impl Iterator<Item = u32> {
    combination.iter().zip(numbers).map(|(&number, column)| renumbered(number, column))
}

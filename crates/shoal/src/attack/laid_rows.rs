//! What do the rows of a release show, one after the other?

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// The rows of a release in their order. What rows show is kept once; a row is two numbers.
#[derive(Debug)]
pub struct LaidRows {
    /// Columns that are no sensitive columns of both releases.
    pub(super) known: Combinations,
    /// Sensitive columns of both.
    pub(super) values: Combinations,
    /// The combination of known columns and that of sensitive ones.
    pub(super) rows: Vec<(u32, u32)>,
}

/// Combinations of texts.
#[derive(Debug)]
pub(super) struct Combinations {
    /// The texts of each column.
    texts: Vec<Numbered<String>>,
    /// The numbers of the texts of each combination.
    all: Numbered<Vec<u32>>,
}

/// Things in the order in which they came, each once.
#[derive(Debug)]
struct Numbered<T> {
    numbers: HashMap<T, u32>,
    things: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Self { numbers: HashMap::new(), things: Vec::new() }
    }

    fn number<Q: Eq + Hash + ToOwned<Owned = T> + ?Sized>(&mut self, thing: &Q) -> u32
    where
        T: Borrow<Q>,
    {
        if let Some(&number) = self.numbers.get(thing) {
            return number;
        }
        let number = self.things.len() as u32;
        self.things.push(thing.to_owned());
        self.numbers.insert(thing.to_owned(), number);
        number
    }
}

impl Combinations {
    fn new(columns: usize) -> Self {
        Self { texts: (0..columns).map(|_| Numbered::new()).collect(), all: Numbered::new() }
    }

    fn number<'t>(&mut self, texts: impl Iterator<Item = &'t str>) -> u32 {
        let numbers: Vec<u32> = self.texts.iter_mut().zip(texts).map(|(column, text)| column.number(text)).collect();
        self.all.number(numbers.as_slice())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.things.len()
    }

    /// The texts of a column.
    pub fn texts(&self, column: usize) -> &[String] {
        &self.texts[column].things
    }

    /// The number of the text that a combination has in a column.
    pub fn at(&self, combination: u32, column: usize) -> u32 {
        self.all.things[combination as usize][column]
    }

    /// The text that a combination has in a column.
    pub fn text(&self, combination: u32, column: usize) -> &str {
        &self.texts(column)[self.at(combination, column) as usize]
    }
}

impl LaidRows {
    /// So many rows are looked at: who can be linked is plain by then.
    pub const MOST: usize = 1 << 20;

    /// No rows yet, of so many columns that are known and so many sensitive ones.
    pub fn new(known: usize, values: usize) -> Self {
        Self { known: Combinations::new(known), values: Combinations::new(values), rows: Vec::new() }
    }

    /// Lays the next row behind the others, as long as more are looked at; false if not.
    pub fn push<'t>(&mut self, known: impl Iterator<Item = &'t str>, values: impl Iterator<Item = &'t str>) -> bool {
        if self.rows.len() == Self::MOST {
            return false;
        }
        self.rows.push((self.known.number(known), self.values.number(values)));
        true
    }
}

//! Which values does a counted column have in the engine, and which code has each?

use std::collections::HashMap;

use shoal::source::GroupCounter;

use crate::column::EngineColumn;
use crate::value_text::value_text;

/// The values of a counted column as the engine writes them. Several can have one code: all that mark a missing value do.
#[derive(Debug)]
pub struct Natives {
    /// The column.
    pub column: EngineColumn,
    places: HashMap<String, u32>,
    written: Vec<String>,
    codes: Vec<u32>,
    null: Option<u32>,
}

impl Natives {
    /// No value yet.
    pub fn new(column: EngineColumn) -> Self {
        Self { column, places: HashMap::new(), written: Vec::new(), codes: Vec::new(), null: None }
    }

    /// The provisional code of a value, which may be a new one; `None` is null.
    pub fn code(&mut self, place: usize, written: Option<&str>, counter: &mut GroupCounter<'_>) -> u32 {
        let Some(written) = written else { return *self.null.get_or_insert_with(|| counter.code(place, None)) };
        if let Some(&at) = self.places.get(written) {
            return self.codes[at as usize];
        }
        let kind = self.column.kind.expect("columns whose values cannot be counted were refused");
        let code = counter.code(place, Some(&value_text(kind, written)));
        self.places.insert(written.to_owned(), self.written.len() as u32);
        self.written.push(written.to_owned());
        self.codes.push(code);
        code
    }

    /// Gives all values their final codes.
    pub fn rename(&mut self, renamed: &[u32]) {
        self.codes.iter_mut().chain(&mut self.null).for_each(|code| *code = renamed[*code as usize]);
    }

    /// The code of a value that was counted.
    pub fn known(&self, written: Option<&str>) -> Option<u32> {
        match written {
            None => self.null,
            Some(written) => self.places.get(written).map(|&at| self.codes[at as usize]),
        }
    }

    /// All values but null, and the code of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.written.iter().map(String::as_str).zip(self.codes.iter().copied())
    }

    /// The code of null, if it occurs.
    pub fn null(&self) -> Option<u32> {
        self.null
    }
}

//! Which values does a counted column have in the engine, and which code has each?

use std::collections::HashMap;

use shoal::source::GroupCounter;
use shoal_core::table::MissingMarkers;

use crate::column::EngineColumn;
use crate::value_text::value_text;

/// The values of a counted column as the engine writes them. Several can have one code: all that mark a missing value do.
#[derive(Debug)]
pub struct Natives {
    /// The column.
    pub column: EngineColumn,
    places: HashMap<String, u32>,
    seen: Vec<Seen>,
    null: Option<u32>,
}

/// A value other than null.
#[derive(Debug)]
struct Seen {
    written: String,
    /// Does it mark a missing value?
    is_missing: bool,
    /// Its code; none as long as all rows with it are left out.
    code: Option<u32>,
}

impl Natives {
    /// No value yet.
    pub fn new(column: EngineColumn) -> Self {
        Self { column, places: HashMap::new(), seen: Vec::new(), null: None }
    }

    /// Takes note of a value, whether or not its rows count; is it a missing one? `None` is null.
    pub fn note(&mut self, written: Option<&str>, markers: &MissingMarkers) -> bool {
        let Some(written) = written else { return true };
        if let Some(&at) = self.places.get(written) {
            return self.seen[at as usize].is_missing;
        }
        let is_missing = markers.contain(&self.text(written));
        self.places.insert(written.to_owned(), self.seen.len() as u32);
        self.seen.push(Seen { written: written.to_owned(), is_missing, code: None });
        is_missing
    }

    /// The provisional code of a value that was noted, for rows that count.
    pub fn code(&mut self, place: usize, written: Option<&str>, counter: &mut GroupCounter<'_>) -> u32 {
        let Some(written) = written else { return *self.null.get_or_insert_with(|| counter.code(place, None)) };
        let at = *self.places.get(written).expect("the value was noted") as usize;
        if let Some(code) = self.seen[at].code {
            return code;
        }
        let code = counter.code(place, Some(&self.text(written)));
        self.seen[at].code = Some(code);
        code
    }

    fn text<'a>(&self, written: &'a str) -> std::borrow::Cow<'a, str> {
        value_text(self.column.kind.expect("columns whose values cannot be counted were refused"), written)
    }

    /// Gives all values their final codes.
    pub fn rename(&mut self, renamed: &[u32]) {
        let codes = self.seen.iter_mut().filter_map(|seen| seen.code.as_mut());
        codes.chain(&mut self.null).for_each(|code| *code = renamed[*code as usize]);
    }

    /// The code of a value that was counted.
    pub fn known(&self, written: Option<&str>) -> Option<u32> {
        match written {
            None => self.null,
            Some(written) => self.places.get(written).and_then(|&at| self.seen[at as usize].code),
        }
    }

    /// Is this a missing value? Of those that were noted, it is known.
    pub fn is_missing(&self, written: Option<&str>) -> bool {
        written.is_none_or(|written| self.places.get(written).is_some_and(|&at| self.seen[at as usize].is_missing))
    }

    /// All values but null that were counted, and the code of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.seen.iter().filter_map(|seen| Some((seen.written.as_str(), seen.code?)))
    }

    /// All values but null that mark a missing one, counted or not.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.seen.iter().filter(|seen| seen.is_missing).map(|seen| seen.written.as_str())
    }

    /// The code of null, if it was counted.
    pub fn null(&self) -> Option<u32> {
        self.null
    }
}

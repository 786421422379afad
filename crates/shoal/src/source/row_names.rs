//! What is a row called for which noise is drawn?
//!
//! Not by its number: another table has a row of that number, too, with the same noise if the key is the same, and the difference of two
//! releases would be exact. A row is called by what stands in it, so that the noise of a table follows from its rows in whatever order.

use std::borrow::Cow;

use arrow_array::{Array, StringArray};
use hashbrown::HashMap;
use sha2::{Digest, Sha256};
use shoal_core::Result;
use shoal_core::table::MissingMarkers;
use shoal_format::Batch;

/// A row, as it is told from all others of its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowName {
    /// A hash of all its cells and of the names of their columns.
    pub(super) cells: [u8; 32],
    /// How many rows before it are equal to it. Equal rows can change places, and nothing is another then.
    pub(super) earlier: u64,
}

/// The names of the rows of a table that is read from its first row to its last.
#[derive(Debug)]
pub(super) struct RowNames {
    columns: Vec<String>,
    /// The places of the columns by their names: their order in the table does not matter.
    order: Vec<usize>,
    /// How often each row was seen so far. Eight bytes of the hash are enough here: rows that share them would only be counted together.
    seen: HashMap<u64, u64>,
}

impl RowNames {
    pub(super) fn new(columns: &[String]) -> Self {
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by(|&one, &other| columns[one].cmp(&columns[other]));
        Self { columns: columns.to_vec(), order, seen: HashMap::new() }
    }

    /// The names of the rows that come next.
    pub(super) fn of(&mut self, batch: &Batch, markers: &MissingMarkers) -> Result<Vec<RowName>> {
        // Columns that are left out stand in a row, too, and may be anything.
        let texts = self.order.iter().map(|&column| batch.columns[column].text_where_any());
        let texts: Vec<Cow<'_, StringArray>> = texts.collect::<Result<_>>()?;
        let names = (0..batch.rows()).map(|row| {
            let cell = |text: &StringArray| {
                text.is_valid(row).then(|| text.value(row).to_owned()).filter(|cell| !markers.contain(cell))
            };
            let cells = self.order.iter().zip(&texts).map(|(&column, text)| (&*self.columns[column], cell(text)));
            hash(cells)
        });
        let names: Vec<[u8; 32]> = names.collect();
        Ok(names.into_iter().map(|cells| self.counted(cells)).collect())
    }

    fn counted(&mut self, cells: [u8; 32]) -> RowName {
        let [a, b, c, d, e, f, g, h, ..] = cells;
        let seen = self.seen.entry(u64::from_le_bytes([a, b, c, d, e, f, g, h])).or_default();
        let earlier = *seen;
        *seen += 1;
        RowName { cells, earlier }
    }
}

/// A hash from which each cell could be told: lengths stand before texts.
fn hash<'a>(cells: impl Iterator<Item = (&'a str, Option<String>)>) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    for (column, cell) in cells {
        add(column);
        // A cell that is not there is no empty one.
        match cell {
            Some(cell) => {
                add("+");
                add(&cell);
            }
            None => add("-"),
        }
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::BinaryArray;
    use shoal_format::Cells;

    use super::*;

    fn names(columns: &[(&str, &[Option<&str>])]) -> Vec<RowName> {
        let (names, cells): (Vec<String>, Vec<Cells>) = columns
            .iter()
            .map(|(name, cells)| ((*name).to_owned(), Cells::Text(cells.iter().copied().collect())))
            .unzip();
        let markers = MissingMarkers::new(vec!["NA".to_owned()]);
        RowNames::new(&names).of(&Batch { first_row: 1, columns: cells }, &markers).expect("texts")
    }

    #[test]
    fn rows_are_called_by_what_stands_in_them() {
        let (a, b): ([Option<&str>; 3], [Option<&str>; 3]) =
            ([Some("1"), Some("2"), Some("1")], [Some("x"), None, Some("x")]);
        let found = names(&[("a", &a), ("b", &b)]);
        assert_eq!(found[0].cells, found[2].cells);
        assert_eq!([found[0].earlier, found[1].earlier, found[2].earlier], [0, 0, 1]);
        assert_ne!(found[0].cells, found[1].cells);
        assert_eq!(names(&[("b", &b), ("a", &a)]), found, "columns in another order");
        assert_ne!(names(&[("c", &a), ("b", &b)])[0].cells, found[0].cells, "another column");
        assert_eq!(names(&[("a", &a), ("b", &[b[0], Some("NA"), b[2]])]), found, "what is missing is missing");
    }

    /// A picture is no text, but stands beside numbers.
    #[test]
    fn what_has_no_text_does_not_tell_rows_apart() {
        let pictures: [&[u8]; 4] = [b"\xff", b"x", b"\xfe", b"\xff"];
        let names = ["a", "picture"].map(str::to_owned);
        let batch = |rows: &[usize]| {
            let numbers = rows.iter().map(|row| Some(["1", "1", "1", "2"][*row])).collect();
            let pictures = BinaryArray::from_iter_values(rows.iter().map(|row| pictures[*row]));
            Batch { first_row: 1, columns: vec![Cells::Text(numbers), Cells::Typed(Arc::new(pictures))] }
        };
        let markers = MissingMarkers::new(vec![String::new()]);
        let at_once = RowNames::new(&names).of(&batch(&[0, 1, 2, 3]), &markers).expect("names");
        assert_eq!(at_once[0].cells, at_once[2].cells);
        assert_eq!([0, 1, 2, 3].map(|row: usize| at_once[row].earlier), [0, 0, 1, 0]);
        let mut one_by_one = RowNames::new(&names);
        let one_by_one = (0..4).flat_map(|row| one_by_one.of(&batch(&[row]), &markers).expect("a name"));
        assert_eq!(one_by_one.collect::<Vec<_>>(), at_once, "whatever rows are read at once");
    }

    #[test]
    fn no_two_rows_run_together() {
        let one = names(&[("a", &[Some("1+")]), ("b", &[Some("2")])]);
        let other = names(&[("a", &[Some("1")]), ("b", &[Some("+2")])]);
        assert_ne!(one, other);
        assert_ne!(names(&[("a", &[Some("-")])]), names(&[("a", &[None])]));
    }
}

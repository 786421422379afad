//! How much memory does a sheet of an OpenDocument workbook ask for?
//!
//! Cells and rows are repeated by a number, and the library makes as many of them.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::unreadable::Unreadable;

/// What a cell takes beside its text, in bytes: the value and the text of a formula, twice.
const CELL: u64 = 120;
/// What all sheets together may take.
const MOST_BYTES: u64 = 1 << 31;
/// The widest row, as in the library.
const WIDEST: u64 = 16_384;

/// Adds up what the cells of a document take once they are repeated, and refuses too much of it.
pub(super) fn check(document: impl BufRead) -> Result<(), Unreadable> {
    let mut document = Reader::from_reader(document);
    document.config_mut().check_end_names = false;
    let mut sum = Sum::default();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match document.read_event_into(&mut buffer).map_err(|_| Unreadable::Damaged)? {
            Event::Eof => return Ok(()),
            Event::Start(tag) => sum.open(&tag),
            Event::Empty(tag) => {
                sum.open(&tag);
                sum.close(tag.name().as_ref())?;
            }
            Event::End(tag) => sum.close(tag.name().as_ref())?,
            Event::Text(text) => sum.text(text.len()),
            Event::CData(text) => sum.text(text.len()),
            _ => {}
        }
    }
}

#[derive(Default)]
struct Sum {
    bytes: u64,
    row: Row,
    cell: Cell,
}

#[derive(Default)]
struct Row {
    repeats: u64,
    cells: u64,
    bytes: u64,
    /// Empty cells that count only if another one follows.
    empty: u64,
}

#[derive(Default)]
struct Cell {
    repeats: u64,
    bytes: u64,
    is_empty: bool,
}

fn is_cell(name: &str) -> bool {
    matches!(name, "table:table-cell" | "table:covered-table-cell")
}

impl Sum {
    fn open(&mut self, tag: &BytesStart<'_>) {
        match tag.name().as_ref() {
            "table:table-row" => {
                self.row = Row { repeats: number(tag, "table:number-rows-repeated"), ..Row::default() };
            }
            name if is_cell(name) => {
                let is_layout = |key: &str| matches!(key, "table:number-columns-repeated" | "table:style-name");
                let (mut is_empty, mut bytes) = (true, 0);
                for attribute in tag.attributes().with_checks(false).flatten() {
                    is_empty &= is_layout(attribute.key.as_ref());
                    bytes += attribute.value.len() as u64;
                }
                self.cell = Cell { repeats: number(tag, "table:number-columns-repeated"), bytes, is_empty };
            }
            _ => self.cell.is_empty = false,
        }
    }

    fn text(&mut self, length: usize) {
        self.cell.bytes += length as u64;
    }

    fn close(&mut self, name: &str) -> Result<(), Unreadable> {
        let Self { bytes, row, cell } = self;
        match name {
            name if is_cell(name) && cell.is_empty => row.empty += cell.repeats.min(WIDEST),
            name if is_cell(name) => {
                let repeats = cell.repeats.min(WIDEST);
                let cells = std::mem::take(&mut row.empty) + repeats;
                row.cells = (row.cells + cells).min(WIDEST);
                row.bytes = row.bytes.saturating_add(repeats.saturating_mul(cell.bytes) + cells * CELL);
            }
            "table:table-row" => {
                let repeats = if row.cells > 0 { row.repeats.min(1 << 20) } else { 0 };
                *bytes = bytes.saturating_add(row.bytes.saturating_mul(repeats));
            }
            _ => {}
        }
        match bytes.saturating_add(row.bytes) > MOST_BYTES {
            true => Err(Unreadable::too_large("its cells, repeated as it says, take more than 2 GiB")),
            false => Ok(()),
        }
    }
}

fn number(tag: &BytesStart<'_>, key: &str) -> u64 {
    let attribute = tag.attributes().with_checks(false).flatten().find(|attribute| attribute.key.as_ref() == key);
    attribute.and_then(|attribute| attribute.value.trim().parse().ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(row: &str) -> Result<(), Unreadable> {
        check(format!("<office:body><table:table>{row}</table:table></office:body>").as_bytes())
    }

    #[test]
    fn blank_cells_to_the_end_of_the_sheet_cost_nothing() {
        let blank = "<table:table-row table:number-rows-repeated=\"1048576\"><table:table-cell \
                     table:number-columns-repeated=\"16384\"/></table:table-row>";
        assert!(table(&blank.repeat(50)).is_ok());
        let value = "<table:table-row><table:table-cell office:value=\"1\"/></table:table-row>";
        assert!(table(&value.repeat(1000)).is_ok());
    }

    #[test]
    fn values_that_are_repeated_cost_what_they_ask_for() {
        let wide = "<table:table-row table:number-rows-repeated=\"1048576\"><table:table-cell \
                    table:number-columns-repeated=\"16384\" office:value=\"1\"/></table:table-row>";
        assert!(table(wide).is_err());
        let text = format!(
            "<table:table-row><table:table-cell table:number-columns-repeated=\"16384\"><text:p>{}</text:p>\
             </table:table-cell></table:table-row>",
            "x".repeat(1 << 18)
        );
        assert!(table(&text).is_err());
        let last = "<table:table-row><table:table-cell table:number-columns-repeated=\"16383\"/><table:table-cell \
                    office:value=\"1\"/></table:table-row>";
        assert!(table(last).is_ok());
        assert!(table(&last.repeat(2000)).is_err(), "blank cells before a value are made, too");
    }
}

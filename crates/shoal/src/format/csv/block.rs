//! Which cells does a run of whole CSV rows have?

use std::ops::Range;

use super::cell_end::{CellEnd, closing_quote};
use crate::format::{Dialect, Rows, Wanted};
use crate::{Error, Result};

/// Text of whole rows, and where its cells are once it was taken apart.
///
/// It finds the same cells as [`Records`](super::records::Records) and refuses the same rows, but does not say which
/// row it refuses or why: that is left to whoever reads the file again for the sake of a message.
#[derive(Debug)]
pub(in crate::format) struct CsvBlock {
    pub(super) text: Vec<u8>,
    /// The part of the text that holds the rows.
    pub(super) range: Range<usize>,
    quote: u8,
    delimiter: u8,
    columns: usize,
    spans: Vec<(u32, u32)>,
    rows: usize,
}

/// A row that cannot be right.
struct Refused;

impl CsvBlock {
    pub(super) fn new(dialect: &Dialect, columns: usize) -> Self {
        let (quote, delimiter) = (dialect.quote, dialect.delimiter);
        Self { text: Vec::new(), range: 0..0, quote, delimiter, columns, spans: Vec::new(), rows: 0 }
    }

    /// Takes the text apart; once only, since doubled quotes become single ones in place.
    pub(in crate::format) fn rows(&mut self, wanted: &Wanted) -> Result<Rows<'_>> {
        self.spans.clear();
        self.rows = 0;
        let has_quotes = self.text[self.range.clone()].contains(&self.quote);
        let split = if has_quotes { self.split_quoted(wanted.columns()) } else { self.split_plain(wanted.columns()) };
        let text = split.ok().and_then(|()| std::str::from_utf8(&self.text[..self.range.end]).ok());
        let text = text.ok_or_else(|| Error::new("a row of the table cannot be read"))?;
        Ok(Rows::of_spans(self.rows, text, &self.spans, wanted.len()))
    }

    /// Without quotes every delimiter ends a cell and every line ending a row, so there is nothing to remember from one
    /// cell to the next but where it began.
    fn split_plain(&mut self, wanted: &[bool]) -> std::result::Result<(), Refused> {
        let Self { text, range, delimiter, columns, spans, rows, .. } = self;
        let text = &text[..range.end];
        let (mut start, mut column) = (range.start, 0);
        let is_wanted = |column: usize| wanted.get(column).copied().unwrap_or(false);
        for at in CellEnd::new(*delimiter).all(text, range.start) {
            let is_row = text[at] != *delimiter;
            if !(is_row && column == 0 && start == at) {
                if is_wanted(column) {
                    spans.push((start as u32, at as u32));
                }
                column += 1;
                if is_row {
                    if column != *columns {
                        return Err(Refused);
                    }
                    (column, *rows) = (0, *rows + 1);
                }
            }
            start = at + 1;
        }
        if start < range.end || column > 0 {
            // The last row of a file may lack its line ending.
            if is_wanted(column) {
                spans.push((start as u32, range.end as u32));
            }
            if column + 1 != *columns {
                return Err(Refused);
            }
            *rows += 1;
        }
        Ok(())
    }

    fn split_quoted(&mut self, wanted: &[bool]) -> std::result::Result<(), Refused> {
        let Self { text, range, quote, delimiter, columns, spans, rows, .. } = self;
        let cell_end = CellEnd::new(*delimiter);
        let (mut at, mut column) = (range.start, 0);
        let is_line_ending = |byte: Option<&u8>| matches!(byte, Some(b'\r' | b'\n'));
        loop {
            if column == 0 {
                while is_line_ending(text[..range.end].get(at)) {
                    at += 1;
                }
                if at == range.end {
                    return Ok(());
                }
            }
            let rest = &text[..range.end];
            let (start, end, after) = if rest.get(at) == Some(quote) {
                let (closing, has_doubled) = closing_quote(rest, at + 1, *quote).ok_or(Refused)?;
                let end = if has_doubled { undouble(&mut text[at + 1..closing], *quote) + at + 1 } else { closing };
                (at + 1, end, closing + 1)
            } else {
                let end = cell_end.find(&rest[at..]).map_or(range.end, |length| at + length);
                (at, end, end)
            };
            if wanted.get(column).copied().unwrap_or(false) {
                spans.push((start as u32, end as u32));
            }
            column += 1;
            match text[..range.end].get(after) {
                Some(byte) if byte == delimiter => {}
                None | Some(b'\r' | b'\n') if column == *columns => (column, *rows) = (0, *rows + 1),
                _ => return Err(Refused),
            }
            at = (after + 1).min(range.end);
        }
    }
}

/// Makes one quote of each two; how long the text is then. What is left over becomes blank, so that it stays text.
fn undouble(text: &mut [u8], quote: u8) -> usize {
    let (mut from, mut to) = (0, 0);
    while from < text.len() {
        let byte = text[from];
        text[to] = byte;
        to += 1;
        from += if byte == quote { 2 } else { 1 };
    }
    text[to..].fill(b' ');
    to
}

/// Where the last row in `text` ends that is certain to be whole; the text begins with a row. `None` if no row is.
///
/// A quote matters only where a cell begins; until there is one the last line ending is the answer.
pub(super) fn last_border(text: &[u8], dialect: (u8, u8)) -> Option<usize> {
    let (quote, delimiter) = dialect;
    let last_line_ending =
        |from: usize, to: usize| text[from..to].iter().rposition(|byte| matches!(byte, b'\r' | b'\n'));
    let (mut from, mut at, mut last) = (0, 0, None);
    while let Some(next) = text[at..].iter().position(|&byte| byte == quote).map(|length| at + length) {
        let begins_cell = next == 0 || matches!(text[next - 1], b'\r' | b'\n') || text[next - 1] == delimiter;
        if !begins_cell {
            at = next + 1;
            continue;
        }
        last = last_line_ending(from, next).map(|length| from + length + 1).or(last);
        match closing_quote(text, next + 1, quote) {
            Some((closing, _)) if closing + 1 < text.len() => (from, at) = (closing + 1, closing + 1),
            // What follows decides whether this quote closes the cell.
            _ => return last,
        }
    }
    last_line_ending(from, text.len()).map(|length| from + length + 1).or(last)
}

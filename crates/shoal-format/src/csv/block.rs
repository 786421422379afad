//! Which cells does a run of whole CSV rows have?

use std::ops::Range;

use super::cell_end::{CellEnd, closing_quote};
use crate::formulas::escape_of;
use crate::{Dialect, Rows, Wanted};
use shoal_core::{Error, Result};

/// Text of whole rows, and where its cells are once it was taken apart.
///
/// It finds the same cells as [`Records`](super::records::Records) and refuses the same rows, but does not say which
/// row it refuses or why: that is left to whoever reads the file again for the sake of a message.
#[derive(Debug)]
pub(crate) struct CsvBlock {
    pub(super) text: Vec<u8>,
    /// The part of the text that holds the rows.
    pub(super) range: Range<usize>,
    quote: u8,
    delimiter: u8,
    /// How many cells a row has.
    cells: usize,
    /// Is the last of them no cell, but what follows a delimiter at the end of a row: nothing?
    has_tail: bool,
    spans: Vec<(u32, u32)>,
    rows: usize,
    escaped_formulas: bool,
}

/// A row that cannot be right.
struct Refused;

impl CsvBlock {
    /// For rows of so many columns, and whether each ends in a delimiter.
    pub(super) fn new(dialect: &Dialect, (columns, has_tail): (usize, bool)) -> Self {
        let (quote, delimiter, escaped_formulas) = (dialect.quote, dialect.delimiter, dialect.formulas.are_escaped());
        let (text, spans, cells) = (Vec::new(), Vec::new(), columns + usize::from(has_tail));
        Self { text, range: 0..0, quote, delimiter, cells, has_tail, spans, rows: 0, escaped_formulas }
    }

    /// Is it for rows like these?
    pub(super) fn suits(&self, dialect: &Dialect, (columns, has_tail): (usize, bool)) -> bool {
        let is_escaped = dialect.formulas.are_escaped();
        (self.quote, self.delimiter, self.cells, self.has_tail, self.escaped_formulas)
            == (dialect.quote, dialect.delimiter, columns + usize::from(has_tail), has_tail, is_escaped)
    }

    /// Takes the text apart; once only, since doubled quotes become single ones in place.
    pub(crate) fn rows(&mut self, wanted: &Wanted) -> Result<Rows<'_>> {
        self.spans.clear();
        self.rows = 0;
        let has_quotes = self.text[self.range.clone()].contains(&self.quote);
        let split = if has_quotes { self.split_quoted(wanted.columns()) } else { self.split_plain(wanted.columns()) };
        if self.escaped_formulas {
            for (start, end) in &mut self.spans {
                *start += escape_of(&self.text[*start as usize..*end as usize]) as u32;
            }
        }
        let text = split.ok().and_then(|()| std::str::from_utf8(&self.text[..self.range.end]).ok());
        let text = text.ok_or_else(|| Error::table("a row of the table cannot be read"))?;
        Ok(Rows::of_spans(self.rows, text, &self.spans, wanted.len()))
    }

    /// Without quotes every delimiter ends a cell and every line ending a row, so there is nothing to remember from one
    /// cell to the next but where it began.
    fn split_plain(&mut self, wanted: &[bool]) -> std::result::Result<(), Refused> {
        let Self { text, range, delimiter, cells, has_tail, spans, rows, .. } = self;
        let text = &text[..range.end];
        let is_blank_tail = |from: usize, to: usize| !*has_tail || text[from..to].trim_ascii().is_empty();
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
                    if column != *cells || !is_blank_tail(start, at) {
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
            if column + 1 != *cells || !is_blank_tail(start, range.end) {
                return Err(Refused);
            }
            *rows += 1;
        }
        Ok(())
    }

    fn split_quoted(&mut self, wanted: &[bool]) -> std::result::Result<(), Refused> {
        let Self { text, range, quote, delimiter, cells, has_tail, spans, rows, .. } = self;
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
                None | Some(b'\r' | b'\n') if column == *cells => {
                    if *has_tail && !text[start..end].trim_ascii().is_empty() {
                        return Err(Refused);
                    }
                    (column, *rows) = (0, *rows + 1);
                }
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
    // `contains` takes many bytes at a time, and most files have no quotes.
    if !text.contains(&quote) {
        at = text.len();
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::records::Records;
    use super::*;
    use crate::compression::Compression;
    use crate::sample_files::SampleFile;
    use crate::text::TextStream;

    type Cells = Vec<Vec<String>>;

    /// Row by row; `None` if a row is refused.
    fn by_row(file: &SampleFile, columns: usize, wanted: &[bool]) -> Option<Cells> {
        let mut records = Records::new(TextStream::open(&file.path, Compression::None, None).expect("a text"));
        let mut rows = Vec::new();
        while records.advance().ok()? {
            if records.cell_count() != columns {
                return None;
            }
            let cells = records.cells().zip(wanted).filter(|(_, wanted)| **wanted);
            let cells = cells.map(|(cell, _)| std::str::from_utf8(cell).ok().map(str::to_owned));
            rows.push(cells.collect::<Option<Vec<String>>>()?);
        }
        Some(rows)
    }

    /// The same in blocks of about so many bytes.
    fn by_block(file: &SampleFile, columns: usize, wanted: &Wanted, size: usize) -> Option<Cells> {
        let text = TextStream::open(&file.path, Compression::None, None).expect("a text");
        let mut records = Records::with_buffer(text, size);
        let mut block = CsvBlock::new(&Dialect::default(), (columns, false));
        let mut all = Vec::new();
        while let Some(range) = records.next_block(&mut block.text).ok()? {
            block.range = range;
            let rows = block.rows(wanted).ok()?;
            let cell =
                |row: usize, slot: usize| rows.cell(row, slot).expect("a CSV file has no other nothing").to_owned();
            all.extend((0..rows.len()).map(|row| (0..wanted.len()).map(|slot| cell(row, slot)).collect::<Vec<_>>()));
        }
        Some(all)
    }

    fn check(text: &[u8], columns: usize, wanted: &[bool], size: usize) -> Result<(), TestCaseError> {
        let file = SampleFile::with("a.csv", text);
        let chosen = Wanted::new((0..columns).filter(|&column| wanted[column]), columns);
        let expected = by_row(&file, columns, wanted);
        let found = by_block(&file, columns, &chosen, size);
        prop_assert_eq!(found, expected, "{:?} in blocks of {}", String::from_utf8_lossy(text), size);
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

        #[test]
        fn any_text_has_the_same_rows_in_blocks_or_is_refused_in_both(
            text in "[ab,\"\r\n\u{e9}]{1,60}",
            columns in 1usize..4,
            wanted in prop::array::uniform3(any::<bool>()),
            size in 16usize..80,
        ) {
            check(text.as_bytes(), columns, &wanted, size)?;
        }

        #[test]
        fn a_sound_table_has_the_same_rows_in_blocks(
            rows in prop::collection::vec(prop::array::uniform3("[a-c]{0,9}|\"[a,\r\n]{0,9}\"|\"(\"\"|b|\u{e9}){0,6}\"|b\"{1,3}"), 1..30),
            ending in prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n"]),
            has_last_ending in any::<bool>(),
            wanted in prop::array::uniform3(any::<bool>()),
            size in 16usize..200,
        ) {
            let mut text = rows.iter().map(|row| row.join(",")).collect::<Vec<_>>().join(ending);
            if has_last_ending {
                text.push_str(ending);
            }
            check(text.as_bytes(), 3, &wanted, size)?;
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        for text in [b"a,\xff\n".as_slice(), b"\xc3,\xbc\n", b"\"\"\"\xc3\",b\n"] {
            assert!(by_block(&SampleFile::with("a.csv", text), 2, &Wanted::all(2), 64).is_none());
        }
    }
}

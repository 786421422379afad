//! Where does a row of CSV end, and where do its cells?

use std::io::{self, Read};
use std::ops::Range;

use super::block::last_border;
use super::cell_end::{CellEnd, closing_quote};
use crate::text::TextStream;
use crate::{Dialect, MOST_COLUMNS};

/// The rows of a CSV text, one at a time, in memory that does not grow with the file.
///
/// The `csv` crate prefers a wrong parse to none: it drops the quotes of `"a"b` and does not notice a quote
/// that is never closed. A release must not differ from its input unnoticed, so both are refused here. Where
/// nothing is refused, the cells are those of the `csv` crate.
pub(super) struct Records {
    text: TextStream,
    /// A part of the text that holds the whole row.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    /// Met while looking ahead; reported when the rows before it are through.
    trouble: Option<io::Error>,
    quote: u8,
    delimiter: u8,
    cell_end: CellEnd,
    /// Where in the buffer each cell starts and ends, quotes left out.
    cells: Vec<(usize, usize)>,
    /// Which of them hold doubled quotes.
    doubled: Vec<usize>,
    line: u64,
    next_line: u64,
}

/// Why there is no next row although the text has not ended.
pub(super) enum Interruption {
    /// The text cannot be read on.
    Text(io::Error),
    /// The text ended inside quotes.
    UnclosedQuote,
    /// After a closing quote the cell goes on.
    TextAfterQuote,
    /// A row so long that its quotes cannot be right.
    TooLong,
    /// More cells than a table can have columns.
    TooWide,
}

/// What was found where a row should be.
enum Found {
    /// A row: where the next one starts, and how many line feeds there are until then.
    Row { next: usize, line_feeds: u64 },
    /// A row of which a part is not in the buffer yet.
    Part,
}

const BUFFER: usize = 1 << 18;

/// The most bytes of a row. A quote that is never closed takes everything after it for one cell; this keeps
/// the rest of a large file from being read into memory.
pub(super) const LONGEST_ROW: usize = 1 << 26;

impl Records {
    /// Takes a text and reads the beginning of it.
    pub(super) fn new(text: TextStream) -> Self {
        Self::with_buffer(text, BUFFER)
    }

    pub(super) fn with_buffer(text: TextStream, size: usize) -> Self {
        let mut records = Self {
            text,
            buffer: vec![0; size],
            start: 0,
            end: 0,
            ended: false,
            trouble: None,
            quote: b'"',
            delimiter: b',',
            cell_end: CellEnd::new(b','),
            cells: Vec::new(),
            doubled: Vec::new(),
            line: 1,
            next_line: 1,
        };
        records.fill();
        records
    }

    /// The beginning of the text, and whether that is all of it; before the first row only.
    pub(super) fn sample(&self) -> (&[u8], bool) {
        (&self.buffer[self.start..self.end], self.ended)
    }

    /// Leaves out the first lines of the text; before the first row only.
    pub(super) fn skip_lines(&mut self, lines: u64) -> Result<(), Interruption> {
        for _ in 0..lines {
            while !self.skip_line() {
                if self.ended {
                    self.start = self.end;
                    return Ok(());
                }
                self.read_on()?;
            }
        }
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        self.fill();
        Ok(())
    }

    /// Moves behind the line ending that comes next, if it is in the buffer with what may follow a carriage return.
    fn skip_line(&mut self) -> bool {
        let rest = &self.buffer[self.start..self.end];
        let Some(at) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else { return false };
        if at + 1 == rest.len() && !self.ended {
            return false;
        }
        let is_pair = rest[at] == b'\r' && rest.get(at + 1) == Some(&b'\n');
        self.next_line += u64::from(is_pair || rest[at] == b'\n');
        self.start += at + 1 + usize::from(is_pair);
        true
    }

    /// Says how the text is written; before the first row only.
    pub(super) fn set_dialect(&mut self, dialect: &Dialect) {
        (self.quote, self.delimiter) = (dialect.quote, dialect.delimiter);
        self.cell_end = CellEnd::new(dialect.delimiter);
    }

    /// Moves to the next row; false after the last. Blank lines are no rows.
    pub(super) fn advance(&mut self) -> Result<bool, Interruption> {
        self.cells.clear();
        loop {
            self.skip_line_endings();
            self.line = self.next_line;
            if self.start == self.end && self.ended {
                return Ok(false);
            }
            match self.scan()? {
                Found::Part => self.read_on()?,
                Found::Row { next, line_feeds } => {
                    self.next_line += line_feeds;
                    self.start = next;
                    self.undouble();
                    return Ok(true);
                }
            }
        }
    }

    /// Moves the text of as many whole rows as are at hand into `block`; which part of it, or `None` after the last row.
    /// From then on there are no single rows any more, and lines are not counted.
    pub(super) fn next_block(&mut self, block: &mut Vec<u8>) -> Result<Option<Range<usize>>, Interruption> {
        loop {
            self.fill();
            if let Some(trouble) = self.trouble.take() {
                return Err(Interruption::Text(trouble));
            }
            let text = &self.buffer[self.start..self.end];
            let length = if self.ended { Some(text.len()) } else { last_border(text, (self.quote, self.delimiter)) };
            if let Some(length) = length.filter(|_| !text.is_empty()) {
                let rows = self.start..self.start + length;
                std::mem::swap(&mut self.buffer, block);
                self.buffer.resize(block.len(), 0);
                (self.start, self.end) = (0, self.end - rows.end);
                self.buffer[..self.end].copy_from_slice(&block[rows.end..rows.end + self.end]);
                return Ok(Some(rows));
            }
            if self.ended {
                return Ok(None);
            }
            self.read_on()?;
        }
    }

    /// The cells of the row.
    #[inline]
    pub(super) fn cells(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.cells.iter().map(|&(start, end)| &self.buffer[start..end])
    }

    /// How many cells the row has; after an interruption, how many were complete.
    pub(super) fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// The number of the line on which the row begins.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The text the rows are in.
    pub(super) fn text(&self) -> &TextStream {
        &self.text
    }

    /// Blank lines, and the line feed after the carriage return that ended a row.
    fn skip_line_endings(&mut self) {
        while let Some(&byte @ (b'\r' | b'\n')) = self.buffer[..self.end].get(self.start) {
            self.next_line += u64::from(byte == b'\n');
            self.start += 1;
        }
    }

    /// Looks for the cells of the row that begins at `start`.
    fn scan(&mut self) -> Result<Found, Interruption> {
        let text = &self.buffer[..self.end];
        self.cells.clear();
        self.doubled.clear();
        let (mut at, mut line_feeds) = (self.start, 0);
        loop {
            if self.cells.len() > MOST_COLUMNS {
                return Err(Interruption::TooWide);
            }
            let (start, end, after) = if text.get(at) == Some(&self.quote) {
                let Some((end, has_doubled)) = closing_quote(text, at + 1, self.quote) else {
                    return if self.ended { Err(Interruption::UnclosedQuote) } else { Ok(Found::Part) };
                };
                if has_doubled {
                    self.doubled.push(self.cells.len());
                }
                line_feeds += text[at..end].iter().filter(|&&byte| byte == b'\n').count() as u64;
                (at + 1, end, end + 1)
            } else {
                let end = self.cell_end.find(&text[at..]).map_or(text.len(), |length| at + length);
                (at, end, end)
            };
            let cell = (start, end);
            match text.get(after) {
                Some(&byte) if byte == self.delimiter => {
                    self.cells.push(cell);
                    at = after + 1;
                }
                Some(&byte @ (b'\r' | b'\n')) => {
                    self.cells.push(cell);
                    return Ok(Found::Row { next: after + 1, line_feeds: line_feeds + u64::from(byte == b'\n') });
                }
                Some(_) => return Err(Interruption::TextAfterQuote),
                None if self.ended => {
                    self.cells.push(cell);
                    return Ok(Found::Row { next: after, line_feeds });
                }
                None => return Ok(Found::Part),
            }
        }
    }

    /// Makes one quote of each two. What is left over becomes blank: the buffer may go on as a block, which must be text
    /// from its beginning, and half a character would be none.
    fn undouble(&mut self) {
        for &cell in &self.doubled {
            let (start, end) = self.cells[cell];
            let (mut from, mut to) = (start, start);
            while from < end {
                let byte = self.buffer[from];
                self.buffer[to] = byte;
                to += 1;
                from += if byte == self.quote { 2 } else { 1 };
            }
            self.buffer[to..end].fill(b' ');
            self.cells[cell].1 = to;
        }
    }

    /// Reads what follows the part of the row that is in the buffer.
    fn read_on(&mut self) -> Result<(), Interruption> {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.start, self.end) = (0, self.end - self.start);
        if !self.has_room() {
            if self.buffer.len() >= LONGEST_ROW {
                return Err(Interruption::TooLong);
            }
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let known = self.end;
        self.fill();
        match self.trouble.take() {
            Some(trouble) if self.end == known => Err(Interruption::Text(trouble)),
            trouble => {
                self.trouble = trouble;
                Ok(())
            }
        }
    }

    fn has_room(&self) -> bool {
        self.buffer.len() - self.end >= TextStream::ROOM
    }

    /// Reads until the buffer is full, so that a long row is not looked at for every piece of it.
    fn fill(&mut self) {
        while self.has_room() && !self.ended && self.trouble.is_none() {
            match self.text.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(length) => self.end += length,
                Err(error) => self.trouble = Some(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::compression::Compression;
    use crate::sample_files::SampleFile;

    /// The rows with the line of each; `None` if a row is refused.
    fn records(text: &str) -> Option<Vec<(u64, Vec<Vec<u8>>)>> {
        let file = SampleFile::with("a.csv", text);
        let mut records = Records::new(TextStream::open(&file.path, Compression::None, None).expect("a text"));
        let mut rows = Vec::new();
        while records.advance().ok()? {
            rows.push((records.line(), records.cells().map(<[u8]>::to_vec).collect()));
        }
        Some(rows)
    }

    fn records_of_the_csv_crate(text: &str) -> Vec<Vec<Vec<u8>>> {
        let mut builder = ::csv::ReaderBuilder::new();
        let mut reader = builder.has_headers(false).flexible(true).from_reader(text.as_bytes());
        reader.byte_records().map(|row| row.expect("memory").iter().map(<[u8]>::to_vec).collect()).collect()
    }

    proptest! {
        #[test]
        fn rows_that_are_not_refused_are_those_of_the_csv_crate(text in "[ab,\"\r\n]{1,30}") {
            if let Some(rows) = records(&text) {
                let cells: Vec<_> = rows.into_iter().map(|(_, cells)| cells).collect();
                prop_assert_eq!(cells, records_of_the_csv_crate(&text));
            } else {
                prop_assert!(text.contains('"'), "only quotes can be wrong");
            }
        }
    }

    #[test]
    fn only_quotes_that_cannot_be_right_are_refused() {
        for text in ["\"a\"b", "\"a\" ,b", "a,\"b\\\"c\"", "\"", "a,\"b\"\"", "\"a\n"] {
            assert!(records(text).is_none(), "{text}");
        }
        for text in ["a\"b", "a\"", "\"a\"", "\"\"", "\"\"\"\"", "\"a\"\r", "\"a\n\""] {
            assert!(records(text).is_some(), "{text}");
        }
    }

    #[test]
    fn lines_are_counted_through_blank_ones_and_cells() {
        let lines = |text| records(text).expect("rows").iter().map(|(line, _)| *line).collect::<Vec<_>>();
        assert_eq!(lines("a\nb\n\nc"), [1, 2, 4]);
        assert_eq!(lines("\r\na\r\n\"b\r\n\r\nb\",\"\n\"\r\n\r\nc\r\n"), [2, 3, 8]);
    }
}

//! Where does a row of CSV end, and where do its cells?

use std::io::{self, Read};

use csv_core::ReadRecordResult;

use crate::format::Dialect;
use crate::format::text::TextStream;

/// The rows of a CSV text, one at a time, in memory that does not grow with the file.
pub(super) struct Records {
    text: TextStream,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    /// Met while looking ahead; reported when the rows before it are through.
    trouble: Option<io::Error>,
    core: csv_core::Reader,
    cells: Vec<u8>,
    cell_bytes: usize,
    ends: Vec<usize>,
    cell_count: usize,
    /// Did the row end with a line feed, which then is counted already?
    passed_line_feed: bool,
}

/// Why there is no next row although the text has not ended.
pub(super) enum Interruption {
    /// The text cannot be read on.
    Text(io::Error),
    /// The text ended inside quotes.
    UnclosedQuote,
    /// A row so long that its quotes cannot be right.
    TooLong,
}

const BUFFER: usize = 1 << 18;

/// The most bytes of a row. A quote that is never closed takes everything after it for one cell; this keeps
/// the rest of a large file from being read into memory.
pub(super) const LONGEST_ROW: usize = 1 << 26;

impl Records {
    /// Takes a text and reads the beginning of it.
    pub(super) fn new(text: TextStream) -> Self {
        let mut records = Self {
            text,
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            ended: false,
            trouble: None,
            core: csv_core::Reader::new(),
            cells: vec![0; 1 << 12],
            cell_bytes: 0,
            ends: vec![0; 1 << 6],
            cell_count: 0,
            passed_line_feed: false,
        };
        while records.end < BUFFER && !records.ended && records.trouble.is_none() {
            records.read_text();
        }
        records
    }

    /// The beginning of the text, and whether that is all of it; before the first row only.
    pub(super) fn sample(&self) -> (&[u8], bool) {
        (&self.buffer[..self.end], self.ended)
    }

    /// Says how the text is written; before the first row only.
    pub(super) fn set_dialect(&mut self, dialect: &Dialect) {
        self.core = csv_core::ReaderBuilder::new().delimiter(dialect.delimiter).quote(dialect.quote).build();
    }

    /// Moves to the next row; false after the last. Blank lines are no rows.
    pub(super) fn advance(&mut self) -> Result<bool, Interruption> {
        (self.cell_bytes, self.cell_count, self.passed_line_feed) = (0, 0, false);
        loop {
            if self.start == self.end && !self.ended {
                self.refill().map_err(Interruption::Text)?;
            }
            let at_end = self.start == self.end && self.ended;
            // A line ending after the last byte tells a row that lacks one from a row inside quotes.
            let input = if at_end { b"\n".as_slice() } else { &self.buffer[self.start..self.end] };
            let (cells, ends) = (&mut self.cells[self.cell_bytes..], &mut self.ends[self.cell_count..]);
            let (result, read, written, ended) = self.core.read_record(input, cells, ends);
            self.cell_bytes += written;
            self.cell_count += ended;
            if result == ReadRecordResult::Record {
                self.passed_line_feed = input[read - 1] == b'\n';
            }
            if !at_end {
                self.start += read;
            }
            match result {
                ReadRecordResult::Record => return Ok(true),
                ReadRecordResult::End => return Ok(false),
                ReadRecordResult::InputEmpty if at_end && self.cell_bytes > 0 => {
                    return Err(Interruption::UnclosedQuote);
                }
                ReadRecordResult::InputEmpty if at_end => return Ok(false),
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull if self.cells.len() >= LONGEST_ROW => return Err(Interruption::TooLong),
                ReadRecordResult::OutputFull => self.cells.resize(self.cells.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
            }
        }
    }

    /// The cells of the row.
    #[inline]
    pub(super) fn cells(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let mut start = 0;
        self.ends[..self.cell_count].iter().map(move |&end| &self.cells[std::mem::replace(&mut start, end)..end])
    }

    /// How many cells the row has; after an interruption, how many were complete.
    pub(super) fn cell_count(&self) -> usize {
        self.cell_count
    }

    /// The number of the line on which the row begins.
    ///
    /// The parser counts the line feeds it has passed; those in the row come after its beginning.
    pub(super) fn line(&self) -> u64 {
        let inside = self.cells[..self.cell_bytes].iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.core.line() - inside - u64::from(self.passed_line_feed)
    }

    /// The text the rows are in.
    pub(super) fn text(&self) -> &TextStream {
        &self.text
    }

    fn refill(&mut self) -> io::Result<()> {
        (self.start, self.end) = (0, 0);
        if self.trouble.is_none() {
            self.read_text();
        }
        self.trouble.take().map_or(Ok(()), Err)
    }

    fn read_text(&mut self) {
        match self.text.read(&mut self.buffer[self.end..]) {
            Ok(0) => self.ended = true,
            Ok(length) => self.end += length,
            Err(error) => self.trouble = Some(error),
        }
    }
}

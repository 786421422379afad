//! How is a table read from delimited text?

use std::path::PathBuf;

use arrow_array::builder::BinaryBuilder;
use arrow_array::{BinaryArray, StringArray};

use super::block::CsvBlock;
use super::detect::{self, Sample};
use super::records::{Interruption, LONGEST_ROW, Records};
use super::shape::Shape;
use crate::block::{Block, Content};
use crate::compression::Compression;
use crate::formulas::escape_of;
use crate::text::{TextStream, malformed};
use crate::{Batch, Cells, Dialect, Formulas, InputFormat, MOST_COLUMNS, TableReader, column_names, empty, room};
use shoal_core::{Error, Result};

/// Reads CSV.
pub(crate) struct CsvReader {
    path: PathBuf,
    input: InputFormat,
    compression: Compression,
    dialect: Dialect,
    shape: Shape,
    columns: Vec<String>,
    records: Records,
    /// Is the row that `records` stands at still to be handed out?
    has_row: bool,
    /// How many rows were handed out.
    rows: u64,
}

/// A batch ends early when its cells take this much, so that long texts do not add up.
const BATCH_BYTES: usize = 1 << 25;

const HEADER_HINT: &str = "if the first row is data, say `header = false` in [input], or `--header false`";

const NAMES_HINT: &str = "let every column have a name of its own in the file; if the first row is data, say `header = false` in [input], or `--header false`";

impl CsvReader {
    /// Opens a file, detects its dialect, reads its header and makes sure there is a row.
    pub(crate) fn open(input: &InputFormat, compression: Compression) -> Result<Self> {
        input.check_delimiter_and_quote()?;
        let text = TextStream::of(input.open()?, &input.path, compression, input.known_encoding()?)?;
        let (encoding, byte_order_mark) = (text.encoding(), text.byte_order_mark());
        let formulas = Formulas::new(input.escaped_formulas);
        let dialect = Dialect { encoding, byte_order_mark, formulas, ..Dialect::default() }.for_name(&input.path);
        let mut records = Records::new(text);
        records.skip_lines(input.skip).map_err(|interruption| match interruption {
            Interruption::Text(error) => records.text().explain(&error, input.path.display()),
            _ => Error::table(format!("{}: a line that `skip` leaves out has no end", input.path.display())),
        })?;
        let (text, whole) = records.sample();
        let sample = Sample { text, whole };
        let dialect = detect::dialect(sample, input, dialect);
        let shape = detect::shape(sample, &dialect);
        records.set_dialect(&dialect);
        let mut reader = Self {
            path: input.path.clone(),
            input: input.clone(),
            compression,
            dialect,
            shape,
            columns: Vec::new(),
            records,
            has_row: false,
            rows: 0,
        };
        reader.read_header()?;
        Ok(reader)
    }

    fn read_header(&mut self) -> Result<()> {
        if !self.advance()? {
            let path = self.path.display();
            return Err(match self.input.skip {
                0 => empty(path),
                1 => Error::table(format!("{path} has nothing after the line that `skip` leaves out")),
                lines => Error::table(format!("{path} has nothing after the {lines} lines that `skip` leaves out")),
            });
        }
        if !self.dialect.header {
            self.columns = (1..=self.records.cell_count()).map(|place| format!("column{place}")).collect();
            self.has_row = true;
            return Ok(());
        }
        let name = |(at, cell): (usize, &[u8])| match std::str::from_utf8(cell) {
            Ok(name) => Ok(name.to_owned()),
            Err(_) => {
                Err(malformed(self.dialect.encoding).at(format!("{}, header, cell {}", self.path.display(), at + 1)))
            }
        };
        let mut names: Vec<String> = self.records.cells().enumerate().map(name).collect::<Result<_>>()?;
        match self.shape {
            Shape::RowNames => names.insert(0, String::new()),
            Shape::Tail => names.truncate(names.len() - usize::from(names.last().is_some_and(|name| is_blank(name)))),
            Shape::AsNamed => {}
        }
        self.columns =
            column_names::completed(names).map_err(|error| error.at(self.path.display()).hint(NAMES_HINT))?;
        self.has_row = self.advance()?;
        if self.has_row || self.input.is_part {
            return Ok(());
        }
        Err(Error::table(format!("{} has a header but no rows", self.path.display())).hint(HEADER_HINT))
    }

    /// Moves to the next row of the text; false after the last.
    fn advance(&mut self) -> Result<bool> {
        self.records.advance().map_err(|interruption| self.interrupted(&interruption))
    }

    fn interrupted(&self, interruption: &Interruption) -> Error {
        let hint = "close the quote; if it belongs to the text, double it or set `quote` to another character";
        let cell = match self.columns.get(self.records.cell_count()) {
            Some(column) => format!("{}, column `{column}`", self.place()),
            None => self.place(),
        };
        match interruption {
            Interruption::Text(error) => self.records.text().explain(error, cell),
            Interruption::TextAfterQuote => Error::table("text follows a closing quote")
                .at(cell)
                .hint("double a quote that belongs to the text, with no backslash before it"),
            Interruption::UnclosedQuote => {
                Error::table("a quote opens here that is never closed").at(self.place()).hint(hint)
            }
            Interruption::TooWide => Error::table(format!("the row has more than {MOST_COLUMNS} cells"))
                .at(self.place())
                .hint("one row is one record; check `delimiter`, and how the lines of the file end"),
            Interruption::TooLong => {
                let message = format!("the row is longer than {} MiB", LONGEST_ROW >> 20);
                Error::table(message).at(self.place()).detail("it may hold a quote that is never closed").hint(hint)
            }
        }
    }

    /// The row `records` stands at, or is about to reach.
    fn place(&self) -> String {
        let (path, line) = (self.path.display(), self.records.line());
        if self.columns.is_empty() && self.dialect.header {
            return format!("{path}, header (line {line})");
        }
        format!("{path}, row {} (line {line})", self.rows + 1)
    }

    /// How many cells a row has.
    fn cells(&self) -> usize {
        self.columns.len() + usize::from(self.shape == Shape::Tail)
    }

    /// A row ends in a delimiter behind which something stands, where nothing does in the first rows.
    fn beyond(&self) -> Error {
        Error::table("a cell stands behind the last column that has a name")
            .at(self.place())
            .hint("the rows before it end in a delimiter and nothing else; name the column in the header, or take the cell away")
    }

    fn ragged(&self) -> Error {
        let count = |cells: usize| if cells == 1 { "1 cell".to_owned() } else { format!("{cells} cells") };
        let other = if self.dialect.header { "the header" } else { "the first row" };
        let (here, there) = (self.records.cell_count(), self.cells());
        let hint = match here < there {
            true => {
                "complete the row, or delete it where it is none of the table, as a total or a source below it is; or check `delimiter` and `quote`"
            }
            false => "put cells that hold a delimiter or a line break in quotes, and check `delimiter` and `quote`",
        };
        Error::table(format!("{} where {other} has {there}", count(here))).at(self.place()).hint(hint)
    }

    /// The cells as text; they are checked here all at once since that is much quicker than one by one.
    fn text(&self, first_row: u64, column: usize, cells: BinaryArray) -> Result<StringArray> {
        StringArray::try_from_binary(cells.clone()).map_err(|_| {
            let is_text = |cell: Option<&[u8]>| cell.is_none_or(|cell| std::str::from_utf8(cell).is_ok());
            let row = first_row + cells.iter().position(|cell| !is_text(cell)).unwrap_or(0) as u64;
            let place = format!("{}, row {row}, column `{}`", self.path.display(), self.columns[column]);
            malformed(self.dialect.encoding).at(place)
        })
    }
}

impl TableReader for CsvReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let first_row = self.rows + 1;
        let most = room(self.columns.len());
        let builder = |_| BinaryBuilder::with_capacity(most, most * 8);
        let mut columns: Vec<BinaryBuilder> = (0..self.columns.len()).map(builder).collect();
        let (mut rows, mut bytes) = (0, 0);
        while self.has_row && rows < most && bytes < BATCH_BYTES {
            if self.records.cell_count() != self.cells() {
                return Err(self.ragged());
            }
            if self.shape == Shape::Tail
                && self.records.cells().last().is_some_and(|cell| !cell.trim_ascii().is_empty())
            {
                return Err(self.beyond());
            }
            for (column, cell) in columns.iter_mut().zip(self.records.cells()) {
                let escape = if self.dialect.formulas.are_escaped() { escape_of(cell) } else { 0 };
                column.append_value(&cell[escape..]);
                bytes += cell.len();
            }
            rows += 1;
            self.rows += 1;
            self.has_row = self.advance()?;
        }
        if rows == 0 {
            return Ok(None);
        }
        let cells =
            |(at, mut cells): (usize, BinaryBuilder)| Ok(Cells::Text(self.text(first_row, at, cells.finish())?));
        let columns = columns.into_iter().enumerate().map(cells).collect::<Result<_>>()?;
        Ok(Some(Batch { first_row, columns }))
    }

    fn next_block(&mut self, block: &mut Block) -> Result<bool> {
        let layout = (self.columns.len(), self.shape == Shape::Tail);
        if !matches!(&block.content, Content::Csv(block) if block.suits(&self.dialect, layout)) {
            block.content = Content::Csv(CsvBlock::new(&self.dialect, layout));
        }
        let Content::Csv(block) = &mut block.content else { return Ok(false) };
        if std::mem::take(&mut self.has_row) {
            block.text.clear();
            quote_row(self.records.cells(), &self.dialect, &mut block.text);
            block.range = 0..block.text.len();
            return Ok(true);
        }
        let range = self.records.next_block(&mut block.text).map_err(|interruption| self.interrupted(&interruption))?;
        block.range = range.clone().unwrap_or(0..0);
        Ok(range.is_some())
    }

    /// Reads the file once more, row by row, up to what is wrong with it.
    fn explain(&self, error: Error) -> Error {
        let read = || -> Result<()> {
            let mut reader = Self::open(&self.input, self.compression)?;
            while reader.next_batch()?.is_some() {}
            Ok(())
        };
        read().err().unwrap_or(error)
    }

    fn dialect(&self) -> Dialect {
        self.dialect.clone()
    }
}

fn is_blank(name: &str) -> bool {
    name.trim().is_empty()
}

/// Writes a row that was taken apart as text again.
fn quote_row<'a>(cells: impl Iterator<Item = &'a [u8]>, dialect: &Dialect, text: &mut Vec<u8>) {
    for (at, cell) in cells.enumerate() {
        text.extend((at > 0).then_some(dialect.delimiter));
        text.push(dialect.quote);
        for &byte in cell {
            text.extend(std::iter::repeat_n(byte, if byte == dialect.quote { 2 } else { 1 }));
        }
        text.push(dialect.quote);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_files::{Rows, SampleFile, read};
    use crate::{BATCH_ROWS, LineEnding, open};

    fn rows(rows: &[&[&str]]) -> Rows {
        rows.iter().map(|row| row.iter().map(|&cell| Some(cell.to_owned())).collect()).collect()
    }

    #[test]
    fn cells_are_read_as_they_stand() {
        let file = SampleFile::with("a.csv", "a,b c\n 1,\"x\"\"y\"\n,\"2\n3\"\n\n\"\",é");
        let (columns, cells) = file.read().expect("a table");
        assert_eq!(columns, ["a", "b c"]);
        assert_eq!(cells, rows(&[&[" 1", "x\"y"], &["", "2\n3"], &["", "é"]]));
    }

    #[test]
    fn columns_without_a_header_are_numbered() {
        let file = SampleFile::with("a.csv", "1;x\r\n2;y\r\n3;x\r\n");
        let (columns, cells) = file.read().expect("a table");
        assert_eq!(columns, ["column1", "column2"]);
        assert_eq!(cells, rows(&[&["1", "x"], &["2", "y"], &["3", "x"]]));
        let named = InputFormat { header: Some(true), ..file.input() };
        assert_eq!(read(&named).expect("a table").0, ["1", "x"]);
    }

    #[test]
    fn the_dialect_is_remembered() {
        let utf_16: Vec<u8> = "\u{feff}a;b\r\n1;ü\r\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let file = SampleFile::with("a.csv", utf_16);
        let reader = open(&file.input()).expect("a table");
        let expected = Dialect {
            delimiter: b';',
            line_ending: LineEnding::CrLf,
            encoding: encoding_rs::UTF_16BE,
            byte_order_mark: true,
            ..Dialect::default()
        };
        assert_eq!(reader.dialect(), expected);
        assert_eq!(file.read().expect("a table").1, rows(&[&["1", "ü"]]));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_name_and_overrules_the_encoding() {
        let file = SampleFile::with("a.csv", "\u{feff}a,b\nä,1\n");
        let input = InputFormat { encoding: Some("latin1".to_owned()), ..file.input() };
        assert_eq!(read(&input).expect("a table"), (vec!["a".to_owned(), "b".to_owned()], rows(&[&["ä", "1"]])));
        assert!(open(&input).expect("a table").dialect().byte_order_mark);
    }

    #[test]
    fn an_encoding_is_decoded() {
        let file = SampleFile::with("a.csv", b"a,b\nM\xfcller,1\n");
        let input = InputFormat { encoding: Some("latin1".to_owned()), ..file.input() };
        assert_eq!(read(&input).expect("a table").1, rows(&[&["Müller", "1"]]));
    }

    #[test]
    fn batches_end_where_they_should() {
        let count = BATCH_ROWS * 2 + 7;
        let text: String = (0..count).map(|row| format!("{row},x{row}\n")).collect();
        let file = SampleFile::with("a.csv", format!("n,t\n{text}"));
        let mut reader = open(&file.input()).expect("a table");
        let mut sizes = Vec::new();
        while let Some(batch) = reader.next_batch().expect("a batch") {
            sizes.push((batch.first_row, batch.rows()));
        }
        let size = BATCH_ROWS as u64;
        assert_eq!(sizes, [(1, BATCH_ROWS), (size + 1, BATCH_ROWS), (2 * size + 1, 7)]);
        let (_, cells) = file.read().expect("a table");
        let is_right =
            |(at, row): (usize, &Vec<Option<String>>)| row[..] == [Some(at.to_string()), Some(format!("x{at}"))];
        assert!(cells.iter().enumerate().all(is_right) && cells.len() == count);
    }

    #[test]
    fn long_cells_make_short_batches() {
        let long = "x".repeat(BATCH_BYTES / 2);
        let file = SampleFile::with("a.csv", format!("a\n{long}\n{long}\n{long}\n"));
        let mut reader = open(&file.input()).expect("a table");
        let first = reader.next_batch().expect("a batch").expect("a batch");
        assert_eq!(first.rows(), 2);
    }
}

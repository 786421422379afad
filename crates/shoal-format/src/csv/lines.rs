//! How does a cell stand in a line of CSV?

use crate::{Dialect, Formulas, LineEnding};

/// Writes rows as lines of text in a dialect, as the `csv` crate would: with quotes only where they are needed.
#[derive(Debug, Clone)]
pub struct Lines {
    quote: u8,
    delimiter: u8,
    line_ending: &'static [u8],
    needs_quotes: [bool; 256],
    missing_marker: String,
    formulas: Formulas,
}

impl Lines {
    pub(super) fn new(dialect: &Dialect, missing_marker: &str) -> Self {
        let mut needs_quotes = [false; 256];
        for byte in [dialect.quote, dialect.delimiter, b'\r', b'\n'] {
            needs_quotes[usize::from(byte)] = true;
        }
        let line_ending: &[u8] = match dialect.line_ending {
            LineEnding::Lf => b"\n",
            LineEnding::CrLf => b"\r\n",
        };
        let (quote, delimiter, missing_marker) = (dialect.quote, dialect.delimiter, missing_marker.to_owned());
        let formulas = dialect.formulas.clone();
        Self { quote, delimiter, line_ending, needs_quotes, missing_marker, formulas }
    }

    /// Appends the cell at a place of a row of `columns` cells, and what follows it. No text is a missing value.
    #[inline]
    pub fn push(&self, cell: Option<&str>, place: usize, columns: usize, line: &mut Vec<u8>) {
        let cell = cell.unwrap_or(&self.missing_marker).as_bytes();
        let before = self.formulas.before(cell);
        // An empty cell alone in its row would be a blank line, which is no row.
        let needs_quotes = |byte: &u8| self.needs_quotes[usize::from(*byte)];
        if cell.iter().any(needs_quotes) || before.iter().any(needs_quotes) || (cell.is_empty() && columns == 1) {
            line.push(self.quote);
            for &byte in before.iter().chain(cell) {
                line.push(byte);
                if byte == self.quote {
                    line.push(byte);
                }
            }
            line.push(self.quote);
        } else {
            line.extend_from_slice(before);
            line.extend_from_slice(cell);
        }
        if place + 1 < columns {
            line.push(self.delimiter);
        } else {
            line.extend_from_slice(self.line_ending);
        }
    }
}

#[cfg(test)]
mod tests {
    use ::csv::{Terminator, WriterBuilder};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_are_those_of_the_csv_crate(
            rows in (1usize..4).prop_flat_map(|columns| {
                prop::collection::vec(prop::collection::vec("[a;,'\"\r\n \u{e9}]{0,5}", columns), 0..5)
            }),
            delimiter in prop::sample::select(b",;\t".as_slice()),
            quote in prop::sample::select(b"\"'".as_slice()),
            is_crlf in any::<bool>(),
        ) {
            let line_ending = if is_crlf { LineEnding::CrLf } else { LineEnding::Lf };
            let lines = Lines::new(&Dialect { delimiter, quote, line_ending, ..Dialect::default() }, "");
            let terminator = if is_crlf { Terminator::CRLF } else { Terminator::Any(b'\n') };
            let mut builder = WriterBuilder::new();
            let mut slow = builder.delimiter(delimiter).quote(quote).terminator(terminator).from_writer(Vec::new());
            let mut text = Vec::new();
            for row in &rows {
                slow.write_record(row).expect("memory");
                row.iter().enumerate().for_each(|(at, cell)| lines.push(Some(cell), at, row.len(), &mut text));
            }
            prop_assert_eq!(text, slow.into_inner().expect("memory"));
        }
    }
}

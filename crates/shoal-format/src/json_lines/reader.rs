//! How is a table read from JSON lines?

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use arrow_array::builder::StringBuilder;
use hashbrown::HashMap;

use super::object::each_member;
use crate::compression::Compression;
use crate::text::{TextStream, malformed};
use crate::{Batch, Cells, InputFormat, TableReader, column_names, empty, room};
use shoal_core::{Error, Result};

/// Reads JSON lines; the keys of the first object are the columns.
pub(crate) struct JsonLinesReader {
    path: PathBuf,
    columns: Vec<String>,
    places: HashMap<String, usize>,
    text: BufReader<TextStream>,
    /// The line of the row to be handed out next; none after the last.
    line: Option<String>,
    line_number: u64,
    /// How many rows were handed out.
    rows: u64,
}

/// A batch ends early when its lines take this much, so that long texts do not add up.
const BATCH_BYTES: usize = 1 << 25;

/// The most bytes of a line: a large array on one line, which is no table, should not be read into memory.
const LONGEST_LINE: u64 = 1 << 26;

impl JsonLinesReader {
    /// Opens a file and takes the columns from its first object.
    pub(crate) fn open(input: &InputFormat, compression: Compression) -> Result<Self> {
        let path = &input.path;
        let text = BufReader::with_capacity(1 << 16, TextStream::of(input.open()?, path, compression, None)?);
        let mut reader = Self {
            path: path.to_owned(),
            columns: Vec::new(),
            places: HashMap::new(),
            text,
            line: Some(String::new()),
            line_number: 0,
            rows: 0,
        };
        reader.advance()?;
        let Some(line) = &reader.line else {
            return Err(empty(path.display()));
        };
        let mut columns = Vec::new();
        let named = each_member(line, |key, _| {
            columns.push(key.to_owned());
            column_names::check_count(columns.len())
        });
        named.and_then(|()| column_names::check(&columns)).map_err(|error| error.at(reader.place()))?;
        if columns.is_empty() {
            return Err(Error::table("the first object has no keys").at(reader.place()));
        }
        reader.places = columns.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect();
        reader.columns = columns;
        Ok(reader)
    }

    fn place(&self) -> String {
        format!("{}, row {} (line {})", self.path.display(), self.rows + 1, self.line_number)
    }

    /// Moves to the next line that is not blank.
    fn advance(&mut self) -> Result<()> {
        let Some(line) = self.line.take() else { return Ok(()) };
        let mut bytes = line.into_bytes();
        loop {
            bytes.clear();
            self.line_number += 1;
            let read = self.text.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
            if read.map_err(|error| self.text.get_ref().explain(&error, self.place()))? == 0 {
                return Ok(());
            }
            if bytes.len() as u64 == LONGEST_LINE {
                let message = format!("the line is longer than {} MiB", LONGEST_LINE >> 20);
                return Err(Error::table(message).at(self.place()).hint("write one object a line"));
            }
            // Without its line ending, which would seem to be a part of a string that is not closed.
            bytes.truncate(bytes.trim_ascii_end().len());
            if !bytes.is_empty() {
                break;
            }
        }
        let encoding = self.text.get_ref().encoding();
        self.line = Some(String::from_utf8(bytes).map_err(|_| malformed(encoding).at(self.place()))?);
        Ok(())
    }

    /// Appends the values of a line to their columns, null where a key is absent.
    fn append(&self, line: &str, columns: &mut [StringBuilder], filled: &mut [bool]) -> Result<()> {
        filled.fill(false);
        let mut expected = 0;
        each_member(line, |key, value| {
            // Keys mostly come in the same order; then they need not be looked up.
            let in_order = self.columns.get(expected).is_some_and(|name| name == key);
            let found = if in_order { Some(expected) } else { self.places.get(key).copied() };
            let column = found.ok_or_else(|| {
                Error::table("a key that the first object does not have").hint("give the first object every key")
            })?;
            check_value(value).map_err(|error| error.at(format!("column `{}`", self.columns[column])))?;
            if std::mem::replace(&mut filled[column], true) {
                return Err(Error::table(format!("the key `{}` stands twice", self.columns[column])));
            }
            columns[column].append_value(value);
            expected = column + 1;
            Ok(())
        })?;
        for (column, _) in columns.iter_mut().zip(filled).filter(|(_, filled)| !**filled) {
            column.append_null();
        }
        Ok(())
    }
}

/// Refuses what is no single value.
fn check_value(value: &str) -> Result<()> {
    if value.starts_with(['{', '[']) {
        return Err(Error::table("a nested value").hint("flatten it into columns of their own, or leave it out"));
    }
    // Half of a surrogate pair passes as JSON and yet is no text.
    if value.contains('\\') && serde_json::from_str::<String>(value).is_err() {
        return Err(Error::table("a string with an escape that stands for no character"));
    }
    Ok(())
}

impl TableReader for JsonLinesReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let first_row = self.rows + 1;
        let most = room(self.columns.len());
        let builder = |_| StringBuilder::with_capacity(most, most * 8);
        let mut columns: Vec<StringBuilder> = (0..self.columns.len()).map(builder).collect();
        let mut filled = vec![false; self.columns.len()];
        let (mut rows, mut bytes) = (0, 0);
        while rows < most && bytes < BATCH_BYTES {
            let Some(line) = &self.line else { break };
            self.append(line, &mut columns, &mut filled).map_err(|error| error.at(self.place()))?;
            bytes += line.len();
            rows += 1;
            self.rows += 1;
            self.advance()?;
        }
        if rows == 0 {
            return Ok(None);
        }
        let columns = columns.iter_mut().map(|cells| Cells::Json(cells.finish())).collect();
        Ok(Some(Batch { first_row, columns }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BATCH_ROWS;
    use crate::sample_files::SampleFile;

    fn refusal(text: impl AsRef<[u8]>) -> String {
        SampleFile::with("a.jsonl", text).refusal().lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn the_first_object_names_the_columns_and_absent_keys_are_null() {
        let file = SampleFile::with(
            "a.jsonl",
            "\u{feff}{\"b\":1.0,\"a\":\"x\\u00e4\"}\r\n\n  {\"a\":null}\n{\"a\":true,\"b\":\"\"}",
        );
        let (columns, rows) = file.read().expect("a table");
        assert_eq!(columns, ["b", "a"]);
        let cell = |text: &str| Some(text.to_owned());
        assert_eq!(rows, [[cell("1.0"), cell("xä")], [None, None], [cell(""), cell("true")]]);
    }

    #[test]
    fn batches_end_where_they_should() {
        let count = BATCH_ROWS + 3;
        let text: String = (0..count).map(|row| format!("{{\"n\":{row}}}\n")).collect();
        let (_, rows) = SampleFile::with("a.jsonl", text).read().expect("a table");
        assert_eq!(rows.len(), count);
        assert!(rows.iter().enumerate().all(|(at, row)| row[0] == Some(at.to_string())));
    }

    #[test]
    fn refusals_say_where_and_never_what() {
        let first = "{\"a\":1,\"b\":2}\n\n";
        for (second, message) in [
            ("{\"a\":1,\"secret\":2}", "a key that the first object does not have"),
            ("{\"a\":[\"secret\"]}", "column `a`: a nested value"),
            ("{\"b\":{\"secret\":1}}", "column `b`: a nested value"),
            ("{\"a\":1,\"a\":2}", "the key `a` stands twice"),
            ("{\"a\":secret}", "not valid JSON at byte 6 of the line"),
            ("{\"a\":\"secret", "the JSON object ends too early"),
            ("{\"a\":\"secret\\ud800\"}", "column `a`: a string with an escape that stands for no character"),
            ("\"secret\"", "not a JSON object"),
        ] {
            assert_eq!(refusal(format!("{first}{second}\n")), format!("FILE, row 2 (line 3): {message}"));
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_placed() {
        assert_eq!(refusal(b"{\"a\":1}\n{\"a\":\"\xff\"}\n"), "FILE, row 2 (line 2): the bytes are not valid utf-8");
        assert_eq!(
            refusal(b"{\"a\":1}\n{\"a\":\"\x00\"}\n"),
            "FILE, row 2 (line 2): a zero byte: this is not a text file"
        );
    }

    #[test]
    fn a_file_that_is_all_one_line_is_given_up_early() {
        let line = format!("[{}]", "{\"a\":1},".repeat(LONGEST_LINE as usize / 8));
        assert_eq!(refusal(line), "FILE, row 1 (line 1): the line is longer than 64 MiB");
    }

    #[test]
    fn an_object_of_more_keys_than_a_table_has_columns_is_given_up_early() {
        let keys: Vec<String> = (0..100_000).map(|at| format!("\"{at}\":1")).collect();
        let line = format!("{{{}}}", keys.join(","));
        assert_eq!(refusal(line), "FILE, row 1 (line 1): there are more than 65536 columns");
    }

    #[test]
    fn deeply_nested_values_are_refused() {
        let nested = format!("{{\"a\":{}1{}}}", "[".repeat(1 << 20), "]".repeat(1 << 20));
        assert!(refusal(nested).starts_with("FILE, row 1 (line 1): "));
    }

    #[test]
    fn a_table_needs_columns() {
        assert_eq!(refusal(""), "FILE is empty");
        assert_eq!(refusal("\n \n"), "FILE is empty");
        assert_eq!(refusal("{}\n"), "FILE, row 1 (line 1): the first object has no keys");
        assert_eq!(refusal("{\"a\":1,\"a\":2}"), "FILE, row 1 (line 1): columns 1 and 2 are both named `a`");
        assert_eq!(refusal("[{\"a\":1}]"), "FILE, row 1 (line 1): not a JSON object");
    }
}

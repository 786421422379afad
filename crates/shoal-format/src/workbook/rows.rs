//! How do the cells of a sheet, one after the other, become rows of a table?

use std::borrow::Cow;

use arrow_array::builder::StringBuilder;

use super::Part;
use crate::{Batch, Cells, MOST_COLUMNS, column_names, empty, room};
use shoal_core::{Error, Result};

/// What a sheet can have; a file may claim more.
pub(super) const MOST_ROWS: u32 = 1 << 20;
/// What a row may take, as in CSV: cells of a workbook can share a text, so that a small file can ask for any length.
pub(super) const LONGEST_ROW: usize = 1 << 26;
/// What a cell takes beside its text.
const CELL: usize = size_of::<(u32, String)>();
/// So many blank rows are no gap in a table: what follows them stands beside it.
const MOST_BLANK_ROWS: u32 = 10_000;
/// A batch ends early when its cells take this much, so that long texts do not add up.
const BATCH_BYTES: usize = 1 << 25;

const BEGIN_WITH_NAMES: &str = "a table begins with one row of names; leave titles above it out with `skip`, or say `header = false` in [input], or `--header false`";

/// Where the names of the columns come from.
pub(super) enum ColumnNames {
    /// From the first row.
    Named,
    /// There are none; the first and the last column that hold a value.
    Numbered { first: u32, last: u32 },
}

/// Rows that are being put together.
pub(super) struct SheetRows<'a> {
    place: String,
    numbering: ColumnNames,
    send: &'a mut dyn FnMut(Part) -> bool,
    /// The row of the sheet that cells come from, those that came, and what they take.
    row: Option<u32>,
    cells: Vec<(u32, String)>,
    row_bytes: usize,
    /// The names, once they are known, and the first column of the sheet that has one.
    columns: Vec<String>,
    first_column: u32,
    /// What was not handed over yet.
    batch: Vec<StringBuilder>,
    filled: usize,
    bytes: usize,
    /// How many rows were handed over.
    rows: u64,
    is_taken: bool,
}

impl<'a> SheetRows<'a> {
    pub(super) fn new(place: String, numbering: ColumnNames, send: &'a mut dyn FnMut(Part) -> bool) -> Self {
        Self {
            place,
            numbering,
            send,
            row: None,
            cells: Vec::new(),
            row_bytes: 0,
            columns: Vec::new(),
            first_column: 0,
            batch: Vec::new(),
            filled: 0,
            bytes: 0,
            rows: 0,
            is_taken: true,
        }
    }

    /// Takes the next cell; false when no more are wanted.
    pub(super) fn take(&mut self, (row, column): (u32, u32), text: Cow<'_, str>) -> Result<bool> {
        if row >= MOST_ROWS || column as usize >= MOST_COLUMNS {
            return Err(self.error(row, "a cell beyond what a sheet can have"));
        }
        match self.row {
            Some(current) if current == row => {}
            Some(current) if current > row => {
                return Err(self
                    .error(row, "the row stands after one that follows it")
                    .hint("open the workbook in a spreadsheet program and save it anew"));
            }
            Some(current) => {
                self.end_row()?;
                self.skip_blank_rows(current + 1..row)?;
            }
            None => {}
        }
        self.row = Some(row);
        self.row_bytes = self.row_bytes.saturating_add(text.len() + CELL);
        if self.row_bytes > LONGEST_ROW {
            return Err(self
                .error(row, "the row takes more than 64 MiB")
                .hint("no table has such rows; a small file whose rows are so long may be malicious"));
        }
        self.cells.push((column, text.into_owned()));
        Ok(self.is_taken)
    }

    /// Hands over what is left.
    pub(super) fn finish(mut self) -> Result<()> {
        if self.row.is_none() {
            return Err(empty(&self.place));
        }
        self.end_row()?;
        if self.rows == 0 && self.filled == 0 {
            return Err(Error::table(format!("{} has names of columns but no rows", self.place)));
        }
        self.hand_over();
        Ok(())
    }

    fn error(&self, row: u32, what: &str) -> Error {
        Error::table(what).at(format!("{}, row {}", self.place, u64::from(row) + 1))
    }

    fn end_row(&mut self) -> Result<()> {
        let cells = std::mem::take(&mut self.cells);
        let row_bytes = std::mem::take(&mut self.row_bytes);
        if self.columns.is_empty() {
            match self.numbering {
                ColumnNames::Named => return self.take_names(cells),
                ColumnNames::Numbered { first, last } => {
                    self.first_column = first;
                    self.columns = (1..=last - first + 1).map(|place| format!("column{place}")).collect();
                }
            }
        }
        if self.bytes + row_bytes > BATCH_BYTES {
            self.hand_over();
        }
        self.bytes += row_bytes;
        self.push(cells)
    }

    fn take_names(&mut self, cells: Vec<(u32, String)>) -> Result<()> {
        let first = cells.iter().map(|(column, _)| *column).min().unwrap_or(0);
        let last = cells.iter().map(|(column, _)| *column).max().unwrap_or(0);
        let mut names = vec![String::new(); (last - first + 1) as usize];
        cells.into_iter().for_each(|(column, name)| names[(column - first) as usize] = name);
        let named = column_names::completed(names);
        (self.columns, self.first_column) =
            (named.map_err(|error| error.at(&self.place).hint(BEGIN_WITH_NAMES))?, first);
        Ok(())
    }

    /// A first row that begins one column before the names shows that a column without a name stands there: pandas writes the numbers
    /// of rows so.
    fn take_index(&mut self, cells: &[(u32, String)]) -> Result<()> {
        let is_before = self.first_column > 0 && cells.iter().any(|(column, _)| column + 1 == self.first_column);
        if is_before && matches!(self.numbering, ColumnNames::Named) {
            let mut names = std::mem::take(&mut self.columns);
            names.insert(0, String::new());
            self.first_column -= 1;
            self.columns =
                column_names::completed(names).map_err(|error| error.at(&self.place).hint(BEGIN_WITH_NAMES))?;
        }
        Ok(())
    }

    fn skip_blank_rows(&mut self, rows: std::ops::Range<u32>) -> Result<()> {
        if rows.len() > MOST_BLANK_ROWS as usize {
            let error = format!("a cell stands {} blank rows below the table", rows.len());
            return Err(self.error(rows.end, &error).hint("delete what stands below the table, or move it elsewhere"));
        }
        // Rows of nothing are rows, once the columns are known.
        for _ in rows {
            self.push(Vec::new())?;
        }
        Ok(())
    }

    /// Adds a row of the table.
    fn push(&mut self, cells: Vec<(u32, String)>) -> Result<()> {
        if self.rows == 0 && self.filled == 0 {
            self.take_index(&cells)?;
            self.is_taken = (self.send)(Part::ColumnNames(self.columns.clone()));
        }
        if self.batch.is_empty() {
            // Room is made as cells come: a wide table of few rows needs little of it.
            self.batch = self.columns.iter().map(|_| StringBuilder::with_capacity(0, 0)).collect();
        }
        let mut row: Vec<Option<String>> = vec![None; self.columns.len()];
        for (column, text) in cells {
            let place = column.checked_sub(self.first_column).and_then(|place| row.get_mut(place as usize));
            let Some(cell) = place else {
                let row = self.row.unwrap_or_default();
                return Err(self.error(row, "a cell stands beside the columns that have names").hint(BEGIN_WITH_NAMES));
            };
            *cell = Some(text);
        }
        self.batch.iter_mut().zip(row).for_each(|(cells, cell)| cells.append_option(cell));
        self.filled += 1;
        if self.filled == room(self.columns.len()) {
            self.hand_over();
        }
        Ok(())
    }

    fn hand_over(&mut self) {
        if self.filled > 0 {
            let columns = std::mem::take(&mut self.batch).iter_mut().map(|cells| Cells::Text(cells.finish())).collect();
            let batch = Batch { first_row: self.rows + 1, columns };
            self.is_taken &= (self.send)(Part::Rows(batch));
            self.rows += self.filled as u64;
            (self.filled, self.bytes) = (0, 0);
        }
    }
}

//! How is a table read from a sheet of an Excel or OpenDocument workbook?

mod binary_records;
mod book;
mod cell_text;
mod old_excel;
mod open_document;
mod package;
mod rows;
mod styles;
mod titles;
mod unreadable;
mod writer;
mod xml_pieces;

use std::fs::File;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::JoinHandle;

use super::guard::guarded;
use super::{Batch, InputFormat, TableReader};
use book::Book;
use rows::{ColumnNames, SheetRows};
use shoal_core::error::nearest;
use shoal_core::{Error, Result};
pub(super) use writer::WorkbookWriter;

/// Reads a sheet row by row. Memory is needed for the texts that cells share, and not for cells that are blank or repeated.
pub(super) struct WorkbookReader {
    columns: Vec<String>,
    /// What the thread that reads the sheet has read. A sheet cannot be kept beside the workbook it borrows.
    parts: Option<Receiver<Result<Part>>>,
    thread: Option<JoinHandle<()>>,
    /// Was the last one taken? Several threads find that out, each for itself.
    is_read: bool,
}

/// What a sheet consists of, in this order.
enum Part {
    ColumnNames(Vec<String>),
    Rows(Batch),
    End,
}

/// Batches that wait to be taken: enough to keep both sides busy.
const AHEAD: usize = 2;

impl WorkbookReader {
    /// Opens a workbook and begins to read a sheet: the one that is asked for, or the only one with anything in it.
    pub(super) fn open(input: &InputFormat) -> Result<Self> {
        let file = input.open()?;
        let (sender, parts) = sync_channel(AHEAD);
        let input = input.clone();
        let thread = std::thread::spawn(move || {
            let end = guarded(&input.path, || read_sheet(file, &input, &mut |part| sender.send(Ok(part)).is_ok()));
            // Nobody listens any more if the reader is gone.
            let _ = sender.send(end.map(|()| Part::End));
        });
        let mut reader = Self { columns: Vec::new(), parts: Some(parts), thread: Some(thread), is_read: false };
        match reader.next_part()? {
            Part::ColumnNames(columns) => reader.columns = columns,
            Part::Rows(_) | Part::End => return Err(cut_off()),
        }
        Ok(reader)
    }

    fn next_part(&mut self) -> Result<Part> {
        self.parts.as_ref().and_then(|parts| parts.recv().ok()).unwrap_or_else(|| Err(cut_off()))
    }
}

impl Drop for WorkbookReader {
    /// The next reader may read the same open file, at the same place in it: nobody may move that any more.
    fn drop(&mut self) {
        // The thread ends once nobody takes what it has read.
        self.parts = None;
        self.thread.take().map(JoinHandle::join);
    }
}

fn cut_off() -> Error {
    Error::table("reading the workbook ended before the sheet did")
}

/// Reads a sheet and hands over its parts, until all are read or nobody takes them.
fn read_sheet(file: File, input: &InputFormat, send: &mut dyn FnMut(Part) -> bool) -> Result<()> {
    let at_path = |error: Error| error.at(input.path.display());
    let mut book = Book::open(&input.path, file)?;
    let names = book.sheet_names();
    let sheet = sheet_place(&mut book, input.table.as_deref()).map_err(at_path)?;
    let columns = match input.header.unwrap_or(true) {
        true => ColumnNames::Named,
        // How many columns there are is known only when every row was seen.
        false => match book.extent(sheet, input.skip)? {
            Some((first, last)) => ColumnNames::Numbered { first, last },
            None => ColumnNames::Named,
        },
    };
    let place = format!("{}, sheet `{}`", input.path.display(), names[sheet]);
    let skip = u32::try_from(input.skip).unwrap_or(u32::MAX);
    let mut rows = SheetRows::new(place, columns, send);
    book.each_cell(sheet, &mut |position, text| match position.0 < skip {
        true => Ok(true),
        false => rows.take(position, text),
    })?;
    rows.finish()
}

/// The rows before the table, of the sheet that is asked for, judging by the first of them.
pub(super) fn rows_before(input: &InputFormat) -> Result<u64> {
    guarded(&input.path, || {
        let mut book = Book::open(&input.path, input.open()?)?;
        let sheet = sheet_place(&mut book, input.table.as_deref()).map_err(|error| error.at(input.path.display()))?;
        let mut filled: Vec<(u32, usize)> = Vec::new();
        book.each_cell(sheet, &mut |(row, _), _| {
            match filled.last_mut() {
                Some((last, cells)) if *last == row => *cells += 1,
                _ => filled.push((row, 1)),
            }
            Ok(filled.len() <= titles::LOOKED_AT as usize)
        })?;
        Ok(titles::rows_before(&filled))
    })
}

/// The place of the sheet that is asked for, or of the only one that has anything in it.
fn sheet_place(book: &mut Book, wanted: Option<&str>) -> Result<usize> {
    let names = book.sheet_names();
    let Some(wanted) = wanted else { return only_sheet(book, &names) };
    if let Some(place) = names.iter().position(|name| name == wanted) {
        return Ok(place);
    }
    let hint = match nearest(wanted, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            format!("its sheets are {}", names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
        }
    };
    Err(Error::table(format!("there is no sheet `{wanted}`")).hint(hint))
}

/// Of several sheets, nobody can tell which one is meant: the first may be a cover, or last year's.
fn only_sheet(book: &mut Book, names: &[String]) -> Result<usize> {
    if names.len() < 2 {
        return names.first().map(|_| 0).ok_or_else(|| Error::table("the workbook has no sheets"));
    }
    let mut with_cells = Vec::new();
    for sheet in 0..names.len() {
        let mut has_cells = false;
        let looked_at = book.each_cell(sheet, &mut |_, _| {
            has_cells = true;
            Ok(false)
        });
        // What cannot be read is not nothing.
        with_cells.extend((has_cells || looked_at.is_err()).then_some(sheet));
    }
    let [first, _, ..] = with_cells[..] else { return Ok(with_cells.first().copied().unwrap_or(0)) };
    let shown = with_cells.iter().take(10).map(|&sheet| format!("`{}`", names[sheet])).collect::<Vec<_>>().join(", ");
    let more = if with_cells.len() > 10 { ", .." } else { "" };
    Err(Error::table(format!("the workbook has {} sheets with something in them: {shown}{more}", with_cells.len()))
        .hint(format!("name one: `table = \"{}\"` in [input], or FILE#SHEET on the command line", names[first])))
}

impl TableReader for WorkbookReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        if self.is_read {
            return Ok(None);
        }
        match self.next_part()? {
            Part::Rows(batch) => Ok(Some(batch)),
            Part::ColumnNames(_) => Err(cut_off()),
            Part::End => {
                self.is_read = true;
                Ok(None)
            }
        }
    }
}

#[cfg(test)]
mod tests;

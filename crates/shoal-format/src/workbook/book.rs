//! What is in a workbook, whichever of the four kinds it is?

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use calamine::{Data, Range, Reader, Xls, Xlsb, Xlsx};

use super::open_document::OpenDocument;
use super::package::{self, Packed};
use super::unreadable::Unreadable;
use super::{cell_text, old_excel};
use shoal_core::Result;

/// A workbook that is open; one that unpacks to too much was refused.
pub(super) struct Book {
    path: PathBuf,
    file: File,
    sheets: Sheets,
}

enum Sheets {
    Xml(Box<Xlsx<BufReader<File>>>),
    Binary(Box<Xlsb<BufReader<File>>>),
    OpenDocument(OpenDocument),
    Old(Box<Xls<Cursor<Vec<u8>>>>),
}

/// Takes the row, the column and the text of a cell; false when no more are wanted. A text that many cells share is lent, so that
/// whoever takes it can refuse it before it is copied.
pub(super) type TakeCell<'a> = dyn FnMut((u32, u32), Cow<'_, str>) -> Result<bool> + 'a;

/// Whatever the library says, the file is damaged.
fn known<T, E>(result: Result<T, E>) -> Result<T, Unreadable> {
    result.map_err(|_| Unreadable::Damaged)
}

fn read<T, E>(path: &Path, result: Result<T, E>) -> Result<T> {
    known(result).map_err(|unreadable| unreadable.at(path))
}

impl Book {
    /// Opens a workbook; what it begins with decides what it is.
    pub(super) fn open(path: &Path, mut file: File) -> Result<Self> {
        let sheets = sheets(&mut file).map_err(|unreadable| unreadable.at(path))?;
        Ok(Self { path: path.to_owned(), file, sheets })
    }

    /// The names of its sheets, in their order.
    pub(super) fn sheet_names(&self) -> Vec<String> {
        match &self.sheets {
            Sheets::Xml(book) => book.sheet_names(),
            Sheets::Binary(book) => book.sheet_names(),
            Sheets::OpenDocument(book) => book.sheet_names().to_vec(),
            Sheets::Old(book) => book.sheet_names(),
        }
    }

    /// Hands over each cell of a sheet that has a value, until `take` has enough.
    pub(super) fn each_cell(&mut self, sheet: usize, take: &mut TakeCell<'_>) -> Result<()> {
        let name = self.sheet_names().swap_remove(sheet);
        let path = &self.path;
        match &mut self.sheets {
            Sheets::Xml(book) => {
                let mut cells = read(path, book.worksheet_cells_reader(&name))?;
                while let Some(cell) = read(path, cells.next_cell())? {
                    if let Some(text) = cell_text::of_ref(cell.get_value())
                        && !take(cell.get_position(), text)?
                    {
                        break;
                    }
                }
                Ok(())
            }
            Sheets::Binary(book) => {
                let mut cells = read(path, book.worksheet_cells_reader(&name))?;
                while let Some(cell) = read(path, cells.next_cell())? {
                    if let Some(text) = cell_text::of_ref(cell.get_value())
                        && !take(cell.get_position(), text)?
                    {
                        break;
                    }
                }
                Ok(())
            }
            Sheets::OpenDocument(book) => book.each_cell(sheet, take).map_err(|unreadable| unreadable.at(path))?,
            Sheets::Old(_) => {
                let made = old_excel::distilled(&self.file, Some(sheet)).map_err(|unreadable| unreadable.at(path))?;
                let mut book = read(path, Xls::new(made))?;
                each_of(&read(path, book.worksheet_range(&name))?, take)
            }
        }
    }

    /// The first and the last column of a sheet that hold a value, in rows after the first `skip`.
    pub(super) fn extent(&mut self, sheet: usize, skip: u64) -> Result<Option<(u32, u32)>> {
        if let Sheets::OpenDocument(book) = &self.sheets
            && skip == 0
        {
            return book.extent(sheet).map_err(|unreadable| unreadable.at(&self.path));
        }
        let mut extent = None;
        self.each_cell(sheet, &mut |(row, column), _| {
            if u64::from(row) >= skip {
                let (first, last) = extent.unwrap_or((column, column));
                extent = Some((column.min(first), column.max(last)));
            }
            Ok(true)
        })?;
        Ok(extent)
    }
}

fn sheets(file: &mut File) -> Result<Sheets, Unreadable> {
    let mut signature = [0; 4];
    let is_old = file.read_exact(&mut signature).is_ok() && signature == *b"\xd0\xcf\x11\xe0";
    known(file.rewind())?;
    if is_old {
        return Ok(Sheets::Old(Box::new(known(Xls::new(old_excel::distilled(file, None)?))?)));
    }
    let kind = package::checked(file)?.ok_or(Unreadable::Damaged)?;
    known(file.rewind())?;
    let bytes = BufReader::new(known(file.try_clone())?);
    Ok(match kind {
        Packed::Xml => Sheets::Xml(Box::new(known(Xlsx::new(bytes))?)),
        Packed::Binary => Sheets::Binary(Box::new(known(Xlsb::new(bytes))?)),
        Packed::OpenDocument => Sheets::OpenDocument(OpenDocument::open(known(file.try_clone())?)?),
    })
}

fn each_of(range: &Range<Data>, take: &mut TakeCell<'_>) -> Result<()> {
    let (top, left) = range.start().unwrap_or_default();
    for (row, column, cell) in range.used_cells() {
        let place = (top + row as u32, left + column as u32);
        if let Some(text) = cell_text::of(cell.clone())
            && !take(place, Cow::Owned(text))?
        {
            break;
        }
    }
    Ok(())
}

//! How are the cells of an OpenDocument workbook read, one after the other?
//!
//! Cells and rows are repeated by a number, so that a small file can ask for more of them than memory holds. Here a row is held
//! once, and handed over as often as it says: whoever takes it decides how much of it is kept.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;

use calamine::Data;
use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};
use zip::ZipArchive;

use super::book::TakeCell;
use super::cell_text;
use super::package::LONGEST_PIECE;
use super::rows::{LONGEST_ROW, MOST_ROWS};
use super::unreadable::Unreadable;
use crate::MOST_COLUMNS;
use shoal_core::Result;

/// What an OpenDocument spreadsheet, or a template of one, says that it is.
const KIND: &[u8] = b"application/vnd.oasis.opendocument.spreadsheet";
/// What stands beside the last column of a sheet is for whoever takes it to refuse.
const LAST_COLUMN: u64 = MOST_COLUMNS as u64;
/// What a cell takes beside its text.
const CELL: usize = 64;

/// A workbook whose sheets are known by name.
pub(super) struct OpenDocument {
    file: File,
    sheet_names: Vec<String>,
}

type Content<'a> = Reader<Box<dyn BufRead + 'a>>;

impl OpenDocument {
    pub(super) fn open(file: File) -> Result<Self, Unreadable> {
        let mut names = Vec::new();
        with_content(&file, |content| {
            let mut buffer = Vec::new();
            while let Some(name) = next_sheet(content, &mut buffer)? {
                names.push(name);
                pass_over(content, &mut buffer, "table:table")?;
            }
            Ok(())
        })?;
        Ok(Self { file, sheet_names: names })
    }

    pub(super) fn sheet_names(&self) -> &[String] {
        &self.sheet_names
    }

    /// Hands over each cell of a sheet that has a value. The outer result is about the file, the inner one about what `take` makes
    /// of it.
    pub(super) fn each_cell(&self, sheet: usize, take: &mut TakeCell<'_>) -> Result<Result<()>, Unreadable> {
        let mut taken = Ok(());
        self.each_row(sheet, &mut |rows, runs| {
            for row in rows.take_while(|_| !runs.is_empty()) {
                match hand_over(row, runs, take) {
                    Ok(true) => {}
                    Ok(false) => return false,
                    Err(error) => {
                        taken = Err(error);
                        return false;
                    }
                }
            }
            true
        })?;
        Ok(taken)
    }

    /// The first and the last column of a sheet that hold a value. Rows that are repeated have the same.
    pub(super) fn extent(&self, sheet: usize) -> Result<Option<(u32, u32)>, Unreadable> {
        let mut extent: Option<(u32, u32)> = None;
        self.each_row(sheet, &mut |_, runs| {
            for run in runs {
                let (first, last) = extent.unwrap_or((run.first, run.first));
                extent = Some((first.min(run.first), last.max(run.first + run.repeats - 1)));
            }
            true
        })?;
        Ok(extent)
    }

    fn each_row(&self, sheet: usize, take: &mut TakeRows<'_>) -> Result<(), Unreadable> {
        with_content(&self.file, |content| {
            let mut buffer = Vec::new();
            for _ in 0..sheet {
                next_sheet(content, &mut buffer)?;
                pass_over(content, &mut buffer, "table:table")?;
            }
            next_sheet(content, &mut buffer)?.ok_or(Unreadable::Damaged)?;
            rows_of_sheet(content, take)
        })
    }
}

/// Takes rows that are the same; false when no more are wanted.
type TakeRows<'a> = dyn FnMut(Range<u32>, &[Run]) -> bool + 'a;

fn damaged<E>(_: E) -> Unreadable {
    Unreadable::Damaged
}

/// Reads the part that has all sheets from its beginning.
fn with_content<T>(file: &File, read: impl FnOnce(&mut Content<'_>) -> Result<T, Unreadable>) -> Result<T, Unreadable> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(damaged)?;
    let mut kind = [0; KIND.len()];
    archive.by_name("mimetype").map_err(damaged)?.read_exact(&mut kind).map_err(damaged)?;
    if kind != KIND {
        return Err(Unreadable::Damaged);
    }
    let part = archive.by_name("content.xml").map_err(damaged)?;
    let mut content = Reader::from_reader(Box::new(BufReader::with_capacity(1 << 16, part)) as Box<dyn BufRead + '_>);
    content.config_mut().check_end_names = false;
    content.config_mut().expand_empty_elements = true;
    read(&mut content)
}

/// Goes on to the next sheet, and says what it is called.
fn next_sheet(content: &mut Content<'_>, buffer: &mut Vec<u8>) -> Result<Option<String>, Unreadable> {
    loop {
        buffer.clear();
        match content.read_event_into(buffer).map_err(damaged)? {
            Event::Start(tag) if tag.name().as_ref() == "table:table" => {
                // Tables without a name are no sheets: they stand in the cells of others.
                if let Some(name) = attribute(&tag, "table:name")? {
                    return Ok(Some(name));
                }
            }
            Event::Eof => return Ok(None),
            _ => {}
        }
    }
}

/// Goes on behind the end of the element that was begun just now.
fn pass_over(content: &mut Content<'_>, buffer: &mut Vec<u8>, name: &str) -> Result<(), Unreadable> {
    let mut depth = 1_u64;
    while depth > 0 {
        buffer.clear();
        match content.read_event_into(buffer).map_err(damaged)? {
            Event::Start(tag) if tag.name().as_ref() == name => depth += 1,
            Event::End(tag) if tag.name().as_ref() == name => depth -= 1,
            Event::Eof => return Err(Unreadable::Damaged),
            _ => {}
        }
    }
    Ok(())
}

fn attribute(tag: &BytesStart<'_>, key: &str) -> Result<Option<String>, Unreadable> {
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(damaged)?;
        if attribute.key.as_ref() == key {
            return unescape(&attribute.value).map(|text| Some(text.into_owned())).map_err(damaged);
        }
    }
    Ok(None)
}

/// How often something is repeated.
fn repeats(tag: &BytesStart<'_>, key: &str) -> Result<u64, Unreadable> {
    attribute(tag, key)?.map_or(Ok(1), |text| text.trim().parse().map_err(damaged))
}

/// A cell, or a run of the same.
struct Run {
    first: u32,
    repeats: u32,
    text: String,
}

fn rows_of_sheet(content: &mut Content<'_>, take: &mut TakeRows<'_>) -> Result<(), Unreadable> {
    // What stands below the last row of a sheet is for whoever takes it to refuse.
    const LAST: u64 = MOST_ROWS as u64;
    let mut buffer = Vec::new();
    let mut row = 0_u64;
    loop {
        buffer.clear();
        match content.read_event_into(&mut buffer).map_err(damaged)? {
            Event::Start(tag) if tag.name().as_ref() == "table:table-row" => {
                let next = row.saturating_add(repeats(&tag, "table:number-rows-repeated")?);
                let runs = cells_of_row(content)?;
                if !take(row.min(LAST) as u32..next.min(LAST + 1) as u32, &runs) {
                    return Ok(());
                }
                row = next;
            }
            // A table in a cell is no part of this one.
            Event::Start(tag) if tag.name().as_ref() == "table:table" => {
                pass_over(content, &mut Vec::new(), "table:table")?;
            }
            Event::End(tag) if tag.name().as_ref() == "table:table" => return Ok(()),
            Event::Eof => return Err(Unreadable::Damaged),
            _ => {}
        }
    }
}

fn hand_over(row: u32, runs: &[Run], take: &mut TakeCell<'_>) -> Result<bool> {
    for run in runs {
        for column in run.first..run.first + run.repeats {
            if !take((row, column), Cow::Borrowed(&run.text))? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn cells_of_row(content: &mut Content<'_>) -> Result<Vec<Run>, Unreadable> {
    let (mut runs, mut column, mut bytes): (Vec<Run>, u64, usize) = (Vec::new(), 0, 0);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match content.read_event_into(&mut buffer).map_err(damaged)? {
            Event::Start(tag) if is_cell(tag.name().as_ref()) => {
                let first = column.min(LAST_COLUMN);
                column = column.saturating_add(repeats(&tag, "table:number-columns-repeated")?);
                let repeats = column.min(LAST_COLUMN + 1) - first;
                let value = Value::of(&tag)?;
                let text = text_of_cell(content, value)?;
                if let Some(text) = text.filter(|_| repeats > 0) {
                    bytes = bytes.saturating_add(text.len() + CELL);
                    if bytes > LONGEST_ROW {
                        return Err(Unreadable::too_large("a row of it takes more than 64 MiB"));
                    }
                    runs.push(Run { first: first as u32, repeats: repeats as u32, text });
                }
            }
            Event::End(tag) if tag.name().as_ref() == "table:table-row" => return Ok(runs),
            Event::Eof => return Err(Unreadable::Damaged),
            _ => {}
        }
    }
}

fn is_cell(name: &str) -> bool {
    matches!(name, "table:table-cell" | "table:covered-table-cell")
}

/// What the tag of a cell says about its value.
enum Value {
    Said(Data),
    /// The value is the text between the tags.
    Written,
}

impl Value {
    fn of(tag: &BytesStart<'_>) -> Result<Self, Unreadable> {
        let (mut value, mut is_text, mut is_error) = (None, false, false);
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(damaged)?;
            let text = || unescape(&attribute.value).map(Cow::into_owned).map_err(damaged);
            match attribute.key.as_ref() {
                "calcext:value-type" => is_error = *attribute.value == *"error",
                "office:value-type" => is_text = *attribute.value == *"string",
                _ if value.is_some() => {}
                "office:value" => value = Some(Data::Float(attribute.value.trim().parse().map_err(damaged)?)),
                "office:boolean-value" => value = Some(Data::Bool(attribute.value.eq_ignore_ascii_case("true"))),
                "office:date-value" => value = Some(Data::DateTimeIso(text()?)),
                "office:time-value" => value = Some(Data::DurationIso(text()?)),
                "office:string-value" => value = Some(Data::String(text()?)),
                _ => {}
            }
        }
        Ok(match value {
            None if is_text => Self::Written,
            // LibreOffice puts what it shows in place of a value between the tags.
            Some(Data::String(text)) if is_error && text.is_empty() => Self::Written,
            Some(value) => Self::Said(value),
            None => Self::Said(Data::Empty),
        })
    }
}

/// Reads on behind the end of a cell; its text, if it has a value.
fn text_of_cell(content: &mut Content<'_>, value: Value) -> Result<Option<String>, Unreadable> {
    let is_written = matches!(value, Value::Written);
    let (mut text, mut is_first, mut depth) = (String::new(), true, 0_u32);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match content.read_event_into(&mut buffer).map_err(damaged)? {
            Event::Start(tag) => match tag.name().as_ref() {
                name if is_cell(name) => depth = depth.checked_add(1).ok_or(Unreadable::Damaged)?,
                name @ ("office:annotation" | "table:table") => {
                    let name = name.to_owned();
                    pass_over(content, &mut Vec::new(), &name)?;
                }
                "text:p" if !std::mem::take(&mut is_first) => text.push('\n'),
                "text:s" => {
                    let spaces = repeats(&tag, "text:c")?.min(LONGEST_PIECE + 1);
                    text.extend(std::iter::repeat_n(' ', spaces as usize));
                }
                "text:tab" => text.push('\t'),
                "text:line-break" => text.push('\n'),
                _ => {}
            },
            Event::End(tag) if is_cell(tag.name().as_ref()) && depth == 0 => break,
            Event::End(tag) if is_cell(tag.name().as_ref()) => depth -= 1,
            Event::Text(piece) if is_written => text.push_str(&piece.xml10_content()),
            Event::CData(piece) if is_written => text.push_str(&piece.xml10_content()),
            Event::GeneralRef(entity) if is_written => push_entity(&entity, &mut text)?,
            Event::Eof => return Err(Unreadable::Damaged),
            _ => {}
        }
        if text.len() as u64 > LONGEST_PIECE {
            return Err(Unreadable::too_large("a single cell or tag in it is longer than 64 MiB"));
        }
    }
    match value {
        Value::Written => Ok(Some(text)),
        Value::Said(value) => Ok(cell_text::of(value)),
    }
}

fn push_entity(entity: &BytesRef<'_>, text: &mut String) -> Result<(), Unreadable> {
    match (resolve_xml_entity(entity), entity.resolve_char_ref().map_err(damaged)?) {
        (Some(known), _) => text.push_str(known),
        (None, Some(character)) => text.push(character),
        (None, None) => return Err(Unreadable::Damaged),
    }
    Ok(())
}

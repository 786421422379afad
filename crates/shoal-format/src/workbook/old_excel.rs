//! How much of an old Excel workbook (.xls) is needed for the values of one sheet?
//!
//! The library that reads workbooks makes room for whatever such a file asks for, in all of its sheets at once. So it is
//! given a workbook made anew: the few records that values depend on, and one sheet, measured before.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Write};

use super::unreadable::Unreadable;

type Result<T> = std::result::Result<T, Unreadable>;

const CONTINUE: u16 = 0x3c;
const BEGIN: u16 = 0x809;
const END: u16 = 0x0a;
const BOUND_SHEET: u16 = 0x85;
const STRINGS: u16 = 0xfc;
const FORMULA: u16 = 0x06;
const FORMULA_TEXT: u16 = 0x207;
const NUMBERS: u16 = 0xbd;
const SHARED_STRING: u16 = 0xfd;

/// What values depend on: whether it is locked, the code page, the first day, formats of numbers, shared strings.
const OF_WORKBOOK: [u16; 7] = [BEGIN, 0x2f, 0x42, 0x22, 0x41e, 0xe0, STRINGS];
/// The records that are cells.
const CELLS: [u16; 9] = [0x203, 0x204, 0xd6, 0x205, FORMULA_TEXT, 0x27e, SHARED_STRING, NUMBERS, FORMULA];

/// What a cell takes in memory beside its text: the library makes a rectangle of cells, and a copy of it.
const CELL: u64 = 2 * 32;
/// What a sheet may take.
const MOST_BYTES: u64 = 1 << 31;
/// The end of a formula's record that its value does not need.
const VALUE_OF_FORMULA: usize = 20;

/// A workbook with the same sheets but no cells, or with one sheet and its cells.
pub(super) fn distilled(file: &File, sheet: Option<usize>) -> Result<Cursor<Vec<u8>>> {
    let stream = workbook_stream(file)?;
    let records = records(&stream)?;
    let globals = records.split(|record| record.kind == END).next().unwrap_or_default();
    let mut made = Vec::new();
    for record in globals.iter().filter(|record| OF_WORKBOOK.contains(&record.kind)) {
        record.write(&mut made);
    }
    let sheets: Vec<&Record<'_>> = globals.iter().filter(|record| record.kind == BOUND_SHEET).collect();
    let kept = match sheet {
        None => &sheets[..],
        Some(place) => sheets.get(place..=place).ok_or(Unreadable::Damaged)?,
    };
    let length: usize = kept.iter().map(|record| record.data.len() + 4).sum();
    let start = u32::try_from(made.len() + length + 4).map_err(|_| Unreadable::Damaged)?;
    for record in kept {
        let moved = [&start.to_le_bytes(), record.data.get(4..).ok_or(Unreadable::Damaged)?].concat();
        write(BOUND_SHEET, &moved, &mut made);
    }
    write(END, &[], &mut made);
    match (sheet, kept) {
        (Some(_), [record]) => {
            let lengths = string_lengths(globals);
            write_sheet(sheet_at(&stream, record)?, &lengths, &mut made)?;
        }
        _ => {
            write(BEGIN, &[0, 6, 0x10, 0], &mut made);
            write(END, &[], &mut made);
        }
    }
    as_file(&made)
}

/// The cells of a sheet, without the numbers by which room would be made for them.
fn write_sheet(stream: &[u8], lengths: &[u64], made: &mut Vec<u8>) -> Result<()> {
    let records = records(stream)?;
    let mut extent = Extent::default();
    let mut depth = 0_usize;
    for record in &records {
        match record.kind {
            BEGIN if depth > 0 => depth += 1,
            BEGIN => {
                record.write(made);
                depth = 1;
            }
            END if depth <= 1 => break,
            END => depth -= 1,
            // A chart in a sheet has cells of its own.
            kind if depth <= 1 && CELLS.contains(&kind) => {
                extent.add(record, lengths)?;
                let end = if kind == FORMULA { VALUE_OF_FORMULA } else { usize::MAX };
                write(kind, &record.data[..record.data.len().min(end)], made);
            }
            _ => {}
        }
    }
    write(END, &[], made);
    extent.check()
}

/// The rectangle that all cells of a sheet are in, and how much their texts take.
#[derive(Default)]
struct Extent {
    rectangle: Option<[u16; 4]>,
    texts: u64,
}

impl Extent {
    fn add(&mut self, record: &Record<'_>, lengths: &[u64]) -> Result<()> {
        if record.kind == FORMULA_TEXT {
            self.texts += 3 * record.data.len() as u64;
            return Ok(());
        }
        let (Some(row), Some(first)) = (record.number(0), record.number(2)) else { return Err(Unreadable::Damaged) };
        let last = match record.kind {
            NUMBERS => record.number(record.data.len().saturating_sub(2)).unwrap_or(first).max(first),
            _ => first,
        };
        self.texts += match (record.kind, record.number(6)) {
            (SHARED_STRING, Some(low)) => {
                let place = usize::from(low) | usize::from(record.number(8).unwrap_or(0)) << 16;
                lengths.get(place).copied().unwrap_or(0)
            }
            _ => 3 * record.data.len() as u64,
        };
        let [top, bottom, left, right] = self.rectangle.unwrap_or([row, row, first, last]);
        self.rectangle = Some([top.min(row), bottom.max(row), left.min(first), right.max(last)]);
        Ok(())
    }

    fn check(&self) -> Result<()> {
        let [top, bottom, left, right] = self.rectangle.unwrap_or_default().map(u64::from);
        let cells = (bottom - top + 1) * (right - left + 1);
        match (cells * CELL).saturating_add(2 * self.texts) > MOST_BYTES {
            true => Err(Unreadable::too_large("its cells are too far apart, or repeat long texts")),
            false => Ok(()),
        }
    }
}

/// How many bytes each shared string takes at most.
fn string_lengths(globals: &[Record<'_>]) -> Vec<u64> {
    let Some(strings) = globals.iter().rev().find(|record| record.kind == STRINGS) else { return Vec::new() };
    let mut text = Continued { pieces: strings.pieces().collect(), at: 0 };
    text.skip(8);
    let mut lengths = Vec::new();
    while let Some((characters, flags)) = text.number().zip(text.byte()) {
        let (mut rest, mut is_wide) = (u64::from(characters), flags & 1 != 0);
        lengths.push(3 * rest);
        let runs = if flags & 8 != 0 { text.number().map_or(0, u64::from) * 4 } else { 0 };
        let low = if flags & 4 != 0 { text.number().map_or(0, u64::from) } else { 0 };
        let extra = if flags & 4 != 0 { low | text.number().map_or(0, u64::from) << 16 } else { 0 };
        loop {
            let width = if is_wide { 2 } else { 1 };
            let here = rest.min(text.left() / width);
            text.skip(here * width);
            rest -= here;
            if rest == 0 || !text.next_piece() {
                break;
            }
            // A text that goes on in another record says once more how wide it is.
            is_wide = text.byte().is_some_and(|flags| flags & 1 != 0);
        }
        text.skip(runs + extra);
    }
    lengths
}

/// The bytes of a record and of those that continue it.
struct Continued<'a> {
    pieces: Vec<&'a [u8]>,
    at: usize,
}

impl Continued<'_> {
    fn left(&self) -> u64 {
        self.pieces.get(self.at).map_or(0, |piece| piece.len() as u64)
    }

    fn next_piece(&mut self) -> bool {
        self.at += 1;
        self.at < self.pieces.len()
    }

    fn byte(&mut self) -> Option<u8> {
        while self.left() == 0 && self.at < self.pieces.len() {
            self.at += 1;
        }
        let piece = self.pieces.get_mut(self.at)?;
        let (first, rest) = piece.split_first()?;
        *piece = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    fn skip(&mut self, mut bytes: u64) {
        while let Some(piece) = self.pieces.get_mut(self.at) {
            let here = bytes.min(piece.len() as u64);
            *piece = &piece[here as usize..];
            bytes -= here;
            if bytes == 0 {
                return;
            }
            self.at += 1;
        }
    }
}

/// A record and the bytes of those that continue it.
struct Record<'a> {
    kind: u16,
    data: &'a [u8],
    continued: Vec<&'a [u8]>,
}

impl<'a> Record<'a> {
    fn number(&self, at: usize) -> Option<u16> {
        self.data.get(at..at + 2).map(|two| u16::from_le_bytes([two[0], two[1]]))
    }

    fn pieces(&self) -> impl Iterator<Item = &'a [u8]> + '_ {
        std::iter::once(self.data).chain(self.continued.iter().copied())
    }

    fn write(&self, made: &mut Vec<u8>) {
        write(self.kind, self.data, made);
        self.continued.iter().for_each(|data| write(CONTINUE, data, made));
    }
}

fn write(kind: u16, data: &[u8], made: &mut Vec<u8>) {
    made.extend(kind.to_le_bytes());
    // Every piece was a record before, or is a part of one.
    made.extend((data.len() as u16).to_le_bytes());
    made.extend(data);
}

/// Takes a stream apart; what follows the last whole record is left out.
fn records(mut stream: &[u8]) -> Result<Vec<Record<'_>>> {
    let mut records: Vec<Record<'_>> = Vec::new();
    while let [kind_low, kind_high, low, high, rest @ ..] = stream {
        let kind = u16::from_le_bytes([*kind_low, *kind_high]);
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let Some((data, next)) = rest.split_at_checked(length) else { break };
        match records.last_mut().filter(|_| kind == CONTINUE) {
            Some(record) => record.continued.push(data),
            None => records.push(Record { kind, data, continued: Vec::new() }),
        }
        stream = next;
    }
    if records.is_empty() { Err(Unreadable::Damaged) } else { Ok(records) }
}

fn sheet_at<'a>(stream: &'a [u8], record: &Record<'_>) -> Result<&'a [u8]> {
    let place = record.data.get(..4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    place.and_then(|place| stream.get(place as usize..)).ok_or(Unreadable::Damaged)
}

fn workbook_stream(file: &File) -> Result<Vec<u8>> {
    let broken = |_: std::io::Error| Unreadable::Damaged;
    let mut compound = cfb::CompoundFile::open(BufReader::new(file)).map_err(broken)?;
    let name = if compound.is_stream("Workbook") { "Workbook" } else { "Book" };
    let length = file.metadata().map_err(broken)?.len();
    let mut stream = Vec::new();
    // No stream is longer than the file that it is in.
    compound.open_stream(name).map_err(broken)?.take(length).read_to_end(&mut stream).map_err(broken)?;
    Ok(stream)
}

fn as_file(stream: &[u8]) -> Result<Cursor<Vec<u8>>> {
    // Memory can be written to; what is made is smaller than what it is made of.
    let failed = |_: std::io::Error| Unreadable::Damaged;
    let mut compound =
        cfb::CompoundFile::create_with_version(cfb::Version::V3, Cursor::new(Vec::new())).map_err(failed)?;
    compound.create_stream("Workbook").and_then(|mut made| made.write_all(stream)).map_err(failed)?;
    compound.flush().map_err(failed)?;
    let mut file = compound.into_inner();
    file.set_position(0);
    Ok(file)
}

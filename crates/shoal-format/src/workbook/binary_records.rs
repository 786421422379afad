//! Do the records of a binary workbook (.xlsb) say of themselves what is true?
//!
//! The library reads every record into one buffer, which keeps what longer records left in it, and believes the lengths of texts:
//! a record of a few bytes could name all of it, again and again.

use std::io::{self, BufRead};

use super::package::{LONGEST_PIECE, MOST_STRINGS};
use super::unreadable::Unreadable;

const SHARED_STRING: u16 = 0x13;
const DEFINED_NAME: u16 = 0x27;
const BOUND_SHEET: u16 = 0x9c;

/// The longest name of a sheet or of cells that Excel allows, in characters.
const LONGEST_NAME: usize = 255;
/// What the list of sheets and names may take. Formulas of names name others, and each of these is written out.
const LONGEST_WORKBOOK: u64 = 1 << 20;
/// The most bytes of a record that are looked at.
const HEAD: usize = 1 << 11;

/// Which part of a workbook it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Workbook,
    SharedStrings,
    Other,
}

impl Part {
    /// The part of this name; none if the library never reads it record by record.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "xl/workbook.bin" => Some(Self::Workbook),
            "xl/sharedstrings.bin" => Some(Self::SharedStrings),
            "xl/styles.bin" => Some(Self::Other),
            name => name.starts_with("xl/worksheets/").then_some(Self::Other),
        }
    }
}

/// Looks at every record of a part; how many bytes it has.
pub(super) fn check(mut records: impl BufRead, part: Part) -> Result<u64, Unreadable> {
    let (mut bytes, mut strings, mut head) = (0, 0, Vec::new());
    while let Some((kind, header, length)) = next(&mut records).map_err(|_| Unreadable::Damaged)? {
        if length > LONGEST_PIECE {
            return Err(Unreadable::too_large("a single record in it is longer than 64 MiB"));
        }
        read_head(&mut records, length, &mut head).map_err(|_| Unreadable::Damaged)?;
        bytes += header + length;
        match (part, kind) {
            (Part::SharedStrings, SHARED_STRING) => {
                strings += 1;
                let characters = number(&head, 1).ok_or(Unreadable::Damaged)?;
                if 5 + 2 * characters as u64 > length {
                    return Err(Unreadable::Damaged);
                }
            }
            (Part::Workbook, DEFINED_NAME) => check_name(&head, 9)?,
            (Part::Workbook, BOUND_SHEET) => {
                let relation = number(&head, 8).ok_or(Unreadable::Damaged)?;
                if relation != u32::MAX as usize {
                    check_name(&head, 8)?;
                    check_name(&head, 12 + 2 * relation)?;
                }
            }
            _ => {}
        }
        if strings > MOST_STRINGS {
            return Err(Unreadable::too_large("it has more than 16 million texts"));
        }
    }
    match part == Part::Workbook && bytes > LONGEST_WORKBOOK {
        true => Err(Unreadable::too_large("its list of sheets and names takes more than 1 MiB")),
        false => Ok(bytes),
    }
}

fn check_name(record: &[u8], at: usize) -> Result<(), Unreadable> {
    match number(record, at).is_some_and(|characters| characters <= LONGEST_NAME) {
        true => Ok(()),
        false => Err(Unreadable::Damaged),
    }
}

fn number(record: &[u8], at: usize) -> Option<usize> {
    let four = record.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*four)).ok()
}

/// The kind of the next record, the length of what says so, and the length of its data; none at the end.
fn next(records: &mut impl BufRead) -> io::Result<Option<(u16, u64, u64)>> {
    let Some(first) = byte(records)? else { return Ok(None) };
    let (mut kind, mut header) = (u16::from(first & 0x7f), 1);
    if first & 0x80 != 0 {
        let Some(second) = byte(records)? else { return Ok(None) };
        kind += u16::from(second & 0x7f) << 7;
        header += 1;
    }
    let mut length = 0;
    for shift in [0, 7, 14, 21] {
        let Some(next) = byte(records)? else { return Ok(None) };
        length += u64::from(next & 0x7f) << shift;
        header += 1;
        if next & 0x80 == 0 {
            break;
        }
    }
    Ok(Some((kind, header, length)))
}

fn byte(records: &mut impl BufRead) -> io::Result<Option<u8>> {
    let byte = records.fill_buf()?.first().copied();
    records.consume(usize::from(byte.is_some()));
    Ok(byte)
}

/// The beginning of a record's data; the rest is passed over.
fn read_head(records: &mut impl BufRead, mut length: u64, head: &mut Vec<u8>) -> io::Result<()> {
    head.clear();
    while length > 0 {
        let bytes = records.fill_buf()?;
        let here = bytes.len().min(usize::try_from(length).unwrap_or(usize::MAX));
        if here == 0 {
            return Ok(());
        }
        head.extend(&bytes[..here.min(HEAD - head.len())]);
        records.consume(here);
        length -= here as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u8, data: &[u8]) -> Vec<u8> {
        let length = [data.len() as u8 & 0x7f | 0x80, (data.len() >> 7) as u8];
        [&[kind], &length[..], data].concat()
    }

    #[test]
    fn a_text_is_as_long_as_its_record() {
        let item = |characters: u8, text: &[u8]| record(0x13, &[&[0, characters, 0, 0, 0], text].concat());
        let honest = [item(2, b"a\0b\0"), item(0, b"")].concat();
        assert_eq!(check(&honest[..], Part::SharedStrings), Ok(honest.len() as u64));
        let lying = [honest, item(200, b"a\0")].concat();
        assert_eq!(check(&lying[..], Part::SharedStrings), Err(Unreadable::Damaged));
        assert!(check(&lying[..], Part::Other).is_ok(), "only shared texts are kept");
    }

    #[test]
    fn names_are_short_and_few() {
        let name = |characters: u16| {
            let [low, high] = characters.to_le_bytes();
            record(0x27, &[&[0; 9][..], &[low, high, 0, 0], &vec![0; 2 * usize::from(characters)]].concat())
        };
        assert!(check(&name(255)[..], Part::Workbook).is_ok());
        assert_eq!(check(&name(256)[..], Part::Workbook), Err(Unreadable::Damaged));
        let many = name(255).repeat(2000);
        assert!(matches!(check(&many[..], Part::Workbook), Err(Unreadable::TooLarge(_))));
    }

    #[test]
    fn no_record_is_longer_than_a_cell_may_be() {
        let long = [&[7, 0xff, 0xff, 0xff, 0x7f][..], b"x"].concat();
        assert!(matches!(check(&long[..], Part::Other), Err(Unreadable::TooLarge(_))));
    }
}

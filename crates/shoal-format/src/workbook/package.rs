//! What kind of workbook is in a zip archive, and does it unpack to more than can be held?
//!
//! The library that reads workbooks allocates what a file asks for. So that a small file cannot ask for all memory there is,
//! everything in it is unpacked once before, and measured.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;
use zip::read::ZipFile;

use super::unreadable::Unreadable;
use super::{binary_records, styles, xml_pieces};

/// What a zip archive holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packed {
    /// .xlsx
    Xml,
    /// .xlsb
    Binary,
    /// .ods
    OpenDocument,
}

/// Text packs to a tenth or a fiftieth of itself; what packs better than this was made to.
const BEST_RATIO: u64 = 200;
/// The least that everything may unpack to, however small it is.
const ALWAYS: u64 = 1 << 26;
/// Sheets pass through; everything else is held.
const LARGEST_SHEET: u64 = 1 << 33;
const LARGEST_PART: u64 = 1 << 29;
/// The longest tag, text, cell or record.
pub(super) const LONGEST_PIECE: u64 = 1 << 26;
/// The most sheets, and the longest tag that says where one is: the library writes that out for each of them.
const MOST_SHEETS: u64 = 1 << 14;
const LONGEST_RELATION: u64 = 1 << 14;
/// The most texts that cells share.
pub(super) const MOST_STRINGS: u64 = 1 << 24;

/// Finds out what a file is, and refuses it if it unpacks to too much. `None` if it is no archive.
pub(super) fn checked(file: &File) -> Result<Option<Packed>, Unreadable> {
    let Ok(mut archive) = ZipArchive::new(BufReader::new(file)) else { return Ok(None) };
    let names = archive.file_names().map(|name| name.map(|name| name.into_owned()));
    let names: Vec<String> = names.collect::<Result<_, _>>().map_err(|_| Unreadable::Damaged)?;
    let has = |wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    let kind = match () {
        () if has("xl/workbook.bin") => Packed::Binary,
        () if has("mimetype") && has("content.xml") => Packed::OpenDocument,
        () => Packed::Xml,
    };
    for (place, name) in names.iter().enumerate() {
        let part = archive.by_index(place).map_err(|_| Unreadable::Damaged)?;
        if part.is_file() {
            check_part(name, part, kind)?;
        }
    }
    for name in names.iter().filter(|_| kind == Packed::Xml) {
        let lower = name.to_ascii_lowercase();
        let check: fn(&mut dyn BufRead) -> Result<(), Unreadable> = match () {
            () if lower.ends_with("sharedstrings.xml") => check_strings,
            () if lower.ends_with("styles.xml") => styles::check,
            () => continue,
        };
        let part = archive.by_name(name).map_err(|_| Unreadable::Damaged)?;
        check(&mut BufReader::with_capacity(1 << 16, part))?;
    }
    Ok(Some(kind))
}

fn check_part<R: Read>(name: &str, part: ZipFile<'_, R>, kind: Packed) -> Result<(), Unreadable> {
    let name = name.to_ascii_lowercase();
    let passes_through = match kind {
        Packed::OpenDocument => name == "content.xml",
        Packed::Xml | Packed::Binary => name.contains("worksheets/"),
    };
    let largest = if passes_through { LARGEST_SHEET } else { LARGEST_PART };
    let limit = largest.min(part.compressed_size().saturating_mul(BEST_RATIO).max(ALWAYS));
    let mut unpacked = BufReader::with_capacity(1 << 16, part.take(limit + 1));
    let is_relations = name.ends_with(".rels");
    let bytes = match (kind, binary_records::Part::named(&name)) {
        (Packed::Binary, Some(part)) if !is_relations => binary_records::check(&mut unpacked, part)?,
        (Packed::Binary, _) if !is_relations => length(&mut unpacked).map_err(|_| Unreadable::Damaged)?,
        _ => {
            let measured = xml_pieces::measure(&mut unpacked).map_err(|_| Unreadable::Damaged)?;
            match () {
                () if measured.longest_piece > LONGEST_PIECE => {
                    return Err(Unreadable::too_large("a single cell or tag in it is longer than 64 MiB"));
                }
                () if measured.sheets > MOST_SHEETS => {
                    return Err(Unreadable::too_large("it has more than 16,384 sheets"));
                }
                () if is_relations && measured.longest_piece > LONGEST_RELATION => return Err(Unreadable::Damaged),
                () => measured.bytes,
            }
        }
    };
    match bytes > limit {
        true => Err(Unreadable::too_large(format!("a part of it unpacks to more than {}", amount(limit)))),
        false => Ok(()),
    }
}

fn length(bytes: &mut impl BufRead) -> std::io::Result<u64> {
    std::io::copy(bytes, &mut std::io::sink())
}

/// Room for as many shared strings as the file says is made at once, and each takes some however short it is: what it says is
/// checked, and what it has is counted.
fn check_strings(strings: &mut dyn BufRead) -> Result<(), Unreadable> {
    let mut document = quick_xml::Reader::from_reader(strings);
    document.config_mut().check_end_names = false;
    let (mut buffer, mut count) = (Vec::new(), 0);
    loop {
        buffer.clear();
        match document.read_event_into(&mut buffer).map_err(|_| Unreadable::Damaged)? {
            Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                "sst" if claims_too_many(&tag) => {
                    return Err(Unreadable::too_large("it says that it has more than 16 million texts"));
                }
                "si" => count += 1,
                _ => {}
            },
            Event::Eof => return Ok(()),
            _ => {}
        }
        if count > MOST_STRINGS {
            return Err(Unreadable::too_large("it has more than 16 million texts"));
        }
    }
}

fn claims_too_many(tag: &BytesStart<'_>) -> bool {
    let is_absurd = |value: &str| value.trim().parse::<u64>().is_ok_and(|count| count > MOST_STRINGS);
    let mut counts = tag.attributes();
    counts.with_checks(false).flatten().any(|count| count.key.as_ref() == "uniqueCount" && is_absurd(&count.value))
}

fn amount(bytes: u64) -> String {
    if bytes >= 1 << 30 { format!("{} GiB", bytes >> 30) } else { format!("{} MiB", bytes >> 20) }
}

//! What kind of workbook is in a zip archive, and does it unpack to more than can be held?
//!
//! The library that reads workbooks allocates what a file asks for. So that a small file cannot ask for all memory there is,
//! everything in it is unpacked once before, and measured.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use quick_xml::events::Event;
use quick_xml::events::attributes::Attribute;
use zip::ZipArchive;
use zip::read::ZipFile;

use super::unreadable::Unreadable;
use super::{open_document, xml_pieces};

/// What a zip archive holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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
/// The longest tag or text.
const LONGEST_PIECE: u64 = 1 << 26;
/// The most strings that room is made for before they are read.
const MOST_STRINGS: u64 = 1 << 24;

/// Finds out what a file is, and refuses it if it unpacks to too much. `None` if it is no archive.
pub(super) fn checked(file: &File) -> Result<Option<Kind>, Unreadable> {
    let Ok(mut archive) = ZipArchive::new(BufReader::new(file)) else { return Ok(None) };
    let names = archive.file_names().map(|name| name.map(|name| name.into_owned()));
    let names: Vec<String> = names.collect::<Result<_, _>>().map_err(|_| Unreadable::Damaged)?;
    let has = |wanted: &str| names.iter().any(|name| name.eq_ignore_ascii_case(wanted));
    let kind = match () {
        () if has("xl/workbook.bin") => Kind::Binary,
        () if has("mimetype") && has("content.xml") => Kind::OpenDocument,
        () => Kind::Xml,
    };
    for (place, name) in names.iter().enumerate() {
        let part = archive.by_index(place).map_err(|_| Unreadable::Damaged)?;
        if part.is_file() {
            check_part(name, part, kind)?;
        }
    }
    if kind == Kind::OpenDocument {
        let content = archive.by_name("content.xml").map_err(|_| Unreadable::Damaged)?;
        open_document::check(BufReader::new(content))?;
    }
    if kind == Kind::Xml {
        let is_strings = |name: &&String| name.to_ascii_lowercase().ends_with("sharedstrings.xml");
        for name in names.iter().filter(is_strings) {
            check_strings(archive.by_name(name).map_err(|_| Unreadable::Damaged)?)?;
        }
    }
    Ok(Some(kind))
}

fn check_part<R: Read>(name: &str, part: ZipFile<'_, R>, kind: Kind) -> Result<(), Unreadable> {
    let is_sheet = kind != Kind::OpenDocument && name.to_ascii_lowercase().contains("worksheets/");
    let largest = if is_sheet { LARGEST_SHEET } else { LARGEST_PART };
    let limit = largest.min(part.compressed_size().saturating_mul(BEST_RATIO).max(ALWAYS));
    let mut unpacked = BufReader::with_capacity(1 << 16, part.take(limit + 1));
    let bytes = match kind {
        Kind::Binary => length(&mut unpacked).map_err(|_| Unreadable::Damaged)?,
        Kind::Xml | Kind::OpenDocument => {
            let measured = xml_pieces::measure(&mut unpacked).map_err(|_| Unreadable::Damaged)?;
            if measured.longest_piece > LONGEST_PIECE {
                return Err(Unreadable::too_large("a single cell or tag in it is longer than 64 MiB"));
            }
            measured.bytes
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

/// Room for as many shared strings as the file says is made at once; what it says is checked.
fn check_strings(strings: impl Read) -> Result<(), Unreadable> {
    let mut document = quick_xml::Reader::from_reader(BufReader::new(strings));
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match document.read_event_into(&mut buffer) {
            Ok(Event::Start(tag) | Event::Empty(tag)) if tag.local_name().as_ref() == "sst" => {
                let is_absurd = |value: &str| value.trim().parse::<u64>().is_ok_and(|count| count > MOST_STRINGS);
                let mut counts = tag.attributes();
                let mut counts = counts.with_checks(false).flatten();
                let is_absurd = |count: Attribute<'_>| count.key.as_ref() == "uniqueCount" && is_absurd(&count.value);
                return match counts.any(is_absurd) {
                    true => Err(Unreadable::too_large("it says that it has more than 16 million texts")),
                    false => Ok(()),
                };
            }
            Ok(Event::Eof) | Err(_) => return Ok(()),
            Ok(_) => {}
        }
    }
}

fn amount(bytes: u64) -> String {
    if bytes >= 1 << 30 { format!("{} GiB", bytes >> 30) } else { format!("{} MiB", bytes >> 20) }
}

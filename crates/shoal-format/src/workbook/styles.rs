//! How much memory do the styles of a workbook (.xlsx) ask for?
//!
//! The library makes a style of every format of cells, with a copy of the font, the fill, the border and the format of numbers
//! that it names: a long one that many formats name takes its length many times.

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::unreadable::Unreadable;

/// What all styles may take. Excel makes no more than 65,490 of them, of some hundred bytes each.
const MOST_BYTES: u64 = 1 << 28;
/// What a style takes beside what it names.
const STYLE: u64 = 512;

/// What is copied into a style: the parts and how long the longest of each is.
const COPIED: [&str; 4] = ["font", "fill", "border", "numFmt"];

/// Refuses styles that would take too much.
pub(super) fn check(document: &mut dyn BufRead) -> Result<(), Unreadable> {
    let mut document = Reader::from_reader(document);
    document.config_mut().check_end_names = false;
    document.config_mut().expand_empty_elements = true;
    let (mut longest, mut begun, mut styles) = ([0_u64; COPIED.len()], [0_u64; COPIED.len()], 0_u64);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let start = document.buffer_position();
        match document.read_event_into(&mut buffer).map_err(|_| Unreadable::Damaged)? {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "xf" => styles += 1,
                name => {
                    if let Some(place) = COPIED.iter().position(|copied| *copied == name) {
                        begun[place] = start;
                    }
                }
            },
            Event::End(tag) => {
                if let Some(place) = COPIED.iter().position(|copied| *copied == tag.local_name().as_ref()) {
                    longest[place] = longest[place].max(document.buffer_position().saturating_sub(begun[place]));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    let each = longest.iter().sum::<u64>() + STYLE;
    match styles.saturating_mul(each) > MOST_BYTES {
        true => Err(Unreadable::too_large("its styles take more than 256 MiB")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_short_styles_are_read_and_many_copies_of_a_long_one_are_not() {
        let styles = |format: &str, count: usize| {
            let formats = "<xf numFmtId=\"200\"/>".repeat(count);
            let text = format!(
                "<styleSheet><numFmts><numFmt numFmtId=\"200\" formatCode=\"{format}\"/></numFmts>\
                 <fonts><font><name val=\"Arial\"/></font></fonts><cellXfs>{formats}</cellXfs></styleSheet>"
            );
            check(&mut text.as_bytes())
        };
        assert!(styles("yyyy-mm-dd", 65_490).is_ok());
        assert!(styles(&"x".repeat(1 << 20), 10).is_ok());
        assert!(styles(&"x".repeat(1 << 20), 1000).is_err());
        assert!(styles("x", 400_000).is_ok());
        assert!(styles("x", 1_000_000).is_err());
    }
}

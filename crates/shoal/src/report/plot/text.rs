//! How wide is a text, and what is written of it where there is less room?

use std::borrow::Cow;

use super::svg::Px;
use crate::printable;

/// The size of all texts but those in cells.
pub(super) const SIZE: f64 = 12.0;

/// How far apart the middles of two lines are at least.
pub(super) const LINE: f64 = 14.0;

/// How far below the middle of a line its letters stand.
pub(super) const BASELINE: f64 = 4.0;

/// The widths of the characters from space to tilde in hundredths of their size, in DejaVu Sans. Of the fonts that a page may find it
/// is a wide one: what fits with it fits with others.
#[rustfmt::skip]
const WIDTHS: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, // space to /
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53, // 0 to ?
    100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, // @ to O
    60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, // P to _
    50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, // ` to o
    63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84, // p to ~
];

/// How wide a text is, about.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(hundredths).sum::<f64>() * SIZE / 100.0
}

fn hundredths(character: char) -> f64 {
    let code = u32::from(character);
    match code {
        0x20..=0x7e => f64::from(WIDTHS[code as usize - 0x20]),
        // marks on the letter before, joiners, selectors
        0x300..=0x36f | 0x200b..=0x200d | 0xfe00..=0xfe0f => 0.0,
        // – and the letters of most alphabets
        0x2013 => 50.0,
        ..0x1100 => 75.0,
        // signs, ideographs, pictures
        _ => 100.0,
    }
}

/// A text without what does something else than stand there, or may not be in XML.
pub(super) fn legible(text: &str) -> Cow<'_, str> {
    let line = printable::line(text);
    match line.contains(NO_CHARACTERS) {
        true => Cow::Owned(line.replace(NO_CHARACTERS, "\u{fffd}")),
        false => line,
    }
}

const NO_CHARACTERS: [char; 2] = ['\u{fffe}', '\u{ffff}'];

/// As much of a text as there is room for, with an ellipsis for the rest.
pub(super) fn shortened(text: &str, room: f64) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let ends = text.char_indices().map(|(at, _)| at).rev();
    let candidates = ends.map(|end| format!("{}…", text[..end].trim_end()));
    Cow::Owned(candidates.into_iter().find(|short| width(short) <= room).unwrap_or_else(|| "…".to_owned()))
}

/// A text that stands level.
pub(super) fn level(x: f64, y: f64, text: &str, room: f64) -> String {
    element(&format!("x=\"{}\" y=\"{}\"", Px(x), Px(y)), text, room)
}

/// One that leads up to a place from below and from the left.
pub(super) fn slanted(x: f64, y: f64, text: &str, room: f64) -> String {
    element(&format!("transform=\"translate({} {}) rotate(-{SLANT})\"", Px(x), Px(y)), text, room)
}

/// How steeply, in degrees.
pub(super) const SLANT: f64 = 40.0;

/// One with these attributes, and with all of it for whoever points at what was shortened.
pub(super) fn element(place: &str, text: &str, room: f64) -> String {
    let text = legible(text);
    let short = shortened(&text, room);
    let all = if short == text { String::new() } else { format!("<title>{}</title>", escaped(&text)) };
    format!("<text {place}>{all}{}</text>", escaped(&short))
}

/// Text as it stands in markup.
pub(in crate::report) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_characters() {
        // 63 + 61 + 84 hundredths of 12
        assert!((width("no~") - 24.96).abs() < 1e-9);
        assert!(width("iiii") < width("mm"));
        assert_eq!(width("e\u{301}"), width("e"), "an accent stands above");
        assert_eq!(width("数"), 12.0);
    }

    #[test]
    fn what_does_not_fit_ends_in_an_ellipsis() {
        assert_eq!(shortened("a label", 100.0), "a label");
        // a: 7.32, space: 3.84, l: 3.36, …: 12
        assert_eq!(shortened("a label", 26.6), "a l…");
        assert_eq!(shortened("a label", 24.0), "a…", "no space before it");
        assert_eq!(shortened("a label", 1.0), "…");
        assert_eq!(shortened("", 1.0), "");
    }

    #[test]
    fn a_shortened_text_can_still_be_read() {
        assert_eq!(level(1.0, 2.5, "a & b", 99.0), "<text x=\"1\" y=\"2.5\">a &amp; b</text>");
        assert_eq!(
            level(1.0, 2.0, "a < label", 34.0),
            "<text x=\"1\" y=\"2\"><title>a &lt; label</title>a &lt;…</text>"
        );
    }

    #[test]
    fn nothing_is_written_that_is_no_text() {
        assert_eq!(legible("a\u{1b}\u{202e}\u{ffff}"), "a\\u{1b}\\u{202e}\u{fffd}");
    }
}

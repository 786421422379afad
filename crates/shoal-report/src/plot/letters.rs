//! How wide is a text, and how much of it fits where there is less room?

use std::borrow::Cow;

/// The size of all texts but those in cells.
pub(super) const SIZE: f64 = 12.0;

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

/// As much of the beginning of a text as there is room for, with an ellipsis for the rest.
pub(super) fn without_end(text: &str, room: f64) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…", start(text, room - width("…")).trim_end()))
}

/// As much of the beginning and of the end, with an ellipsis between them.
pub(super) fn without_middle(text: &str, room: f64) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let room = room - width("…");
    let start = start(text, room / 2.0);
    Cow::Owned(format!("{}…{}", start.trim_end(), end(&text[start.len()..], room - width(start)).trim_start()))
}

/// The longest beginning that fits.
fn start(text: &str, room: f64) -> &str {
    let ends = text.char_indices().map(|(at, character)| (at, hundredths(character)));
    text.split_at(first_beyond(ends, room).unwrap_or(text.len())).0
}

/// The longest end that fits. Marks whose letter does not are left out with it.
fn end(text: &str, room: f64) -> &str {
    let starts = text.char_indices().rev().map(|(at, character)| (at + character.len_utf8(), hundredths(character)));
    let end = text.split_at(first_beyond(starts, room).unwrap_or(0)).1;
    end.trim_start_matches(|character| hundredths(character) == 0.0)
}

/// The place of the first character that does not fit.
fn first_beyond(mut characters: impl Iterator<Item = (usize, f64)>, room: f64) -> Option<usize> {
    let mut taken = 0.0;
    let beyond = characters.find(|(_, hundredths)| {
        taken += hundredths * SIZE / 100.0;
        taken > room
    });
    beyond.map(|(at, _)| at)
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
        assert_eq!(without_end("a label", 100.0), "a label");
        // a: 7.32, space: 3.84, l: 3.36, …: 12
        assert_eq!(without_end("a label", 26.6), "a l…");
        assert_eq!(without_end("a label", 24.0), "a…", "no space before it");
        assert_eq!(without_end("a label", 1.0), "…");
        assert_eq!(without_end("", 1.0), "");
    }

    #[test]
    fn or_has_one_between_its_ends() {
        assert_eq!(without_middle("1234567", 54.0), "1234567");
        // 7.68 each, so that 2 and a half of them fit into half of 38, and 2 into what is left.
        assert_eq!(without_middle("1234567", 50.0), "12…67");
        assert_eq!(without_middle("12345m\u{301}", 20.0), "…", "no accent without its letter");
        assert_eq!(without_middle("a label", 1.0), "…");
    }
}

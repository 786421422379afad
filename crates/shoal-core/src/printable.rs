//! How is text from a table or a file name shown, so that a terminal does nothing but show it?
//!
//! Whoever makes a table decides what its cells, its columns and its file are called. Written as they are, some characters
//! clear the screen, hide or reorder what stands around them, or put a line there that this program never said.

use std::borrow::Cow;
use std::fmt::Write;

/// A text of one line: line endings are made visible, too.
pub fn line(text: &str) -> Cow<'_, str> {
    visible(text, is_unprintable, escaped)
}

/// A text of several lines.
pub fn lines(text: &str) -> Cow<'_, str> {
    visible(text, |character| character != '\n' && is_unprintable(character), escaped)
}

/// The text of JSON: what is made visible is read back as it was.
pub fn json(text: &str) -> Cow<'_, str> {
    let unit = |character: char, text: &mut String| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a text cannot fail.
            let _ = write!(text, "\\u{unit:04x}");
        }
    };
    visible(text, |character| character != '\n' && is_unprintable(character), unit)
}

/// A string of TOML in double quotes: what is made visible is read back as it was.
pub fn toml(text: &str) -> Cow<'_, str> {
    visible(text, is_unprintable, |character, text| {
        let _ = write!(text, "\\U{:08x}", u32::from(character));
    })
}

/// Does a character do anything but stand there?
///
/// Joiners are needed to write Persian or Hindi, and stay.
pub fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // spaces without width, and marks of the beginning of a text
            '\u{200b}' | '\u{2060}' | '\u{feff}'
            // marks, embeddings, overrides and isolates of the direction of writing
            | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // separators of lines and paragraphs
            | '\u{2028}' | '\u{2029}'
            // notes between lines, and tags, which nobody sees
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn escaped(character: char, text: &mut String) {
    text.extend(character.escape_default());
}

fn visible(text: &str, is_hidden: impl Fn(char) -> bool, escape: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !text.chars().any(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) { escape(character, &mut shown) } else { shown.push(character) }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_do_something_is_shown() {
        assert_eq!(line("a\u{1b}[2Jb\r\n\tc\u{7f}\u{9b}"), "a\\u{1b}[2Jb\\r\\n\\tc\\u{7f}\\u{9b}");
        assert_eq!(lines("a\n\u{7}b"), "a\n\\u{7}b");
        assert_eq!(line("\u{202e}\u{2066}\u{200b}\u{2028}"), "\\u{202e}\\u{2066}\\u{200b}\\u{2028}");
        for harmless in ["Zoë", "a b", "می‌خواهم", "👩‍👧", "c\\d"] {
            assert!(matches!(line(harmless), Cow::Borrowed(same) if same == harmless));
        }
    }

    #[test]
    fn json_reads_back_as_it_was() {
        let value = serde_json::json!({ "a\u{7f}\u{9b}": ["\u{202e}x\n\u{1b}", "\u{e0041}"] });
        let shown = json(&format!("{value:#}")).into_owned();
        assert!(!shown.chars().any(|character| character != '\n' && is_unprintable(character)), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).expect("JSON"), value);
    }
}

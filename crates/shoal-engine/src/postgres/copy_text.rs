//! How are rows written in the text form of COPY, and how are they read?

use std::borrow::Cow;
use std::io::{self, Write};

/// Splits a line into its fields; `None` is null.
pub(super) fn fields(line: &str) -> impl Iterator<Item = Option<Cow<'_, str>>> {
    line.split('\t').map(|field| if field == "\\N" { None } else { Some(unescaped(field)) })
}

fn unescaped(field: &str) -> Cow<'_, str> {
    if !field.contains('\\') {
        return field.into();
    }
    let (mut text, mut characters) = (String::with_capacity(field.len()), field.chars());
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        text.push(match characters.next() {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('v') => '\u{b}',
            Some(other) => other,
            None => '\\',
        });
    }
    text.into()
}

/// Writes a field; `None` is null.
pub(super) fn write_field(into: &mut impl Write, text: Option<&str>) -> io::Result<()> {
    let Some(text) = text else { return into.write_all(b"\\N") };
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '\n', '\r', '\t']) {
        into.write_all(&rest.as_bytes()[..at])?;
        into.write_all(match rest.as_bytes()[at] {
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            _ => b"\\\\",
        })?;
        rest = &rest[at + 1..];
    }
    into.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_as_they_were() {
        let texts = [Some("plain"), None, Some(""), Some("\\N"), Some("a\tb\nc\rd\\e"), Some("ü"), Some("\\.")];
        let mut line = Vec::new();
        for (at, text) in texts.into_iter().enumerate() {
            if at > 0 {
                line.push(b'\t');
            }
            write_field(&mut line, text).unwrap();
        }
        let line = String::from_utf8(line).unwrap();
        assert!(!line.contains('\n'));
        let back: Vec<Option<Cow<'_, str>>> = fields(&line).collect();
        assert_eq!(back.iter().map(Option::as_deref).collect::<Vec<_>>(), texts);
    }

    #[test]
    fn what_the_server_escapes_is_read() {
        assert_eq!(unescaped("a\\bb\\fc\\vd"), "a\u{8}b\u{c}c\u{b}d");
    }
}

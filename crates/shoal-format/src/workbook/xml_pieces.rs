//! Is any piece of an XML document, or any cell of a sheet, too long to be held in memory?

use std::io::{self, BufRead};

/// Reads a document to its end; how long it is, and the longest of its pieces: tags, texts, comments and the like, each of
/// which a parser holds as a whole, and values of cells (`v`, `is`), whose texts are put together.
pub(super) fn measure(mut document: impl BufRead) -> io::Result<Measured> {
    let mut pieces = Pieces::default();
    loop {
        let bytes = document.fill_buf()?;
        if bytes.is_empty() {
            pieces.end();
            return Ok(pieces.measured);
        }
        let length = bytes.len();
        bytes.iter().for_each(|&byte| pieces.take(byte));
        document.consume(length);
    }
}

/// What a document takes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Measured {
    pub bytes: u64,
    pub longest_piece: u64,
    /// How many sheets it names.
    pub sheets: u64,
}

#[derive(Default)]
struct Pieces {
    measured: Measured,
    /// How long the piece is that is being read.
    length: u64,
    /// The name of the tag, as far as it was read, and is there more of it?
    name: Vec<u8>,
    is_in_name: bool,
    /// The name of the value that is being read, if one is, and how long it is.
    value: Option<(Vec<u8>, u64)>,
    kind: PieceKind,
    /// The last bytes, the newest lowest.
    last: u64,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum PieceKind {
    #[default]
    Text,
    Tag,
    /// Inside a value of a tag, which may hold `<` and `>`.
    Quoted(u8),
    EndTag,
    Comment,
    CharacterData,
    Instruction,
}

impl Pieces {
    fn take(&mut self, byte: u8) {
        self.last = self.last << 8 | u64::from(byte);
        self.measured.bytes += 1;
        if self.measured.bytes == 4 && is_utf_16(self.last) {
            self.refuse();
        }
        if self.kind == PieceKind::Text && byte == b'<' {
            self.end();
            self.kind = PieceKind::Tag;
            self.name.clear();
            self.is_in_name = true;
        }
        self.length += 1;
        if let Some((_, length)) = &mut self.value {
            *length += 1;
            self.measured.longest_piece = self.measured.longest_piece.max(*length);
        }
        match (self.kind, self.length) {
            (PieceKind::Tag, 2) if byte == b'?' => self.kind = PieceKind::Instruction,
            (PieceKind::Tag, 2) if byte == b'/' => self.kind = PieceKind::EndTag,
            // No workbook declares anything of its own.
            (PieceKind::Tag, 3) if self.last >> 8 & 0xff == u64::from(b'!') && !matches!(byte, b'-' | b'[') => {
                self.refuse()
            }
            (PieceKind::Tag, 4) if self.ends_with(b"<!--") => self.kind = PieceKind::Comment,
            (PieceKind::Tag, 9) if self.ends_with(b"![CDATA[") => self.kind = PieceKind::CharacterData,
            (PieceKind::Tag, _) if matches!(byte, b'"' | b'\'') => self.kind = PieceKind::Quoted(byte),
            (PieceKind::Quoted(quote), _) if byte == quote => self.kind = PieceKind::Tag,
            _ => {}
        }
        if self.is_in_name && matches!(self.kind, PieceKind::Tag | PieceKind::EndTag) {
            self.take_name(byte);
        }
        let is_end = match self.kind {
            PieceKind::Text | PieceKind::Quoted(_) => false,
            PieceKind::Tag | PieceKind::EndTag => byte == b'>',
            PieceKind::Comment => self.length >= 7 && self.ends_with(b"-->"),
            PieceKind::CharacterData => self.ends_with(b"]]>"),
            PieceKind::Instruction => self.length >= 4 && self.ends_with(b"?>"),
        };
        if is_end {
            self.end_tag();
            self.end();
            self.kind = PieceKind::Text;
        }
    }

    /// Takes the next byte of a tag, as long as its name goes on.
    fn take_name(&mut self, byte: u8) {
        match byte {
            b'<' | b'/' if self.length <= 2 => {}
            b'>' | b'/' | b' ' | b'\t' | b'\r' | b'\n' => self.is_in_name = false,
            _ => self.name.push(byte),
        }
    }

    /// A value goes on until a tag of the same name ends it, whatever stands in between.
    fn end_tag(&mut self) {
        self.measured.sheets += u64::from(self.kind == PieceKind::Tag && local(&self.name) == b"sheet");
        let is_closed = self.last >> 8 & 0xff == u64::from(b'/');
        match (&self.value, self.kind) {
            (None, PieceKind::Tag) if !is_closed && is_value(&self.name) => self.value = Some((self.name.clone(), 0)),
            (Some((name, _)), PieceKind::EndTag) if *name == self.name => self.value = None,
            _ => {}
        }
    }

    /// What is not understood here may be of any length.
    fn refuse(&mut self) {
        self.measured.longest_piece = u64::MAX;
    }

    fn ends_with(&self, text: &[u8]) -> bool {
        let wanted = text.iter().fold(0_u64, |all, &byte| all << 8 | u64::from(byte));
        let mask = if text.len() == 8 { u64::MAX } else { (1 << (8 * text.len())) - 1 };
        self.last & mask == wanted
    }

    fn end(&mut self) {
        self.measured.longest_piece = self.measured.longest_piece.max(self.length);
        self.length = 0;
    }
}

/// A name without that of its namespace.
fn local(name: &[u8]) -> &[u8] {
    name.rsplit(|&byte| byte == b':').next().unwrap_or(name)
}

/// Is this the name of a cell's value?
fn is_value(name: &[u8]) -> bool {
    matches!(local(name), b"v" | b"is")
}

/// Do these four bytes begin a text of two bytes a character?
fn is_utf_16(first: u64) -> bool {
    let (mark, zeros) = (first >> 16 & 0xffff, first & 0x00ff_00ff);
    matches!(mark, 0xfeff | 0xfffe) || zeros == 0 || first & 0xff00_ff00 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn longest(text: &str) -> u64 {
        measure(text.as_bytes()).expect("memory").longest_piece
    }

    #[test]
    fn pieces_are_what_a_parser_holds() {
        assert_eq!(longest("<a>text</a>"), 4);
        assert_eq!(longest("<a><!-- <b> --><c/></a>"), 12);
        assert_eq!(longest("<a><![CDATA[<b><b>]]></a>"), 18);
        assert_eq!(longest("<?xml <> ?><a/>"), 11);
        assert_eq!(longest("nothing"), 7);
        assert_eq!(longest("<!-->-->"), 8, "that is no end of a comment");
        assert_eq!(longest("<a b='<c><c>' d=\">\"><c></a it's><d e=''/>"), 20);
        assert_eq!(longest("<!DOCTYPE a><a/>"), u64::MAX);
        assert_eq!(longest("<\0a\0>\0"), u64::MAX);
        assert_eq!(measure("<a/>b".as_bytes()).expect("memory"), Measured { bytes: 5, longest_piece: 4, sheets: 0 });
        assert_eq!(measure("<sheets><sheet/><x:sheet></x:sheet></sheets>".as_bytes()).expect("memory").sheets, 2);
    }

    #[test]
    fn the_value_of_a_cell_is_a_piece_however_it_is_cut() {
        assert_eq!(
            longest("<c><is><t>ab</t><t>cd</t></is></c><c><v>1</v></c>"),
            "<t>ab</t><t>cd</t></is>".len() as u64
        );
        assert_eq!(longest("<c><x:is a='1'><v/></c></is><is></x:is><v/>"), "<v/></c></is><is></x:is>".len() as u64);
        assert_eq!(longest("<c><is/><v /><t>cd</t></c>"), 5);
    }
}

//! How do the bytes of a file become UTF-8 text?

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use encoding_rs::{Decoder, DecoderResult, Encoding};

use super::compression::Compression;
use super::empty;
use super::signature;
use shoal_core::{Error, Result};

/// The text of a file: decompressed, decoded, without its byte order mark.
///
/// Bytes that are meant to be UTF-8 pass through unchecked, since checking a whole batch at once is quicker;
/// those of any other encoding are checked here. Trouble is reported after all text before it was read, so
/// whoever reads can tell the row.
pub(super) struct TextStream {
    path: PathBuf,
    compression: Compression,
    bytes: Box<dyn Read + Send>,
    encoding: &'static Encoding,
    byte_order_mark: bool,
    /// `None` where the bytes are UTF-8 already.
    decoding: Option<Decoding>,
    trouble: Option<Trouble>,
}

struct Decoding {
    decoder: Decoder,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
}

/// What can be wrong with bytes that should be text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    Malformed,
    Nul,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trouble::Malformed => "malformed bytes",
            Trouble::Nul => "a zero byte",
        })
    }
}

impl std::error::Error for Trouble {}

impl From<Trouble> for io::Error {
    fn from(trouble: Trouble) -> Self {
        io::Error::new(io::ErrorKind::InvalidData, trouble)
    }
}

/// How much of the file is looked at to tell what it is.
const HEAD: u64 = 1 << 10;
const BUFFER: usize = 1 << 16;

impl TextStream {
    /// The fewest bytes that text can be read into: a character must fit, and the decoder wants some to spare.
    pub(super) const ROOM: usize = 16;

    /// Opens a file as text, as [`of`](Self::of) does.
    #[cfg(test)]
    pub(super) fn open(path: &Path, compression: Compression, encoding: Option<&'static Encoding>) -> Result<Self> {
        Self::of(super::open_file(path)?, path, compression, encoding)
    }

    /// Reads an open file as text; a byte order mark overrules `encoding`, and without both it is UTF-8. `path` is what the file
    /// is called.
    pub(super) fn of(
        file: File,
        path: &Path,
        compression: Compression,
        encoding: Option<&'static Encoding>,
    ) -> Result<Self> {
        let read = || {
            let mut bytes = compression.reader(file)?;
            let mut head = Vec::new();
            bytes.by_ref().take(HEAD).read_to_end(&mut head)?;
            Ok((bytes, head))
        };
        let (bytes, head) = read().map_err(|error| unreadable(path, compression, &error, path.display()))?;
        if head.is_empty() {
            return Err(empty(path.display()));
        }
        if let Some((what, hint)) = signature::of(&head) {
            return Err(Error::table(format!("{} is {what}, not text", path.display())).hint(hint));
        }
        let mark = Encoding::for_bom(&head);
        if mark.is_none()
            && encoding.is_none()
            && let Some(label) = signature::utf_16_without_mark(&head)
        {
            return Err(Error::table(format!("{} is not utf-8: it has zero bytes", path.display()))
                .hint(format!("it looks like UTF-16: set `encoding = \"{label}\"`")));
        }
        let (encoding, mark_length) = mark.unwrap_or((encoding.unwrap_or(encoding_rs::UTF_8), 0));
        let decoding = (encoding != encoding_rs::UTF_8).then(|| Decoding {
            decoder: encoding.new_decoder_without_bom_handling(),
            bytes: vec![0; BUFFER],
            start: 0,
            end: 0,
            ended: false,
        });
        let mut head = Cursor::new(head);
        head.set_position(mark_length as u64);
        Ok(Self {
            path: path.to_owned(),
            compression,
            bytes: Box::new(head.chain(bytes)),
            encoding,
            byte_order_mark: mark.is_some(),
            decoding,
            trouble: None,
        })
    }

    /// The encoding of the file.
    pub(super) fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Did the file open with a byte order mark?
    pub(super) fn byte_order_mark(&self) -> bool {
        self.byte_order_mark
    }

    /// What an error of this stream means, at a place in the file.
    pub(super) fn explain(&self, error: &io::Error, place: impl fmt::Display) -> Error {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<Trouble>()) {
            Some(Trouble::Malformed) => malformed(self.encoding).at(place),
            Some(Trouble::Nul) => Error::table("a zero byte: this is not a text file").at(place),
            None => unreadable(&self.path, self.compression, error, place),
        }
    }
}

/// Bytes that are no text in an encoding.
pub(super) fn malformed(encoding: &'static Encoding) -> Error {
    let name = encoding.name().to_lowercase();
    let other = if encoding == encoding_rs::UTF_8 { "windows-1252" } else { "utf-8" };
    Error::table(format!("the bytes are not valid {name}"))
        .hint(format!("say its encoding, for example `encoding = \"{other}\"` in [input], or `--encoding {other}`"))
}

/// A file that the operating system or a decompressor fails to read.
fn unreadable(path: &Path, compression: Compression, error: &io::Error, place: impl fmt::Display) -> Error {
    // Decompressors report damage as errors that no operating system knows.
    if compression == Compression::None || error.raw_os_error().is_some() {
        return Error::io("read", path, error);
    }
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return Error::table("the compressed file is cut short").at(place).hint("copy or download it again");
    }
    Error::table("the compressed data is damaged").at(place).hint("is it compressed the way its name says?")
}

impl Read for TextStream {
    fn read(&mut self, text: &mut [u8]) -> io::Result<usize> {
        debug_assert!(text.len() >= Self::ROOM, "without room a text would seem to have ended");
        if let Some(trouble) = self.trouble {
            return Err(trouble.into());
        }
        let (mut length, mut trouble) = match &mut self.decoding {
            None => (read_some(&mut self.bytes, text)?, None),
            Some(decoding) => decoding.read(&mut self.bytes, text)?,
        };
        // `contains` takes many bytes at a time; the place is wanted only when there is one.
        if text[..length].contains(&0) {
            length = text.iter().position(|&byte| byte == 0).unwrap_or(0);
            trouble = Some(Trouble::Nul);
        }
        self.trouble = trouble;
        match trouble {
            Some(trouble) if length == 0 => Err(trouble.into()),
            _ => Ok(length),
        }
    }
}

impl Decoding {
    /// Decodes into `text`, at least one character unless the bytes have ended, up to the first trouble.
    fn read(&mut self, bytes: &mut impl Read, text: &mut [u8]) -> io::Result<(usize, Option<Trouble>)> {
        loop {
            let input = &self.bytes[self.start..self.end];
            let (result, read, written) = self.decoder.decode_to_utf8_without_replacement(input, text, self.ended);
            self.start += read;
            if let DecoderResult::Malformed(..) = result {
                return Ok((written, Some(Trouble::Malformed)));
            }
            if written > 0 || self.ended {
                return Ok((written, None));
            }
            self.start = 0;
            self.end = read_some(bytes, &mut self.bytes)?;
            self.ended = self.end == 0;
        }
    }
}

fn read_some(bytes: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match bytes.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

//! How do the bytes of a table go through gzip or Zstandard?

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

/// What the bytes of a file are squeezed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    /// Nothing.
    None,
    /// gzip, also several members one after the other.
    Gzip,
    /// Zstandard.
    Zstd,
}

const BUFFER: usize = 1 << 16;

impl Compression {
    /// What a name ends in, after the extension of its format, where the file is squeezed.
    pub(super) const ENDINGS: [(&'static str, Self); 2] = [(".gz", Self::Gzip), (".zst", Self::Zstd)];

    /// The name of a file, in lower case, without the ending of its compression.
    pub(super) fn split(name: &str) -> (&str, Self) {
        let found = Self::ENDINGS.iter().find_map(|&(ending, by)| Some((name.strip_suffix(ending)?, by)));
        found.unwrap_or((name, Self::None))
    }

    /// The plain bytes of a file.
    pub(super) fn reader(self, file: File) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Compression::None => Box::new(file),
            Compression::Gzip => Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(BUFFER, file))),
            Compression::Zstd => Box::new(zstd::Decoder::new(file)?),
        })
    }

    /// A file that takes plain bytes.
    pub(super) fn writer(self, file: File) -> io::Result<CompressedFile> {
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(match self {
            Compression::None => CompressedFile::Plain(file),
            // The header of gzip would hold the time of writing unless told otherwise; flate2 leaves it zero,
            // so equal tables give equal files.
            Compression::Gzip => CompressedFile::Gzip(GzEncoder::new(file, flate2::Compression::default())),
            Compression::Zstd => CompressedFile::Zstd(zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?),
        })
    }
}

/// A file that compresses what is written to it; without [`CompressedFile::finish`] it lacks its end.
pub(super) enum CompressedFile {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl CompressedFile {
    /// Writes what is still buffered and the trailer, and waits until the disk has it all.
    pub(super) fn finish(self) -> io::Result<()> {
        let buffered = match self {
            CompressedFile::Plain(file) => file,
            CompressedFile::Gzip(encoder) => encoder.finish()?,
            CompressedFile::Zstd(encoder) => encoder.finish()?,
        };
        buffered.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    }
}

impl Write for CompressedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            CompressedFile::Plain(file) => file.write(bytes),
            CompressedFile::Gzip(encoder) => encoder.write(bytes),
            CompressedFile::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            CompressedFile::Plain(file) => file.flush(),
            CompressedFile::Gzip(encoder) => encoder.flush(),
            CompressedFile::Zstd(encoder) => encoder.flush(),
        }
    }
}

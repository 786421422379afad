//! How is a file changed so that its readers may stumble?

use std::io::{Cursor, Read, Write};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Changes files, the same way for the same seed.
#[derive(Debug)]
pub struct Mutator {
    random: ChaCha8Rng,
}

/// Numbers that are hard on whoever adds, multiplies or allocates.
const EXTREMES: [&str; 16] = [
    "0",
    "-1",
    "1",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e308",
    "-0.0",
    "NaN",
    "1048576",
    "999999999999999999999999999",
];

/// Texts that mean something to somebody.
const TOKENS: [&[u8]; 20] = [
    b"\x1b[2J",
    b"\0",
    b"\"",
    b"\"\"",
    b",",
    b";",
    b"\n",
    b"\r\n",
    b"{",
    b"[",
    b"}",
    b"]",
    b"*",
    b"=1+1",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    "\u{202e}".as_bytes(),
    b"..",
    b"'''",
    b"null",
];

impl Mutator {
    /// A mutator of this seed.
    pub fn new(seed: u64) -> Self {
        Self { random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// A file made of one of these seeds; none without seeds.
    pub fn mutated(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let bytes = self.pick(seeds).cloned().unwrap_or_default();
        let other = self.pick(seeds).cloned().unwrap_or_default();
        // What is packed has checksums: flipped bits would be found out before anything is parsed.
        if bytes.starts_with(b"PK") && self.below(4) > 0 {
            return self.repacked(&bytes).unwrap_or(bytes);
        }
        self.changed(bytes, &other)
    }

    fn changed(&mut self, mut bytes: Vec<u8>, other: &[u8]) -> Vec<u8> {
        // Most changes are small and few: what is changed beyond recognition is refused at once.
        for _ in 0..=self.below(2) {
            self.change(&mut bytes, other);
        }
        bytes.truncate(1 << 20);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let (start, end) = self.range(bytes.len());
        match self.below(12) {
            0 | 1 if start < bytes.len() => bytes[start] ^= 1 << self.below(8),
            2 if start < bytes.len() => bytes[start] = self.random.next_u32() as u8,
            11 if self.below(4) == 0 => bytes.truncate(start),
            3 => drop(bytes.drain(start..end)),
            4 => {
                let copy = bytes[start..end].to_vec();
                bytes.splice(end..end, copy);
            }
            5 => {
                let (from, to) = self.range(other.len());
                bytes.splice(start..end, other[from..to].iter().copied());
            }
            6 | 8 | 9 => self.change_number(bytes),
            7 => {
                let token = TOKENS[self.below(TOKENS.len())];
                bytes.splice(start..start, token.iter().copied());
            }
            10 => {
                let count = 1 << self.below(12);
                let piece = bytes[start..end.min(start + 64)].to_vec();
                let repeated = piece.iter().copied().cycle().take(piece.len().saturating_mul(count).min(1 << 18));
                let repeated: Vec<u8> = repeated.collect();
                bytes.splice(start..start, repeated);
            }
            _ => {}
        }
    }

    /// Puts an extreme into the place of a number.
    fn change_number(&mut self, bytes: &mut Vec<u8>) {
        let starts = |at: &usize| bytes[*at].is_ascii_digit() && (*at == 0 || !bytes[*at - 1].is_ascii_digit());
        let numbers: Vec<usize> = (0..bytes.len()).filter(starts).collect();
        let Some(&start) = self.pick(&numbers) else { return };
        let end = start + bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let extreme = EXTREMES[self.below(EXTREMES.len())];
        bytes.splice(start..end, extreme.bytes());
    }

    /// The same archive with one of its parts changed.
    fn repacked(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
        let changed = self.below(archive.len());
        let mut made = ZipWriter::new(Cursor::new(Vec::new()));
        for place in 0..archive.len() {
            let mut part = archive.by_index(place).ok()?;
            let name = part.name().ok()?.into_owned();
            let mut text = Vec::new();
            part.by_ref().take(1 << 20).read_to_end(&mut text).ok()?;
            drop(part);
            if place == changed {
                text = self.changed(text, b"");
            }
            made.start_file(name, SimpleFileOptions::default()).ok()?;
            made.write_all(&text).ok()?;
        }
        Some(made.finish().ok()?.into_inner())
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    fn range(&mut self, length: usize) -> (usize, usize) {
        let start = self.below(length + 1);
        let longest = if self.below(8) == 0 { length } else { 12 };
        (start, length.min(start + self.below(longest + 1)))
    }
}

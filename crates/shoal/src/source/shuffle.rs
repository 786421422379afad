//! How do lines come into a random order without all being in memory?

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::{Error, Result};

/// Puts lines into a random order that depends on a key alone. Each line is thrown into one of several heaps, and each
/// heap is shuffled by itself: every order of all lines is equally likely.
pub(super) struct Shuffle {
    random: ChaCha20Rng,
    heaps: Vec<Heap>,
    folder: PathBuf,
    largest: usize,
}

/// Lines, each after its length; the first of them in a file once there are many.
#[derive(Default)]
struct Heap {
    bytes: Vec<u8>,
    file: Option<File>,
}

const HEAPS: usize = 64;

/// How many bytes a heap may have in memory while lines come in.
const LARGEST: usize = 1 << 20;

impl Shuffle {
    /// A shuffle whose files, if it needs any, are nameless ones in `folder`.
    pub(super) fn new(key: [u8; 32], folder: &Path) -> Self {
        let heaps = (0..HEAPS).map(|_| Heap::default()).collect();
        Self { random: ChaCha20Rng::from_seed(key), heaps, folder: folder.to_owned(), largest: LARGEST }
    }

    /// Throws in lines, given their text and where each ends.
    pub(super) fn add(&mut self, text: &[u8], ends: &[usize]) -> Result<()> {
        let mut start = 0;
        for &end in ends {
            let heap = self.random.next_u32() as usize % HEAPS;
            let heap = &mut self.heaps[heap];
            let line = &text[start..end];
            heap.bytes.extend_from_slice(&line.len().to_le_bytes());
            heap.bytes.extend_from_slice(line);
            start = end;
            if heap.bytes.len() > self.largest {
                heap.put_away(&self.folder).map_err(|error| self.failed(&error))?;
            }
        }
        Ok(())
    }

    /// Hands out the lines of one heap after the other: their text and how many they are.
    pub(super) fn finish(mut self, mut write: impl FnMut(&[u8], u64) -> Result<()>) -> Result<()> {
        for mut heap in std::mem::take(&mut self.heaps) {
            let bytes = heap.take().map_err(|error| self.failed(&error))?;
            let mut lines = lines(&bytes);
            lines.shuffle(&mut self.random);
            write(&lines.concat(), lines.len() as u64)?;
        }
        Ok(())
    }

    fn failed(&self, error: &io::Error) -> Error {
        Error::io("write", &self.folder, error)
    }
}

impl Heap {
    fn put_away(&mut self, folder: &Path) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(folder)?),
        };
        file.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    fn take(&mut self) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        if let Some(file) = &mut self.file {
            file.rewind()?;
            file.read_to_end(&mut all)?;
        }
        all.append(&mut self.bytes);
        Ok(all)
    }
}

fn lines(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (line, rest) = rest.split_at(usize::from_le_bytes(*length));
        lines.push(line);
        bytes = rest;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(rows: usize, largest: usize, key: u8) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let mut shuffle = Shuffle { largest, ..Shuffle::new([key; 32], folder.path()) };
        for chunk in (0..rows).collect::<Vec<_>>().chunks(37) {
            let (mut text, mut ends) = (Vec::new(), Vec::new());
            for row in chunk {
                text.extend(format!("row {row}\n").bytes());
                ends.push(text.len());
            }
            shuffle.add(&text, &ends).unwrap();
        }
        let (mut text, mut count) = (String::new(), 0);
        let write = |lines: &[u8], rows: u64| {
            text.push_str(std::str::from_utf8(lines).unwrap());
            count += rows;
            Ok(())
        };
        shuffle.finish(write).unwrap();
        assert_eq!(count, rows as u64);
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn every_line_stays_and_files_change_nothing() {
        let mut lines = shuffled(5_000, usize::MAX, 1);
        assert_eq!(lines, shuffled(5_000, 100, 1));
        assert_ne!(lines, shuffled(5_000, 100, 2));
        let place = |line: &String| line.strip_prefix("row ").unwrap().parse::<usize>().unwrap();
        let moved: usize = lines.iter().enumerate().map(|(at, line)| place(line).abs_diff(at)).sum();
        // In a random order a line is a third of the table away from its place.
        assert!((1_550..1_780).contains(&(moved / 5_000)), "{moved}");
        lines.sort_by_key(place);
        assert!(lines.iter().enumerate().all(|(at, line)| place(line) == at) && lines.len() == 5_000);
    }
}

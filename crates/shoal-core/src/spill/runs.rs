//! How are lists of keys and their counts kept in a file?

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use super::{MemoryLimit, RunKey};
use crate::Result;

/// Lists of keys and their counts, one after the other in a file that vanishes with them.
#[derive(Debug)]
pub struct Runs {
    limit: MemoryLimit,
    file: Mutex<File>,
    runs: Vec<Run>,
}

/// Where a list stands in the file, and how many bytes each of its keys takes.
#[derive(Debug, Clone, Copy)]
struct Run {
    start: u64,
    end: u64,
    width: usize,
}

/// The longest a count can be: seven bits in each byte.
const LONGEST_COUNT: usize = 10;

impl Runs {
    /// No lists yet, in a new file.
    pub fn new(limit: &MemoryLimit) -> Result<Self> {
        let file = limit.file().map_err(|error| limit.failed(&error))?;
        Ok(Self { limit: limit.clone(), file: Mutex::new(file), runs: Vec::new() })
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds a list.
    pub fn write<K: RunKey>(&mut self, width: usize, entries: impl IntoIterator<Item = (K, u64)>) -> Result<()> {
        let start = self.runs.last().map_or(0, |run| run.end);
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let length = append(file, start, width, entries).map_err(|error| self.limit.failed(&error))?;
        self.runs.push(Run { start, end: start + length, width });
        Ok(())
    }

    /// Reads a list, a buffer of so many bytes at a time.
    pub fn read<K: RunKey>(&self, run: usize, buffer: usize) -> RunReader<'_, K> {
        let Run { start, end, width } = self.runs[run];
        let capacity = buffer.max(width + LONGEST_COUNT);
        RunReader { runs: self, next: start, end, width, buffer: Vec::new(), at: 0, capacity, key: PhantomData }
    }
}

fn append<K: RunKey>(
    file: &mut File,
    start: u64,
    width: usize,
    entries: impl IntoIterator<Item = (K, u64)>,
) -> io::Result<u64> {
    file.seek(SeekFrom::Start(start))?;
    let mut writer = BufWriter::with_capacity(1 << 16, file);
    let (mut bytes, mut length) = (Vec::with_capacity(width + LONGEST_COUNT), 0);
    for (key, count) in entries {
        bytes.clear();
        key.put(width, &mut bytes);
        put_count(count, &mut bytes);
        writer.write_all(&bytes)?;
        length += bytes.len() as u64;
    }
    writer.flush()?;
    Ok(length)
}

/// Most counts are small: seven bits in each byte, the eighth says that more follow.
fn put_count(mut count: u64, bytes: &mut Vec<u8>) {
    while count >= 0x80 {
        bytes.push(count as u8 | 0x80);
        count >>= 7;
    }
    bytes.push(count as u8);
}

/// The count at the beginning of some bytes, and how many of them it takes; none if they end before it does.
fn get_count(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut count = 0;
    for (at, byte) in bytes.iter().take(LONGEST_COUNT).enumerate() {
        count |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((count, at + 1));
        }
    }
    None
}

/// One list of a file, as it is read.
#[derive(Debug)]
pub struct RunReader<'a, K> {
    runs: &'a Runs,
    /// Where the file is to be read next, and where the list ends.
    next: u64,
    end: u64,
    width: usize,
    buffer: Vec<u8>,
    at: usize,
    capacity: usize,
    key: PhantomData<K>,
}

impl<K: RunKey> RunReader<'_, K> {
    /// The next key and its count.
    #[inline]
    pub fn next_entry(&mut self) -> Result<Option<(K, u64)>> {
        if self.buffer.len() - self.at < self.width + LONGEST_COUNT && self.next < self.end {
            self.fill().map_err(|error| self.runs.limit.failed(&error))?;
        }
        let bytes = &self.buffer[self.at..];
        if bytes.is_empty() {
            return Ok(None);
        }
        let Some((key, (count, length))) =
            bytes.split_at_checked(self.width).and_then(|(key, rest)| Some((key, get_count(rest)?)))
        else {
            return Err(self.runs.limit.failed(&io::ErrorKind::UnexpectedEof.into()));
        };
        self.at += self.width + length;
        Ok(Some((K::get(key), count)))
    }

    #[cold]
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let room = (self.capacity - self.buffer.len()) as u64;
        // Whoever reads another list of this file moves its position, so it is set each time.
        let mut file = self.runs.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.next))?;
        let read = (&mut *file).take(room.min(self.end - self.next)).read_to_end(&mut self.buffer)?;
        self.next += read as u64;
        Ok(())
    }
}

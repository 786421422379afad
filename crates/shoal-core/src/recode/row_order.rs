//! In which order do rows stand, so that it tells nothing that they do not show?

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use twox_hash::XxHash3_64;

use crate::{Error, Result};

/// Puts rows into the order of a hash of their bytes and a seed, equal hashes into that of the bytes. So the order is a function of
/// what is shown alone: whoever has two releases of a table learns nothing from laying them side by side, there is no
/// key to guess, and the same rows always give the same file, wherever they stood before. Rows that wait for their places
/// ([`Dealing::ByWhatTheyShow`](super::Dealing)) come to them in such an order, too.
///
/// Rows may come from any thread at any time. Each is thrown into a heap by the first bits of its hash; heaps that grow go to
/// a nameless file, and each is sorted by itself.
#[derive(Debug)]
pub struct RowOrder {
    seed: u64,
    heaps: Vec<Mutex<Heap>>,
    file: Mutex<Option<File>>,
    folder: PathBuf,
    largest: usize,
    /// How many bytes at the end of each row are no part of what it shows.
    tag: usize,
}

/// Rows, each after its hash, how often it came and its length; the first of them in pieces of the file once there are many.
#[derive(Debug, Default)]
struct Heap {
    bytes: Vec<u8>,
    pieces: Vec<Piece>,
}

/// Where rows that were put away stand in the file.
#[derive(Debug, Clone, Copy)]
struct Piece {
    start: u64,
    length: usize,
}

/// Rows one after the other, and where each ends.
#[derive(Debug, Default)]
pub struct RowBytes {
    /// The bytes of all of them.
    pub bytes: Vec<u8>,
    /// Where each ends.
    pub ends: Vec<usize>,
}

impl RowBytes {
    /// Makes room for others.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// Each row by itself.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end])
    }
}

const HEAPS: usize = 256;

/// How many bytes a heap may have in memory while rows come in.
const LARGEST: usize = 1 << 18;

/// Rows are handed out once they have so many bytes.
const HANDED_OUT: usize = 1 << 20;

/// The bytes of a hash, a count or a length.
const WORD: usize = size_of::<u64>();

impl RowOrder {
    /// An order whose file, if it needs one, is a nameless one in `folder`.
    pub fn new(seed: u64, folder: &Path) -> Self {
        let heaps = (0..HEAPS).map(|_| Mutex::default()).collect();
        Self { seed, heaps, file: Mutex::default(), folder: folder.to_owned(), largest: LARGEST, tag: 0 }
    }

    /// The same for rows each of which ends with so many bytes that it does not show: they travel with it, and decide nothing.
    #[must_use]
    pub fn of_tagged(self, tag: usize) -> Self {
        Self { tag, ..self }
    }

    /// An order of rows all of which stay in memory.
    pub fn in_memory(seed: u64) -> Self {
        Self { largest: usize::MAX, ..Self::new(seed, Path::new("")) }
    }

    /// Throws in rows.
    pub fn add(&self, rows: &RowBytes) -> Result<()> {
        let shown = |row: &[u8]| XxHash3_64::oneshot_with_seed(self.seed, &row[..row.len() - self.tag]);
        self.add_hashed(rows.iter().map(|row| (shown(row), row)).collect())
    }

    /// The same for rows that come into the order of these hashes instead of their own.
    pub fn add_by(&self, hashes: &[u64], rows: &RowBytes) -> Result<()> {
        self.add_hashed(hashes.iter().copied().zip(rows.iter()).collect())
    }

    fn add_hashed(&self, mut rows: Vec<(u64, &[u8])>) -> Result<()> {
        rows.sort_unstable();
        for rows in rows.chunk_by(|(one, _), (other, _)| heap_of(*one) == heap_of(*other)) {
            let heap = &mut *locked(&self.heaps[heap_of(rows[0].0)]);
            rows.chunk_by(|one, other| one == other).for_each(|same| heap.push(same[0], same.len()));
            if heap.bytes.len() > self.largest {
                self.put_away(heap).map_err(|error| self.failed(&error))?;
            }
        }
        Ok(())
    }

    /// Hands out all rows in their order, many at a time.
    pub fn finish(self, mut write: impl FnMut(&RowBytes) -> Result<()>) -> Result<()> {
        for heaps in self.heaps.chunks(rayon::current_num_threads()) {
            let taken: Vec<io::Result<Vec<u8>>> = heaps.iter().map(|heap| self.take(&mut locked(heap))).collect();
            let taken: Vec<Vec<u8>> =
                taken.into_iter().collect::<io::Result<_>>().map_err(|error| self.failed(&error))?;
            let sorted: Vec<Vec<HeapRow<'_>>> = taken.par_iter().map(|heap| sorted(heap)).collect();
            sorted.iter().try_for_each(|entries| hand_out(entries, &mut write))?;
        }
        Ok(())
    }

    fn put_away(&self, heap: &mut Heap) -> io::Result<()> {
        let mut file = locked(&self.file);
        let file = match &mut *file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile_in(&self.folder)?),
        };
        let start = file.seek(SeekFrom::End(0))?;
        file.write_all(&heap.bytes)?;
        heap.pieces.push(Piece { start, length: heap.bytes.len() });
        heap.bytes.clear();
        Ok(())
    }

    fn take(&self, heap: &mut Heap) -> io::Result<Vec<u8>> {
        let mut all = vec![0; heap.pieces.iter().map(|piece| piece.length).sum()];
        if let Some(file) = &mut *locked(&self.file) {
            let mut rest = all.as_mut_slice();
            for piece in heap.pieces.drain(..) {
                let (bytes, behind) = rest.split_at_mut(piece.length);
                file.seek(SeekFrom::Start(piece.start))?;
                file.read_exact(bytes)?;
                rest = behind;
            }
        }
        all.append(&mut heap.bytes);
        Ok(all)
    }

    fn failed(&self, error: &io::Error) -> Error {
        Error::io("write temporary files to", &self.folder, error)
    }
}

impl Heap {
    /// Releases have many equal rows, which stand here once.
    fn push(&mut self, (hash, row): (u64, &[u8]), count: usize) {
        for word in [hash, count as u64, row.len() as u64] {
            self.bytes.extend_from_slice(&word.to_le_bytes());
        }
        self.bytes.extend_from_slice(row);
    }
}

/// A row of a heap; the order of entries is that of the file.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct HeapRow<'a> {
    hash: u64,
    row: &'a [u8],
    count: u64,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first bits of a hash: heaps one after the other are in the order of hashes.
fn heap_of(hash: u64) -> usize {
    (hash >> (u64::BITS - HEAPS.ilog2())) as usize
}

fn sorted(mut heap: &[u8]) -> Vec<HeapRow<'_>> {
    let word = |heap: &mut &[u8]| {
        let (word, behind) = heap.split_first_chunk::<WORD>().expect("three words stand before a row");
        *heap = behind;
        u64::from_le_bytes(*word)
    };
    let mut entries = Vec::new();
    while !heap.is_empty() {
        let [hash, count, length] = std::array::from_fn(|_| word(&mut heap));
        let (row, behind) = heap.split_at(length as usize);
        entries.push(HeapRow { hash, row, count });
        heap = behind;
    }
    entries.sort_unstable();
    entries
}

fn hand_out(entries: &[HeapRow<'_>], write: &mut impl FnMut(&RowBytes) -> Result<()>) -> Result<()> {
    let mut rows = RowBytes::default();
    for entry in entries {
        for _ in 0..entry.count {
            rows.bytes.extend_from_slice(entry.row);
            rows.ends.push(rows.bytes.len());
            if rows.bytes.len() >= HANDED_OUT {
                write(&rows)?;
                rows.clear();
            }
        }
    }
    if rows.ends.is_empty() { Ok(()) } else { write(&rows) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rows in their order, thrown in so many at a time.
    fn ordered(rows: &[String], at_a_time: usize, largest: usize, seed: u64) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let order = RowOrder { largest, ..RowOrder::new(seed, folder.path()) };
        rows.par_chunks(at_a_time).for_each(|rows| {
            let mut added = RowBytes::default();
            for row in rows {
                added.bytes.extend(row.bytes());
                added.ends.push(added.bytes.len());
            }
            order.add(&added).unwrap();
        });
        let mut all = Vec::new();
        let take = |rows: &RowBytes| {
            all.extend(rows.iter().map(|row| String::from_utf8(row.to_vec()).unwrap()));
            Ok(())
        };
        order.finish(take).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "its file has no name");
        all
    }

    /// The slow twin: all rows at once, by hash and then by themselves.
    fn sorted_by_hash(rows: &[String], seed: u64) -> Vec<String> {
        let mut rows = rows.to_vec();
        rows.sort_by_key(|row| (XxHash3_64::oneshot_with_seed(seed, row.as_bytes()), row.clone()));
        rows
    }

    #[test]
    fn no_row_stays_near_its_place_and_none_is_lost() {
        let rows: Vec<String> = (0..5_000).map(|row| format!("row {row}\n")).collect();
        let mut order = ordered(&rows, 37, 100, 1);
        assert_eq!(order, sorted_by_hash(&rows, 1));
        assert_ne!(order, sorted_by_hash(&rows, 2));
        let place = |row: &String| row.trim_end().strip_prefix("row ").unwrap().parse::<usize>().unwrap();
        let moved: usize = order.iter().enumerate().map(|(at, row)| place(row).abs_diff(at)).sum();
        // In a random order a row is a third of the table away from its place.
        assert!((1_550..1_780).contains(&(moved / 5_000)), "{moved}");
        order.sort_by_key(place);
        assert_eq!(order, rows);
    }

    proptest! {
        /// Equal multisets of rows come into one order, wherever they stood, however many came at a time and wherever they waited.
        #[test]
        fn the_order_is_a_function_of_the_rows(
            rows in prop::collection::vec("[ab]{0,3}", 0..60).prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
            at_a_time in 1usize..10,
            largest in prop::sample::select(vec![0usize, 20, 1000]),
            seed in any::<u64>(),
        ) {
            let (rows, permuted) = rows;
            let one = ordered(&rows, at_a_time, largest, seed);
            prop_assert_eq!(&one, &ordered(&permuted, 7, 50, seed));
            prop_assert_eq!(one, sorted_by_hash(&rows, seed));
        }
    }
}

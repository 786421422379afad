//! How do rows that are written column by column come into a random order without all being in memory?

use std::fs::File;
use std::io::{BufReader, BufWriter, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, StringArray, UInt32Array};
use arrow_cast::cast;
use arrow_ipc::{reader::StreamReader, writer::StreamWriter};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::{concat::concat_batches, interleave::interleave_record_batch, take::take_record_batch};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

use crate::format::Cells;
use crate::{Error, Result};

/// Puts rows into a random order that depends on a key alone. Each row is thrown into one of several heaps, and each heap
/// is shuffled by itself: every order of all rows is equally likely.
pub(super) struct ShuffledColumns {
    random: ChaCha20Rng,
    heaps: Vec<Heap>,
    /// What the columns are, once the first rows have come.
    kinds: Option<(Vec<Kind>, SchemaRef)>,
    folder: PathBuf,
    largest: usize,
}

/// Rows; the first of them in a file once there are many.
#[derive(Default)]
struct Heap {
    rows: Vec<RecordBatch>,
    bytes: usize,
    file: Option<StreamWriter<BufWriter<File>>>,
}

/// In which form a column came, so that it leaves in the same.
enum Kind {
    Text,
    Json,
    Typed(DataType),
}

const HEAPS: usize = 64;

/// How many bytes a heap may have in memory while rows come in.
const LARGEST: usize = 1 << 20;

/// Rows that are handed out at a time.
const BATCH_ROWS: usize = 1 << 14;

impl ShuffledColumns {
    /// A shuffle whose files, if it needs any, are nameless ones in `folder`.
    pub(super) fn new(key: [u8; 32], folder: &Path) -> Self {
        let heaps = (0..HEAPS).map(|_| Heap::default()).collect();
        Self { random: ChaCha20Rng::from_seed(key), heaps, kinds: None, folder: folder.to_owned(), largest: LARGEST }
    }

    /// Throws in the rows of these columns.
    pub(super) fn add(&mut self, columns: &[Cells]) -> Result<()> {
        self.throw_in(columns).map_err(|error| self.failed(&error))
    }

    fn throw_in(&mut self, columns: &[Cells]) -> Result<(), ArrowError> {
        let arrays: Vec<ArrayRef> = columns.iter().map(plain).collect::<Result<_, ArrowError>>()?;
        let (_, schema) = self.kinds.get_or_insert_with(|| (columns.iter().map(Kind::of).collect(), schema(&arrays)));
        let rows = columns.first().map_or(0, Cells::len);
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(schema.clone(), arrays, &options)?;
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); HEAPS];
        for row in 0..rows as u32 {
            places[self.random.next_u32() as usize % HEAPS].push(row);
        }
        for (heap, places) in self.heaps.iter_mut().zip(places).filter(|(_, places)| !places.is_empty()) {
            let rows = take_record_batch(&batch, &UInt32Array::from(places))?;
            heap.bytes += rows.get_array_memory_size();
            heap.rows.push(rows);
            if heap.bytes > self.largest {
                heap.put_away(schema, &self.folder)?;
            }
        }
        Ok(())
    }

    /// Hands out the rows of one heap after the other.
    pub(super) fn finish(mut self, mut write: impl FnMut(&[Cells]) -> Result<()>) -> Result<()> {
        let Some((kinds, _)) = self.kinds.take() else { return Ok(()) };
        for heap in std::mem::take(&mut self.heaps) {
            let batches = heap.take().map_err(|error| self.failed(&error))?;
            let batches: Vec<&RecordBatch> = batches.iter().collect();
            let rows = |(batch, rows): (usize, &&RecordBatch)| (0..rows.num_rows()).map(move |row| (batch, row));
            let mut order: Vec<(usize, usize)> = batches.iter().enumerate().flat_map(rows).collect();
            order.shuffle(&mut self.random);
            for places in order.chunks(BATCH_ROWS) {
                let shuffled = interleave_record_batch(&batches, places).map_err(|error| self.failed(&error))?;
                let cells = kinds.iter().zip(shuffled.columns()).map(|(kind, array)| kind.cells(array));
                write(&cells.collect::<Result<Vec<_>, _>>().map_err(|error| self.failed(&error))?)?;
            }
        }
        Ok(())
    }

    /// What Arrow says besides may quote a cell.
    fn failed(&self, error: &ArrowError) -> Error {
        match error {
            ArrowError::IoError(_, error) => Error::io("write temporary files to", &self.folder, error),
            _ => Error::new(format!("cannot put rows into a random order in {}", self.folder.display())),
        }
    }
}

/// The cells as an array. What has a dictionary of its own is written out: each piece would carry all of it.
fn plain(cells: &Cells) -> Result<ArrayRef, ArrowError> {
    match cells {
        Cells::Text(array) | Cells::Json(array) => Ok(Arc::new(array.clone())),
        Cells::Typed(array) => match array.data_type() {
            DataType::Dictionary(_, values) => cast(array, values),
            _ => Ok(array.clone()),
        },
    }
}

fn schema(arrays: &[ArrayRef]) -> SchemaRef {
    let fields = arrays.iter().enumerate();
    let fields = fields.map(|(at, array)| Field::new(at.to_string(), array.data_type().clone(), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

impl Kind {
    fn of(cells: &Cells) -> Self {
        match cells {
            Cells::Text(_) => Self::Text,
            Cells::Json(_) => Self::Json,
            Cells::Typed(array) => Self::Typed(array.data_type().clone()),
        }
    }

    fn cells(&self, array: &ArrayRef) -> Result<Cells, ArrowError> {
        let text = || array.as_any().downcast_ref::<StringArray>().expect("text was thrown in as text").clone();
        Ok(match self {
            Self::Text => Cells::Text(text()),
            Self::Json => Cells::Json(text()),
            Self::Typed(data_type) if data_type == array.data_type() => Cells::Typed(array.clone()),
            Self::Typed(data_type) => Cells::Typed(cast(array, data_type)?),
        })
    }
}

impl Heap {
    fn put_away(&mut self, schema: &SchemaRef, folder: &Path) -> Result<(), ArrowError> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(StreamWriter::try_new_buffered(tempfile::tempfile_in(folder)?, schema)?),
        };
        file.write(&concat_batches(schema, &self.rows)?)?;
        self.rows.clear();
        self.bytes = 0;
        Ok(())
    }

    fn take(mut self) -> Result<Vec<RecordBatch>, ArrowError> {
        let mut all = Vec::new();
        if let Some(file) = self.file.take() {
            let mut file = file.into_inner()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            file.rewind()?;
            all = StreamReader::try_new(BufReader::new(file), None)?.collect::<Result<_, _>>()?;
        }
        all.append(&mut self.rows);
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int32Type;
    use arrow_array::{DictionaryArray, Int64Array};

    use super::*;

    /// Rows of every kind of column, all of which tell the number of the row.
    fn columns(rows: std::ops::Range<i64>) -> Vec<Cells> {
        let texts: Vec<String> = rows.clone().map(|row| format!("row {row}")).collect();
        let text = |text: &String| (!text.ends_with('7')).then(|| text.clone());
        vec![
            Cells::Typed(Arc::new(rows.collect::<Int64Array>())),
            Cells::Text(texts.iter().map(text).collect()),
            Cells::Json(texts.iter().map(|text| Some(format!("\"{text}\""))).collect()),
            Cells::Typed(Arc::new(texts.iter().map(String::as_str).collect::<DictionaryArray<Int32Type>>())),
        ]
    }

    fn shuffled(rows: i64, largest: usize, key: u8) -> Vec<i64> {
        let folder = tempfile::tempdir().unwrap();
        let mut shuffle = ShuffledColumns { largest, ..ShuffledColumns::new([key; 32], folder.path()) };
        for first in (0..rows).step_by(700) {
            shuffle.add(&columns(first..rows.min(first + 700))).unwrap();
        }
        let mut order = Vec::new();
        let write = |cells: &[Cells]| {
            let Cells::Typed(numbers) = &cells[0] else { panic!("a typed column") };
            let numbers = numbers.as_any().downcast_ref::<Int64Array>().unwrap();
            for (row, &number) in numbers.values().iter().enumerate() {
                let expected = columns(number..number + 1);
                for (found, expected) in cells.iter().zip(&expected) {
                    assert_eq!(std::mem::discriminant(found), std::mem::discriminant(expected));
                    let (found, expected) = (found.text().unwrap(), expected.text().unwrap());
                    assert_eq!(found.is_valid(row).then(|| found.value(row)), expected.iter().next().unwrap());
                }
                order.push(number);
            }
            let Cells::Typed(last) = &cells[3] else { panic!("a typed column") };
            assert!(matches!(last.data_type(), DataType::Dictionary(..)));
            Ok(())
        };
        shuffle.finish(write).unwrap();
        order
    }

    #[test]
    fn every_row_stays_whole_and_files_change_nothing() {
        let mut order = shuffled(5_000, usize::MAX, 1);
        assert_eq!(order, shuffled(5_000, 2_000, 1));
        assert_ne!(order, shuffled(5_000, 2_000, 2));
        let moved: usize = order.iter().zip(0..).map(|(row, at): (&i64, i64)| row.abs_diff(at) as usize).sum();
        // In a random order a row is a third of the table away from its place.
        assert!((1_550..1_780).contains(&(moved / 5_000)), "{moved}");
        order.sort_unstable();
        assert!(order.into_iter().eq(0..5_000));
    }
}

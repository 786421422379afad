//! How do the rows of a file become those of its release?

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use arrow_array::{ArrayRef, BooleanArray, StringArray, UInt64Array};
use arrow_select::{concat::concat, filter::filter, nullif::nullif, take::take};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use std::sync::Arc;

use super::count::{Columns, CountedCells, value};
use crate::format::{self, Batch, Cells, Dialect, OutputColumn, TableReader, TableWriter};
use crate::outsider::SUPPRESSED_CELL;
use crate::policy::{Policy, Suppressed};
use crate::progress::Progress;
use crate::recode::{Dealer, Place, Recoding};
use crate::table::{Dictionary, MissingMarkers};
use crate::{Error, Result};

/// What staging needs to know.
pub(super) struct Staging<'a> {
    pub(super) policy: &'a Policy,
    pub(super) recoding: &'a Recoding,
    pub(super) input: &'a Path,
    pub(super) columns: &'a Columns,
    pub(super) dictionaries: &'a [Dictionary],
    pub(super) dialect: &'a Dialect,
}

/// Writes the release of what `reader` reads into `file`, which will be named `output`; the seconds of writing.
pub(super) fn stage(
    reader: &mut dyn TableReader,
    staging: &Staging<'_>,
    output: &Path,
    file: File,
    progress: &dyn Progress,
) -> Result<f64> {
    let markers = MissingMarkers::new(staging.policy.input.missing.clone());
    let begin = Instant::now();
    let mut writer = format::create(output, file, &staging.output_columns(reader), staging.dialect, markers.first())?;
    let mut writing = begin.elapsed();
    let mut recoder = BatchRecoder::new(staging, markers);
    let mut shuffled: Option<Vec<Vec<Cells>>> = staging.policy.output.shuffle.then(Vec::new);
    progress.begin("recoding", None);
    while let Some(batch) = reader.next_batch()? {
        let cells = recoder.recode(&batch)?;
        match &mut shuffled {
            Some(held) => held.push(cells),
            None => writing += timed(|| writer.write(&cells))?,
        }
        progress.advance(batch.rows() as u64);
    }
    progress.end();
    if !recoder.dealer.is_exhausted() {
        return Err(changed(staging.input));
    }
    let key = staging.recoding.fingerprint(staging.policy.output.seed);
    writing += timed(|| {
        if let Some(held) = shuffled {
            write_shuffled(writer.as_mut(), &held, key)?;
        }
        writer.finish()
    })?;
    Ok(writing.as_secs_f64())
}

fn timed(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let begin = Instant::now();
    work()?;
    Ok(begin.elapsed())
}

/// The table is not the one that was counted.
pub(super) fn changed(input: &Path) -> Error {
    Error::new(format!("{}: the table changed while it was being anonymized; nothing was published", input.display()))
        .hint("run it again on a copy that nobody writes to")
}

impl Staging<'_> {
    /// Are suppressed rows written, so that every column has `*` in it?
    fn shows_suppressed(&self) -> bool {
        self.policy.output.suppressed == Suppressed::Keep && self.recoding.suppressed() > 0
    }

    /// The place of a table column among the quasi-identifiers, if it is one that is generalized.
    fn generalized(&self, index: usize) -> Option<usize> {
        let place = self.columns.counted[..self.columns.quasi].iter().position(|&counted| counted == index)?;
        (!self.recoding.is_untouched(place)).then_some(place)
    }

    fn output_columns(&self, reader: &dyn TableReader) -> Vec<OutputColumn> {
        let column = |&index: &usize| {
            let becomes_text = self.shows_suppressed() || self.generalized(index).is_some();
            OutputColumn {
                name: reader.columns()[index].clone(),
                data_type: if becomes_text { None } else { reader.data_type(index) },
            }
        };
        self.columns.released.iter().map(column).collect()
    }
}

struct BatchRecoder<'a> {
    staging: &'a Staging<'a>,
    markers: MissingMarkers,
    dealer: Dealer<'a>,
    codes: Vec<HashMap<&'a str, u32>>,
}

impl<'a> BatchRecoder<'a> {
    fn new(staging: &'a Staging<'a>, markers: MissingMarkers) -> Self {
        let codes = |dictionary: &'a Dictionary| {
            dictionary.present().iter().enumerate().map(|(code, value)| (value.as_str(), code as u32)).collect()
        };
        Self {
            staging,
            markers,
            dealer: staging.recoding.dealer(),
            codes: staging.dictionaries.iter().map(codes).collect(),
        }
    }

    fn recode(&mut self, batch: &Batch) -> Result<Vec<Cells>> {
        let staging = self.staging;
        let cells = CountedCells::new(batch, staging.columns, staging.policy, &self.markers)?;
        let places = self.places(&cells)?;
        let keeps_suppressed = staging.shows_suppressed();
        let is_written = |place: &Option<Place>| match place {
            Some(Place::Class(_)) => true,
            Some(Place::Suppressed) => keeps_suppressed,
            Some(Place::Nowhere) | None => false,
        };
        let selection = BooleanArray::from(places.iter().map(is_written).collect::<Vec<bool>>());
        let column = |&index: &usize| match staging.generalized(index) {
            Some(quasi) => Ok(self.generalized(quasi, &places)),
            None if keeps_suppressed => self.with_stars(batch, index, &places),
            None => self.unchanged(batch, index, &cells, &selection),
        };
        staging.columns.released.iter().map(column).collect()
    }

    /// Where each row goes; `None` for a row that was left out before counting.
    fn places(&mut self, cells: &CountedCells<'_>) -> Result<Vec<Option<Place>>> {
        let mut tuple = vec![0; cells.texts.len()];
        let mut places = Vec::with_capacity(cells.dropped.len());
        for (row, &dropped) in cells.dropped.iter().enumerate() {
            if dropped {
                places.push(None);
                continue;
            }
            for (column, texts) in cells.texts.iter().enumerate() {
                let code = match value(texts, row, &self.markers) {
                    Some(text) => self.codes[column].get(text).copied(),
                    None => self.staging.dictionaries[column].missing(),
                };
                tuple[column] = code.ok_or_else(|| changed(self.staging.input))?;
            }
            match self.dealer.deal(&tuple) {
                Place::Nowhere => return Err(changed(self.staging.input)),
                place => places.push(Some(place)),
            }
        }
        Ok(places)
    }

    /// What the classes of the written rows show.
    fn generalized(&self, quasi: usize, places: &[Option<Place>]) -> Cells {
        let recoding = self.staging.recoding;
        let keeps_suppressed = self.staging.shows_suppressed();
        let shown = |place: &Option<Place>| match place {
            Some(Place::Class(class)) => Some(recoding.shown(quasi, *class)),
            Some(Place::Suppressed) if keeps_suppressed => Some(Some(SUPPRESSED_CELL)),
            _ => None,
        };
        Cells::Text(places.iter().filter_map(shown).collect())
    }

    /// The written rows as they are, all missing values written alike in columns that were counted.
    fn unchanged(
        &self,
        batch: &Batch,
        index: usize,
        cells: &CountedCells<'_>,
        selection: &BooleanArray,
    ) -> Result<Cells> {
        let counted = self.staging.columns.counted.iter().position(|&counted| counted == index);
        let is_missing = counted.map(|place| {
            let missing = |row| value(&cells.texts[place], row, &self.markers).is_none();
            BooleanArray::from((0..batch.rows()).map(missing).collect::<Vec<bool>>())
        });
        map_cells(&batch.columns[index], |array| {
            let array = match &is_missing {
                Some(missing) => nullif(array, missing)?,
                None => array.clone(),
            };
            filter(&array, selection)
        })
    }

    /// The written rows as text, suppressed ones as `*`.
    fn with_stars(&self, batch: &Batch, index: usize, places: &[Option<Place>]) -> Result<Cells> {
        let counted = self.staging.columns.counted.contains(&index);
        let texts = batch.columns[index].text()?;
        let shown = |(row, place): (usize, &Option<Place>)| match place {
            Some(Place::Class(_)) if counted => Some(value(&texts, row, &self.markers)),
            Some(Place::Class(_)) => Some(arrow_array::Array::is_valid(texts.as_ref(), row).then(|| texts.value(row))),
            Some(Place::Suppressed) => Some(Some(SUPPRESSED_CELL)),
            _ => None,
        };
        Ok(Cells::Text(places.iter().enumerate().filter_map(shown).collect()))
    }
}

/// Applies an operation on arrays to cells of any kind, which stay of that kind.
fn map_cells(
    cells: &Cells,
    operation: impl Fn(&ArrayRef) -> Result<ArrayRef, arrow_schema::ArrowError>,
) -> Result<Cells> {
    let failed = |error: arrow_schema::ArrowError| Error::new(format!("cannot recode a column: {error}"));
    let text = |array: &StringArray| -> Result<StringArray> {
        let array: ArrayRef = Arc::new(array.clone());
        let mapped = operation(&array).map_err(failed)?;
        Ok(mapped.as_any().downcast_ref::<StringArray>().expect("the operation keeps the type").clone())
    };
    Ok(match cells {
        Cells::Text(array) => Cells::Text(text(array)?),
        Cells::Json(array) => Cells::Json(text(array)?),
        Cells::Typed(array) => Cells::Typed(operation(array).map_err(failed)?),
    })
}

/// Writes all rows in a random order that depends on `key` alone.
fn write_shuffled(writer: &mut dyn TableWriter, held: &[Vec<Cells>], key: [u8; 32]) -> Result<()> {
    const BATCH_ROWS: usize = 1 << 14;
    let rows: usize = held.iter().map(|cells| cells.first().map_or(0, Cells::len)).sum();
    let mut order: Vec<u64> = (0..rows as u64).collect();
    order.shuffle(&mut rand_chacha::ChaCha20Rng::from_seed(key));
    let columns = held.first().map_or(0, Vec::len);
    let joined =
        (0..columns).map(|column| join(held.iter().map(|cells| &cells[column]))).collect::<Result<Vec<_>>>()?;
    for chunk in order.chunks(BATCH_ROWS) {
        let indices = UInt64Array::from(chunk.to_vec());
        let taken = |cells: &Cells| map_cells(cells, |array| take(array.as_ref(), &indices, None));
        writer.write(&joined.iter().map(taken).collect::<Result<Vec<_>>>()?)?;
    }
    Ok(())
}

/// The cells of all batches of a column, one after the other.
fn join<'a>(batches: impl Iterator<Item = &'a Cells> + Clone) -> Result<Cells> {
    let first = batches.clone().next().expect("a column that is joined has a batch");
    let arrays: Vec<ArrayRef> = batches
        .map(|cells| match cells {
            Cells::Text(array) | Cells::Json(array) => Arc::new(array.clone()) as ArrayRef,
            Cells::Typed(array) => array.clone(),
        })
        .collect();
    let arrays: Vec<&dyn arrow_array::Array> = arrays.iter().map(AsRef::as_ref).collect();
    map_cells(first, |_| concat(&arrays))
}

//! How are rows recoded that are written as lines of text?

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::count::CellPlaces;
use super::sensitive_table::class_number;
use super::stage::{Generalized, RowEncoder, SharedWriter, Staging, changed};
use crate::outsider::SUPPRESSED_CELL;
use shoal_core::Result;
use shoal_core::recode::{OwnHash, Place, Pseudonyms, RowBytes, RowOrder, RowSum};
use shoal_core::watch::Watch;
use shoal_format::{self as format, Lines, Rows, TableReader, TableWriter, rows_side_by_side};

/// Recodes all rows and writes them; the time that writing took.
pub(super) fn run(
    reader: &mut dyn TableReader,
    staging: &Staging<'_>,
    encoder: &RowEncoder<'_>,
    writer: Box<dyn TableWriter>,
    lines: &Lines,
    output: &Path,
    watch: &dyn Watch,
) -> Result<Duration> {
    let cells = CellPlaces::new(staging.columns, &staging.columns.released, staging.policy, reader.columns().len());
    let recoder = LineRecoder::new(staging, encoder, &cells, lines);
    let order = staging.row_order(output);
    let waiting = staging.row_order(output).filter(|_| encoder.waits_for_all());
    let writer = Mutex::new(SharedWriter::new(writer));
    let mut workers = format::workers(Worker::default);
    rows_side_by_side(reader, &cells.wanted, &mut workers, |worker, rows, turn| {
        if encoder.deals() {
            recoder.find_places(rows, worker)?;
            encoder.deal_block(turn, worker.places.iter_mut().map(|(_, place)| place))?;
            recoder.write_lines(rows, worker);
        } else {
            recoder.recode(rows, worker)?;
        }
        if let Some(waiting) = &waiting {
            waiting.add_by(&worker.hashes, &worker.waiting)?;
        }
        match &order {
            Some(order) => order.add(&worker.lines)?,
            None => turn.take(|| {
                let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
                writer.write(|writer| writer.write_lines(&worker.lines.bytes, worker.lines.ends.len() as u64))
            })?,
        }
        watch.advance(rows.len() as u64);
        Ok(())
    })?;
    watch.end();
    let sum = workers.iter().fold(RowSum::default(), |sum, worker| sum.joined(worker.sum));
    if sum != staging.recoding.sum_of_rows() {
        return Err(changed(staging.input));
    }
    let begin = Instant::now();
    let mut writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Some(order) = order else { return writer.finish(workers.len()) };
    if let Some(waiting) = waiting {
        waiting.finish(|rows| recoder.recode_waiting(rows, &order))?;
    }
    order.finish(|rows| writer.write(|writer| writer.write_lines(&rows.bytes, rows.ends.len() as u64)))?;
    writer.finish(workers.len())?;
    Ok(begin.elapsed())
}

/// The memory of a thread, which writes to it at every row: no two may share a line of the cache.
#[derive(Default)]
#[repr(align(128))]
struct Worker {
    sum: RowSum,
    tuple: Vec<u32>,
    key: Vec<u64>,
    lines: RowBytes,
    /// Where rows may have to wait: the codes of each row that was counted, which row it is, and its place.
    tuples: Vec<u32>,
    places: Vec<(usize, Place)>,
    /// What is known of the rows that wait until all have come: the tuple of each, and its cells that were not counted; and its hash.
    waiting: RowBytes,
    hashes: Vec<u64>,
}

/// The lines of rows that have waited are made so many at a time.
const WAITED: usize = 1 << 11;

struct LineRecoder<'a, 'd> {
    staging: &'a Staging<'a>,
    encoder: &'a RowEncoder<'d>,
    cells: &'a CellPlaces,
    lines: &'a Lines,
    columns: Vec<Column<'a>>,
    /// The line of a suppressed row that is kept.
    stars: Option<Vec<u8>>,
}

/// What decides about the text of a released column.
enum Column<'a> {
    /// The code of a counted column: the cell of each code is made once.
    Code { counted: usize, cells: CodeCells },
    /// The class: the cell of each label is made once.
    Class { quasi: usize, cells: CodeCells },
    /// The sensitive tuple that is shown.
    Sensitive { column: usize },
    /// The cell as it stands in the table.
    Cell { slot: usize },
    /// An identifier that is replaced.
    Identifier { slot: usize, pseudonyms: &'a Pseudonyms },
    /// The class, by its number.
    Number,
}

impl Column<'_> {
    /// Does it show a cell that was not counted?
    fn is_own(&self) -> bool {
        matches!(self, Self::Cell { .. } | Self::Identifier { .. })
    }
}

/// The cells of codes, with what follows them in a line.
#[derive(Default)]
struct CodeCells {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl CodeCells {
    #[inline]
    fn cell(&self, code: u32) -> &[u8] {
        let start = if code == 0 { 0 } else { self.ends[code as usize - 1] };
        &self.text[start..self.ends[code as usize]]
    }
}

impl<'a, 'd> LineRecoder<'a, 'd> {
    fn new(staging: &'a Staging<'a>, encoder: &'a RowEncoder<'d>, cells: &'a CellPlaces, lines: &'a Lines) -> Self {
        let released = &staging.columns.released;
        let width = released.len() + usize::from(staging.columns.class_column.is_some());
        let column = |(place, &index): (usize, &usize)| {
            let Some(counted) = staging.columns.counted.iter().position(|&counted| counted == index) else {
                let slot = cells.wanted.slot(index);
                return match staging.pseudonyms(index) {
                    Some(pseudonyms) => Column::Identifier { slot, pseudonyms },
                    None => Column::Cell { slot },
                };
            };
            let dictionary = &staging.dictionaries[counted];
            let cells = |texts: &mut dyn Iterator<Item = Option<Cow<'_, str>>>| {
                let mut cells = CodeCells::default();
                for text in texts {
                    lines.push(text.as_deref(), place, width, &mut cells.text);
                    cells.ends.push(cells.text.len());
                }
                cells
            };
            let own = |code: u32| (Some(code) != dictionary.missing()).then(|| dictionary.value(code).into());
            let mut codes = 0..dictionary.len() as u32;
            match staging.generalized(index) {
                None => Column::Code { counted, cells: cells(&mut codes.map(own)) },
                Some(Generalized::Sensitive(column)) => Column::Sensitive { column },
                Some(Generalized::Quasi(quasi)) if staging.recoding.has_levels() => {
                    let shown = |code| staging.recoding.shown_for_code(quasi, code).map(Cow::Borrowed);
                    Column::Code { counted, cells: cells(&mut codes.by_ref().map(shown)) }
                }
                Some(Generalized::Quasi(quasi)) => {
                    let texts = staging.recoding.label_texts(quasi);
                    Column::Class { quasi, cells: cells(&mut texts.into_iter()) }
                }
            }
        };
        let class = staging.columns.class_column.iter().map(|_| Column::Number);
        let columns = released.iter().enumerate().map(column).chain(class).collect();
        let stars = staging.shows_suppressed().then(|| {
            let mut line = Vec::new();
            (0..width).for_each(|at| lines.push(Some(SUPPRESSED_CELL), at, width, &mut line));
            line
        });
        Self { staging, encoder, cells, lines, columns, stars }
    }

    /// Replaces the text of a worker by the lines of these rows.
    fn recode(&self, rows: &Rows<'_>, worker: &mut Worker) -> Result<()> {
        let Worker { sum, tuple, key, lines, .. } = worker;
        lines.clear();
        tuple.resize(self.cells.counted.len(), 0);
        for row in 0..rows.len() {
            if self.encode(rows, row, tuple)? {
                sum.add(tuple, 1);
                self.push_row(rows, row, tuple, self.encoder.place(tuple, key)?, lines);
            }
        }
        Ok(())
    }

    /// The first half of the same, where rows may have to wait for their places.
    fn find_places(&self, rows: &Rows<'_>, worker: &mut Worker) -> Result<()> {
        let Worker { sum, tuple, key, tuples, places, .. } = worker;
        tuples.clear();
        places.clear();
        tuple.resize(self.cells.counted.len(), 0);
        for row in 0..rows.len() {
            if self.encode(rows, row, tuple)? {
                sum.add(tuple, 1);
                tuples.extend_from_slice(tuple);
                places.push((row, self.encoder.place(tuple, key)?));
            }
        }
        Ok(())
    }

    /// The second half.
    fn write_lines(&self, rows: &Rows<'_>, worker: &mut Worker) {
        let Worker { lines, tuples, places, waiting, hashes, .. } = worker;
        lines.clear();
        waiting.clear();
        hashes.clear();
        let mut hash = OwnHash::new(self.staging.policy.output.seed);
        for (codes, &(row, place)) in tuples.chunks(self.cells.counted.len()).zip(places.iter()) {
            match place {
                Place::Waiting { tuple } => {
                    let own = self.columns.iter().enumerate().filter(|(_, column)| column.is_own());
                    let own: Vec<_> = own.map(|(place, column)| (place, self.own_text(rows, row, column))).collect();
                    hashes.push(hash.of(tuple, own.iter().map(|(_, text)| text.as_deref())));
                    self.keep_waiting(tuple, &own, waiting);
                }
                _ => self.push_row(rows, row, codes, place, lines),
            }
        }
    }

    /// Puts away what it takes to make the line of a row later: its tuple, and the text of its cells that were not counted, by their places.
    fn keep_waiting(&self, tuple: u32, own: &[(usize, Option<Cow<'_, str>>)], waiting: &mut RowBytes) {
        let RowBytes { bytes, ends } = waiting;
        bytes.extend_from_slice(&tuple.to_le_bytes());
        let mut cell = Vec::new();
        for (place, text) in own {
            cell.clear();
            self.lines.push(text.as_deref(), *place, self.columns.len(), &mut cell);
            bytes.extend_from_slice(&(cell.len() as u32).to_le_bytes());
            bytes.extend_from_slice(&cell);
        }
        ends.push(bytes.len());
    }

    /// Deals rows that have waited their places, one after the other, and makes their lines.
    fn recode_waiting(&self, rows: &RowBytes, order: &RowOrder) -> Result<()> {
        let rows: Vec<(u32, &[u8])> = rows.iter().map(|mut row| (word(&mut row), row)).collect();
        let mut places: Vec<Place> = rows.iter().map(|&(tuple, _)| Place::Waiting { tuple }).collect();
        self.encoder.deal(places.iter_mut())?;
        rows.par_chunks(WAITED).zip(places.par_chunks(WAITED)).try_for_each(|(rows, places)| {
            let mut lines = RowBytes::default();
            for (&(tuple, mut own), &place) in rows.iter().zip(places) {
                let codes = self.encoder.codes_of(tuple)?;
                self.push_placed(codes, place, &mut lines, |_, _, text| {
                    let length = word(&mut own) as usize;
                    let (cell, behind) = own.split_at(length);
                    text.extend_from_slice(cell);
                    own = behind;
                });
            }
            order.add(&lines)
        })
    }

    /// Finds the codes of a row; false if it was left out before counting.
    #[inline]
    fn encode(&self, rows: &Rows<'_>, row: usize, tuple: &mut [u32]) -> Result<bool> {
        if self.cells.is_dropped(rows, row, &self.encoder.markers) {
            return Ok(false);
        }
        for (column, (code, &slot)) in tuple.iter_mut().zip(&self.cells.counted).enumerate() {
            *code = self.encoder.code(column, rows.cell(row, slot))?;
        }
        Ok(true)
    }

    #[inline]
    fn push_row(&self, rows: &Rows<'_>, row: usize, tuple: &[u32], place: Place, lines: &mut RowBytes) {
        self.push_placed(tuple, place, lines, |place, column, text| self.push_own(rows, row, place, column, text));
    }

    /// Writes the line of a row with this place, given what writes the cells that were not counted.
    #[inline]
    fn push_placed(
        &self,
        tuple: &[u32],
        place: Place,
        lines: &mut RowBytes,
        own: impl FnMut(usize, &Column<'_>, &mut Vec<u8>),
    ) {
        match (place, &self.stars) {
            (Place::Class { class, shows }, _) => self.push_line(tuple, (class, shows), &mut lines.bytes, own),
            (_, Some(stars)) => lines.bytes.extend_from_slice(stars),
            (_, None) => return,
        }
        lines.ends.push(lines.bytes.len());
    }

    #[inline]
    fn push_line(
        &self,
        tuple: &[u32],
        (class, shows): (u32, u32),
        text: &mut Vec<u8>,
        mut own: impl FnMut(usize, &Column<'_>, &mut Vec<u8>),
    ) {
        let (count, recoding) = (self.columns.len(), self.staging.recoding);
        for (place, column) in self.columns.iter().enumerate() {
            match column {
                Column::Code { counted, cells } => text.extend_from_slice(cells.cell(tuple[*counted])),
                Column::Class { quasi, cells } => {
                    text.extend_from_slice(cells.cell(recoding.classes().place(class, *quasi)));
                }
                Column::Sensitive { column } => {
                    self.lines.push(recoding.generalized_sensitive(*column, shows), place, count, text);
                }
                Column::Number => self.lines.push(Some(&class_number(class).to_string()), place, count, text),
                Column::Identifier { .. } | Column::Cell { .. } => own(place, column, text),
            }
        }
    }

    /// Writes the cell of a column that was not counted.
    #[inline]
    fn push_own(&self, rows: &Rows<'_>, row: usize, place: usize, column: &Column<'_>, text: &mut Vec<u8>) {
        self.lines.push(self.own_text(rows, row, column).as_deref(), place, self.columns.len(), text);
    }

    /// What a column shows that was not counted.
    #[inline]
    fn own_text<'r>(&self, rows: &'r Rows<'_>, row: usize, column: &Column<'_>) -> Option<Cow<'r, str>> {
        match column {
            Column::Identifier { slot, pseudonyms } => {
                let identifier = rows.cell(row, *slot).filter(|text| !self.encoder.markers.contain(text));
                identifier.map(|identifier| pseudonyms.of(identifier).into())
            }
            Column::Cell { slot } => rows.cell(row, *slot).map(Cow::Borrowed),
            Column::Code { .. } | Column::Class { .. } | Column::Sensitive { .. } | Column::Number => None,
        }
    }
}

/// Takes a number off the beginning of a row that was kept.
fn word(row: &mut &[u8]) -> u32 {
    let (word, behind) = row.split_first_chunk().expect("a number stands before each cell, and before all of them");
    *row = behind;
    u32::from_le_bytes(*word)
}

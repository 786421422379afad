//! How are rows recoded that are written as lines of text?

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::count::CellPlaces;
use super::sensitive_table::class_number;
use super::stage::{Generalized, RowEncoder, SharedWriter, Staging, changed};
use shoal_core::Result;
use shoal_format::{self as format, Lines, Rows, TableReader, TableWriter, rows_side_by_side};
use crate::outsider::SUPPRESSED_CELL;
use shoal_core::watch::Watch;
use shoal_core::recode::{Place, Pseudonyms, RowSum};

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
    let writer = Mutex::new(SharedWriter::new(writer));
    let mut workers = format::workers(Worker::default);
    rows_side_by_side(reader, &cells.wanted, &mut workers, |worker, rows, turn| {
        if encoder.needs_order() {
            recoder.find_places(rows, worker)?;
            turn.take_early(|| encoder.deal(worker.places.iter_mut().map(|(_, place)| place)))?;
            recoder.write_lines(rows, worker);
        } else {
            recoder.recode(rows, worker)?;
        }
        match &order {
            Some(order) => order.add(&worker.text, &worker.ends)?,
            None => turn.take(|| {
                let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
                writer.write(|writer| writer.write_lines(&worker.text, worker.ends.len() as u64))
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
    text: Vec<u8>,
    ends: Vec<usize>,
    /// Where rows may have to wait: the codes of each row that was counted, which row it is, and its place.
    tuples: Vec<u32>,
    places: Vec<(usize, Place)>,
}

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
        let Worker { sum, tuple, key, text, ends, .. } = worker;
        text.clear();
        ends.clear();
        tuple.resize(self.cells.counted.len(), 0);
        for row in 0..rows.len() {
            if self.encode(rows, row, tuple)? {
                sum.add(tuple, 1);
                self.push_row(rows, row, tuple, self.encoder.place(tuple, key)?, text, ends);
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
        let Worker { text, ends, tuples, places, .. } = worker;
        text.clear();
        ends.clear();
        for (tuple, &(row, place)) in tuples.chunks(self.cells.counted.len()).zip(places.iter()) {
            self.push_row(rows, row, tuple, place, text, ends);
        }
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
    fn push_row(
        &self,
        rows: &Rows<'_>,
        row: usize,
        tuple: &[u32],
        place: Place,
        text: &mut Vec<u8>,
        ends: &mut Vec<usize>,
    ) {
        match (place, &self.stars) {
            (Place::Class { class, shows }, _) => self.push_line(rows, row, tuple, (class, shows), text),
            (_, Some(stars)) => text.extend_from_slice(stars),
            (_, None) => return,
        }
        ends.push(text.len());
    }

    #[inline]
    fn push_line(&self, rows: &Rows<'_>, row: usize, tuple: &[u32], (class, shows): (u32, u32), text: &mut Vec<u8>) {
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
                Column::Identifier { slot, pseudonyms } => {
                    let identifier = rows.cell(row, *slot).filter(|text| !self.encoder.markers.contain(text));
                    let name = identifier.map(|identifier| pseudonyms.of(identifier));
                    self.lines.push(name.as_deref(), place, count, text);
                }
                Column::Cell { slot } => self.lines.push(rows.cell(row, *slot), place, count, text),
            }
        }
    }
}

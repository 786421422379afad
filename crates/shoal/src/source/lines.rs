//! How are rows recoded that are written as lines of text?

use std::borrow::Cow;
use std::time::Duration;

use rayon::prelude::*;
use shoal_core::Result;
use shoal_core::recode::{
    OwnHash, Place, Pseudonyms, Recoding, ReleasedColumn, RowBytes, RowOrder, RowSum, Shows, class_number,
};
use shoal_format::{Lines, Rows, TableReader, TableWriter, Turn, rows_side_by_side};

use super::carrier::{Carrier, Worker};
use super::cells::CellPlaces;
use super::people_file::{PeopleFile, TAG};
use super::row_encoder::RowEncoder;
use crate::outsider::SUPPRESSED_CELL;

/// Rows as lines of text.
pub(super) struct LineCarrier<'a> {
    recoding: &'a Recoding<'a>,
    encoder: &'a RowEncoder<'a>,
    cells: &'a CellPlaces,
    lines: &'a Lines,
    columns: Vec<Column<'a>>,
    /// The line of a suppressed row that is kept.
    stars: Option<Vec<u8>>,
    /// What the places of rows with several to go to depend on, besides what they show.
    seed: u64,
    /// Is each line followed by the number of the person it is about?
    tagged: bool,
}

/// The memory of a thread, which writes to it at every row: no two may share a line of the cache.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct LineWorker {
    sum: RowSum,
    seen: u64,
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

impl Worker for LineWorker {
    type Rows = RowBytes;

    fn sum(&self) -> RowSum {
        self.sum
    }

    fn seen(&self) -> u64 {
        self.seen
    }

    fn places(&mut self) -> impl Iterator<Item = &mut Place> {
        self.places.iter_mut().map(|(_, place)| place)
    }

    fn ready(&self) -> &RowBytes {
        &self.lines
    }

    fn waiting(&self) -> (&RowBytes, &[u64]) {
        (&self.waiting, &self.hashes)
    }
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

impl<'a> LineCarrier<'a> {
    pub(super) fn new(
        recoding: &'a Recoding<'a>,
        encoder: &'a RowEncoder<'a>,
        cells: &'a CellPlaces,
        lines: &'a Lines,
    ) -> Self {
        let width = recoding.columns().len();
        let column = |(place, released): (usize, &ReleasedColumn<'a>)| {
            let slot = || cells.wanted.slot(released.index.expect("only the number of the class is in no table"));
            let cells = |texts: &mut dyn Iterator<Item = Option<Cow<'_, str>>>| {
                let mut cells = CodeCells::default();
                for text in texts {
                    lines.push(text.as_deref(), place, width, &mut cells.text);
                    cells.ends.push(cells.text.len());
                }
                cells
            };
            match released.shows {
                Shows::Cell => Column::Cell { slot: slot() },
                Shows::Pseudonym(pseudonyms) => Column::Identifier { slot: slot(), pseudonyms },
                Shows::Value(counted) | Shows::Label(counted) => {
                    let text = |code| recoding.text_of_code(released.shows, code).map(Cow::Borrowed);
                    let codes = 0..recoding.dictionaries()[counted].len() as u32;
                    Column::Code { counted, cells: cells(&mut codes.map(text)) }
                }
                Shows::OfClass(quasi) => {
                    Column::Class { quasi, cells: cells(&mut recoding.label_texts(quasi).into_iter()) }
                }
                Shows::Sensitive(column) => Column::Sensitive { column },
                Shows::ClassNumber => Column::Number,
            }
        };
        let columns = recoding.columns().iter().enumerate().map(column).collect();
        let stars = recoding.shows_suppressed().then(|| {
            let mut line = Vec::new();
            (0..width).for_each(|at| lines.push(Some(SUPPRESSED_CELL), at, width, &mut line));
            line
        });
        let seed = recoding.seed().unwrap_or_default();
        let tagged = recoding.layout().person;
        Self { recoding, encoder, cells, lines, columns, stars, seed, tagged }
    }

    /// Makes the lines of rows all of which find their places at once.
    fn recode_at_once(&self, rows: &Rows<'_>, worker: &mut LineWorker) -> Result<()> {
        let LineWorker { sum, tuple, key, lines, .. } = worker;
        lines.clear();
        tuple.resize(self.cells.counted.len(), 0);
        for row in 0..rows.len() {
            if self.encode(rows, row, tuple)? {
                sum.add(self.encoder.counted(tuple), 1);
                self.push_row(rows, row, tuple, self.encoder.place(tuple, key)?, lines);
            }
        }
        Ok(())
    }

    /// Makes the lines of rows that have found their places before, and puts away what is known of those that wait.
    fn write_lines(&self, rows: &Rows<'_>, worker: &mut LineWorker) {
        let LineWorker { lines, tuples, places, waiting, hashes, .. } = worker;
        lines.clear();
        waiting.clear();
        hashes.clear();
        let mut hash = OwnHash::new(self.seed);
        for (codes, &(row, place)) in tuples.chunks(self.cells.counted.len()).zip(places.iter()) {
            match place {
                Place::Waiting { tuple } => {
                    let own = self.columns.iter().enumerate().filter(|(_, column)| column.is_own());
                    let own: Vec<_> = own.map(|(place, column)| (place, self.own_text(rows, row, column))).collect();
                    hashes.push(hash.of(tuple, own.iter().map(|(_, text)| text.as_deref())));
                    self.keep_waiting(tuple, self.person(codes), &own, waiting);
                }
                _ => self.push_row(rows, row, codes, place, lines),
            }
        }
    }

    /// Who a row with these codes is about, if that is to be told.
    #[inline]
    fn person(&self, codes: &[u32]) -> Option<u32> {
        codes.last().copied().filter(|_| self.tagged)
    }

    /// Puts away what it takes to make the line of a row later: its tuple, its person, and the text of its cells that were not counted, by
    /// their places.
    fn keep_waiting(
        &self,
        tuple: u32,
        person: Option<u32>,
        own: &[(usize, Option<Cow<'_, str>>)],
        waiting: &mut RowBytes,
    ) {
        let RowBytes { bytes, ends } = waiting;
        bytes.extend_from_slice(&tuple.to_le_bytes());
        bytes.extend(person.map(u32::to_le_bytes).iter().flatten());
        let mut cell = Vec::new();
        for (place, text) in own {
            cell.clear();
            self.lines.push(text.as_deref(), *place, self.columns.len(), &mut cell);
            bytes.extend_from_slice(&(cell.len() as u32).to_le_bytes());
            bytes.extend_from_slice(&cell);
        }
        ends.push(bytes.len());
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
        let own = |place: usize, column: &Column<'_>, text: &mut Vec<u8>| self.push_own(rows, row, place, column, text);
        self.push_placed(tuple, self.person(tuple), place, lines, own);
    }

    /// Writes the line of a row with this place, given what writes the cells that were not counted.
    #[inline]
    fn push_placed(
        &self,
        tuple: &[u32],
        person: Option<u32>,
        place: Place,
        lines: &mut RowBytes,
        own: impl FnMut(usize, &Column<'_>, &mut Vec<u8>),
    ) {
        match (place, &self.stars) {
            (Place::Class { class, shows }, _) => self.push_line(tuple, (class, shows), &mut lines.bytes, own),
            (_, Some(stars)) => lines.bytes.extend_from_slice(stars),
            (_, None) => return,
        }
        lines.bytes.extend(person.map(u32::to_le_bytes).iter().flatten());
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
        let (count, recoding) = (self.columns.len(), self.recoding);
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

impl<'a> Carrier for LineCarrier<'a> {
    type Block<'b> = &'b Rows<'b>;
    type Rows = RowBytes;
    type Order = RowOrder;
    type Worker = LineWorker;

    fn each_block<W: Send>(
        &self,
        reader: &mut dyn TableReader,
        workers: &mut [W],
        work: impl Fn(&mut W, Self::Block<'_>, &Turn<'_>) -> Result<()> + Sync,
    ) -> Result<Duration> {
        rows_side_by_side(reader, &self.cells.wanted, workers, |worker, rows, turn| work(worker, rows, turn))
    }

    fn find_places(&self, rows: &Self::Block<'_>, worker: &mut LineWorker) -> Result<()> {
        let LineWorker { sum, seen, tuple, key, tuples, places, .. } = worker;
        *seen = rows.len() as u64;
        if !self.encoder.deals() {
            return Ok(());
        }
        tuples.clear();
        places.clear();
        tuple.resize(self.cells.counted.len(), 0);
        for row in 0..rows.len() {
            if self.encode(rows, row, tuple)? {
                sum.add(self.encoder.counted(tuple), 1);
                tuples.extend_from_slice(tuple);
                places.push((row, self.encoder.place(tuple, key)?));
            }
        }
        Ok(())
    }

    /// Where no row has to wait, places are found here, so that a row is looked at once.
    fn recode(&self, rows: Self::Block<'_>, worker: &mut LineWorker) -> Result<()> {
        if !self.encoder.deals() {
            return self.recode_at_once(rows, worker);
        }
        self.write_lines(rows, worker);
        Ok(())
    }

    fn recode_waiting(&self, rows: &RowBytes, hand_on: &(dyn Fn(&RowBytes) -> Result<()> + Sync)) -> Result<()> {
        let rows: Vec<(u32, &[u8])> = rows.iter().map(|mut row| (word(&mut row), row)).collect();
        let mut places: Vec<Place> = rows.iter().map(|&(tuple, _)| Place::Waiting { tuple }).collect();
        self.encoder.deal(places.iter_mut())?;
        rows.par_chunks(WAITED).zip(places.par_chunks(WAITED)).try_for_each(|(rows, places)| {
            let mut lines = RowBytes::default();
            for (&(tuple, mut own), &place) in rows.iter().zip(places) {
                let codes = self.encoder.codes_of(tuple)?;
                let person = self.tagged.then(|| word(&mut own));
                self.push_placed(codes, person, place, &mut lines, |_, _, text| {
                    let length = word(&mut own) as usize;
                    let (cell, behind) = own.split_at(length);
                    text.extend_from_slice(cell);
                    own = behind;
                });
            }
            hand_on(&lines)
        })
    }

    fn order(&self, order: RowOrder) -> RowOrder {
        order
    }

    fn order_of_waiting(&self, order: RowOrder) -> RowOrder {
        order
    }

    fn write(&self, rows: &RowBytes, writer: &mut dyn TableWriter, people: Option<&mut PeopleFile>) -> Result<()> {
        let Some(people) = people else { return writer.write_lines(&rows.bytes, rows.ends.len() as u64) };
        let (mut lines, mut of_lines) = (Vec::with_capacity(rows.bytes.len()), Vec::with_capacity(rows.ends.len()));
        for row in rows.iter() {
            let (line, mut tag) = row.split_at(row.len() - TAG);
            lines.extend_from_slice(line);
            of_lines.push(word(&mut tag));
        }
        writer.write_lines(&lines, of_lines.len() as u64)?;
        people.push(&of_lines)
    }
}

/// Takes a number off the beginning of a row that was kept.
fn word(row: &mut &[u8]) -> u32 {
    let (word, behind) = row.split_first_chunk().expect("a number stands before each cell, and before all of them");
    *row = behind;
    u32::from_le_bytes(*word)
}

//! How are rows recoded that are written column by column?

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use arrow_array::{Array, StringArray, UInt32Array};
use shoal_core::recode::{OwnHash, Place, Recoding, ReleasedColumn, RowOrder, RowSum, Shows, class_number};
use shoal_core::{Error, Result};
use shoal_format::{Cells, TableReader, TableWriter, Turn, columns_side_by_side};

use super::carrier::{Carrier, Worker};
use super::cells::{CountedBatch, value};
use super::json_forms::JsonForms;
use super::ordered_columns::OrderedColumns;
use super::people_file::PeopleFile;
use super::row_encoder::RowEncoder;
use crate::outsider::SUPPRESSED_CELL;
use crate::policy::Policy;

/// Rows as columns of cells.
pub(super) struct ColumnCarrier<'a> {
    policy: &'a Policy,
    recoding: &'a Recoding<'a>,
    encoder: &'a RowEncoder<'a>,
    /// For each column of the table, in which forms it has JSON cells that could be taken for each other.
    forms: Vec<JsonForms>,
    /// For each quasi-identifier, the texts of its labels.
    label_texts: Vec<Vec<Option<Cow<'a, str>>>>,
}

/// The memory of a thread.
#[derive(Default)]
pub(super) struct ColumnWorker {
    sum: RowSum,
    /// Where each row goes; `None` for a row that was left out before counting.
    places: Vec<Option<Place>>,
    /// Who each row is about, where that is to be told.
    people: Vec<u32>,
    tuple: Vec<u32>,
    key: Vec<u64>,
    ready: Vec<Cells>,
    waiting: Vec<Cells>,
    hashes: Vec<u64>,
}

impl Worker for ColumnWorker {
    type Rows = Vec<Cells>;

    fn sum(&self) -> RowSum {
        self.sum
    }

    fn seen(&self) -> u64 {
        self.places.len() as u64
    }

    fn places(&mut self) -> impl Iterator<Item = &mut Place> {
        self.places.iter_mut().flatten()
    }

    fn ready(&self) -> &Vec<Cells> {
        &self.ready
    }

    fn waiting(&self) -> (&Vec<Cells>, &[u64]) {
        (&self.waiting, &self.hashes)
    }
}

impl<'a> ColumnCarrier<'a> {
    pub(super) fn new(policy: &'a Policy, recoding: &'a Recoding<'a>, encoder: &'a RowEncoder<'a>) -> Self {
        let layout = recoding.layout();
        let forms = layout.names.iter().map(|_| JsonForms::default()).collect();
        let is_label = |quasi: usize, shows: Shows<'_>| match shows {
            Shows::Label(of) | Shows::OfClass(of) => of == quasi,
            _ => false,
        };
        let label_texts = |quasi| match recoding.columns().iter().any(|column| is_label(quasi, column.shows)) {
            true => recoding.label_texts(quasi),
            false => Vec::new(),
        };
        Self { policy, recoding, encoder, forms, label_texts: (0..layout.quasi).map(label_texts).collect() }
    }

    /// For each column of the table, does it have numbers or truth values that JSON writes without quotes? Known once all rows are written;
    /// an error if it has them in quotes as well.
    pub(super) fn bare(&self, table: &str) -> Result<Vec<bool>> {
        if let Some(column) = self.forms.iter().position(JsonForms::may_clash) {
            return Err(Error::table(format!(
                "{table}: column `{}` has numbers or truth values both bare and in quotes",
                self.recoding.layout().names[column]
            ))
            .hint("write them all in one way: an outsider can tell 5 from \"5\", and the release must not"));
        }
        Ok(self.forms.iter().map(JsonForms::has_bare).collect())
    }

    /// For each released column, what rows show whatever place they go to; none where their place decides.
    fn own_cells(&self, batch: &CountedBatch) -> Result<Vec<Option<Cells>>> {
        if self.recoding.layout().class_column.is_some() {
            self.note_forms_of_sensitive(batch);
        }
        self.recoding.columns().iter().map(|column| self.own_cells_of(column, batch)).collect()
    }

    fn own_cells_of(&self, column: &ReleasedColumn<'_>, batch: &CountedBatch) -> Result<Option<Cells>> {
        let Some(index) = column.index else { return Ok(None) };
        let cells = &batch.columns[index];
        let texts_needed = self.recoding.shows_suppressed();
        Ok(Some(match column.shows {
            Shows::Label(_) | Shows::OfClass(_) | Shows::Sensitive(_) | Shows::ClassNumber => return Ok(None),
            Shows::Pseudonym(pseudonyms) => {
                let texts = cells.text()?;
                let name = |row| Some(pseudonyms.of(value(&texts, row, &self.encoder.markers)?));
                Cells::Text((0..batch.rows()).map(name).collect())
            }
            Shows::Cell if texts_needed => Cells::Text(cells.text()?.into_owned()),
            Shows::Cell => cells.clone(),
            Shows::Value(place) if texts_needed => {
                let texts = &batch.texts[place];
                Cells::Text((0..batch.rows()).map(|row| value(texts, row, &self.encoder.markers)).collect())
            }
            Shows::Value(place) => self.in_one_form(cells, index, &batch.texts[place]),
        }))
    }

    /// The cells as they are, but what was counted as one value in one form.
    fn in_one_form(&self, cells: &Cells, index: usize, texts: &StringArray) -> Cells {
        let present = |row: usize| value(texts, row, &self.encoder.markers).map(|_| row);
        let present: Vec<Option<usize>> = (0..texts.len()).map(present).collect();
        match cells {
            Cells::Json(raw) => Cells::Json(self.forms[index].unify(raw)).picked(&present),
            Cells::Text(_) | Cells::Typed(_) => cells.picked(&present),
        }
    }

    /// Sensitive values are written by their texts, in a table of their own; which of them were bare is seen here.
    fn note_forms_of_sensitive(&self, batch: &CountedBatch) {
        for &index in self.recoding.layout().sensitive() {
            if let Cells::Json(raw) = &batch.columns[index] {
                self.forms[index].unify(raw);
            }
        }
    }

    /// The columns of the rows that are written, given what they show by themselves and their places; behind them whom they are about, where
    /// that is to be told.
    fn placed(&self, own: Vec<Option<Cells>>, people: &[u32], places: &[Option<Place>]) -> Vec<Cells> {
        let keeps = self.recoding.shows_suppressed();
        let is_written = |place: &Option<Place>| match place {
            Some(Place::Class { .. }) => true,
            Some(Place::Suppressed) => keeps,
            Some(Place::Waiting { .. } | Place::Nowhere) | None => false,
        };
        let written = rows_where(places, is_written);
        let column = |(column, own): (&ReleasedColumn<'_>, Option<Cells>)| match own {
            Some(Cells::Text(texts)) if keeps => with_stars(&texts, places),
            Some(cells) => cells.picked(&written),
            None => self.of_places(column.shows, places),
        };
        let people = self.recoding.layout().person.then(|| numbers(written.iter().flatten().map(|&row| people[row])));
        self.recoding.columns().iter().zip(own).map(column).chain(people).collect()
    }

    /// What the places of the written rows show.
    fn of_places(&self, shows: Shows<'_>, places: &[Option<Place>]) -> Cells {
        let (recoding, keeps) = (self.recoding, self.recoding.shows_suppressed());
        if matches!(shows, Shows::ClassNumber) && !keeps {
            let class = |place: &Option<Place>| match place {
                Some(Place::Class { class, .. }) => Some(Some(class_number(*class))),
                _ => None,
            };
            return Cells::Typed(Arc::new(places.iter().filter_map(class).collect::<UInt32Array>()));
        }
        let text = |class: u32, tuple: u32| match shows {
            Shows::Label(quasi) | Shows::OfClass(quasi) => {
                let label = &self.label_texts[quasi][recoding.classes().place(class, quasi) as usize];
                label.as_deref().map(Cow::Borrowed)
            }
            Shows::Sensitive(column) => recoding.generalized_sensitive(column, tuple).map(Cow::Borrowed),
            Shows::ClassNumber => Some(Cow::Owned(class_number(class).to_string())),
            Shows::Cell | Shows::Pseudonym(_) | Shows::Value(_) => None,
        };
        let shown = |place: &Option<Place>| match place {
            Some(Place::Class { class, shows }) => Some(text(*class, *shows)),
            Some(Place::Suppressed) if keeps => Some(Some(Cow::Borrowed(SUPPRESSED_CELL))),
            _ => None,
        };
        Cells::Text(places.iter().filter_map(shown).collect())
    }

    /// The hashes of rows that wait, whose tuple and person stand before the cells that they show by themselves.
    fn hashes_of_waiting(&self, rows: &[Cells]) -> Result<Vec<u64>> {
        let own = self.recoding.columns().iter().filter(|column| self.is_own(column.shows)).zip(&rows[2..]);
        let texts = own.filter(|(column, _)| column.shows.is_own()).map(|(_, cells)| cells.text());
        let texts = texts.collect::<Result<Vec<_>>>()?;
        let mut hash = OwnHash::new(self.recoding.seed().unwrap_or_default());
        let of_row = |(row, &tuple): (usize, &u32)| {
            hash.of(tuple, texts.iter().map(|texts| texts.is_valid(row).then(|| texts.value(row))))
        };
        Ok(values(&rows[0]).iter().enumerate().map(of_row).collect())
    }

    /// Do rows show this whatever place they go to?
    fn is_own(&self, shows: Shows<'_>) -> bool {
        shows.is_own() || matches!(shows, Shows::Value(_))
    }
}

impl Carrier for ColumnCarrier<'_> {
    type Block<'b> = CountedBatch;
    type Rows = Vec<Cells>;
    type Order = OrderedColumns;
    type Worker = ColumnWorker;

    fn each_block<W: Send>(
        &self,
        reader: &mut dyn TableReader,
        workers: &mut [W],
        work: impl Fn(&mut W, CountedBatch, &Turn<'_>) -> Result<()> + Sync,
    ) -> Result<Duration> {
        let layout = self.recoding.layout();
        columns_side_by_side(reader, workers, |worker, columns, turn| {
            work(worker, CountedBatch::new(columns, layout, self.policy, &self.encoder.markers)?, turn)
        })
    }

    fn find_places(&self, batch: &CountedBatch, worker: &mut ColumnWorker) -> Result<()> {
        let ColumnWorker { sum, places, people, tuple, key, .. } = worker;
        places.clear();
        people.clear();
        tuple.resize(batch.texts.len(), 0);
        for (row, &dropped) in batch.dropped.iter().enumerate() {
            if dropped {
                places.push(None);
                people.push(0);
                continue;
            }
            for (column, texts) in batch.texts.iter().enumerate() {
                let cell = texts.is_valid(row).then(|| texts.value(row));
                tuple[column] = self.encoder.code(column, cell)?;
            }
            sum.add(self.encoder.counted(tuple), 1);
            people.push(tuple.last().copied().unwrap_or_default());
            places.push(Some(self.encoder.place(tuple, key)?));
        }
        Ok(())
    }

    fn recode(&self, batch: CountedBatch, worker: &mut ColumnWorker) -> Result<()> {
        let own = self.own_cells(&batch)?;
        if self.encoder.waits_for_all() {
            worker.waiting = waiting_rows(&own, &worker.people, &worker.places);
            worker.hashes = self.hashes_of_waiting(&worker.waiting)?;
        }
        worker.ready = self.placed(own, &worker.people, &worker.places);
        Ok(())
    }

    fn recode_waiting(&self, rows: &Vec<Cells>, hand_on: &(dyn Fn(&Vec<Cells>) -> Result<()> + Sync)) -> Result<()> {
        let mut places: Vec<Place> = values(&rows[0]).iter().map(|&tuple| Place::Waiting { tuple }).collect();
        self.encoder.deal(places.iter_mut())?;
        let places: Vec<Option<Place>> = places.into_iter().map(Some).collect();
        let mut own = rows[2..].iter().cloned();
        let columns = self.recoding.columns().iter();
        let own = columns.map(|column| if self.is_own(column.shows) { own.next() } else { None }).collect();
        hand_on(&self.placed(own, values(&rows[1]), &places))
    }

    fn order(&self, order: RowOrder) -> OrderedColumns {
        OrderedColumns::new(order, self.recoding.layout().person)
    }

    fn order_of_waiting(&self, order: RowOrder) -> OrderedColumns {
        OrderedColumns::new(order, false)
    }

    fn write(&self, rows: &Vec<Cells>, writer: &mut dyn TableWriter, people: Option<&mut PeopleFile>) -> Result<()> {
        match (people, rows.as_slice()) {
            (Some(people), [shown @ .., about]) => {
                writer.write(shown)?;
                people.push(values(about))
            }
            _ => writer.write(rows),
        }
    }
}

/// The texts of the written rows, suppressed ones as `*`.
fn with_stars(texts: &StringArray, places: &[Option<Place>]) -> Cells {
    let shown = |(row, place): (usize, &Option<Place>)| match place {
        Some(Place::Class { .. }) => Some(texts.is_valid(row).then(|| texts.value(row))),
        Some(Place::Suppressed) => Some(Some(SUPPRESSED_CELL)),
        _ => None,
    };
    Cells::Text(places.iter().enumerate().filter_map(shown).collect())
}

/// The tuple, the person and the own cells of each row that waits.
fn waiting_rows(own: &[Option<Cells>], people: &[u32], places: &[Option<Place>]) -> Vec<Cells> {
    let tuple = |place: &Option<Place>| match place {
        Some(Place::Waiting { tuple }) => Some(*tuple),
        _ => None,
    };
    let waiting = rows_where(places, |place| tuple(place).is_some());
    let tuples = numbers(places.iter().filter_map(tuple));
    let people = numbers(waiting.iter().flatten().map(|&row| people[row]));
    let cells = own.iter().flatten().map(|cells| cells.picked(&waiting));
    [tuples, people].into_iter().chain(cells).collect()
}

/// The rows whose place is like this.
fn rows_where(places: &[Option<Place>], is_wanted: impl Fn(&Option<Place>) -> bool) -> Vec<Option<usize>> {
    (0..places.len()).filter(|&row| is_wanted(&places[row])).map(Some).collect()
}

/// Numbers as a column.
pub(super) fn numbers(values: impl Iterator<Item = u32>) -> Cells {
    Cells::Typed(Arc::new(values.map(Some).collect::<UInt32Array>()))
}

/// The numbers of a column of them.
pub(super) fn values(column: &Cells) -> &[u32] {
    let numbers = match column {
        Cells::Typed(array) => array.as_any().downcast_ref::<UInt32Array>(),
        Cells::Text(_) | Cells::Json(_) => None,
    };
    numbers.expect("tuples and people are numbers").values()
}

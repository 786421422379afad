//! How are rows recoded that are written column by column?

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arrow_array::{Array, ArrayRef, BooleanArray, StringArray, UInt32Array};
use arrow_select::{filter::filter, nullif::nullif};

use super::count::{CountedCells, value};
use super::ordered_columns::OrderedColumns;
use super::sensitive_table::class_number;
use super::stage::{Generalized, RowEncoder, SharedWriter, Staging, changed};
use crate::outsider::SUPPRESSED_CELL;
use shoal_core::recode::{OwnHash, Place, RowSum};
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::{self as format, Batch, Cells, TableReader, TableWriter, columns_side_by_side};

/// Recodes all rows and writes them; the time that writing took, and which columns have bare JSON values.
pub(super) fn run(
    reader: &mut dyn TableReader,
    staging: &Staging<'_>,
    encoder: &RowEncoder<'_>,
    writer: Box<dyn TableWriter>,
    output: &Path,
    watch: &dyn Watch,
) -> Result<(Duration, Vec<bool>)> {
    let forms = reader.columns().iter().map(|_| JsonForms::default()).collect();
    let label_texts = |column| match staging.recoding.is_untouched(column) {
        true => Vec::new(),
        false => staging.recoding.label_texts(column),
    };
    let label_texts = (0..staging.columns.quasi).map(label_texts).collect();
    let recoder = ColumnRecoder { staging, encoder, forms, label_texts };
    let order = staging.row_order(output).map(OrderedColumns::new);
    let waiting = staging.row_order(output).filter(|_| encoder.waits_for_all()).map(OrderedColumns::new);
    let writer = Mutex::new(SharedWriter::new(writer));
    let mut workers = format::workers(RowSum::default);
    columns_side_by_side(reader, &mut workers, |sum, columns, turn| {
        let batch = Batch { first_row: 0, columns };
        let counted = CountedCells::new(&batch, staging.columns, staging.policy, &encoder.markers)?;
        let mut places = recoder.places(&counted, sum)?;
        encoder.deal_block(turn, places.iter_mut().flatten())?;
        let own = recoder.own_cells(&batch, &counted)?;
        if let Some(waiting) = &waiting {
            let rows = waiting_rows(&own, &places)?;
            waiting.add_by(&recoder.hashes_of_waiting(&rows)?, &rows)?;
        }
        let cells = recoder.recode(own, &places)?;
        match &order {
            Some(order) => order.add(&cells)?,
            None => turn.take(|| {
                let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
                writer.write(|writer| writer.write(&cells))
            })?,
        }
        watch.advance(batch.rows() as u64);
        Ok(())
    })?;
    watch.end();
    let sum = workers.iter().fold(RowSum::default(), |sum, worker| sum.joined(*worker));
    if sum != staging.recoding.sum_of_rows() {
        return Err(changed(staging.input));
    }
    if let Some(column) = recoder.forms.iter().position(JsonForms::may_clash) {
        return Err(Error::table(format!(
            "{}: column `{}` has numbers or truth values both bare and in quotes",
            staging.input.display(),
            reader.columns()[column]
        ))
        .hint("write them all in one way: an outsider can tell 5 from \"5\", and the release must not"));
    }
    let bare = recoder.forms.iter().map(|forms| forms.bare.load(Ordering::Relaxed)).collect();
    let begin = Instant::now();
    let mut writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Some(order) = order else { return Ok((writer.finish(workers.len())?, bare)) };
    if let Some(waiting) = waiting {
        waiting.finish(|rows| order.add(&recoder.recode_waiting(rows)?))?;
    }
    order.finish(|cells| writer.write(|writer| writer.write(cells)))?;
    writer.finish(workers.len())?;
    Ok((begin.elapsed(), bare))
}

struct ColumnRecoder<'a, 'd> {
    staging: &'a Staging<'a>,
    encoder: &'a RowEncoder<'d>,
    /// For each column of the table, in which forms it has JSON cells that could be taken for each other.
    forms: Vec<JsonForms>,
    /// For each quasi-identifier, the texts of its labels.
    label_texts: Vec<Vec<Option<Cow<'a, str>>>>,
}

/// Which kinds of JSON cells a counted column has.
#[derive(Debug, Default)]
struct JsonForms {
    bare: AtomicBool,
    quoted_literal: AtomicBool,
}

impl JsonForms {
    /// Could one value be written in two ways, `5` and `"5"`?
    fn may_clash(&self) -> bool {
        self.bare.load(Ordering::Relaxed) && self.quoted_literal.load(Ordering::Relaxed)
    }

    /// Every text in one form: strings with the escapes they need and no others, all else as it is.
    fn unify(&self, raw: &StringArray) -> StringArray {
        let one = |cell: &str| {
            let Ok(text) = serde_json::from_str::<String>(cell) else {
                self.bare.store(true, Ordering::Relaxed);
                return cell.to_owned();
            };
            if serde_json::from_str::<serde_json::Number>(&text).is_ok() || text == "true" || text == "false" {
                self.quoted_literal.store(true, Ordering::Relaxed);
            }
            serde_json::to_string(&text).expect("a string is valid JSON")
        };
        raw.iter().map(|cell| cell.filter(|cell| *cell != "null").map(one)).collect()
    }
}

impl ColumnRecoder<'_, '_> {
    /// For each released column, what rows show whatever place they go to; none where their place decides.
    fn own_cells(&self, batch: &Batch, cells: &CountedCells<'_>) -> Result<Vec<Option<Cells>>> {
        let column = |&index: &usize| match self.staging.generalized(index) {
            Some(_) => Ok(None),
            None if self.staging.pseudonyms(index).is_some() => self.replaced(batch, index).map(Some),
            None if self.staging.shows_suppressed() => self.as_text(batch, index).map(Some),
            None => self.unchanged(batch, index, cells).map(Some),
        };
        if self.staging.columns.class_column.is_some() {
            self.note_forms_of_sensitive(batch);
        }
        self.staging.columns.released.iter().map(column).collect()
    }

    /// The columns of the rows that are written, given what they show by themselves and their places.
    fn recode(&self, own: Vec<Option<Cells>>, places: &[Option<Place>]) -> Result<Vec<Cells>> {
        let staging = self.staging;
        let is_written = |place: &Option<Place>| match place {
            Some(Place::Class { .. }) => true,
            Some(Place::Suppressed) => staging.shows_suppressed(),
            Some(Place::Waiting { .. } | Place::Nowhere) | None => false,
        };
        let selection = BooleanArray::from(places.iter().map(is_written).collect::<Vec<bool>>());
        let column = |(index, own): (&usize, Option<Cells>)| match (own, staging.generalized(*index)) {
            (Some(Cells::Text(texts)), _) if staging.shows_suppressed() => Ok(with_stars(&texts, places)),
            (Some(cells), _) => map_cells(&cells, |array| filter(array, &selection)),
            (None, Some(generalized)) => Ok(self.generalized(generalized, places)),
            (None, None) => Err(Error::table("a column shows nothing")
                .hint("this is a bug in Shoal, not in your data: please report it with the policy")),
        };
        let mut cells = staging.columns.released.iter().zip(own).map(column).collect::<Result<Vec<_>>>()?;
        if staging.columns.class_column.is_some() {
            cells.push(self.class_numbers(places));
        }
        Ok(cells)
    }

    /// The hashes of rows that wait.
    fn hashes_of_waiting(&self, rows: &[Cells]) -> Result<Vec<u64>> {
        let (columns, mut texts) = (self.staging.columns, Vec::new());
        let own = columns.released.iter().filter(|index| self.staging.generalized(**index).is_none());
        for (index, cells) in own.zip(&rows[1..]) {
            if !columns.counted.contains(index) {
                texts.push(cells.text()?);
            }
        }
        let mut hash = OwnHash::new(self.staging.policy.output.seed);
        let of_row = |(row, &tuple): (usize, &u32)| {
            hash.of(tuple, texts.iter().map(|texts| texts.is_valid(row).then(|| texts.value(row))))
        };
        Ok(tuples(&rows[0]).iter().enumerate().map(of_row).collect())
    }

    /// Deals rows that have waited their places, one after the other, and recodes them.
    fn recode_waiting(&self, rows: &[Cells]) -> Result<Vec<Cells>> {
        let mut places: Vec<Place> = tuples(&rows[0]).iter().map(|&tuple| Place::Waiting { tuple }).collect();
        self.encoder.deal(places.iter_mut())?;
        let places: Vec<Option<Place>> = places.into_iter().map(Some).collect();
        let mut own = rows[1..].iter().cloned();
        let column = |&index: &usize| if self.staging.generalized(index).is_some() { None } else { own.next() };
        self.recode(self.staging.columns.released.iter().map(column).collect(), &places)
    }

    /// The numbers of the classes of the written rows.
    fn class_numbers(&self, places: &[Option<Place>]) -> Cells {
        let classes = places.iter().filter_map(|place| match place {
            Some(Place::Class { class, .. }) => Some(Some(class_number(*class))),
            Some(Place::Suppressed) if self.staging.shows_suppressed() => Some(None),
            _ => None,
        });
        if self.staging.shows_suppressed() {
            let text =
                |class: Option<u32>| Some(class.map_or_else(|| SUPPRESSED_CELL.to_owned(), |class| class.to_string()));
            return Cells::Text(classes.map(text).collect());
        }
        Cells::Typed(Arc::new(classes.collect::<UInt32Array>()))
    }

    /// Sensitive values are written by their texts, in a table of their own; which of them were bare is seen here.
    fn note_forms_of_sensitive(&self, batch: &Batch) {
        for &index in &self.staging.columns.counted[self.staging.columns.quasi..] {
            if let Cells::Json(raw) = &batch.columns[index] {
                self.forms[index].unify(raw);
            }
        }
    }

    /// Where each row goes; `None` for a row that was left out before counting.
    fn places(&self, cells: &CountedCells<'_>, sum: &mut RowSum) -> Result<Vec<Option<Place>>> {
        let (mut tuple, mut key) = (vec![0; cells.texts.len()], Vec::new());
        let mut places = Vec::with_capacity(cells.dropped.len());
        for (row, &dropped) in cells.dropped.iter().enumerate() {
            if dropped {
                places.push(None);
                continue;
            }
            for (column, texts) in cells.texts.iter().enumerate() {
                let cell = texts.is_valid(row).then(|| texts.value(row));
                tuple[column] = self.encoder.code(column, cell)?;
            }
            sum.add(&tuple, 1);
            places.push(Some(self.encoder.place(&tuple, &mut key)?));
        }
        Ok(places)
    }

    /// What the classes of the written rows show.
    fn generalized(&self, column: Generalized, places: &[Option<Place>]) -> Cells {
        let recoding = self.staging.recoding;
        let keeps_suppressed = self.staging.shows_suppressed();
        let shown = |place: &Option<Place>| match place {
            Some(Place::Class { class, shows }) => Some(match column {
                Generalized::Quasi(quasi) => {
                    self.label_texts[quasi][recoding.classes().place(*class, quasi) as usize].as_deref()
                }
                Generalized::Sensitive(column) => recoding.generalized_sensitive(column, *shows),
            }),
            Some(Place::Suppressed) if keeps_suppressed => Some(Some(SUPPRESSED_CELL)),
            _ => None,
        };
        Cells::Text(places.iter().filter_map(shown).collect())
    }

    /// The rows as they are; in columns that were counted, what was counted as one value is written in one way.
    fn unchanged(&self, batch: &Batch, index: usize, cells: &CountedCells<'_>) -> Result<Cells> {
        let Some(place) = self.staging.columns.counted.iter().position(|&counted| counted == index) else {
            return Ok(batch.columns[index].clone());
        };
        let is_missing = |row| value(&cells.texts[place], row, &self.encoder.markers).is_none();
        let is_missing = BooleanArray::from((0..batch.rows()).map(is_missing).collect::<Vec<bool>>());
        let unified = match &batch.columns[index] {
            Cells::Json(raw) => Some(Cells::Json(self.forms[index].unify(raw))),
            Cells::Text(_) | Cells::Typed(_) => None,
        };
        map_cells(unified.as_ref().unwrap_or(&batch.columns[index]), |array| nullif(array, &is_missing))
    }

    /// What stands in place of an identifier; a missing one stays missing.
    fn replaced(&self, batch: &Batch, index: usize) -> Result<Cells> {
        let pseudonyms = self.staging.pseudonyms(index);
        let texts = batch.columns[index].text()?;
        let name = |row| Some(pseudonyms?.of(value(&texts, row, &self.encoder.markers)?));
        Ok(Cells::Text((0..batch.rows()).map(name).collect()))
    }

    /// The rows as text, which can stand beside the `*` of others.
    fn as_text(&self, batch: &Batch, index: usize) -> Result<Cells> {
        let counted = self.staging.columns.counted.contains(&index);
        let texts = batch.columns[index].text()?;
        let shown = |row| match counted {
            true => value(&texts, row, &self.encoder.markers),
            false => texts.is_valid(row).then(|| texts.value(row)),
        };
        Ok(Cells::Text((0..batch.rows()).map(shown).collect()))
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

/// The tuple and the own cells of each row that waits.
fn waiting_rows(own: &[Option<Cells>], places: &[Option<Place>]) -> Result<Vec<Cells>> {
    let tuple = |place: &Option<Place>| match place {
        Some(Place::Waiting { tuple }) => Some(*tuple),
        _ => None,
    };
    let waits = BooleanArray::from(places.iter().map(|place| tuple(place).is_some()).collect::<Vec<bool>>());
    let tuples: UInt32Array = places.iter().filter_map(tuple).map(Some).collect();
    let cells = own.iter().flatten().map(|cells| map_cells(cells, |array| filter(array, &waits)));
    std::iter::once(Ok(Cells::Typed(Arc::new(tuples)))).chain(cells).collect()
}

/// The tuples of rows that wait, from the column before the others.
fn tuples(column: &Cells) -> &[u32] {
    let numbers = match column {
        Cells::Typed(array) => array.as_any().downcast_ref::<UInt32Array>(),
        Cells::Text(_) | Cells::Json(_) => None,
    };
    numbers.expect("tuples stand before the cells of their rows").values()
}

/// Applies an operation on arrays to cells of any kind, which stay of that kind.
fn map_cells(
    cells: &Cells,
    operation: impl Fn(&ArrayRef) -> Result<ArrayRef, arrow_schema::ArrowError>,
) -> Result<Cells> {
    let failed = |error: arrow_schema::ArrowError| Error::bug(format!("cannot recode a column: {error}"));
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

//! Which tuples do the rows of a table hold, and how often each?

use std::sync::Arc;

use super::Counted;
use super::cells::CellPlaces;
use super::groups::counted_readings;
use super::household_members::HouseholdCounter;
use super::telling_columns::TellingColumn;
use crate::meaning::repeats::{Repeats, Watched};
use crate::policy::{Policy, Role};
use shoal_core::frequency::{TupleCounter, ValueSample};
use shoal_core::recode::Layout;
use shoal_core::spill::MemoryLimit;
use shoal_core::table::{Dictionary, DictionaryBuilder, MissingMarkers, Reading};
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::{self as format, Rows, TableReader, rows_side_by_side};

/// What a thread knows of the rows that it has counted; its codes are its own. Threads write to theirs at every row, so no
/// two may share a line of the cache.
#[repr(align(128))]
struct CountWorker {
    builders: Vec<DictionaryBuilder>,
    counter: TupleCounter,
    /// The values of the columns that are watched for repetition.
    samples: Vec<ValueSample>,
    /// The columns that are published as they are, where people are counted.
    telling: Vec<TellingColumn>,
    households: HouseholdCounter,
    tuple: Vec<u32>,
    rows: u64,
    dropped_rows: u64,
}

impl CountWorker {
    fn new(columns: usize, watched: usize, telling: usize, limit: Option<&MemoryLimit>) -> Self {
        let builders = (0..columns).map(|_| DictionaryBuilder::default()).collect();
        let counter = TupleCounter::within(columns, limit.cloned());
        let samples = vec![ValueSample::one_of(watched); watched];
        let households = HouseholdCounter::default();
        let telling = (0..telling).map(|_| TellingColumn::default()).collect();
        Self { builders, counter, samples, telling, households, tuple: vec![0; columns], rows: 0, dropped_rows: 0 }
    }

    /// Puts away tuples that take too much memory. Values have to stay, since every row asks for theirs.
    fn keep_within(&mut self, limit: &MemoryLimit, layout: &Layout) -> Result<()> {
        // A warning is worth a part of the memory, and no more.
        self.telling.iter_mut().filter(|column| column.bytes() > limit.share() / 8).for_each(TellingColumn::give_up);
        let of_values = self.builders.iter().map(DictionaryBuilder::bytes).sum::<usize>() + self.households.bytes();
        if of_values <= limit.share() {
            let of_samples: usize = self.samples.iter().map(ValueSample::bytes).sum();
            let of_telling: usize = self.telling.iter().map(TellingColumn::bytes).sum();
            return self.counter.spill_if_large(of_values + of_samples + of_telling);
        }
        let largest = self.builders.iter().zip(&layout.counted).max_by_key(|(builder, _)| builder.bytes());
        let error = Error::place("the distinct values of the columns alone take more than `memory-limit` allows");
        let error = match largest {
            None => error,
            Some((builder, _)) if builder.bytes() < self.households.bytes() => {
                return Err(error
                    .detail(format!(
                        "who lives together takes the most: {} people in households, and there may be more",
                        self.households.members()
                    ))
                    .hint("raise the limit, or leave out `household` in [input]"));
            }
            Some((builder, &column)) => error.detail(format!(
                "column `{}` has the most: {} of them, and there may be more",
                layout.names[column],
                builder.len()
            )),
        };
        Err(error.hint("raise the limit, give the column another role, or make its values coarser in the table itself"))
    }

    fn add(&mut self, rows: &Rows<'_>, cells: &CellPlaces, markers: &MissingMarkers) {
        for row in 0..rows.len() {
            if cells.is_dropped(rows, row, markers) {
                self.dropped_rows += 1;
                continue;
            }
            for ((code, &slot), builder) in self.tuple.iter_mut().zip(&cells.counted).zip(&mut self.builders) {
                *code = match rows.cell(row, slot).filter(|text| !markers.contain(text)) {
                    Some(text) => builder.code(text),
                    None => builder.missing_code(),
                };
            }
            self.counter.add(&self.tuple);
            let shown = |slot: usize| rows.cell(row, slot).filter(|text| !markers.contain(text));
            let person = self.tuple.last().copied().unwrap_or_default();
            let behind_samples = &cells.others[self.samples.len()..];
            for (column, &slot) in self.telling.iter_mut().zip(behind_samples) {
                column.add(person, shown(slot));
            }
            if let Some(&slot) = behind_samples.get(self.telling.len()) {
                self.households.add(person, shown(slot));
            }
            for (sample, &slot) in self.samples.iter_mut().zip(&cells.others) {
                if let Some(text) = rows.cell(row, slot).filter(|text| !markers.contain(text)) {
                    sample.add(text);
                }
            }
            self.rows += 1;
        }
    }
}

pub(super) fn count(
    reader: &mut dyn TableReader,
    policy: &Policy,
    limit: Option<&MemoryLimit>,
    watch: &dyn Watch,
) -> Result<Counted> {
    let layout = policy.layout(reader.columns());
    let markers = MissingMarkers::new(policy.input.missing.clone());
    let watched = watched(reader, policy);
    let (mut places, watched): (Vec<usize>, Vec<Watched>) = watched.into_iter().unzip();
    let telling = published_as_they_are(reader, policy, &layout);
    places.extend(telling.iter().map(|(place, _)| place));
    // Households stand behind all that is watched.
    let household = policy.input.household.as_ref();
    let household = household.and_then(|known| layout.names.iter().position(|name| *name == known.column));
    places.extend(household);
    let cells = CellPlaces::new(&layout, &places, policy);
    let mut workers = format::workers(|| CountWorker::new(layout.counted.len(), watched.len(), telling.len(), limit));
    watch.begin("reading", None);
    let reading = rows_side_by_side(reader, &cells.wanted, &mut workers, |worker, rows, _| {
        watch.proceed()?;
        worker.add(rows, &cells, &markers);
        watch.advance(rows.len() as u64);
        limit.map_or(Ok(()), |limit| worker.keep_within(limit, &layout))
    })?;
    watch.end();

    let (rows, dropped_rows) =
        workers.iter().fold((0, 0), |(rows, dropped), worker| (rows + worker.rows, dropped + worker.dropped_rows));
    let repeats = repeats(watched, &workers);
    let (mut counters, mut builders, mut households, mut known) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for worker in workers {
        counters.push(worker.counter);
        builders.push(worker.builders);
        households.push(worker.households);
        known.push(worker.telling);
    }
    let (dictionaries, renamed) = dictionaries(builders, markers.first(), &counted_readings(policy));
    let domain_sizes: Vec<usize> = dictionaries.iter().map(Dictionary::len).collect();
    let person_of = || renamed.iter().map(|columns| columns.last().map_or(&[][..], Vec::as_slice));
    let households = household.map(|_| HouseholdCounter::finish(households.into_iter().zip(person_of())));
    let telling = telling.into_iter().map(|(_, name)| name).filter(|_| {
        let of_column = known.iter_mut().map(|known| known.remove(0));
        TellingColumn::tells(of_column.collect::<Vec<_>>().into_iter().zip(person_of()))
    });
    let telling = telling.collect();
    let counters = counters.into_iter().zip(renamed).collect();
    let tuples = TupleCounter::finish_all(counters, layout.quasi, &domain_sizes, limit)?;
    Ok(Counted {
        tuples: Arc::new(if layout.person { tuples.of_people() } else { tuples }),
        dictionaries: dictionaries.into_iter().map(Arc::new).collect(),
        rows,
        dropped_rows,
        layout,
        repeats,
        telling,
        households,
        read_seconds: reading.as_secs_f64(),
        kept: None,
    })
}

/// The columns that tell whether rows are people, and where they stand. What may have no text is passed over.
fn watched(reader: &dyn TableReader, policy: &Policy) -> Vec<(usize, Watched)> {
    let has_text = |place: usize| reader.data_type(place).is_none_or(|data_type| format::always_has_text(&data_type));
    let place = |name: &str| reader.columns().iter().position(|known| known == name);
    // Where people are counted, nobody takes rows for people.
    if policy.input.person.is_some() {
        return Vec::new();
    }
    let names = reader.columns().iter().map(String::as_str);
    let watched = Watched::among(names, |name| policy.role_of(name));
    watched
        .into_iter()
        .filter_map(|column| Some((place(&column.column)?, column)))
        .filter(|(at, _)| has_text(*at))
        .collect()
}

/// The columns that the release shows as they are, where people are counted, and where they stand. What may have no text is passed over.
fn published_as_they_are(reader: &dyn TableReader, policy: &Policy, layout: &Layout) -> Vec<(usize, String)> {
    if !layout.person {
        return Vec::new();
    }
    let has_text = |place: usize| reader.data_type(place).is_none_or(|data_type| format::always_has_text(&data_type));
    let columns = layout.names.iter().cloned().enumerate();
    let is_shown = |name: &str| policy.role_of(name) == Some(Role::Insensitive);
    columns.filter(|(place, name)| is_shown(name) && has_text(*place)).collect()
}

/// The watched columns whose values repeat, from what all threads have seen of them.
fn repeats(watched: Vec<Watched>, workers: &[CountWorker]) -> Vec<Repeats> {
    let of_column = |(place, watched): (usize, Watched)| {
        let sample = ValueSample::joined(workers.iter().map(|worker| &worker.samples[place]));
        watched.judge(sample.repetition())
    };
    watched.into_iter().enumerate().filter_map(of_column).collect()
}

/// The dictionary of each column from what each thread has seen of it; for each thread and column, the final codes of its
/// own ones.
pub(super) fn dictionaries(
    threads: Vec<Vec<DictionaryBuilder>>,
    missing_marker: &str,
    readings: &[Reading],
) -> (Vec<Dictionary>, Vec<Vec<Vec<u32>>>) {
    let columns = threads.first().map_or(0, Vec::len);
    let mut renamed: Vec<Vec<Vec<u32>>> = vec![Vec::with_capacity(columns); threads.len()];
    let mut of_column: Vec<Vec<DictionaryBuilder>> = (0..columns).map(|_| Vec::new()).collect();
    for builders in threads {
        builders.into_iter().zip(&mut of_column).for_each(|(builder, column)| column.push(builder));
    }
    let mut dictionaries = Vec::with_capacity(columns);
    for (builders, &reading) in of_column.into_iter().zip(readings) {
        let mut all = DictionaryBuilder::default();
        let joint: Vec<Vec<u32>> = builders.iter().map(|builder| all.absorb(builder)).collect();
        let (dictionary, names) = all.finish(missing_marker, reading);
        for (thread, joint) in renamed.iter_mut().zip(joint) {
            thread.push(joint.into_iter().map(|code| names[code as usize]).collect());
        }
        dictionaries.push(dictionary);
    }
    (dictionaries, renamed)
}

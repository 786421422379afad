//! What does somebody see who has only the published table?
//!
//! Everything here is counted from the text of the cells, by code of its own: it shares neither codes nor counts with
//! the search whose result it judges.

mod classes;
mod combinations;
mod groups;
mod text_counts;

use hashbrown::HashMap;

pub use classes::OutsiderClasses;
use combinations::{Combinations, CountedByThread};
pub use groups::OutsiderGroups;
use shoal_core::error::nearest;
use shoal_core::frequency::{
    CountedTable, EquivalenceClass, Repetition, SensitiveColumn, SensitiveTuples, TableProfile, ValueSample,
};
use shoal_core::model::{OneOrTwo, Quantity, Requirement, worst};
use shoal_core::spill::MemoryLimit;
use shoal_core::table::MissingMarkers;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::{Rows, TableReader, Wanted, rows_side_by_side, workers};
use text_counts::TextCounts;

/// The cell of a suppressed row that was kept.
pub const SUPPRESSED_CELL: &str = "*";

/// A published table, counted by the text of its cells.
#[derive(Debug)]
pub struct OutsiderTable {
    /// The names of all its columns.
    pub columns: Vec<String>,
    /// How many rows it has, exempt ones left out.
    pub rows: u64,
    /// How many rows consist of `*` only, where those are exempt.
    pub exempt_rows: u64,
    quasi: usize,
    /// Combinations of texts, quasi-identifiers first.
    counts: Combinations,
    /// For each sensitive column, the number of rows with each text, by the text's number.
    rows_with: Vec<Vec<u64>>,
    /// How a missing value is written.
    missing_marker: String,
}

/// What is to be counted of a table.
#[derive(Clone, Copy)]
struct Asked<'a> {
    quasi: &'a [String],
    sensitive: &'a [String],
    /// Columns whose values are watched for repetition.
    watched: &'a [String],
    exempt_suppressed: bool,
    limit: Option<&'a MemoryLimit>,
}

/// What models reach on a table, and how large its classes are.
#[derive(Debug)]
pub struct Measured {
    /// For each requirement, the worst over all classes.
    pub achieved: Vec<OneOrTwo<Quantity>>,
    /// How many classes there are.
    pub classes: u64,
    /// The size of the smallest.
    pub smallest: u64,
    /// The size of the largest.
    pub largest: u64,
    /// How many rows are alone in their class.
    pub alone: u64,
}

impl OutsiderTable {
    /// Reads and counts a table. Rows whose every cell is a `*` are set apart if `exempt_suppressed`.
    pub fn read(
        reader: &mut dyn TableReader,
        quasi: &[String],
        sensitive: &[String],
        markers: &MissingMarkers,
        exempt_suppressed: bool,
        watch: &dyn Watch,
    ) -> Result<Self> {
        Self::read_within(None, reader, quasi, sensitive, markers, exempt_suppressed, watch)
    }

    /// The same, and how often the values of these other columns occur, of rows that are not exempt.
    pub fn read_watching(
        watched: &[String],
        reader: &mut dyn TableReader,
        quasi: &[String],
        sensitive: &[String],
        markers: &MissingMarkers,
        exempt_suppressed: bool,
        watch: &dyn Watch,
    ) -> Result<(Self, Vec<Repetition>)> {
        let asked = Asked { quasi, sensitive, watched, exempt_suppressed, limit: None };
        Self::read_asked(&asked, reader, markers, watch)
    }

    /// The same, with a limit on the memory that counting takes.
    pub fn read_within(
        limit: Option<&MemoryLimit>,
        reader: &mut dyn TableReader,
        quasi: &[String],
        sensitive: &[String],
        markers: &MissingMarkers,
        exempt_suppressed: bool,
        watch: &dyn Watch,
    ) -> Result<Self> {
        let asked = Asked { quasi, sensitive, watched: &[], exempt_suppressed, limit };
        Ok(Self::read_asked(&asked, reader, markers, watch)?.0)
    }

    fn read_asked(
        asked: &Asked<'_>,
        reader: &mut dyn TableReader,
        markers: &MissingMarkers,
        watch: &dyn Watch,
    ) -> Result<(Self, Vec<Repetition>)> {
        let Asked { quasi, sensitive, watched, exempt_suppressed, limit } = *asked;
        let columns = reader.columns().to_vec();
        let place = |name: &String| {
            let place = columns.iter().position(|column| column == name);
            place.ok_or_else(|| {
                let error = Error::table(format!("the table has no column `{name}`"));
                match nearest(name, columns.iter().map(String::as_str)) {
                    Some(near) => error.hint(format!("did you mean `{near}`?")),
                    None => error.hint(format!("it has {}", columns.join(", "))),
                }
            })
        };
        let places: Vec<usize> = quasi.iter().chain(sensitive).map(place).collect::<Result<_>>()?;
        let watched: Vec<usize> = watched.iter().map(place).collect::<Result<_>>()?;
        let wanted = if exempt_suppressed {
            Wanted::all(columns.len())
        } else {
            Wanted::new(places.iter().chain(&watched).copied(), columns.len())
        };
        let slots: Vec<usize> = places.iter().map(|&place| wanted.slot(place)).collect();
        let watched: Vec<usize> = watched.iter().map(|&place| wanted.slot(place)).collect();
        let mut workers = workers(|| Worker::new(slots.len(), watched.len()));
        rows_side_by_side(reader, &wanted, &mut workers, |worker, rows, _| {
            let mut combination = Vec::with_capacity(slots.len());
            for row in 0..rows.len() {
                if exempt_suppressed && is_all_stars(rows, row, wanted.len()) {
                    worker.exempt_rows += 1;
                } else {
                    worker.rows += 1;
                    worker.counted.counts.add_row(rows, row, &slots, markers, &mut combination);
                    worker.watch(rows, row, &watched, markers);
                }
            }
            watch.advance(rows.len() as u64);
            watch.proceed()?;
            limit.map_or(Ok(()), |limit| worker.counted.keep_within(limit))
        })?;
        let rows = workers.iter().map(|worker| worker.rows).sum();
        let exempt_rows = workers.iter().map(|worker| worker.exempt_rows).sum();
        let repetitions = (0..watched.len())
            .map(|place| ValueSample::joined(workers.iter().map(|worker| &worker.samples[place])).repetition())
            .collect();
        let counted = workers.into_iter().map(|worker| worker.counted).collect();
        let counts = Combinations::join(slots.len(), counted, limit)?;
        let rows_with = rows_with(&counts, quasi.len(), rows)?;
        let missing_marker = markers.first().to_owned();
        let table = Self { columns, rows, exempt_rows, quasi: quasi.len(), counts, rows_with, missing_marker };
        Ok((table, repetitions))
    }

    /// A table that Shoal has counted already, as somebody would see it who has it: the original of a release. Without its
    /// quasi-identifiers, where a release shows classes instead of them.
    pub fn of_counted(table: &CountedTable, with_quasi: bool, missing_marker: &str) -> Result<Self> {
        let quasi = if with_quasi { table.quasi.len() } else { 0 };
        let values =
            table.quasi[..quasi].iter().map(|column| (column.dictionary.values(), column.dictionary.missing()));
        let sensitive = table.sensitive.iter().map(|column| (&column.values()[..column.leaves()], column.missing()));
        let columns: Vec<(&[String], Option<u32>)> = values.chain(sensitive).collect();
        let mut counts = TextCounts::of_texts(&columns);
        let before = table.quasi.len() - quasi;
        table.each_tuple(0..table.base.classes(), |codes, count| counts.add(&codes[before..], count));
        let counts = Combinations::held(counts);
        let names = table.quasi[..quasi].iter().map(|column| column.name.clone());
        Ok(Self {
            columns: names.chain(table.sensitive.iter().map(|column| column.name().to_owned())).collect(),
            rows: table.rows,
            exempt_rows: 0,
            quasi,
            rows_with: rows_with(&counts, quasi, table.rows)?,
            counts,
            missing_marker: missing_marker.to_owned(),
        })
    }

    /// How a missing value is written.
    pub fn missing_marker(&self) -> &str {
        &self.missing_marker
    }

    /// Reads a release in two tables as an outsider would: what rows share is the number of their class, and what the
    /// class has stands in the table of sensitive values. `link` names the columns of the class and of the count. An error
    /// if the two do not fit together.
    pub fn read_separated(
        rows: &mut dyn TableReader,
        values: &mut dyn TableReader,
        link: (&str, &str),
        sensitive: &[String],
        markers: &MissingMarkers,
        exempt_suppressed: bool,
        watch: &dyn Watch,
    ) -> Result<Self> {
        let (class, count) = (link.0.to_owned(), link.1.to_owned());
        let expected: Vec<&String> = [&class].into_iter().chain(sensitive).chain([&count]).collect();
        if !values.columns().iter().eq(expected.iter().copied()) {
            let names: Vec<String> = expected.iter().map(|name| format!("`{name}`")).collect();
            return Err(Error::table("the table of sensitive values does not have the columns it should have")
                .hint(format!("expected {}", names.join(", "))));
        }
        let by_class = std::slice::from_ref(&class);
        let rows = Self::read(rows, by_class, &[], markers, exempt_suppressed, watch)?;
        let with_count: Vec<String> = sensitive.iter().cloned().chain([count]).collect();
        let values = Self::read(values, by_class, &with_count, markers, false, watch)?;
        let counts = values
            .counts
            .held
            .weighted()
            .ok_or_else(|| Error::table("the table of sensitive values has a count that is none"))?;
        if !rows.counts.held.has_the_totals_of(&counts) {
            return Err(Error::table("the two tables do not belong together")
                .detail("some class has more or fewer rows than sensitive values"));
        }
        let counts = Combinations::held(counts);
        let rows_with = rows_with(&counts, 1, rows.rows)?;
        Ok(Self { counts, rows_with, ..rows })
    }

    /// The distinct texts of a sensitive column, sorted, the number of rows with each, and how a missing value is written
    /// if one occurs.
    pub fn sensitive_values(&self, index: usize) -> (Vec<(&str, u64)>, Option<&str>) {
        let column = self.quasi + index;
        let texts = self.counts.held.texts().swap_remove(column);
        let mut values: Vec<(&str, u64)> = texts.into_iter().zip(self.rows_with[index].iter().copied()).collect();
        values.sort_unstable();
        (values, self.counts.held.has_missing(column).then_some(&self.missing_marker))
    }

    /// Measures requirements on every class. `columns` are what the models were resolved against; `input` is the input's
    /// distribution, for models that compare with it.
    pub fn measure(
        &self,
        columns: &[SensitiveColumn],
        requirements: &[Requirement],
        input: Option<&TableProfile>,
    ) -> Result<Measured> {
        let codes = self.model_codes(columns)?;
        let to_model = |combination: &[u32], tuple: &mut Vec<u32>| {
            tuple.clear();
            let sensitive = combination[self.quasi..].iter().zip(&codes);
            tuple.extend(sensitive.map(|(&number, codes)| codes[number as usize]));
        };
        // The sensitive tuples that occur, in their order; a class names them by their places.
        let (mut places, mut tuple): (HashMap<Vec<u32>, u32>, Vec<u32>) = (HashMap::new(), Vec::new());
        self.counts.each(|combination, _| {
            to_model(combination, &mut tuple);
            if !places.contains_key(&tuple) {
                places.insert(tuple.clone(), 0);
            }
        })?;
        let mut distinct: Vec<Vec<u32>> = places.keys().cloned().collect();
        distinct.sort_unstable();
        places.extend(distinct.iter().cloned().zip(0..));
        let tuples = SensitiveTuples::new(columns.len(), distinct.concat());

        // To an outsider, a class is all rows with the same texts in the quasi-identifiers.
        let profile = self.profile(columns, &codes, input);
        let mut measured = Measured { achieved: Vec::new(), classes: 0, smallest: u64::MAX, largest: 0, alone: 0 };
        let (mut quasi, mut members): (Vec<u32>, Vec<(u32, u64)>) = (Vec::new(), Vec::new());
        self.counts.each_sorted(|combination, count| {
            if combination[..self.quasi] != quasi {
                measured.add_members(&mut members, &tuples, requirements, &profile);
                quasi.clear();
                quasi.extend_from_slice(&combination[..self.quasi]);
            }
            to_model(combination, &mut tuple);
            members.push((places[&tuple], count));
        })?;
        measured.add_members(&mut members, &tuples, requirements, &profile);
        Ok(measured)
    }

    /// For each sensitive column, the models' code for each of our texts.
    fn model_codes(&self, columns: &[SensitiveColumn]) -> Result<Vec<Vec<u32>>> {
        let texts = self.counts.held.texts();
        let of_column = |(index, column): (usize, &SensitiveColumn)| {
            let unknown =
                || Error::bug(format!("column `{}` of the release shows a value that the input lacks", column.name()));
            let code = |text: &&str| column.code(text).ok_or_else(unknown);
            texts[self.quasi + index].iter().map(code).collect()
        };
        columns.iter().enumerate().map(of_column).collect()
    }

    fn profile(&self, columns: &[SensitiveColumn], codes: &[Vec<u32>], input: Option<&TableProfile>) -> TableProfile {
        let mut counts: Vec<Vec<u64>> = columns.iter().map(|column| vec![0; column.codes()]).collect();
        for ((counts, codes), rows_with) in counts.iter_mut().zip(codes).zip(&self.rows_with) {
            codes.iter().zip(rows_with).for_each(|(&code, rows)| counts[code as usize] += rows);
        }
        TableProfile::of_counts(columns, &counts, self.rows, input)
    }
}

/// For each sensitive column, the number of rows with each text.
fn rows_with(counts: &Combinations, quasi: usize, rows: u64) -> Result<Vec<Vec<u64>>> {
    let mut rows_with: Vec<Vec<u64>> = counts.held.texts()[quasi..].iter().map(|texts| vec![0; texts.len()]).collect();
    let mut counted = 0;
    counts.each(|combination, count| {
        counted += count;
        combination[quasi..].iter().zip(&mut rows_with).for_each(|(&text, rows)| rows[text as usize] += count);
    })?;
    // Counts may have been to a file and back since.
    if counted != rows {
        return Err(Error::bug(format!("{rows} rows were counted, but there are counts of {counted}"))
            .hint("this is a bug in Shoal, or of the disk: please report it"));
    }
    Ok(rows_with)
}

impl OutsiderClasses {
    /// Measures requirements on every class.
    pub fn measure(&self, requirements: &[Requirement]) -> Measured {
        let mut measured = Measured { achieved: Vec::new(), classes: 0, smallest: u64::MAX, largest: 0, alone: 0 };
        for class in 0..self.len() {
            measured.add(&self.class(class), requirements, self.profile());
        }
        measured
    }
}

impl Measured {
    /// Adds a class of these places of sensitive tuples and their counts, in any order, and empties the list.
    fn add_members(
        &mut self,
        members: &mut Vec<(u32, u64)>,
        tuples: &SensitiveTuples,
        requirements: &[Requirement],
        profile: &TableProfile,
    ) {
        if members.is_empty() {
            return;
        }
        members.sort_unstable();
        let same = members.chunk_by(|a, b| a.0 == b.0);
        let (places, counts): (Vec<u32>, Vec<u64>) =
            same.map(|same| (same[0].0, same.iter().map(|member| member.1).sum::<u64>())).unzip();
        self.add(&EquivalenceClass::new(tuples, &places, &counts), requirements, profile);
        members.clear();
    }

    fn add(&mut self, class: &EquivalenceClass<'_>, requirements: &[Requirement], profile: &TableProfile) {
        self.classes += 1;
        self.smallest = self.smallest.min(class.size());
        self.largest = self.largest.max(class.size());
        self.alone += u64::from(class.size() == 1);
        let measured = requirements.iter().map(|requirement| requirement.model.measure(class, profile));
        if self.achieved.is_empty() {
            self.achieved = measured.collect();
            return;
        }
        for ((so_far, measured), requirement) in self.achieved.iter_mut().zip(measured).zip(requirements) {
            *so_far = worst(requirement.model.bounds(), *so_far, measured);
        }
    }
}

/// What one thread has counted. Threads write to theirs at every row, so no two may share a line of the cache.
#[repr(align(128))]
struct Worker {
    counted: CountedByThread,
    /// The values of the columns that are watched for repetition.
    samples: Vec<ValueSample>,
    rows: u64,
    exempt_rows: u64,
}

impl Worker {
    fn new(counted: usize, watched: usize) -> Self {
        let samples = vec![ValueSample::one_of(watched); watched];
        Self { counted: CountedByThread::new(counted), samples, rows: 0, exempt_rows: 0 }
    }

    /// What is missing or hidden stands for nobody.
    #[inline]
    fn watch(&mut self, rows: &Rows<'_>, row: usize, slots: &[usize], markers: &MissingMarkers) {
        let is_shown = |text: &&str| !markers.contain(text) && *text != SUPPRESSED_CELL;
        for (sample, &slot) in self.samples.iter_mut().zip(slots) {
            if let Some(text) = rows.cell(row, slot).filter(is_shown) {
                sample.add(text);
            }
        }
    }
}

/// Is every cell of a row a `*`?
fn is_all_stars(rows: &Rows<'_>, row: usize, columns: usize) -> bool {
    (0..columns).all(|slot| rows.cell(row, slot) == Some(SUPPRESSED_CELL))
}

//! What does somebody see who has only the published table?
//!
//! Everything here is counted from the text of the cells, by code of its own: it shares neither codes nor counts with
//! the search whose result it judges.

mod by_class;
mod classes;
mod combinations;
mod contents;
mod entries;
mod groups;
mod held;
mod listed;
mod measured;
mod members;
mod narrow;
mod numbered;
mod text_counts;
mod texts;
mod totals;

use std::sync::{Mutex, PoisonError};

pub use classes::OutsiderClasses;
use combinations::{Combinations, CountedByThread};
pub use contents::ClassContents;
pub use groups::OutsiderGroups;
use held::{Packed, TupleMaker};
pub use measured::{Measured, MeasuredPeople};
use members::Members;
use shoal_core::error::nearest;
use shoal_core::frequency::{
    CountedTable, EquivalenceClass, HeldByPeople, Repetition, SensitiveColumn, TableProfile, ValueSample,
};
use shoal_core::model::Requirement;
use shoal_core::spill::MemoryLimit;
use shoal_core::table::MissingMarkers;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::{Rows, TableReader, Turn, Wanted, rows_side_by_side, workers};
use text_counts::{TextCounts, Whom};
use totals::{count_people, rows_with};

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
    /// How many people there are, where the last number of a combination is one.
    people: Option<u64>,
    /// Does a column of the table itself say so?
    shows_people: bool,
    /// Have they the numbers that the input has of them, since whoever knows whose row it is said so row by row?
    people_are_numbered: bool,
    /// Combinations of texts, quasi-identifiers first, then sensitive columns, then the person where it is known whose rows they are.
    counts: Combinations,
    /// For each sensitive column, the number of rows with each text, by the text's number.
    rows_with: Vec<Vec<u64>>,
    /// How a missing value is written.
    missing_marker: String,
}

/// What is to be counted of a table.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    quasi: &'a [String],
    sensitive: &'a [String],
    /// Columns whose values are watched for repetition, and what stands for a missing value there.
    watched: Option<(&'a [String], &'a MissingMarkers)>,
    exempt_suppressed: bool,
    limit: Option<&'a MemoryLimit>,
    person: Option<Whose<'a>>,
}

/// Who knows whose the rows of a table are.
#[derive(Clone, Copy)]
enum Whose<'a> {
    /// A column of the table itself, and what stands for a missing value there.
    Column(&'a str, &'a MissingMarkers),
    /// Somebody else, by their order.
    Rows(&'a dyn AboutRows),
}

/// Somebody who knows whom each row of a table is about.
pub trait AboutRows: Sync {
    /// The people of so many rows from one on, by numbers of theirs; an error if there are not so many rows.
    fn people(&self, first: u64, rows: usize) -> Result<Vec<u32>>;
}

impl<'a> Asked<'a> {
    /// Quasi-identifiers and sensitive columns. Rows whose every cell is a `*` are set apart if `exempt_suppressed`.
    pub fn new(quasi: &'a [String], sensitive: &'a [String], exempt_suppressed: bool) -> Self {
        Self { quasi, sensitive, watched: None, exempt_suppressed, limit: None, person: None }
    }

    /// With a limit on the memory that counting takes.
    #[must_use]
    pub fn within(self, limit: Option<&'a MemoryLimit>) -> Self {
        Self { limit, ..self }
    }

    /// And how often the values of these other columns occur, of rows that are not exempt, where each of these markers stands for a missing value:
    /// what a release shows as it is, it shows with all of them.
    #[must_use]
    pub fn watching(self, watched: &'a [String], markers: &'a MissingMarkers) -> Self {
        Self { watched: Some((watched, markers)), ..self }
    }

    /// And whose rows they are, where somebody knows.
    #[must_use]
    pub fn about<P: AboutRows>(self, people: Option<&'a P>) -> Self {
        Self { person: people.map(|people| Whose::Rows(people)), ..self }
    }

    /// The column that says whose rows they are, if one does.
    pub fn person(&self) -> Option<&'a str> {
        match self.person {
            Some(Whose::Column(column, _)) => Some(column),
            Some(Whose::Rows(_)) | None => None,
        }
    }

    /// And whose rows they are, by a column, where each of these markers stands for a missing value: what a release shows as it is, it shows with all
    /// of them.
    #[must_use]
    pub fn of_person(self, column: Option<&'a str>, markers: &'a MissingMarkers) -> Self {
        Self { person: column.map(|column| Whose::Column(column, markers)), ..self }
    }
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
        Self::read_asked(&Asked::new(quasi, sensitive, exempt_suppressed), reader, markers, watch)
    }

    /// Reads and counts what is asked.
    pub fn read_asked(
        asked: &Asked<'_>,
        reader: &mut dyn TableReader,
        markers: &MissingMarkers,
        watch: &dyn Watch,
    ) -> Result<Self> {
        Ok(Self::read_watching(asked, reader, markers, watch)?.0)
    }

    /// The same, and how often the values of watched columns occur.
    pub fn read_watching(
        asked: &Asked<'_>,
        reader: &mut dyn TableReader,
        markers: &MissingMarkers,
        watch: &dyn Watch,
    ) -> Result<(Self, Vec<Repetition>)> {
        let Asked { quasi, sensitive, watched, exempt_suppressed, limit, person } = *asked;
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
        let (watched, markers_of_watched) = watched.unwrap_or((&[], markers));
        let watched: Vec<usize> = watched.iter().map(place).collect::<Result<_>>()?;
        let person_place = match person {
            Some(Whose::Column(name, markers)) => Some((place(&name.to_owned())?, markers)),
            Some(Whose::Rows(_)) | None => None,
        };
        let wanted = if exempt_suppressed {
            Wanted::all(columns.len())
        } else {
            let person = person_place.map(|(place, _)| place);
            Wanted::new(places.iter().chain(&watched).copied().chain(person), columns.len())
        };
        let slots: Vec<usize> = places.iter().map(|&place| wanted.slot(place)).collect();
        let person_slot = person_place.map(|(place, markers)| (wanted.slot(place), markers));
        let watched: Vec<usize> = watched.iter().map(|&place| wanted.slot(place)).collect();
        let about = match person {
            Some(Whose::Rows(people)) => Some(people),
            Some(Whose::Column(..)) | None => None,
        };
        let width = slots.len() + usize::from(person.is_some());
        let counts = || match person {
            Some(_) => TextCounts::listing(quasi.len(), width),
            None => TextCounts::new(quasi.len(), width),
        };
        let mut workers = workers(|| Worker::new(counts(), watched.len()));
        let next_row = Mutex::new(0u64);
        rows_side_by_side(reader, &wanted, &mut workers, |worker, rows, turn| {
            let mut combination = Vec::with_capacity(width);
            let people = about.map(|people| people_of_block(people, &next_row, rows.len(), turn)).transpose()?;
            for row in 0..rows.len() {
                if exempt_suppressed && is_all_stars(rows, row, wanted.len()) {
                    worker.exempt_rows += 1;
                } else {
                    worker.rows += 1;
                    let number = people.as_ref().map(|people| Whom::Numbered(people[row]));
                    let person = number.or_else(|| person_slot.map(|slot| Whom::Named(person_of(rows, row, slot))));
                    worker.counted.counts.add_row(rows, row, &slots, person, markers, &mut combination);
                    worker.watch(rows, row, &watched, markers_of_watched);
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
        let counts = Combinations::join((quasi.len(), width), counted, limit)?;
        let rows_with = rows_with(&counts, quasi.len(), sensitive.len(), rows)?;
        let missing_marker = markers.first().to_owned();
        let people = person.map(|_| count_people(&counts)).transpose()?;
        let shows_people = asked.person().is_some();
        let quasi = quasi.len();
        let people_are_numbered = matches!(asked.person, Some(Whose::Rows(_)));
        let table = Self {
            columns,
            rows,
            exempt_rows,
            quasi,
            people,
            shows_people,
            people_are_numbered,
            counts,
            rows_with,
            missing_marker,
        };
        Ok((table, repetitions))
    }

    /// A table that Shoal has counted already, as somebody would see it who has it: the original of a release, with whose rows they are
    /// where people were counted. Without its quasi-identifiers, where a release shows classes instead of them.
    pub fn of_counted(table: &CountedTable, with_quasi: bool, missing_marker: &str) -> Result<Self> {
        let quasi = if with_quasi { table.quasi.len() } else { 0 };
        let values =
            table.quasi[..quasi].iter().map(|column| (column.dictionary.values(), column.dictionary.missing()));
        let sensitive = table.sensitive.iter().map(|column| (&column.values()[..column.leaves()], column.missing()));
        // Whose they are stands behind all texts, and has none.
        let person = table.people.iter().map(|_| (&[] as &[String], None));
        let columns: Vec<(&[String], Option<u32>)> = values.chain(sensitive).chain(person).collect();
        let mut counts = TextCounts::of_texts(quasi, &columns);
        let before = table.quasi.len() - quasi;
        let behind = before + columns.len();
        table.each_tuple(0..table.base.classes(), |codes, count| counts.add(&codes[before..behind], count));
        let counts = Combinations::held(quasi, counts);
        let names = table.quasi[..quasi].iter().map(|column| column.name.clone());
        Ok(Self {
            columns: names.chain(table.sensitive.iter().map(|column| column.name().to_owned())).collect(),
            rows: table.rows,
            exempt_rows: 0,
            quasi,
            people: table.people.as_ref().map(|_| count_people(&counts)).transpose()?,
            shows_people: false,
            people_are_numbered: table.people.is_some(),
            rows_with: rows_with(&counts, quasi, table.sensitive.len(), table.rows)?,
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
            .weighted()
            .ok_or_else(|| Error::table("the table of sensitive values has a count that is none"))?;
        if !rows.counts.has_the_totals_of(&counts) {
            return Err(Error::table("the two tables do not belong together")
                .detail("some class has more or fewer rows than sensitive values"));
        }
        let rows_with = rows_with(&counts, 1, sensitive.len(), rows.rows)?;
        Ok(Self { counts, rows_with, ..rows })
    }

    /// The distinct texts of a sensitive column, sorted, the number of rows with each, and how a missing value is written
    /// if one occurs.
    pub fn sensitive_values(&self, index: usize) -> (Vec<(&str, u64)>, Option<&str>) {
        let column = self.quasi + index;
        let texts = self.counts.texts.of_column(column);
        let mut values: Vec<(&str, u64)> = texts.into_iter().zip(self.rows_with[index].iter().copied()).collect();
        values.sort_unstable();
        (values, self.counts.texts.has_missing(column).then_some(&self.missing_marker))
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
        // To an outsider, a class is all rows with the same texts in the quasi-identifiers.
        let profile = self.profile(columns, &codes, requirements, input)?;
        let requirements: Vec<&Requirement> = requirements.iter().collect();
        let requirements = requirements.as_slice();
        let maker = TupleMaker::new(&codes, self.people.is_some());
        let nothing = || Measured::nothing(self.people_count());
        let add = |(measured, packed): &mut (Measured, Packed), _: &[u32], members: &Members| {
            let (tuples, counts) = maker.make(members, packed);
            let codes: Vec<u32> = (0..counts.len() as u32).collect();
            measured.add(&EquivalenceClass::new(&tuples, &codes, &counts), requirements, &profile);
        };
        let measured = self.counts.fold_classes(|| (nothing(), Packed::new()), add)?;
        Ok(measured.into_iter().fold(nothing(), |all, (some, _)| all.joined(some, requirements)))
    }

    /// Does a column of it tell whose rows they are?
    pub fn shows_people(&self) -> bool {
        self.shows_people
    }

    /// Have people the numbers that the input has of them? Otherwise they have names of their own here.
    pub fn people_are_numbered(&self) -> bool {
        self.people_are_numbered
    }

    /// How many different people its rows are about, where that is known.
    pub fn people_count(&self) -> Option<u64> {
        self.people
    }

    /// For each sensitive column, the models' code for each of our texts.
    fn model_codes(&self, columns: &[SensitiveColumn]) -> Result<Vec<Vec<u32>>> {
        let of_column = |(index, column): (usize, &SensitiveColumn)| {
            let unknown =
                || Error::bug(format!("column `{}` of the release shows a value that the input lacks", column.name()));
            let code = |text: &&str| column.code(text).ok_or_else(unknown);
            self.counts.texts.of_column(self.quasi + index).iter().map(code).collect()
        };
        columns.iter().enumerate().map(of_column).collect()
    }

    /// How the sensitive values are distributed over all rows; or over all people, where a requirement compares those.
    fn profile(
        &self,
        columns: &[SensitiveColumn],
        codes: &[Vec<u32>],
        requirements: &[Requirement],
        input: Option<&TableProfile>,
    ) -> Result<TableProfile> {
        let of_people = |one: &Requirement| one.model.counts_people() && one.model.depends_on_release();
        if self.people.is_some() && requirements.iter().any(of_people) {
            return self.profile_of_people(columns, codes, input);
        }
        self.profile_of_rows(columns, codes, input)
    }

    fn profile_of_rows(
        &self,
        columns: &[SensitiveColumn],
        codes: &[Vec<u32>],
        input: Option<&TableProfile>,
    ) -> Result<TableProfile> {
        let mut counts: Vec<Vec<u64>> = columns.iter().map(|column| vec![0; column.codes()]).collect();
        for ((counts, codes), rows_with) in counts.iter_mut().zip(codes).zip(&self.rows_with) {
            codes.iter().zip(rows_with).for_each(|(&code, rows)| counts[code as usize] += rows);
        }
        Ok(TableProfile::of_counts(columns, &counts, self.rows, input))
    }

    fn profile_of_people(
        &self,
        columns: &[SensitiveColumn],
        codes: &[Vec<u32>],
        input: Option<&TableProfile>,
    ) -> Result<TableProfile> {
        let mut with_values: Vec<Vec<(u32, u32)>> = vec![Vec::new(); columns.len()];
        self.counts.each_class(|_, members| {
            for (person, held) in members.iter().filter_map(|(numbers, _)| numbers.split_last()) {
                for ((with_values, codes), &number) in with_values.iter_mut().zip(codes).zip(held) {
                    with_values.push((codes[number as usize], *person));
                }
            }
        })?;
        let held = |(with_values, column): (Vec<(u32, u32)>, &SensitiveColumn)| {
            HeldByPeople::new(with_values, &column.induction(&column.default_weights()))
        };
        let held: Vec<HeldByPeople> = with_values.into_iter().zip(columns).map(held).collect();
        Ok(TableProfile::of_people(columns, &held, self.rows, input))
    }
}

/// Whose a row is, by a column of it: of those in which nobody is named, one person's.
fn person_of<'r>(rows: &'r Rows<'_>, row: usize, (slot, markers): (usize, &'r MissingMarkers)) -> &'r str {
    rows.cell(row, slot).filter(|text| !markers.contain(text)).unwrap_or(markers.first())
}

/// Whose the rows of the next block are: blocks come in their order for this.
fn people_of_block(people: &dyn AboutRows, next_row: &Mutex<u64>, rows: usize, turn: &Turn<'_>) -> Result<Vec<u32>> {
    let mut first = 0;
    turn.take_early(|| {
        let mut next = next_row.lock().unwrap_or_else(PoisonError::into_inner);
        first = *next;
        *next += rows as u64;
        Ok(())
    })?;
    people.people(first, rows)
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
    fn new(counts: TextCounts, watched: usize) -> Self {
        let samples = vec![ValueSample::one_of(watched); watched];
        Self { counted: CountedByThread::new(counts), samples, rows: 0, exempt_rows: 0 }
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

//! What does somebody see who has only the published table?
//!
//! Everything here is counted from the text of the cells, by code of its own: it shares neither codes nor counts with
//! the search whose result it judges.

mod text_counts;

use hashbrown::HashMap;
use rayon::prelude::*;

use crate::error::nearest;
use crate::format::{Rows, TableReader, Wanted, rows_side_by_side, workers};
use crate::frequency::{EquivalenceClass, SensitiveColumn, SensitiveTuples, TableProfile};
use crate::model::{OneOrTwo, Quantity, Requirement, worst};
use crate::progress::Progress;
use crate::table::MissingMarkers;
use crate::{Error, Result};
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
    counts: TextCounts,
    /// How a missing value is written.
    missing_marker: String,
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
        progress: &dyn Progress,
    ) -> Result<Self> {
        let columns = reader.columns().to_vec();
        let place = |name: &String| {
            let place = columns.iter().position(|column| column == name);
            place.ok_or_else(|| {
                let error = Error::new(format!("the table has no column `{name}`"));
                match nearest(name, columns.iter().map(String::as_str)) {
                    Some(near) => error.hint(format!("did you mean `{near}`?")),
                    None => error.hint(format!("it has {}", columns.join(", "))),
                }
            })
        };
        let places: Vec<usize> = quasi.iter().chain(sensitive).map(place).collect::<Result<_>>()?;
        let wanted = if exempt_suppressed {
            Wanted::all(columns.len())
        } else {
            Wanted::new(places.iter().copied(), columns.len())
        };
        let slots: Vec<usize> = places.iter().map(|&place| wanted.slot(place)).collect();
        let mut workers = workers(|| Worker { counts: TextCounts::new(slots.len()), rows: 0, exempt_rows: 0 });
        rows_side_by_side(reader, &wanted, &mut workers, |worker, rows, _| {
            let mut combination = Vec::with_capacity(slots.len());
            for row in 0..rows.len() {
                if exempt_suppressed && is_all_stars(rows, row, wanted.len()) {
                    worker.exempt_rows += 1;
                } else {
                    worker.rows += 1;
                    worker.counts.add_row(rows, row, &slots, markers, &mut combination);
                }
            }
            progress.advance(rows.len() as u64);
            Ok(())
        })?;
        let mut all = Worker { counts: TextCounts::new(slots.len()), rows: 0, exempt_rows: 0 };
        for worker in workers {
            all.rows += worker.rows;
            all.exempt_rows += worker.exempt_rows;
            if all.counts.iter().next().is_none() {
                all.counts = worker.counts;
            } else {
                all.counts.join(&worker.counts);
            }
        }
        let Worker { counts, rows, exempt_rows } = all;
        let missing_marker = markers.first().to_owned();
        Ok(Self { columns, rows, exempt_rows, quasi: quasi.len(), counts, missing_marker })
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
        progress: &dyn Progress,
    ) -> Result<Self> {
        let (class, count) = (link.0.to_owned(), link.1.to_owned());
        let expected: Vec<&String> = [&class].into_iter().chain(sensitive).chain([&count]).collect();
        if !values.columns().iter().eq(expected.iter().copied()) {
            let names: Vec<String> = expected.iter().map(|name| format!("`{name}`")).collect();
            return Err(Error::new("the table of sensitive values does not have the columns it should have")
                .hint(format!("expected {}", names.join(", "))));
        }
        let by_class = std::slice::from_ref(&class);
        let rows = Self::read(rows, by_class, &[], markers, exempt_suppressed, progress)?;
        let with_count: Vec<String> = sensitive.iter().cloned().chain([count]).collect();
        let values = Self::read(values, by_class, &with_count, markers, false, progress)?;
        let counts = values
            .counts
            .weighted()
            .ok_or_else(|| Error::new("the table of sensitive values has a count that is none"))?;
        if !rows.counts.has_the_totals_of(&counts) {
            return Err(Error::new("the two tables do not belong together")
                .detail("some class has more or fewer rows than sensitive values"));
        }
        Ok(Self { counts, ..rows })
    }

    /// The distinct texts of a sensitive column, sorted, the number of rows with each, and how a missing value is written
    /// if one occurs.
    pub fn sensitive_values(&self, index: usize) -> (Vec<(&str, u64)>, Option<&str>) {
        let column = self.quasi + index;
        let texts = self.counts.texts().swap_remove(column);
        let mut counts = vec![0u64; texts.len()];
        self.counts.iter().for_each(|(combination, count)| counts[combination[column] as usize] += count);
        let mut values: Vec<(&str, u64)> = texts.into_iter().zip(counts).collect();
        values.sort_unstable();
        (values, self.counts.has_missing(column).then_some(&self.missing_marker))
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
        let to_model = |combination: &[u32]| -> Vec<u32> {
            let sensitive = combination[self.quasi..].iter().zip(&codes);
            sensitive.map(|(&number, codes)| codes[number as usize]).collect()
        };
        // The sensitive tuples that occur, in their order; a class names them by their places.
        let mut places: HashMap<Vec<u32>, u32> = HashMap::new();
        for (combination, _) in self.counts.iter() {
            places.insert(to_model(combination), 0);
        }
        let mut distinct: Vec<Vec<u32>> = places.keys().cloned().collect();
        distinct.sort_unstable();
        places.extend(distinct.iter().cloned().zip(0..));
        let tuples = SensitiveTuples::new(columns.len(), distinct.concat());

        // To an outsider, a class is all rows with the same texts in the quasi-identifiers.
        let entry = |(combination, count): (_, u64)| -> (&[u32], u32, u64) {
            let combination: &[u32] = combination;
            (&combination[..self.quasi], places[&to_model(combination)], count)
        };
        let mut entries: Vec<_> = self.counts.iter().map(entry).collect();
        entries.par_sort_unstable();
        let profile = self.profile(columns, &codes, input);
        let mut measured = Measured { achieved: Vec::new(), classes: 0, smallest: u64::MAX, largest: 0, alone: 0 };
        for class in entries.chunk_by(|a, b| a.0 == b.0) {
            let (places, counts): (Vec<u32>, Vec<u64>) = class
                .chunk_by(|a, b| a.1 == b.1)
                .map(|same| (same[0].1, same.iter().map(|entry| entry.2).sum::<u64>()))
                .unzip();
            measured.add(&EquivalenceClass::new(&tuples, &places, &counts), requirements, &profile);
        }
        Ok(measured)
    }

    /// For each sensitive column, the models' code for each of our texts.
    fn model_codes(&self, columns: &[SensitiveColumn]) -> Result<Vec<Vec<u32>>> {
        let texts = self.counts.texts();
        let of_column = |(index, column): (usize, &SensitiveColumn)| {
            let unknown =
                || Error::new(format!("column `{}` of the release shows a value that the input lacks", column.name()));
            let code = |text: &&str| column.code(text).ok_or_else(unknown);
            texts[self.quasi + index].iter().map(code).collect()
        };
        columns.iter().enumerate().map(of_column).collect()
    }

    fn profile(&self, columns: &[SensitiveColumn], codes: &[Vec<u32>], input: Option<&TableProfile>) -> TableProfile {
        let mut counts: Vec<Vec<u64>> = columns.iter().map(|column| vec![0; column.codes()]).collect();
        for (combination, count) in self.counts.iter() {
            for (column, &number) in combination[self.quasi..].iter().enumerate() {
                counts[column][codes[column][number as usize] as usize] += count;
            }
        }
        TableProfile::of_counts(columns, &counts, self.rows, input)
    }
}

impl Measured {
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

/// What one thread has counted.
struct Worker {
    counts: TextCounts,
    rows: u64,
    exempt_rows: u64,
}

/// Is every cell of a row a `*`?
fn is_all_stars(rows: &Rows<'_>, row: usize, columns: usize) -> bool {
    (0..columns).all(|slot| rows.cell(row, slot) == Some(SUPPRESSED_CELL))
}

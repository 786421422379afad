//! What do a release and its original show, column by column and tuple by tuple?

use chrono::Datelike;
use rust_decimal::prelude::ToPrimitive;

use crate::attack::Scene;
use crate::linking::{People, covers};
use crate::outsider::OutsiderClasses;
use shoal_core::frequency::{CountedTable, QuasiColumn, SensitiveColumn};
use shoal_core::hierarchy::{Hierarchy, HierarchySpec, Measure};
use shoal_core::table::{ColumnType, Dictionary};

/// A release beside the table it was made from: quasi-identifiers first, then sensitive columns.
///
/// The codes of the original are values, those of the release labels. What is done with the two is done on distinct tuples
/// and their counts: a million rows take no longer than their distinct tuples.
#[derive(Debug, Default)]
pub struct Compared {
    /// The columns.
    pub columns: Vec<ComparedColumn>,
    /// How many of them are quasi-identifiers.
    pub quasi: usize,
    /// The original.
    pub original: Tuples,
    /// The release.
    pub release: Tuples,
}

/// A column: the values of the original, and which of them each label of the release covers.
#[derive(Debug, Default, Clone)]
pub struct ComparedColumn {
    /// Its name.
    pub name: String,
    /// The texts of its values.
    pub values: Vec<String>,
    /// Are its values numbers? (Dates have a number, too, but no squared error.)
    pub is_number: bool,
    /// Do its values have an order that means something?
    pub is_ordered: bool,
    /// The number of each value, where the column has numbers; none for a missing value.
    pub numbers: Option<Vec<Option<f64>>>,
    /// The number that each label stands for: itself, or halfway between the least and the largest value that it covers.
    pub label_numbers: Option<Vec<Option<f64>>>,
    /// How many rows of the original have each value.
    pub rows: Vec<u64>,
    /// How many rows of the release have each label.
    pub released: Vec<u64>,
    /// The values that each label covers, sorted. A generalized cell stands for them in equal parts.
    pub covered: Vec<Vec<u32>>,
    /// The labels that cover each value, sorted.
    pub covering: Vec<Vec<u32>>,
    /// How many rows of the release have a label that covers no value of the original, such as a mean.
    pub invented: u64,
    /// How many of these have one that is no number either: what they stand for is not known.
    pub untold: u64,
    /// Does each label exclude all others, whatever the values are? So it is with values as they are and with the labels of
    /// one level of a hierarchy; ranges and sets may overlap.
    pub is_exclusive: bool,
}

/// The distinct tuples of a table, by column, and how often each occurs.
#[derive(Debug, Default, Clone)]
pub struct Tuples {
    /// `[column][tuple]`.
    pub codes: Vec<Vec<u32>>,
    /// How often each tuple occurs.
    pub counts: Vec<u64>,
    /// Tuples with the same quasi-identifiers have the same number here, that of their class.
    pub classes: Vec<u32>,
}

impl Tuples {
    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The rows with each code of a column.
    fn totals(&self, column: usize, size: usize) -> Vec<u64> {
        let mut totals = vec![0; size];
        self.codes[column].iter().zip(&self.counts).for_each(|(&code, count)| totals[code as usize] += count);
        totals
    }

    fn of(table: &OutsiderClasses, width: usize, quasi_code: impl Fn(usize, u32) -> u32) -> Self {
        let quasi = table.quasi();
        let mut tuples = Self { codes: vec![Vec::new(); width], ..Self::default() };
        for class in 0..table.len() {
            let key = table.key(class);
            let (places, counts) = table.entries(class);
            for (&place, &count) in places.iter().zip(counts) {
                (0..quasi).for_each(|column| tuples.codes[column].push(quasi_code(column, key[column])));
                let sensitive = table.tuples().tuple(place);
                tuples.codes[quasi..].iter_mut().zip(sensitive).for_each(|(codes, &code)| codes.push(code));
                tuples.counts.push(count);
                tuples.classes.push(class as u32);
            }
        }
        tuples
    }
}

impl Compared {
    /// The release of a scene beside its original, which has all quasi-identifiers.
    pub fn new(scene: &Scene<'_>, original: &People) -> Self {
        let (quasi, width) = (scene.quasi.len(), scene.quasi.len() + scene.columns.len());
        let of_original = Tuples::of(&original.table, width, |column, text| {
            original.code(column, text).expect("the dictionary was made from these texts")
        });
        let of_release = Tuples::of(scene.classes, width, |_, label| label);
        let mut compared = Self { columns: Vec::new(), quasi, original: of_original, release: of_release };
        for column in 0..quasi {
            let next = compared.quasi_column(scene, original, column);
            compared.columns.push(next);
        }
        for column in quasi..width {
            let next = compared.sensitive_column(scene, column);
            compared.columns.push(next);
        }
        compared
    }

    /// A table beside itself, for releases that show every quasi-identifier as it is.
    pub fn with_itself(table: &CountedTable) -> Self {
        let quasi = table.quasi.len();
        let mut tuples = Tuples { codes: vec![Vec::new(); quasi + table.sensitive.len()], ..Tuples::default() };
        for class in 0..table.base.classes() {
            table.each_tuple(class..class + 1, |codes, count| {
                tuples.codes.iter_mut().zip(codes).for_each(|(column, &code)| column.push(code));
                tuples.counts.push(count);
                tuples.classes.push(class as u32);
            });
        }
        let of_quasi = |column: &QuasiColumn| {
            let dictionary = &column.dictionary;
            let is_name = dictionary.column_type().is_ordered() && !column.ordered;
            let (values, missing) = (dictionary.values(), dictionary.missing());
            ComparedColumn::as_it_is(&column.name, values, dictionary.column_type(), missing, &column.counts, is_name)
        };
        let of_sensitive = |column: &SensitiveColumn| {
            let (leaves, missing) = (&column.values()[..column.leaves()], column.missing());
            let rows = &column.input_counts()[..column.leaves()];
            ComparedColumn::as_it_is(column.name(), leaves, column.column_type(), missing, rows, false)
        };
        let columns = table.quasi.iter().map(of_quasi).chain(table.sensitive.iter().map(of_sensitive)).collect();
        Self { columns, quasi, release: tuples.clone(), original: tuples }
    }

    fn quasi_column(&self, scene: &Scene<'_>, original: &People, column: usize) -> ComparedColumn {
        let (dictionary, labels) = (original.dictionary(column), scene.classes.labels(column));
        let column_type = dictionary.column_type();
        let numbers = numbers(dictionary.values(), column_type, dictionary.missing());
        let mut covering = covers(labels, dictionary, original.hierarchy(column));
        let mut covered = inverted(&covering, labels.len());
        let released = self.release.totals(column, labels.len());
        let (mut invented, mut untold) = (0, 0);
        for label in 0..labels.len() {
            if !covered[label].is_empty() {
                continue;
            }
            invented += released[label];
            // A mean is nearest to some value, and is put there; what says nothing at all is nowhere.
            match nearest(&labels[label], dictionary, numbers.as_deref()) {
                Some(value) => {
                    covered[label].push(value);
                    covering[value as usize].push(label as u32);
                    covering[value as usize].sort_unstable();
                }
                None => untold += released[label],
            }
        }
        // Names made of digits are masked or looked up, not put in order.
        let is_name = match &scene.quasi[column].hierarchy {
            Some(HierarchySpec::Mask(_)) => true,
            Some(HierarchySpec::Known(known)) => !known.is_of_numbers(),
            _ => false,
        };
        let is_name = is_name || scene.quasi[column].measure == Some(Measure::Category);
        ComparedColumn {
            name: scene.quasi[column].name.clone(),
            values: dictionary.values().to_vec(),
            is_number: column_type.is_number() && !is_name,
            is_ordered: column_type.is_ordered() && !is_name,
            label_numbers: numbers.as_ref().map(|numbers| label_numbers(labels, column_type, &covered, numbers)),
            numbers: numbers.filter(|_| !is_name),
            rows: self.original.totals(column, dictionary.len()),
            released,
            covered,
            covering,
            invented,
            untold,
            is_exclusive: is_exclusive(labels, dictionary, original.hierarchy(column)),
        }
    }

    fn sensitive_column(&self, scene: &Scene<'_>, column: usize) -> ComparedColumn {
        let sensitive = &scene.columns[column - self.quasi];
        let mut rows = self.original.totals(column, sensitive.codes());
        rows.truncate(sensitive.leaves());
        let occurs: Vec<u64> = rows.iter().map(|&rows| u64::from(rows > 0)).collect();
        let induction = sensitive.induction(&occurs);
        let mut covered: Vec<Vec<u32>> = vec![Vec::new(); sensitive.codes()];
        for (code, covered) in covered.iter_mut().enumerate() {
            induction.each_part(code as u32, |leaf, parts| covered.extend((parts > 0).then_some(leaf)));
        }
        let column_type = sensitive.column_type();
        let numbers = numbers(&sensitive.values()[..sensitive.leaves()], column_type, sensitive.missing());
        let labels = sensitive.values();
        ComparedColumn {
            name: sensitive.name().to_owned(),
            values: labels[..sensitive.leaves()].to_vec(),
            is_number: column_type.is_number(),
            is_ordered: column_type.is_ordered(),
            label_numbers: numbers.as_ref().map(|numbers| label_numbers(labels, column_type, &covered, numbers)),
            numbers,
            released: self.release.totals(column, sensitive.codes()),
            covering: inverted(&covered, rows.len()),
            covered,
            rows,
            invented: 0,
            untold: 0,
            is_exclusive: !sensitive.is_generalized(),
        }
    }
}

impl ComparedColumn {
    /// A column whose values are shown as they are.
    fn as_it_is(
        name: &str,
        values: &[String],
        column_type: &ColumnType,
        missing: Option<u32>,
        rows: &[u64],
        is_name: bool,
    ) -> Self {
        let numbers = numbers(values, column_type, missing).filter(|_| !is_name);
        let itself: Vec<Vec<u32>> = (0..values.len() as u32).map(|value| vec![value]).collect();
        Self {
            name: name.to_owned(),
            values: values.to_vec(),
            is_number: column_type.is_number() && !is_name,
            is_ordered: column_type.is_ordered() && !is_name,
            label_numbers: numbers.clone(),
            numbers,
            rows: rows.to_vec(),
            released: rows.to_vec(),
            covered: itself.clone(),
            covering: itself,
            invented: 0,
            untold: 0,
            is_exclusive: true,
        }
    }
}

/// Are all labels of one level of the hierarchy, or, without one, words of the original?
fn is_exclusive(labels: &[String], dictionary: &Dictionary, hierarchy: Option<&Hierarchy>) -> bool {
    match hierarchy {
        Some(hierarchy) => {
            hierarchy.levels().iter().any(|level| labels.iter().all(|label| level.node(label).is_some()))
        }
        // A number may be a mean that happens to be somebody's.
        None => {
            !dictionary.column_type().is_ordered() && labels.iter().all(|label| dictionary.values().contains(label))
        }
    }
}

/// For each place of the second kind, the places of the first kind whose list has it.
fn inverted(lists: &[Vec<u32>], size: usize) -> Vec<Vec<u32>> {
    let mut inverted = vec![Vec::new(); size];
    for (list, at) in lists.iter().zip(0..) {
        list.iter().for_each(|&place| inverted[place as usize].push(at));
    }
    inverted
}

/// The number of a text in a column of numbers or dates.
fn number(text: &str, column_type: &ColumnType) -> Option<f64> {
    let day = || column_type.date(text).map(|date| f64::from(date.num_days_from_ce()));
    // Labels may leave the unit out that the values have.
    let plain = || column_type.is_number().then(|| text.parse().ok()).flatten();
    column_type.number(text).and_then(|number| number.to_f64()).or_else(plain).or_else(day)
}

fn numbers(values: &[String], column_type: &ColumnType, missing: Option<u32>) -> Option<Vec<Option<f64>>> {
    let of_value = |(code, value): (u32, &String)| {
        if Some(code) == missing { None } else { number(value, column_type) }
    };
    column_type.is_ordered().then(|| (0..).zip(values).map(of_value).collect())
}

fn label_numbers(
    labels: &[String],
    column_type: &ColumnType,
    covered: &[Vec<u32>],
    numbers: &[Option<f64>],
) -> Vec<Option<f64>> {
    let middle = |covered: &Vec<u32>| {
        let mut ends = covered.iter().filter_map(|&value| numbers[value as usize]);
        let first = ends.next()?;
        let (least, most) = ends.fold((first, first), |(least, most), next| (next.min(least), next.max(most)));
        Some(f64::midpoint(least, most))
    };
    let of_label = |(label, covered): (&String, &Vec<u32>)| number(label, column_type).or_else(|| middle(covered));
    labels.iter().zip(covered).map(of_label).collect()
}

/// The value nearest to a label that is a number, the smaller of two.
fn nearest(label: &str, dictionary: &Dictionary, numbers: Option<&[Option<f64>]>) -> Option<u32> {
    let wanted = number(label, dictionary.column_type())?;
    let distance = |(code, number): (u32, &Option<f64>)| Some(((number.as_ref()? - wanted).abs(), code));
    let near = (0..).zip(numbers?).filter_map(distance);
    near.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|pair| pair.1)
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// A column of `values` values and labels that cover these.
    pub fn column(name: &str, values: usize, covered: &[&[u32]]) -> ComparedColumn {
        let covered: Vec<Vec<u32>> = covered.iter().map(|list| list.to_vec()).collect();
        let covering = inverted(&covered, values);
        ComparedColumn {
            name: name.to_owned(),
            values: (0..values).map(|value| value.to_string()).collect(),
            covered,
            covering,
            rows: vec![0; values],
            ..ComparedColumn::default()
        }
    }

    /// Tables of rows of codes.
    pub fn compared(columns: Vec<ComparedColumn>, original: &[&[u32]], release: &[&[u32]]) -> Compared {
        let tuples = |rows: &[&[u32]]| Tuples {
            codes: (0..columns.len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect(),
            counts: vec![1; rows.len()],
            classes: (0..rows.len() as u32).collect(),
        };
        let (original, release) = (tuples(original), tuples(release));
        let mut compared = Compared { quasi: columns.len(), columns, original, release };
        for (at, column) in compared.columns.iter_mut().enumerate() {
            column.rows = compared.original.totals(at, column.rows.len());
            column.released = compared.release.totals(at, column.covered.len());
        }
        compared
    }
}

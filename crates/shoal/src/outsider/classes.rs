//! Which groups of rows look the same to an outsider, and which sensitive values does each hold?

use std::collections::BTreeMap;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::texts::renumbered;
use super::{Measured, OutsiderTable};
use shoal_core::Result;
use shoal_core::frequency::{EquivalenceClass, SensitiveColumn, SensitiveTuples, TableProfile};
use shoal_core::model::Requirement;

/// The rows of a table by the texts of their quasi-identifiers, in the order of these texts.
#[derive(Debug)]
pub struct OutsiderClasses {
    /// The texts of each quasi-identifier, sorted.
    labels: Vec<Vec<String>>,
    /// For each class, the place of its text in each quasi-identifier.
    keys: Vec<u32>,
    tuples: SensitiveTuples,
    /// Where the sensitive tuples of each class begin; one more at the end.
    starts: Vec<usize>,
    codes: Vec<u32>,
    counts: Vec<u64>,
    sizes: Vec<u64>,
    profile: TableProfile,
}

impl OutsiderClasses {
    /// The classes of a table. `columns` are what its sensitive columns were encoded by; `input` is the distribution of
    /// its input, for models that compare with that.
    pub fn new(table: &OutsiderTable, columns: &[SensitiveColumn], input: Option<&TableProfile>) -> Result<Self> {
        Self::of(table, columns, input, false)
    }

    /// The same, with whose rows they are; nothing if that is not known.
    pub fn of_people(
        table: &OutsiderTable,
        columns: &[SensitiveColumn],
        input: Option<&TableProfile>,
    ) -> Result<Option<Self>> {
        table.people.map(|_| Self::of(table, columns, input, true)).transpose()
    }

    fn of(
        table: &OutsiderTable,
        columns: &[SensitiveColumn],
        input: Option<&TableProfile>,
        people: bool,
    ) -> Result<Self> {
        let codes = table.model_codes(columns)?;
        let (labels, places) = sorted_labels(table);
        let places_of_people = if people { places_of_people(table) } else { Vec::new() };
        let (quasi, width) = (table.quasi, columns.len() + usize::from(people));
        // The places of the labels of each class and where its members end; of each member the sensitive tuple, and its count.
        let (mut keys, mut ends, mut held): (Vec<u32>, Vec<usize>, Vec<u32>) = (Vec::new(), Vec::new(), Vec::new());
        let mut counts: Vec<u64> = Vec::new();
        table.counts.each_class(|shown, members| {
            keys.extend(shown.iter().zip(&places).map(|(&number, places)| places[number as usize]));
            for (numbers, count) in members.iter() {
                held.extend(numbers.iter().zip(&codes).map(|(&number, codes)| codes[number as usize]));
                held.extend(numbers.last().filter(|_| people).map(|&person| renumbered(person, &places_of_people)));
                counts.push(count);
            }
            ends.push(counts.len());
        })?;
        // The sensitive tuples that occur, in their order; a class names them by their places.
        let (distinct, named) = distinct_tuples(&held, width, counts.len());
        let key = |class: usize| &keys[class * quasi..][..quasi];
        let mut order: Vec<usize> = (0..ends.len()).collect();
        order.par_sort_unstable_by(|&a, &b| key(a).cmp(key(b)));
        let tuples = SensitiveTuples::new(width, distinct);
        let profile = if people {
            table.profile_of_people(columns, &codes, input)
        } else {
            table.profile_of_rows(columns, &codes, input)
        };
        let mut classes = Self {
            labels,
            keys: Vec::new(),
            tuples: if people { tuples.of_people() } else { tuples },
            starts: vec![0],
            codes: Vec::new(),
            counts: Vec::new(),
            sizes: Vec::new(),
            profile: profile?,
        };
        let mut entries: Vec<(u32, u64)> = Vec::new();
        for class in order {
            let members = class.checked_sub(1).map_or(0, |before| ends[before])..ends[class];
            entries.clear();
            entries.extend(members.map(|at| (named[at], counts[at])));
            entries.sort_unstable();
            classes.push(key(class), &entries);
        }
        Ok(classes)
    }

    /// Adds a class with these labels and sensitive tuples, which are sorted.
    fn push(&mut self, key: &[u32], entries: &[(u32, u64)]) {
        self.keys.extend_from_slice(key);
        for same in entries.chunk_by(|a, b| a.0 == b.0) {
            self.codes.push(same[0].0);
            self.counts.push(same.iter().map(|entry| entry.1).sum());
        }
        self.sizes.push(entries.iter().map(|entry| entry.1).sum());
        self.starts.push(self.codes.len());
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// The number of rows of each class.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// How many different people its rows are about, where that is known.
    pub fn people_count(&self) -> Option<u64> {
        let person = |tuple: u32| self.tuples.tuple(tuple).last().copied();
        self.tuples.tell_people().then(|| {
            let mut people: Vec<u32> = (0..self.tuples.len() as u32).filter_map(person).collect();
            people.sort_unstable();
            people.dedup();
            people.len() as u64
        })
    }

    /// How many rows there are.
    pub fn rows(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// The texts of a quasi-identifier, sorted.
    pub fn labels(&self, column: usize) -> &[String] {
        &self.labels[column]
    }

    /// The number of rows with each text of a quasi-identifier.
    pub fn rows_with(&self, column: usize) -> Vec<u64> {
        let mut rows = vec![0; self.labels[column].len()];
        for (class, &size) in self.sizes.iter().enumerate() {
            rows[self.key(class)[column] as usize] += size;
        }
        rows
    }

    /// How many quasi-identifiers there are.
    pub fn quasi(&self) -> usize {
        self.labels.len()
    }

    /// The place of a class's text in each quasi-identifier.
    pub fn key(&self, class: usize) -> &[u32] {
        &self.keys[class * self.labels.len()..][..self.labels.len()]
    }

    /// The places of all classes' texts, class by class.
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// What a class shows in each quasi-identifier.
    pub fn shown(&self, class: usize) -> impl Iterator<Item = &str> {
        self.key(class).iter().zip(&self.labels).map(|(&place, labels)| labels[place as usize].as_str())
    }

    /// The people of a class and how many rows each has there; nobody where that is not known.
    pub fn people_of(&self, class: usize) -> Vec<(u32, u64)> {
        if !self.tuples.tell_people() {
            return Vec::new();
        }
        let (tuples, counts) = self.entries(class);
        let person = |tuple: u32| self.tuples.tuple(tuple).last().copied();
        let mut people: Vec<(u32, u64)> =
            tuples.iter().zip(counts).filter_map(|(&tuple, &count)| Some((person(tuple)?, count))).collect();
        people.sort_unstable();
        people.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        people
    }

    /// The people all of whose rows look the same, as classes that have all of their rows: what somebody finds who knows all of a
    /// person's. Such a class shows nothing by itself.
    pub fn of_whole_people(&self) -> Self {
        self.of_people_alike(None)
    }

    /// The same for somebody who knows of all rows the values in all sensitive columns but one, too: what is left is that one.
    fn of_people_alike(&self, but: Option<usize>) -> Self {
        let known = |tuple: u32| -> Vec<u32> {
            let codes = self.tuples.tuple(tuple)[..self.tuples.columns()].iter().enumerate();
            codes.filter(|(place, _)| but.is_some_and(|but| but != *place)).map(|(_, &code)| code).collect()
        };
        let person = |tuple: u32| self.tuples.tuple(tuple).last().copied().unwrap_or(0);
        let mut rows_of: HashMap<u32, BTreeMap<(usize, Vec<u32>), u64>> = HashMap::new();
        for class in 0..self.len() {
            let (tuples, counts) = self.entries(class);
            for (&tuple, &count) in tuples.iter().zip(counts) {
                *rows_of.entry(person(tuple)).or_default().entry((class, known(tuple))).or_default() += count;
            }
        }
        let mut people: Vec<_> = rows_of.into_iter().map(|(person, rows)| (rows, person)).collect();
        people.sort_unstable();
        let mut group_of: HashMap<u32, u32> = HashMap::new();
        for (group, alike) in people.chunk_by(|a, b| a.0 == b.0).enumerate() {
            group_of.extend(alike.iter().map(|(_, person)| (*person, group as u32)));
        }
        let (tuples, places) = match but {
            Some(column) => self.tuples.of_one_column(column),
            None => (self.tuples.clone(), (0..self.tuples.len() as u32).collect()),
        };
        let entries = self.codes.iter().zip(&self.counts);
        let entry = |(&tuple, &count)| (group_of[&person(tuple)], places[tuple as usize], count);
        let mut entries: Vec<(u32, u32, u64)> = entries.map(entry).collect();
        entries.sort_unstable();
        let profile = self.profile.clone();
        let (starts, codes, counts, sizes) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        let mut whole = Self { labels: Vec::new(), keys: Vec::new(), tuples, starts, codes, counts, sizes, profile };
        for group in entries.chunk_by(|a, b| a.0 == b.0) {
            let members: Vec<(u32, u64)> = group.iter().map(|&(_, tuple, count)| (tuple, count)).collect();
            whole.push(&[], &members);
        }
        whole
    }

    /// The sensitive tuples that occur.
    pub fn tuples(&self) -> &SensitiveTuples {
        &self.tuples
    }

    /// The sensitive tuples of a class and their counts.
    pub fn entries(&self, class: usize) -> (&[u32], &[u64]) {
        let range = self.starts[class]..self.starts[class + 1];
        (&self.codes[range.clone()], &self.counts[range])
    }

    /// A class as models see it.
    pub fn class(&self, class: usize) -> EquivalenceClass<'_> {
        let (codes, counts) = self.entries(class);
        EquivalenceClass::new(&self.tuples, codes, counts)
    }

    /// Measures requirements on the people all of whose rows look the same. Where a requirement takes the other sensitive values for known, people
    /// look the same whose rows have the same of those.
    pub fn measure_whole_people(&self, requirements: &[&Requirement]) -> Measured {
        let mut measured = self.of_whole_people().measure(requirements);
        for (requirement, achieved) in requirements.iter().zip(&mut measured.achieved) {
            if let Some(column) = requirement.model.among_others() {
                let by_others = self.of_people_alike(Some(column)).measure(&[requirement]);
                by_others.achieved.into_iter().for_each(|by_others| *achieved = by_others);
            }
        }
        measured
    }

    /// Measures requirements on every class.
    pub fn measure(&self, requirements: &[&Requirement]) -> Measured {
        let mut measured = Measured::nothing(self.people_count());
        for class in 0..self.len() {
            measured.add(&self.class(class), requirements, self.profile());
        }
        measured
    }

    /// How the sensitive values are distributed over all rows.
    pub fn profile(&self) -> &TableProfile {
        &self.profile
    }
}

/// The different ones of so many tuples of a width, one after the other in their order, and the place of each among them.
fn distinct_tuples(tuples: &[u32], width: usize, count: usize) -> (Vec<u32>, Vec<u32>) {
    let tuple = |at: u32| &tuples[at as usize * width..][..width];
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.par_sort_unstable_by(|&a, &b| tuple(a).cmp(tuple(b)));
    let (mut distinct, mut named) = (Vec::new(), vec![0; count]);
    for (place, same) in (0..).zip(order.chunk_by(|&a, &b| tuple(a) == tuple(b))) {
        distinct.extend_from_slice(tuple(same[0]));
        same.iter().for_each(|&at| named[at as usize] = place);
    }
    (distinct, named)
}

/// The texts of each quasi-identifier, sorted, and the place of each number. Numbers depend on which thread came first;
/// what is reported must not.
fn sorted_labels(table: &OutsiderTable) -> (Vec<Vec<String>>, Vec<Vec<u32>>) {
    let texts = (0..table.quasi).map(|column| table.counts.texts.of_column(column));
    let sort = |texts: Vec<&str>| {
        let (order, places) = in_order(&texts);
        (order.into_iter().map(|number| texts[number as usize].to_owned()).collect(), places)
    };
    texts.map(sort).unzip()
}

/// The place of each person among all by their names, for the same reason. No list where people have the numbers that the input has of them.
fn places_of_people(table: &OutsiderTable) -> Vec<u32> {
    let texts = &table.counts.texts;
    in_order(&texts.of_column(texts.columns() - 1)).1
}

/// The numbers of texts in the order of these, and the place of each number there.
fn in_order(texts: &[&str]) -> (Vec<u32>, Vec<u32>) {
    let mut order: Vec<u32> = (0..texts.len() as u32).collect();
    order.par_sort_unstable_by_key(|&number| texts[number as usize]);
    let mut places = vec![0; texts.len()];
    order.iter().zip(0..).for_each(|(&number, place)| places[number as usize] = place);
    (order, places)
}

#[cfg(test)]
mod tests {
    use shoal_core::table::MissingMarkers;

    use super::super::OutsiderGroups;
    use super::*;

    /// The people of each class of rows that come in this order.
    fn people_of(rows: &[(&str, &str)]) -> Vec<Vec<(u32, u64)>> {
        let markers = MissingMarkers::new(vec![String::new()]);
        let mut groups = OutsiderGroups::new(vec!["ward".to_owned()], (1, 0), markers, None).of_people();
        rows.iter().for_each(|(ward, person)| groups.add_of(&[Some(ward)], Some(person), 1).unwrap());
        let classes = OutsiderClasses::of_people(&groups.finish().unwrap(), &[], None).unwrap().unwrap();
        (0..classes.len()).map(|class| classes.people_of(class)).collect()
    }

    #[test]
    fn people_are_numbered_by_their_names_whoever_came_first() {
        let mut rows = [("north", "c"), ("south", "a"), ("north", "b"), ("south", "c")];
        let expected = [vec![(1, 1), (2, 1)], vec![(0, 1), (2, 1)]];
        assert_eq!(people_of(&rows), expected);
        rows.reverse();
        assert_eq!(people_of(&rows), expected);
    }
}

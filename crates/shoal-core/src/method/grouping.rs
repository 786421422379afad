//! How do classes that a method has formed become a partition that can be released?

use std::hash::Hash;

use hashbrown::HashMap;

use super::partition::{Classes, ColumnSums};
use super::{AsRead, Assignment, Cover, GeneralizedSensitive, Label, Partition, Task, sensitive_label};
use crate::frequency::{FrequencySet, KeyLayout, SensitiveColumn, SensitiveTuples, TableProfile};
use crate::model::{Requirement, releasable};
use crate::objective::{Candidate, LabelSums, Shown, ShownLabel, values};
use crate::{Error, Result};

/// Classes with labels of their own, and who is in them.
#[derive(Debug)]
pub struct Grouping {
    labels: Vec<Numbered<Label>>,
    places: Vec<u32>,
    classes: u32,
    assignments: Vec<Assignment>,
}

impl Grouping {
    /// No classes yet, of a table with so many quasi-identifiers.
    pub fn new(columns: usize) -> Self {
        let labels = (0..columns).map(|_| Numbered::default()).collect();
        Self { labels, places: Vec::new(), classes: 0, assignments: Vec::new() }
    }

    /// A new class that shows these labels, one for each quasi-identifier.
    pub fn class(&mut self, labels: impl IntoIterator<Item = Label>) -> u32 {
        for (known, label) in self.labels.iter_mut().zip(labels) {
            self.places.push(known.number(label));
        }
        self.classes += 1;
        debug_assert_eq!(self.places.len(), self.labels.len() * self.classes as usize);
        self.classes - 1
    }

    /// Puts some records with a tuple into a class, or suppresses them.
    pub fn assign(&mut self, assignment: Assignment) {
        self.assignments.push(assignment);
    }

    /// The partition: classes that show the same are one, and what then fails a requirement is suppressed. An error if
    /// that is more than the task allows.
    pub fn settle(self, task: &Task<'_>) -> Result<Partition> {
        self.settle_generalized(task, task.requirements, None)
    }

    /// The same where sensitive values are generalized; `requirements` are resolved against their columns.
    pub fn settle_generalized(
        self,
        task: &Task<'_>,
        requirements: &[Requirement],
        sensitive: Option<GeneralizedSensitive>,
    ) -> Result<Partition> {
        let (mut classes, mut assignments) = self.one_class_for_equal_texts(task);
        let (columns, input) = match &sensitive {
            Some(shown) => (shown.columns.as_slice(), TableProfile::of_input(&shown.columns, task.table.rows)),
            None => (task.table.sensitive.as_slice(), task.table.profile()),
        };
        let tuples = sensitive.as_ref().map_or(task.table.base.sensitive(), |shown| &shown.tuples);
        let set = sensitive_counts(&assignments, classes.len(), tuples);
        let accepted = releasable(requirements, columns, &set, &input);
        let present: Vec<usize> = (0..set.classes()).map(|place| set.code(place, 0) as usize).collect();
        let mut released = vec![false; classes.len()];
        present.iter().zip(&accepted).for_each(|(&class, &accepted)| released[class] = accepted);
        classes = keep(classes, &released, &mut assignments);
        let suppressed: u64 = assignments.iter().filter(|part| part.class.is_none()).map(|part| part.count).sum();
        if suppressed > task.rows_to_spare() || suppressed >= task.table.rows {
            return Err(too_much_suppressed(task, suppressed));
        }
        let sizes = set.sizes().iter().zip(&accepted).filter(|(_, accepted)| **accepted).map(|(&size, _)| size);
        let squares = sizes.map(|size| u128::from(size) * u128::from(size)).sum();
        let sums = ColumnSums { squares, ..ColumnSums::default() };
        let (node, gap, lattice, remark) = (None, None, None, None);
        Ok(valued_by_labels(
            task,
            Partition {
                classes,
                assignments,
                sensitive,
                node,
                gap,
                objectives: Vec::new(),
                lattice,
                sums,
                level_of_people: None,
                is_separated: false,
                remark,
            },
        ))
    }

    /// Classes with the same text in every column are one to an outsider: what they are, and who is in them, by tuple.
    fn one_class_for_equal_texts(self, task: &Task<'_>) -> (Classes, Vec<Assignment>) {
        let Self { labels, places, classes, mut assignments } = self;
        let columns = labels.len();
        // The text of each label, by number; a number may stand for different ranges in different classes.
        let texts: Vec<Vec<u32>> = labels
            .iter()
            .zip(&task.table.quasi)
            .map(|(labels, column)| {
                let mut numbered = Numbered::default();
                labels.items.iter().map(|label| numbered.number(label.text(column).into_owned())).collect()
            })
            .collect();
        let mut labels: Vec<Numbered<Label>> = labels;
        let mut merged: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut became = Vec::with_capacity(classes as usize);
        let mut kept: Vec<u32> = Vec::new();
        for class in 0..classes as usize {
            let own = &places[class * columns..][..columns];
            let text: Vec<u32> = own.iter().zip(&texts).map(|(&place, texts)| texts[place as usize]).collect();
            let next = merged.len() as u32;
            let target = *merged.entry(text).or_insert(next);
            became.push(target);
            if target == next {
                kept.extend_from_slice(own);
                continue;
            }
            for (column, &place) in own.iter().enumerate() {
                let known = &mut kept[target as usize * columns + column];
                *known = labels[column].joined(*known, place);
            }
        }
        for assignment in &mut assignments {
            assignment.class = assignment.class.map(|class| became[class as usize]);
        }
        let labels = labels.into_iter().map(|labels| labels.items).collect();
        (Classes::from_places(labels, kept, merged.len()), combined(assignments))
    }
}

/// Different things, numbered in the order in which they came.
#[derive(Debug)]
struct Numbered<T> {
    items: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { items: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Hash + Eq + Clone> Numbered<T> {
    fn number(&mut self, item: T) -> u32 {
        if let Some(&number) = self.numbers.get(&item) {
            return number;
        }
        let number = self.items.len() as u32;
        self.items.push(item.clone());
        self.numbers.insert(item, number);
        number
    }
}

impl Numbered<Label> {
    /// The label that covers what two labels with the same text cover.
    fn joined(&mut self, a: u32, b: u32) -> u32 {
        match (&self.items[a as usize], &self.items[b as usize]) {
            (Label::Number { text, first, last }, &Label::Number { first: other_first, last: other_last, .. }) => {
                let (first, last) = ((*first).min(other_first), (*last).max(other_last));
                self.number(Label::Number { text: text.clone(), first, last })
            }
            (Label::Value { shown, covers }, Label::Value { covers: others, .. }) => {
                let mut covers: Vec<u32> = covers.iter().chain(others).copied().collect();
                covers.sort_unstable();
                covers.dedup();
                let shown = *shown;
                self.number(Label::Value { shown, covers: covers.into() })
            }
            _ => a,
        }
    }
}

/// Sorted by tuple, with one entry for what goes to the same place.
fn combined(mut assignments: Vec<Assignment>) -> Vec<Assignment> {
    assignments.sort_unstable();
    let mut combined: Vec<Assignment> = Vec::with_capacity(assignments.len());
    for next in assignments {
        match combined.last_mut() {
            Some(last) if (last.tuple, last.class, last.shows) == (next.tuple, next.class, next.shows) => {
                last.count += next.count;
            }
            _ => combined.push(next),
        }
    }
    combined
}

/// The sensitive tuples that each class shows, as a frequency set whose only key is the class.
pub(super) fn sensitive_counts(assignments: &[Assignment], classes: usize, tuples: &SensitiveTuples) -> FrequencySet {
    let mut entries: Vec<(u32, u32, u64)> =
        assignments.iter().filter_map(|part| part.class.map(|class| (class, part.shows, part.count))).collect();
    entries.sort_unstable();
    let merged: Vec<([u32; 1], u32, u64)> = entries
        .chunk_by(|a, b| (a.0, a.1) == (b.0, b.1))
        .map(|same| ([same[0].0], same[0].1, same.iter().map(|entry| entry.2).sum()))
        .collect();
    let rows = merged.iter().map(|(class, tuple, count)| (class.as_slice(), *tuple, *count));
    FrequencySet::from_sorted(KeyLayout::new(&[classes.max(1)]), tuples.clone(), rows)
}

/// The classes that are released, numbered anew; the records of the others are suppressed.
fn keep(classes: Classes, released: &[bool], assignments: &mut Vec<Assignment>) -> Classes {
    if released.iter().all(|&released| released) {
        return classes;
    }
    let columns = classes.columns();
    let mut number = vec![None; classes.len()];
    let (mut places, mut next) = (Vec::new(), 0);
    for class in (0..classes.len()).filter(|&class| released[class]) {
        number[class] = Some(next);
        next += 1;
        places.extend((0..columns).map(|column| classes.place(class as u32, column)));
    }
    for assignment in assignments.iter_mut() {
        assignment.class = assignment.class.and_then(|class| number[class as usize]);
    }
    *assignments = combined(std::mem::take(assignments));
    classes.with_places(places, next as usize)
}

/// A partition with what it has lost by what its labels tell, whether or not they are of one level.
pub(super) fn valued_by_labels(task: &Task<'_>, partition: Partition) -> Partition {
    let sums = ColumnSums {
        quasi: label_sums(task, &partition.classes, &partition.assignments),
        sensitive: sensitive_sums(task, &partition.assignments, partition.sensitive.as_ref()),
        squares: partition.sums.squares,
    };
    let shown = Shown::Labels { quasi: sums.quasi.clone(), sensitive: sums.sensitive.clone() };
    let (classes, suppressed) = (partition.classes.len() as u64, partition.suppressed());
    let candidate = Candidate { columns: task.table.columns(), classes, squares: sums.squares, suppressed, shown };
    let objectives = values(&candidate);
    Partition { objectives, sums, ..partition }
}

/// What the labels of each column come to.
fn label_sums(task: &Task<'_>, classes: &Classes, assignments: &[Assignment]) -> Vec<LabelSums> {
    let sizes = class_sizes(assignments, classes.len());
    let suppressed = assignments.iter().filter(|part| part.class.is_none()).map(|part| part.count).sum();
    let column_sums = |(column, cover): (usize, &Cover<'_>)| {
        let as_read = AsRead::new(cover);
        let shown: Vec<ShownLabel> = classes.labels(column).iter().map(|label| as_read.shown(label)).collect();
        let shown = (0u32..).zip(&sizes).map(|(class, &rows)| (shown[classes.place(class, column) as usize], rows));
        LabelSums::of_labels(shown, task.table.quasi[column].counts.iter().copied(), suppressed)
    };
    task.covers().iter().enumerate().map(column_sums).collect()
}

/// What the labels of each sensitive column come to.
fn sensitive_sums(
    task: &Task<'_>,
    assignments: &[Assignment],
    generalized: Option<&GeneralizedSensitive>,
) -> Vec<LabelSums> {
    let table = task.table;
    let (columns, tuples) = match generalized {
        Some(shown) => (shown.columns.as_slice(), &shown.tuples),
        None => (table.sensitive.as_slice(), table.base.sensitive()),
    };
    let suppressed = assignments.iter().filter(|part| part.class.is_none()).map(|part| part.count).sum();
    let column_sums = |(at, column): (usize, &SensitiveColumn)| {
        let mut rows_by_code = vec![0; column.codes()];
        for part in assignments.iter().filter(|part| part.class.is_some()) {
            rows_by_code[tuples.tuple(part.shows)[at] as usize] += part.count;
        }
        let shown = (0u32..).zip(rows_by_code).map(|(code, rows)| (sensitive_label(column, code), rows));
        LabelSums::of_labels(shown, column.input_counts()[..column.leaves()].iter().copied(), suppressed)
    };
    columns.iter().enumerate().map(column_sums).collect()
}

/// The number of records in each class.
fn class_sizes(assignments: &[Assignment], classes: usize) -> Vec<u64> {
    let mut sizes = vec![0; classes];
    for part in assignments {
        if let Some(class) = part.class {
            sizes[class as usize] += part.count;
        }
    }
    sizes
}

pub(super) fn too_much_suppressed(task: &Task<'_>, suppressed: u64) -> Error {
    let names: Vec<String> = task.requirements.iter().map(|requirement| requirement.model.name()).collect();
    let rows = task.table.rows;
    let enough = (suppressed as f64 / rows as f64 * 1e4).ceil() / 1e4;
    let error = Error::no_release(format!("this method found no release that satisfies {}", names.join(" and ")))
        .detail(format!("{suppressed} of {rows} rows are in classes that still fail"));
    match enough {
        // A release without most of its rows is hardly what anybody wants.
        0.5.. => error.hint("ask for less, or try another `name` in [method]; `best` tries them all"),
        _ => error.hint(format!("raise `max-suppressed` to {enough}, ask for less, or try another `name` in [method]")),
    }
}

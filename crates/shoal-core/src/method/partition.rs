//! Which records go into which class, and what does each class show?

use std::borrow::Cow;

use rayon::prelude::*;

use super::Label;
use crate::frequency::{CountedTable, SensitiveColumn, SensitiveTuples};
use crate::lattice::Node;
use crate::objective::{LabelSums, Objective};

/// How many of the records with a tuple go into a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assignment {
    /// The place of the tuple among all entries of the table's base frequency set.
    pub tuple: u32,
    /// The class; `None` suppresses the records.
    pub class: Option<u32>,
    /// The sensitive tuple that is shown: its place among the table's, or among those of [`GeneralizedSensitive`] where
    /// there is one.
    pub shows: u32,
    /// How many records.
    pub count: u64,
}

/// The classes of a release and what each shows. Labels repeat, so each is kept once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// For each quasi-identifier, the labels that occur.
    labels: Vec<Vec<Label>>,
    /// For each class, the place of its label in each column, one class after the other.
    places: Vec<u32>,
    len: usize,
}

/// The sensitive values of a release, where a method has generalized some.
#[derive(Debug, Clone)]
pub struct GeneralizedSensitive {
    /// The sensitive columns, which know generalized values beside their own.
    pub columns: Vec<SensitiveColumn>,
    /// The combinations of values that records show.
    pub tuples: SensitiveTuples,
}

/// What a method has to say of its result beside what all methods do.
#[derive(Debug, Clone, PartialEq)]
pub struct Remark {
    /// Its key in the JSON summary.
    pub key: &'static str,
    /// For programs.
    pub json: serde_json::Value,
    /// A sentence for people.
    pub text: String,
}

/// What the labels of each column come to, and of the classes as a whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ColumnSums {
    /// For each quasi-identifier.
    pub quasi: Vec<LabelSums>,
    /// For each sensitive column.
    pub sensitive: Vec<LabelSums>,
    /// The sum of the squared sizes of the classes.
    pub squares: u128,
}

/// The result of a method: classes, what they show, and who is in them. It assigns counts, not rows: of several
/// equal records some may go to one class and some to another.
#[derive(Debug, Clone)]
pub struct Partition {
    /// What the classes show.
    pub classes: Classes,
    /// Sorted by tuple; the counts of a tuple add up to its frequency.
    pub assignments: Vec<Assignment>,
    /// Sensitive values, where some are generalized.
    pub sensitive: Option<GeneralizedSensitive>,
    /// The level of each column, where a method has one for all rows: it says where a row goes.
    pub node: Option<Node>,
    /// The level of each column where people are released or left out as a whole: all rows show it, but do not go where it says.
    pub level_of_people: Option<Node>,
    /// By how much a better partition of this kind could be better at most; 0 if it is known that there is none, and
    /// nothing where a method cannot tell.
    pub gap: Option<f64>,
    /// How much was lost, by every objective, in the order of the list.
    pub objectives: Vec<(&'static str, f64)>,
    /// How many nodes the lattice has, and how many were looked at.
    pub lattice: Option<(u128, u64)>,
    /// What the labels of each column come to.
    pub sums: ColumnSums,
    /// Do quasi-identifiers stay as they are, with sensitive values in a table of their own? Classes then show nothing but
    /// their numbers.
    pub is_separated: bool,
    /// What else there is to say.
    pub remark: Option<Remark>,
}

impl Classes {
    /// Classes whose labels are at these places, one class after the other.
    pub fn from_places(labels: Vec<Vec<Label>>, places: Vec<u32>, len: usize) -> Self {
        debug_assert_eq!(places.len(), labels.len() * len);
        Self { labels, places, len }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many quasi-identifiers there are.
    pub fn columns(&self) -> usize {
        self.labels.len()
    }

    /// Other classes with the same labels.
    #[must_use]
    pub fn with_places(self, places: Vec<u32>, len: usize) -> Self {
        Self::from_places(self.labels, places, len)
    }

    /// The labels that occur in a column.
    pub fn labels(&self, column: usize) -> &[Label] {
        &self.labels[column]
    }

    /// The place of the label that a class shows for a column.
    pub fn place(&self, class: u32, column: usize) -> u32 {
        self.places[class as usize * self.labels.len() + column]
    }

    /// What a class shows for a column.
    pub fn label(&self, class: u32, column: usize) -> &Label {
        &self.labels[column][self.place(class, column) as usize]
    }

    /// The text that a class shows for a column.
    pub fn text<'a>(&'a self, table: &'a CountedTable, class: u32, column: usize) -> Cow<'a, str> {
        self.label(class, column).text(&table.quasi[column])
    }
}

/// What is known of how much is lost: no other partition of its kind loses less, or none was found that does.
pub const GUARANTEES: [&str; 2] = ["optimal", "best-effort"];

impl Partition {
    /// What is known of how much is lost; one of [`GUARANTEES`].
    pub fn guarantee(&self) -> &'static str {
        let [optimal, best_effort] = GUARANTEES;
        if self.gap == Some(0.0) { optimal } else { best_effort }
    }

    /// The level that each column shows, where it is one for all rows.
    pub fn levels(&self) -> Option<&Node> {
        self.node.as_ref().or(self.level_of_people.as_ref())
    }

    /// What it has lost by an objective; not a number where that is undefined.
    pub fn lost(&self, objective: &dyn Objective) -> f64 {
        let values = self.objectives.iter().filter(|(id, _)| *id == objective.id());
        values.map(|(_, value)| *value).next().unwrap_or(f64::NAN)
    }

    /// How often each class shows each sensitive tuple, by class and tuple: nothing of the order of records is left in it.
    pub fn sensitive_rows(&self) -> Vec<(u32, u32, u64)> {
        let parts = self.assignments.iter();
        let mut rows: Vec<(u32, u32, u64)> =
            parts.filter_map(|part| Some((part.class?, part.shows, part.count))).collect();
        rows.par_sort_unstable();
        rows.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if same { next.2 } else { 0 };
            same
        });
        rows
    }

    /// How many records are suppressed.
    pub fn suppressed(&self) -> u64 {
        self.assignments.iter().filter(|assignment| assignment.class.is_none()).map(|assignment| assignment.count).sum()
    }

    /// How many records are released.
    pub fn released(&self) -> u64 {
        self.class_sizes().iter().sum()
    }

    /// The number of records in each class.
    pub fn class_sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0; self.classes.len()];
        for assignment in &self.assignments {
            if let Some(class) = assignment.class {
                sizes[class as usize] += assignment.count;
            }
        }
        sizes
    }

    /// For each sensitive column that shows generalized values, the number of released records that do.
    pub fn generalized_sensitive(&self) -> Vec<(&str, u64)> {
        let Some(GeneralizedSensitive { columns, tuples }) = &self.sensitive else { return Vec::new() };
        let mut records = vec![0; columns.len()];
        for part in self.assignments.iter().filter(|part| part.class.is_some()) {
            for (place, &code) in tuples.tuple(part.shows).iter().enumerate() {
                records[place] += if code as usize >= columns[place].leaves() { part.count } else { 0 };
            }
        }
        columns.iter().map(SensitiveColumn::name).zip(records).filter(|(_, records)| *records > 0).collect()
    }

    /// The sensitive columns as the release shows them.
    pub fn sensitive_columns<'a>(&'a self, table: &'a CountedTable) -> &'a [SensitiveColumn] {
        self.sensitive.as_ref().map_or(&table.sensitive, |generalized| &generalized.columns)
    }
}

//! What does each row of the release show?

mod dealer;
mod own_hash;
mod places;
mod pseudonym;
mod row_order;
mod row_sum;

pub use dealer::{Dealer, Dealing, Dealt};
pub use own_hash::OwnHash;
pub use places::Places;
pub use pseudonym::Pseudonyms;
pub use row_order::{RowBytes, RowOrder};
pub use row_sum::RowSum;

use std::borrow::Cow;

use rayon::prelude::*;

use crate::frequency::CountedTable;
use crate::method::{Assignment, Classes, Partition};

/// What becomes of the rows of a table: a class for each tuple, and what each class shows.
#[derive(Debug)]
pub struct Recoding<'a> {
    table: &'a CountedTable,
    partition: &'a Partition,
    suppressed: u64,
    identifiers: &'a [(String, Pseudonyms)],
}

impl<'a> Recoding<'a> {
    /// The recoding that puts a partition on the rows of its table.
    pub fn new(table: &'a CountedTable, partition: &'a Partition) -> Self {
        Self { table, partition, suppressed: partition.suppressed(), identifiers: &[] }
    }

    /// The same, with these identifiers replaced.
    #[must_use]
    pub fn with_identifiers(self, identifiers: &'a [(String, Pseudonyms)]) -> Self {
        Self { identifiers, ..self }
    }

    /// What stands in place of the values of an identifier, by the name of its column.
    pub fn pseudonyms(&self, column: &str) -> Option<&'a Pseudonyms> {
        self.identifiers.iter().find(|(name, _)| name == column).map(|(_, pseudonyms)| pseudonyms)
    }

    /// What classes show.
    pub fn classes(&self) -> &'a Classes {
        &self.partition.classes
    }

    /// The texts of the labels of a quasi-identifier, by place; `None` is a missing value.
    pub fn label_texts(&self, column: usize) -> Vec<Option<Cow<'a, str>>> {
        let quasi = &self.table.quasi[column];
        let labels = self.partition.classes.labels(column).iter();
        labels.map(|label| Some(label.text(quasi)).filter(|text| !self.is_missing(column, text))).collect()
    }

    /// The text of a sensitive column in a sensitive tuple that rows show; `None` is a missing value. Only where a method
    /// has generalized that column.
    pub fn generalized_sensitive(&self, column: usize, shows: u32) -> Option<&'a str> {
        let shown = self.partition.sensitive.as_ref().expect("the column is generalized");
        let code = shown.tuples.tuple(shows)[column];
        let text = shown.columns[column].value(code);
        (shown.columns[column].missing() != Some(code)).then_some(text)
    }

    /// Does a sensitive column show generalized values?
    pub fn is_sensitive_generalized(&self, column: usize) -> bool {
        let generalized = self.partition.sensitive.as_ref();
        generalized.is_some_and(|shown| shown.columns[column].is_generalized())
    }

    /// For a table of sensitive values: how often each class shows each sensitive tuple, by class and tuple. Nothing of the
    /// order of rows is left in it.
    pub fn sensitive_rows(&self) -> Vec<(u32, u32, u64)> {
        let parts = self.partition.assignments.iter();
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

    /// The text of a sensitive column in a sensitive tuple of the table; `None` is a missing value.
    pub fn sensitive_text(&self, column: usize, shows: u32) -> Option<&'a str> {
        let code = self.table.base.sensitive().tuple(shows)[column];
        let column = &self.table.sensitive[column];
        (column.missing() != Some(code)).then(|| column.value(code))
    }

    /// Does each column have one level for all rows?
    pub fn has_levels(&self) -> bool {
        self.partition.node.is_some()
    }

    /// The text that every row with this code shows for a quasi-identifier, where the method has one level for all rows;
    /// `None` is a missing value.
    pub fn shown_for_code(&self, column: usize, code: u32) -> Option<&'a str> {
        let node = self.partition.node.as_ref().expect("each column has one level for all rows");
        let level = self.table.quasi[column].hierarchy.level(usize::from(node.levels()[column]));
        Some(level.label(level.node_of(code))).filter(|text| !self.is_missing(column, text))
    }

    /// The node that every row with this code has in a quasi-identifier, where the method has one level for all rows.
    pub fn node_of_code(&self, column: usize, code: u32) -> u32 {
        let node = self.partition.node.as_ref().expect("each column has one level for all rows");
        self.table.quasi[column].hierarchy.level(usize::from(node.levels()[column])).node_of(code)
    }

    /// Every tuple of the table by its codes, quasi-identifiers first, and where its rows go, in this order.
    pub fn each_tuple(&self, mut act: impl FnMut(&[u32], &[Assignment])) {
        let mut assignments = self.partition.assignments.as_slice();
        let mut tuple = 0;
        self.table.each_tuple(0..self.table.base.classes(), |codes, _| {
            let own = assignments.iter().take_while(|assignment| assignment.tuple == tuple).count();
            let (places, rest) = assignments.split_at(own);
            act(codes, places);
            (assignments, tuple) = (rest, tuple + 1);
        });
    }

    /// How many rows are released.
    pub fn released(&self) -> u64 {
        self.partition.released()
    }

    fn is_missing(&self, column: usize, text: &str) -> bool {
        let dictionary = &self.table.quasi[column].dictionary;
        dictionary.missing().is_some_and(|code| dictionary.value(code) == text)
    }

    /// Does every row keep its own value in this column?
    pub fn is_untouched(&self, column: usize) -> bool {
        self.partition.is_separated || self.partition.node.as_ref().is_some_and(|node| node.levels()[column] == 0)
    }

    /// How many rows are suppressed.
    pub fn suppressed(&self) -> u64 {
        self.suppressed
    }

    /// Where rows go, if rows with the same values always go to the same place.
    pub fn places(&self) -> Option<Places<'a>> {
        Places::new(self.table, self.partition)
    }

    /// Who hands out the places in the classes where rows with the same values go to different ones.
    pub fn dealer(&self) -> Dealer<'a> {
        Dealer::new(self.table, self.partition)
    }

    /// The sum of all rows of the table.
    pub fn sum_of_rows(&self) -> RowSum {
        const CLASSES: usize = 1 << 14;
        let classes = self.table.base.classes();
        let sum_of = |chunk: usize| {
            let mut sum = RowSum::default();
            let range = chunk * CLASSES..classes.min((chunk + 1) * CLASSES);
            self.table.each_tuple(range, |codes, count| sum.add(codes, count));
            sum
        };
        (0..classes.div_ceil(CLASSES)).into_par_iter().map(sum_of).reduce(RowSum::default, RowSum::joined)
    }
}

/// Where a row goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Into the release.
    Class {
        /// The class.
        class: u32,
        /// The sensitive tuple that is shown, where sensitive values are generalized.
        shows: u32,
    },
    /// It is suppressed.
    Suppressed,
    /// It has several places to go to, and waits until it is dealt one.
    Waiting {
        /// Its tuple.
        tuple: u32,
    },
    /// There is no place for it: the table is not the one that was counted.
    Nowhere,
}

impl Place {
    fn of(assignment: &Assignment) -> Self {
        match assignment.class {
            Some(class) => Self::Class { class, shows: assignment.shows },
            None => Self::Suppressed,
        }
    }
}

//! What does each row of the release show?

mod dealer;
mod places;
mod row_sum;

pub use dealer::{Dealer, Dealt};
pub use places::Places;
pub use row_sum::RowSum;

use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use crate::frequency::CountedTable;
use crate::method::{Assignment, Classes, Partition};

/// What becomes of the rows of a table: a class for each tuple, and what each class shows.
#[derive(Debug)]
pub struct Recoding<'a> {
    table: &'a CountedTable,
    partition: &'a Partition,
    suppressed: u64,
}

impl<'a> Recoding<'a> {
    /// The recoding that puts a partition on the rows of its table.
    pub fn new(table: &'a CountedTable, partition: &'a Partition) -> Self {
        Self { table, partition, suppressed: partition.suppressed() }
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

    fn is_missing(&self, column: usize, text: &str) -> bool {
        let dictionary = &self.table.quasi[column].dictionary;
        dictionary.missing().is_some_and(|code| dictionary.value(code) == text)
    }

    /// Does every row keep its own value in this column?
    pub fn is_untouched(&self, column: usize) -> bool {
        self.partition.node.as_ref().is_some_and(|node| node.levels()[column] == 0)
    }

    /// How many rows are suppressed.
    pub fn suppressed(&self) -> u64 {
        self.suppressed
    }

    /// Something that no outsider knows and that is the same in every run on the same data.
    pub fn fingerprint(&self, salt: u64) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (part, chunk) in bytes.chunks_exact_mut(8).enumerate() {
            let mut hasher = FixedState::with_seed(salt ^ part as u64).build_hasher();
            each_tuple(self.table, 0..self.table.base.classes(), |codes, count| {
                codes.iter().for_each(|&code| hasher.write_u32(code));
                hasher.write_u64(count);
            });
            hasher.write_usize(part);
            chunk.copy_from_slice(&hasher.finish().to_le_bytes());
        }
        bytes
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
            each_tuple(self.table, range, |codes, count| sum.add(codes, count));
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

/// The codes of every tuple of some classes of the base, quasi-identifiers first, and how often it occurs.
fn each_tuple(table: &CountedTable, classes: Range<usize>, mut act: impl FnMut(&[u32], u64)) {
    let quasi = table.quasi.len();
    let mut codes = vec![0; quasi + table.sensitive.len()];
    for class in classes {
        codes[..quasi].iter_mut().enumerate().for_each(|(column, code)| *code = table.base.code(class, column));
        let (tuples, counts) = table.base.entries(class);
        for (&tuple, &count) in tuples.iter().zip(counts) {
            codes[quasi..].copy_from_slice(table.base.sensitive().tuple(tuple));
            act(&codes, count);
        }
    }
}

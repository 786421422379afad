//! What does each row of the release show?

mod dealer;
mod layout;
mod own_hash;
mod places;
mod pseudonym;
mod released_column;
mod row_order;
mod row_sum;

pub use dealer::{Dealer, Dealing, Dealt};
pub use layout::Layout;
pub use own_hash::OwnHash;
pub use places::Places;
pub use pseudonym::Pseudonyms;
pub use released_column::{ReleasedColumn, Shows, class_number};
pub use row_order::{RowBytes, RowOrder};
pub use row_sum::RowSum;

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use crate::frequency::CountedTable;
use crate::method::{Assignment, Classes, Partition};
use crate::table::Dictionary;
use crate::{Error, Result};

/// What a recoding is made of.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// The table that was counted.
    pub table: &'a CountedTable,
    /// Its columns.
    pub layout: &'a Layout,
    /// The values of those that were counted, in the same order.
    pub dictionaries: &'a [Arc<Dictionary>],
    /// Which of its records go where.
    pub partition: &'a Partition,
    /// What stands in place of identifiers, by the names of their columns.
    pub identifiers: &'a [(String, Pseudonyms)],
    /// Do suppressed rows stay, with a `*` in every cell?
    pub keep_suppressed: bool,
    /// What the order of rows depends on besides what they show; none where they stay in that of the table.
    pub seed: Option<u64>,
}

/// What becomes of the rows of a table: a class for each tuple, what each class shows, and so what each column of the release does.
#[derive(Debug)]
pub struct Recoding<'a> {
    parts: Parts<'a>,
    columns: Vec<ReleasedColumn<'a>>,
    suppressed: u64,
}

impl<'a> Recoding<'a> {
    /// The recoding that puts a partition on the rows of its table.
    pub fn new(parts: Parts<'a>) -> Result<Self> {
        let recoding = Self { parts, columns: Vec::new(), suppressed: parts.partition.suppressed() };
        let columns = recoding.released_columns()?;
        Ok(Self { columns, ..recoding })
    }

    fn released_columns(&self) -> Result<Vec<ReleasedColumn<'a>>> {
        let layout = self.parts.layout;
        let column = |&index: &usize| {
            let name = layout.names[index].as_str();
            Ok(ReleasedColumn { name, index: Some(index), shows: self.shows(index)? })
        };
        let class = layout.class_column.iter().map(|name| {
            let shows = Shows::ClassNumber;
            Ok(ReleasedColumn { name, index: None, shows })
        });
        layout.released.iter().map(column).chain(class).collect()
    }

    /// What a column of the table shows in the release: the one place where that is decided.
    fn shows(&self, index: usize) -> Result<Shows<'a>> {
        let layout = self.parts.layout;
        let Some(counted) = layout.place_among_counted(index) else {
            return match layout.replaced.contains(&index) {
                true => self.pseudonyms(&layout.names[index]).map(Shows::Pseudonym),
                false => Ok(Shows::Cell),
            };
        };
        Ok(match counted.checked_sub(layout.quasi) {
            None if self.is_untouched(counted) => Shows::Value(counted),
            None if self.has_levels() => Shows::Label(counted),
            None => Shows::OfClass(counted),
            Some(sensitive) if self.is_sensitive_generalized(sensitive) => Shows::Sensitive(sensitive),
            Some(_) => Shows::Value(counted),
        })
    }

    /// An identifier is released under another name or not at all, whoever asks for it.
    fn pseudonyms(&self, column: &str) -> Result<&'a Pseudonyms> {
        let found = self.parts.identifiers.iter().find(|(name, _)| name == column);
        found
            .map(|(_, pseudonyms)| pseudonyms)
            .ok_or_else(|| Error::bug(format!("identifier `{column}` has no pseudonyms")))
    }

    /// The columns of the release.
    pub fn columns(&self) -> &[ReleasedColumn<'a>] {
        &self.columns
    }

    /// The columns of the table.
    pub fn layout(&self) -> &'a Layout {
        self.parts.layout
    }

    /// The values of the counted columns.
    pub fn dictionaries(&self) -> &'a [Arc<Dictionary>] {
        self.parts.dictionaries
    }

    /// Are suppressed rows written, so that every column has `*` in it?
    pub fn shows_suppressed(&self) -> bool {
        self.parts.keep_suppressed && self.suppressed > 0
    }

    /// How many of the codes of a row its place depends on. Who it is about may be one of them, or not.
    pub fn tuple_width(&self) -> usize {
        self.parts.table.tuple_width()
    }

    /// What the order of rows depends on besides what they show; none where they stay in that of the table.
    pub fn seed(&self) -> Option<u64> {
        self.parts.seed
    }

    /// In which order rows come to be dealt their places.
    pub fn dealing(&self) -> Dealing {
        match self.parts.layout.shows_only_counted() {
            _ if self.parts.seed.is_none() => Dealing::InOrder,
            true => Dealing::AsTheyCome,
            false => Dealing::ByWhatTheyShow,
        }
    }

    /// How many rows the release has, suppressed ones included where they are kept.
    pub fn rows(&self) -> u64 {
        self.released() + if self.shows_suppressed() { self.suppressed } else { 0 }
    }

    /// What classes show.
    pub fn classes(&self) -> &'a Classes {
        &self.parts.partition.classes
    }

    /// The texts of the labels of a quasi-identifier, by place; `None` is a missing value.
    pub fn label_texts(&self, column: usize) -> Vec<Option<Cow<'a, str>>> {
        let quasi = &self.parts.table.quasi[column];
        let labels = self.parts.partition.classes.labels(column).iter();
        labels.map(|label| Some(label.text(quasi)).filter(|text| !self.is_missing(column, text))).collect()
    }

    /// The text of a sensitive column in a sensitive tuple that rows show; `None` is a missing value. Only where a method
    /// has generalized that column.
    pub fn generalized_sensitive(&self, column: usize, shows: u32) -> Option<&'a str> {
        let shown = self.parts.partition.sensitive.as_ref().expect("the column is generalized");
        let code = shown.tuples.tuple(shows)[column];
        let text = shown.columns[column].value(code);
        (shown.columns[column].missing() != Some(code)).then_some(text)
    }

    /// Does a sensitive column show generalized values?
    fn is_sensitive_generalized(&self, column: usize) -> bool {
        let generalized = self.parts.partition.sensitive.as_ref();
        generalized.is_some_and(|shown| shown.columns[column].is_generalized())
    }

    /// For a table of sensitive values: how often each class shows each sensitive tuple, by class and tuple. Nothing of the
    /// order of rows is left in it.
    pub fn sensitive_rows(&self) -> Vec<(u32, u32, u64)> {
        self.parts.partition.sensitive_rows()
    }

    /// The text of a sensitive column in a sensitive tuple of the table; `None` is a missing value.
    pub fn sensitive_text(&self, column: usize, shows: u32) -> Option<&'a str> {
        let code = self.parts.table.base.sensitive().tuple(shows)[column];
        let column = &self.parts.table.sensitive[column];
        (column.missing() != Some(code)).then(|| column.value(code))
    }

    /// Does each column have one level for all rows?
    pub fn has_levels(&self) -> bool {
        self.parts.partition.node.is_some()
    }

    /// The text that every row with this code shows in a column that shows values, or their labels; `None` is a missing value.
    pub fn text_of_code(&self, shows: Shows<'_>, code: u32) -> Option<&'a str> {
        match shows {
            Shows::Label(quasi) => self.label_of_code(quasi, code),
            Shows::Value(counted) => {
                let dictionary = &self.parts.dictionaries[counted];
                (dictionary.missing() != Some(code)).then(|| dictionary.value(code))
            }
            _ => None,
        }
    }

    fn label_of_code(&self, column: usize, code: u32) -> Option<&'a str> {
        let node = self.parts.partition.node.as_ref().expect("each column has one level for all rows");
        let level = self.parts.table.quasi[column].hierarchy.level(usize::from(node.levels()[column]));
        Some(level.label(level.node_of(code))).filter(|text| !self.is_missing(column, text))
    }

    /// The node that every row with this code has in a quasi-identifier, where the method has one level for all rows.
    pub fn node_of_code(&self, column: usize, code: u32) -> u32 {
        let node = self.parts.partition.node.as_ref().expect("each column has one level for all rows");
        self.parts.table.quasi[column].hierarchy.level(usize::from(node.levels()[column])).node_of(code)
    }

    /// Every tuple of the table by its codes, quasi-identifiers first, and where its rows go, in this order.
    pub fn each_tuple(&self, mut act: impl FnMut(&[u32], &[Assignment])) {
        let mut assignments = self.parts.partition.assignments.as_slice();
        let mut tuple = 0;
        self.parts.table.each_tuple(0..self.parts.table.base.classes(), |codes, _| {
            let own = assignments.iter().take_while(|assignment| assignment.tuple == tuple).count();
            let (places, rest) = assignments.split_at(own);
            act(codes, places);
            (assignments, tuple) = (rest, tuple + 1);
        });
    }

    /// How many rows are released.
    pub fn released(&self) -> u64 {
        self.parts.partition.released()
    }

    fn is_missing(&self, column: usize, text: &str) -> bool {
        let dictionary = &self.parts.table.quasi[column].dictionary;
        dictionary.missing().is_some_and(|code| dictionary.value(code) == text)
    }

    /// Does every row keep its own value in this column?
    fn is_untouched(&self, column: usize) -> bool {
        self.parts.partition.is_separated
            || self.parts.partition.node.as_ref().is_some_and(|node| node.levels()[column] == 0)
    }

    /// How many rows are suppressed.
    pub fn suppressed(&self) -> u64 {
        self.suppressed
    }

    /// Where rows go, if rows with the same values always go to the same place.
    pub fn places(&self) -> Option<Places<'a>> {
        Places::new(self.parts.table, self.parts.partition)
    }

    /// Who hands out the places in the classes where rows with the same values go to different ones.
    pub fn dealer(&self) -> Dealer<'a> {
        Dealer::new(self.parts.table, self.parts.partition)
    }

    /// The sum of all rows of the table.
    pub fn sum_of_rows(&self) -> RowSum {
        const CLASSES: usize = 1 << 14;
        let classes = self.parts.table.base.classes();
        let sum_of = |chunk: usize| {
            let mut sum = RowSum::default();
            let range = chunk * CLASSES..classes.min((chunk + 1) * CLASSES);
            self.parts.table.each_tuple(range, |codes, count| sum.add(codes, count));
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

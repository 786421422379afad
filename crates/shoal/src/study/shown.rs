//! What do the classes of a partition show, cell by cell?

use std::borrow::Cow;

use shoal_core::frequency::{CountedTable, QuasiColumn, SensitiveColumn, SensitiveTuples};
use shoal_core::method::Partition;
use shoal_core::recode::class_number;

/// The texts of a release, by class and sensitive tuple.
pub(super) struct Shown<'a> {
    partition: &'a Partition,
    /// For each quasi-identifier, the texts of its labels; `None` is a missing value.
    labels: Vec<Vec<Option<Cow<'a, str>>>>,
    sensitive: &'a [SensitiveColumn],
    tuples: &'a SensitiveTuples,
}

impl<'a> Shown<'a> {
    pub(super) fn new(table: &'a CountedTable, partition: &'a Partition) -> Self {
        let of_column = |(column, quasi): (usize, &'a QuasiColumn)| {
            let missing = quasi.dictionary.missing().map(|code| quasi.dictionary.value(code));
            let text = |text: Cow<'a, str>| Some(text).filter(|text| Some(&**text) != missing);
            partition.classes.labels(column).iter().map(|label| text(label.text(quasi))).collect()
        };
        let labels = match partition.is_separated {
            true => Vec::new(),
            false => table.quasi.iter().enumerate().map(of_column).collect(),
        };
        let tuples = partition.sensitive.as_ref().map_or(table.base.sensitive(), |shown| &shown.tuples);
        Self { partition, labels, sensitive: partition.sensitive_columns(table), tuples }
    }

    /// Is it known whose rows are whose?
    pub(super) fn tells_people(&self) -> bool {
        self.tuples.tell_people()
    }

    /// Whose row it is that shows this sensitive tuple, as a number of the person's own, where that is known.
    pub(super) fn person(&self, tuple: u32) -> Option<String> {
        let person = self.tuples.tuple(tuple).last().filter(|_| self.tells_people());
        person.map(ToString::to_string)
    }

    /// The cells of a row of this class that shows this sensitive tuple, quasi-identifiers first: the number of the class in their place,
    /// where they stay as they are.
    pub(super) fn texts(&self, class: u32, tuple: u32) -> Vec<Option<Cow<'a, str>>> {
        let mut texts: Vec<Option<Cow<'a, str>>> = match self.partition.is_separated {
            true => vec![Some(class_number(class).to_string().into())],
            false => {
                let label = |(column, texts): (usize, &Vec<Option<Cow<'a, str>>>)| {
                    texts[self.partition.classes.place(class, column) as usize].clone()
                };
                self.labels.iter().enumerate().map(label).collect()
            }
        };
        let values = self.sensitive.iter().zip(self.tuples.tuple(tuple));
        texts.extend(
            values.map(|(column, &code)| (column.missing() != Some(code)).then(|| Cow::Borrowed(column.value(code)))),
        );
        texts
    }
}

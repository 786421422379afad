//! What does an audited table show, column by column?

use crate::linking::AuditedQuasi;
use crate::outsider::OutsiderClasses;
use shoal_core::frequency::SensitiveColumn;

/// A column and its texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownColumn {
    /// Its name.
    pub name: String,
    /// Each text and the number of rows that have it. A sensitive column may list texts that no row has: those of other
    /// tables that the audit was given.
    pub labels: Vec<(String, u64)>,
    /// Are they numbers? Not known of quasi-identifiers, whose labels may be anything.
    pub is_number: bool,
}

impl ShownColumn {
    /// Those of a table, quasi-identifiers first.
    pub(super) fn of(classes: &OutsiderClasses, quasi: &[AuditedQuasi], sensitive: &[SensitiveColumn]) -> Vec<Self> {
        let of_quasi = |(column, audited): (usize, &AuditedQuasi)| {
            let labels = classes.labels(column).iter().cloned().zip(classes.rows_with(column)).collect();
            Self { name: audited.name.clone(), labels, is_number: false }
        };
        let of_sensitive = |(place, column): (usize, &SensitiveColumn)| {
            let mut rows = vec![0; column.codes()];
            for class in 0..classes.len() {
                let (tuples, counts) = classes.entries(class);
                for (&tuple, &count) in tuples.iter().zip(counts) {
                    rows[classes.tuples().tuple(tuple)[place] as usize] += count;
                }
            }
            let labels = column.values().iter().cloned().zip(rows).collect();
            Self { name: column.name().to_owned(), labels, is_number: column.column_type().is_number() }
        };
        quasi.iter().enumerate().map(of_quasi).chain(sensitive.iter().enumerate().map(of_sensitive)).collect()
    }
}

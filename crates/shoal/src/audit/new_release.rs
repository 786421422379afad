//! How is a release audited that was made just now, with the original still at hand?

use super::{Audit, AuditTask, AuditedColumn, KnownTable, Outline, audit, outline};
use crate::linking::AuditedQuasi;
use crate::outsider::OutsiderTable;
use crate::policy::{ColumnPolicy, Policy, Role};
use crate::risk::ColumnSample;
use crate::utility::Made;
use shoal_core::Result;
use shoal_core::frequency::CountedTable;
use shoal_core::method::Partition;
use shoal_core::table::DateReading;
use shoal_core::watch::Watch;

/// A release and what it was made from, wherever that lives.
pub struct NewRelease<'a> {
    /// What it was made by.
    pub policy: &'a Policy,
    /// The original.
    pub original: &'a CountedTable,
    /// Which of its records went where.
    pub partition: &'a Partition,
    /// The release, as it was read back.
    pub release: &'a OutsiderTable,
    /// The beginnings of its columns, as far as they are at hand.
    pub samples: &'a [ColumnSample],
    /// Whoever watches what is done with it.
    pub watch: &'a dyn Watch,
}

impl NewRelease<'_> {
    /// Audits it by its policy, against its original.
    pub fn audit(&self) -> Result<Audit> {
        self.asked(audit)
    }

    /// The figures alone that releases are compared by.
    pub fn outline(&self) -> Result<Outline> {
        self.asked(outline)
    }

    fn asked<T>(&self, ask: impl FnOnce(&AuditTask<'_>) -> Result<T>) -> Result<T> {
        let policy = self.policy;
        let link = policy.method.method.separates();
        let of_column = |column: &ColumnPolicy| AuditedQuasi {
            name: column.name.clone(),
            hierarchy: column.hierarchy.clone(),
            min_level: column.min_level.unwrap_or(0),
            dates: column.date_reading(),
            measure: column.measure,
        };
        let quasi: Vec<AuditedQuasi> = match link {
            // What rows of such a release share is the number of their class.
            Some(link) => {
                let (name, dates) = (link.class.to_owned(), DateReading::default());
                vec![AuditedQuasi { name, hierarchy: None, min_level: 0, dates, measure: None }]
            }
            None => policy.with_role(Role::QuasiIdentifier).map(of_column).collect(),
        };
        let known_quasi = if link.is_some() { Vec::new() } else { (0..quasi.len()).collect() };
        let sensitive: Vec<AuditedColumn> = policy
            .with_role(Role::Sensitive)
            .map(|column| AuditedColumn {
                name: column.name.clone(),
                hierarchy: column.hierarchy.clone(),
                dates: column.date_reading(),
            })
            .collect();
        let original = KnownTable {
            table: OutsiderTable::of_counted(self.original, link.is_none(), self.release.missing_marker())?,
            quasi: known_quasi,
            sensitive: (0..sensitive.len()).collect(),
        };
        ask(&AuditTask {
            original: Some(&original),
            counted: Some(self.original),
            samples: self.samples,
            made: Some(Made { table: self.original, partition: self.partition }),
            watch: self.watch,
            ..AuditTask::new(self.release, &quasi, &sensitive).judged_by(policy)
        })
    }
}

//! Does a release in memory that nobody has been given yet look as it should?

use shoal_core::table::MissingMarkers;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::{MemoryTable, MemoryTarget, TableReader};

use super::ranges::joined;
use super::{Published, ReleaseInMemory, RowPeople, Staged};
use crate::outsider::{Asked, OutsiderTable};
use crate::policy::{Policy, Role, Suppressed};
use crate::publish::Outputs;

/// A release in memory. Nobody else has it, so that what is counted is what will be handed out.
pub(super) struct StagedMemory {
    release: ReleaseInMemory,
    /// Whose each row is, where people are counted.
    people: Option<RowPeople>,
    write_seconds: f64,
}

impl StagedMemory {
    /// What was written there.
    pub(super) fn new(
        rows: &MemoryTarget,
        values: Option<&MemoryTarget>,
        people: Option<RowPeople>,
        write_seconds: f64,
    ) -> Result<Self> {
        let written =
            |target: &MemoryTarget| target.table().ok_or_else(|| Error::bug("a table in memory is unfinished"));
        let release = ReleaseInMemory { rows: written(rows)?, sensitive: values.map(written).transpose()? };
        Ok(Self { release, people, write_seconds })
    }
}

impl Staged for StagedMemory {
    fn count(&self, policy: &Policy, watch: &dyn Watch) -> Result<OutsiderTable> {
        let names = |role| policy.with_role(role).map(|column| column.name.clone()).collect::<Vec<_>>();
        let markers = MissingMarkers::new(policy.input.missing.clone()).written();
        let (sensitive, exempt) = (names(Role::Sensitive), policy.output.suppressed == Suppressed::Keep);
        let mut reader = joined(self.release.rows.reader(), policy);
        match self.release.sensitive.as_ref().zip(policy.method.method.separates()) {
            None => {
                let quasi = names(Role::QuasiIdentifier);
                let asked = Asked::new(&quasi, &sensitive, exempt).about(self.people.as_ref());
                OutsiderTable::read_asked(&asked, reader.as_mut(), &markers, watch)
            }
            Some((table, link)) => {
                let (mut values, link) = (table.reader(), (link.class, link.count));
                let (rows, values) = (reader.as_mut(), values.as_mut());
                OutsiderTable::read_separated(rows, values, link, &sensitive, &markers, exempt, watch)
            }
        }
    }

    fn write_seconds(&self) -> f64 {
        self.write_seconds
    }

    fn place(&self) -> Published {
        let name = |_: &MemoryTable| "a table in memory".to_owned();
        let sensitive = self.release.sensitive.as_ref().map(name);
        Published { release: name(&self.release.rows), sensitive, ..Published::default() }
    }

    fn reader(&self, policy: &Policy) -> Result<Option<Box<dyn TableReader>>> {
        Ok(Some(joined(self.release.rows.reader(), policy)))
    }

    fn publish(self: Box<Self>, outputs: Outputs) -> Result<Option<ReleaseInMemory>> {
        outputs.publish()?;
        Ok(Some(self.release))
    }
}

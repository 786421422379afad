//! Does a release that is written, but has no name yet, look as it should?

use std::sync::Arc;

use super::ranges::joined;
use super::{Handover, Published, ReleaseInMemory, RowPeople, Staged};
use crate::outsider::{Asked, OutsiderTable};
use crate::policy::{Policy, Role, Suppressed};
use crate::publish::{Outputs, StagedFile, folder_of};
use shoal_core::Result;
use shoal_core::spill::MemoryLimit;
use shoal_core::table::MissingMarkers;
use shoal_core::warning::Warning;
use shoal_core::watch::Watch;
use shoal_format::{self as format, Dialect, Formulas, InputFormat, TableReader};

/// A release in files that are held open: what is counted is what will be published, whatever happens to their names.
pub(super) struct StagedFiles {
    pub(super) release: Arc<StagedFile>,
    /// The table of sensitive values, where the release has one.
    pub(super) sensitive: Option<Arc<StagedFile>>,
    /// Whose each row is, where people are counted.
    pub(super) people: Option<RowPeople>,
    pub(super) dialect: Dialect,
    pub(super) write_seconds: f64,
    /// Who takes the release, if it gets no name.
    pub(super) handover: Option<Handover>,
}

impl StagedFiles {
    fn open(&self, file: &StagedFile, policy: &Policy) -> Result<Box<dyn TableReader>> {
        let reader = format::open(&InputFormat::written_like(file.target(), &self.dialect).held_by(file.handle()))?;
        Ok(joined(reader, policy))
    }
}

impl Staged for StagedFiles {
    fn count(&self, policy: &Policy, watch: &dyn Watch) -> Result<OutsiderTable> {
        let names = |role| policy.with_role(role).map(|column| column.name.clone()).collect::<Vec<_>>();
        let markers = MissingMarkers::new(policy.input.missing.clone()).written();
        let (sensitive, exempt) = (names(Role::Sensitive), policy.output.suppressed == Suppressed::Keep);
        self.release.verified_by(|| {
            let mut reader = self.open(&self.release, policy)?;
            let Some((table, link)) = self.sensitive.as_ref().zip(policy.method.method.separates()) else {
                let quasi = names(Role::QuasiIdentifier);
                let folder = || folder_of(self.release.target());
                let limit = policy.input.memory_limit.map(|bytes| MemoryLimit::new(bytes, folder()));
                let asked = Asked::new(&quasi, &sensitive, exempt).within(limit.as_ref()).about(self.people.as_ref());
                return OutsiderTable::read_asked(&asked, reader.as_mut(), &markers, watch);
            };
            table.verified_by(|| {
                let mut values = self.open(table, policy)?;
                let link = (link.class, link.count);
                let (rows, values) = (reader.as_mut(), values.as_mut());
                OutsiderTable::read_separated(rows, values, link, &sensitive, &markers, exempt, watch)
            })
        })
    }

    fn write_seconds(&self) -> f64 {
        self.write_seconds
    }

    fn warnings(&self) -> Vec<Warning> {
        formulas_warning(&self.dialect.formulas).into_iter().collect()
    }

    fn place(&self) -> Published {
        let path = |file: &StagedFile| file.target().display().to_string();
        Published {
            release: path(&self.release),
            sensitive: self.sensitive.as_deref().map(path),
            release_hash: self.release.hash().cloned(),
            sensitive_hash: self.sensitive.as_ref().and_then(|table| table.hash().cloned()),
        }
    }

    fn reader(&self, policy: &Policy) -> Result<Option<Box<dyn TableReader>>> {
        let input = policy.input_format(self.release.target()).of_release().held_by(self.release.handle());
        Ok(Some(joined(format::open(&input)?, policy)))
    }

    fn publish(self: Box<Self>, outputs: Outputs) -> Result<Option<ReleaseInMemory>> {
        // What is said about a release is of no use to anybody where that did not arrive.
        self.handover.as_ref().map_or(Ok(()), Handover::hand_on)?;
        match outputs.publish() {
            Err(error) if self.handover.is_some() => Err(error.detail("the release itself was handed on before")),
            published => published.map(|()| None),
        }
    }
}

/// Whoever opens a release in a spreadsheet program should not run what somebody wrote into the table.
fn formulas_warning(formulas: &Formulas) -> Option<Warning> {
    let text = match (formulas.were_kept(), formulas.are_escaped()) {
        (false, _) => return None,
        (true, false) => {
            "cells of the release begin like a formula, which a spreadsheet program would run; if the release may be opened in \
             one, set `formulas = \"escape\"` in [output]"
        }
        (true, true) => {
            "the name of a column begins like a formula, which a spreadsheet program would run, and stays as it is: rename it"
        }
    };
    Some(Warning::new("formulas", text))
}

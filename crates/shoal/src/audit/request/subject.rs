//! Which columns is an audit about, and how are tables with them read?

use std::path::Path;
use std::sync::OnceLock;

use shoal_core::table::MissingMarkers;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::{InputFormat, TableReader};

use super::super::{AuditedColumn, KnownTable, WatchedTable};
use crate::linking::AuditedQuasi;
use crate::meaning::repeats::Repeats;
use crate::outsider::{Asked, OutsiderClasses, OutsiderTable};
use crate::policy::{ColumnPolicy, Policy, Role};
use crate::source::Table;
use crate::source::published_numbers::published;
use crate::source::ranges::joined;

/// The audited columns, from a policy or by their names alone.
pub(super) struct Subject<'a> {
    pub(super) policy: Option<&'a Policy>,
    pub(super) quasi: Vec<AuditedQuasi>,
    pub(super) sensitive: Vec<AuditedColumn>,
    pub(super) missing: Vec<String>,
    /// How the table is written, without a policy.
    pub(super) written: InputFormat,
}

/// What a table beside the audited one is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Beside {
    Original,
    Outsider,
    Population,
    Release,
}

impl<'a> Subject<'a> {
    pub(super) fn of_policy(policy: &'a Policy) -> Self {
        let quasi = |column: &ColumnPolicy| AuditedQuasi {
            name: column.name.clone(),
            hierarchy: column.hierarchy.clone(),
            min_level: column.min_level.unwrap_or(0),
            dates: column.date_reading(),
            measure: column.measure,
        };
        let sensitive = |column: &ColumnPolicy| AuditedColumn {
            name: column.name.clone(),
            hierarchy: column.hierarchy.clone(),
            dates: column.date_reading(),
        };
        Self {
            quasi: policy.with_role(Role::QuasiIdentifier).map(quasi).collect(),
            sensitive: policy.with_role(Role::Sensitive).map(sensitive).collect(),
            missing: policy.input.missing.clone(),
            policy: Some(policy),
            written: InputFormat::default(),
        }
    }

    pub(super) fn quasi_names(&self) -> Vec<String> {
        self.quasi.iter().map(|column| column.name.clone()).collect()
    }

    pub(super) fn sensitive_names(&self) -> Vec<String> {
        self.sensitive.iter().map(|column| column.name.clone()).collect()
    }

    /// How missing values are written in a table as it came.
    pub(super) fn markers(&self) -> MissingMarkers {
        MissingMarkers::new(self.missing.clone())
    }

    /// Do rows that consist of `*` only promise nothing?
    pub(super) fn exempts_suppressed(&self) -> bool {
        self.policy.is_some_and(|policy| policy.output.keeps_suppressed())
    }

    /// How the input of the policy would be opened at this place.
    pub(super) fn format(&self, path: &Path) -> InputFormat {
        match self.policy {
            Some(policy) => policy.input_format(path),
            None => {
                let names = self.quasi_names().into_iter().chain(self.sensitive_names()).collect();
                let (path, missing) = (path.to_path_buf(), self.missing.clone());
                InputFormat { path, missing, names, skip: 0, table: None, ..self.written.clone() }
            }
        }
    }

    /// How the audited table is opened, or another release: as the policy's release would be, or as somebody says.
    fn format_of_release(&self, path: &Path) -> InputFormat {
        match self.policy {
            Some(policy) => policy.input_format(path).of_release(),
            None => {
                let (skip, table) = (self.written.skip, self.written.table.clone());
                InputFormat { skip, table, ..self.format(path) }
            }
        }
    }

    /// Opens the audited table, or another release.
    pub(super) fn open_release(&self, table: &Table) -> Result<Box<dyn TableReader>> {
        self.as_meant(table.open(|path| self.format_of_release(path))?)
    }

    /// Opens another release.
    pub(super) fn open_other(&self, table: &Table) -> Result<Box<dyn TableReader>> {
        self.as_meant(table.open(|path| self.format(path).of_release())?)
    }

    /// Opens the original, with its numbers as they are published.
    pub(super) fn open_original(&self, table: &Table) -> Result<Box<dyn TableReader>> {
        let reader = table.open(|path| self.format(path))?;
        Ok(match self.policy {
            Some(policy) => published(reader, policy, &policy.noise_keys(&OnceLock::new())?, &table.to_string()),
            None => reader,
        })
    }

    fn as_meant(&self, reader: Box<dyn TableReader>) -> Result<Box<dyn TableReader>> {
        Ok(match self.policy {
            Some(policy) => joined(reader, policy),
            None => reader,
        })
    }

    /// How missing values are written in it. A release shows one marker; of any other table nobody knows.
    pub(super) fn markers_of_release(&self) -> MissingMarkers {
        match self.policy {
            Some(_) => self.markers().written(),
            None => self.markers(),
        }
    }

    /// How somebody else's table is opened: the policy does not know how it is written.
    fn format_of_others(&self, path: &Path) -> InputFormat {
        let InputFormat { missing, marks, names, .. } = self.format(path);
        InputFormat { missing, marks, names, ..InputFormat::new(path) }
    }

    /// Reads the release, with whose rows they are by this column, or by that of the policy where the release has it.
    pub(super) fn read_release(&self, table: &Table, person: Option<&str>, watch: &dyn Watch) -> Result<WatchedTable> {
        let (quasi, sensitive) = (self.quasi_names(), self.sensitive_names());
        let all_markers = self.markers();
        let mut reader = self.open_release(table)?;
        let of_policy = self.policy.and_then(|policy| policy.input.person.as_ref());
        let of_policy = of_policy.map(|person| person.column.as_str());
        let person = person.or(of_policy.filter(|column| reader.columns().iter().any(|known| known == column)));
        let asked = Asked::new(&quasi, &sensitive, self.exempts_suppressed()).of_person(person, &all_markers);
        WatchedTable::read(&asked, reader.as_mut(), &self.markers_of_release(), self.policy, watch)
            .map_err(|error| error.at(table))
    }

    /// Reads the release by its quasi-identifiers, by who a row is about where a column says so, and by the household.
    pub(super) fn read_households(
        &self,
        table: &Table,
        person: Option<&str>,
        household: &str,
        watch: &dyn Watch,
    ) -> Result<OutsiderClasses> {
        let mut quasi = self.quasi_names();
        quasi.extend(person.map(str::to_owned));
        quasi.push(household.to_owned());
        let markers = self.markers_of_release();
        let mut reader = self.open_release(table)?;
        let asked = Asked::new(&quasi, &[], self.exempts_suppressed());
        let counted = OutsiderTable::read_asked(&asked, reader.as_mut(), &markers, watch);
        OutsiderClasses::new(&counted.map_err(|error| error.at(table))?, &[], None)
    }

    /// The column that says whose the rows of the original are: that of the policy, or the one that tells whose those of the release are.
    fn person_of_original<'p>(&'p self, person: Option<&'p String>) -> Option<&'p String> {
        self.policy.and_then(|policy| policy.input.person.as_ref()).map(|person| &person.column).or(person)
    }

    /// Reads a table that has some of the audited columns; those that it must have it is asked for by name. Also, what tells that its
    /// rows may not be people. `person` says whose the rows of the release are.
    pub(super) fn read_beside(
        &self,
        table: &Table,
        what: Beside,
        person: Option<&String>,
        watch: &dyn Watch,
    ) -> Result<(KnownTable, Vec<Repeats>)> {
        let (mut reader, markers) = match what {
            Beside::Original => (self.open_original(table)?, self.markers()),
            Beside::Release => (self.open_other(table)?, self.markers_of_release()),
            Beside::Outsider | Beside::Population => (table.open(|path| self.format_of_others(path))?, self.markers()),
        };
        let has = |name: &String| reader.columns().contains(name);
        let has_all = self.sensitive.iter().all(|column| has(&column.name));
        let quasi: Vec<usize> = (0..self.quasi.len()).filter(|&at| has(&self.quasi[at].name)).collect();
        let sensitive: Vec<usize> = match what {
            Beside::Outsider => Vec::new(),
            // Without them it says how many people there are, but not what to believe of them.
            Beside::Population if !has_all => Vec::new(),
            Beside::Population | Beside::Original => (0..self.sensitive.len()).collect(),
            Beside::Release => (0..self.sensitive.len()).filter(|&at| has(&self.sensitive[at].name)).collect(),
        };
        if !matches!(what, Beside::Original | Beside::Release) && quasi.is_empty() {
            return Err(Error::table(format!("{table} has none of the quasi-identifiers"))
                .hint("columns are matched by their names"));
        }
        if what == Beside::Release && sensitive.is_empty() && quasi.is_empty() {
            return Err(Error::table(format!("{table} has none of the audited columns"))
                .hint("two releases of the same people have columns in common, by name"));
        }
        let quasi_names: Vec<String> = quasi.iter().map(|&at| self.quasi[at].name.clone()).collect();
        let sensitive_names: Vec<String> = sensitive.iter().map(|&at| self.sensitive[at].name.clone()).collect();
        let exempt = what == Beside::Release && self.exempts_suppressed();
        let person = match what {
            Beside::Original => self.person_of_original(person).filter(|column| reader.columns().contains(column)),
            Beside::Outsider | Beside::Population | Beside::Release => None,
        };
        let person = person.map(String::as_str);
        let asked = Asked::new(&quasi_names, &sensitive_names, exempt).of_person(person, &markers);
        let WatchedTable { table: counted, repeats, .. } =
            WatchedTable::read(&asked, reader.as_mut(), &markers, self.policy, watch)
                .map_err(|error| error.at(table))?;
        Ok((KnownTable { table: counted, quasi, sensitive }, repeats))
    }

    /// A release that still shows what the policy drops keeps no promise.
    pub(super) fn refuse_identifiers(&self, table: &OutsiderTable) -> Result<()> {
        let Some(policy) = self.policy else { return Ok(()) };
        let link = policy.method.method.separates();
        let is_out_of_place = |name: &&String| match policy.role_of(name) {
            None => link.is_none_or(|link| **name != link.class),
            Some(Role::Identifier) => policy.column(name).is_none_or(|column| column.replace.is_none()),
            Some(Role::Sensitive) => link.is_some(),
            Some(Role::QuasiIdentifier | Role::Insensitive) => false,
        };
        match table.columns.iter().find(is_out_of_place) {
            None => Ok(()),
            Some(name) => {
                Err(Error::not_met(format!("the table has column `{name}`, which the policy does not release"))
                    .hint("audit the release, not its input; or make a release with `shoal anonymize`"))
            }
        }
    }
}

//! What is asked of an audit, and what does whoever asks have?

mod subject;
mod tables;

use std::path::PathBuf;

use shoal_core::hierarchy::HierarchySpec;
use shoal_core::table::DateReading;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::InputFormat;

use super::{Audit, AuditTask, AuditedColumn, Households, Limit, audit};
use crate::attack::Options;
use crate::linking::AuditedQuasi;
use crate::policy::Policy;
use crate::risk;
use crate::source::Table;
use subject::Subject;
use tables::Tables;

/// A table to audit, and all that an attacker has besides.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{Unwatched, sample};
/// use shoal::{AuditRequest, Limit};
///
/// let audit = AuditRequest::new(sample::patients()?)
///     .quasi(["age", "ward"])
///     .sensitive(["diagnosis"])
///     .limits([Limit::parse("risk>0.09")?])
///     .run(&Unwatched)?;
/// assert_eq!(audit.broken.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct AuditRequest {
    release: Table,
    sensitive_table: Option<Table>,
    policy: Option<Policy>,
    quasi: Vec<String>,
    sensitive: Vec<String>,
    hierarchies: Vec<(String, HierarchySpec)>,
    original: Option<Table>,
    outsider: Option<Table>,
    population: Option<Table>,
    other: Option<Table>,
    knowledge: Option<PathBuf>,
    options: Options,
    risk_options: risk::Options,
    limits: Vec<Limit>,
    target: Option<String>,
    person: Option<String>,
    household: Option<String>,
    written: InputFormat,
}

impl AuditRequest {
    /// A table: a release of Shoal, or any other.
    pub fn new(release: impl Into<Table>) -> Self {
        Self {
            release: release.into(),
            sensitive_table: None,
            policy: None,
            quasi: Vec::new(),
            sensitive: Vec::new(),
            hierarchies: Vec::new(),
            original: None,
            outsider: None,
            population: None,
            other: None,
            knowledge: None,
            options: Options::default(),
            risk_options: risk::Options::default(),
            limits: Vec::new(),
            target: None,
            person: None,
            household: None,
            written: InputFormat::default(),
        }
    }

    /// Judged by this policy, which says what its columns are.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy: Some(policy), ..self }
    }

    /// Without a policy: what could identify someone.
    #[must_use]
    pub fn quasi(self, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { quasi: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Without a policy: what nobody must learn.
    #[must_use]
    pub fn sensitive(self, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { sensitive: columns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Without a policy: how the table is written, where that is not to be detected; its path is of no account. Other tables are
    /// taken to be written alike, but for what stands before them.
    #[must_use]
    pub fn written(self, written: InputFormat) -> Self {
        Self { written, ..self }
    }

    /// Without a policy: how the values of a column may be generalized.
    #[must_use]
    pub fn hierarchy(mut self, column: impl Into<String>, hierarchy: HierarchySpec) -> Self {
        self.hierarchies.push((column.into(), hierarchy));
        self
    }

    /// The table of sensitive values of a release in two tables.
    #[must_use]
    pub fn sensitive_table(self, table: impl Into<Table>) -> Self {
        Self { sensitive_table: Some(table.into()), ..self }
    }

    /// The table that it was made from: everybody's true values.
    #[must_use]
    pub fn original(self, table: impl Into<Table>) -> Self {
        Self { original: Some(table.into()), ..self }
    }

    /// A table of somebody else, with some of the quasi-identifiers.
    #[must_use]
    pub fn outsider(self, table: impl Into<Table>) -> Self {
        Self { outsider: Some(table.into()), ..self }
    }

    /// A table of the population, with quasi-identifiers and, for prior beliefs, sensitive columns.
    #[must_use]
    pub fn population(self, table: impl Into<Table>) -> Self {
        Self { population: Some(table.into()), ..self }
    }

    /// Another release of the same people.
    #[must_use]
    pub fn with(self, table: impl Into<Table>) -> Self {
        Self { other: Some(table.into()), ..self }
    }

    /// A file of what an attacker knows of people and values.
    #[must_use]
    pub fn knowledge(self, path: impl Into<PathBuf>) -> Self {
        Self { knowledge: Some(path.into()), ..self }
    }

    /// Thresholds of the attacks.
    #[must_use]
    pub fn options(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// Thresholds of the risks.
    #[must_use]
    pub fn risk_options(self, risk_options: risk::Options) -> Self {
        Self { risk_options, ..self }
    }

    /// What must not be found.
    #[must_use]
    pub fn limits(self, limits: impl IntoIterator<Item = Limit>) -> Self {
        Self { limits: limits.into_iter().collect(), ..self }
    }

    /// The column that learners predict; each sensitive column, if none is named.
    #[must_use]
    pub fn target(self, column: impl Into<String>) -> Self {
        Self { target: Some(column.into()), ..self }
    }

    /// The column that says whose row it is: figures by people then stand beside those by rows.
    #[must_use]
    pub fn person(self, column: impl Into<String>) -> Self {
        Self { person: Some(column.into()), ..self }
    }

    /// The column that says who lives together: the risk that anybody of a household is found is then told.
    #[must_use]
    pub fn household(self, column: impl Into<String>) -> Self {
        Self { household: Some(column.into()), ..self }
    }

    /// The risk of households, by rows or, where a column says whose they are, by people: the column that figures by people count, whoever
    /// named it.
    fn households(
        &self,
        subject: &Subject<'_>,
        person: Option<&str>,
        column: &str,
        watch: &dyn Watch,
    ) -> Result<Households> {
        let threshold = self.risk_options.at_risk;
        let classes = subject.read_households(&self.release, person, column, watch)?;
        // Who a row is about and where they live may be shown as it is, with all markers.
        let missing = subject.markers();
        Ok(match person {
            Some(_) => Households::of_people(&classes, &missing, threshold),
            None => Households::of_rows(&classes, &missing, threshold),
        })
    }

    /// What it comes to.
    pub fn run(&self, watch: &dyn Watch) -> Result<Audit> {
        let mut subject = self.subject()?;
        let tables = Tables::read(self, &mut subject, watch)?;
        let task = AuditTask::new(&tables.release, &subject.quasi, &subject.sensitive);
        let task = match subject.policy {
            Some(policy) => task.judged_by(policy),
            None => AuditTask { marks: self.written.marks, ..task },
        };
        let result = audit(&AuditTask {
            original: tables.original.as_ref(),
            counted: tables.counted.as_ref(),
            outsider: tables.outsider.as_ref(),
            population: tables.population.as_ref(),
            other: tables.other.as_ref(),
            beside: tables.beside.as_ref(),
            beginnings: tables.beginnings.as_ref(),
            samples: &tables.samples,
            knowledge: self.knowledge.as_deref(),
            options: self.options.clone(),
            risk_options: self.risk_options.clone(),
            target: self.target.as_deref(),
            person: tables.person.as_deref(),
            limits: &self.limits,
            is_separated: self.sensitive_table.is_some(),
            watch,
            ..task
        })?;
        // A release in two tables is counted by its classes, but its rows may still show whose they are.
        let person = tables.person.as_deref().or(self.person.as_deref());
        let households = |column| self.households(&subject, person, column, watch);
        let households = self.household.as_deref().map(households).transpose()?;
        Ok(Audit { households, ..result.with_repeats(tables.repeats) })
    }

    fn subject(&self) -> Result<Subject<'_>> {
        match &self.policy {
            Some(policy) => Ok(Subject::of_policy(policy)),
            None => self.subject_of_names(),
        }
    }

    fn subject_of_names(&self) -> Result<Subject<'_>> {
        if let Some(both) = self.sensitive.iter().find(|name| self.quasi.contains(name)) {
            return Err(Error::policy(format!("column `{both}` is among --quasi and among --sensitive"))
                .hint("what somebody could know of a person is --quasi, what nobody must learn --sensitive"));
        }
        let is_named = |column: &String| self.sensitive.contains(column) || self.quasi.contains(column);
        if let Some((column, _)) = self.hierarchies.iter().find(|(column, _)| !is_named(column)) {
            return Err(Error::policy(format!(
                "`--hierarchy` names `{column}`, which is neither among --quasi nor among --sensitive"
            )));
        }
        let hierarchy =
            |name: &String| self.hierarchies.iter().find(|(column, _)| column == name).map(|(_, spec)| spec.clone());
        let dates = DateReading::default();
        let quasi = |name: &String| AuditedQuasi {
            name: name.clone(),
            hierarchy: hierarchy(name),
            min_level: 0,
            dates,
            measure: None,
        };
        let sensitive = |name: &String| AuditedColumn { name: name.clone(), hierarchy: hierarchy(name), dates };
        Ok(Subject {
            policy: None,
            quasi: self.quasi.iter().map(quasi).collect(),
            sensitive: self.sensitive.iter().map(sensitive).collect(),
            missing: match &self.written.missing[..] {
                [] => vec![String::new()],
                markers => markers.to_vec(),
            },
            written: self.written.clone(),
        })
    }
}

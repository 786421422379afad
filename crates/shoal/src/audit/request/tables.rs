//! What stands in the tables that an audit is given?

use shoal_core::frequency::CountedTable;
use shoal_core::method::Method;
use shoal_core::method::anatomy::Anatomy;
use shoal_core::table::DateReading;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

use super::AuditRequest;
use super::subject::{self, Subject};
use crate::attack::Beside;
use crate::audit::{Beginnings, KnownTable, WatchedTable, count_original, lay_beside, watch as watch_repeats};
use crate::linking::AuditedQuasi;
use crate::meaning::repeats::Repeats;
use crate::outsider::OutsiderTable;
use crate::policy::Policy;
use crate::risk::ColumnSample;
use crate::source::Table;

/// All tables of an audit, counted.
pub(super) struct Tables {
    pub(super) release: OutsiderTable,
    pub(super) original: Option<KnownTable>,
    /// The original as a run of the policy counts it.
    pub(super) counted: Option<CountedTable>,
    pub(super) outsider: Option<KnownTable>,
    pub(super) population: Option<KnownTable>,
    pub(super) other: Option<KnownTable>,
    pub(super) beside: Option<Beside>,
    pub(super) beginnings: Option<Beginnings>,
    pub(super) samples: Vec<ColumnSample>,
    pub(super) repeats: Vec<Repeats>,
    /// The column that says whose rows those of the release are, if one does.
    pub(super) person: Option<String>,
}

impl Tables {
    /// Reads them. What the rows of a release in two tables share is the number of their class, which takes the place of the
    /// quasi-identifiers of the subject.
    pub(super) fn read(request: &AuditRequest, subject: &mut Subject<'_>, watch: &dyn Watch) -> Result<Self> {
        let WatchedTable { table: release, mut repeats, person } = read_release(request, subject, watch)?;
        subject.refuse_identifiers(&release)?;
        let (counted, of_original) = match (subject.policy, &request.original) {
            (Some(policy), Some(table)) => {
                count_original(policy, table, watch).map_err(|error| error.at(table))?.unzip()
            }
            _ => (None, None),
        };
        let known = |table: &Option<Table>, what: subject::Beside| {
            table.as_ref().map(|table| subject.read_beside(table, what, person.as_ref(), watch)).transpose()
        };
        let original = match (&counted, subject.policy) {
            (Some(counted), Some(policy)) => Some((known_as_counted(counted, policy)?, Vec::new())),
            _ => known(&request.original, subject::Beside::Original)?,
        };
        let original = original.map(|(original, of_original)| {
            repeats.extend(of_original);
            original
        });
        let without_repeats = |known: Option<(KnownTable, Vec<Repeats>)>| known.map(|(known, _)| known);
        let outsider = without_repeats(known(&request.outsider, subject::Beside::Outsider)?);
        let population = without_repeats(known(&request.population, subject::Beside::Population)?);
        let other = without_repeats(known(&request.other, subject::Beside::Release)?);
        repeats.extend(of_original.into_iter().flatten());
        let is_separated = request.sensitive_table.is_some();
        let beside = match (&other, &request.other) {
            (Some(known), Some(table)) if !is_separated => Some(laid_beside(request, subject, known, table)?),
            _ => None,
        };
        let beginnings = match (&original, &request.original) {
            (Some(known), Some(table)) if !is_separated => Some(beginnings(request, subject, known, table, &release)?),
            _ => None,
        };
        let quasi: Vec<&str> = subject.quasi.iter().map(|column| column.name.as_str()).collect();
        let mut reader = subject.open_release(&request.release)?;
        let samples = ColumnSample::read(reader.as_mut(), &quasi).map_err(|error| error.at(&request.release))?;
        Ok(Self {
            release,
            original,
            counted,
            outsider,
            population,
            other,
            beside,
            beginnings,
            samples,
            repeats,
            person,
        })
    }
}

/// The release, and the quasi-identifiers that its classes are told apart by.
fn read_release(request: &AuditRequest, subject: &mut Subject<'_>, watch: &dyn Watch) -> Result<WatchedTable> {
    let default = Anatomy::default();
    let link = match subject.policy {
        Some(policy) => policy.method.method.separates(),
        None => request.sensitive_table.as_ref().and(default.separates()),
    };
    let (values, link) = match (&request.sensitive_table, link) {
        (None, None) => return read_with_people(request, subject, watch),
        (None, Some(_)) => {
            return Err(Error::policy("the policy's method puts sensitive values into a table of their own")
                .hint("name it with --sensitive-table FILE"));
        }
        (Some(_), None) => {
            return Err(Error::policy("the policy's method leaves sensitive values in their rows")
                .hint("leave out --sensitive-table, or give the policy that the release was made with"));
        }
        (Some(values), Some(link)) => (values, (link.class.to_owned(), link.count.to_owned())),
    };
    let open = || subject.open_release(&request.release);
    let (mut rows, mut of_values) = (open()?, subject.open_other(values)?);
    refuse_missing_columns(&subject.quasi_names(), rows.columns())?;
    let (sensitive, markers) = (subject.sensitive_names(), subject.markers_of_release());
    let (names, exempt) = ((link.0.as_str(), link.1.as_str()), subject.exempts_suppressed());
    let table =
        OutsiderTable::read_separated(rows.as_mut(), of_values.as_mut(), names, &sensitive, &markers, exempt, watch);
    let table = table.map_err(|error| error.at(format!("{} and {values}", request.release)))?;
    let repeats = watch_repeats(open()?.as_mut(), &markers, subject.policy, watch)?;
    let dates = DateReading::default();
    subject.quasi = vec![AuditedQuasi { name: link.0, hierarchy: None, min_level: 0, dates, measure: None }];
    Ok(WatchedTable { table, repeats, person: None })
}

/// The release, with whose rows they are: by the column that is named, or, where nobody says so, by one that is likely to tell. The figures by
/// people then stand beside those by rows, and the warning that rows are not people stays.
fn read_with_people(request: &AuditRequest, subject: &Subject<'_>, watch: &dyn Watch) -> Result<WatchedTable> {
    let read = |person: Option<&str>| subject.read_release(&request.release, person, watch);
    let first = read(request.person.as_deref())?;
    // Whose rows they are by the policy no other column tells: judged by that one, its promises would be about somebody else.
    let is_said = subject.policy.is_some_and(|policy| policy.input.person.is_some());
    match first.repeats.iter().position(Repeats::is_likely) {
        Some(likely) if first.table.people_count().is_none() && !is_said => {
            let mut repeats = first.repeats;
            let WatchedTable { table, person, .. } = read(Some(&repeats[likely].column))?;
            repeats[likely] = repeats[likely].clone().counted();
            Ok(WatchedTable { table, repeats, person })
        }
        _ => Ok(first),
    }
}

fn refuse_missing_columns(expected: &[String], columns: &[String]) -> Result<()> {
    match expected.iter().find(|name| !columns.contains(name)) {
        None => Ok(()),
        Some(name) => {
            Err(Error::table(format!("the table has no column `{name}`"))
                .hint(format!("it has {}", columns.join(", "))))
        }
    }
}

/// The original as somebody would see it who has it. A release in two tables shows classes instead of quasi-identifiers.
fn known_as_counted(counted: &CountedTable, policy: &Policy) -> Result<KnownTable> {
    let with_quasi = policy.method.method.separates().is_none();
    Ok(KnownTable {
        table: OutsiderTable::of_counted(counted, with_quasi, &policy.input.missing[0])?,
        quasi: if with_quasi { (0..counted.quasi.len()).collect() } else { Vec::new() },
        sensitive: (0..counted.sensitive.len()).collect(),
    })
}

/// The other release beside this one, row by row.
fn laid_beside(request: &AuditRequest, subject: &Subject<'_>, known: &KnownTable, other: &Table) -> Result<Beside> {
    let mut release = subject.open_release(&request.release)?;
    let mut beside = subject.open_other(other)?;
    let sensitive: Vec<String> = known.sensitive.iter().map(|&column| subject.sensitive[column].name.clone()).collect();
    let markers = subject.markers_of_release();
    lay_beside(release.as_mut(), beside.as_mut(), &subject.quasi_names(), &sensitive, &markers)
        .map_err(|error| error.at(other))
}

/// The first rows of the release and of its original.
fn beginnings(
    request: &AuditRequest,
    subject: &Subject<'_>,
    known: &KnownTable,
    original: &Table,
    counted: &OutsiderTable,
) -> Result<Beginnings> {
    let quasi = known.quasi.iter().map(|&column| &subject.quasi[column].name);
    let sensitive = subject.sensitive.iter().map(|column| &column.name);
    let columns: Vec<String> = quasi.chain(sensitive).cloned().collect();
    let mut release = subject.open_release(&request.release)?;
    let mut of_original = subject.open_original(original)?;
    let markers = subject.markers();
    let share = counted.rows as f64 / known.table.rows.max(1) as f64;
    Beginnings::read(
        (release.as_mut(), &subject.markers_of_release()),
        (of_original.as_mut(), &markers),
        &columns,
        share,
    )
    .map_err(|error| error.at(original))
}

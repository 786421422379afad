//! Which sensitive column decides who joins a class and who leaves it, and is it diverse enough?

use serde_json::Value;

use super::Task;
use super::draft::Part;
use crate::frequency::{EquivalenceClass, SensitiveColumn, SensitiveTuples, TableProfile};
use crate::model::{DEFINITIONS, Requirement, Scope, accepts_all};

/// The requirements on a class, those on the column that decides apart from the others.
#[derive(Debug, Clone)]
pub(super) struct Diversity<'a> {
    /// The combinations of sensitive values that records may show.
    pub(super) tuples: &'a SensitiveTuples,
    /// The place of the sensitive column that decides.
    pub(super) column: Option<usize>,
    /// How many of its codes are values themselves.
    leaves: u32,
    /// Tuples in which that column has each of its codes, and the others do not matter.
    alone: SensitiveTuples,
    /// What is required of classes without generalized values.
    plain: Required<'a>,
    /// What is required of the others.
    generalized: Option<Required<'a>>,
    /// Is every class to be compared with a release that has generalized values?
    compares_with_generalized: bool,
}

#[derive(Debug, Clone)]
struct Required<'a> {
    all: &'a [Requirement],
    /// Those on how diverse the column that decides is.
    deciding: Vec<&'a Requirement>,
    columns: &'a [SensitiveColumn],
    profile: TableProfile,
}

/// The column of the first requirement for whose sake values may be generalized, else of the first diversity, else of the first requirement that has one,
/// else the first where anything but the size of classes is required.
pub(super) fn deciding_column(task: &Task<'_>) -> Option<usize> {
    let sensitive = &task.table.sensitive;
    let first = |wanted: &dyn Fn(&Requirement) -> bool| {
        let named = task.requirements.iter().filter(|one| wanted(one)).find_map(|one| one.column.as_ref());
        named.and_then(|name| sensitive.iter().position(|column| column.name() == name))
    };
    let whatever = || {
        let only_sizes = task.requirements.iter().all(|one| one.model.is_about_size());
        (!only_sizes && !sensitive.is_empty()).then_some(0)
    };
    first(&|one| one.model.counts_generalized())
        .or_else(|| first(&is_diversity))
        .or_else(|| first(&|_| true))
        .or_else(whatever)
}

fn is_diversity(requirement: &Requirement) -> bool {
    DEFINITIONS.iter().any(|known| known.id == requirement.id && known.scope == Scope::Diversity)
}

impl<'a> Required<'a> {
    fn new(all: &'a [Requirement], columns: &'a [SensitiveColumn], rows: u64, column: Option<usize>) -> Self {
        let name = column.map(|column| columns[column].name());
        let decides = |one: &&Requirement| name.is_some() && one.column.as_deref() == name && is_diversity(one);
        let deciding = all.iter().filter(decides).collect();
        Self { all, deciding, columns, profile: TableProfile::of_input(columns, rows) }
    }

    fn depends_on_release(&self) -> bool {
        self.all.iter().any(|requirement| requirement.model.depends_on_release())
    }
}

impl<'a> Diversity<'a> {
    /// What the task requires of classes that show sensitive values as they are.
    pub(super) fn new(task: &Task<'a>, column: Option<usize>) -> Self {
        let columns = &task.table.sensitive;
        Self {
            tuples: task.table.base.sensitive(),
            column,
            leaves: column.map_or(0, |column| columns[column].leaves() as u32),
            alone: alone(columns, column),
            plain: Required::new(task.requirements, columns, task.table.rows, column),
            generalized: None,
            compares_with_generalized: false,
        }
    }

    /// The same where records may show these tuples of these columns, for which the requirements are these.
    #[must_use]
    pub(super) fn with_generalized(
        mut self,
        requirements: &'a [Requirement],
        columns: &'a [SensitiveColumn],
        tuples: &'a SensitiveTuples,
        rows: u64,
    ) -> Self {
        self.tuples = tuples;
        self.alone = alone(columns, self.column);
        self.generalized = Some(Required::new(requirements, columns, rows, self.column));
        self
    }

    /// The same where these records are to be released: a requirement that looks at the whole release sees what they show.
    #[must_use]
    pub(super) fn comparing_with<'p>(mut self, records: impl IntoIterator<Item = &'p Part>) -> Self {
        let Some(generalized) = &mut self.generalized else { return self };
        if !generalized.depends_on_release() {
            return self;
        }
        let columns = generalized.columns;
        let mut counts: Vec<Vec<u64>> = columns.iter().map(|column| vec![0; column.codes()]).collect();
        for part in records {
            let codes = self.tuples.tuple(part.shows);
            counts.iter_mut().zip(codes).for_each(|(counts, &code)| counts[code as usize] += part.count);
        }
        let rows = generalized.profile.rows();
        generalized.profile = TableProfile::of_counts(columns, &counts, rows, Some(&generalized.profile));
        self.compares_with_generalized = true;
        self
    }

    /// Is anything required of how diverse that column is?
    pub(super) fn has_deciding(&self) -> bool {
        !self.plain.deciding.is_empty()
    }

    /// The code that a tuple has in the column that decides; 0 where there is none.
    #[inline]
    pub(super) fn code(&self, tuple: u32) -> u32 {
        self.column.map_or(0, |column| self.tuples.tuple(tuple)[column])
    }

    /// Are some of these codes of the column that decides, sorted, generalized values?
    pub(super) fn has_generalized(&self, codes: &[u32]) -> bool {
        codes.last().is_some_and(|&largest| largest >= self.leaves)
    }

    fn required(&self, has_generalized: bool) -> &Required<'a> {
        let is_meant = has_generalized || self.compares_with_generalized;
        self.generalized.as_ref().filter(|_| is_meant).unwrap_or(&self.plain)
    }

    /// Is a class with these sensitive tuples, sorted, good enough?
    pub(super) fn accepts(&self, tuples: &[u32], counts: &[u64]) -> bool {
        let has_generalized = self.generalized.is_some() && tuples.iter().any(|&tuple| self.code(tuple) >= self.leaves);
        let Required { all, profile, .. } = self.required(has_generalized);
        accepts_all(all, &EquivalenceClass::new(self.tuples, tuples, counts), profile)
    }

    /// Is a class diverse enough that has these codes, sorted, in the column that decides? Counts may be 0.
    pub(super) fn is_diverse(&self, codes: &[u32], counts: &[u64]) -> bool {
        if counts.contains(&0) {
            let present = codes.iter().zip(counts).filter(|(_, count)| **count > 0);
            let (codes, counts): (Vec<u32>, Vec<u64>) = present.map(|(&code, &count)| (code, count)).unzip();
            return !codes.is_empty() && self.is_diverse(&codes, &counts);
        }
        let required = self.required(self.has_generalized(codes));
        self.is_diverse_in(codes, counts, required, &required.profile)
    }

    /// Is a class diverse enough of which so many records have each code of the column that decides, where so many others are
    /// released beside it? What a generalized value counts for may follow from all of them.
    pub(super) fn is_diverse_beside(&self, by_code: &[u64], beside: &[u64]) -> bool {
        let codes: Vec<u32> = (0..by_code.len() as u32).filter(|&code| by_code[code as usize] > 0).collect();
        let counts: Vec<u64> = codes.iter().map(|&code| by_code[code as usize]).collect();
        let required = self.required(self.has_generalized(&codes));
        let depends = required.deciding.iter().any(|requirement| requirement.model.depends_on_release());
        let Some(column) = self.column.filter(|_| depends && !codes.is_empty()) else {
            return self.is_diverse(&codes, &counts);
        };
        let released: Vec<u64> = by_code.iter().zip(beside).map(|(here, beside)| here + beside).collect();
        let profile = required.profile.with_column(required.columns, column, &released);
        self.is_diverse_in(&codes, &counts, required, &profile)
    }

    fn is_diverse_in(&self, codes: &[u32], counts: &[u64], required: &Required<'_>, profile: &TableProfile) -> bool {
        let class = EquivalenceClass::new(&self.alone, codes, counts);
        required.deciding.iter().all(|requirement| requirement.accepts(&class, profile))
    }

    /// What the first requirement on that column that says so wants generalized values to count for: a table of weights by
    /// the texts of values, or the name of a table that tells them.
    pub(super) fn weights(&self) -> Option<&'a Value> {
        self.plain.deciding.iter().find_map(|requirement| requirement.parameters.get("weights"))
    }

    /// The number of these records with each of so many codes of the column that decides.
    pub(super) fn by_code<'p>(&self, codes: usize, records: impl IntoIterator<Item = &'p Part>) -> Vec<u64> {
        let mut by_code = vec![0; codes];
        records.into_iter().for_each(|part| by_code[self.code(part.shows) as usize] += part.count);
        by_code
    }
}

/// Tuples in which a column has each of its codes and the others have 0.
fn alone(columns: &[SensitiveColumn], column: Option<usize>) -> SensitiveTuples {
    let Some(column) = column else { return SensitiveTuples::new(0, Vec::new()) };
    let mut codes = vec![0; columns.len() * columns[column].codes()];
    codes[column..].iter_mut().step_by(columns.len()).zip(0..).for_each(|(place, code)| *place = code);
    SensitiveTuples::new(columns.len(), codes)
}

//! Can the counts of a table that were made for one policy answer for another?

use crate::meaning::repeats::Watched;
use crate::policy::{ColumnPolicy, Policy, Role};
use crate::source::counted_columns;

/// How the counts for one policy fit another.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// They are the same.
    Same,
    /// They have to be grouped anew, by these of their columns.
    Regroup(Vec<usize>),
    /// The table has to be counted once more.
    No,
}

/// How what was counted by one policy, of a table with these columns, fits another.
pub(super) fn fit(counted: &Policy, asked: &Policy, names: &[String]) -> Fit {
    let reads = |policy: &Policy| format!("{:?} {:?}", policy.folder, policy.input);
    // Which columns should name people, and whether they do, is looked at while rows are read.
    let watched = |policy: &Policy| Watched::among(names.iter().map(String::as_str), |name| policy.role_of(name));
    // So is which of those that are published as they are tell whose rows they are.
    let shown = |policy: &Policy| -> Vec<bool> {
        let is_shown = |name: &String| policy.role_of(name) == Some(Role::Insensitive);
        names.iter().filter(|_| policy.input.person.is_some()).map(is_shown).collect()
    };
    if reads(counted) != reads(asked) || watched(counted) != watched(asked) || shown(counted) != shown(asked) {
        return Fit::No;
    }
    let known: Vec<_> = counted_columns(counted).map(read_as).collect();
    let place = |column: &ColumnPolicy| known.iter().position(|known| *known == read_as(column));
    let quasi = |policy: &Policy| policy.with_role(Role::QuasiIdentifier).count();
    match counted_columns(asked).map(place).collect::<Option<Vec<usize>>>() {
        None => Fit::No,
        Some(columns) if columns.iter().copied().eq(0..known.len()) && quasi(counted) == quasi(asked) => Fit::Same,
        Some(columns) => Fit::Regroup(columns),
    }
}

/// A column, and what its values are taken for.
fn read_as(column: &ColumnPolicy) -> (&str, String) {
    (&column.name, format!("{:?} {:?} {:?}", column.date_reading(), column.publish, column.noise_key))
}

//! Whose rows are they, where people have several?

use super::column::Examined;
use super::findings::{Distinct, WhoseRows};
use crate::meaning::topic;
use crate::policy::Role;

/// Of fewer people, classes would have to hold nearly all.
const ENOUGH_PEOPLE: u64 = 20;

/// Of a column that leaves out more than one row in so many, nobody can tell whose rows they are.
const MISSING: u64 = 20;

/// The column that says whose row it is, as far as its name and its values tell: everybody has a value of their own, and some repeat. Of several the one that
/// tells most rows, and among those the first.
pub(super) fn of(columns: &[Examined], rows: u64) -> Option<WhoseRows> {
    let people_of = |column: &Examined| match column.findings.distinct {
        Distinct::Exactly(people) => Some(people),
        Distinct::MoreThan(_) => None,
    };
    let may_be = |column: &&Examined| {
        let findings = &column.findings;
        let is_vague = topic::of(&findings.name).is_none_or(|topic| topic.is_vague);
        findings.role == Role::Identifier
            && column.is_of_one_person
            && !is_vague
            && findings.missing <= rows / MISSING
            && people_of(column).is_some_and(|people| (ENOUGH_PEOPLE..rows - findings.missing).contains(&people))
    };
    let column = columns.iter().filter(may_be).min_by_key(|column| column.findings.missing)?;
    let people = people_of(column)?;
    let is_household = |column: &&Examined| {
        let findings = &column.findings;
        let is_named_so = topic::of(&findings.name).is_some_and(|topic| topic.is_household);
        findings.role == Role::Identifier && is_named_so && people_of(column).is_some_and(|count| count < people)
    };
    let household = columns.iter().find(is_household).map(|column| column.findings.name.clone());
    Some(WhoseRows { column: column.findings.name.clone(), people, household })
}

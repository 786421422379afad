//! Does the release that is about to be published keep every promise?

use std::collections::BTreeSet;

use crate::outsider::{Measured, MeasuredPeople, OutsiderClasses, OutsiderTable};
use crate::policy::{Policy, Suppressed};
use shoal_core::frequency::{CountedTable, TableProfile};
use shoal_core::method::{Knows, Partition, Suppress};
use shoal_core::model::Requirement;
use shoal_core::{Error, Result};

/// Checks a staged release, as an outsider counts it, against everything that was promised. An error means that it must
/// not be published.
pub fn verify(
    release: &OutsiderTable,
    policy: &Policy,
    table: &CountedTable,
    requirements: &[Requirement],
    partition: &Partition,
    expected_columns: &[String],
) -> Result<Measured> {
    if release.columns != expected_columns {
        return Err(our_bug("its columns are not those that the policy releases"));
    }
    let keeps = policy.output.suppressed == Suppressed::Keep;
    let expected_exempt = if keeps { partition.suppressed() } else { 0 };
    if keeps && release.exempt_rows > expected_exempt {
        return Err(Error::policy("some rows of the release would show `*` in every cell, just like suppressed ones")
            .hint("set `suppressed = \"drop\"` in [output], or a `max-level` for a quasi-identifier"));
    }
    if release.rows != partition.released() || release.exempt_rows != expected_exempt {
        return Err(our_bug(&format!(
            "it has {} rows and {} suppressed ones, not {} and {expected_exempt}",
            release.rows,
            release.exempt_rows,
            partition.released()
        )));
    }
    let columns = partition.sensitive_columns(table);
    let input = TableProfile::of_input(columns, table.rows);
    let mut measured = release.measure(columns, requirements, Some(&input)).map_err(|e| our_bug(e.message()))?;
    if let Some(people) = &measured.people {
        verify_people(people, policy, table, partition)?;
    }
    if policy.input.knows == Knows::AllRows
        && let Some(people) = OutsiderClasses::of_people(release, columns, Some(&input))?
    {
        let all: Vec<&Requirement> = requirements.iter().collect();
        measured.worsen(&people.of_whole_people().measure(&all), requirements);
    }
    for (requirement, &achieved) in requirements.iter().zip(&measured.achieved) {
        if !requirement.holds(achieved) {
            return Err(our_bug(&format!("it does not satisfy {}", requirement.model.name())));
        }
    }
    Ok(measured)
}

/// Has the release the people it should have? Where rows were taken for people, since everybody has one, nobody may have two.
fn verify_people(found: &MeasuredPeople, policy: &Policy, table: &CountedTable, partition: &Partition) -> Result<()> {
    let expected = released_people(table, partition).unwrap_or_else(|| partition.released());
    if found.count != expected {
        return Err(our_bug(&format!("it has rows of {} people, not of {expected}", found.count)));
    }
    let is_of_whole_people = policy.method.suppress == Suppress::People || policy.input.knows == Knows::AllRows;
    if is_of_whole_people && rows_of_released(table, partition).is_some_and(|rows| rows != partition.released()) {
        return Err(our_bug("it has some rows of a person and not others"));
    }
    Ok(())
}

/// How many rows of the table are of people who have a row that is released, where people are counted.
fn rows_of_released(table: &CountedTable, partition: &Partition) -> Option<u64> {
    table.people.as_ref()?;
    let tuples = table.base.entry_tuples();
    let person = |entry: u32| table.base.person(tuples[entry as usize]);
    let released: BTreeSet<usize> =
        partition.assignments.iter().filter(|part| part.class.is_some()).map(|part| person(part.tuple)).collect();
    let mut rows = 0;
    table
        .base
        .each_entry(|_, tuple, count| rows += if released.contains(&table.base.person(tuple)) { count } else { 0 });
    Some(rows)
}

/// How many people have a row that is released, where people are counted.
pub fn released_people(table: &CountedTable, partition: &Partition) -> Option<u64> {
    let people = table.people.as_ref()?;
    let (mut released, mut count) = (vec![false; people.codes], 0);
    let mut parts = partition.assignments.iter().peekable();
    let mut tuple = 0;
    table.each_tuple(0..table.base.classes(), |codes, _| {
        let person = codes.last().map_or(0, |&person| person as usize);
        while let Some(part) = parts.next_if(|part| part.tuple == tuple) {
            if part.class.is_some() && !std::mem::replace(&mut released[person], true) {
                count += 1;
            }
        }
        tuple += 1;
    });
    Some(count)
}

fn our_bug(reason: &str) -> Error {
    Error::bug(format!("the release failed its verification: {reason}"))
        .detail("nothing was published; an earlier release, if there is one, is untouched")
        .hint("this is a bug in Shoal, not in your data: please report it with the policy")
}

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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use shoal_core::watch::Unwatched;
    use shoal_format::{MemoryTable, TableReader};

    use super::*;
    use crate::outsider::{AboutRows, Asked};
    use crate::source::LocalSource;
    use crate::study::Study;
    use shoal_core::table::MissingMarkers;

    /// Two wards of three people with two rows each: whose the rows are, by their order.
    const PEOPLE: [u32; 12] = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5];

    struct ByOrder(Vec<u32>);

    impl AboutRows for ByOrder {
        fn people(&self, first: u64, rows: usize) -> Result<Vec<u32>> {
            Ok(self.0[first as usize..][..rows].to_vec())
        }
    }

    fn table(wards: &[&str], with_people: bool) -> MemoryTable {
        let text = |cells: Vec<String>| -> ArrayRef { Arc::new(StringArray::from(cells)) };
        let ward = text(wards.iter().map(|&ward| ward.to_owned()).collect());
        let value = text((0..wards.len()).map(|row| ["flu", "gout", "cold"][row % 3].to_owned()).collect());
        let person = text(PEOPLE.iter().map(|person| format!("P{person}")).collect());
        let mut columns = vec![("ward", ward), ("diagnosis", value)];
        columns.extend(with_people.then_some(("patient", person)));
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        MemoryTable::new(batch.schema(), vec![batch]).unwrap()
    }

    /// What verification says of a release of both wards whose rows are these people's.
    fn verified(policy: &Policy, people: &[u32]) -> Result<Measured> {
        let wards: Vec<&str> = (0..12).map(|row| ["north", "south"][row / 6]).collect();
        let study = Study::count(LocalSource::in_memory(table(&wards, true)), policy, &Unwatched)?;
        let candidate = study.best(&Unwatched)?;
        let (quasi, sensitive) = (["ward".to_owned()], ["diagnosis".to_owned()]);
        let people = ByOrder(people.to_vec());
        let asked = Asked::new(&quasi, &sensitive, false).about(Some(&people));
        let release = table(&wards, false);
        let mut reader: Box<dyn TableReader> = release.reader();
        let markers = MissingMarkers::new(vec![String::new()]);
        let seen = OutsiderTable::read_asked(&asked, reader.as_mut(), &markers.written(), &Unwatched)?;
        let expected = ["ward".to_owned(), "diagnosis".to_owned()];
        verify(&seen, policy, study.table(), study.requirements(), candidate.partition(), &expected)
    }

    fn policy(knows: &str) -> Policy {
        let text = format!(
            "[input]\nperson = \"patient\"\nknows = \"{knows}\"\n[columns.ward]\nrole = \"quasi-identifier\"\n\
             [columns.diagnosis]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 3\n"
        );
        Policy::parse(&text, "policy.toml", std::path::Path::new(".")).unwrap()
    }

    #[test]
    fn rows_of_one_person_that_were_moved_are_noticed() {
        let measured = verified(&policy("one-row"), &PEOPLE).unwrap();
        assert_eq!(measured.people.map(|people| (people.count, people.fewest)), Some((6, 3)));
        // 2 and 3 change places in one row each: both wards have four people now, which is no harm.
        let moved = [0, 0, 1, 1, 2, 3, 2, 3, 4, 4, 5, 5];
        assert!(verified(&policy("one-row"), &moved).is_ok());
        // But whoever knows both of their rows finds them.
        let error = verified(&policy("all-rows"), &moved).unwrap_err();
        assert!(error.to_string().contains("it does not satisfy 3-anonymity (people)"), "{error}");
        assert!(verified(&policy("all-rows"), &PEOPLE).is_ok());
        // Rows of 2 that stand where 0 and 1 had theirs leave only two people in a ward, or one person fewer in all.
        let moved = [0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5];
        let error = verified(&policy("one-row"), &moved).unwrap_err();
        assert!(error.to_string().contains("it does not satisfy 3-anonymity (people)"), "{error}");
        let gone = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4];
        let error = verified(&policy("one-row"), &gone).unwrap_err();
        assert!(error.to_string().contains("it has rows of 5 people, not of 6"), "{error}");
    }
}

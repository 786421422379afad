//! Does the release that is about to be published keep every promise?

use std::collections::HashMap;

use crate::outsider::{ClassContents, Measured, MeasuredPeople, OutsiderClasses, OutsiderTable};
use crate::policy::{Policy, Suppressed};
use shoal_core::frequency::{CountedTable, SensitiveColumn, TableProfile};
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
        verify_people(people, table, partition)?;
    }
    let people = whole_people(release, policy, columns, &input)?;
    worsen_for_all_rows(&mut measured, people.as_ref(), policy, requirements);
    for (requirement, &achieved) in requirements.iter().zip(&measured.achieved) {
        if !requirement.holds(achieved) {
            return Err(our_bug(&format!("it does not satisfy {}", requirement.model.name())));
        }
    }
    if people.is_some_and(|people| !has_all_rows(&people, release.people_are_numbered(), table, partition)) {
        return Err(our_bug("it has some rows of a person and not others"));
    }
    if !has_rows_of_their_people(release, columns, table, partition)? {
        return Err(our_bug("some class has rows of other people than it should, or says something else of them"));
    }
    Ok(measured)
}

/// Whose rows a release has, where people are looked at with all of theirs.
pub(crate) fn whole_people(
    release: &OutsiderTable,
    policy: &Policy,
    columns: &[SensitiveColumn],
    input: &TableProfile,
) -> Result<Option<OutsiderClasses>> {
    let is_asked = policy.method.suppress == Suppress::People || policy.input.knows == Knows::AllRows;
    let people = is_asked.then(|| OutsiderClasses::of_people(release, columns, Some(input)));
    Ok(people.transpose()?.flatten())
}

/// Where somebody is taken to know all rows of a person, requirements are also asked of the people all of whose rows look the same.
pub(crate) fn worsen_for_all_rows(
    measured: &mut Measured,
    people: Option<&OutsiderClasses>,
    policy: &Policy,
    requirements: &[Requirement],
) {
    let Some(people) = people.filter(|_| policy.input.knows == Knows::AllRows) else { return };
    let all: Vec<&Requirement> = requirements.iter().collect();
    measured.worsen(&people.measure_whole_people(&all), requirements);
}

/// Has the release the people it should have? Where rows were taken for people, since everybody has one, nobody may have two.
fn verify_people(found: &MeasuredPeople, table: &CountedTable, partition: &Partition) -> Result<()> {
    let expected = released_people(table, partition).unwrap_or_else(|| partition.released());
    if found.count != expected {
        return Err(our_bug(&format!("it has rows of {} people, not of {expected}", found.count)));
    }
    Ok(())
}

/// Has every class the rows that it should have, of the people whose they are and with what they say? Enough people in each are not
/// enough: somebody may have a row in the place of somebody else's.
fn has_rows_of_their_people(
    release: &OutsiderTable,
    columns: &[SensitiveColumn],
    table: &CountedTable,
    partition: &Partition,
) -> Result<bool> {
    let found = release.contents(columns).map_err(|error| our_bug(error.message()))?;
    let (Some(found), true) = (found, table.people.is_some()) else { return Ok(true) };
    let tuples = table.base.sensitive();
    let released = partition.assignments.iter().filter_map(|part| Some((part.class?, part.shows, part.count)));
    let mut released: Vec<(u32, u32, u64)> = released.collect();
    released.sort_unstable();
    let mut contents = ClassContents::default();
    let number = |rows: &[(u32, u32, u64)]| {
        for &(_, tuple, count) in rows {
            if let Some((&person, said)) = tuples.tuple(tuple).split_last() {
                contents.add(person, said, count);
            }
        }
        contents.number(release.people_are_numbered())
    };
    let mut expected: Vec<u64> = released.chunk_by(|a, b| a.0 == b.0).map(number).collect();
    expected.sort_unstable();
    Ok(found == expected)
}

/// Has whoever is released all of their rows in the table, with the sensitive values of these? Where what is staged has names of its own for people, as
/// many people have the same rows.
fn has_all_rows(found: &OutsiderClasses, are_numbered: bool, table: &CountedTable, partition: &Partition) -> bool {
    let Some(people) = &table.people else { return true };
    let mut tuples = HashMap::new();
    let mut staged = RowsOfPeople::default();
    for class in 0..found.len() {
        let (held, counts) = found.entries(class);
        held.iter()
            .zip(counts)
            .for_each(|(&tuple, &count)| staged.add(found.tuples().tuple(tuple), count, &mut tuples));
    }
    let of_entry = table.base.entry_tuples();
    let mut is_released = vec![false; people.codes];
    for part in partition.assignments.iter().filter(|part| part.class.is_some()) {
        is_released[table.base.person(of_entry[part.tuple as usize])] = true;
    }
    let mut expected = RowsOfPeople::default();
    table.base.each_entry(|_, tuple, count| {
        if is_released[table.base.person(tuple)] {
            expected.add(table.base.sensitive().tuple(tuple), count, &mut tuples);
        }
    });
    if are_numbered {
        staged.by_number() == expected.by_number()
    } else {
        staged.without_names() == expected.without_names()
    }
}

/// Whose rows say what: a person, the number of what a row says of sensitive columns, and how many rows say so.
#[derive(Default)]
struct RowsOfPeople(Vec<(u32, u32, u64)>);

impl RowsOfPeople {
    /// So many rows with a tuple of which the person is the last.
    fn add(&mut self, tuple: &[u32], count: u64, tuples: &mut HashMap<Vec<u32>, u32>) {
        let Some((&person, said)) = tuple.split_last() else { return };
        let next = tuples.len() as u32;
        let number = match tuples.get(said) {
            Some(&number) => number,
            None => *tuples.entry(said.to_vec()).or_insert(next),
        };
        self.0.push((person, number, count));
    }

    fn by_number(mut self) -> Vec<(u32, u32, u64)> {
        self.0.sort_unstable();
        self.0.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if same { next.2 } else { 0 };
            same
        });
        self.0
    }

    fn without_names(self) -> Vec<Vec<(u32, u64)>> {
        let rows = self.by_number();
        let own = |rows: &[(u32, u32, u64)]| rows.iter().map(|row| (row.1, row.2)).collect();
        let mut people: Vec<Vec<(u32, u64)>> = rows.chunk_by(|a, b| a.0 == b.0).map(own).collect();
        people.sort_unstable();
        people
    }
}

/// How many people have a row that is released, where people are counted.
pub fn released_people(table: &CountedTable, partition: &Partition) -> Option<u64> {
    people_with(table, partition, true)
}

/// How many have one that is not, where people are counted.
pub fn people_left_out(table: &CountedTable, partition: &Partition) -> Option<u64> {
    people_with(table, partition, false)
}

fn people_with(table: &CountedTable, partition: &Partition, is_released: bool) -> Option<u64> {
    let people = table.people.as_ref()?;
    let (mut found, mut count) = (vec![false; people.codes], 0);
    let mut parts = partition.assignments.iter().peekable();
    let mut tuple = 0;
    table.each_tuple(0..table.base.classes(), |codes, _| {
        let person = codes.last().map_or(0, |&person| person as usize);
        while let Some(part) = parts.next_if(|part| part.tuple == tuple) {
            if part.class.is_some() == is_released && !std::mem::replace(&mut found[person], true) {
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

    /// What verification says of a table that stands in the place of the release of both wards.
    fn verified_instead(rows: &[(&str, &str)], more: Option<&str>) -> Result<Measured> {
        let policy = "[output]\nsuppressed = \"keep\"\n[columns.ward]\nrole = \"quasi-identifier\"\n\
            [columns.diagnosis]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 5\n\
            [[require]]\nmodel = \"distinct-l-diversity\"\ncolumn = \"diagnosis\"\nl = 3\n";
        let policy = Policy::parse(policy, "policy.toml", std::path::Path::new("."))?;
        let wards: Vec<&str> = (0..12).map(|row| ["north", "south"][row / 6]).collect();
        let study = Study::count(LocalSource::in_memory(table(&wards, false)), &policy, &Unwatched)?;
        let candidate = study.best(&Unwatched)?;
        let text = |cells: Vec<&str>| -> ArrayRef { Arc::new(StringArray::from(cells)) };
        let mut columns = vec![
            ("ward", text(rows.iter().map(|row| row.0).collect())),
            ("diagnosis", text(rows.iter().map(|row| row.1).collect())),
        ];
        columns.extend(more.map(|name| (name, text(vec!["x"; rows.len()]))));
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let release = MemoryTable::new(batch.schema(), vec![batch]).unwrap();
        let mut reader: Box<dyn TableReader> = release.reader();
        let markers = MissingMarkers::new(vec![String::new()]);
        let expected = ["ward".to_owned(), "diagnosis".to_owned()];
        let asked = Asked::new(&expected[..1], &expected[1..], true);
        let seen = OutsiderTable::read_asked(&asked, reader.as_mut(), &markers.written(), &Unwatched)?;
        verify(&seen, &policy, study.table(), study.requirements(), candidate.partition(), &expected)
    }

    type Rows = Vec<(&'static str, &'static str)>;

    #[test]
    fn whatever_breaks_a_promise_is_noticed() {
        let whole: Rows = (0..12).map(|row| (["north", "south"][row / 6], ["flu", "gout", "cold"][row % 3])).collect();
        let measured = verified_instead(&whole, None).unwrap();
        assert_eq!((measured.classes, measured.smallest, measured.largest), (2, 6, 6));
        let instead = |change: &dyn Fn(&mut Rows)| {
            let mut rows = whole.clone();
            change(&mut rows);
            verified_instead(&rows, None).unwrap_err().to_string()
        };
        let said = [
            (instead(&|rows| rows.truncate(11)), "it has 11 rows and 0 suppressed ones, not 12 and 0"),
            (instead(&|rows| rows.push(rows[0])), "it has 13 rows"),
            (instead(&|rows| rows[0] = ("*", "*")), "some rows of the release would show `*` in every cell"),
            (instead(&|rows| (0..2).for_each(|row| rows[row].0 = "south")), "it does not satisfy 5-anonymity"),
            (instead(&|rows| rows[0].0 = "north "), "it does not satisfy 5-anonymity"),
            (instead(&|rows| rows[0].0 = ""), "it does not satisfy 5-anonymity"),
            (instead(&|rows| rows[0].0 = "*"), "it does not satisfy 5-anonymity"),
            (
                instead(&|rows| [2, 5].iter().for_each(|&row| rows[row].1 = "flu")),
                "it does not satisfy distinct 3-diversity",
            ),
            (instead(&|rows| rows[0].1 = "Flu"), "shows a value that the input lacks"),
            (instead(&|rows| rows[0].1 = ""), "shows a value that the input lacks"),
            (verified_instead(&whole, Some("name")).unwrap_err().to_string(), "its columns are not those"),
        ];
        for (error, expected) in said {
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }

    /// Who is released is released with all of their rows: those that are staged under their number, not only those of the plan.
    #[test]
    fn rows_that_two_people_have_swapped_are_noticed_where_people_are_released_as_a_whole() {
        let mut whole = policy("one-row");
        whole.method.suppress = Suppress::People;
        assert!(verified(&whole, &PEOPLE).is_ok());
        // 2 and 3 have two rows each, as before, but one of them is the other's; then 0 has one more and 1 one less.
        for swapped in [[0, 0, 1, 1, 2, 3, 2, 3, 4, 4, 5, 5], [0, 0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5]] {
            let error = verified(&policy("one-row"), &swapped).unwrap_err();
            assert!(error.to_string().contains("some class has rows of other people than it should"), "{error}");
            let error = verified(&whole, &swapped).unwrap_err();
            assert!(error.to_string().contains("it has some rows of a person and not others"), "{error}");
        }
    }

    #[test]
    fn rows_of_one_person_that_were_moved_are_noticed() {
        let measured = verified(&policy("one-row"), &PEOPLE).unwrap();
        assert_eq!(measured.people.map(|people| (people.count, people.fewest)), Some((6, 3)));
        // 2 and 3 change places in one row each: both wards have four people now, as many as asked, but not those whose rows they are.
        let moved = [0, 0, 1, 1, 2, 3, 2, 3, 4, 4, 5, 5];
        let error = verified(&policy("one-row"), &moved).unwrap_err();
        assert!(error.to_string().contains("some class has rows of other people than it should"), "{error}");
        // And whoever knows both of their rows finds them.
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

//! Are the people of a release those of whom the summary speaks, and does it keep to what may be left out?

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::figures::{classes, judged};
use crate::finding::Finding;
use crate::people::{METHODS, METHODS_OF_ALL_ROWS, People};
use crate::policy::Role;
use crate::question::Question;
use crate::trial::{Outcome, Published, Trial};

/// A method that cannot count people refuses; where everybody has one row, there is nothing that it could not count.
pub fn refusal(trial: &mut Trial<'_>, question: &Question<'_>, outcome: &Outcome) {
    let Some(people) = &trial.case.policy.people else { return };
    let method = trial.case.policy.method.name;
    let can = METHODS.contains(&method) && (!people.know_all_rows() || METHODS_OF_ALL_ROWS.contains(&method));
    // Where all rows are dropped, there is nobody to count.
    if can || question.everybody_has_one_row() {
        return;
    }
    trial.tally.add("checks", "methods that cannot count people");
    let came = match outcome {
        Outcome::Failed => return,
        // What no method could do is told first by those that count people.
        Outcome::Refused if METHODS.contains(&method) => return,
        Outcome::Refused => "exit code 1",
        Outcome::Released(_) => "a release",
    };
    let expected = format!("`{method}` refuses to count people");
    trial.find(Finding::new(format!("people/not-refused/{method}"), expected, came));
}

/// What the summary says about people, and who is left out; rows of the release came from these rows.
pub fn figures(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published, partners: Option<&[usize]>) {
    let (Some(policy), Some(release)) = (&trial.case.policy.people, &published.release) else {
        if trial.case.policy.people.is_none() && !published.summary["people"].is_null() {
            trial.find(Finding::new("people/unasked", "nothing about people", published.summary["people"].to_string()));
        }
        return;
    };
    let judged = judged(trial, release);
    let (Some(everybody), Some(partners), Some(classes)) = (&question.people, partners, classes(question, &judged))
    else {
        trial.tally.add("people", "rows that cannot be told apart");
        return;
    };
    trial.tally.add("checks", "people of releases");
    telling(trial, question, published, everybody);
    let rows_of = |rows: &mut dyn Iterator<Item = usize>| {
        let mut rows_of: BTreeMap<usize, usize> = BTreeMap::new();
        rows.for_each(|row| *rows_of.entry(everybody[row]).or_default() += 1);
        rows_of
    };
    let all = rows_of(&mut (0..everybody.len()));
    let released = rows_of(&mut partners.iter().copied());
    let sizes: Vec<usize> =
        classes.iter().map(|class| rows_of(&mut class.iter().map(|&row| partners[row])).len()).collect();
    let (of_person, of_row) = by_constancy(question, everybody);
    let expected = json!({
        "count": all.len(),
        "released": released.len(),
        "suppressed": all.len() - released.len(),
        "class_size": { "min": sizes.iter().min(), "max": sizes.iter().max() },
        "classes_of_one": sizes.iter().filter(|&&size| size == 1).count(),
        "columns_of_person": of_person,
        "columns_of_row": of_row,
        "knows": policy.knows.unwrap_or("one-row"),
    });
    compare(trial, &expected, &published.summary["people"]);
    let in_part = released.iter().find(|(person, rows)| all[person] != **rows);
    if let Some((person, rows)) = in_part.filter(|_| policy.are_whole()) {
        let came = format!("{rows} of {} rows of somebody (number {person})", all[person]);
        trial.find(Finding::new("people/in-part", "all rows of everybody who is released", came));
    }
    if policy.suppress_people() {
        limit(trial, policy, all.len(), all.len() - released.len());
    }
}

/// Columns that are published as they are and tell which rows are one person's are warned of, and no others.
fn telling(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published, everybody: &[usize]) {
    let policy = &trial.case.policy;
    // With little memory nobody looks.
    if policy.people.as_ref().is_none_or(|people| people.memory_limit.is_some()) {
        return;
    }
    let tells = |name: &str| {
        let cells = Question::cells(&question.kept, name).unwrap_or_default();
        let mut shown: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        everybody.iter().zip(&cells).for_each(|(&person, cell)| {
            shown.entry(person).or_default().insert(policy.understood(cell));
        });
        let different: BTreeSet<&BTreeSet<&str>> = shown.values().collect();
        shown.values().all(|own| own.len() == 1) && different.len() > 1 && different.len() * 2 > shown.len()
    };
    let is_several = !question.everybody_has_one_row();
    let columns: Vec<&str> = policy.with_role(Role::Insensitive).map(|column| column.name.as_str()).collect();
    let expected: Vec<&str> = columns.iter().copied().filter(|name| is_several && tells(name)).collect();
    let warnings = published.summary["warnings"].as_array().map_or(&[][..], Vec::as_slice);
    let is_named = |name: &&str| {
        let begin = format!("`{name}` is published as it is");
        warnings.iter().any(|one| {
            one["id"] == "linkable-rows" && one["text"].as_str().is_some_and(|text| text.starts_with(&begin))
        })
    };
    let named: Vec<&str> = columns.iter().copied().filter(is_named).collect();
    if named != expected {
        trial.find(Finding::new("people/telling-columns", format!("{expected:?}"), format!("{named:?}")));
    }
}

/// People who are left out are counted by the limit, rounded down.
fn limit(trial: &mut Trial<'_>, policy: &People, all: usize, suppressed: usize) {
    let most = all * trial.case.policy.method.max_suppressed.0 as usize / 1000;
    if suppressed > most {
        let check = format!("people/limit/{}", policy.knows.unwrap_or("one-row"));
        trial.find(Finding::new(check, format!("at most {most} people left out"), format!("{suppressed} are")));
    }
}

fn compare(trial: &mut Trial<'_>, expected: &Value, said: &Value) {
    for (key, expected) in expected.as_object().into_iter().flatten() {
        if said[key] != *expected {
            let came = format!("{key} {}", said[key]);
            trial.find(Finding::new(format!("people/{key}"), format!("{key} {expected}"), came));
        }
    }
}

/// The quasi-identifiers in which everybody has one value, and the others.
fn by_constancy<'a>(question: &Question<'a>, everybody: &[usize]) -> (Vec<&'a str>, Vec<&'a str>) {
    let is_of_person = |name: &&str| {
        let cells = Question::cells(&question.kept, name).unwrap_or_default();
        let mut first: BTreeMap<usize, &String> = BTreeMap::new();
        everybody.iter().zip(&cells).all(|(&person, cell)| *first.entry(person).or_insert(cell) == cell)
    };
    question.quasi.iter().map(|column| column.name.as_str()).partition(is_of_person)
}

//! What is the smallest case that still fails the same check?

use std::path::Path;

use crate::case::Case;
use crate::finding::Finding;
use crate::people::People;
use crate::policy::Role;
use crate::program::Program;
use crate::trial::Trial;

/// How many smaller cases are tried.
const MOST_TRIALS: usize = 400;

/// A smaller case with the finding of the same check.
pub fn shrink(program: &Program, folder: &Path, case: Case, finding: Finding) -> (Case, Finding) {
    let mut smallest = (case, finding);
    let mut trials = 0;
    let mut progress = true;
    while progress && trials < MOST_TRIALS {
        progress = false;
        for smaller in smaller_cases(&smallest.0) {
            trials += 1;
            if trials > MOST_TRIALS {
                break;
            }
            if let Some(found) = still_fails(program, folder, &smaller, &smallest.1.check) {
                smallest = (smaller, found);
                progress = true;
                break;
            }
        }
    }
    smallest
}

fn still_fails(program: &Program, folder: &Path, case: &Case, check: &str) -> Option<Finding> {
    let _ = std::fs::remove_dir_all(folder);
    let (findings, _) = Trial::run(program, folder, case).ok()?;
    findings.into_iter().find(|finding| finding.check == check)
}

/// Cases with something less, the largest steps first.
fn smaller_cases(case: &Case) -> Vec<Case> {
    let mut all = Vec::new();
    let rows = case.table.rows.len();
    let mut length = rows / 2;
    while length > 0 {
        for start in (0..rows).step_by(length) {
            let mut smaller = case.clone();
            smaller.table.rows.drain(start..(start + length).min(rows));
            if !smaller.table.rows.is_empty() {
                all.push(smaller);
            }
        }
        length /= 2;
    }
    let mut change = |change: &dyn Fn(&mut Case) -> bool| {
        let mut smaller = case.clone();
        if change(&mut smaller) {
            all.insert(0, smaller);
        }
    };
    for place in 0..case.policy.columns.len() {
        change(&|smaller| remove_column(smaller, place));
        change(&|smaller| smaller.policy.columns[place].weight.take().is_some());
        change(&|smaller| smaller.policy.columns[place].kind.take().is_some());
        change(&|smaller| smaller.policy.columns[place].min_level.take().is_some());
        change(&|smaller| smaller.policy.columns[place].max_level.take().is_some());
    }
    for place in 0..case.policy.requirements.len() {
        change(&|smaller| {
            smaller.policy.requirements.remove(place);
            !smaller.policy.requirements.is_empty()
        });
    }
    for place in 0..case.policy.method.options.len() {
        change(&|smaller| {
            smaller.policy.method.options.remove(place);
            true
        });
    }
    change(&|smaller| smaller.policy.people.take().is_some());
    change(&|smaller| smaller.policy.people.as_mut().is_some_and(|people| people.knows.take().is_some()));
    change(&|smaller| smaller.policy.people.as_mut().is_some_and(|people| people.suppress.take().is_some()));
    change(&|smaller| smaller.policy.people.as_mut().is_some_and(|people| people.memory_limit.take().is_some()));
    change(&|smaller| std::mem::replace(&mut smaller.policy.method.max_suppressed.0, 0) > 0);
    change(&|smaller| std::mem::replace(&mut smaller.policy.shuffle, false));
    change(&|smaller| std::mem::replace(&mut smaller.policy.keep_suppressed, false));
    change(&|smaller| std::mem::replace(&mut smaller.policy.drop_missing, false));
    change(&|smaller| std::mem::replace(&mut smaller.policy.input, "csv") != "csv");
    change(&|smaller| std::mem::replace(&mut smaller.policy.output, "csv") != "csv");
    change(&|smaller| std::mem::replace(&mut smaller.policy.delimiter, ',') != ',');
    change(&|smaller| std::mem::replace(&mut smaller.policy.method.objective, "loss") != "loss");
    change(&|smaller| std::mem::replace(&mut smaller.plan.threads, 1) != 1);
    all
}

/// Takes a column out of table and policy, unless it is the last quasi-identifier, something is required of it or it says whose a row is.
fn remove_column(case: &mut Case, place: usize) -> bool {
    let column = case.policy.columns[place].clone();
    let is_last = column.role == Role::Quasi && case.policy.with_role(Role::Quasi).count() == 1;
    let is_named = case.policy.requirements.iter().any(|required| required.column.as_deref() == Some(&column.name));
    let tells_people = |people: &People| people.column == column.name || people.told_by.as_ref() == Some(&column.name);
    let is_needed = is_last || is_named || case.policy.people.as_ref().is_some_and(tells_people);
    let Some(at) = case.table.place(&column.name).filter(|_| !is_needed) else { return false };
    case.table.names.remove(at);
    case.table.rows.iter_mut().for_each(|row| {
        row.remove(at);
    });
    case.policy.columns.remove(place);
    true
}

//! Are the listed solutions those of a look at every node?

use std::collections::BTreeMap;

use serde_json::Value;

use crate::finding::{Finding, is_near};
use crate::lattice::{Lattice, Solution};
use crate::policy::Role;
use crate::trial::Trial;

/// The list of solutions against the lattice.
pub fn list(trial: &mut Trial<'_>, lattice: Option<&Lattice>) -> std::io::Result<()> {
    let Some(lattice) = lattice.filter(|_| trial.case.plan.solutions) else { return Ok(()) };
    let answer = trial.call(trial.folder, &["solutions", "policy.toml", "--all", "--json", "--threads", "1"])?;
    trial.tally.add("checks", "solutions");
    let Some(found) = answer.json() else {
        if !(answer.code == Some(1) && lattice.solutions.is_empty()) {
            trial.find(Finding::new("solutions/failed", "a list of solutions", answer.stderr.trim()));
        }
        return Ok(());
    };
    let names: Vec<String> = trial.case.policy.with_role(Role::Quasi).map(|column| column.name.clone()).collect();
    let numbers = [("nodes", lattice.nodes), ("satisfying", lattice.solutions.len())];
    for (key, expected) in numbers {
        if found[key].as_u64() != Some(expected as u64) {
            trial.find(Finding::new("solutions/count", format!("{key} {expected}"), found[key].to_string()));
        }
    }
    for (key, expected) in [("all", lattice.solutions.iter().collect()), ("minimal", lattice.minimal())] {
        compare(trial, key, &names, &expected, &found[key]);
    }
    Ok(())
}

fn compare(trial: &mut Trial<'_>, key: &str, names: &[String], expected: &[&Solution], found: &Value) {
    let level = |entry: &Value, name: &String| entry["levels"][name].as_u64().map(|level| level as usize);
    let levels = |entry: &Value| names.iter().map(|name| level(entry, name)).collect::<Option<Vec<usize>>>();
    let found: Option<BTreeMap<Vec<usize>, &Value>> =
        found.as_array().into_iter().flatten().map(|entry| Some((levels(entry)?, entry))).collect();
    let Some(found) = found else {
        trial.find(Finding::new("solutions/levels", "levels for every column", "others"));
        return;
    };
    let expected: BTreeMap<Vec<usize>, &&Solution> =
        expected.iter().map(|solution| (solution.levels.clone(), solution)).collect();
    if !expected.keys().eq(found.keys()) {
        let check = format!("solutions/{key}");
        trial.find(Finding::new(check, format!("{:?}", expected.keys()), format!("{:?}", found.keys())));
        return;
    }
    for (levels, solution) in expected {
        for &(id, value) in solution.objectives.all() {
            let came = found[&levels]["objectives"][id].as_f64();
            if !came.is_some_and(|came| is_near(came, value)) {
                let check = format!("objective/{id}");
                trial.find(Finding::new(check, format!("{value} at {levels:?}"), format!("{came:?} among solutions")));
                return;
            }
        }
    }
}

//! What does an audit say of people whom a published column tells apart?

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::figures::{classes, judged};
use crate::finding::{Finding, is_near};
use crate::question::Question;
use crate::trial::{Published, Trial};

/// Behind the name of a check of such a release.
pub const IN_SEVERAL_WAYS: &str = " (a missing person, written in several ways)";

/// Does the release have rows of whom nobody knows, marked in several ways? Published as they are, they are one person's nevertheless.
pub fn is_missing_in_several_ways(trial: &Trial<'_>, published: &Published) -> bool {
    let cells = told(trial, published).unwrap_or_default();
    let missing = |cell: &&String| trial.case.policy.missing.contains(cell);
    cells.iter().filter(missing).collect::<BTreeSet<_>>().len() > 1
}

/// For each judged row, what the column that tells whose it is has there.
fn told(trial: &Trial<'_>, published: &Published) -> Option<Vec<String>> {
    let name = trial.case.policy.people.as_ref()?.told_by.as_ref()?;
    Question::cells(&judged(trial, published.release.as_ref()?), name)
}

/// The figures by people, from the text of the release alone.
pub fn figures(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published, found: &Value) {
    let (Some(release), Some(told)) = (&published.release, told(trial, published)) else { return };
    let Some(classes) = classes(question, &judged(trial, release)) else { return };
    let people: Vec<&str> = told.iter().map(|cell| trial.case.policy.understood(cell)).collect();
    let of_class = |class: &Vec<usize>| class.iter().map(|&row| people[row]).collect::<BTreeSet<&str>>();
    let classes: Vec<BTreeSet<&str>> = classes.iter().map(of_class).collect();
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    people.iter().for_each(|person| *rows.entry(person).or_default() += 1);
    // By the row that tells most, somebody is one of so many.
    let fewest = |person: &&str| classes.iter().filter(|class| class.contains(person)).map(BTreeSet::len).min();
    let fewest: Vec<usize> = rows.keys().filter_map(fewest).collect();
    let sizes: Vec<usize> = classes.iter().map(BTreeSet::len).collect();
    let expected = json!({
        "count": rows.len(),
        "with_several_rows": rows.values().filter(|&&rows| rows > 1).count(),
        "class_size": { "min": sizes.iter().min(), "max": sizes.iter().max() },
        "classes_of_one": sizes.iter().filter(|&&size| size == 1).count(),
        "alone": fewest.iter().filter(|&&fewest| fewest == 1).count(),
    });
    let risks: Vec<f64> = fewest.iter().map(|&fewest| 1.0 / fewest as f64).collect();
    let highest = risks.iter().copied().fold(0.0, f64::max);
    let average = risks.iter().sum::<f64>() / risks.len().max(1) as f64;
    trial.tally.add("checks", "audits that can tell people");
    let about = if is_missing_in_several_ways(trial, published) { IN_SEVERAL_WAYS } else { "" };
    for (key, expected) in expected.as_object().into_iter().flatten() {
        if found[key] != *expected {
            let check = format!("audit/people/{key}{about}");
            trial.find(Finding::new(check, expected.to_string(), found[key].to_string()));
        }
    }
    for (key, expected) in [("highest", highest), ("average", average)] {
        if !found["risk"][key].as_f64().is_some_and(|came| is_near(came, expected)) {
            let check = format!("audit/people/risk{about}");
            trial.find(Finding::new(check, format!("{key} {expected}"), found["risk"].to_string()));
        }
    }
}

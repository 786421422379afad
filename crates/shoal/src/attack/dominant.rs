//! What does it tell that only records with a most frequent value were generalized?

use std::borrow::Cow;

use serde_json::{Value, json};

use super::finding::{Detail, Exposure};
use super::options::shown;
use super::{Finding, Scene};
use shoal_core::frequency::{Counts, Induction};
use shoal_core::model::Requirement;

/// How far above what the release admits to a belief must lie: it is a sum of quotients.
const MARGIN: f64 = 1e-9;

/// The finding about a column with generalized values.
///
/// A value is generalized only while it is the most frequent, and until it is not: its share (of all records, or in the last
/// class, of that) comes to be that of the next one. So whoever sees the release takes a generalized value for those of the
/// values that it covers whose share is the largest, up to one record; where none is near, for the one with the largest.
pub(super) fn finding(scene: &Scene<'_>, attack: &'static str, column: usize) -> Finding {
    let admitted_by = &*admitted_induction(scene, column);
    let by_shown = scene.classes.profile().released(column).by_shown();
    let (mut admitted, mut by_ratio): (f64, f64) = (0.0, 0.0);
    let mut all: Vec<(u32, u64)> = Vec::new();
    for class in 0..scene.classes.len() {
        let members = scene.classes.class(class);
        let counts = members.counts(column);
        all.extend(counts.iter());
        admitted = admitted.max(largest(&masses(counts.iter(), admitted_by), members.size()).1);
        by_ratio = by_ratio.max(largest(&masses(counts.iter(), by_shown), members.size()).1);
    }
    let of_table = masses(all.into_iter(), admitted_by);
    let granted = scene.granted(column);
    let allowed = granted.unwrap_or(0.0).max(admitted);
    let (mut exposure, mut most): (Exposure, f64) = (Exposure::default(), admitted);
    for class in 0..scene.classes.len() {
        let members = scene.classes.class(class);
        let beliefs = beliefs(scene, column, members.counts(column), &of_table, admitted_by);
        let (code, belief) = largest(&beliefs, members.size());
        most = most.max(belief);
        if belief > allowed + MARGIN {
            exposure.add(class, members.size(), belief, || Detail {
                figures: vec![("posterior", json!(belief)), ("of_records", json!(members.size()))],
                value: scene.columns[column].value(code).to_owned(),
            });
        }
    }
    let who = if granted == Some(allowed) { "the policy grants" } else { "the release admits to" };
    let how_likely = match exposure.records {
        0 => format!("above what {who}"),
        _ => format!("of up to {}, above the {} that {who}", shown(most), shown(allowed)),
    };
    let learned = format!(
        "the value with a probability {how_likely}, since only records with a most frequent value were generalized"
    );
    let prevented_by = "sensitive values as they are (`generalize-sensitive = false`)";
    exposure
        .finding(scene, attack, Some(column), learned, prevented_by)
        .with("generalized", true)
        .with("admitted", admitted)
        .with("granted", granted)
        .with("largest_posterior", most)
        .with("largest_by_shown_ratio", by_ratio)
}

/// How generalized values spread for whoever believes the requirement on the column.
fn admitted_induction<'a>(scene: &'a Scene<'_>, column: usize) -> Cow<'a, Induction> {
    let audited = &scene.columns[column];
    let is_about_it = |requirement: &&Requirement| requirement.column.as_deref() == Some(audited.name());
    let mut about_it = scene.requirements.iter().filter(is_about_it);
    match about_it.find_map(|requirement| requirement.parameters.get("weights")) {
        None => Cow::Borrowed(&scene.inductions[column]),
        Some(Value::Object(weights)) => {
            let weight = |value: &str| weights.get(value).and_then(Value::as_f64).unwrap_or(0.0);
            Cow::Owned(audited.induction(&audited.weights(weight)))
        }
        Some(_) => Cow::Borrowed(scene.classes.profile().released(column).by_shown()),
    }
}

/// How many records count for each leaf.
fn masses(counts: impl Iterator<Item = (u32, u64)>, induction: &Induction) -> Vec<f64> {
    let mut masses = vec![0.0; induction.leaves()];
    for (code, count) in counts {
        let part = count as f64 / induction.scale() as f64;
        induction.each_part(code, |leaf, parts| masses[leaf as usize] += part * parts as f64);
    }
    masses
}

/// The leaf that most records of so many count for, the first of several, and its share.
fn largest(masses: &[f64], size: u64) -> (u32, f64) {
    let most = (0..).zip(masses).fold((0, 0.0), |most, (leaf, &mass)| if mass > most.1 { (leaf, mass) } else { most });
    (most.0, most.1 / size as f64)
}

/// How many records of a class are believed to have each leaf.
fn beliefs(
    scene: &Scene<'_>,
    column: usize,
    counts: Counts<'_>,
    of_table: &[f64],
    admitted_by: &Induction,
) -> Vec<f64> {
    let of_class = masses(counts.iter(), admitted_by);
    let leaves = scene.columns[column].leaves();
    let mut believed = vec![0.0; leaves];
    for (code, count) in counts.iter() {
        if (code as usize) < leaves {
            believed[code as usize] += count as f64;
            continue;
        }
        let mut covered = Vec::new();
        admitted_by.each_part(code, |leaf, _| covered.push(leaf));
        let dominant = dominant(&covered, of_table).or_else(|| dominant(&covered, &of_class));
        let dominant = dominant.unwrap_or_else(|| most_of(&covered, of_table));
        dominant.iter().for_each(|&leaf| believed[leaf as usize] += count as f64 / dominant.len() as f64);
    }
    believed
}

/// Those of some leaves that may have been the most frequent of all, if there are any.
fn dominant(covered: &[u32], masses: &[f64]) -> Option<Vec<u32>> {
    let largest = masses.iter().copied().fold(0.0, f64::max);
    let near = covered.iter().copied().filter(|&leaf| masses[leaf as usize] + 1.0 >= largest - MARGIN);
    let near: Vec<u32> = near.collect();
    (!near.is_empty()).then_some(near)
}

/// The most frequent of some leaves, all that are.
fn most_of(covered: &[u32], masses: &[f64]) -> Vec<u32> {
    let largest = covered.iter().map(|&leaf| masses[leaf as usize]).fold(0.0, f64::max);
    covered.iter().copied().filter(|&leaf| masses[leaf as usize] >= largest).collect()
}

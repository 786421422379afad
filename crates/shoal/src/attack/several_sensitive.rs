//! Does knowing one sensitive value of a person give another away?

use std::collections::HashMap;

use serde_json::json;

use super::finding::{Detail, Exposure};
use super::{Attack, Findings, Scene};
use shoal_core::Result;
use shoal_core::words::grouped;

/// # Several sensitive columns
///
/// **Definition.** In an equivalence class that is diverse in a sensitive column, those who agree in the other sensitive columns
/// all have the same value of it: whoever knows the others learns it.
/// **What is learned.** One sensitive value from the others. Also counted: the classes in which ruling out a single value of
/// another column is enough.
/// **Prevented by.** `distinct-l-diversity` with l = 2 and `among = "all-sensitive"`; but records whose other sensitive values come with one
/// value only in the whole table can only be left out, and are counted.
/// **Options.** none; it needs two sensitive columns.
/// **Example.** {(s1,v1), (s1,v2), (s2,v3), (s3,v3)} is 3-diverse in both columns. Whoever has s2 has v3, and so has whoever does not
/// have s1.
/// **Reference.** Machanavajjhala et al. 2006, section 4.3 and Definition 4.5.
#[derive(Debug)]
pub struct SeveralSensitive;

impl Attack for SeveralSensitive {
    fn id(&self) -> &'static str {
        "several-sensitive"
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        if scene.columns.len() < 2 {
            findings.untried(self.id(), None, "two sensitive columns");
            return Ok(());
        }
        for column in 0..scene.columns.len() {
            let mut exposure = Exposure::default();
            let mut by_ruling_out = 0u64;
            for class in 0..scene.classes.len() {
                let members = scene.classes.class(class);
                // A class with one value gives it away by itself: that is homogeneity.
                if members.counts(column).distinct() < 2 {
                    continue;
                }
                let (mut blocks, mut records, mut code) = (0u64, 0, 0);
                members.for_each_block(column, |block| {
                    if let [only] = block.counts(column).codes {
                        (blocks, records, code) = (blocks + 1, records + block.size(), *only);
                    }
                });
                by_ruling_out += u64::from(one_value_is_enough(scene, class, column));
                if blocks > 0 {
                    let share = records as f64 / members.size() as f64;
                    exposure.add(class, records, share, || Detail {
                        figures: vec![("of_records", json!(members.size())), ("blocks", json!(blocks))],
                        value: scene.columns[column].value(code).to_owned(),
                    });
                }
            }
            let learned = "the value, from the other sensitive columns";
            let finding = exposure.finding(scene, self.id(), Some(column), learned, prevention(scene, column));
            findings.push(finding.with("classes_by_ruling_out_one", by_ruling_out));
        }
        Ok(())
    }
}

/// What would prevent it. Where the other sensitive values of some records come with one value only in the whole release, no hiding of other
/// columns makes that two: these would have to be left out.
fn prevention(scene: &Scene<'_>, column: usize) -> String {
    let model = "distinct-l-diversity with l = 2, among = \"all-sensitive\"";
    match always_alone(scene, column) {
        0 => model.to_owned(),
        1 => format!("{model}, without 1 record whose other sensitive values come with one value only, whatever is hidden"),
        records => format!(
            "{model}, without {} records whose other sensitive values come with one value only, whatever is hidden",
            grouped(records)
        ),
    }
}

/// The records whose values in all other sensitive columns come with a single value here, in the release as a whole.
fn always_alone(scene: &Scene<'_>, column: usize) -> u64 {
    let mut by_others: HashMap<Vec<u32>, (Option<u32>, u64)> = HashMap::new();
    for class in 0..scene.classes.len() {
        let (tuples, counts) = scene.classes.entries(class);
        for (&tuple, &count) in tuples.iter().zip(counts) {
            let mut others = scene.classes.tuples().tuple(tuple).to_vec();
            let here = others.remove(column);
            let (only, records) = by_others.entry(others).or_insert((Some(here), 0));
            *only = only.filter(|&only| only == here);
            *records += count;
        }
    }
    by_others.values().filter(|(only, _)| only.is_some()).map(|(_, records)| records).sum()
}

/// Does ruling out one value of another column leave a single value of this one? A value goes with the one ruled out if it
/// occurs with no other; so it is enough to count those, for each value of the other column.
fn one_value_is_enough(scene: &Scene<'_>, class: usize, column: usize) -> bool {
    let members = scene.classes.class(class);
    let distinct = members.counts(column).distinct();
    let (tuples, _) = scene.classes.entries(class);
    (0..scene.columns.len()).filter(|&other| other != column).any(|other| {
        // For each value here, the one value of the other column that it occurs with, if it is one.
        let mut partner: HashMap<u32, Option<u32>> = HashMap::new();
        for &tuple in tuples {
            let codes = scene.classes.tuples().tuple(tuple);
            partner
                .entry(codes[column])
                .and_modify(|known| *known = known.filter(|&known| known == codes[other]))
                .or_insert(Some(codes[other]));
        }
        let mut goes_with: HashMap<u32, usize> = HashMap::new();
        partner.values().flatten().for_each(|&other| *goes_with.entry(other).or_default() += 1);
        goes_with.values().any(|&gone| distinct - gone == 1)
    })
}

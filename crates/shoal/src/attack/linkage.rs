//! To how many records of the release does each known person link?

use serde_json::json;

use super::finding::{Detail, Exposure};
use super::{Attack, Finding, Findings, Scene};
use crate::linking::People;
use shoal_core::Result;

/// # Linkage
///
/// **Definition.** Somebody with a list of people (a register, or the original itself) looks up which records of the release can be
/// whose: those whose labels cover everything that is known of a person. A label covers what lies below it in the column's
/// hierarchy; a range (`[20, 30)`, `20-29`, `80+`), a period (`2024-03`, `2020s`), a set or a mask what it says; `*` everything.
/// **What is learned.** Whose record it is, where only one is left.
/// **Prevented by.** `k-anonymity` with k = 2; with k = 5 every record is left with at least five that fit.
/// **Options.** `--original FILE`, or `--outsider FILE` with some of the quasi-identifiers; `--few` (default 4): up to so many records
/// are few. Where labels are words that nobody has, it needs a policy or `--hierarchy` that tells what they stand for.
/// Also counted: how many people the attacker can expect to find by picking one of the candidates each time, in truth (somebody
/// may have been suppressed), and how many by guessing blindly. Where people have several rows, each row of the list counts as a
/// person, and each row of the release as a candidate; how many people are linked to records of one person only, by the row of theirs
/// that leaves the fewest people, an audit says beside that where it is known whose rows both tables have (`--person`).
/// **Example.** A voter list with date of birth, sex and ZIP code singled out the governor of Massachusetts among released hospital
/// records. In a release with 3 classes of 4 records, 12 people are looked up with an expected success of 3.
/// **Reference.** Sweeney 2002; Domingo-Ferrer and Torra 2008, section 2.
#[derive(Debug)]
pub struct Linkage;

impl Attack for Linkage {
    fn id(&self) -> &'static str {
        "linkage"
    }

    fn not_in_two_tables(&self) -> Option<&'static str> {
        Some("every quasi-identifier is shown as it is: whoever knows somebody's finds the row, whatever the classes are")
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        let tables = [("original", &scene.original), ("outsider", &scene.outsider)];
        for (with, people) in tables {
            let Some(people) = people.as_ref().filter(|people| !people.known.is_empty()) else { continue };
            // Everybody of the release is in the original; an outsider's list may lack some of them.
            let illegible = if with == "original" { people.illegible() } else { people.quite_illegible() };
            match illegible.is_empty() {
                true => findings.push(self.look_up(scene, people, with)),
                // Whoever linked to none would seem safe.
                false => findings.untried(self.id(), None, scene.needed_for_labels(&illegible)),
            }
        }
        if scene.original.is_none() && scene.outsider.is_none() {
            findings.untried(self.id(), None, "--original, or --outsider with a table that has some of the columns");
        }
        Ok(())
    }
}

impl Linkage {
    fn look_up(&self, scene: &Scene<'_>, people: &People, with: &str) -> Finding {
        let groups = people.linker().groups();
        let persons = people.table.rows();
        let (mut to_one, mut to_few, mut to_none) = (0u64, 0u64, 0u64);
        // Of each group, how many people can be nowhere else.
        let mut only_here = vec![0u64; groups.len()];
        let mut ambiguous = 0.0;
        for entry in 0..people.table.len() {
            let size = people.table.sizes()[entry];
            let candidates = people.candidates(entry);
            let records: u64 = candidates.iter().map(|&group| groups[group as usize].records).sum();
            match records {
                0 => to_none += size,
                1 => to_one += size,
                few if few <= scene.options.few => to_few += size,
                _ => {}
            }
            match *candidates {
                [] => {}
                [group] => only_here[group as usize] += size,
                _ => ambiguous += size as f64 / records as f64,
            }
        }
        let mut exposure = Exposure::default();
        let (mut believed, mut in_truth) = (ambiguous, ambiguous * share(scene.classes.rows(), persons));
        for (group, &people) in groups.iter().zip(&only_here).filter(|pair| *pair.1 > 0) {
            believed += people as f64 / group.records as f64;
            // Of those who could be here, as many are as there are records; each is found one time in so many.
            in_truth += share(people, group.records);
            let detail = || Detail { figures: vec![("candidates", json!(group.records))], value: String::new() };
            let class = group.classes[0] as usize;
            match group.records {
                1 => exposure.add(class, people, -1.0, detail),
                few if few <= scene.options.few => exposure.keep(class, people, -(few as f64), detail),
                _ => {}
            }
        }
        // Somebody with several candidate groups has more than one record to choose from.
        debug_assert_eq!(exposure.records, to_one);
        let columns: Vec<&str> = people.known.iter().map(|&column| scene.quasi[column].name.as_str()).collect();
        let finding = exposure
            .finding(scene, self.id(), None, "whose record it is", "k-anonymity with k = 2")
            .among(persons)
            .with("with", with)
            .with("columns", columns)
            .with("linked_to_one", to_one)
            .with("linked_to_few", to_few)
            .with("few", scene.options.few)
            .with("linked_to_none", to_none)
            .with("expected_by_attacker", believed)
            .with("guessing_rate", 1.0 / scene.classes.rows().max(1) as f64);
        // Who of an outsider's list is in the release at all, nobody can tell.
        if with != "original" {
            return finding;
        }
        finding.with("expected_in_truth", in_truth).with("success_rate", in_truth / persons.max(1) as f64)
    }
}

/// a of b, at most all.
fn share(a: u64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { (a as f64 / b as f64).min(1.0) }
}

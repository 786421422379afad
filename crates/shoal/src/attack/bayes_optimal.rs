//! By how much does the release change an attacker's beliefs, for every prior that can be had?

use std::collections::BTreeMap;

use serde_json::json;

use super::adversaries::{every_adversary, population};
use super::beliefs::{Person, people_of_knowledge, people_without_knowledge};
use super::finding::{ByClass, Detail};
use super::{Attack, Finding, Findings, Options, People, Scene};
use crate::{Error, Result};

/// # Bayes-optimal beliefs
///
/// **Definition.** Seeing the release makes a value likely that seemed unlikely before, or the other way round. Of a record with
/// the quasi-identifiers q, an attacker believes before the release that the value is s with alpha = f(s|q), and afterwards with
/// beta = n(q*,s) f(s|q)/f(s|q*) over the sum of these terms (Theorem 3.1). A (rho1,rho2)-breach is a belief that rises from below rho1 to above rho2, or falls from above 1 - rho1 to below 1 - rho2.
/// **What is learned.** Anything that makes the attacker change their mind so far. Also counted: positive disclosures (beta above
/// 1 - delta, and alpha not) and negative ones (beta below epsilon, and alpha not).
/// **Prevented by.** `bayes-optimal-privacy` with these rho1 and rho2, for the independent prior; by a smaller t of `t-closeness` for the others.
/// **Options.** `--rho1` (0.1), `--rho2` (0.5), `--delta` (0.1), `--epsilon` (0.01). There is a finding for each `prior`:
/// `independent` (alpha is the share among all records); `some-quasi-identifiers`, the worst over attackers who know how the
/// value depends on some of the quasi-identifiers, as the original has them or else as the release shows them (the smallest
/// subsets first, as many as 4 million beliefs allow, and each single column); `knowledge` (`--knowledge`); `population`
/// (`--population FILE`, with the original's quasi-identifiers and the sensitive columns). Never the table's own full joint
/// distribution: with it beta equals alpha, and nothing is ever a breach. Probabilities count as equal within 1e-12.
/// **Example.** One record in a hundred is positive; in a class of 50, 49 are: alpha = 0.01, beta = 0.98, a (0.1, 0.5)-breach.
/// **Reference.** Machanavajjhala et al. 2006, section 3; Evfimievski, Gehrke and Srikant 2003.
#[derive(Debug)]
pub struct BayesOptimal;

/// What was found for one prior.
#[derive(Default)]
struct Judged {
    positive: u64,
    negative: u64,
    largest_change: f64,
}

impl Attack for BayesOptimal {
    fn id(&self) -> &'static str {
        "bayes-optimal"
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        let Options { rho1, rho2, .. } = *scene.options;
        if !(rho1 > 0.0 && rho1 <= 0.5 && rho1 <= rho2 && rho2 < 1.0) {
            return Err(Error::new("a breach needs 0 < --rho1 <= 0.5 and --rho1 <= --rho2 < 1"));
        }
        for column in 0..scene.columns.len() {
            findings.push(self.independent(scene, column));
            if scene.quasi.len() > 1 {
                findings.push(self.some_quasi_identifiers(scene, column));
            }
            if scene.knowledge.as_ref().is_some_and(|knowledge| knowledge.is_about(column)) {
                findings.push(self.knowledge(scene, column)?);
            }
            // A register of the population tells who could be in a class, but no prior.
            match &scene.population {
                Some(people) if people.table.tuples().columns() == scene.columns.len() => {
                    findings.push(self.population(scene, people, column)?);
                }
                Some(_) => findings.untried(
                    self.id(),
                    Some(scene.columns[column].name()),
                    "the sensitive columns in --population, for a prior of the population",
                ),
                None => {}
            }
        }
        Ok(())
    }
}

impl BayesOptimal {
    fn independent(&self, scene: &Scene<'_>, column: usize) -> Finding {
        let (mut judged, mut exposed) = (Judged::default(), ByClass::default());
        people_without_knowledge(scene, column, |person| {
            // Definition 3.1 asks for a record that has the value: here all with it are in sight.
            let members = scene.classes.class(person.class);
            let with_value = |code| members.counts(column).iter().find(|pair| pair.0 == code).map_or(0, |pair| pair.1);
            judged.look(scene.options, person, with_value);
            if let Some((code, moved)) = person.breach(scene.options) {
                exposed.add(person.class, person.records, code, moved);
            }
        });
        self.finding(scene, column, "independent", judged, exposed)
    }

    fn some_quasi_identifiers(&self, scene: &Scene<'_>, column: usize) -> Finding {
        // Of each group of people, the breach of the worst attacker.
        let mut worst: BTreeMap<usize, (usize, u64, u32, f64)> = BTreeMap::new();
        let mut judged = Judged::default();
        let tried = every_adversary(scene, column, |atom, person| {
            judged.largest_change = judged.largest_change.max(person.largest_change());
            if let Some((code, moved)) = person.breach(scene.options) {
                let seen = worst.entry(atom).or_insert((person.class, person.records, code, moved));
                if moved > seen.3 {
                    (seen.2, seen.3) = (code, moved);
                }
            }
        });
        let mut exposed = ByClass::default();
        worst.into_values().for_each(|(class, records, code, moved)| exposed.add(class, records, code, moved));
        self.finding(scene, column, "some-quasi-identifiers", judged, exposed)
            .with("prior_from", if tried.from_original { "original" } else { "release" })
            .with("subsets", tried.subsets)
            .with("of_subsets", tried.of)
    }

    fn knowledge(&self, scene: &Scene<'_>, column: usize) -> Result<Finding> {
        let (mut judged, mut exposed) = (Judged::default(), ByClass::default());
        people_of_knowledge(scene, column, |person| {
            judged.look(scene.options, person, |_| person.records);
            if let Some((code, moved)) = person.breach(scene.options) {
                exposed.add(person.class, person.records, code, moved);
            }
        })?;
        Ok(self.finding(scene, column, "knowledge", judged, exposed))
    }

    fn population(&self, scene: &Scene<'_>, people: &People, column: usize) -> Result<Finding> {
        let (mut judged, mut exposed) = (Judged::default(), ByClass::default());
        population(scene, people, column, |person| {
            judged.look(scene.options, person, |_| person.records);
            if let Some((code, moved)) = person.breach(scene.options) {
                exposed.add(person.class, person.records, code, moved);
            }
        })?;
        Ok(self.finding(scene, column, "population", judged, exposed))
    }

    fn finding(&self, scene: &Scene<'_>, column: usize, prior: &str, judged: Judged, exposed: ByClass) -> Finding {
        let Options { rho1, rho2, delta, epsilon, .. } = *scene.options;
        let moves = format!("that a value is likely (above {rho2}) which seemed unlikely (below {rho1}), or the opposite");
        let learned = match prior {
            "independent" => moves,
            "some-quasi-identifiers" => {
                format!("{moves}, for somebody who knows how the value depends on some quasi-identifiers")
            }
            other => format!("{moves}, with the prior of the {other} file"),
        };
        let prevented_by = match prior {
            "independent" => format!("bayes-optimal-privacy with rho1 = {rho1}, rho2 = {rho2}"),
            _ => "t-closeness with a smaller t".to_owned(),
        };
        let Judged { positive, negative, largest_change } = judged;
        let finding = exposed
            .exposure(scene, |_, code, moved| detail(scene, column, code, moved))
            .finding(scene, self.id(), Some(column), learned, prevented_by)
            .with("prior", prior)
            .with("rho1", rho1)
            .with("rho2", rho2)
            .with("largest_change", largest_change);
        // Disclosures are counted for one attacker; who is the worst of many is decided by breaches.
        if prior == "some-quasi-identifiers" {
            return finding;
        }
        finding
            .with("delta", delta)
            .with("epsilon", epsilon)
            .with("positive_disclosures", positive)
            .with("negative_disclosures", negative)
    }
}

fn detail(scene: &Scene<'_>, column: usize, code: u32, moved: f64) -> Detail {
    // The code of what a class lacks is not kept: that it is lacking is the finding.
    let known = (code != u32::MAX).then(|| scene.columns[column].value(code).to_owned());
    Detail { figures: vec![("change", json!(moved))], value: known.unwrap_or_default() }
}

impl Judged {
    /// `with_value` says how many of them have a value that is disclosed.
    fn look(&mut self, options: &Options, person: &Person<'_>, with_value: impl Fn(u32) -> u64) {
        self.largest_change = self.largest_change.max(person.largest_change());
        self.positive += person.positive(options.delta).map_or(0, with_value);
        self.negative += if person.negative(options.epsilon) { person.records } else { 0 };
    }
}

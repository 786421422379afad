//! By how much does the release change an attacker's beliefs, for every prior that can be had?

use std::collections::BTreeMap;

use serde_json::json;

use super::adversaries::{every_adversary, population};
use super::beliefs::{Person, people_of_knowledge, people_without_knowledge};
use super::finding::{ByClass, Detail};
use super::{Attack, Finding, Findings, Options, Scene};
use crate::linking::People;
use shoal_core::{Error, Result};

/// # Bayes-optimal beliefs
///
/// **Definition.** Seeing the release makes a value likely that seemed unlikely before, or the other way round. Of a record with
/// the quasi-identifiers q, an attacker believes before the release that the value is s with alpha = f(s|q), and afterwards with
/// beta = n(q*,s) f(s|q)/f(s|q*) over the sum of these terms (Theorem 3.1). A (rho1,rho2)-breach is a belief that rises from below rho1 to above rho2, or falls from above 1 - rho1 to below 1 - rho2.
/// **What is learned.** Anything that makes the attacker change their mind so far: only breaches count as exposed.
/// Also counted, beside them: positive disclosures (beta above
/// 1 - delta, and alpha not) and negative ones (beta below epsilon, and alpha not). A positive disclosure is a true one
/// (Definition 3.1): so many records do have the value, as the class shows or, for the priors of files, the original does.
/// Without `--original` these priors count whoever the value is believed of (`positive_disclosures_are` says `believed`): that is
/// what the attacker thinks, not what is so. Somebody who could be in several classes counts once, for the worst of them.
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
struct Judged {
    largest_change: f64,
    /// Are all values of the people known, so that only true disclosures are counted?
    are_true: bool,
    /// Each of the people once: of the classes that somebody could be in, the worst counts.
    people: BTreeMap<usize, Judgement>,
}

/// What was found of somebody.
#[derive(Default)]
struct Judgement {
    positive: u64,
    negative: u64,
    /// The worst breach: the class, the records, the code, how far the belief moved.
    breach: Option<(usize, u64, u32, f64)>,
}

impl Default for Judged {
    fn default() -> Self {
        Self { largest_change: 0.0, are_true: true, people: BTreeMap::new() }
    }
}

impl Judged {
    fn look(&mut self, options: &Options, somebody: usize, person: &Person<'_>) {
        self.largest_change = self.largest_change.max(person.largest_change());
        self.are_true &= person.values.is_some();
        let judgement = self.people.entry(somebody).or_default();
        judgement.positive = judgement.positive.max(person.disclosed(options.delta));
        let ruled_out = if person.negative(options.epsilon) { person.records } else { 0 };
        judgement.negative = judgement.negative.max(ruled_out);
        if let Some((code, moved)) = person.breach(options)
            && judgement.breach.is_none_or(|known| moved > known.3)
        {
            judgement.breach = Some((person.class, person.records, code, moved));
        }
    }
}

/// Why only some priors are tried on a release in two tables.
const CLASSES_ARE_NUMBERS: &str = "what somebody knows of some quasi-identifiers, or of a population, tells nothing of classes that are \
                                   numbers; a prior that is the same for everybody was tried";

impl Attack for BayesOptimal {
    fn id(&self) -> &'static str {
        "bayes-optimal"
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        let Options { rho1, rho2, .. } = *scene.options;
        if !(rho1 > 0.0 && rho1 <= 0.5 && rho1 <= rho2 && rho2 < 1.0) {
            return Err(Error::policy("a breach needs 0 < --rho1 <= 0.5 and --rho1 <= --rho2 < 1"));
        }
        for column in 0..scene.columns.len() {
            findings.push(self.independent(scene, column));
            if scene.quasi.len() > 1 {
                findings.push(self.some_quasi_identifiers(scene, column));
            }
            if scene.knowledge.as_ref().is_some_and(|knowledge| knowledge.is_about(column)) {
                findings.push(self.knowledge(scene, column)?);
            }
            if scene.is_separated {
                findings.not_in_two_tables(self.id(), Some(scene.columns[column].name()), CLASSES_ARE_NUMBERS);
                continue;
            }
            // A register of the population tells who could be in a class, but no prior.
            match &scene.population {
                Some(people) if !people.quite_illegible().is_empty() => findings.untried(
                    self.id(),
                    Some(scene.columns[column].name()),
                    scene.needed_for_labels(&people.quite_illegible()),
                ),
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
        let mut judged = Judged::default();
        people_without_knowledge(scene, column, |person| judged.look(scene.options, person.class, person));
        self.finding(scene, column, "independent", judged)
    }

    fn some_quasi_identifiers(&self, scene: &Scene<'_>, column: usize) -> Finding {
        let mut judged = Judged::default();
        // Of each group of people, the breach of the worst attacker.
        let tried = every_adversary(scene, column, |atom, person| judged.look(scene.options, atom, person));
        self.finding(scene, column, "some-quasi-identifiers", judged)
            .with("prior_from", if tried.from_original { "original" } else { "release" })
            .with("subsets", tried.subsets)
            .with("of_subsets", tried.of)
    }

    fn knowledge(&self, scene: &Scene<'_>, column: usize) -> Result<Finding> {
        let mut judged = Judged::default();
        people_of_knowledge(scene, column, |somebody, person| judged.look(scene.options, somebody, person))?;
        Ok(self.finding(scene, column, "knowledge", judged))
    }

    fn population(&self, scene: &Scene<'_>, people: &People, column: usize) -> Result<Finding> {
        let mut judged = Judged::default();
        population(scene, people, column, |somebody, person| judged.look(scene.options, somebody, person))?;
        Ok(self.finding(scene, column, "population", judged))
    }

    fn finding(&self, scene: &Scene<'_>, column: usize, prior: &str, judged: Judged) -> Finding {
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
        let Judged { largest_change, are_true, people } = judged;
        let mut exposed = ByClass::default();
        let breaches = people.values().filter_map(|judgement| judgement.breach);
        breaches.for_each(|(class, records, code, moved)| exposed.add(class, records, code, moved));
        let finding = exposed
            .exposure(scene, |_, code, moved| detail(scene, column, code, moved))
            .finding(scene, self.id(), Some(column), learned, prevented_by)
            .with("prior", prior)
            .with("rho1", rho1)
            .with("rho2", rho2)
            .with("largest_change", largest_change);
        // Disclosures are counted for one attacker; who is the worst of many is decided by breaches.
        if prior == "some-quasi-identifiers" {
            return finding.counting(BREACH, &[]);
        }
        let positive = people.values().map(|judgement| judgement.positive).sum::<u64>();
        let negative = people.values().map(|judgement| judgement.negative).sum::<u64>();
        finding
            .with("delta", delta)
            .with("epsilon", epsilon)
            .with("positive_disclosures", positive)
            .with("positive_disclosures_are", if are_true { "true" } else { "believed" })
            .with("negative_disclosures", negative)
            .counting(BREACH, &[("positive disclosures", positive), ("negative disclosures", negative)])
    }
}

/// What counts as exposed; disclosures are counted beside it.
const BREACH: &str = "breach of beliefs";

fn detail(scene: &Scene<'_>, column: usize, code: u32, moved: f64) -> Detail {
    // The code of what a class lacks is not kept: that it is lacking is the finding.
    let known = (code != u32::MAX).then(|| scene.columns[column].value(code).to_owned());
    Detail { figures: vec![("change", json!(moved))], value: known.unwrap_or_default() }
}

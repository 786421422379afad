//! What does an attacker believe of a person before and after seeing the release?

use std::path::Path;

use super::{Options, Scene};
use crate::linking::covers;
use crate::linking::{AuditedQuasi, People};
use crate::outsider::OutsiderClasses;
use shoal_core::hierarchy::ColumnValues;
use shoal_core::table::{Dictionary, Reading};
use shoal_core::{Error, Result};

/// How far two probabilities may differ and still count as equal: they are quotients of counts and factors.
pub const TOLERANCE: f64 = 1e-12;

/// The beliefs about one value.
#[derive(Debug, Clone, Copy)]
pub struct Belief {
    /// The value's code.
    pub code: u32,
    /// Before.
    pub prior: f64,
    /// After.
    pub posterior: f64,
}

/// Somebody in a class, or several alike.
#[derive(Debug)]
pub struct Person<'a> {
    /// The class.
    pub class: usize,
    /// How many records they are.
    pub records: u64,
    /// The beliefs about the values that the class holds.
    pub beliefs: &'a [Belief],
    /// The largest prior belief in a value that the class lacks.
    pub largest_ruled_out: f64,
    /// The values that they have, and how many have each, where that is known.
    pub values: Option<&'a [(u32, u64)]>,
}

impl Person<'_> {
    /// The value that is believed most.
    pub fn likeliest(&self) -> Option<(u32, f64)> {
        let most = self.beliefs.iter().max_by(|a, b| a.posterior.total_cmp(&b.posterior).then(b.code.cmp(&a.code)))?;
        Some((most.code, most.posterior))
    }

    /// The worst (rho1, rho2)-breach: the code, and how far the belief moved.
    pub fn breach(&self, options: &Options) -> Option<(u32, f64)> {
        let Options { rho1, rho2, .. } = *options;
        let is_breach = |belief: &&Belief| {
            let rises = belief.prior < rho1 - TOLERANCE && belief.posterior > rho2 + TOLERANCE;
            let falls = belief.prior > 1.0 - rho1 + TOLERANCE && belief.posterior < 1.0 - rho2 - TOLERANCE;
            rises || falls
        };
        let moved = |belief: &Belief| (belief.code, (belief.posterior - belief.prior).abs());
        let worst = self.beliefs.iter().filter(is_breach).map(moved).max_by(|a, b| a.1.total_cmp(&b.1));
        // What nearly everybody has, and this class does not.
        let is_lacking = self.largest_ruled_out > 1.0 - rho1 + TOLERANCE;
        worst.or_else(|| is_lacking.then_some((u32::MAX, self.largest_ruled_out)))
    }

    /// The value that is disclosed: believed with more than 1 - delta, and not already before.
    pub fn positive(&self, delta: f64) -> Option<u32> {
        let is_disclosed =
            |belief: &&Belief| belief.posterior > 1.0 - delta + TOLERANCE && belief.prior <= 1.0 - delta + TOLERANCE;
        self.beliefs.iter().find(is_disclosed).map(|belief| belief.code)
    }

    /// How many of them have a value that is disclosed (Definition 3.1 asks for a record that has it); of people whose values
    /// are not known, all for whom one is believed.
    pub fn disclosed(&self, delta: f64) -> u64 {
        let with =
            |values: &[(u32, u64)], code: u32| values.iter().find(|pair| pair.0 == code).map_or(0, |pair| pair.1);
        let count = |code: u32| self.values.map_or(self.records, |values| with(values, code));
        self.positive(delta).map_or(0, count)
    }

    /// Is a value ruled out that did not seem impossible before?
    pub fn negative(&self, epsilon: f64) -> bool {
        let is_ruled_out =
            |belief: &Belief| belief.posterior < epsilon - TOLERANCE && belief.prior >= epsilon - TOLERANCE;
        self.largest_ruled_out >= epsilon - TOLERANCE || self.beliefs.iter().any(is_ruled_out)
    }

    /// The largest change of a belief.
    pub fn largest_change(&self) -> f64 {
        let changes = self.beliefs.iter().map(|belief| (belief.posterior - belief.prior).abs());
        changes.fold(self.largest_ruled_out, f64::max)
    }
}

/// Everybody, for an attacker who knows nothing of how the sensitive column depends on the quasi-identifiers: the prior is
/// the share among all records, the posterior that in the class.
pub fn people_without_knowledge(scene: &Scene<'_>, column: usize, mut visit: impl FnMut(&Person<'_>)) {
    let shares = scene.shares(column);
    let by_frequency = scene.classes.profile().released(column).by_frequency();
    let mut beliefs = Vec::new();
    for class in 0..scene.classes.len() {
        let members = scene.classes.class(class);
        let (induced, total) = scene.induce(column, members.counts(column), members.size());
        beliefs.clear();
        beliefs.extend(induced.codes.iter().zip(induced.counts.iter()).map(|(&code, &count)| Belief {
            code,
            prior: shares[code as usize],
            posterior: count as f64 / total as f64,
        }));
        let lacking = by_frequency.iter().find(|code| induced.codes.binary_search(code).is_err());
        let largest_ruled_out = lacking.map_or(0.0, |&code| shares[code as usize]);
        // Whoever has a value is in sight: the class shows so many of it.
        let values: Vec<(u32, u64)> = members.counts(column).iter().collect();
        let (records, values) = (members.size(), Some(values.as_slice()));
        visit(&Person { class, records, beliefs: &beliefs, largest_ruled_out, values });
    }
}

/// Everybody whom the knowledge file is about. With the original (and labels that tell) these are its records; otherwise whoever could be in a
/// class: of such people, all of the class. `visit` gets with each the number of those it is: somebody who could be in several
/// classes comes up once for each.
///
/// Theorem 3.1 with the factor as f(s|q) / f(s|q*): the knowledge compares a person with the others of the class.
pub fn people_of_knowledge(scene: &Scene<'_>, column: usize, mut visit: impl FnMut(usize, &Person<'_>)) -> Result<()> {
    let Some(knowledge) = &scene.knowledge else { return Ok(()) };
    let shares = scene.shares(column);
    if let Some(original) = scene.legible_original() {
        for entry in 0..original.table.len() {
            let values: Vec<(u32, u64)> = original.table.class(entry).counts(column).iter().collect();
            for &group in original.candidates(entry).iter() {
                for &class in &original.linker().groups()[group as usize].classes {
                    let class = class as usize;
                    let fits = |quasi: usize, value: &str| {
                        original.value(entry, quasi) == Some(value) || shows(scene.classes, class, quasi, value)
                    };
                    let Some(factors) = knowledge.factors(column, fits) else { continue };
                    let records = original.table.sizes()[entry];
                    let people = Alike { class, records, values: Some(&values) };
                    if !weigh(scene, column, people, &factors, &shares, |person| visit(entry, person)) {
                        return Err(Error::policy(format!(
                            "the knowledge file rules out every value that somebody's class shows in column `{}`",
                            scene.columns[column].name()
                        ))
                        .hint("a factor of 0 means impossible; use a small one for what is unlikely"));
                    }
                }
            }
        }
        return Ok(());
    }
    for kind in knowledge.kinds(column) {
        let covering = kind
            .iter()
            .map(|(quasi, value)| Ok((*quasi, labels_covering(scene, *quasi, value)?)))
            .collect::<Result<Vec<(usize, Vec<u32>)>>>()?;
        for class in 0..scene.classes.len() {
            let key = scene.classes.key(class);
            if !covering.iter().all(|(quasi, labels)| labels.contains(&key[*quasi])) {
                continue;
            }
            let fits = |quasi: usize, value: &str| {
                kind.iter().any(|(known, text)| *known == quasi && text == value)
                    || shows(scene.classes, class, quasi, value)
            };
            if let Some(factors) = knowledge.factors(column, fits) {
                // Where nothing is left, there is nobody of this kind in the class.
                let people = Alike { class, records: scene.classes.sizes()[class], values: None };
                weigh(scene, column, people, &factors, &shares, |person| visit(class, person));
            }
        }
    }
    Ok(())
}

fn shows(classes: &OutsiderClasses, class: usize, quasi: usize, value: &str) -> bool {
    classes.labels(quasi)[classes.key(class)[quasi] as usize] == value
}

/// The labels of a quasi-identifier that cover a value, or are it.
fn labels_covering(scene: &Scene<'_>, quasi: usize, value: &str) -> Result<Vec<u32>> {
    let AuditedQuasi { name, hierarchy, dates, .. } = &scene.quasi[quasi];
    let labels = scene.classes.labels(quasi);
    let shown = labels.iter().position(|label| label == value).map(|place| place as u32);
    let folder: &Path = scene.folder;
    // A single value tells less about how its column is written than all of them do.
    let place = |people: &People| people.known.iter().position(|&known| known == quasi);
    let column_type = scene.original.as_ref().and_then(|people| Some(people.dictionary(place(people)?).column_type()));
    let dictionary = match column_type {
        Some(column_type) => Dictionary::of_type([value.to_owned()], None, column_type),
        None => Dictionary::new([value.to_owned()], None, Reading { dates: *dates, ..Reading::default() }),
    };
    let values = ColumnValues { name, dictionary: &dictionary, counts: &[1], may_print: true };
    let hierarchy = match (hierarchy, shown) {
        (Some(spec), None) => Some(spec.build(&values, folder)?),
        _ => None,
    };
    let mut covering = covers(labels, &dictionary, hierarchy.as_ref()).swap_remove(0);
    covering.extend(shown);
    Ok(covering)
}

/// So many people of a class, and the values that they have, where these are known.
struct Alike<'a> {
    class: usize,
    records: u64,
    values: Option<&'a [(u32, u64)]>,
}

/// Visits somebody of whom these factors are known; false if that leaves no value.
fn weigh(
    scene: &Scene<'_>,
    column: usize,
    Alike { class, records, values }: Alike<'_>,
    factors: &[f64],
    shares: &[f64],
    visit: impl FnOnce(&Person<'_>),
) -> bool {
    let members = scene.classes.class(class);
    let (induced, _) = scene.induce(column, members.counts(column), members.size());
    let weighted = |(&code, &count): (&u32, &u64)| count as f64 * factors[code as usize];
    let after: f64 = induced.codes.iter().zip(induced.counts.iter()).map(weighted).sum();
    let before: f64 = shares.iter().zip(factors).map(|(share, factor)| share * factor).sum();
    if after <= 0.0 || before <= 0.0 {
        return false;
    }
    let prior = |code: u32| shares[code as usize] * factors[code as usize] / before;
    let beliefs: Vec<Belief> = induced
        .codes
        .iter()
        .zip(induced.counts.iter())
        .map(|pair| Belief { code: *pair.0, prior: prior(*pair.0), posterior: weighted(pair) / after })
        .collect();
    let lacking = (0..shares.len() as u32).filter(|code| induced.codes.binary_search(code).is_err());
    let largest_ruled_out = lacking.map(prior).fold(0.0, f64::max);
    visit(&Person { class, records, beliefs: &beliefs, largest_ruled_out, values });
    true
}

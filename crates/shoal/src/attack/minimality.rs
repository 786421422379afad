//! What does it tell that the release was not made less general?

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::finding::{Detail, Exposure};
use super::worlds::{Worlds, worlds};
use super::{Attack, Finding, Findings, Scene, dominant};
use crate::linking::People;
use shoal_core::Result;
use shoal_core::frequency::{EquivalenceClass, SensitiveTuples};
use shoal_core::model::Requirement;

/// # Minimality
///
/// **Definition.** The attacker knows the policy, everybody's quasi-identifiers, and that the release is minimal: with one
/// column one level lower, a requirement would have failed. So tables for which it would not have failed are excluded, and the
/// values in the parts that a class would have had are no longer equally likely.
/// Where sensitive values are generalized, the attacker knows instead that a value was generalized only while it was the most
/// frequent: a generalized one is taken for the most frequent of the values that it covers (up to one record).
/// **What is learned.** That somebody has a value with a probability above the largest that the release itself admits to (`admitted`), and
/// above the largest that the policy grants (`granted`, where a requirement bounds the share of every value: the tau of `tau-l-diversity`,
/// the alpha of `alpha-k-anonymity`, 1/l of `simple-l-diversity`). With the larger of both as 1/m, the release is not m-confidential.
/// **Prevented by.** levels that do not depend on the sensitive values: `min-level` and `max-level` fixed beforehand; or k-anonymity alone,
/// with those who are not diverse suppressed.
/// **Options.** for generalized values it needs `--policy` with `sweep` or `best`, and says besides what somebody would find who only
/// spreads them in the ratio in which the release shows values (`largest_by_shown_ratio`). Otherwise it needs `--policy`, `--original`, a full-domain release in which nothing may be suppressed, and requirements on one
/// sensitive column. Each lower level is taken by itself; an attacker who combines them may learn more. Classes with more than
/// 20,000 ways to spread their values are sampled (up to 1,000 draws, the same in every run), and then only what exceeds three
/// standard errors counts.
/// **Example.** Two of six have HIV; one level lower the class would have been two parts, of two and of four. With at most half of a
/// class allowed to have HIV, only the part of two can have failed: both in it have HIV, though the class says 1/3. And: twice hemal
/// disease, hepatitis and phthisis in a table where hepatitis is the most frequent: 3/4 have hepatitis.
/// **Reference.** Wong, Fu, Wang and Pei 2007.
#[derive(Debug)]
pub struct Minimality;

impl Attack for Minimality {
    fn id(&self) -> &'static str {
        "minimality"
    }

    fn not_in_two_tables(&self) -> Option<&'static str> {
        Some("no level was chosen that could tell anything: quasi-identifiers are not generalized")
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        let mut generalized = (0..scene.columns.len()).filter(|&column| scene.columns[column].is_generalized()).peekable();
        if generalized.peek().is_none() {
            match Setting::new(scene) {
                Err(needs) => findings.untried(self.id(), None, needs),
                Ok(setting) => match self.finding(&setting) {
                    Some(finding) => findings.push(finding),
                    None => findings.untried(self.id(), None, "--original with just the rows of the release, each of one class"),
                },
            }
        }
        for column in generalized {
            match scene.is_dominant_generalized {
                true => findings.push(dominant::finding(scene, self.id(), column)),
                false => findings.untried(
                    self.id(),
                    Some(scene.columns[column].name()),
                    "--policy with a method that says which sensitive values it generalizes",
                ),
            }
        }
        Ok(())
    }
}

/// What the attack needs to know.
struct Setting<'a> {
    scene: &'a Scene<'a>,
    original: &'a People,
    column: usize,
    /// The level of each quasi-identifier in the release.
    levels: Vec<usize>,
    /// The class of each entry of the original, if it was not suppressed.
    class_of: Vec<Option<usize>>,
    /// The requirements on the column, and those on sizes.
    requirements: Vec<&'a Requirement>,
}

impl<'a> Setting<'a> {
    fn new(scene: &'a Scene<'_>) -> Result<Self, String> {
        if !scene.is_minimal {
            return Err("--policy with requirements on one column, no `among`, and nothing suppressed".to_owned());
        }
        // Parts of a class are made up of values here, and those are nobody's.
        if scene.requirements.iter().any(|requirement| requirement.model.counts_people()) {
            return Err("a policy that counts rows, not people".to_owned());
        }
        let original = scene.original.as_ref().filter(|original| original.known.len() == scene.quasi.len());
        let original = original.ok_or("--original, to know everybody's quasi-identifiers")?;
        let names: Vec<&str> = scene.requirements.iter().filter_map(|r| r.column.as_deref()).collect();
        let column = names.first().and_then(|name| scene.columns.iter().position(|column| column.name() == *name));
        let column = column.filter(|_| names.iter().all(|name| *name == names[0]));
        let is_judged = |r: &Requirement| r.column.is_some() || r.model.is_about_size();
        let column = column.filter(|_| scene.requirements.iter().all(is_judged));
        let column = column.ok_or("a policy whose requirements are on one sensitive column")?;
        let requirements: Vec<&Requirement> = scene.requirements.iter().collect();
        let levels = (0..scene.quasi.len()).map(|place| level_of(scene, original, place)).collect::<Option<Vec<_>>>();
        let levels = levels.ok_or("a release in which each quasi-identifier has one level of its hierarchy")?;
        let class_of = (0..original.table.len()).map(|entry| original.class_of(entry)).collect();
        Ok(Self { scene, original, column, levels, class_of, requirements })
    }

    /// The sizes of the parts that each class would have had, had this column been one level lower.
    fn parts(&self, place: usize) -> Option<Vec<Vec<u64>>> {
        let nodes = self.original.nodes(place, self.levels[place] - 1)?;
        let mut parts: Vec<BTreeMap<u32, u64>> = vec![BTreeMap::new(); self.scene.classes.len()];
        for (entry, class) in self.class_of.iter().enumerate() {
            let node = nodes[self.original.table.key(entry)[place] as usize];
            *parts[(*class)?].entry(node).or_default() += self.original.table.sizes()[entry];
        }
        let parts: Vec<Vec<u64>> = parts.into_iter().map(|parts| parts.into_values().collect()).collect();
        let fits = parts.iter().zip(self.scene.classes.sizes()).all(|(parts, &size)| parts.iter().sum::<u64>() == size);
        fits.then_some(parts)
    }

    /// What is known of each class's worlds, one level lower.
    fn worlds(&self, parts: &[Vec<u64>]) -> Vec<(Vec<u32>, Worlds)> {
        let columns = self.scene.columns.len();
        let of_class = |(class, parts): (usize, &Vec<u64>)| {
            let members = self.scene.classes.class(class);
            let counts = members.counts(self.column);
            let tuple = |&code: &u32| (0..columns).map(move |column| if column == self.column { code } else { 0 });
            let tuples = SensitiveTuples::new(columns, counts.codes.iter().flat_map(tuple).collect());
            let accepts = |chosen: &[u64]| {
                let (codes, counts): (Vec<u32>, Vec<u64>) =
                    chosen.iter().enumerate().filter(|pair| *pair.1 > 0).map(|(at, &count)| (at as u32, count)).unzip();
                let part = EquivalenceClass::new(&tuples, &codes, &counts);
                self.requirements.iter().all(|requirement| requirement.accepts(&part, self.scene.classes.profile()))
            };
            (counts.codes.to_vec(), worlds(counts.counts, parts, &accepts))
        };
        parts.iter().enumerate().map(of_class).collect()
    }
}

/// The lowest level of a quasi-identifier's hierarchy that shows what the release shows.
fn level_of(scene: &Scene<'_>, original: &People, column: usize) -> Option<usize> {
    let place = original.known.iter().position(|&known| known == column)?;
    let hierarchy = original.hierarchy(place)?;
    let shown = scene.classes.labels(column);
    (0..=hierarchy.height()).find(|&level| shown.iter().all(|label| hierarchy.level(level).node(label).is_some()))
}

/// What one lower level gives away.
struct Inference {
    exposure: Exposure,
    largest: f64,
    draws: Option<u64>,
}

impl Minimality {
    /// None where nobody can say what the parts of a class would have been.
    fn finding(&self, setting: &Setting<'_>) -> Option<Finding> {
        let scene = setting.scene;
        let claimed = largest_share(scene, setting.column);
        let granted = scene.granted(setting.column);
        let allowed = granted.unwrap_or(0.0).max(claimed);
        let mut worst: Option<(usize, Inference)> = None;
        let mut tried = Vec::new();
        for place in 0..scene.quasi.len() {
            let column = setting.original.known[place];
            if setting.levels[column] == 0 || setting.levels[column] as u64 <= scene.quasi[column].min_level {
                continue;
            }
            let parts = setting.parts(place)?;
            tried.push(scene.quasi[column].name.clone());
            let inference = infer(setting, &parts, &setting.worlds(&parts), (claimed, allowed));
            let score = |inference: &Inference| (inference.exposure.records, inference.largest);
            if worst.as_ref().is_none_or(|(_, known)| score(&inference) > score(known)) {
                worst = Some((column, inference));
            }
        }
        let levels: Map<String, Value> =
            scene.quasi.iter().zip(&setting.levels).map(|(quasi, level)| (quasi.name.clone(), json!(level))).collect();
        let (lower, inference) = match worst {
            Some((column, inference)) => (Some(scene.quasi[column].name.clone()), inference),
            None => (None, Inference { exposure: Exposure::default(), largest: 0.0, draws: None }),
        };
        let Inference { exposure, largest, draws } = inference;
        let learned = match granted == Some(allowed) {
            true => "the value, with a probability above what the policy grants",
            false => "the value, with a probability above what the release admits to",
        };
        let prevented_by = "levels fixed beforehand (min-level and max-level), so that they tell nothing";
        let finding = exposure
            .finding(scene, self.id(), Some(setting.column), learned, prevented_by)
            .with("levels", levels)
            .with("lower", lower)
            .with("tried", tried)
            .with("admitted", claimed)
            .with("granted", granted)
            .with("m", (1.0 / allowed).floor())
            .with("largest_posterior", largest)
            .with("draws", draws);
        Some(finding)
    }
}

/// The largest share that a class of the release shows.
fn largest_share(scene: &Scene<'_>, column: usize) -> f64 {
    let share = |class: usize| {
        let members = scene.classes.class(class);
        members.counts(column).largest() as f64 / members.size() as f64
    };
    (0..scene.classes.len()).map(share).fold(0.0, f64::max)
}

/// P(somebody has s | some part of some class failed) = (P(s) - P(s and no part of the own class failed) times the
/// probability that none of any other class did) / P(some part failed). What the release claims, and the probability that is
/// allowed, say what counts.
fn infer(
    setting: &Setting<'_>,
    parts: &[Vec<u64>],
    worlds: &[(Vec<u32>, Worlds)],
    (claimed, allowed): (f64, f64),
) -> Inference {
    let others = products_of_others(worlds.iter().map(|(_, worlds)| worlds.all_good).collect());
    let failed = 1.0 - worlds.iter().map(|(_, worlds)| worlds.all_good).product::<f64>();
    let draws = worlds.iter().filter_map(|(_, worlds)| worlds.draws).min();
    let mut inference = Inference { exposure: Exposure::default(), largest: claimed, draws };
    // Where failing was impossible, this level is not why the release is as general as it is.
    if failed < 1e-9 {
        return inference;
    }
    for (class, (codes, known)) in worlds.iter().enumerate() {
        let members = setting.scene.classes.class(class);
        let counts = members.counts(setting.column).counts;
        let margin = known.draws.map_or(1e-9, |draws| 3.0 * (0.25 / draws as f64).sqrt() / failed);
        let (mut records, mut most, mut code) = (0, 0.0, 0);
        for (part, &size) in parts[class].iter().enumerate() {
            let posterior = |value: usize| {
                let share = counts[value] as f64 / members.size() as f64;
                (share - known.has_and_good[part][value] * others[class]) / failed
            };
            let (value, belief) =
                (0..codes.len()).map(|value| (value, posterior(value))).fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
            if belief > claimed + margin {
                inference.largest = inference.largest.max(belief);
            }
            if belief > allowed + margin {
                records += size;
                if belief > most {
                    (most, code) = (belief, codes[value]);
                }
            }
        }
        if records > 0 {
            inference.exposure.add(class, records, most, || Detail {
                figures: vec![("posterior", json!(most)), ("of_records", json!(members.size()))],
                value: setting.scene.columns[setting.column].value(code).to_owned(),
            });
        }
    }
    inference
}

/// For each factor, the product of all others.
fn products_of_others(factors: Vec<f64>) -> Vec<f64> {
    let mut products = vec![1.0; factors.len()];
    let mut before = 1.0;
    for (product, factor) in products.iter_mut().zip(&factors) {
        *product = before;
        before *= factor;
    }
    let mut after = 1.0;
    for (product, factor) in products.iter_mut().zip(&factors).rev() {
        *product *= after;
        after *= factor;
    }
    products
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_leave_one_out() {
        assert_eq!(products_of_others(vec![2.0, 3.0, 0.0]), [0.0, 0.0, 6.0]);
        assert_eq!(products_of_others(vec![0.5]), [1.0]);
    }
}

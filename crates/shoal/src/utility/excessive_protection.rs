//! By how much does a release protect more than a (tau,l) requirement asks?

use serde_json::Value;

use crate::attack::Scene;
use shoal_core::frequency::{EquivalenceClass, Induction};
use shoal_core::model::Requirement;

/// # Excessive protection
///
/// **Definition.** With F(k) the share of the k most frequent sensitive values of a class and psi(k) what the (tau,l) requirement
/// allows, a class is protected in excess by the sum over k of |psi(k) - F(k)|; the release by the smallest of its classes. It is
/// measured for each `tau-l-diversity` in the policy.
/// **How a release is read.** Generalized sensitive values count for those they cover, by the weights of the requirement.
/// **Range.** From 0, a class that uses all that is allowed, upwards. What is protected in excess has been paid for with utility.
/// **Example.** Shares 0.5, 0.25, 0.25 against (0.5, 3): F = psi = 0.5, 0.75, 1, so nothing. Shares of 1/3 each: 1/6 + 1/12.
/// **Reference.** Tian and Zhang, Extending l-diversity, Definition 8.
#[derive(Debug, Clone, PartialEq)]
pub struct ExcessiveProtection {
    /// The sensitive column.
    pub column: String,
    /// The tau of the requirement.
    pub tau: f64,
    /// Its l.
    pub l: u64,
    /// The smallest over all classes.
    pub smallest: f64,
}

impl ExcessiveProtection {
    /// Of every (tau,l) requirement of the policy.
    pub fn of_requirements(scene: &Scene<'_>) -> Vec<Self> {
        scene.requirements.iter().filter_map(|requirement| Self::of(scene, requirement)).collect()
    }

    fn of(scene: &Scene<'_>, requirement: &Requirement) -> Option<Self> {
        if !requirement.model.counts_generalized() {
            return None;
        }
        let name = requirement.column.as_ref()?;
        let place = scene.columns.iter().position(|column| column.name() == name)?;
        let (tau, l) = (requirement.parameters.get("tau")?.as_f64()?, requirement.parameters.get("l")?.as_u64()?);
        let column = &scene.columns[place];
        let weights = match requirement.parameters.get("weights") {
            Some(Value::Object(weights)) => {
                column.weights(|value| weights.get(value).and_then(Value::as_f64).unwrap_or(0.0))
            }
            _ => column.default_weights(),
        };
        let values = weights.iter().filter(|&&weight| weight > 0).count();
        let induction = match requirement.parameters.get("weights") {
            Some(Value::String(_)) => scene.classes.profile().released(place).by_shown().clone(),
            _ => column.induction(&weights),
        };
        let of_class = |class: usize| excess(&scene.classes.class(class), place, &induction, (tau, l), values);
        let smallest = (0..scene.classes.len()).map(of_class).min_by(f64::total_cmp)?;
        Some(Self { column: name.clone(), tau, l, smallest })
    }
}

fn excess(class: &EquivalenceClass<'_>, column: usize, induction: &Induction, (tau, l): (f64, u64), m: usize) -> f64 {
    let induced = induction.induce(class.counts(column));
    let mut counts = induced.counts.into_owned();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    excess_of(&counts, class.size() as f64 * induction.scale() as f64, tau, l, m)
}

/// From the counts of the values of a class, the largest first, and how many values there are at all.
fn excess_of(counts: &[u64], size: f64, tau: f64, l: u64, values: usize) -> f64 {
    let (mut cumulative, mut sum) = (0, 0.0);
    for k in 1..=values.max(counts.len()) {
        cumulative += counts.get(k - 1).copied().unwrap_or(0);
        let allowed = if k as u64 >= l { 1.0 } else { tau + (1.0 - tau) * (k - 1) as f64 / (l - 1) as f64 };
        sum += (allowed - cumulative as f64 / size).abs();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_class_uses_all_that_is_allowed() {
        assert_eq!(excess_of(&[2, 1, 1], 4.0, 0.5, 3, 4), 0.0);
    }

    #[test]
    fn equal_shares_are_more_than_was_asked() {
        let found = excess_of(&[1, 1, 1], 3.0, 0.5, 3, 4);
        assert!((found - (1.0 / 6.0 + 1.0 / 12.0)).abs() < 1e-12);
        // Beyond l, everything is allowed: five equal values, F = 0.2, 0.4, 0.6, 0.8, 1 against 0.5, 0.75, 1, 1, 1.
        let found = excess_of(&[1, 1, 1, 1, 1], 5.0, 0.5, 3, 5);
        assert!((found - (0.3 + 0.35 + 0.4 + 0.2)).abs() < 1e-12);
    }
}

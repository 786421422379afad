//! Do the most frequent sensitive values of a class, taken together, leave enough room for the others?

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::definition::NOT_SHOWN;
use super::step::{fewer, larger_share};
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::exact::Ratio;
use crate::frequency::{EquivalenceClass, Induction, Reads, SensitiveColumn, TableProfile};
use crate::{Error, Result};

/// # (tau,l)-diversity
///
/// **Definition.** With F(j) the share of the j most frequent sensitive values in an equivalence class: F(j) <= psi(j)
/// for every j, where psi rises in a straight line from `tau` at 1 to 1 at `l`. Generalized sensitive values
/// count for the values they cover, by their weights (induced frequencies).
/// **Protects against** guessing a person's value (F(1) <= `tau`), guessing two or three candidates, and ruling out all
/// but a few values.
/// **Does not protect against** skewness against the whole table or similarity; `tau = 1` accepts even a class with one
/// value, and a single record whose sensitive value is the root passes: combine it with k-anonymity. Where sensitive values
/// are generalized, `tau` bounds the guess of an attacker who spreads each over the values that it covers by these weights,
/// and nobody else's: see the example. The attack `minimality` of `shoal audit` tries two who know more.
/// **Parameters.** `column`; `tau`, above 0 and at most 1; `l`, a whole number of at least 2; `weights`, a table of
/// value = weight (by default 1 for every value that occurs in the input), or `"released"`: the number of released records
/// that show the value itself. None of a generalized value then counts for a value that no record shows; one that covers no
/// value shown counts evenly for all that it covers.
/// **Monotonicity.** Without suppression: F of a merged class is at most the weighted mean of its parts'.
/// **Example.** A class with shares 0.5, 0.25, 0.25 has F = 0.5, 0.75, 1 and is exactly (0.5,3)-diverse. The first class of the
/// paper's Figure 2(a) shows twice hemal disease (hepatitis or anemia), hepatitis, and phthisis: with equal weights, hepatitis
/// has (1 + 2/2)/4 = 0.5. The table shows hepatitis four times and anemia once: by that ratio it is (1 + 2 * 4/5)/4 = 0.65. And
/// whoever knows that only records with the most frequent value were generalized finds 3/4.
/// **People.** With `person`, everybody counts once, under as few values as possible: as many as have the most frequent
/// value under that, and so on until all are counted. However else each is counted under one of their values, no F(j) is
/// larger. Four people, of whom A has flu three times and asthma, B flu and diabetes, C flu, and D back pain, count as 3
/// and 1: F = 0.75, 1. Sensitive values cannot be generalized then.
/// **Reference.** Tian and Zhang, Extending l-diversity, Definitions 2 to 4.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TauLDiversity {
    /// The largest share of a class that its most frequent value may make up.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0), example = 0.5)]
    tau: f64,
    /// Fewer values than this never make up a whole class.
    #[schemars(range(min = 2), example = 3)]
    l: u64,
    /// How much of a generalized value counts for each value that it covers; by default, as much for every value that
    /// occurs in the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = [{ "hepatitis": 4, "anemia": 1 }]))]
    weights: Option<Weights>,
}

/// How much of a generalized value counts for each value that it covers.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "`weights` is a table that gives each value a number, or the word `released`")]
enum Weights {
    /// The weight of each value, with at most six decimals.
    #[schemars(extend("additionalProperties" = { "type": "number", "minimum": 0, "maximum": 1_000_000 }))]
    ByValue(BTreeMap<String, f64>),
    /// As the release says.
    Of(Table),
}

/// A table whose records tell weights.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Table {
    /// The number of released records that show the value itself.
    Released,
}

impl TauLDiversity {
    fn weights_by_value(&self) -> Option<&BTreeMap<String, f64>> {
        match &self.weights {
            Some(Weights::ByValue(weights)) => Some(weights),
            _ => None,
        }
    }
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    tau: f64,
    l: u64,
    /// How generalized values spread; none where the release tells.
    induction: Option<Induction>,
    /// May records show generalized values?
    is_generalized: bool,
    /// The weights by value, for the record.
    weights: Value,
}

impl Parameters for TauLDiversity {
    const ID: &'static str = "tau-l-diversity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        if !(self.tau > 0.0 && self.tau <= 1.0) {
            return Err(Complaint::new("tau", format!("`tau` must be above 0 and at most 1, not {}", self.tau)));
        }
        Complaint::unless_exact("tau", self.tau)?;
        Complaint::unless_at_least("l", self.l as f64, 2.0)?;
        let wrong = |weight: &&f64| !((0.0..=1e6).contains(*weight) && places(**weight).is_some());
        match self.weights_by_value().into_iter().flat_map(BTreeMap::values).find(wrong) {
            Some(weight) => Err(Complaint::new(
                "weights",
                format!("a weight must be between 0 and a million, with at most six decimals, not {weight}"),
            )),
            None => Ok(()),
        }
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        let column = subject.column();
        let (induction, weights) = match &self.weights {
            Some(Weights::ByValue(weights)) => {
                (Some(column.induction(&self.weights_by_code(weights, subject)?)), json!(weights))
            }
            Some(Weights::Of(table @ Table::Released)) => (None, json!(table)),
            None => {
                let weights = column.default_weights();
                (Some(column.induction(&weights)), named_weights(column, &weights))
            }
        };
        Ok(Box::new(Model {
            column: subject.index,
            name: column.name().to_owned(),
            tau: self.tau,
            l: self.l,
            induction,
            is_generalized: column.is_generalized(),
            weights,
        }))
    }

    fn warning(&self) -> Option<String> {
        (self.tau == 1.0).then(|| "`tau = 1` accepts even classes in which everybody has the same value".to_owned())
    }

    fn looser(&self) -> Vec<Self> {
        let by_tau = larger_share(self.tau).map(|tau| Self { tau, ..self.clone() });
        let by_l = fewer(self.l, 2).map(|l| Self { l, ..self.clone() });
        by_tau.into_iter().chain(by_l).collect()
    }

    fn audited(subject: Subject<'_>) -> Vec<Self> {
        (2..=subject.column().distinct().min(5) as u64).map(|l| Self { tau: 1.0, l, weights: None }).collect()
    }

    fn samples(_: Subject<'_>) -> Vec<Self> {
        let released = Some(Weights::Of(Table::Released));
        vec![
            Self { tau: 0.6, l: 2, weights: None },
            Self { tau: 0.7, l: 3, weights: None },
            Self { tau: 0.6, l: 3, weights: released },
        ]
    }
}

/// The weights by value, as a policy would write them.
fn named_weights(column: &SensitiveColumn, by_code: &[u64]) -> Value {
    let weighted = (0..column.leaves()).filter(|&leaf| by_code[leaf] > 0);
    weighted.map(|leaf| (column.value(leaf as u32).to_owned(), json!(by_code[leaf]))).collect::<Map<_, _>>().into()
}

impl TauLDiversity {
    /// The weights as whole numbers in the same proportions; a value that the policy leaves out has 0.
    fn weights_by_code(&self, weights: &BTreeMap<String, f64>, subject: Subject<'_>) -> Result<Vec<u64>> {
        let column = subject.column();
        let places = weights.values().filter_map(|&weight| places(weight)).max().unwrap_or(0);
        let names: Vec<String> = weights.keys().cloned().collect();
        let mut by_code = vec![0; column.leaves()];
        for (code, weight) in subject.codes("weights", &names)?.into_iter().zip(weights.values()) {
            if code == NOT_SHOWN {
                continue;
            }
            if code as usize >= column.leaves() {
                return Err(Error::policy(format!("`weights` names a generalized value of column `{}`", column.name()))
                    .hint("weigh the values it covers: what it counts for follows from theirs"));
            }
            by_code[code as usize] = (weight * 10f64.powi(places)).round() as u64;
        }
        let unweighted = (0..column.leaves()).filter(|&leaf| column.input_counts()[leaf] > 0 && by_code[leaf] == 0);
        match unweighted.count() {
            0 => Ok(by_code),
            count => Err(Error::policy(format!(
                "`weights` leaves out {count} of the values that occur in column `{}`",
                column.name()
            ))
            .hint("a weight of 0 would call a value impossible that somebody has")),
        }
    }
}

/// How many decimals a number was written with, if not more than six.
fn places(number: f64) -> Option<i32> {
    (0..=6).find(|&places| (number * 10f64.powi(places)).round() / 10f64.powi(places) == number)
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        format!("({}, {})-diversity of {}", self.tau, self.l, self.name)
    }

    fn promise(&self, known: &str) -> String {
        let Self { tau, l, name, .. } = self;
        let guesses = match l.saturating_sub(1) {
            0 | 1 => String::new(),
            guesses => format!(", and is not certain after {guesses} guesses"),
        };
        if !self.is_generalized {
            return format!(
                "Anyone who knows {known} guesses the record's {name} right with a probability of at most {tau}{guesses}."
            );
        }
        let spread = match (&self.induction, &self.weights) {
            (None, _) => "in the ratio in which the release shows these",
            (Some(_), Value::Object(weights)) if weights.values().all(|weight| *weight == 1) => "evenly",
            _ => "by the weights of the policy",
        };
        format!(
            "Whoever knows {known}, and takes a generalized {name} for one of the values that it covers, {spread}, guesses the \
             record's {name} right with a probability of at most {tau}{guesses}. Somebody who knows how values were \
             generalized may do better."
        )
    }

    /// Values of people are never generalized.
    fn promise_to_people(&self, known: &str) -> String {
        let Self { tau, l, name, .. } = self;
        let guesses = match l.saturating_sub(1) {
            0 | 1 => String::new(),
            guesses => format!(", and is not certain to have named one after {guesses} guesses"),
        };
        format!("Anyone who knows {known} names a {name} that the person has with a probability of at most {tau}{guesses}.")
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(Bound::at_most("tau", self.tau))
    }

    /// F(1) <= tau.
    fn largest_share(&self) -> Option<(usize, f64)> {
        Some((self.column, self.tau))
    }

    /// The smallest tau that would do: the largest of (F(j) - x) / (1 - x) with x = (j-1)/(l-1), over j < l.
    fn measure(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        let induction = self.induction.as_ref().unwrap_or_else(|| table.released(self.column).by_shown());
        let induced = induction.induce(class.counts(self.column));
        let mut counts = induced.counts.into_owned();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let size = u128::from(class.size()) * u128::from(induction.scale());
        let l = u128::from(self.l);
        let mut cumulative = 0;
        let mut needed = Ratio::ZERO;
        for j in 1..l {
            match counts.get(j as usize - 1) {
                Some(&count) => cumulative += u128::from(count),
                // F is 1 from here on, and asks for tau = 1 at every j < l.
                None => return OneOrTwo::One(Quantity::whole(1)),
            }
            let above = (cumulative * (l - 1)).saturating_sub((j - 1) * size);
            needed = needed.max(Ratio::new(above, (l - j) * size));
        }
        OneOrTwo::One(Quantity::Exact(needed))
    }
    /// The j most frequent of m values have a share of j/m at least, and psi(j) at most.
    fn fewest_values(&self) -> Option<(usize, u64)> {
        let psi = |j: u64| self.tau + (1.0 - self.tau) * (j - 1) as f64 / (self.l - 1) as f64;
        let needed = |j: u64| (j as f64 / psi(j) - 1e-9).ceil() as u64;
        let is_bound = self.tau < 1.0 && !self.is_generalized;
        is_bound.then(|| (self.column, (1..self.l).map(needed).fold(self.l, u64::max)))
    }

    fn counts_generalized(&self) -> bool {
        true
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::WithoutSuppression
    }

    /// F of a class is the weighted mean of its parts' at most, so psi(j) of the accepted and 1 of the failing.
    fn least_failing(&self, class: &EquivalenceClass<'_>, table: &TableProfile, suppressed: f64) -> f64 {
        if self.depends_on_release() && suppressed > 0.0 {
            return 0.0;
        }
        let OneOrTwo::One(needed) = self.measure(class, table) else { return 1.0 };
        class.size() as f64 * (needed.to_f64() - self.tau) / (1.0 - self.tau)
    }

    /// Which values the release shows, and how often, says what generalized ones count for.
    fn depends_on_release(&self) -> bool {
        self.induction.is_none() && self.is_generalized
    }

    /// A release with generalized sensitive values no longer shows which ones occurred.
    fn record(&self) -> Option<(&'static str, Value)> {
        Some(("weights", self.weights.clone()))
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        (self.tau < 1.0).then(|| table.most_classes_with_distinct(self.column, self.l))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_counted_as_written() {
        assert_eq!([1.0, 0.29, 0.3, 1.1, 12.345, 0.000_001].map(places), [0, 2, 1, 1, 3, 6].map(Some));
        assert_eq!(places(0.000_000_1), None);
        assert_eq!(places(1.0 / 3.0), None);
    }
}

//! Does seeing the release change an attacker's belief about anybody by too much?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::step::{larger_share, smaller_share};
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::Result;
use crate::exact::Ratio;
use crate::frequency::{EquivalenceClass, Induction, PeopleOfClass, Reads, TableProfile};

/// # Bayes-optimal privacy
///
/// **Definition.** Before the release, an attacker believes that a person has the value s with the share of s among all
/// released records; afterwards, with its share in the person's equivalence class. With `rho1` and `rho2`, no belief
/// below `rho1` rises above `rho2`, and none above 1 - `rho1` falls below 1 - `rho2`. With `difference`, no belief
/// changes by more than that.
/// **Protects against** skewness, homogeneity and negative disclosure: whatever somebody learns about one person, the
/// whole table tells nearly as well.
/// **Does not protect against** an attacker with another prior belief: one who knows how the sensitive column depends on
/// the quasi-identifiers, or something about the person. The attack `bayes-optimal` of `shoal audit` tries such priors.
/// **Parameters.** `column`; `rho1` and `rho2`, with 0 < `rho1` <= 0.5 and `rho1` <= `rho2` < 1; or `difference`, between 0
/// and 1. The prior is independent of the quasi-identifiers: with the table's own joint distribution, nothing is ever a
/// breach.
/// **Monotonicity.** Without suppression: what is believed before is then the same for every partition, and the share in a
/// merged class lies between the shares in its parts. (For beliefs in general nothing is promised: Theorem 5.1.)
/// **Example.** One record in a hundred is positive. With `rho1 = 0.1`, `rho2 = 0.5`, a class with 49 positive records of 50 is
/// a breach; one with 1 of 2 is not, since it does not exceed 0.5. Their differences are 0.97 and 0.49.
/// **People.** With `person`, beliefs are shares of people, each of whom counts once for each value that they have: in the
/// class for those in the class, in the whole for all of theirs. Of four people, of whom A has flu three times and asthma, B
/// flu and diabetes, C flu, and D back pain, three have flu. With two people in another class, one with gout and one with a
/// cold, three of six have it: that belief rises from 1/2 to 3/4, and none changes by more than 1/4. Where everybody in a class
/// has HIV, and nine values that all people have, the belief in HIV changes as much as if that was all they have.
/// **Reference.** Machanavajjhala et al. 2006, section 3; Evfimievski, Gehrke and Srikant 2003.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BayesOptimalPrivacy {
    /// Beliefs below this do not rise above `rho2`; the two go together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 0.5), extend("exclusiveMinimum" = 0), example = 0.1)]
    rho1: Option<f64>,
    /// Where beliefs below `rho1` may rise to; at least `rho1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1), example = 0.5)]
    rho2: Option<f64>,
    /// How far any belief may change, instead of `rho1` and `rho2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1), example = 0.3)]
    difference: Option<f64>,
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    limit: Limit,
    induction: Induction,
}

/// How far a belief may move.
#[derive(Debug, Clone, Copy)]
enum Limit {
    /// From below the first to above the second, or the same about the opposite.
    Breach { rho1: f64, rho2: f64 },
    /// By this much.
    Difference(f64),
}

impl BayesOptimalPrivacy {
    fn limit(&self) -> Result<Limit, Complaint> {
        match (self.rho1, self.rho2, self.difference) {
            (Some(rho1), Some(rho2), None) => {
                if !(rho1 > 0.0 && rho1 <= 0.5) {
                    return Err(Complaint::new("rho1", format!("`rho1` must be above 0 and at most 0.5, not {rho1}")));
                }
                if !(rho2 >= rho1 && rho2 < 1.0) {
                    return Err(Complaint::new("rho2", format!("`rho2` must be at least `rho1` and below 1, not {rho2}")));
                }
                Complaint::unless_exact("rho1", rho1)?;
                Complaint::unless_exact("rho2", rho2)?;
                Ok(Limit::Breach { rho1, rho2 })
            }
            (None, None, Some(difference)) => {
                Complaint::unless_within("difference", difference, 0.0..=1.0)?;
                Ok(Limit::Difference(difference))
            }
            _ => Err(Complaint::new("model", "beliefs are bounded by `rho1` and `rho2`, or by `difference`")
                .hint("rho1 = 0.1 and rho2 = 0.5: what was unlikely must not become likelier than not")),
        }
    }
}

impl Parameters for BayesOptimalPrivacy {
    const ID: &'static str = "bayes-optimal-privacy";
    const SCOPE: Scope = Scope::Column;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        self.limit().map(|_| ())
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        let column = subject.column();
        let limit = self.limit().map_err(|complaint| complaint.error)?;
        let induction = column.induction(&column.default_weights());
        Ok(Box::new(Model { column: subject.index, name: column.name().to_owned(), limit, induction }))
    }

    fn looser(&self) -> Vec<Self> {
        let some = |number: Option<f64>, step: fn(f64) -> Option<f64>| number.and_then(step);
        let by_rho2 = some(self.rho2, larger_share).map(|rho2| Self { rho2: Some(rho2), ..self.clone() });
        let by_rho1 = some(self.rho1, smaller_share).map(|rho1| Self { rho1: Some(rho1), ..self.clone() });
        let by_difference =
            some(self.difference, larger_share).map(|limit| Self { difference: Some(limit), ..self.clone() });
        by_rho2.into_iter().chain(by_rho1).chain(by_difference).collect()
    }

    fn audited(_: Subject<'_>) -> Vec<Self> {
        vec![Self { rho1: None, rho2: None, difference: Some(1.0) }]
    }

    fn samples(_: Subject<'_>) -> Vec<Self> {
        let breach = |rho1, rho2| Self { rho1: Some(rho1), rho2: Some(rho2), difference: None };
        let difference = |limit| Self { rho1: None, rho2: None, difference: Some(limit) };
        vec![breach(0.3, 0.5), breach(0.5, 0.75), breach(0.2, 0.25), difference(0.25), difference(0.4)]
    }
}

/// The shares of the values in a class and in the whole table, as counts over two totals.
struct Beliefs<'a> {
    codes: &'a [u32],
    counts: &'a [u64],
    total: u64,
    table: &'a crate::frequency::Distribution,
}

impl Beliefs<'_> {
    fn prior(&self, code: u32) -> Ratio {
        Ratio::new(self.table.counts()[code as usize].into(), self.table.total().into())
    }

    fn count(&self, code: u32) -> u64 {
        self.codes.binary_search(&code).map_or(0, |place| self.counts[place])
    }

    /// The largest change of a belief. Of the values that the class lacks, only the most frequent matters.
    fn largest_change(&self) -> Ratio {
        let (total, rows) = (u128::from(self.total), u128::from(self.table.total()));
        let change = |code: u32, count: u64| {
            let prior = u128::from(self.table.counts()[code as usize]);
            Ratio::new((u128::from(count) * rows).abs_diff(prior * total), total * rows)
        };
        let here = self.codes.iter().zip(self.counts).map(|(&code, &count)| change(code, count));
        let lacking = self.table.by_frequency().iter().find(|&&code| self.count(code) == 0);
        here.chain(lacking.map(|&code| change(code, 0))).max().unwrap_or(Ratio::ZERO)
    }

    /// The largest belief that was below `low` before; or disbelief, where the belief was above 1 - `low`.
    fn largest_after(&self, low: Ratio) -> Ratio {
        let risen = self.codes.iter().zip(self.counts).filter(|(code, _)| self.prior(**code) < low);
        let risen = risen.map(|(_, &count)| Ratio::new(count.into(), self.total.into()));
        // What nearly everybody has: at most one value where everybody has one.
        let common = self.table.by_frequency().iter().copied().take_while(|&code| {
            let others = self.table.total() - self.table.counts()[code as usize];
            Ratio::new(others.into(), self.table.total().into()) < low
        });
        let fallen = common.map(|code| Ratio::new((self.total - self.count(code)).into(), self.total.into()));
        risen.chain(fallen).max().unwrap_or(Ratio::ZERO)
    }
}

impl Limit {
    /// The quantity that it bounds.
    fn measured(self, beliefs: &Beliefs<'_>) -> OneOrTwo<Quantity> {
        OneOrTwo::One(Quantity::Exact(match self {
            Self::Breach { rho1, .. } => {
                beliefs.largest_after(Ratio::written(rho1).expect("parameters are checked to be exact"))
            }
            Self::Difference(_) => beliefs.largest_change(),
        }))
    }
}

impl Model {
    fn with_beliefs<T>(
        &self,
        class: &EquivalenceClass<'_>,
        table: &TableProfile,
        ask: impl FnOnce(&Beliefs<'_>) -> T,
    ) -> T {
        let induced = self.induction.induce(class.counts(self.column));
        ask(&Beliefs {
            codes: &induced.codes,
            counts: &induced.counts,
            total: class.size() * self.induction.scale(),
            table: table.released(self.column),
        })
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        match self.limit {
            Limit::Breach { rho1, rho2 } => format!("no ({rho1}, {rho2})-breach of {}", self.name),
            Limit::Difference(limit) => format!("beliefs about {} within {limit}", self.name),
        }
    }

    fn promise(&self, known: &str) -> String {
        let name = &self.name;
        match self.limit {
            Limit::Breach { rho1, rho2 } => format!(
                "When somebody who knows {known} looks it up, no belief about its {name} that was below {rho1} rises \
                 above {rho2}, and the opposite."
            ),
            Limit::Difference(limit) => format!(
                "When somebody who knows {known} looks it up, no belief about its {name} changes by more than {limit}."
            ),
        }
    }

    fn promise_to_people(&self, known: &str) -> String {
        let name = &self.name;
        let counted = "whatever else they have";
        match self.limit {
            Limit::Breach { rho1, rho2 } => format!(
                "When somebody who knows {known} looks it up, no belief that the person has some {name}, {counted}, that was below {rho1} \
                 rises above {rho2}, and the opposite."
            ),
            Limit::Difference(limit) => format!(
                "When somebody who knows {known} looks it up, no belief that the person has some {name}, {counted}, changes by more than {limit}."
            ),
        }
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(match self.limit {
            Limit::Breach { rho2, .. } => Bound::at_most("rho2", rho2),
            Limit::Difference(limit) => Bound::at_most("difference", limit),
        })
    }

    fn measure(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        self.with_beliefs(class, table, |beliefs| self.limit.measured(beliefs))
    }

    /// Each value counts once for everybody who has it: a belief is about one of them, whatever else somebody has.
    fn measure_people(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        let having = people.having_leaves(self.column, &self.induction);
        self.limit.measured(&Beliefs {
            codes: &having.codes,
            counts: &having.counts,
            total: people.count() * self.induction.scale(),
            table: table.released(self.column).having(),
        })
    }

    /// A share in a class is the weighted mean of its shares in the parts. Where no part exceeds a bound b on it (on its
    /// distance from the prior; on it or on its complement, if that was unlikely before), neither does the class. The prior
    /// is the share among all released records: while none is suppressed, it is the same however they are divided.
    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::WithoutSuppression
    }

    /// By the same mean, a class with x > b has at most b of it in accepted parts and at most 1 in failing ones: these have a
    /// share w of its records with x <= (1 - w) b + w. Leaving out a fraction f of all records moves a prior by f at most, and
    /// makes it at most 1/(1 - f) times as large: what was below rho1 (1 - f) is still unlikely afterwards.
    fn least_failing(&self, class: &EquivalenceClass<'_>, table: &TableProfile, suppressed: f64) -> f64 {
        let (most, bound) = match self.limit {
            Limit::Breach { rho1, rho2 } => {
                let low = if suppressed == 0.0 { rho1 } else { (rho1 * (1.0 - suppressed) - 1e-9).max(0.0) };
                let Some(low) = Ratio::written(low) else { return 0.0 };
                (self.with_beliefs(class, table, |beliefs| beliefs.largest_after(low)).to_f64(), rho2)
            }
            Limit::Difference(limit) => {
                let change = self.with_beliefs(class, table, |beliefs| beliefs.largest_change());
                (change.to_f64() - suppressed, limit)
            }
        };
        if bound < 1.0 { class.size() as f64 * (most - bound) / (1.0 - bound) } else { 0.0 }
    }

    fn depends_on_release(&self) -> bool {
        true
    }
}

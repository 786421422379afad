//! Is every class large enough, and no sensitive value too frequent in it?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::largest_part::{BILLION, largest_part};
use super::step::{fewer, larger_share};
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::Result;
use crate::exact::Ratio;
use crate::frequency::{EquivalenceClass, PeopleOfClass, Reads, TableProfile};

/// # (alpha,k)-anonymity
///
/// **Definition.** Every equivalence class holds at least `k` records, and each of the listed sensitive values
/// (all, if none are listed) makes up at most the fraction `alpha` of it.
/// **Protects against** linking a record to a person, and inferring a listed value with a confidence above `alpha`.
/// **Does not protect against** skewness below `alpha`, or similarity of the values.
/// **Parameters.** `column`; `alpha`, above 0 and at most 1; `k`, a whole number of at least 2; `values`, a list.
/// **Monotonicity.** Without suppression: a frequency in a merged class lies between those in its parts.
/// **Example.** With `alpha = 0.5`, `k = 4`, a class {flu, flu, cancer, cold} is accepted, {flu, flu, flu, cold} is not.
/// **People.** With `person`, `k` counts people, and a value counts once for everybody in the class who has it: of four
/// people, of whom A has flu three times and asthma, B flu and diabetes, C flu, and D back pain, three have flu, so that
/// k = 4 and alpha = 3/4.
/// **Reference.** Wong et al. 2006; Domingo-Ferrer and Torra 2008, section 4.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlphaKAnonymity {
    /// The largest share of a class that a value may make up.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0), example = 0.5)]
    alpha: f64,
    /// How many records a class holds at least.
    #[schemars(range(min = 2), example = 5)]
    k: u64,
    /// The values that are bounded; all of them, if this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1), example = vec!["Cancer"])]
    values: Option<Vec<String>>,
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    alpha: f64,
    k: u64,
    values: Option<Vec<u32>>,
    /// How many of a billion records of a class may have a value: alpha, or a little more.
    share: u64,
}

impl Parameters for AlphaKAnonymity {
    const ID: &'static str = "alpha-k-anonymity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        if !(self.alpha > 0.0 && self.alpha <= 1.0) {
            return Err(Complaint::new("alpha", format!("`alpha` must be above 0 and at most 1, not {}", self.alpha)));
        }
        Complaint::unless_exact("alpha", self.alpha)?;
        if self.values.as_ref().is_some_and(Vec::is_empty) {
            return Err(Complaint::new("values", "`values` lists nothing, so nothing would be bounded")
                .hint("leave it out to mean all values"));
        }
        Complaint::unless_at_least("k", self.k as f64, 2.0)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        subject.refuse_generalized(Self::ID)?;
        let values = self.values.as_ref().map(|values| subject.codes("values", values)).transpose()?;
        let name = subject.column().name().to_owned();
        let share = Ratio::written(self.alpha).map_or(BILLION, |alpha| alpha.ceil_of(BILLION));
        Ok(Box::new(Model { column: subject.index, name, alpha: self.alpha, k: self.k, values, share }))
    }

    fn warning(&self) -> Option<String> {
        (self.alpha == 1.0).then(|| "`alpha = 1` allows a class in which everybody has the same value".to_owned())
    }

    fn looser(&self) -> Vec<Self> {
        let by_alpha = larger_share(self.alpha).map(|alpha| Self { alpha, ..self.clone() });
        let by_k = fewer(self.k, 2).map(|k| Self { k, ..self.clone() });
        by_alpha.into_iter().chain(by_k).collect()
    }

    fn audited(_: Subject<'_>) -> Vec<Self> {
        vec![Self { alpha: 1.0, k: 2, values: None }]
    }

    fn samples(subject: Subject<'_>) -> Vec<Self> {
        let some: Vec<String> = subject.column().values().iter().take(2).cloned().collect();
        let values = Some(some).filter(|some| !some.is_empty());
        vec![Self { alpha: 0.5, k: 3, values: None }, Self { alpha: 0.4, k: 2, values }]
    }
}

impl Model {
    fn is_meant(&self, code: u32) -> bool {
        self.values.as_ref().is_none_or(|values| values.contains(&code))
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        format!("({}, {})-anonymity of {}", self.alpha, self.k, self.name)
    }

    fn promise(&self, known: &str) -> String {
        let Self { alpha, k, name, values, .. } = self;
        let which = if values.is_some() { ", where it is one of the listed values," } else { "" };
        format!(
            "Anyone who knows {known} finds at least {k} records that look the same, and guesses the record's {name}{which} \
             right with a probability of at most {alpha}."
        )
    }

    fn promise_to_people(&self, known: &str) -> String {
        let Self { alpha, k, name, values, .. } = self;
        let which = if values.is_some() { " of the listed ones" } else { "" };
        format!(
            "Anyone who knows {known} finds at least {k} different people with records that look the same, and names a {name}{which} \
             that the person has with a probability of at most {alpha}."
        )
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::Two(Bound::at_most("alpha", self.alpha), Bound::at_least("k", self.k as f64))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        let counts = class.counts(self.column);
        let largest = counts.iter().filter(|&(code, _)| self.is_meant(code)).map(|(_, count)| count).max().unwrap_or(0);
        OneOrTwo::Two(Quantity::ratio(largest, class.size()), Quantity::whole(class.size()))
    }

    /// A value counts once for everybody who has it: its share is that of the people who do.
    fn measure_people(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        self.measure(&people.having(), table)
    }

    /// The share of a value is the weighted mean of its shares in the parts: in all accepted ones as one, it is at most alpha. Where
    /// fewer than k records could be such a part, none is.
    fn least_failing(&self, class: &EquivalenceClass<'_>, _: &TableProfile, _: f64) -> f64 {
        let counts = class.counts(self.column);
        let limits: Vec<(u64, u64)> =
            counts.iter().filter(|&(code, _)| self.is_meant(code)).map(|(_, count)| (count, self.share)).collect();
        let unlimited = class.size() - limits.iter().map(|limit| limit.0).sum::<u64>();
        let largest = largest_part(class.size(), &limits, BILLION, unlimited, (1, 1));
        (class.size() - if largest < self.k { 0 } else { largest }) as f64
    }

    fn largest_share(&self) -> Option<(usize, f64)> {
        self.values.is_none().then_some((self.column, self.alpha))
    }

    fn hides_identity(&self) -> bool {
        true
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::WithoutSuppression
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        let by_size = table.rows() / self.k;
        if self.values.is_some() {
            return Some(by_size);
        }
        // Frequencies of at most alpha add up to 1 only with 1/alpha values or more.
        let values = (1.0 / self.alpha - 1e-9).ceil() as u64;
        Some(by_size.min(table.most_classes_with_distinct(self.column, values)))
    }
}

//! Are the sensitive values of every class spread evenly enough?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::step::less;
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::Result;
use crate::frequency::{Counts, EquivalenceClass, Reads, TableProfile};

/// # Entropy l-diversity
///
/// **Definition.** The entropy of the sensitive values in every equivalence class is at least log(`l`): the
/// class is as uncertain as one with `l` equally frequent values.
/// **Protects against** homogeneity, and against ruling out few values: no value can be very frequent.
/// **Does not protect against** skewness against the whole table, or similarity of the values.
/// **Parameters.** `column`; `l`, a number of at least 1. It cannot exceed what the whole table has: a table in
/// which nine of ten patients share a value allows only a small `l`.
/// **Monotonicity.** Without suppression: entropy is concave, so two classes that reach log(`l`) merge to one
/// that does; merging with a class that does not reach it can fail.
/// **Example.** Counts 2, 1, 1 have the entropy 1.5 log 2: the class is entropy 2.83-diverse.
/// **People.** With `person`, everybody counts once, under as few values as possible: as many as have the most frequent
/// value under that, and so on until all are counted. However else each is counted under one of their values, the entropy
/// is not smaller. Four people, of whom A has flu three times and asthma, B flu and diabetes, C flu, and D back pain, count as
/// 3 and 1: l = 4 / 3^(3/4) = 1.755.
/// **Reference.** Machanavajjhala et al. 2006, Definition 4.1 and Theorem 5.2.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntropyLDiversity {
    /// How many equally frequent values would leave as much doubt as a class has to.
    #[schemars(range(min = 1), example = 2.5)]
    l: f64,
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    l: f64,
}

impl Parameters for EntropyLDiversity {
    const ID: &'static str = "entropy-l-diversity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        Complaint::unless_at_least("l", self.l, 1.0)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        subject.refuse_generalized(Self::ID)?;
        Ok(Box::new(Model { column: subject.index, name: subject.column().name().to_owned(), l: self.l }))
    }

    fn warning(&self) -> Option<String> {
        (self.l == 1.0).then(|| "`l = 1` accepts even classes in which everybody has the same value".to_owned())
    }

    /// Below 1.5 hardly anything is asked.
    fn looser(&self) -> Vec<Self> {
        less(self.l, 1.5).map(|l| Self { l }).into_iter().collect()
    }

    fn audited(_: Subject<'_>) -> Vec<Self> {
        vec![Self { l: 2.0 }]
    }

    fn samples(_: Subject<'_>) -> Vec<Self> {
        vec![Self { l: 1.5 }, Self { l: 2.0 }, Self { l: 3.0 }]
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        format!("entropy {}-diversity of {}", self.l, self.name)
    }

    fn promise(&self, known: &str) -> String {
        let Self { l, name, .. } = self;
        format!("Anyone who knows {known} is as unsure of the record's {name} as if {l} values were equally likely, or more.")
    }

    fn promise_to_people(&self, known: &str) -> String {
        let Self { l, name, .. } = self;
        format!(
            "Anyone who knows {known} is as unsure which {name} the person has as if {l} values were equally likely, or more, even \
             where everybody with several is counted under the most common of theirs."
        )
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(Bound::at_least("l", self.l))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        OneOrTwo::One(Quantity::ExpOf(entropy(class.counts(self.column), class.size())))
    }

    /// Entropy is concave: that of a class is at least the weighted mean of its parts', of which the accepted reach
    /// log l and the failing at least 0.
    fn least_failing(&self, class: &EquivalenceClass<'_>, _: &TableProfile, _: f64) -> f64 {
        class.size() as f64 * (1.0 - entropy(class.counts(self.column), class.size()) / self.l.ln())
    }
    fn fewest_values(&self) -> Option<(usize, u64)> {
        Some((self.column, whole_values_for(self.l)))
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::WithoutSuppression
    }

    /// Who has several values in one class may be counted under another in the merged one, so that it can be less even than both: three
    /// values of which four of six people have each are 4 and 2 of them, those of 16, 2 and 2 of twenty as they are, both more even than l = 1.88;
    /// of all as one they are 20 and 6, l = 1.72.
    fn monotonicity_of_people(&self) -> Monotonicity {
        Monotonicity::Never
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        Some(table.most_classes_with_distinct(self.column, whole_values_for(self.l)))
    }
}

/// The entropy of the counts, in natural units: log n minus the mean of log count.
fn entropy(counts: Counts<'_>, size: u64) -> f64 {
    if counts.distinct() == 1 {
        return 0.0;
    }
    let size = size as f64;
    let sum: f64 = counts.counts.iter().map(|&count| count as f64 * (count as f64).ln()).sum();
    (size.ln() - sum / size).max(0.0)
}

/// At least this many distinct values are needed for an entropy of log(l).
fn whole_values_for(l: f64) -> u64 {
    (l * (1.0 - 1e-9)).ceil() as u64
}

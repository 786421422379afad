//! Is every class large enough, and does it hold enough different values of every sensitive column?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::distinct_l_diversity::nothing_for_all;
use super::step::fewer;
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::frequency::{EquivalenceClass, Reads, TableProfile};
use crate::{Error, Result};

/// # p-sensitive k-anonymity
///
/// **Definition.** Every equivalence class holds at least `k` records and, of every sensitive column, at least `p`
/// distinct values.
/// **Protects against** linking a record to a person, and homogeneity in any sensitive column.
/// **Does not protect against** skewness, similarity, or an attacker who can rule out `p - 1` values.
/// **Parameters.** `k`, a whole number of at least 2; `p`, a whole number from 1 to `k`.
/// **Monotonicity.** Always: merging classes only makes them larger and adds values.
/// **Example.** With `k = 3` and `p = 2`, a class of three patients has two conditions or more.
/// **People.** With `person`, `k` counts people, and values are counted as by distinct l-diversity: added up from the one
/// that most people have until they are as many as there are people. Of four people, of whom A has flu three times and
/// asthma, B flu and diabetes, C flu, and D back pain, three have flu, and with one more value the sum is four: k = 4, p
/// = 2.
/// **Reference.** Truta and Vinay 2006; Domingo-Ferrer and Torra 2008, section 3.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PSensitiveKAnonymity {
    /// How many records a class holds at least.
    #[schemars(range(min = 2), example = 5)]
    k: u64,
    /// How many different values of every sensitive column a class holds at least; no more than `k`.
    #[schemars(range(min = 1), example = 2)]
    p: u64,
}

impl Parameters for PSensitiveKAnonymity {
    const ID: &'static str = "p-sensitive-k-anonymity";
    const SCOPE: Scope = Scope::Table;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        Complaint::unless_at_least("k", self.k as f64, 2.0)?;
        Complaint::unless_within("p", self.p as f64, 1.0..=self.k as f64)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        if subject.columns.is_empty() {
            return Err(Error::policy("`p-sensitive-k-anonymity` needs a sensitive column, and the policy has none")
                .hint("give a column `role = \"sensitive\"`, or require `k-anonymity` instead"));
        }
        for index in 0..subject.columns.len() {
            Subject { index, ..subject }.refuse_generalized(Self::ID)?;
        }
        Ok(Box::new(self.clone()))
    }

    fn looser(&self) -> Vec<Self> {
        let by_p = fewer(self.p, 1).map(|p| Self { p, ..self.clone() });
        let by_k = fewer(self.k, self.p.max(2)).map(|k| Self { k, ..self.clone() });
        by_p.into_iter().chain(by_k).collect()
    }

    fn audited(subject: Subject<'_>) -> Vec<Self> {
        if subject.columns.is_empty() { vec![] } else { vec![Self { k: 2, p: 2 }] }
    }

    fn samples(subject: Subject<'_>) -> Vec<Self> {
        if subject.columns.is_empty() { vec![] } else { vec![Self { k: 3, p: 2 }, Self { k: 4, p: 3 }] }
    }
}

impl PrivacyModel for PSensitiveKAnonymity {
    fn name(&self) -> String {
        format!("{}-sensitive {}-anonymity", self.p, self.k)
    }

    fn promise(&self, known: &str) -> String {
        let Self { k, p } = self;
        format!(
            "Anyone who knows {known} finds at least {k} records that look the same, with at least {p} different values in \
             every sensitive column."
        )
    }

    fn promise_to_people(&self, known: &str) -> String {
        let Self { k, p } = self;
        let values = nothing_for_all("value of a sensitive column", *p).replace("values of value of a", "values of a");
        format!("Anyone who knows {known} finds at least {k} different people with records that look the same; and {values}")
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::Two(Bound::at_least("k", self.k as f64), Bound::at_least("p", self.p as f64))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        let fewest = (0..class.sensitive_columns()).map(|column| class.distinct(column)).min().unwrap_or(0);
        OneOrTwo::Two(Quantity::whole(class.size()), Quantity::whole(fewest))
    }

    fn reads(&self, sensitive_columns: usize) -> Vec<Reads> {
        (0..sensitive_columns).map(|column| Reads::Distinct { column, most: self.p }).collect()
    }

    fn hides_identity(&self) -> bool {
        true
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::Always
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        let by_values = table.columns().map(|column| table.most_classes_with_distinct(column, self.p)).min();
        Some(by_values.unwrap_or(u64::MAX).min(table.rows() / self.k))
    }
}

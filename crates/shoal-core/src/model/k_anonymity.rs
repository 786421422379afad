//! Is every record hidden among enough others?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::step::fewer;
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::Result;
use crate::frequency::{EquivalenceClass, PeopleOfClass, Reads, TableProfile};

/// # k-anonymity
///
/// **Definition.** Every equivalence class holds at least `k` records: whoever knows the quasi-identifiers of
/// one finds at least `k` that look the same. Without `person`, records are counted, and of somebody who has several, all may be in one class.
/// **Protects against** linking a record to a person (identity disclosure).
/// **Does not protect against** learning the sensitive value: if all records of a class share it, it is
/// known without telling them apart (homogeneity), and knowledge about the person can rule out the others; nor, without `person`, that all `k` are one person's.
/// **Parameters.** `k`, a whole number of at least 2.
/// **Monotonicity.** Always: merging classes only makes them larger.
/// **Example.** In a 4-anonymous table, somebody who knows a patient's zip code, age and nationality is left
/// with at least four records.
/// **People.** With `person`, every class holds records of at least `k` different people, however many records each has
/// in it. Eight records of four people: k = 4.
/// **Reference.** Samarati and Sweeney 1998; Machanavajjhala et al. 2006, Definition 2.2.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KAnonymity {
    /// How many records a class holds at least.
    #[schemars(range(min = 2), example = 5)]
    k: u64,
}

impl Parameters for KAnonymity {
    const ID: &'static str = "k-anonymity";
    const SCOPE: Scope = Scope::Table;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        Complaint::unless_at_least("k", self.k as f64, 2.0).map_err(|complaint| {
            complaint.hint("k = 1 would promise nothing: every record is hidden among at least itself")
        })
    }

    fn resolve(&self, _: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        Ok(Box::new(self.clone()))
    }

    fn looser(&self) -> Vec<Self> {
        fewer(self.k, 2).map(|k| Self { k }).into_iter().collect()
    }

    fn audited(_: Subject<'_>) -> Vec<Self> {
        vec![Self { k: 2 }]
    }

    fn samples(_: Subject<'_>) -> Vec<Self> {
        vec![Self { k: 2 }, Self { k: 5 }]
    }
}

impl PrivacyModel for KAnonymity {
    fn name(&self) -> String {
        format!("{}-anonymity", self.k)
    }

    fn promise(&self, known: &str) -> String {
        format!("Anyone who knows {known} finds at least {} records that look the same, and cannot tell which one it is.", self.k)
    }

    fn promise_to_people(&self, known: &str) -> String {
        format!(
            "Anyone who knows {known} finds at least {} different people with records that look the same, and cannot tell which of \
             them it is.",
            self.k
        )
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(Bound::at_least("k", self.k as f64))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        OneOrTwo::One(Quantity::whole(class.size()))
    }

    fn measure_people(&self, people: &PeopleOfClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        OneOrTwo::One(Quantity::whole(people.count()))
    }

    fn at_a_glance(&self, class: &EquivalenceClass<'_>) -> Option<bool> {
        Some(class.size() >= self.k)
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        Vec::new()
    }

    /// People stand behind all sensitive columns.
    fn reads_of_people(&self, sensitive_columns: usize) -> Vec<Reads> {
        vec![Reads::Distinct { column: sensitive_columns, most: self.k }]
    }

    fn hides_identity(&self) -> bool {
        true
    }

    fn is_about_size(&self) -> bool {
        true
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::Always
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        Some(table.rows() / self.k)
    }
}

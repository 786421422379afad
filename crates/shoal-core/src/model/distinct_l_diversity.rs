//! Does every class hold enough different sensitive values?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::step::fewer;
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::Result;
use crate::frequency::{EquivalenceClass, Reads, TableProfile};

/// # Distinct l-diversity
///
/// **Definition.** Every equivalence class holds at least `l` distinct values of the sensitive column.
/// **Protects against** the homogeneity attack: no class gives its value away by itself.
/// **Does not protect against** skewness (one value may still make up 99% of a class), similarity
/// (the values may all be stomach diseases), or an attacker who can rule out `l - 1` values.
/// **Parameters.** `column`; `l`, a whole number of at least 2.
/// **Monotonicity.** Always: merging classes can only add values.
/// **Example.** A class {flu, flu, cancer} is distinct 2-diverse.
/// **People.** With `person`, no `l - 1` values are such that they could name one for everybody: values are added up from
/// the one that most people have until they are as many as there are people. Of four people, of whom A has flu three
/// times and asthma, B flu and diabetes, C flu, and D back pain, three have flu, and with one more value the sum is four:
/// l = 2.
/// **Reference.** Machanavajjhala et al. 2006, section 4; Li et al. 2007, section 2.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistinctLDiversity {
    /// How many different sensitive values a class holds at least.
    #[schemars(range(min = 2), example = 3)]
    l: u64,
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    l: u64,
}

impl Parameters for DistinctLDiversity {
    const ID: &'static str = "distinct-l-diversity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        Complaint::unless_at_least("l", self.l as f64, 2.0)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        subject.refuse_generalized(Self::ID)?;
        Ok(Box::new(Model { column: subject.index, name: subject.column().name().to_owned(), l: self.l }))
    }

    fn looser(&self) -> Vec<Self> {
        fewer(self.l, 2).map(|l| Self { l }).into_iter().collect()
    }

    fn audited(_: Subject<'_>) -> Vec<Self> {
        vec![Self { l: 2 }]
    }

    fn samples(_: Subject<'_>) -> Vec<Self> {
        vec![Self { l: 2 }, Self { l: 3 }]
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        format!("distinct {}-diversity of {}", self.l, self.name)
    }

    fn promise(&self, known: &str) -> String {
        let Self { l, name, .. } = self;
        format!("Anyone who knows {known} is left with at least {l} different values of {name} that the record could have.")
    }

    fn promise_to_people(&self, known: &str) -> String {
        format!("Anyone who knows {known} cannot say what the person has: {}", nothing_for_all(&self.name, self.l))
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(Bound::at_least("l", self.l as f64))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        OneOrTwo::One(Quantity::whole(class.distinct(self.column)))
    }

    fn at_a_glance(&self, class: &EquivalenceClass<'_>) -> Option<bool> {
        Some(class.distinct(self.column) >= self.l)
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Distinct { column: self.column, most: self.l }]
    }

    fn fewest_values(&self) -> Option<(usize, u64)> {
        Some((self.column, self.l))
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::Always
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        Some(table.most_classes_with_distinct(self.column, self.l))
    }
}

/// No few values are enough to name one that each of the people in a class has.
pub(super) fn nothing_for_all(name: &str, values: u64) -> String {
    match values {
        0..=2 => format!("no {name} is one that everybody has whose records look the same."),
        _ => format!(
            "for any {} values of {name}, some of the people whose records look the same have none of them.",
            values - 1
        ),
    }
}

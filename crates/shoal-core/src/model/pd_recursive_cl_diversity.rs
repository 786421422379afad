//! Is recursive diversity kept for the values that must not be disclosed?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::recursive_cl_diversity::{
    bounded_guess, bounded_guess_of_people, check_c_and_l, excess, promise_to_people_with, smallest_c,
};
use super::step::{fewer, larger_factor};
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::Result;
use crate::frequency::{EquivalenceClass, PeopleOfClass, Reads, TableProfile};

/// # Positive disclosure-recursive (c,l)-diversity
///
/// **Definition.** Recursive (c,l)-diversity for all values but those that may be disclosed, such as `Healthy`. With ry
/// the largest count in a class of a value that may not: ry < c (size - ry - the `l - 2` largest counts of the other values). A class without such a value
/// satisfies it, and with `l = 1` it always holds.
/// **Protects against** what recursive (c,l)-diversity does, for all values but the disclosable ones.
/// **Does not protect against** learning a disclosable value, skewness, or similarity.
/// **Parameters.** `column`; `c`, a number above 0; `l`, a whole number of at least 1; `disclosable`, a list of values.
/// **Monotonicity.** Without suppression; of people none, where `l` is above 3 and more than one value is disclosable.
/// **Example.** Counts healthy 8, flu 2, cancer 1 fail recursive (2,2)-diversity (8 is not below 2 * 3) but satisfy
/// pd-recursive (2,2)-diversity with healthy disclosable: 2 is below 2 * (11 - 2).
/// **People.** With `person`, a value counts once for everybody in the class who has it, and the size is the number of
/// people. Of four people, of whom A has flu three times and asthma, B flu and diabetes, C flu, and D back pain, three
/// have flu; with flu disclosable, ry is 1, and (c,2) holds for every c above 1 / (4 - 1).
/// **Reference.** Machanavajjhala et al. 2006, Definition 4.3.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PdRecursiveClDiversity {
    /// The most frequent value that may not be disclosed occurs less than `c` times as often as what is left without it
    /// and without the `l - 2` most frequent others.
    #[schemars(extend("exclusiveMinimum" = 0), example = 3)]
    c: f64,
    /// An attacker may rule out `l - 2` values.
    #[schemars(range(min = 1), example = 3)]
    l: u64,
    /// Values that may be learned, such as `Healthy`.
    #[schemars(example = vec!["Healthy"])]
    disclosable: Vec<String>,
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    c: f64,
    l: u64,
    disclosable: Vec<u32>,
}

impl Parameters for PdRecursiveClDiversity {
    const ID: &'static str = "pd-recursive-cl-diversity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        check_c_and_l("c", self.c, self.l)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        subject.refuse_generalized(Self::ID)?;
        let disclosable = subject.codes("disclosable", &self.disclosable)?;
        let name = subject.column().name().to_owned();
        Ok(Box::new(Model { column: subject.index, name, c: self.c, l: self.l, disclosable }))
    }

    fn looser(&self) -> Vec<Self> {
        let by_l = fewer(self.l, 2).map(|l| Self { l, ..self.clone() });
        let by_c = larger_factor(self.c).map(|c| Self { c, ..self.clone() });
        by_l.into_iter().chain(by_c).collect()
    }

    fn samples(subject: Subject<'_>) -> Vec<Self> {
        let first = |values: usize| subject.column().values().iter().take(values).cloned().collect();
        let sample = |c, l, values| Self { c, l, disclosable: first(values) };
        vec![sample(2.0, 2, 1), sample(1.0, 3, 1), sample(2.0, 4, 2)]
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        format!("pd-recursive ({}, {})-diversity of {}", self.c, self.l, self.name)
    }

    fn promise(&self, known: &str) -> String {
        bounded_guess(known, &self.name, " that must stay secret", self.c, self.l)
    }

    fn promise_to_people(&self, known: &str) -> String {
        bounded_guess_of_people(known, &self.name, " that must stay secret", self.c, self.l)
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(Bound::below("c", self.c))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        let may_be_disclosed = |code| self.disclosable.contains(&code);
        OneOrTwo::One(smallest_c(class.counts(self.column), class.size(), self.l, may_be_disclosed))
    }

    /// A value counts once for everybody who has it: its share is that of the people who do.
    fn measure_people(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        self.measure(&people.having(), table)
    }

    fn least_failing(&self, class: &EquivalenceClass<'_>, _: &TableProfile, _: f64) -> f64 {
        let may_be_disclosed = |code| self.disclosable.contains(&code);
        excess(class.counts(self.column), class.size(), self.c, self.l, may_be_disclosed)
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::WithoutSuppression
    }

    fn monotonicity_of_people(&self) -> Monotonicity {
        promise_to_people_with(self.l, self.disclosable.len())
    }
}

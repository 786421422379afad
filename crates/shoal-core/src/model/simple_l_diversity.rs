//! Is no sensitive value more frequent in a class than one in l?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::largest_part::{BILLION, largest_part};
use super::step::less;
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::Result;
use crate::exact::Ratio;
use crate::frequency::{EquivalenceClass, PeopleOfClass, Reads, TableProfile};

/// # Simple l-diversity
///
/// **Definition.** The most frequent sensitive value of every equivalence class makes up at most 1/`l` of it.
/// **Protects against** homogeneity: the best guess at a person's value is right with a probability of at most 1/`l`.
/// **Does not protect against** learning that a value is one of two (they may make up 90% of a class together),
/// skewness, or similarity.
/// **Parameters.** `column`; `l`, a number of at least 1. It is (alpha,k)-anonymity's alpha = 1/`l` for all values.
/// **Monotonicity.** Without suppression: a frequency in a merged class lies between those in its parts.
/// **Example.** A class with hepatitis 5, phthisis 4, anemia 1 is simple 2-diverse.
/// **People.** With `person`, a value counts once for everybody in the class who has it, and shares are those of people:
/// of four people, of whom A has flu three times and asthma, B flu and diabetes, C flu, and D back pain, three have flu,
/// so that l = 4/3.
/// **Reference.** Xiao and Tao 2006; Tian and Zhang 2009, section I.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimpleLDiversity {
    /// No sensitive value makes up more than 1/`l` of a class.
    #[schemars(range(min = 1), example = 3)]
    l: f64,
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    l: f64,
    /// l, or a little less, in billionths.
    billionths: u64,
}

impl Parameters for SimpleLDiversity {
    const ID: &'static str = "simple-l-diversity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        Complaint::unless_at_least("l", self.l, 1.0)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        subject.refuse_generalized(Self::ID)?;
        let name = subject.column().name().to_owned();
        let billionths = Ratio::written(self.l).map_or(BILLION, |l| l.floor_of(BILLION));
        Ok(Box::new(Model { column: subject.index, name, l: self.l, billionths }))
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
        vec![Self { l: 1.5 }, Self { l: 2.0 }]
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        format!("simple {}-diversity of {}", self.l, self.name)
    }

    fn promise(&self, known: &str) -> String {
        let Self { l, name, .. } = self;
        format!("Anyone who knows {known} guesses the record's {name} right with a probability of at most 1 in {l}.")
    }

    fn promise_to_people(&self, known: &str) -> String {
        let Self { l, name, .. } = self;
        format!("Anyone who knows {known} names a {name} that the person has with a probability of at most 1 in {l}.")
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(Bound::at_least("l", self.l))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        OneOrTwo::One(Quantity::ratio(class.size(), class.counts(self.column).largest()))
    }

    /// A value counts once for everybody who has it: its share is that of the people who do.
    fn measure_people(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        self.measure(&people.having(), table)
    }

    /// The share of a value is the weighted mean of its shares in the parts: in all accepted ones as one, it is at most 1/l.
    fn least_failing(&self, class: &EquivalenceClass<'_>, _: &TableProfile, _: f64) -> f64 {
        let limits: Vec<(u64, u64)> = class.counts(self.column).iter().map(|(_, count)| (count, BILLION)).collect();
        (class.size() - largest_part(class.size(), &limits, self.billionths, 0, (1, 1))) as f64
    }

    fn largest_share(&self) -> Option<(usize, f64)> {
        Some((self.column, 1.0 / self.l))
    }

    fn fewest_values(&self) -> Option<(usize, u64)> {
        Some((self.column, self.l.ceil() as u64))
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::WithoutSuppression
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        Some(table.most_classes_with_distinct(self.column, self.l.ceil() as u64))
    }
}

//! Is recursive diversity kept, and can no class rule out the values that must stay possible?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::recursive_cl_diversity::{
    bounded_guess, bounded_guess_of_people, check_c_and_l, excess, promise_to_people_with, smallest_c,
};
use super::step::{fewer, larger_factor, smaller_share};
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::exact::Ratio;
use crate::frequency::{EquivalenceClass, PeopleOfClass, Reads, TableProfile};
use crate::{Error, Result};

/// # Negative/positive disclosure-recursive (c1,c2,l)-diversity
///
/// **Definition.** Pd-recursive (`c1`,`l`)-diversity, and each guarded value makes up at least `c2` percent of every
/// equivalence class.
/// **Protects against** what pd-recursive diversity does, and against learning that a person does *not* have a guarded
/// value (negative disclosure).
/// **Does not protect against** learning a disclosable value, skewness, or similarity.
/// **Parameters.** `column`; `c1`, a number above 0; `c2`, a percentage below 100; `l`, a whole number of at
/// least 1; `disclosable` and `guarded`, lists of values; a guarded value must occur in the table.
/// **Monotonicity.** Without suppression; of people none, where `l` is above 3 and more than one value is disclosable.
/// **Example.** Guarding cancer with `c2 = 10` asks for one cancer patient among every ten in each class.
/// **People.** With `person`, a value counts once for everybody in the class who has it, and the size is the number of
/// people. Of four people, of whom A has flu three times and asthma, B flu and diabetes, C flu, and D back pain, a
/// quarter have back pain: guarded, it allows a `c2` of up to 25.
/// **Reference.** Machanavajjhala et al. 2006, Definition 4.4 and Theorem 5.3.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NpdRecursiveClDiversity {
    /// The most frequent value that may not be disclosed occurs less than `c1` times as often as what is left without it
    /// and without the `l - 2` most frequent others.
    #[schemars(extend("exclusiveMinimum" = 0), example = 3)]
    c1: f64,
    /// The percentage of a class that every guarded value makes up at least.
    #[schemars(range(min = 0), extend("exclusiveMaximum" = 100), example = 10)]
    c2: f64,
    /// An attacker may rule out `l - 2` values.
    #[schemars(range(min = 1), example = 3)]
    l: u64,
    /// Values that may be learned, such as `Healthy`.
    #[serde(default)]
    #[schemars(example = vec!["Healthy"])]
    disclosable: Vec<String>,
    /// Values that no class may rule out.
    #[schemars(example = vec!["Cancer"])]
    guarded: Vec<String>,
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    c1: f64,
    c2: f64,
    l: u64,
    disclosable: Vec<u32>,
    guarded: Vec<u32>,
}

impl Parameters for NpdRecursiveClDiversity {
    const ID: &'static str = "npd-recursive-cl-diversity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        check_c_and_l("c1", self.c1, self.l)?;
        if !(0.0..100.0).contains(&self.c2) {
            return Err(Complaint::new("c2", format!("`c2` is a percentage of at least 0 and below 100, not {}", self.c2)));
        }
        Complaint::unless_exact("c2", self.c2)?;
        if self.guarded.len() as f64 * self.c2 > 100.0 {
            let each = format!("{} guarded values cannot each make up {}% of a class", self.guarded.len(), self.c2);
            return Err(Complaint::new("c2", each));
        }
        Ok(())
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        subject.refuse_generalized(Self::ID)?;
        let guarded = subject.codes("guarded", &self.guarded)?;
        let occurs = |code: &u32| subject.is_release || subject.column().input_counts()[*code as usize] > 0;
        if let Some(place) = guarded.iter().position(|code| !occurs(code)) {
            let column = subject.column().name();
            return Err(Error::table(format!("entry {} of `guarded` does not occur in column `{column}`", place + 1))
                .hint("no release can show a value that the table lacks: remove it"));
        }
        Ok(Box::new(Model {
            column: subject.index,
            name: subject.column().name().to_owned(),
            c1: self.c1,
            c2: self.c2,
            l: self.l,
            disclosable: subject.codes("disclosable", &self.disclosable)?,
            guarded,
        }))
    }

    fn looser(&self) -> Vec<Self> {
        let by_l = fewer(self.l, 2).map(|l| Self { l, ..self.clone() });
        let by_c1 = larger_factor(self.c1).map(|c1| Self { c1, ..self.clone() });
        let by_c2 = smaller_share(self.c2 / 100.0).map(|share| (share * 100.0).round()).map(|c2| Self { c2, ..self.clone() });
        by_l.into_iter().chain(by_c1).chain(by_c2).collect()
    }

    fn samples(subject: Subject<'_>) -> Vec<Self> {
        let column = subject.column();
        let occurring = (0..column.leaves()).filter(|&code| column.input_counts()[code] > 0);
        let values: Vec<String> = occurring.map(|code| column.value(code as u32).to_owned()).collect();
        let disclosable = |most| values.iter().take(most).cloned().collect();
        let guarded: Vec<String> = values.iter().rev().take(1).cloned().collect();
        let sample = |c2, l, most| Self { c1: 2.0, c2, l, disclosable: disclosable(most), guarded: guarded.clone() };
        vec![sample(10.0, 2, 1), sample(0.0, 4, 2)]
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        format!("npd-recursive ({}, {}%, {})-diversity of {}", self.c1, self.c2, self.l, self.name)
    }

    fn promise(&self, known: &str) -> String {
        let secret = bounded_guess(known, &self.name, " that must stay secret", self.c1, self.l);
        format!("{secret} Nor can a guarded value be ruled out: each makes up at least {}% of those records.", self.c2)
    }

    fn promise_to_people(&self, known: &str) -> String {
        let secret = bounded_guess_of_people(known, &self.name, " that must stay secret", self.c1, self.l);
        format!("{secret} Nor can a guarded value be ruled out: at least {}% of those people have it.", self.c2)
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::Two(Bound::below("c1", self.c1), Bound::at_least("c2", self.c2))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        let counts = class.counts(self.column);
        let count_of = |code: &u32| counts.codes.binary_search(code).map_or(0, |place| counts.counts[place]);
        let rarest = self.guarded.iter().map(count_of).min();
        let percent = rarest.map_or(Ratio::INFINITE, |count| Ratio::new(100 * u128::from(count), class.size().into()));
        let c1 = smallest_c(counts, class.size(), self.l, |code| self.disclosable.contains(&code));
        OneOrTwo::Two(c1, Quantity::Exact(percent))
    }

    /// A value counts once for everybody who has it: its share is that of the people who do.
    fn measure_people(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        self.measure(&people.having(), table)
    }

    /// The share of a guarded value is the weighted mean of its shares in the parts: at least c2 in the accepted.
    fn least_failing(&self, class: &EquivalenceClass<'_>, table: &TableProfile, _: f64) -> f64 {
        let OneOrTwo::Two(_, percent) = self.measure(class, table) else { return 1.0 };
        let too_rare = if self.c2 > 0.0 { class.size() as f64 * (1.0 - percent.to_f64() / self.c2) } else { 0.0 };
        let may_be_disclosed = |code| self.disclosable.contains(&code);
        too_rare.max(excess(class.counts(self.column), class.size(), self.c1, self.l, may_be_disclosed))
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

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        if self.c2 == 0.0 {
            return None;
        }
        let counts = table.released(self.column).counts();
        self.guarded.iter().map(|&code| counts.get(code as usize).copied().unwrap_or(0)).min()
    }
}

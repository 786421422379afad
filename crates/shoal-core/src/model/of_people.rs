//! Does a definition hold when people are counted instead of records?

use super::{Bound, Monotonicity, OneOrTwo, PrivacyModel, Quantity};
use crate::frequency::{EquivalenceClass, Reads, TableProfile};

/// A model asked of the people whose records a class holds. How it counts somebody with several values is for the model to say
/// ([`PrivacyModel::measure_people`]).
#[derive(Debug)]
pub struct OfPeople {
    inner: Box<dyn PrivacyModel>,
    /// Is nobody ever in two classes?
    stay_together: bool,
}

impl OfPeople {
    /// `stay_together`: has each person of the table the same quasi-identifiers in all of their records?
    pub fn new(inner: Box<dyn PrivacyModel>, stay_together: bool) -> Self {
        Self { inner, stay_together }
    }
}

impl PrivacyModel for OfPeople {
    fn name(&self) -> String {
        format!("{} (people)", self.inner.name())
    }

    fn promise(&self, known: &str) -> String {
        self.inner.promise_to_people(known)
    }

    fn promise_to_people(&self, known: &str) -> String {
        self.inner.promise_to_people(known)
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        self.inner.bounds()
    }

    fn measure(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        self.inner.measure_people(&class.people(), table)
    }

    /// Somebody who has records in two classes has, in both as one, the values of both: what was rare among the people of each may then be
    /// what everybody has. Only more people can never be fewer.
    fn monotonicity(&self) -> Monotonicity {
        match (self.inner.is_about_size(), self.stay_together) {
            (true, _) => Monotonicity::Always,
            (false, true) => self.inner.monotonicity_of_people(),
            (false, false) => Monotonicity::Never,
        }
    }

    fn reads(&self, sensitive_columns: usize) -> Vec<Reads> {
        self.inner.reads_of_people(sensitive_columns)
    }

    fn depends_on_release(&self) -> bool {
        self.inner.depends_on_release()
    }

    fn depends_on_input(&self) -> bool {
        self.inner.depends_on_input()
    }

    /// However people are counted, a class has at least as many values as they need.
    fn fewest_values(&self) -> Option<(usize, u64)> {
        self.inner.fewest_values()
    }

    fn counts_people(&self) -> bool {
        true
    }

    fn hides_identity(&self) -> bool {
        self.inner.hides_identity()
    }

    fn compares_distributions(&self) -> bool {
        self.inner.compares_distributions()
    }

    fn groups(&self) -> Option<&[u32]> {
        self.inner.groups()
    }

    fn uses_hierarchy(&self) -> bool {
        self.inner.uses_hierarchy()
    }

    fn record(&self) -> Option<(&'static str, serde_json::Value)> {
        self.inner.record()
    }

    /// A class of so many people has at least as many records.
    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        self.inner.most_classes(table).filter(|_| self.inner.is_about_size())
    }
}

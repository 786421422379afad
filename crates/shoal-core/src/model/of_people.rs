//! Does a definition hold when people are counted instead of records?

use super::{Bound, Monotonicity, OneOrTwo, PrivacyModel, Quantity, Side};
use crate::frequency::{EquivalenceClass, Reads, TableProfile};

/// A model asked of the people whose records a class holds. How it counts somebody with several values is for the model to say
/// ([`PrivacyModel::measure_people`]).
#[derive(Debug)]
pub struct OfPeople {
    inner: Box<dyn PrivacyModel>,
    /// Is nobody ever in two classes?
    stay_together: bool,
    /// No class of fewer people is accepted: the `k` of a definition that has one.
    least_people: u64,
}

impl OfPeople {
    /// `stay_together`: is nobody ever in two classes, since each person of the table has the same quasi-identifiers in all of their
    /// records, or since classes are made of people with all of theirs?
    pub fn new(inner: Box<dyn PrivacyModel>, stay_together: bool) -> Self {
        let sizes = inner.bounds();
        let sizes = sizes.iter().filter(|bound| bound.name == "k" && bound.side == Side::AtLeast);
        let least_people = sizes.map(|bound| bound.required as u64).max().unwrap_or(1);
        Self { inner, stay_together, least_people }
    }

    /// What a model of this name is called where people are counted.
    pub fn name_of(name: &str) -> String {
        format!("{name} (people)")
    }
}

impl PrivacyModel for OfPeople {
    fn name(&self) -> String {
        Self::name_of(&self.inner.name())
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

    /// Of sizes, always: the people of two classes are those of either, or more. Of values, never where somebody may have records in two
    /// classes, since they have the values of both in both as one: of two people of whom each has in one class what the other has in the other,
    /// no value is everybody's in either class, and both are in both as one.
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

    /// Whatever merging does to values, parts of a class have no people that it has not: where these are too few, all of them fail.
    fn least_failing(&self, class: &EquivalenceClass<'_>, _: &TableProfile, suppressed: f64) -> f64 {
        let by_promise = match self.monotonicity() {
            Monotonicity::Always => class.size() as f64,
            Monotonicity::WithoutSuppression if suppressed == 0.0 || !self.depends_on_release() => 1.0,
            Monotonicity::WithoutSuppression | Monotonicity::Never => 0.0,
        };
        match self.least_people > 1 && class.distinct_people() < self.least_people {
            true => class.size() as f64,
            false => by_promise,
        }
    }

    fn among_others(&self) -> Option<usize> {
        self.inner.among_others()
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

//! Which model, on which column, does a run have to satisfy?

use std::borrow::Borrow;

use serde_json::{Map, Value, json};

use super::{Bound, Monotonicity, OneOrTwo, PrivacyModel, Quantity, Side};
use crate::frequency::{EquivalenceClass, FrequencySet, SensitiveColumn, TableProfile};

/// A model that a release must satisfy, with what reports say about it.
#[derive(Debug)]
pub struct Requirement {
    /// The definition's id.
    pub id: &'static str,
    /// The sensitive column it is about, if it is about one.
    pub column: Option<String>,
    /// Its parameters, as JSON.
    pub parameters: Value,
    /// The model itself.
    pub model: Box<dyn PrivacyModel>,
    /// Its bounds, worked out once: they are asked for every class.
    bounds: OneOrTwo<Bound>,
}

impl Requirement {
    /// This model of a definition, on a column if it is about one.
    pub fn new(id: &'static str, column: Option<String>, parameters: Value, model: Box<dyn PrivacyModel>) -> Self {
        let bounds = model.bounds();
        Self { id, column, parameters, model, bounds }
    }

    /// No class with fewer records is accepted, as far as the bounds tell: the `k` of a definition that has one.
    pub fn least_size(&self) -> u64 {
        let sizes = self.bounds.iter().filter(|bound| bound.name == "k" && bound.side == Side::AtLeast);
        sizes.map(|bound| bound.required as u64).max().unwrap_or(1)
    }

    /// Is the class good enough?
    pub fn accepts(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> bool {
        self.model.at_a_glance(class).unwrap_or_else(|| self.holds(self.model.measure(class, table)))
    }

    /// How far the class is from being good enough; 0 if it is.
    pub fn lacks(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> f64 {
        self.model.lacks(class, table)
    }

    /// However the class is divided, at least this many of its records are in parts that fail.
    pub fn least_failing(&self, class: &EquivalenceClass<'_>, table: &TableProfile, suppressed: f64) -> u64 {
        let by_promise = match self.model.monotonicity() {
            Monotonicity::WithoutSuppression if suppressed == 0.0 || !self.model.depends_on_release() => 1,
            _ => 0,
        };
        // Rounded up, but for what floating point may have added: parts of 1e-16, over 1 less a bound near 1.
        let margin = 1e-6 + 1e-8 * class.size() as f64;
        let told = (self.model.least_failing(class, table, suppressed) - margin).ceil().max(0.0) as u64;
        told.max(by_promise).min(class.size())
    }

    /// The parameters that are not bounds: what is measured, rather than how much of it is required.
    pub fn measured_parameters(&self) -> Map<String, Value> {
        let mut parameters = self.parameters.as_object().cloned().unwrap_or_default();
        for bound in self.bounds.iter() {
            parameters.remove(bound.name);
        }
        parameters
    }

    /// What is required, as JSON: a number, or an object of two.
    pub fn required_json(&self) -> Value {
        by_name(self.bounds, |bound| json!(bound.required))
    }

    /// What was achieved, as JSON: a number, or an object of two; null where it is infinite.
    pub fn achieved_json(&self, achieved: OneOrTwo<Quantity>) -> Value {
        let pairs = self.bounds.zip_with(achieved, |bound, quantity| (bound.name, quantity));
        match pairs {
            OneOrTwo::One((_, quantity)) => quantity.to_json(),
            OneOrTwo::Two((a, x), (b, y)) => json!({ a: x.to_json(), b: y.to_json() }),
        }
    }

    /// Do the quantities lie on the right sides?
    pub fn holds(&self, achieved: OneOrTwo<Quantity>) -> bool {
        self.bounds.zip_with(achieved, |bound, quantity| bound.accepts(quantity)).iter().all(|holds| holds)
    }

    /// The worst quantities over these classes of a set.
    pub fn achieved(
        &self,
        set: &FrequencySet,
        classes: impl Iterator<Item = usize>,
        table: &TableProfile,
    ) -> OneOrTwo<Quantity> {
        let bounds = self.bounds;
        classes.fold(bounds_best(bounds), |so_far, class| {
            worst(bounds, so_far, self.model.measure(&set.class(class), table))
        })
    }
}

fn by_name(bounds: OneOrTwo<Bound>, value: impl Fn(Bound) -> Value) -> Value {
    match bounds {
        OneOrTwo::One(bound) => value(bound),
        OneOrTwo::Two(a, b) => json!({ a.name: value(a), b.name: value(b) }),
    }
}

fn bounds_best(bounds: OneOrTwo<Bound>) -> OneOrTwo<Quantity> {
    bounds.zip_with(bounds, |bound, _| bound.best())
}

/// The worse of each pair of quantities.
pub fn worst(bounds: OneOrTwo<Bound>, a: OneOrTwo<Quantity>, b: OneOrTwo<Quantity>) -> OneOrTwo<Quantity> {
    let pairs = a.zip_with(b, |a, b| (a, b));
    bounds.zip_with(pairs, |bound, (a, b)| bound.worse(a, b))
}

/// Is the class good enough for every requirement?
pub fn accepts_all<R: Borrow<Requirement>>(
    requirements: &[R],
    class: &EquivalenceClass<'_>,
    table: &TableProfile,
) -> bool {
    requirements.iter().all(|requirement| requirement.borrow().accepts(class, table))
}

/// Which classes of a set can be released together.
///
/// Where a verdict depends on the released distribution, suppressing classes changes it: all that fail are dropped at
/// once, the distribution is taken anew, and so on until nothing more fails. Nothing is readmitted, so this ends, and
/// what is left satisfies every model by itself.
pub fn releasable<R: Borrow<Requirement>>(
    requirements: &[R],
    columns: &[SensitiveColumn],
    set: &FrequencySet,
    input: &TableProfile,
) -> Vec<bool> {
    let mut accepted = vec![true; set.classes()];
    // Records may be missing from the set, and generalized values have another distribution than the input's.
    let differs = set.rows() < input.rows() || columns.iter().any(SensitiveColumn::is_generalized);
    let released = (differs && depend_on_release(requirements)).then(|| input.with_released(columns, set, &accepted));
    let profile = released.as_ref().unwrap_or(input);
    for (class, accepted) in accepted.iter_mut().enumerate() {
        *accepted = accepts_all(requirements, &set.class(class), profile);
    }
    let profile = |accepted: &[bool]| input.with_released(columns, set, accepted);
    drop_until_stable(requirements, |class| set.class(class), profile, &mut accepted);
    accepted
}

fn depend_on_release<R: Borrow<Requirement>>(requirements: &[R]) -> bool {
    requirements.iter().any(|requirement| requirement.borrow().model.depends_on_release())
}

/// Drops what fails because of what was dropped before; `profile` is that of the table of which only these classes are released.
pub fn drop_until_stable<'s, R: Borrow<Requirement>>(
    requirements: &[R],
    class: impl Fn(usize) -> EquivalenceClass<'s>,
    profile: impl Fn(&[bool]) -> TableProfile,
    accepted: &mut [bool],
) {
    let mut dropped = depend_on_release(requirements) && accepted.contains(&false);
    while dropped {
        dropped = false;
        let profile = profile(accepted);
        for (index, accepted) in accepted.iter_mut().enumerate() {
            if *accepted && !accepts_all(requirements, &class(index), &profile) {
                *accepted = false;
                dropped = true;
            }
        }
    }
}

//! What does a certificate say of a model that nobody can measure who has nothing but the release?

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::is_same;
use super::statements::without_control;
use super::{Certificate, CertifiedModel};
use crate::safe::Rule;
use shoal::audit::Audit;
use shoal::policy::Resolving;
use shoal_core::model::{DEFINITIONS, DistinctLDiversity, OfPeople, OneOrTwo, Parameters, Quantity, Requirement};
use shoal_core::{Error, Result};

/// A model that takes more than the release to measure. What it asks for is made anew of its parameters, and it must not contradict the release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StatedModel {
    /// What it takes.
    pub(super) takes: Takes,
    /// What is reached is null where it would tell too much of the original.
    pub(super) model: CertifiedModel,
}

/// What whoever has only the release lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Takes {
    /// The original, which the release is compared with.
    Original,
    /// Whose rows are whose.
    People,
    /// Values that the release does not show, which what it measures depends on.
    UnshownValues,
    /// Values that the release does not show, among the parameters: so these are not told at all, nor any number that follows from them.
    UntoldParameters,
}

impl StatedModel {
    /// One whose parameters are told.
    pub(super) fn told(
        requirement: &Requirement,
        achieved: OneOrTwo<Quantity>,
        model: CertifiedModel,
        (rule, rows): (Rule, u64),
    ) -> Self {
        let takes = match () {
            () if requirement.model.counts_people() => Takes::People,
            () if requirement.model.depends_on_input() => Takes::Original,
            () => Takes::UnshownValues,
        };
        // It is a figure of the original.
        let told = |value: &Value| {
            let figure = value.as_f64().and_then(|value| rule.loss(value, rows));
            figure.map_or(Value::Null, Value::from)
        };
        let achieved = match requirement.achieved_json(achieved) {
            Value::Object(two) => Value::Object(two.iter().map(|(key, value)| (key.clone(), told(value))).collect()),
            one => told(&one),
        };
        let stated = Self { takes, model: CertifiedModel { achieved, ..model } };
        // Rounding may have moved it to the wrong side of what is required.
        match stated.is_on_its_side(requirement) {
            true => stated,
            false => Self { model: CertifiedModel { achieved: Value::Null, ..stated.model }, ..stated },
        }
    }

    /// One whose parameters are not.
    pub(super) fn untold(requirement: &Requirement, holds: bool) -> Self {
        let model = CertifiedModel {
            model: requirement.id.to_owned(),
            column: requirement.column.clone(),
            among_all_sensitive: false,
            parameters: Default::default(),
            label: requirement.id.to_owned(),
            required: Value::Null,
            achieved: Value::Null,
            holds,
        };
        Self { takes: Takes::UntoldParameters, model }
    }

    pub(super) fn label(&self) -> &str {
        &self.model.label
    }

    /// Is this one of the numbers that are required?
    pub(super) fn requires(&self, number: u64) -> bool {
        let is_number = |required: &Value| required.as_f64() == Some(number as f64);
        match &self.model.required {
            Value::Object(two) => two.values().any(is_number),
            one => is_number(one),
        }
    }

    /// Is it what is measured now, with the original or with people at hand?
    pub(super) fn difference(&self, requirement: &Requirement, holds: bool) -> Option<String> {
        let is_as_said = holds == self.model.holds && is_same(&requirement.required_json(), &self.model.required);
        (!is_as_said).then(|| format!("{} is not as the certificate says", requirement.model.name()))
    }

    /// Does a requirement that is made of its parameters have its name and its numbers?
    pub(super) fn is_of(&self, requirement: &Requirement) -> bool {
        let name = match self.takes {
            Takes::People => OfPeople::name_of(&requirement.model.name()),
            _ => requirement.model.name(),
        };
        name == self.model.label
            && requirement.id == self.model.model
            && requirement.column == self.model.column
            && is_same(&requirement.required_json(), &self.model.required)
    }

    /// Is what is reached, as far as it is told, on the side of the bounds that it is said to be on?
    fn is_on_its_side(&self, requirement: &Requirement) -> bool {
        let bounds = requirement.model.bounds();
        let reached = |name: &str| match &self.model.achieved {
            Value::Object(two) => two.get(name).and_then(Value::as_f64),
            one => one.as_f64(),
        };
        let sides: Vec<Option<bool>> = bounds
            .iter()
            .map(|bound| reached(bound.name).map(|number| bound.accepts(Quantity::Real(number))))
            .collect();
        match self.model.holds {
            true => !sides.contains(&Some(false)),
            false => sides.iter().any(|side| *side != Some(true)),
        }
    }

    /// Does it say what is reached in the same words as what is required, in numbers or null?
    fn is_well_formed(&self) -> bool {
        match (&self.model.required, &self.model.achieved) {
            (Value::Object(required), Value::Object(achieved)) => {
                required.keys().eq(achieved.keys())
                    && achieved.values().all(|value| value.is_number() || value.is_null())
            }
            (Value::Object(_), achieved) => achieved.is_null(),
            (_, achieved) => achieved.is_number() || achieved.is_null(),
        }
    }
}

impl Certificate {
    /// What it states of models, as far as that contradicts itself or the release.
    pub(super) fn refuted_models(&self, audit: &Audit) -> Vec<String> {
        let stated = self.stated_by_its_maker.models.iter();
        stated
            .filter_map(|stated| {
                let label = without_control(stated.label());
                let why = self.refuted(stated, audit).unwrap_or_else(|error| Some(without_control(error.message())))?;
                Some(format!("the release has no {label}, as the certificate says: {why}"))
            })
            .collect()
    }

    /// Why a stated model cannot be true, if that can be seen.
    fn refuted(&self, stated: &StatedModel, audit: &Audit) -> Result<Option<String>> {
        let said = &stated.model;
        if !said.holds {
            return Ok(Some("it says itself that this does not hold".to_owned()));
        }
        if stated.takes == Takes::UntoldParameters {
            let is_bare = said.label == said.model && said.parameters.is_empty();
            let is_bare = is_bare && said.required.is_null() && said.achieved.is_null() && !said.among_all_sensitive;
            let is_known = DEFINITIONS.iter().any(|entry| entry.id() == said.model);
            return Ok((!is_bare || !is_known).then(|| "it says more of this than there is to say".to_owned()));
        }
        let requirements = self.policy_for(said)?.resolve(Resolving::release(&audit.sensitive, None))?;
        let [requirement] = &requirements[..] else {
            return Err(Error::policy("it is about several columns"));
        };
        let why = match () {
            () if !stated.is_well_formed() || !stated.is_of(requirement) => "its parameters ask for something else",
            () if !stated.is_on_its_side(requirement) => "what is reached is not what is required",
            () if stated.takes == Takes::Original && !requirement.model.depends_on_input() => "this takes no original",
            () if requirement.least_size() > audit.measured.smallest => "its smallest class has fewer records",
            () if self.has_fewer_values(requirement, audit) => "one of its classes has fewer values",
            () => return Ok(None),
        };
        Ok(Some(why.to_owned()))
    }

    /// Does a class of the release show fewer values than the model accepts, however it counts?
    fn has_fewer_values(&self, requirement: &Requirement, audit: &Audit) -> bool {
        let Some((_, fewest)) = requirement.model.fewest_values() else { return false };
        let of_column = audit
            .measures
            .iter()
            .zip(&audit.measured.achieved)
            .find(|(measured, _)| measured.id == DistinctLDiversity::ID && measured.column == requirement.column);
        of_column.is_some_and(|(_, achieved)| achieved.iter().any(|values| values.to_f64() < fewest as f64))
    }
}

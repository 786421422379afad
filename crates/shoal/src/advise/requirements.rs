//! How could a policy require less?

use std::sync::Arc;

use serde_json::Value;

use super::Asked;
use super::change::{About, Change, ChangeKind, Ladder};
use crate::policy::{Required, Resolving, Setting};
use shoal_core::Result;
use shoal_core::model::AnyParameters;

/// For each parameter of each requirement, the steps that it could be looser.
pub(super) fn steps(asked: &Asked<'_>) -> Vec<Ladder> {
    let mut ladders = Vec::new();
    for (place, required) in asked.study.policy().requirements.iter().enumerate() {
        for first in required.parameters.looser() {
            let Some(key) = changed_key(required.parameters.as_ref(), first.as_ref()) else { continue };
            let walk = std::iter::successors(Some(first), |looser| {
                let next = looser.looser().into_iter();
                next.into_iter().find(|next| changed_key(looser.as_ref(), next.as_ref()).as_ref() == Some(&key))
            });
            ladders.push(walk.filter_map(|looser| asked.step(place, required, &key, looser)).collect());
        }
    }
    ladders
}

/// Each requirement left out, where others are left.
pub(super) fn removals(asked: &Asked<'_>) -> Vec<Ladder> {
    let requirements = &asked.study.policy().requirements;
    if requirements.len() < 2 {
        return Vec::new();
    }
    let removal = |(place, required): (usize, &Required)| {
        let settings = vec![Setting::new(format!("require[{}]", asked.number(place)), "none")];
        let what = format!("without {}", asked.name(required).ok()?);
        let about = About::Requirement(place);
        Some(vec![Change { kind: ChangeKind::WithoutRequirement, what, settings, about }])
    };
    requirements.iter().enumerate().filter_map(removal).collect()
}

impl Asked<'_> {
    fn step(&self, place: usize, required: &Required, key: &str, looser: Box<dyn AnyParameters>) -> Option<Change> {
        let value = written(looser.to_json().get(key)?)?;
        let after = Required { parameters: Arc::from(looser), ..required.clone() };
        let what = format!("{} instead of {}", self.name(&after).ok()?, self.name(required).ok()?);
        let settings = vec![Setting::new(self.key(place, key), value)];
        Some(Change { kind: ChangeKind::LooserRequirement, what, settings, about: About::Requirement(place) })
    }

    /// What a requirement is called; with several columns, for each of them.
    fn name(&self, required: &Required) -> Result<String> {
        let resolved = self.study.policy().resolve_one(required, Resolving::input(self.study.table()))?;
        let names: Vec<String> = resolved.iter().map(|one| one.model.name()).collect();
        Ok(names.join(" and "))
    }

    /// How a key of a requirement is named: alone, where no other requirement has it.
    fn key(&self, place: usize, key: &str) -> String {
        let has_it = |required: &&Required| required.parameters.to_json().get(key).is_some();
        let requirements = &self.study.policy().requirements;
        match requirements.iter().filter(has_it).count() + self.left_out().len() {
            1 => key.to_owned(),
            _ => format!("require[{}].{key}", self.number(place)),
        }
    }

    /// The number of a requirement in the policy as it stands in its file, from which some may have been left out.
    fn number(&self, place: usize) -> usize {
        let left_out = self.left_out();
        (0..).filter(|number| !left_out.contains(number)).nth(place).unwrap_or(place)
    }

    fn left_out(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = self.given.iter().filter_map(Setting::left_out).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// The parameter that a step has changed.
fn changed_key(before: &dyn AnyParameters, after: &dyn AnyParameters) -> Option<String> {
    let (before, after) = (before.to_json(), after.to_json());
    let changed = after.as_object()?.iter().find(|(key, value)| before.get(key.as_str()) != Some(*value));
    changed.map(|(key, _)| key.clone())
}

/// A number as a policy writes it.
fn written(value: &Value) -> Option<String> {
    match value.as_u64() {
        Some(whole) => Some(whole.to_string()),
        // Without a needless `.0`.
        None => value.as_f64().map(|number| number.to_string()),
    }
}

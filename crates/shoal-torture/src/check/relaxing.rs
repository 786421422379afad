//! What does a case look like that asks for less, or for exactly what was achieved?

use serde_json::Value;

use crate::case::Case;
use crate::dice::Dice;
use crate::requirement::{Milli, Model};

/// The case with one requirement made looser, or more suppression allowed.
pub fn looser(case: &Case, dice: &mut Dice) -> Option<Case> {
    let mut looser = case.clone();
    if dice.percent(25) {
        let most = &mut looser.policy.method.max_suppressed;
        *most = Milli((most.0 + *dice.pick(&[50, 100, 300])).min(1000));
        return (*most != case.policy.method.max_suppressed).then_some(looser);
    }
    let place = dice.below(looser.policy.requirements.len());
    let model = &mut looser.policy.requirements[place].model;
    let before = model.clone();
    let less = |number: &mut u64, least: u64| *number = (*number - 1).max(least);
    let scale = |number: &mut Milli, most: i64| *number = Milli((number.0 * 3 / 2).min(most));
    match model {
        Model::KAnonymity { k } | Model::AlphaK { k, .. } => less(k, 2),
        Model::DistinctL { l } => less(l, 2),
        Model::TauL { tau, .. } => scale(tau, 1000),
        Model::EntropyL { l } | Model::SimpleL { l } => *l = Milli((l.0 - 500).max(1000)),
        Model::RecursiveCl { c, .. } | Model::PdRecursiveCl { c, .. } => scale(c, 100_000),
        Model::NpdRecursiveCl { c1, .. } => scale(c1, 100_000),
        Model::PSensitiveK { p, .. } => less(p, 1),
        Model::ADDiversity { a, .. } => less(a, 1),
        Model::TCloseness { t, .. } => scale(t, 1000),
        Model::EpsilonM { epsilon, .. } => *epsilon = Milli(epsilon.0 / 2),
        Model::BayesBreach { rho2, .. } => *rho2 = Milli((rho2.0 + 100).min(999)),
        Model::BayesDifference { difference } => scale(difference, 1000),
    }
    (*model != before).then_some(looser)
}

/// The case in which every bound is what the release reached, rounded so that the release still meets it.
pub fn as_achieved(case: &Case, models: &Value) -> Option<Case> {
    let mut stricter = case.clone();
    let models = models.as_array()?;
    // One result for each requirement: otherwise the results of several columns would have to be joined.
    if models.len() != stricter.policy.requirements.len() {
        return None;
    }
    let mut changed = false;
    for (requirement, result) in stricter.policy.requirements.iter_mut().zip(models) {
        let number = |key: &str| match &result["achieved"] {
            Value::Object(two) => two.get(key).and_then(Value::as_f64),
            other => other.as_f64(),
        };
        let rounded_up = |number: f64| Milli((number * 1000.0 - 1e-6).ceil() as i64);
        let before = requirement.model.clone();
        match &mut requirement.model {
            Model::KAnonymity { k } => *k = number("k")? as u64,
            Model::DistinctL { l } => *l = number("l")? as u64,
            Model::TauL { tau, .. } => *tau = rounded_up(number("tau")?),
            Model::TCloseness { t, .. } => *t = rounded_up(number("t")?),
            Model::BayesDifference { difference } => *difference = rounded_up(number("difference")?),
            _ => {}
        }
        changed |= requirement.model != before;
    }
    changed.then_some(stricter)
}

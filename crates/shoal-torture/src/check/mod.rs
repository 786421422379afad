//! Which checks does a case go through?

mod audit;
mod audit_people;
mod figures;
mod labels;
mod laws;
mod loss;
mod models;
mod optimum;
mod people;
mod recipe;
mod relaxing;
mod renaming;
mod rows;
mod separated;
mod solutions;
mod stand_ins;
mod whole_people;

use crate::lattice::Lattice;
use crate::question::Question;
use crate::trial::{Outcome, Trial};

/// Every check of the plan.
pub fn all(trial: &mut Trial<'_>, question: &Question<'_>, outcome: &Outcome) -> std::io::Result<()> {
    let method = &trial.case.policy.method;
    // Levels of their own for some rows fall back on one for all.
    let falls_back = method.name == "full-domain" && matches!(outcome, Outcome::Refused);
    let lattice = if method.is_global() || falls_back { Lattice::new(question) } else { None };
    people::refusal(trial, question, outcome);
    match outcome {
        Outcome::Failed => {
            trial.tally.add("outcomes", "failed");
            return Ok(());
        }
        Outcome::Refused => {
            trial.tally.add("outcomes", "refused");
            optimum::refused(trial, question, lattice.as_ref());
        }
        Outcome::Released(published) => {
            trial.tally.add("outcomes", "released");
            let is_some = |key: &str| published.summary[key].as_object().is_some_and(|all| !all.is_empty());
            if is_some("generalized_sensitive") {
                trial.tally.add("outcomes", "released with generalized sensitive values");
            }
            if published.whole("suppressed_rows") > Some(0) {
                trial.tally.add("outcomes", "released with suppressed rows");
            }
            if method.name == "anatomy" {
                separated::release(trial, question, published);
            } else if published.release.is_some() {
                figures::counts(trial, question, published);
                let matched = rows::matched(trial, question, published);
                labels::in_classes(trial, question, published, matched.as_deref());
                labels::nested(trial, question, published);
                models::release(trial, question, published, matched.as_deref());
                people::figures(trial, question, published, matched.as_deref());
                loss::release(trial, question, published, matched.as_deref());
            }
            if let Some(lattice) = &lattice {
                optimum::released(trial, question, lattice, published);
            }
            audit::release(trial, question, published)?;
        }
    }
    solutions::list(trial, lattice.as_ref())?;
    recipe::own_table(trial, outcome)?;
    laws::law(trial, question, outcome)
}

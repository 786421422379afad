//! What can be done in each room?

mod advise;
mod around;
mod candidate;
mod columns;
mod explore;
mod files;
mod hierarchy;
mod known;
mod levels;
mod pairs;
mod promise;
mod publish;
mod receive;
mod risks;
mod singled_out;
mod table;
mod view;

pub use advise::advise;
pub use around::around;
pub use candidate::{Found, candidate, classes};
pub use explore::explore;
pub use files::files;
pub use hierarchy::hierarchy;
pub use levels::{lattice, levels, solutions};
pub use pairs::pairs;
pub use promise::{definitions, explain, promises};
pub use publish::{plan, publish};
pub use receive::Receiving;
pub use singled_out::singled_out;
pub use table::{distribution, rows};
pub use view::desk;

use shoal::policy::Role;
use shoal::{Candidate, Policy};
use shoal_core::method::Knows;
use shoal_core::model::{OneOrTwo, Quantity, Requirement};
use shoal_report::{bound_in_words, number};

use crate::wire::{Figures, Promise};

/// What a role is called in a policy.
fn role_id(role: Role) -> &'static str {
    match role {
        Role::Identifier => "identifier",
        Role::QuasiIdentifier => "quasi-identifier",
        Role::Sensitive => "sensitive",
        Role::Insensitive => "insensitive",
    }
}

/// A number for JSON, which has no infinite ones.
fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

fn figures(candidate: &Candidate) -> Figures {
    Figures {
        objective_value: finite(candidate.objective_value()),
        released_rows: candidate.released_rows(),
        suppressed_rows: candidate.suppressed_rows(),
        classes: candidate.partition().classes.len() as u64,
    }
}

/// So many quasi-identifiers are named in a sentence.
const MOST_NAMED: usize = 5;

/// What an attacker knows, in words.
fn known(policy: &Policy) -> String {
    let names: Vec<&str> = policy.with_role(Role::QuasiIdentifier).map(|column| column.name.as_str()).collect();
    let whose = match (&policy.input.person, policy.input.knows) {
        (None, _) => "a record",
        (Some(_), Knows::OneRow) => "one row of a person",
        (Some(_), Knows::AllRows) => "all rows of a person",
    };
    match names.as_slice() {
        [only] => format!("the {only} of {whose}"),
        [first @ .., last] if names.len() <= MOST_NAMED => format!("the {} and {last} of {whose}", first.join(", ")),
        _ => format!("the {} quasi-identifiers of {whose}", names.len()),
    }
}

/// Requirements and what they reach, each with its place in the policy.
fn promised(policy: &Policy, requirements: &[Requirement], achieved: &[OneOrTwo<Quantity>]) -> Vec<Promise> {
    let known = known(policy);
    let sensitive = policy.with_role(Role::Sensitive).count();
    let places = policy.requirements.iter().enumerate().flat_map(|(index, required)| {
        let is_one = required.column.is_some() || required.parameters.scope() == shoal_core::model::Scope::Table;
        std::iter::repeat_n(index, if is_one { 1 } else { sensitive })
    });
    let promise = |((requirement, &achieved), index): ((&Requirement, &OneOrTwo<Quantity>), usize)| {
        let required: Vec<String> = requirement.model.bounds().iter().map(|bound| bound_in_words(&bound)).collect();
        let reached: Vec<String> = achieved.iter().map(|quantity| number(quantity.to_f64())).collect();
        Promise {
            index,
            label: requirement.model.name(),
            column: requirement.column.clone(),
            sentence: requirement.model.promise(&known),
            required: required.join(", "),
            achieved: reached.join(", "),
            holds: requirement.holds(achieved),
            failing_rows: None,
        }
    };
    requirements.iter().zip(achieved).zip(places).map(promise).collect()
}

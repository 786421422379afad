//! Data that lives elsewhere: how is a table anonymized that never leaves its database or cluster?
//!
//! The engine runs one GROUP BY, the search works on the frequency set that comes back, and the engine puts the result on
//! the rows by joining them with small mapping tables. What an engine has to be able to do is the trait `Engine`; all
//! else is the same for all of them.

#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

mod column;
mod count;
mod dialect;
mod engine;
mod interrupt;
mod mapping;
#[cfg(all(test, feature = "services"))]
mod moved_people;
mod natives;
mod people;
mod plan;
mod postgres;
mod recode_query;
mod repeats;
mod some_values;
mod source;
mod spark;
mod staged;
mod value_text;

pub use source::EngineSource;

use shoal::policy::engines::EngineEntry;
use shoal::policy::{EngineInput, Policy, engines};
use shoal::source::Source;
use shoal_core::{Error, Result};

/// How an engine is opened, with `true` to let the release take the place of a table that is there already.
type Open = fn(&Policy, bool) -> Result<Box<dyn Source>>;

/// Every engine: what a policy says about it, and how it is opened.
static ENGINES: [(&EngineEntry, Open); 2] = [
    (&spark::ENTRY, |policy, overwrite| Ok(Box::new(EngineSource::new(spark::Spark::connect(policy, overwrite)?)))),
    (&postgres::ENTRY, |policy, overwrite| {
        Ok(Box::new(EngineSource::new(postgres::Postgres::connect(policy, overwrite)?)))
    }),
];

/// Makes the engines known to policies: to be called before the first is read.
pub fn register() {
    engines::register(ENGINES.iter().map(|(entry, _)| *entry));
}

/// Opens the engine that a policy names. `overwrite` allows the release to take the place of a table that is there already.
pub fn open(policy: &Policy, overwrite: bool) -> Result<Box<dyn Source>> {
    let input = input_of(policy)?;
    refuse_what_files_only_can(policy)?;
    let named = input.address.engine();
    match ENGINES.iter().find(|(entry, _)| entry.address.name == named.address.name) {
        Some((_, open)) => open(policy, overwrite),
        None => Err(Error::policy(format!("nobody here can open a table in {}", named.name))),
    }
}

/// Refuses, before anything is contacted, what no engine does yet.
fn refuse_what_files_only_can(policy: &Policy) -> Result<()> {
    let advice = "copy the table to a file first";
    if policy.method.method.separates().is_some() {
        let id = policy.method.method.id();
        return Err(Error::place(format!("`{id}` makes a release of two tables, which engines cannot publish yet"))
            .hint(format!("{advice}, or choose another method")));
    }
    match policy.columns.iter().find(|column| column.replace.is_some()) {
        None => Ok(()),
        Some(column) => Err(Error::place("engines cannot make pseudonyms of identifiers yet")
            .at(&column.place)
            .hint(format!("remove `replace`, and the identifier is dropped; or {advice}"))),
    }
}

/// What a policy reads of its engine.
pub(crate) fn input_of(policy: &Policy) -> Result<&EngineInput> {
    policy.input.engine.as_ref().ok_or_else(|| Error::place("the policy names no engine"))
}

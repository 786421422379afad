//! What the library does as a whole, and what shape it has.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod anatomy;
mod attacks;
mod citations;
mod counted;
mod dependencies;
mod examples;
mod laws_audit;
mod laws_ends;
mod laws_order;
mod modules;
mod policy_schema;
mod publishing;
mod side_by_side;
mod studies;
#[path = "../../../shoal-core/tests/laws/tables/mod.rs"]
mod tables;
mod watching;

/// A release in every format that is written by this build.
fn names_of_releases() -> Vec<String> {
    let built_in = shoal_format::FORMATS.iter().filter(|format| format.is_built_in());
    built_in.filter_map(|format| Some(format!("release.{}", format.written.first()?))).collect()
}

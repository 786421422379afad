//! Spark as a source, against real servers: Sail where any server will do, a Spark cluster of two workers for the rest.
//!
//! `services/run sail spark -- cargo test -p shoal-engine --features services --test spark` starts them; without them these tests fail.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should stop, and nobody calls it")]

mod bench;
mod cluster;
mod failures;
mod people;
mod refusals;
mod same_release;
mod sql;
#[path = "../shared/visits.rs"]
mod visits;

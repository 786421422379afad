//! Does a table in PostgreSQL give the release that it gives as a file, and is what cannot work refused with a good reason?
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should stop, and nobody calls it")]

mod database;
mod looked_at;
mod nasty_values;
mod one_transaction;
mod order_of_rows;
mod people;
mod refusals;
mod run;
mod same_release;
mod tls_and_passwords;
#[path = "../shared/visits.rs"]
mod visits;

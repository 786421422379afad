//! Does the program as a whole do what its users were told?
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should stop, and nobody calls it")]

mod bad_policies;
mod bad_tables;
mod browser;
mod certificates;
mod dialects;
mod every_definition;
mod formats;
mod generalized_sensitive;
mod memory_limit;
mod one_value_one_form;
mod outputs;
mod page_checker;
mod refusal;
mod reports;
mod risks;
mod rows_and_columns;
mod snapshots;
mod utility;
mod workbench;

//! Does the program as a whole do what its users were told?
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should stop, and nobody calls it")]

mod audits_agree;
mod bad_policies;
mod bad_tables;
#[cfg(feature = "services")]
mod browser;
mod certificates;
mod comparison;
mod contradicting_recipes;
mod date_readings;
mod dialects;
mod engine_policies;
mod escapes;
mod every_definition;
mod formats;
mod formulas;
mod generalized_sensitive;
mod hostile_files;
mod identifiers;
mod interview;
mod keys;
mod killed;
mod memory_limit;
mod one_value_one_form;
mod order_of_rows;
mod other_files;
mod outputs;
mod page_checker;
mod recipes;
mod recorded;
mod reference;
mod refusal;
mod reports;
mod risks;
mod rows_and_columns;
mod rows_and_people;
mod settings;
mod signatures;
mod small_counts;
mod snapshots;
mod stopped;
mod together;
mod utility;
mod what_is_lost;
mod workbench;
mod written_paths;

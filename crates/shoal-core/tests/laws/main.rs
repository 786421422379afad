//! Laws, hand-computed cases and the papers' tables.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod adult;
mod adult_sweep;
mod cutting;
mod edges;
mod laws_bounds;
mod laws_cutting;
mod laws_divisions;
mod laws_frequency;
mod laws_generalized;
mod laws_local;
mod laws_methods;
mod laws_models;
mod laws_objectives;
mod laws_people;
mod laws_people_compared;
mod laws_searches;
mod laws_separation_and_blocks;
mod laws_steps;
mod laws_summary;
mod laws_suppression;
mod laws_sweep;
mod laws_ties;
mod one_dimensional;
mod papers;
mod tables;

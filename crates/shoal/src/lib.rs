//! Shoal turns a table about people into one that can be published.
//!
//! The modules stand in the order in which a table passes through them:
//! read → encode → count → partition → recode → verify → write.

#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

// Words shared by all: what went wrong, exact fractions, what is undone when somebody stops a run, keys, pages of
// `shoal explain`, progress, counts too large for memory, warnings, numbers for people.
pub mod error;
pub mod exact;
pub mod interruption;
pub mod key;
pub mod page;
pub mod printable;
pub mod progress;
pub mod schema;
pub mod spill;
pub mod text_file;
pub mod warning;
pub mod words;

// read, encode
pub mod format;
pub mod hierarchy;
pub mod table;

// count
pub mod frequency;
pub mod lattice;

// partition
pub mod distance;
pub mod method;
pub mod model;
pub mod objective;

// recode, verify, write
pub mod outsider;
pub mod publish;
pub mod recode;
pub mod source;
pub mod verify;

// what is still possible
pub mod attack;
pub mod meaning;
pub mod risk;
pub mod utility;

// the whole line
pub mod audit;
pub mod compare;
pub mod init;
pub mod pipeline;
pub mod policy;
pub mod recipe;
pub mod report;

// tables to try things on
pub mod generate;

pub use error::{Error, Result};

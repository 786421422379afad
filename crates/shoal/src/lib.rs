//! Shoal turns a table about people into one that can be published.
//!
//! The modules stand in the order in which a table passes through them:
//! read → encode → count → partition → recode → verify → write.

#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

pub mod interruption;
pub mod key;

// verify, write
pub mod outsider;
pub mod prepare;
pub mod publish;
pub mod source;
pub mod verify;

// what is still possible
pub mod attack;
pub mod meaning;
pub mod risk;
pub mod utility;

// the whole line
pub mod advise;
pub mod audit;
pub mod compare;
pub mod init;
pub mod policy;
pub mod recipe;
pub mod run;
pub mod study;

// tables to try things on
pub mod generate;

pub use shoal_core::{Error, Result};

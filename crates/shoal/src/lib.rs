//! Shoal turns a table about people into one that can be published.
//!
//! The modules stand in the order in which a table passes through them:
//! read → encode → count → partition → recode → verify → write.

pub mod error;

pub mod format;
pub mod table;

pub mod hierarchy;

pub mod generate;

pub use error::{Error, Result};

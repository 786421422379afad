//! Shoal turns a table about people into one that can be published.
//!
//! The modules stand in the order in which a table passes through them:
//! read → encode → count → partition → recode → verify → write.

pub mod error;
pub mod exact;

pub mod format;
pub mod table;

pub mod hierarchy;

pub mod lattice;

pub mod frequency;

pub mod distance;
pub mod method;
pub mod model;
pub mod objective;
pub mod page;
pub mod progress;

pub use error::{Error, Result};

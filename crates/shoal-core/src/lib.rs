//! Everything that decides: errors, exact arithmetic, tables, hierarchies, frequency sets, models, objectives, methods, recoding.
//!
//! Nothing here knows a file format, a database or a page.

#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

// Words shared by all: what went wrong, exact fractions, pages of `shoal explain`, schemas, whoever watches, counts too large for memory,
// warnings, numbers for people.
pub mod error;
pub mod exact;
pub mod listed;
pub mod page;
pub mod printable;
pub mod schema;
pub mod spill;
pub mod text_file;
pub mod warning;
pub mod watch;
pub mod words;

// encode
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

// recode
pub mod recode;

pub use error::{Error, Result};

//! What is a column about, judging by its name and its values?

pub mod codes;
mod header;
pub mod pattern;
pub mod repeats;
pub mod safe_harbor;
mod shown;
pub mod topic;
mod vocabulary;

/// Enough values to see what they look like.
pub const SAMPLE: usize = 1000;

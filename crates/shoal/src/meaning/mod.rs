//! What is a column about, judging by its name and its values?

mod address;
pub mod codes;
pub mod contents;
pub mod coordinates;
pub mod free_text;
mod header;
mod national_id;
pub mod pattern;
pub mod person_name;
pub mod repeats;
pub mod safe_harbor;
pub mod sampling_weight;
mod shown;
pub mod spelling;
pub mod topic;
mod vocabulary;

/// Enough values to see what they look like.
pub const SAMPLE: usize = 1000;

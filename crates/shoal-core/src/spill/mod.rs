//! Where do counts go that do not fit into memory?
//!
//! Into sorted runs in nameless files, which are merged at the end. Nothing here knows what is counted.

mod memory_limit;
mod merge;
mod run_key;
mod runs;
mod sorter;

pub use memory_limit::MemoryLimit;
pub use merge::Merge;
pub use run_key::RunKey;
pub use runs::{RunReader, Runs};
pub use sorter::{Sorter, sum_up};

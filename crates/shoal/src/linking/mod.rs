//! Whom may a row of a release be about?
//!
//! Attacks, risks, utility and recipes ask this alike: which values a label covers, and which classes of a release cover a record.

mod audited_quasi;
mod candidates;
mod covers;
mod extent;
mod linker;
mod people;

pub use audited_quasi::AuditedQuasi;
pub use covers::{covers, is_exact};
pub use extent::Extent;
pub use linker::{Group, Linker};
pub use people::{Link, People, Written};

//! What is known of a quasi-identifier of an audited table?

use shoal_core::hierarchy::{HierarchySpec, Measure};
use shoal_core::table::DateReading;

/// A quasi-identifier of the audited table.
#[derive(Debug, Clone)]
pub struct AuditedQuasi {
    /// Its name.
    pub name: String,
    /// What its values become, if that is known.
    pub hierarchy: Option<HierarchySpec>,
    /// The lowest level that the policy allows.
    pub min_level: u64,
    /// How its dates are to be read, as far as that is known.
    pub dates: DateReading,
    /// Whether its values are numbers or only names, where the policy says so.
    pub measure: Option<Measure>,
}

//! How far up its hierarchy does a cell of the release stand?

use super::{Candidate, Objective, Separable, ShownLabel};
use crate::frequency::QuasiColumn;

/// # precision
///
/// **Definition.** The mean over columns of (released rows * level/height + suppressed rows) / rows, by weight.
/// A range or set counts as the lowest node that covers it.
/// **Range.** From 0 for the original to 1.
/// **Use it** where the levels of a hierarchy are equal steps in meaning; it does not know how wide a label is.
/// **Example.** Age at level 2 of 4, sex at 0 of 1, nothing suppressed: 0.25.
/// **Reference.** Sweeney 2002; the ARX project.
#[derive(Debug)]
pub struct Precision;

impl Objective for Precision {
    fn id(&self) -> &'static str {
        "precision"
    }

    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        self.combined(candidate)
    }

    fn label_loss(&self, column: &QuasiColumn, shown: ShownLabel) -> Option<f64> {
        Some(column.weight * f64::from(shown.level) / column.hierarchy.height().max(1) as f64)
    }

    fn separable(&self) -> Option<&dyn Separable> {
        Some(self)
    }
}

impl Separable for Precision {
    fn term(&self, candidate: &Candidate<'_>, column: usize) -> f64 {
        let height = candidate.columns.quasi[column].hierarchy.height().max(1) as f64;
        let lost = candidate.levels(column) / height + candidate.suppressed as f64;
        lost / candidate.rows().max(1) as f64
    }

    fn combine(&self, candidate: &Candidate<'_>, terms: &mut dyn Iterator<Item = f64>) -> f64 {
        candidate.weighted_mean(terms)
    }
}

//! How many records are in a class, on average?

use super::{Candidate, Objective};

/// # average-class-size
///
/// **Definition.** Released rows over released classes.
/// **Range.** From 1 upwards.
/// **Use it** to see how far a release overshoots the k that was asked for; it ignores how labels look.
/// **Example.** 12 rows in 3 classes make 4.
/// **Reference.** LeFevre et al. 2006; Machanavajjhala et al. 2006, section 6.
#[derive(Debug)]
pub struct AverageClassSize;

impl Objective for AverageClassSize {
    fn id(&self) -> &'static str {
        "average-class-size"
    }

    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        candidate.released() as f64 / candidate.classes.max(1) as f64
    }

    /// A release above the node has at least `rows - max_suppressed` rows, and no more classes than the node.
    fn lower_bound(&self, ideal: &Candidate<'_>, max_suppressed: u64) -> f64 {
        (ideal.rows() - max_suppressed) as f64 / ideal.classes.max(1) as f64
    }

    /// Above the node there are no more classes.
    fn bound_by_classes(&self, rows: u64, max_suppressed: u64, classes: u64, _: u128) -> f64 {
        (rows - max_suppressed.min(rows)) as f64 / classes.max(1) as f64
    }

    /// Suppressing many rows of few classes can make the average smaller than suppressing few: their number says
    /// nothing.
    fn bound_at(&self, _: &Candidate<'_>) -> f64 {
        0.0
    }
}

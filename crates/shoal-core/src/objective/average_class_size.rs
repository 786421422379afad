//! How many records are in a class, on average?

use super::{Candidate, NodeClasses, Objective, SizeDemand};

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

    /// A class that is released above the node holds a class of the node that is large enough by itself, or only smaller ones:
    /// of the former there are no more than there are large classes here, of the latter no more than their rows make.
    ///
    /// At least `rows - max_suppressed` rows are released. Where size is all that is asked for, x suppressed rows are all of
    /// smaller classes, so that with B large classes, S rows in smaller ones and k as the least size, the average is at least (rows - x) /
    /// (B + (S - x) / k). That grows with x, since B + S / k is at most rows / k: it is least where nothing is suppressed. (Only as long as
    /// S / k is not rounded down: with a few rows left over, suppressing those makes the average smaller.)
    fn bound_by_classes(&self, node: &NodeClasses<'_>) -> f64 {
        let least = node.demand.least.max(1);
        let (mut large, mut rows_in_small) = (0u64, 0);
        for &size in node.sizes {
            let is_large = size >= least;
            large += u64::from(is_large);
            rows_in_small += if is_large { 0 } else { size };
        }
        let released = node.rows - node.max_suppressed.min(node.rows);
        let by_released = released as f64 / (large + rows_in_small / least).max(1) as f64;
        // As long as all of it is known to the last digit.
        let scaled = node.rows.checked_mul(least).filter(|scaled| node.demand.is_all && *scaled < 1 << f64::MANTISSA_DIGITS);
        let by_all = scaled.map_or(0.0, |scaled| scaled as f64 / (large * least + rows_in_small).max(1) as f64);
        by_released.max(by_all)
    }

    fn reads_labels(&self) -> bool {
        false
    }

    fn counts_suppressed(&self) -> bool {
        false
    }

    fn keeps_order(&self) -> bool {
        true
    }

    /// Suppressing many rows of few classes can make the average smaller than suppressing few: their number says
    /// nothing.
    fn bound_at(&self, _: &Candidate<'_>, _: SizeDemand) -> f64 {
        0.0
    }
}

//! How much is left unsaid about each cell by showing its label?

use super::{Candidate, Objective, Separable, ShownLabel, SizeDemand};
use crate::frequency::QuasiColumn;

/// # non-uniform-entropy
///
/// **Definition.** The sum over columns and rows of -log2(rows with the cell's value / rows with its label); a suppressed
/// row adds -log2(share of its label among the suppressed rows). With weights, their mean times the number of columns.
/// **Range.** From 0 for the original upwards, in bits.
/// **Use it** where common values matter less than rare ones: joining a rare value with a common one costs little.
/// **Example.** Two rows `a` and `b` under one label cost one bit each.
/// **Reference.** Gionis and Tassa 2009; the ARX project.
#[derive(Debug)]
pub struct NonUniformEntropy;

impl Objective for NonUniformEntropy {
    fn id(&self) -> &'static str {
        "non-uniform-entropy"
    }

    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        self.combined(candidate)
    }

    /// Suppressed rows add the bits that tell their labels apart, and it is not known which rows those are: rows that all show one
    /// label in a column add nothing there. But where each class with at least k rows is released, x suppressed rows are in
    /// classes of fewer than k, and which class such a row is in takes at least log2(x / (k - 1)) bits. The labels of all columns tell
    /// the class, so that the bits of the columns add up to no less (entropy is subadditive), with weights to no less
    /// than that times the smallest.
    fn bound_at(&self, fewest: &Candidate<'_>, sizes: SizeDemand) -> f64 {
        let quasi = fewest.columns.quasi;
        let bits = (0..quasi.len()).map(|column| fewest.generalized_bits(column));
        let generalized = self.combine(fewest, &mut { bits });
        let (suppressed, largest) = (fewest.suppressed as f64, sizes.least.saturating_sub(1) as f64);
        if !sizes.is_all || largest < 1.0 || suppressed <= largest {
            return generalized;
        }
        let weights = || quasi.iter().map(|column| column.weight);
        let (least, all) = (weights().fold(f64::INFINITY, f64::min), weights().sum::<f64>());
        let part = if all > 0.0 { least * quasi.len() as f64 / all } else { 0.0 };
        generalized + part * suppressed * (suppressed / largest).log2()
    }

    fn label_loss(&self, column: &QuasiColumn, shown: ShownLabel) -> Option<f64> {
        Some(column.weight * (shown.rows.max(1) as f64).log2())
    }

    fn separable(&self) -> Option<&dyn Separable> {
        Some(self)
    }
}

impl Separable for NonUniformEntropy {
    fn term(&self, candidate: &Candidate<'_>, column: usize) -> f64 {
        candidate.bits(column)
    }

    fn combine(&self, candidate: &Candidate<'_>, terms: &mut dyn Iterator<Item = f64>) -> f64 {
        candidate.weighted_mean(terms) * candidate.columns.quasi.len() as f64
    }
}

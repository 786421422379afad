//! How much is left unsaid about each cell by showing its label?

use super::{Candidate, Objective, Separable, ShownLabel};
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

    /// Rows that all show one label can be suppressed without losing a bit, so how many are says nothing.
    fn bound_at(&self, fewest: &Candidate<'_>) -> f64 {
        let bits = (0..fewest.columns.quasi.len()).map(|column| fewest.generalized_bits(column));
        self.combine(fewest, &mut { bits })
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

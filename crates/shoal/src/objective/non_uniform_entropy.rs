//! How much is left unsaid about each cell by showing its label?

use super::{Candidate, Objective, Separable, Shown, ShownLabel};
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
        let bits = (0..fewest.table.quasi.len()).map(|column| generalized_bits(fewest, column));
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
        generalized_bits(candidate, column) + suppressed_bits(candidate, column)
    }

    fn combine(&self, candidate: &Candidate<'_>, terms: &mut dyn Iterator<Item = f64>) -> f64 {
        candidate.weighted_mean(terms) * candidate.table.quasi.len() as f64
    }
}

/// Over all rows, released or not. Where classes have labels of their own, a suppressed row shows the root.
fn generalized_bits(candidate: &Candidate<'_>, column: usize) -> f64 {
    match &candidate.shown {
        Shown::Labels { quasi, .. } => quasi[column].bits,
        Shown::Node { released, suppressed, .. } => {
            let label_rows = released[column].iter().zip(suppressed[column].iter());
            let of_values: f64 = candidate.table.quasi[column].counts.iter().map(|&rows| n_log_n(rows)).sum();
            let of_labels: f64 = label_rows.map(|(released, suppressed)| n_log_n(released + suppressed)).sum();
            (of_labels - of_values).max(0.0)
        }
    }
}

fn suppressed_bits(candidate: &Candidate<'_>, column: usize) -> f64 {
    let Shown::Node { suppressed, .. } = &candidate.shown else { return 0.0 };
    let of_labels: f64 = suppressed[column].iter().map(|&rows| n_log_n(rows)).sum();
    (n_log_n(candidate.suppressed) - of_labels).max(0.0)
}

fn n_log_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).log2() }
}

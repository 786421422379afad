//! Which part of the information in the original is gone?

use super::{Candidate, Objective, Separable, ShownLabel};
use crate::frequency::QuasiColumn;

/// # information
///
/// **Definition.** 1 - um: a label covering n leaves has the information 1/n, a suppressed row none; um is the
/// information of the release, sensitive columns included, over that of the original (by weight).
/// **Range.** From 0 for the original to 1.
/// **Use it** to compare with (tau,l)-diversity's experiments. Generalizing at all costs most: a label of two leaves has
/// lost half.
/// **Example.** `[20, 29]` and `1000*`, each with ten leaves in its file, and a disease group of two keep
/// 1/10 + 1/10 + 1/2 of 3. Of a generated hierarchy only values that occur are leaves (`shoal explain loss`).
/// **Reference.** Tian and Zhang, Extending l-diversity, Definition 5.
#[derive(Debug)]
pub struct Information;

impl Objective for Information {
    fn id(&self) -> &'static str {
        "information"
    }

    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        self.combined(candidate)
    }

    fn label_loss(&self, column: &QuasiColumn, shown: ShownLabel) -> Option<f64> {
        Some(column.weight * (1.0 - 1.0 / shown.leaves.max(1) as f64))
    }

    fn separable(&self) -> Option<&dyn Separable> {
        Some(self)
    }
}

impl Separable for Information {
    /// The information that the column keeps.
    fn term(&self, candidate: &Candidate<'_>, column: usize) -> f64 {
        candidate.columns.quasi[column].weight * candidate.information(column)
    }

    fn combine(&self, candidate: &Candidate<'_>, terms: &mut dyn Iterator<Item = f64>) -> f64 {
        let table = candidate.columns;
        let of_sensitive: f64 = table.sensitive_weights.iter().sum();
        let weight: f64 = table.quasi.iter().map(|quasi| quasi.weight).sum::<f64>() + of_sensitive;
        let sensitive = table.sensitive_weights.iter().enumerate();
        let kept_sensitive = sensitive.map(|(column, weight)| weight * candidate.sensitive_information(column));
        let kept = terms.sum::<f64>() + kept_sensitive.sum::<f64>();
        let original = weight * candidate.rows() as f64;
        if original > 0.0 { (1.0 - kept / original).max(0.0) } else { 0.0 }
    }
}

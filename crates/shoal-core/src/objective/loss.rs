//! Which part of its domain does a cell of the release stand for?

use super::{Candidate, Objective, Separable, ShownLabel};
use crate::frequency::QuasiColumn;

/// # loss
///
/// **Definition.** A cell that is a label covering n of a column's N leaves has lost the share n/N, a suppressed one 1.
/// Per column, the mean share is rescaled to run from 0 (nothing generalized) to 1 (everything at the root); the
/// columns are joined by a geometric mean of (weight * share + 1), minus 1.
/// **Leaves** of a hierarchy that is written down (`file`, `tree`) are its rows or leaves, whether they occur or not; of one
/// that is generated, the different values of the table. So zip codes of which only a beginning is left that all of them
/// share have lost everything, and `[0, 1000)` nearly everything where all incomes but one lie there. A missing value that
/// occurs is one leaf more.
/// **Range.** From 0 for the original to 1 where every weight is 1; in general to the geometric mean of (weight + 1), minus 1.
/// **Use it** as the default: it knows how wide a label is, not only how high it stands. It is ARX's Loss metric.
/// **Example.** Adult at k = 5 without suppression: 0.573.
/// **Reference.** Iyengar 2002; the ARX project.
#[derive(Debug)]
pub struct Loss;

impl Objective for Loss {
    fn id(&self) -> &'static str {
        "loss"
    }

    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        self.combined(candidate)
    }

    /// The geometric mean is so near to a sum, for small shares, that a column's share may stand for its part in it.
    fn label_loss(&self, column: &QuasiColumn, shown: ShownLabel) -> Option<f64> {
        let others = column.hierarchy.domain_size().saturating_sub(1).max(1);
        Some(column.weight * shown.leaves.saturating_sub(1) as f64 / others as f64)
    }

    fn reads_leaves_alone(&self) -> bool {
        true
    }

    fn separable(&self) -> Option<&dyn Separable> {
        Some(self)
    }
}

impl Separable for Loss {
    fn term(&self, candidate: &Candidate<'_>, column: usize) -> f64 {
        let quasi = &candidate.columns.quasi[column];
        let (rows, leaves) = (candidate.rows() as f64, quasi.hierarchy.domain_size() as f64);
        let sum = candidate.covered_leaves(column) as f64 / leaves + candidate.suppressed as f64;
        let smallest = rows / leaves;
        let rescaled = if leaves > 1.0 { ((sum - smallest) / (rows - smallest)).max(0.0) } else { 0.0 };
        (rescaled * quasi.weight + 1.0).powf(1.0 / candidate.columns.quasi.len() as f64)
    }

    fn combine(&self, _: &Candidate<'_>, terms: &mut dyn Iterator<Item = f64>) -> f64 {
        terms.product::<f64>() - 1.0
    }
}

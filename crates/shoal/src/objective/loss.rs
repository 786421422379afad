//! Which part of its domain does a cell of the release stand for?

use super::{Candidate, Objective};

/// # loss
///
/// **Definition.** A cell that is a label covering n of a column's N leaves has lost the share n/N, a suppressed one 1.
/// Per column, the mean share is rescaled to run from 0 (nothing generalized) to 1 (everything at the root); the
/// columns are joined by a geometric mean of (weight * share + 1), minus 1.
/// **Range.** From 0 for the original to 1.
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
        let rows = candidate.rows() as f64;
        let columns = candidate.table.quasi.len();
        if columns == 0 || candidate.rows() == 0 {
            return 0.0;
        }
        let factor = |column: usize| {
            let quasi = &candidate.table.quasi[column];
            let leaves = quasi.hierarchy.domain_size() as f64;
            let sum = candidate.covered_leaves(column) as f64 / leaves + candidate.suppressed as f64;
            let smallest = rows / leaves;
            let rescaled = if leaves > 1.0 { ((sum - smallest) / (rows - smallest)).max(0.0) } else { 0.0 };
            (rescaled * quasi.weight + 1.0).powf(1.0 / columns as f64)
        };
        (0..columns).map(factor).product::<f64>() - 1.0
    }
}

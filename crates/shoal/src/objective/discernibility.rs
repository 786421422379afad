//! How many records is each record indistinguishable from?

use super::{Candidate, Objective};

/// # discernibility
///
/// **Definition.** Each released row costs the size of its class, each suppressed row the number of all rows.
/// **Range.** From the number of rows (every row alone) to its square.
/// **Use it** where many small classes matter more than narrow labels; suppression is expensive here.
/// **Example.** Three classes of 4 rows cost 48.
/// **Reference.** Bayardo and Agrawal 2005; Machanavajjhala et al. 2006, section 6.
#[derive(Debug)]
pub struct Discernibility;

impl Objective for Discernibility {
    fn id(&self) -> &'static str {
        "discernibility"
    }

    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        (candidate.squares + u128::from(candidate.suppressed) * u128::from(candidate.rows())) as f64
    }

    /// At least `rows - max_suppressed` rows are in classes, no more of them than at the node, and their squared sizes add
    /// up to least when all are equal.
    fn lower_bound(&self, ideal: &Candidate<'_>, max_suppressed: u64) -> f64 {
        let released = (ideal.rows() - max_suppressed) as f64;
        released * released / ideal.classes.max(1) as f64
    }

    /// With two classes or more, each further suppressed row costs more than it saves in the squares of the others; one
    /// class is suppressed as a whole or not at all.
    fn bound_at(&self, fewest: &Candidate<'_>) -> f64 {
        if fewest.classes > 1 { self.value(fewest) } else { 0.0 }
    }
}

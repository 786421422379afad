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

    /// The ideal's value bounds it from below with suppression, too: of two classes or more, a row costs at least as much
    /// suppressed (all rows) as it saves in the others' squares; a single class costs the same either way.
    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        (candidate.squares + u128::from(candidate.suppressed) * u128::from(candidate.rows())) as f64
    }

    /// Above the node its classes are merged, and the square of a sum is at least the sum of the squares; a suppressed
    /// row costs more than its class's size.
    fn bound_by_classes(&self, _: u64, _: u64, _: u64, squares: u128) -> f64 {
        squares as f64
    }

    /// With two classes or more, each further suppressed row costs more than it saves in the squares of the others; one
    /// class is suppressed as a whole or not at all.
    fn bound_at(&self, fewest: &Candidate<'_>) -> f64 {
        if fewest.classes > 1 { self.value(fewest) } else { 0.0 }
    }
}

//! How many records is each record indistinguishable from?

use super::ideal::squares;
use super::{Candidate, NodeClasses, Objective, SizeDemand};

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

    /// Above the node a row is in a class that holds its class here, and costs at least as much as that has rows; the class is no smaller
    /// than the least that is released; and a suppressed row costs the number of all rows, more than either.
    fn bound_by_classes(&self, node: &NodeClasses<'_>) -> f64 {
        let least = node.demand.least.min(node.rows);
        let small = node.sizes.iter().filter(|size| **size < least);
        let lacking: u128 = small.map(|&size| u128::from(size) * u128::from(least - size)).sum();
        (squares(node.sizes, node.rows) + lacking) as f64
    }

    fn reads_labels(&self) -> bool {
        false
    }

    fn keeps_order(&self) -> bool {
        true
    }

    /// With two classes or more, each further suppressed row costs more than it saves in the squares of the others; where there can be one
    /// class alone, a release suppresses no row.
    fn bound_at(&self, fewest: &Candidate<'_>, _: SizeDemand) -> f64 {
        self.value(fewest)
    }
}

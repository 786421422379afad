//! How many steps up were taken in all columns together?

use super::{Candidate, Objective, Separable};

/// # height
///
/// **Definition.** The sum of the levels of all columns; undefined where rows differ in their levels.
/// **Range.** From 0 for the original to the sum of the hierarchies' heights.
/// **Use it** to compare with the papers' experiments, which count generalization steps; it says nothing about how many
/// values a step joins, or how many rows are suppressed.
/// **Example.** Age at level 3 and zip code at level 2 make 5.
/// **Reference.** LeFevre et al. 2005; Machanavajjhala et al. 2006, section 6.
#[derive(Debug)]
pub struct Height;

impl Objective for Height {
    fn id(&self) -> &'static str {
        "height"
    }

    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        self.combined(candidate)
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

    fn separable(&self) -> Option<&dyn Separable> {
        Some(self)
    }
}

impl Separable for Height {
    fn term(&self, candidate: &Candidate<'_>, column: usize) -> f64 {
        candidate.node().map_or(f64::NAN, |node| f64::from(node.levels()[column]))
    }

    fn combine(&self, _: &Candidate<'_>, terms: &mut dyn Iterator<Item = f64>) -> f64 {
        terms.sum()
    }
}

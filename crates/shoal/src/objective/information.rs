//! Which part of the information in the original is gone?

use super::{Candidate, Objective};

/// # information
///
/// **Definition.** 1 - um: a label covering n leaves has the information 1/n, a suppressed row none; um is the
/// information of the release, sensitive columns included, over that of the original (by weight).
/// **Range.** From 0 for the original to 1.
/// **Use it** to compare with (tau,l)-diversity's experiments. Generalizing at all costs most: a label of two leaves has
/// lost half.
/// **Example.** `[20, 29]`, `1000*` and a disease group of two keep 1/10 + 1/10 + 1/2 of 3.
/// **Reference.** Tian and Zhang, Extending l-diversity, Definition 5.
#[derive(Debug)]
pub struct Information;

impl Objective for Information {
    fn id(&self) -> &'static str {
        "information"
    }

    fn value(&self, candidate: &Candidate<'_>) -> f64 {
        let table = candidate.table;
        let kept_of = |column: usize| {
            let level = table.quasi[column].hierarchy.level(usize::from(candidate.node.levels()[column]));
            let rows = candidate.released_by_node[column].iter().enumerate();
            rows.map(|(node, &rows)| rows as f64 / level.leaves_under(node as u32).max(1) as f64).sum::<f64>()
        };
        let quasi: f64 = table.quasi.iter().enumerate().map(|(column, quasi)| quasi.weight * kept_of(column)).sum();
        let sensitive_weight: f64 = table.sensitive_weights.iter().sum();
        let weight: f64 = table.quasi.iter().map(|quasi| quasi.weight).sum::<f64>() + sensitive_weight;
        let kept = quasi + sensitive_weight * candidate.released() as f64;
        let original = weight * candidate.rows() as f64;
        if original > 0.0 { (1.0 - kept / original).max(0.0) } else { 0.0 }
    }
}

//! What does each definition measure on a class where rows are counted?

use super::closeness::Two;
use super::diversity;
use super::judge::{Asked, Reference};
use super::measured::Measured;
use super::quantity::{Quantity, Side};
use super::sensitive::SensitiveCells;
use crate::requirement::{Milli, Model};

impl Asked<'_> {
    /// What it measures on these rows; none where the oracle cannot tell.
    pub(super) fn measure_rows(&self, rows: &[usize], released: &Reference) -> Option<Vec<Measured>> {
        let k = |k: u64| Measured::count("k", rows.len() as i128, k);
        match self.model {
            Model::KAnonymity { k: least } => return Some(vec![k(*least)]),
            Model::PSensitiveK { k: least, p } => {
                let distinct = self.cells.iter().map(|cells| diversity::distinct(&cells.counts(rows))).min();
                return Some(vec![k(*least), Measured::count("p", distinct?, *p)]);
            }
            _ => {}
        }
        let cells = self.cells[self.column?];
        let counts = cells.counts(rows);
        let two = || Two { class: &counts, table: &self.input.as_ref().unwrap_or(released).counts };
        Some(match self.model {
            Model::DistinctL { l } => vec![Measured::count("l", diversity::distinct(&counts), *l)],
            Model::EntropyL { l } => vec![Measured::at_least("l", Quantity::Real(diversity::entropy(&counts)), *l)],
            Model::RecursiveCl { c, l } => {
                vec![Measured::new("c", diversity::recursive(&counts, *l), Side::Below, *c)]
            }
            Model::PdRecursiveCl { c, l, disclosable } => {
                let quantity = diversity::pd_recursive(cells, &counts, *l, disclosable);
                vec![Measured::new("c", quantity, Side::Below, *c)]
            }
            Model::NpdRecursiveCl { c1, c2, l, disclosable, guarded } => {
                let quantity = diversity::pd_recursive(cells, &counts, *l, disclosable);
                let least = diversity::least_percentage(cells, &counts, guarded);
                vec![Measured::new("c1", quantity, Side::Below, *c1), Measured::new("c2", least, Side::AtLeast, *c2)]
            }
            Model::SimpleL { l } => {
                let most = counts.iter().copied().max().unwrap_or(1);
                vec![Measured::at_least("l", Quantity::Ratio(counts.iter().sum(), most), *l)]
            }
            Model::AlphaK { alpha, k: least, values } => {
                let share = diversity::largest_share(cells, &counts, values.as_deref());
                vec![Measured::at_most("alpha", share, *alpha), k(*least)]
            }
            Model::TauL { tau, l, .. } => vec![Measured::at_most("tau", diversity::smallest_tau(&counts, *l), *tau)],
            Model::ADDiversity { a, d, groups } => {
                let (fewest, present) = diversity::alike(cells, &counts, groups)?;
                vec![Measured::count("a", fewest, *a), Measured::count("d", present, *d)]
            }
            Model::EpsilonM { epsilon, m, relative } => {
                vec![Measured::at_least(
                    "m",
                    diversity::not_near(cells, &counts, *epsilon, *relative),
                    Milli(1000 * *m as i64),
                )]
            }
            _ => return self.distance(cells, &two()),
        })
    }

    /// What is measured by a definition that compares a class with a table; none for others.
    pub(super) fn distance(&self, cells: &SensitiveCells, two: &Two<'_>) -> Option<Vec<Measured>> {
        Some(match self.model {
            Model::TCloseness { t, distance, .. } => {
                let distance = match *distance {
                    "ordered" => two.ordered(),
                    "hierarchical" => two.hierarchical(cells)?,
                    "kl" => two.kl(),
                    _ => two.equal(),
                };
                vec![Measured::at_most("t", distance, *t)]
            }
            Model::BayesDifference { difference } => {
                vec![Measured::at_most("difference", two.largest_change(), *difference)]
            }
            Model::BayesBreach { rho1, rho2 } => {
                // Two conditions in one: 1 for a breach, and none is allowed.
                let breach = two.is_breach(rho1.0.into(), rho2.0.into());
                vec![Measured::at_most("breach", Quantity::Ratio(breach.into(), 1), Milli(0))]
            }
            _ => return None,
        })
    }
}

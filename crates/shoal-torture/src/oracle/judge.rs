//! Which classes keep every requirement, and what is achieved over all of them?

use std::collections::BTreeMap;

use super::closeness::Two;
use super::diversity;
use super::quantity::{Quantity, Side};
use super::sensitive::SensitiveCells;
use crate::requirement::{Milli, Model};

/// A requirement, made ready to be asked of rows.
pub struct Asked<'a> {
    pub model: &'a Model,
    /// The column it is about, by place; models of the whole table have none.
    pub column: Option<usize>,
    pub among: bool,
    /// The sensitive cells as this requirement sees them, by place of the column.
    pub cells: Vec<&'a SensitiveCells>,
    /// The counts of the input, for those who compare with it.
    pub input: Option<Vec<i128>>,
}

/// A bounded quantity, named like the parameter that bounds it.
pub struct Measured {
    pub name: &'static str,
    /// None where nothing is asked of this class.
    pub quantity: Option<Quantity>,
    pub side: Side,
    pub bound: Milli,
}

impl Asked<'_> {
    /// What it measures on these rows; none where the oracle cannot tell.
    fn measure(&self, rows: &[usize], released: &[i128]) -> Option<Vec<Measured>> {
        let size = rows.len() as i128;
        let whole = |number: u64| Milli(1000 * number as i64);
        let at_least = |name, quantity, bound| Measured { name, quantity: Some(quantity), side: Side::AtLeast, bound };
        let at_most = |name, quantity, bound| Measured { name, quantity: Some(quantity), side: Side::AtMost, bound };
        let k = |k: u64| at_least("k", Quantity::Ratio(size, 1), whole(k));
        let count = |name, count, bound| at_least(name, Quantity::Ratio(count, 1), whole(bound));
        match self.model {
            Model::KAnonymity { k: least } => return Some(vec![k(*least)]),
            Model::PSensitiveK { k: least, p } => {
                let distinct = self.cells.iter().map(|cells| diversity::distinct(&cells.counts(rows))).min();
                return Some(vec![k(*least), count("p", distinct?, *p)]);
            }
            _ => {}
        }
        let cells = self.cells[self.column?];
        let counts = cells.counts(rows);
        let two = || Two { class: &counts, table: self.input.as_deref().unwrap_or(released) };
        Some(match self.model {
            Model::DistinctL { l } => vec![count("l", diversity::distinct(&counts), *l)],
            Model::EntropyL { l } => vec![at_least("l", Quantity::Real(diversity::entropy(&counts)), *l)],
            Model::RecursiveCl { c, l } => {
                vec![Measured { name: "c", quantity: diversity::recursive(&counts, *l), side: Side::Below, bound: *c }]
            }
            Model::PdRecursiveCl { c, l, disclosable } => {
                let quantity = diversity::pd_recursive(cells, &counts, *l, disclosable);
                vec![Measured { name: "c", quantity, side: Side::Below, bound: *c }]
            }
            Model::NpdRecursiveCl { c1, c2, l, disclosable, guarded } => {
                let quantity = diversity::pd_recursive(cells, &counts, *l, disclosable);
                let least = diversity::least_percentage(cells, &counts, guarded);
                vec![
                    Measured { name: "c1", quantity, side: Side::Below, bound: *c1 },
                    Measured { name: "c2", quantity: least, side: Side::AtLeast, bound: *c2 },
                ]
            }
            Model::SimpleL { l } => {
                let most = counts.iter().copied().max().unwrap_or(1);
                vec![at_least("l", Quantity::Ratio(counts.iter().sum(), most), *l)]
            }
            Model::AlphaK { alpha, k: least, values } => {
                let share = diversity::largest_share(cells, &counts, values.as_deref());
                vec![at_most("alpha", share, *alpha), k(*least)]
            }
            Model::TauL { tau, l, .. } => vec![at_most("tau", diversity::smallest_tau(&counts, *l), *tau)],
            Model::ADDiversity { a, d, groups } => {
                let (fewest, present) = diversity::alike(cells, &counts, groups)?;
                vec![count("a", fewest, *a), count("d", present, *d)]
            }
            Model::TCloseness { t, distance, .. } => {
                let distance = match *distance {
                    "ordered" => two().ordered(),
                    "hierarchical" => two().hierarchical(cells)?,
                    "kl" => two().kl(),
                    _ => two().equal(),
                };
                vec![at_most("t", distance, *t)]
            }
            Model::EpsilonM { epsilon, m, relative } => {
                vec![at_least("m", diversity::not_near(cells, &counts, *epsilon, *relative), whole(*m))]
            }
            Model::BayesDifference { difference } => vec![at_most("difference", two().largest_change(), *difference)],
            Model::BayesBreach { rho1, rho2 } => {
                // Two conditions in one: 1 for a breach, and none is allowed.
                let breach = two().is_breach(rho1.0.into(), rho2.0.into());
                vec![at_most("breach", Quantity::Ratio(breach.into(), 1), Milli(0))]
            }
            Model::KAnonymity { .. } | Model::PSensitiveK { .. } => return None,
        })
    }

    /// What it measures on a class: on each part with equal other sensitive values where it is asked among those.
    fn measure_class(&self, rows: &[usize], released: &[i128]) -> Option<Vec<Vec<Measured>>> {
        if !self.among {
            return Some(vec![self.measure(rows, released)?]);
        }
        let mut parts: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
        for &row in rows {
            let others = (0..self.cells.len()).filter(|&place| Some(place) != self.column);
            parts.entry(others.map(|place| self.cells[place].texts[row].as_str()).collect()).or_default().push(row);
        }
        parts.values().map(|rows| self.measure(rows, released)).collect()
    }

    fn accepts(&self, rows: &[usize], released: &[i128]) -> Option<bool> {
        let all = self.measure_class(rows, released)?;
        let keeps = |measured: &Measured| {
            measured.quantity.is_none_or(|quantity| quantity.keeps(measured.side, measured.bound))
        };
        Some(all.iter().flatten().all(keeps))
    }

    /// The counts of these rows, for those who compare with what is released.
    fn released(&self, rows: &[usize]) -> Vec<i128> {
        self.column.map_or_else(Vec::new, |column| self.cells[column].counts(rows))
    }

    /// The worst of each quantity over these classes.
    pub fn achieved(&self, classes: &[Vec<usize>]) -> Option<Vec<Measured>> {
        let released = self.released(&classes.concat());
        let mut worst: Option<Vec<Measured>> = None;
        for class in classes {
            for measured in self.measure_class(class, &released)? {
                worst = Some(match worst {
                    None => measured,
                    Some(so_far) => so_far.into_iter().zip(measured).map(|(a, b)| worse(a, b)).collect(),
                });
            }
        }
        worst
    }
}

fn worse(a: Measured, b: Measured) -> Measured {
    let quantity = match (a.quantity, b.quantity) {
        (Some(x), Some(y)) => Some(x.worse(y, a.side)),
        (x, y) => x.or(y),
    };
    Measured { quantity, ..a }
}

/// Do all classes keep all requirements, with nothing suppressed? None where the oracle cannot tell.
pub fn satisfies(asked: &[Asked<'_>], classes: &[Vec<usize>]) -> Option<bool> {
    let all = classes.concat();
    for requirement in asked {
        let released = requirement.released(&all);
        for class in classes {
            if !requirement.accepts(class, &released)? {
                return Some(false);
            }
        }
    }
    Some(true)
}

/// Which classes are released where those that fail are suppressed: all that fail at once, then anew with the distribution
/// that is left, until nothing fails. None where the oracle cannot tell.
pub fn releasable(asked: &[Asked<'_>], classes: &[Vec<usize>]) -> Option<Vec<bool>> {
    let mut accepted = vec![true; classes.len()];
    loop {
        let left: Vec<usize> =
            classes.iter().zip(&accepted).filter(|pair| *pair.1).flat_map(|pair| pair.0.clone()).collect();
        let released: Vec<Vec<i128>> = asked.iter().map(|requirement| requirement.released(&left)).collect();
        let before = accepted.clone();
        for (class, accepted) in classes.iter().zip(&mut accepted).filter(|pair| *pair.1) {
            for (requirement, released) in asked.iter().zip(&released) {
                *accepted &= requirement.accepts(class, released)?;
            }
        }
        let changes = asked.iter().any(|requirement| requirement.model.depends_on_release());
        if accepted == before || !changes {
            return Some(accepted);
        }
    }
}

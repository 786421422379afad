//! What does each definition measure on a class where people are counted?

use std::collections::{BTreeMap, BTreeSet};

use super::closeness::Two;
use super::crowd::{Crowd, packed};
use super::crowds::Crowds;
use super::diversity;
use super::judge::{Asked, Reference, worse};
use super::measured::Measured;
use super::quantity::{Quantity, Side};
use super::sensitive::SensitiveCells;
use crate::decimal::ONE;
use crate::requirement::{Groups, Milli, Model};

impl Asked<'_> {
    /// What it measures on the people who have these rows; none where the oracle cannot tell.
    pub(super) fn measure_people(
        &self,
        rows: &[usize],
        people: &[usize],
        released: &Reference,
    ) -> Option<Vec<Measured>> {
        let everybody: BTreeSet<usize> = rows.iter().map(|&row| people[row]).collect();
        let k = |k: u64| Measured::count("k", everybody.len() as i128, k);
        match self.model {
            Model::KAnonymity { k: least } => return Some(vec![k(*least)]),
            Model::PSensitiveK { k: least, p } => {
                let mut fewest = None;
                for cells in &self.cells {
                    let needed = Crowd::new(cells, rows, people)?.packed().len() as i128;
                    fewest = Some(fewest.map_or(needed, |fewest: i128| fewest.min(needed)));
                }
                return Some(vec![k(*least), Measured::count("p", fewest?, *p)]);
            }
            _ => {}
        }
        let cells = self.cells[self.column?];
        let crowd = Crowd::new(cells, rows, people)?;
        let (having, count) = (crowd.having(), crowd.people());
        if let Some(measured) = self.compared(cells, &crowd, released) {
            return measured;
        }
        Some(match self.model {
            Model::DistinctL { l } => vec![Measured::count("l", crowd.packed().len() as i128, *l)],
            Model::EntropyL { l } => {
                vec![Measured::at_least("l", Quantity::Real(diversity::entropy(&crowd.packed())), *l)]
            }
            Model::TauL { tau, l, .. } => {
                vec![Measured::at_most("tau", diversity::smallest_tau(&crowd.packed(), *l), *tau)]
            }
            Model::RecursiveCl { c, l } => {
                vec![Measured::new("c", outweighed(cells, &having, count, *l, &[]), Side::Below, *c)]
            }
            Model::PdRecursiveCl { c, l, disclosable } => {
                vec![Measured::new("c", outweighed(cells, &having, count, *l, disclosable), Side::Below, *c)]
            }
            Model::NpdRecursiveCl { c1, c2, l, disclosable, guarded } => {
                let with =
                    |value: &String| cells.values.iter().position(|known| known == value).map(|leaf| having[leaf]);
                let least = guarded.iter().map(|value| with(value).unwrap_or(0)).min();
                let percentage = least.map(|least| Quantity::Ratio(100 * least, count));
                vec![
                    Measured::new("c1", outweighed(cells, &having, count, *l, disclosable), Side::Below, *c1),
                    Measured::new("c2", percentage, Side::AtLeast, *c2),
                ]
            }
            Model::SimpleL { l } => {
                vec![Measured::at_least("l", Quantity::Ratio(count, having.iter().copied().max()?), *l)]
            }
            Model::AlphaK { alpha, k: least, values } => {
                let is_meant =
                    |leaf: &usize| values.as_ref().is_none_or(|values| values.contains(&cells.values[*leaf]));
                let most = (0..having.len()).filter(is_meant).map(|leaf| having[leaf]).max().unwrap_or(0);
                vec![Measured::at_most("alpha", Quantity::Ratio(most, count), *alpha), k(*least)]
            }
            Model::ADDiversity { a, d, groups } => {
                let (fewest, kinds) = kinds(cells, &crowd, groups)?;
                vec![Measured::count("a", fewest, *a), Measured::count("d", kinds, *d)]
            }
            Model::EpsilonM { epsilon, m, relative } => {
                let near = most_near(cells, &crowd, *epsilon, *relative);
                vec![Measured::at_least("m", Quantity::Ratio(count, near), Milli(1000 * *m as i64))]
            }
            _ => return None,
        })
    }

    /// For a definition that compares people of a class with all people: by who has each value, and t-closeness besides by everybody in equal
    /// parts under each of their values. Nothing for the others.
    fn compared(&self, cells: &SensitiveCells, crowd: &Crowd, released: &Reference) -> Option<Option<Vec<Measured>>> {
        if !matches!(self.model, Model::TCloseness { .. } | Model::BayesDifference { .. } | Model::BayesBreach { .. }) {
            return None;
        }
        let table = self.input.as_ref().unwrap_or(released);
        let Some(all) = &table.crowd else { return Some(None) };
        let crowds = Crowds::new(crowd, all);
        match self.model {
            Model::TCloseness { t, distance, .. } => Some(self.closeness(cells, crowd, table).and_then(|in_parts| {
                Some(worse(in_parts, vec![Measured::at_most("t", crowds.apart(distance, cells)?, *t)]))
            })),
            Model::BayesDifference { difference } => {
                Some(Some(vec![Measured::at_most("difference", crowds.largest_change(), *difference)]))
            }
            Model::BayesBreach { rho1, rho2 } => {
                let breach = crowds.is_breach(rho1.0.into(), rho2.0.into());
                Some(Some(vec![Measured::at_most("breach", Quantity::Ratio(breach.into(), 1), Milli(0))]))
            }
            _ => None,
        }
    }

    /// How far people are in equal parts; none where people cannot be divided into parts.
    fn closeness(&self, cells: &SensitiveCells, crowd: &Crowd, table: &Reference) -> Option<Vec<Measured>> {
        let class = crowd.parts().filter(|_| table.counts.len() == cells.values.len())?;
        self.distance(cells, &Two { class: &class, table: &table.counts })
    }
}

/// Those with the most common value that is not disclosable, over those who are sure to have neither it nor any of the l - 2 most common
/// others; none where nothing is asked.
fn outweighed(
    cells: &SensitiveCells,
    having: &[i128],
    people: i128,
    l: u64,
    disclosable: &[String],
) -> Option<Quantity> {
    if l <= 1 {
        return None;
    }
    let secret = (0..having.len()).filter(|&leaf| having[leaf] > 0 && !disclosable.contains(&cells.values[leaf]));
    let most = secret.max_by_key(|&leaf| having[leaf])?;
    let mut others: Vec<i128> = (0..having.len()).filter(|&leaf| leaf != most).map(|leaf| having[leaf]).collect();
    others.sort_unstable_by(|a, b| b.cmp(a));
    let ruled_out: i128 = others.iter().take(l as usize - 2).sum();
    Some(Quantity::Ratio(having[most], (people - having[most] - ruled_out).max(0)))
}

/// The fewest values of a kind that those who have one of it count under, and how many kinds all people count under.
fn kinds(cells: &SensitiveCells, crowd: &Crowd, groups: &Groups) -> Option<(i128, i128)> {
    let having = crowd.having();
    let mut kinds: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for leaf in (0..having.len()).filter(|&leaf| having[leaf] > 0) {
        kinds.entry(diversity::group(cells, leaf, groups)?).or_default().push(leaf);
    }
    let with_kind = |leaves: &Vec<usize>| crowd.having_any(&|leaf| leaves.contains(&leaf));
    let needed = |leaves: &Vec<usize>| {
        packed(leaves.iter().map(|&leaf| having[leaf]).collect(), with_kind(leaves)).len() as i128
    };
    let of_all = packed(kinds.values().map(with_kind).collect(), crowd.people()).len() as i128;
    Some((kinds.values().map(needed).min()?, of_all))
}

/// The most people who have a number near that of one of them. What is no number is near itself alone.
fn most_near(cells: &SensitiveCells, crowd: &Crowd, epsilon: Milli, relative: bool) -> i128 {
    let having = crowd.having();
    let near = |leaf: usize| {
        let Some(number) = cells.numbers[leaf] else { return having[leaf] };
        let reach = if relative { number.abs() * i128::from(epsilon.0) } else { i128::from(epsilon.0) * ONE };
        let is_near = |other: usize| cells.numbers[other].is_some_and(|other| (other - number).abs() * 1000 <= reach);
        crowd.having_any(&is_near)
    };
    (0..having.len()).filter(|&leaf| having[leaf] > 0).map(near).max().unwrap_or(1)
}

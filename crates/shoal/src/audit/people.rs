//! What does a table promise its people, where it is known whose rows are whose?

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::every_model;
use crate::outsider::{Measured, OutsiderClasses, OutsiderTable};
use shoal_core::Result;
use shoal_core::frequency::{SensitiveColumn, TableProfile};
use shoal_core::model::{OfPeople, Requirement};

/// A table counted by people.
#[derive(Debug)]
pub struct AuditedPeople {
    /// How many there are.
    pub count: u64,
    /// How many of them have more than one row.
    pub with_several_rows: u64,
    /// How many classes have so many people.
    pub sizes: BTreeMap<u64, u64>,
    /// How many people are in some class with nobody else.
    pub alone: u64,
    /// For each sensitive column, where it gives everybody of a class away.
    pub homogeneous: Vec<Homogeneous>,
    /// Every model, asked of people.
    pub measures: Vec<Requirement>,
    /// What they reach.
    pub measured: Measured,
    /// Its classes, with whose rows they have.
    pub(super) classes: OutsiderClasses,
}

/// Where a sensitive column gives everybody of a class away: they all have some value of it, whatever else they have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Homogeneous {
    /// The column.
    pub column: String,
    /// In how many classes.
    pub classes: u64,
    /// How many different people are in one of these.
    pub people: u64,
}

impl Homogeneous {
    fn of(classes: &OutsiderClasses, place: usize, column: &SensitiveColumn) -> Self {
        let is_homogeneous = |&class: &usize| {
            let class = classes.class(class);
            let people = class.people();
            people.having().counts(place).largest() == people.count()
        };
        let homogeneous: Vec<usize> = (0..classes.len()).filter(is_homogeneous).collect();
        let people: BTreeSet<u32> =
            homogeneous.iter().flat_map(|&class| classes.people_of(class)).map(|(person, _)| person).collect();
        let (classes, people) = (homogeneous.len() as u64, people.len() as u64);
        Self { column: column.name().to_owned(), classes, people }
    }
}

impl AuditedPeople {
    /// Nothing, if the table does not tell.
    pub(super) fn of(table: &OutsiderTable, columns: &[SensitiveColumn], folder: &Path) -> Result<Option<Self>> {
        // How the people of the input share in values, where the columns are those of the run that counted them.
        let is_known = !columns.is_empty() && columns.iter().all(SensitiveColumn::is_shared);
        let input = is_known.then(|| TableProfile::of_input(columns, table.rows));
        let Some(classes) = OutsiderClasses::of_people(table, columns, input.as_ref())? else { return Ok(None) };
        let of_people = |requirement: Requirement| {
            let Requirement { id, column, parameters, model, .. } = requirement;
            Requirement::new(id, column, parameters, Box::new(OfPeople::new(model, false)))
        };
        let measures: Vec<Requirement> = every_model(columns, folder).into_iter().map(of_people).collect();
        let measured = classes.measure(&measures.iter().collect::<Vec<_>>());
        let (mut sizes, mut rows_of, mut alone) = (BTreeMap::new(), BTreeMap::<u32, u64>::new(), Vec::new());
        for class in 0..classes.len() {
            let people = classes.people_of(class);
            let distinct = people.len() as u64;
            *sizes.entry(distinct).or_default() += 1;
            if let [(only, _)] = people.as_slice() {
                alone.push(*only);
            }
            people.into_iter().for_each(|(person, rows)| *rows_of.entry(person).or_default() += rows);
        }
        alone.sort_unstable();
        alone.dedup();
        Ok(Some(Self {
            count: rows_of.len() as u64,
            with_several_rows: rows_of.values().filter(|rows| **rows > 1).count() as u64,
            sizes,
            alone: alone.len() as u64,
            homogeneous: columns
                .iter()
                .enumerate()
                .map(|(place, column)| Homogeneous::of(&classes, place, column))
                .collect(),
            measures,
            measured,
            classes,
        }))
    }

    /// How likely somebody is found who is known to be in the table by one of their rows: the highest, and the average over people of what
    /// their most telling row gives.
    pub fn risk(&self) -> (f64, f64) {
        let risks = self.risks();
        let highest = risks.iter().copied().fold(0.0, f64::max);
        (highest, risks.iter().sum::<f64>() / risks.len().max(1) as f64)
    }

    /// The share of people of whom it is above a threshold.
    pub fn share_above(&self, threshold: f64) -> f64 {
        let risks = self.risks();
        risks.iter().filter(|risk| **risk > threshold).count() as f64 / risks.len().max(1) as f64
    }

    /// For everybody, by their most telling row.
    fn risks(&self) -> Vec<f64> {
        let mut fewest: BTreeMap<u32, u64> = BTreeMap::new();
        for class in 0..self.classes.len() {
            let people = self.classes.people_of(class);
            let count = people.len() as u64;
            for (person, _) in people {
                fewest.entry(person).and_modify(|least| *least = count.min(*least)).or_insert(count);
            }
        }
        fewest.values().map(|&count| 1.0 / count as f64).collect()
    }
}

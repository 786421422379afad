//! What does a table promise its people, where it is known whose rows are whose?

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{AuditTask, LinkedPeople, every_model};
use crate::attack::{Options, exactly};
use crate::outsider::{Measured, OutsiderClasses};
use shoal_core::Result;
use shoal_core::exact::Ratio;
use shoal_core::frequency::{SensitiveColumn, TableProfile};
use shoal_core::method::Knows;
use shoal_core::model::{OfPeople, Requirement};

/// A table counted by people.
#[derive(Debug)]
pub struct AuditedPeople {
    /// The column that tells them apart, where the table has it.
    pub column: Option<String>,
    /// What a policy that counts people takes somebody to know of them; its requirements are judged so.
    pub knows: Option<Knows>,
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
    /// For each sensitive column, where a value is far commoner among the people of a class than among all of them.
    pub skewed: Vec<Skewed>,
    /// How many people somebody finds who has the original, where it says whose rows are whose.
    pub linked: Option<LinkedPeople>,
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
        let (classes, people) = classes_and_people(classes, is_homogeneous);
        Self { column: column.name().to_owned(), classes, people }
    }
}

/// Where a value of a sensitive column is far commoner among the people of a class than among all of them, as the attack `skewness` asks
/// of records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Skewed {
    /// The column.
    pub column: String,
    /// In how many classes.
    pub classes: u64,
    /// How many different people are in one of these.
    pub people: u64,
}

impl Skewed {
    fn of(classes: &OutsiderClasses, place: usize, column: &SensitiveColumn, options: &Options) -> Self {
        let overall = Self::overall(classes, place, column.codes());
        let everybody = u128::from(classes.people_count().unwrap_or(0));
        let (ratio, difference) = (exactly(options.ratio), exactly(options.difference));
        let bad: Vec<u32> = options.bad_of(column.name()).filter_map(|value| column.code(value)).collect();
        let is_skewed = |&class: &usize| {
            let class = classes.class(class);
            let people = class.people();
            let count = u128::from(people.count());
            let is_far = |(code, having): (u32, u64)| {
                let (here, all) = (u128::from(having) * everybody, u128::from(overall[code as usize]) * count);
                let is_bad = bad.is_empty() || bad.contains(&code);
                is_bad
                    && Ratio::new(here, all) >= ratio
                    && Ratio::new(here.saturating_sub(all), count * everybody) >= difference
            };
            people.having().counts(place).iter().any(is_far)
        };
        let (classes, people) = classes_and_people(classes, is_skewed);
        Self { column: column.name().to_owned(), classes, people }
    }

    /// How many people have each value of a column.
    fn overall(classes: &OutsiderClasses, place: usize, codes: usize) -> Vec<u64> {
        let tuples = classes.tuples();
        let pair = |tuple: u32| Some((tuples.tuple(tuple)[place], *tuples.tuple(tuple).last()?));
        let pairs: BTreeSet<(u32, u32)> = (0..tuples.len() as u32).filter_map(pair).collect();
        let mut overall = vec![0; codes];
        pairs.into_iter().for_each(|(code, _)| overall[code as usize] += 1);
        overall
    }
}

/// How many classes are so, and how many different people are in one of them.
fn classes_and_people(classes: &OutsiderClasses, is_so: impl Fn(&usize) -> bool) -> (u64, u64) {
    let found: Vec<usize> = (0..classes.len()).filter(is_so).collect();
    let people: BTreeSet<u32> =
        found.iter().flat_map(|&class| classes.people_of(class)).map(|(person, _)| person).collect();
    (found.len() as u64, people.len() as u64)
}

impl AuditedPeople {
    /// Nothing, if the table does not tell.
    pub(super) fn of(task: &AuditTask<'_>, columns: &[SensitiveColumn]) -> Result<Option<Self>> {
        let AuditTask { table, options, folder, .. } = task;
        // How the people of the input share in values, where the columns are those of the run that counted them.
        let is_known = !columns.is_empty() && task.knows_people_of_input(columns);
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
            column: None,
            knows: task.policy.filter(|policy| policy.input.person.is_some()).map(|policy| policy.input.knows),
            count: rows_of.len() as u64,
            with_several_rows: rows_of.values().filter(|rows| **rows > 1).count() as u64,
            sizes,
            alone: alone.len() as u64,
            homogeneous: (0..).zip(columns).map(|(place, column)| Homogeneous::of(&classes, place, column)).collect(),
            skewed: (0..).zip(columns).map(|(place, column)| Skewed::of(&classes, place, column, options)).collect(),
            linked: None,
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

    /// For everybody, by their most telling row, the highest first: what is rounded must not depend on the order of people, since names of theirs
    /// may be others in the release than in its audit.
    fn risks(&self) -> Vec<f64> {
        let mut fewest: BTreeMap<u32, u64> = BTreeMap::new();
        for class in 0..self.classes.len() {
            let people = self.classes.people_of(class);
            let count = people.len() as u64;
            for (person, _) in people {
                fewest.entry(person).and_modify(|least| *least = count.min(*least)).or_insert(count);
            }
        }
        let mut fewest: Vec<u64> = fewest.into_values().collect();
        fewest.sort_unstable();
        fewest.into_iter().map(|count| 1.0 / count as f64).collect()
    }
}

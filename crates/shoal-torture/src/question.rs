//! What do the rows that are left mean to an oracle: their labels on every level, their sensitive values, the requirements?

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::case::Case;
use crate::levels::Levels;
use crate::oracle::judge::{Asked, Reference};
use crate::oracle::sensitive::SensitiveCells;
use crate::people::People;
use crate::policy::{Column, Role};
use crate::requirement::{Model, Weights};
use crate::table::Table;

/// A case as oracles see it.
pub struct Question<'a> {
    pub case: &'a Case,
    /// The rows after those with missing values are dropped, if they are.
    pub kept: Table,
    pub quasi: Vec<&'a Column>,
    pub sensitive: Vec<&'a Column>,
    /// The hierarchy of each quasi-identifier, as far as it can be worked out.
    pub levels: Vec<Option<Levels>>,
    sensitive_levels: Vec<Option<Levels>>,
    /// Whose each kept row is, where people are counted.
    pub people: Option<Vec<usize>>,
}

impl<'a> Question<'a> {
    pub fn new(case: &'a Case) -> Self {
        let kept = case.kept();
        let quasi: Vec<&Column> = case.policy.with_role(Role::Quasi).collect();
        let sensitive: Vec<&Column> = case.policy.with_role(Role::Sensitive).collect();
        let levels = quasi.iter().map(|column| case.levels(&kept, column)).collect();
        let sensitive_levels =
            sensitive.iter().map(|column| column.hierarchy.as_ref().and_then(|_| case.levels(&kept, column))).collect();
        let people = case.policy.people.as_ref().and_then(|people| numbered(&kept, &people.column));
        Self { case, kept, quasi, sensitive, levels, sensitive_levels, people }
    }

    /// Whose the rows of a table are that came from these kept rows, where people are counted.
    pub fn people_of(&self, rows: &[usize]) -> Option<Vec<usize>> {
        self.people.as_ref().map(|people| rows.iter().map(|&row| people[row]).collect())
    }

    /// Has everybody one row? Then people are rows.
    pub fn everybody_has_one_row(&self) -> bool {
        self.people.as_ref().is_none_or(|people| people.iter().collect::<BTreeSet<_>>().len() == people.len())
    }

    /// Does somebody know all rows of a person?
    pub fn knows_all_rows(&self) -> bool {
        self.case.policy.people.as_ref().is_some_and(People::know_all_rows)
    }

    /// Is somebody with several rows released or left out as a whole?
    pub fn takes_people_whole(&self) -> bool {
        let are_whole = self.case.policy.people.as_ref().is_some_and(People::are_whole);
        are_whole && !self.everybody_has_one_row()
    }

    /// The hierarchy of a quasi-identifier, if it could be worked out.
    pub fn levels_of(&self, name: &str) -> Option<&Levels> {
        self.levels[self.quasi.iter().position(|column| column.name == name)?].as_ref()
    }

    /// The hierarchy of a sensitive column, if it has one.
    pub fn sensitive_levels_of(&self, name: &str) -> Option<&Levels> {
        self.sensitive_levels[self.sensitive.iter().position(|column| column.name == name)?].as_ref()
    }

    /// How many rows may be suppressed: exact decimals, rounded down.
    pub fn most_suppressed(&self) -> usize {
        self.kept.rows.len() * self.case.policy.method.max_suppressed.0 as usize / 1000
    }

    /// The cells of a column of a table, the input's or a release's.
    pub fn cells(table: &Table, name: &str) -> Option<Vec<String>> {
        let place = table.place(name)?;
        Some(table.rows.iter().map(|row| row[place].clone()).collect())
    }

    /// The sensitive cells of a table, once for each requirement: they differ in how they weigh generalized values.
    pub fn sensitive_cells(&self, table: &Table) -> Option<Vec<Vec<SensitiveCells>>> {
        let of_requirement = |(model, name, _): &(&Model, Option<&str>, bool)| -> Option<Vec<SensitiveCells>> {
            let mut all = Vec::new();
            for (column, levels) in self.sensitive.iter().zip(&self.sensitive_levels) {
                let mut values: BTreeSet<String> = Self::cells(&self.kept, &column.name)?.into_iter().collect();
                let weights = match model {
                    Model::TauL { weights, .. } if *name == Some(&column.name) => weights.as_ref(),
                    _ => None,
                };
                // Whoever weighs a value calls it possible, also where every row that has it is dropped.
                if let Some(Weights::ByValue(weights)) = weights {
                    values.extend(weights.iter().map(|(value, _)| value.clone()));
                }
                // Where the release shows nothing below a label, that counts for all of it.
                if let (Some(Weights::Released), Some(levels)) = (weights, levels) {
                    values.extend(levels.paths().map(|(leaf, _)| leaf.clone()));
                }
                let cells = Self::cells(table, &column.name)?;
                let marker = self.case.policy.marker();
                all.push(SensitiveCells::new(column, &cells, &values, levels.as_ref(), marker, weights)?);
            }
            Some(all)
        };
        self.case.policy.resolved().iter().map(of_requirement).collect()
    }

    /// The requirements, ready to be asked of the kept rows, whose sensitive cells are these.
    pub fn asked_of_input<'b>(&'b self, cells: &'b [Vec<SensitiveCells>]) -> Vec<Asked<'b>> {
        self.asked(cells, cells, self.people.as_deref())
    }

    /// The requirements, ready to be asked of rows whose sensitive cells are these, and who are these people's if people are counted;
    /// `input` are the cells of the kept rows.
    pub fn asked<'b>(
        &'b self,
        cells: &'b [Vec<SensitiveCells>],
        input: &[Vec<SensitiveCells>],
        people: Option<&'b [usize]>,
    ) -> Vec<Asked<'b>> {
        let resolved = self.case.policy.resolved();
        let all_rows: Vec<usize> = (0..self.kept.rows.len()).collect();
        let asked = |(place, (model, name, among)): (usize, (&'b Model, Option<&'b str>, bool))| {
            let column = name.and_then(|name| self.sensitive.iter().position(|column| column.name == name));
            let compares = matches!(model, Model::TCloseness { to_table: true, .. });
            let counted = |column: usize| Reference::of(&input[place][column], &all_rows, self.people.as_deref());
            let input = column.filter(|_| compares).map(counted);
            Asked { model, column, among, cells: cells[place].iter().collect(), input, people }
        };
        resolved.into_iter().enumerate().map(asked).collect()
    }
}

/// For each row a number for what it has in a column.
fn numbered(table: &Table, column: &str) -> Option<Vec<usize>> {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let number = |cell: String| {
        let next = numbers.len();
        *numbers.entry(cell).or_insert(next)
    };
    Some(Question::cells(table, column)?.into_iter().map(number).collect())
}

/// Rows with the same texts, in the order in which each text comes first.
pub fn grouped(keys: &[Vec<String>]) -> Vec<Vec<usize>> {
    let mut place: HashMap<&[String], usize> = HashMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (row, key) in keys.iter().enumerate() {
        let next = groups.len();
        let group = *place.entry(key).or_insert(next);
        if group == next {
            groups.push(Vec::new());
        }
        groups[group].push(row);
    }
    groups
}

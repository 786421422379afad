//! Does a release in two tables show who is in which class, and in each class the sensitive values of just these?

use std::collections::BTreeMap;

use super::models;
use crate::finding::Finding;
use crate::policy::Role;
use crate::question::Question;
use crate::table::Table;
use crate::trial::{Published, Trial};

/// Both tables, and every requirement on them.
pub fn release(trial: &mut Trial<'_>, question: &Question<'_>, published: &Published) {
    let Some(release) = &published.release else { return };
    let path = trial.folder.join(format!("release.sensitive.{}", trial.case.policy.output));
    let policy = &trial.case.policy;
    let values = match Table::read(&path, policy.release_delimiter(), policy.marker()) {
        Ok(values) => values,
        Err(error) => return trial.find(Finding::new("anatomy/unreadable", "a table of sensitive values", error)),
    };
    let Some(shown) = Shown::new(question, release, &values) else {
        let came = format!("{:?} and {:?}", release.names, values.names);
        return trial.find(Finding::new("anatomy/columns", "the columns of two tables", came));
    };
    trial.tally.add("checks", "releases in two tables");
    let released = shown.people.len();
    let suppressed = question.kept.rows.len().saturating_sub(released);
    let said = |key: &str| published.whole(key);
    let counts = (said("released_rows"), said("suppressed_rows"), said("classes"));
    let expected = (Some(released), Some(suppressed), Some(shown.classes.len()));
    if counts != expected {
        trial.find(Finding::new("anatomy/counts", format!("{expected:?}"), format!("{counts:?}")));
    }
    if let Some(finding) = shown.compare(question, suppressed == 0 && !policy.shuffle) {
        trial.find(finding);
    }
    // Where people are counted, everybody has one row: for others this method refuses.
    let looks = [shown.classes];
    let shown = models::Shown { table: &shown.records, looks: &looks, people: None };
    models::judge(trial, question, published, &shown);
}

/// What the two tables say together.
struct Shown {
    /// For each row of the first table, its cells without the class, and its class.
    people: Vec<(Vec<String>, String)>,
    names: Vec<String>,
    /// A row for each record of the second table.
    records: Table,
    /// The records of each class.
    classes: Vec<Vec<usize>>,
    class_names: Vec<String>,
}

impl Shown {
    fn new(question: &Question<'_>, release: &Table, values: &Table) -> Option<Self> {
        let class = release.place("class")?;
        let mut names = release.names.clone();
        names.remove(class);
        let people = release.rows.iter().filter(|row| row.iter().any(|cell| cell != "*")).map(|row| {
            let mut cells = row.clone();
            let class = cells.remove(class);
            (cells, class)
        });
        let people: Vec<(Vec<String>, String)> = people.collect();
        let (class, count) = (values.place("class")?, values.place("count")?);
        let places: Vec<usize> =
            question.sensitive.iter().map(|column| values.place(&column.name)).collect::<Option<_>>()?;
        let mut records =
            Table { names: question.sensitive.iter().map(|column| column.name.clone()).collect(), rows: Vec::new() };
        let mut classes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for row in &values.rows {
            for _ in 0..row[count].parse::<usize>().ok()? {
                classes.entry(row[class].clone()).or_default().push(records.rows.len());
                let cell = |&place: &usize| question.case.policy.understood(&row[place]).to_owned();
                records.rows.push(places.iter().map(cell).collect());
            }
        }
        let (class_names, classes) = classes.into_iter().unzip();
        Some(Self { people, names, records, classes, class_names })
    }

    /// Quasi-identifiers as they are, and classes as large in one table as in the other; where it is known who is who, with
    /// the sensitive values of these.
    fn compare(&self, question: &Question<'_>, in_order: bool) -> Option<Finding> {
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        self.people.iter().for_each(|(_, class)| *sizes.entry(class).or_default() += 1);
        let in_values: BTreeMap<&str, usize> =
            self.class_names.iter().map(String::as_str).zip(self.classes.iter().map(Vec::len)).collect();
        if sizes != in_values {
            return Some(Finding::new("anatomy/classes", format!("{sizes:?}"), format!("{in_values:?}")));
        }
        if !in_order {
            return None;
        }
        let places: Vec<usize> = self.names.iter().map(|name| question.kept.place(name)).collect::<Option<_>>()?;
        for (row, (cells, _)) in self.people.iter().enumerate() {
            let original: Vec<&String> = places.iter().map(|&place| &question.kept.rows[row][place]).collect();
            let is_same = |(cell, original): (&String, &&String)| question.case.policy.understood(cell) == *original;
            if !cells.iter().zip(&original).all(is_same) {
                return Some(Finding::new("anatomy/rows", format!("{original:?}"), format!("{cells:?}")));
            }
        }
        let sensitive: Vec<usize> = question
            .case
            .policy
            .with_role(Role::Sensitive)
            .map(|column| question.kept.place(&column.name))
            .collect::<Option<_>>()?;
        for (name, class) in self.class_names.iter().zip(&self.classes) {
            let mut shown: Vec<&Vec<String>> = class.iter().map(|&record| &self.records.rows[record]).collect();
            let members = (0..self.people.len()).filter(|&row| self.people[row].1 == *name);
            let cells = |row: usize| sensitive.iter().map(|&place| question.kept.rows[row][place].clone()).collect();
            let mut truth: Vec<Vec<String>> = members.map(cells).collect();
            shown.sort();
            truth.sort();
            if !shown.iter().copied().eq(&truth) {
                return Some(Finding::new(
                    "anatomy/values",
                    format!("{truth:?} in class {name}"),
                    format!("{shown:?}"),
                ));
            }
        }
        None
    }
}

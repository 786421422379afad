//! Who is in which class of a release, and is that what was asked for, judged from the text alone?

use std::collections::BTreeMap;

use shoal_core::frequency::CountedTable;
use shoal_core::method::Partition;
use shoal_core::model::Requirement;

use super::Plan;
use super::naive::Asked;

/// A plan, its table, and requirements on it, judged from the text alone.
#[derive(Debug)]
pub struct Naive<'a> {
    pub plan: &'a Plan,
    pub asked: Vec<Asked<'a>>,
    pub depends_on_release: bool,
}

/// What is left of a node after suppression: the rows of each class, and those of none.
#[derive(Debug)]
pub struct Rest {
    pub classes: Vec<Vec<usize>>,
    pub suppressed: Vec<usize>,
}

impl<'a> Naive<'a> {
    pub fn new(plan: &'a Plan, requirements: &'a [Requirement], column: usize, among: bool) -> Self {
        let asked = |requirement: &'a Requirement| Asked {
            plan,
            id: requirement.id,
            parameters: &requirement.parameters,
            column,
            among: among && requirement.id != "k-anonymity",
            people: None,
        };
        let depends_on_release = requirements.iter().any(|requirement| requirement.model.depends_on_release());
        Self { plan, asked: requirements.iter().map(asked).collect(), depends_on_release }
    }

    /// The same where each row is somebody's.
    #[must_use]
    pub fn of_people(mut self, people: &'a [u32]) -> Self {
        self.asked.iter_mut().for_each(|asked| asked.people = Some(people));
        self
    }

    pub fn accepts(&self, class: &[usize], released: &[usize]) -> Option<bool> {
        let verdicts: Option<Vec<bool>> = self.asked.iter().map(|asked| asked.accepts(class, released)).collect();
        verdicts.map(|verdicts| verdicts.into_iter().all(|accepted| accepted))
    }

    /// Suppression in rounds: drop all that fail, take the distribution anew, never readmit. `None` where floating
    /// point cannot tell.
    pub fn rest(&self, levels: &[u8]) -> Option<Rest> {
        let mut classes: Vec<Vec<usize>> = self.plan.classes_at(levels).into_values().collect();
        let mut suppressed = Vec::new();
        loop {
            let released: Vec<usize> = classes.iter().flatten().copied().collect();
            let verdicts: Option<Vec<bool>> = classes.iter().map(|class| self.accepts(class, &released)).collect();
            let (kept, dropped): (Vec<_>, Vec<_>) =
                classes.into_iter().zip(verdicts?).partition(|(_, accepted)| *accepted);
            classes = kept.into_iter().map(|(class, _)| class).collect();
            suppressed.extend(dropped.iter().flat_map(|(class, _)| class.clone()));
            if dropped.is_empty() || !self.depends_on_release {
                return Some(Rest { classes, suppressed });
            }
        }
    }
}

/// The rows with each tuple of the base, in the order of its entries.
pub fn rows_of_tuples(plan: &Plan, table: &CountedTable) -> Vec<Vec<usize>> {
    let mut rows: BTreeMap<&[String], Vec<usize>> = BTreeMap::new();
    for (place, row) in plan.rows.iter().enumerate() {
        rows.entry(row).or_default().push(place);
    }
    let mut tuples = Vec::new();
    for class in 0..table.base.classes() {
        let quasi = |column: usize| table.quasi[column].dictionary.value(table.base.code(class, column)).to_owned();
        for &tuple in table.base.entries(class).0 {
            let sensitive = table.base.sensitive().tuple(tuple).iter().zip(&table.sensitive);
            let sensitive = sensitive.map(|(&code, column)| column.value(code).to_owned());
            let text: Vec<String> = (0..table.quasi.len()).map(quasi).chain(sensitive).collect();
            tuples.push(rows[text.as_slice()].clone());
        }
    }
    tuples
}

/// The rows of each class and those of none, by the assignments; no row may be lost or doubled.
pub fn released_rows(plan: &Plan, table: &CountedTable, partition: &Partition) -> Rest {
    let mut left = rows_of_tuples(plan, table);
    let mut rest = Rest { classes: vec![vec![]; partition.classes.len()], suppressed: vec![] };
    assert!(partition.assignments.is_sorted_by_key(|assignment| assignment.tuple));
    for assignment in &partition.assignments {
        let rows = &mut left[assignment.tuple as usize];
        let taken = rows.split_off(rows.len() - assignment.count as usize);
        match assignment.class {
            Some(class) => rest.classes[class as usize].extend(taken),
            None => rest.suppressed.extend(taken),
        }
    }
    assert!(left.iter().all(Vec::is_empty), "the counts of a tuple add up to its frequency");
    rest
}

//! Of whom does some requirement fail, to somebody who knows all of their rows?

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;

use super::grouping::sensitive_counts;
use super::{Assignment, Partition, Task};
use crate::frequency::SensitiveTuples;
use crate::model::{Requirement, releasable};

/// Whoever is among people who look the same with all of their rows, in any order, and of whom some requirement fails.
///
/// Where a requirement takes the other sensitive values for known, those are known of all rows, too: people look the same then if their rows do with
/// these, and nothing else divides them.
pub(super) fn failing_by_all_rows(task: &Task<'_>, settled: &Partition) -> Vec<usize> {
    let mut by_column: BTreeMap<Option<usize>, Vec<&Requirement>> = BTreeMap::new();
    for requirement in task.requirements {
        by_column.entry(requirement.model.among_others()).or_default().push(requirement);
    }
    let failing =
        by_column.into_iter().flat_map(|(column, requirements)| failing(task, settled, column, &requirements));
    failing.collect::<BTreeSet<usize>>().into_iter().collect()
}

/// The same for requirements that take all sensitive columns but one for known, or none of them.
fn failing(task: &Task<'_>, settled: &Partition, column: Option<usize>, requirements: &[&Requirement]) -> Vec<usize> {
    let base = &task.table.base;
    let group_of = alike(task, settled, column);
    let (tuples, places) = match column {
        Some(column) => base.sensitive().of_one_column(column),
        None => (base.sensitive().clone(), (0..base.sensitive().len() as u32).collect()),
    };
    let by_group = |part: &Assignment| {
        let class = part.class.map(|_| group_of[base.person(part.shows)]);
        Assignment { class, shows: places[part.shows as usize], ..*part }
    };
    let parts: Vec<Assignment> = settled.assignments.iter().map(by_group).collect();
    let set = sensitive_counts(&parts, group_of.len(), &tuples);
    let accepted = releasable(requirements, &task.table.sensitive, &set, &task.table.profile());
    let failing = (0..set.classes()).filter(|&place| !accepted[place]);
    let failing: BTreeSet<u32> = failing.map(|place| set.code(place, 0)).collect();
    (0..group_of.len()).filter(|&person| failing.contains(&group_of[person])).collect()
}

/// The number of the group of each person: those have the same rows, by their classes and by the sensitive values that are known.
fn alike(task: &Task<'_>, settled: &Partition, column: Option<usize>) -> Vec<u32> {
    let base = &task.table.base;
    let codes = task.table.people.as_ref().map_or(0, |people| people.codes);
    let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
    // For everybody, classes and what is known besides, and how many rows they have there.
    let mut rows: Vec<Vec<(u32, u32, u64)>> = vec![Vec::new(); codes];
    for part in &settled.assignments {
        let Some(class) = part.class else { continue };
        let others = column.map_or_else(Vec::new, |column| others(base.sensitive(), part.shows, column));
        let next = known.len() as u32;
        rows[base.person(part.shows)].push((class, *known.entry(others).or_insert(next), part.count));
    }
    let mut numbers: HashMap<Vec<(u32, u32, u64)>, u32> = HashMap::new();
    let number = |mut rows: Vec<(u32, u32, u64)>| {
        rows.sort_unstable();
        rows.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if same { next.2 } else { 0 };
            same
        });
        let next = numbers.len() as u32;
        *numbers.entry(rows).or_insert(next)
    };
    rows.into_iter().map(number).collect()
}

/// What a tuple says in all sensitive columns but one.
fn others(tuples: &SensitiveTuples, tuple: u32, column: usize) -> Vec<u32> {
    let codes = &tuples.tuple(tuple)[..tuples.columns()];
    codes.iter().enumerate().filter(|(place, _)| *place != column).map(|(_, &code)| code).collect()
}

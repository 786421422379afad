//! What if people, with all of their rows, are released or suppressed as a whole?

use std::sync::{Arc, OnceLock};

use hashbrown::{HashMap, HashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::all_rows::failing_by_all_rows;
use super::fallback::better_of;
use super::{Assignment, Grouping, Label, Method, Partition, Task};
use crate::error::Kind;
use crate::exact::Ratio;
use crate::frequency::{CountedTable, FrequencySet, KeyLayout, QuasiColumn, TablePeople};
use crate::hierarchy::{Hierarchy, Level};
use crate::lattice::Node;
use crate::model::Requirement;
use crate::objective::{Height, Objective};
use crate::table::{ColumnType, Dictionary};
use crate::watch::Watch;
use crate::{Error, Result};

/// What somebody knows of a person who has several rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Knows {
    /// The quasi-identifiers of one row: requirements hold among the people whose rows look like it.
    #[default]
    OneRow,
    /// Those of all rows: requirements hold besides among the people all of whose rows look the same.
    AllRows,
}

/// What is left out of a release where something must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Suppress {
    /// Rows: of somebody with several, some may be released and some not. The limit counts rows.
    #[default]
    Rows,
    /// People, with all of their rows. The limit counts people.
    People,
}

/// What a method makes of a task, with people left out altogether where that is asked.
pub fn partition(method: &dyn Method, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
    match &task.table.people {
        Some(people) if task.suppress == Suppress::People && task.max_suppressed > Ratio::ZERO => {
            suppressing_people(method, task, people, watch)
        }
        _ => method.partition(task, watch),
    }
}

/// So often a smaller part of the limit is given to a method that leaves out rows, until all people of these rows are within it.
const SMALLER_PARTS: [u64; 5] = [1, 2, 4, 16, 64];

/// Whoever has a row that a method leaves out is taken out of the table, and the method is asked again, until it leaves out nothing
/// more. What is found so is held against what the method makes of everybody: leaving out people costs something, too, and a limit that
/// allows it must not make a release worse.
fn suppressing_people(
    method: &dyn Method,
    task: &Task<'_>,
    people: &TablePeople,
    watch: &dyn Watch,
) -> Result<Partition> {
    let limit = task.max_suppressed.floor_of(people.count);
    let rows = task.table.rows;
    let mut refused = None;
    let found = SMALLER_PARTS.iter().find_map(|part| {
        let share = Ratio::new(u128::from(task.rows_to_spare() / part), rows.max(1).into());
        match without_some(method, &Task { max_suppressed: share, ..*task }, limit, watch) {
            Ok(partition) => Some(partition),
            Err(error) => {
                // The first one says what is missing.
                refused.get_or_insert(error);
                None
            }
        }
    });
    watch.proceed()?;
    let found = match (found, refused) {
        (Some(complete), _) if complete.suppressed() == 0 => return Ok(complete),
        (Some(found), _) => Ok(found),
        (None, refused) => Err(refused.expect("every part of the limit was tried")),
    };
    let of_everybody = without_some(method, &Task { max_suppressed: Ratio::ZERO, ..*task }, limit, watch);
    better_of(task, found, of_everybody)
}

/// So many combinations of levels are tried for whoever was left out: each is a pass over the table.
const TRIED_AGAIN: usize = 8;

fn without_some(method: &dyn Method, task: &Task<'_>, limit: u64, watch: &dyn Watch) -> Result<Partition> {
    let codes = task.table.people.as_ref().map_or(0, |people| people.codes);
    let mut gone = vec![false; codes];
    loop {
        let (rest, entries) = task.table.without(&gone);
        let found = method.partition(&Task { table: &rest, ..*task }, watch);
        let partition =
            found.map_err(|error| if gone.contains(&true) { none_of_others(task, error) } else { error })?;
        let tuples = rest.base.entry_tuples();
        let mut is_done = true;
        for left_out in partition.assignments.iter().filter(|part| part.class.is_none()) {
            gone[rest.base.person(tuples[left_out.tuple as usize])] = true;
            is_done = false;
        }
        let leaving = gone.iter().filter(|&&gone| gone).count() as u64;
        if leaving > limit {
            return Err(too_many_people(task, leaving, limit));
        }
        if task.table.people.as_ref().is_some_and(|people| people.count == leaving) {
            return Err(nobody_left(task));
        }
        if is_done {
            return put_back(task, &partition, &entries);
        }
    }
}

/// The partition of a table of which some people were taken out, as one of the whole table.
fn put_back(task: &Task<'_>, partition: &Partition, entries: &[u32]) -> Result<Partition> {
    let columns = task.table.quasi.len();
    let mut grouping = Grouping::new(columns);
    for class in 0..partition.classes.len() as u32 {
        grouping.class((0..columns).map(|column| partition.classes.label(class, column).clone()));
    }
    let mut stays = vec![false; task.table.base.tuples()];
    for part in &partition.assignments {
        let tuple = entries[part.tuple as usize];
        stays[tuple as usize] = true;
        grouping.assign(Assignment { tuple, ..*part });
    }
    let mut leaving = 0;
    task.table.base.each_entry(|entry, shows, count| {
        if !stays[entry] {
            leaving += count;
            grouping.assign(Assignment { tuple: entry as u32, class: None, shows, count });
        }
    });
    let settled = grouping.settle(&Task { max_suppressed: Ratio::from(1), ..*task })?;
    let knows_all_rows = task.knows == Knows::AllRows;
    if settled.suppressed() != leaving || (knows_all_rows && !failing_by_all_rows(task, &settled).is_empty()) {
        return Err(not_whole(task.requirements, task.knows));
    }
    let levels = partition.levels().cloned();
    Ok(at_levels(Partition { lattice: partition.lattice, ..settled }, levels))
}

/// The same partition, where each column shows one level in all rows.
fn at_levels(partition: Partition, levels: Option<Node>) -> Partition {
    let Some(levels) = levels else { return partition };
    let height = f64::from(levels.height());
    let with_height = |(id, value): (&'static str, f64)| (id, if id == Height.id() { height } else { value });
    let objectives = partition.objectives.into_iter().map(with_height).collect();
    Partition { objectives, level_of_people: Some(levels), ..partition }
}

/// A table in which the quasi-identifiers of every row are those of all rows of its person: who is in a class of it is there with all of
/// their rows, and with others who have as many, each of which looks like the one beside it.
///
/// The rows of each person stand in one order, by their quasi-identifiers; the value of a column is what they have there, one after
/// the other, and a level generalizes all of them. People with different numbers of rows are never alike: one more column has
/// that number, and no level but the first.
pub(super) struct WholePeople {
    table: CountedTable,
    /// The level of each column of the table that this was made from stands at this place of a label here.
    columns: usize,
}

impl WholePeople {
    pub(super) fn new(table: &CountedTable, people: &TablePeople) -> Self {
        let rows = rows_of_people(table, people.codes);
        let mut quasi: Vec<QuasiColumn> = Vec::new();
        // For each column, the code of each person.
        let mut codes: Vec<Vec<u32>> = Vec::new();
        for (column, known) in table.quasi.iter().enumerate() {
            let (of_people, derived) = match people.constant[column] {
                true => {
                    let code =
                        |rows: &Vec<u32>| rows.first().map_or(0, |&class| table.base.code(class as usize, column));
                    (rows.iter().map(code).collect(), known.clone())
                }
                false => in_a_row(table, column, &rows),
            };
            codes.push(of_people);
            quasi.push(derived);
        }
        let (numbers, number_of_rows) = numbers_of_rows(&rows);
        codes.push(numbers);
        quasi.push(number_of_rows);
        let base = base_of(table, &codes, &quasi);
        count_values(&base, &mut quasi);
        let (sensitive, weights) = (table.sensitive.clone(), table.sensitive_weights.clone());
        Self {
            table: CountedTable::new(quasi, sensitive, weights, Arc::new(base), table.rows),
            columns: table.quasi.len(),
        }
    }

    pub(super) fn table(&self) -> &CountedTable {
        &self.table
    }

    /// The partition of rows that a partition of whole people is, or that comes near it.
    ///
    /// A class of whole people compares their rows one by one, in one order for everybody. Whoever sees a release has no such order: people look
    /// the same if they have the same rows in any. So classes that differ may be one to him, which is judged here. Whoever was left
    /// out is tried again at the levels of others, since they may look like somebody after all; and where no levels were
    /// found, the most general ones are tried.
    pub(super) fn rows(&self, task: &Task<'_>, found: Result<Partition>, watch: &dyn Watch) -> Result<Partition> {
        let codes = task.table.people.as_ref().map_or(0, |people| people.codes);
        let partition = match found {
            // Where people are left out altogether, less may be left out first, which loses less.
            Err(error)
                if error.kind() == Kind::NoRelease
                    && (task.suppress == Suppress::Rows || task.max_suppressed == Ratio::ZERO) =>
            {
                let top = task.table.lattice().top().clone();
                let everybody = self.settled(task, Shown::at(&top, codes), watch).map_err(|_| error)?;
                return Ok(at_levels(everybody, Some(top)));
            }
            found => found?,
        };
        let shown = self.shown(&partition, codes)?;
        let mut best = self.settled(task, shown.clone(), watch);
        for levels in shown.different_levels().into_iter().take(TRIED_AGAIN) {
            if best.as_ref().is_ok_and(|best| best.suppressed() == 0) {
                break;
            }
            best = match (best, self.settled(task, shown.with_all_others_at(levels), watch)) {
                (Ok(best), Ok(again)) if again.suppressed() < best.suppressed() => Ok(again),
                (Err(_), Ok(again)) => Ok(again),
                (best, _) => best,
            };
        }
        let levels = partition.node.map(|node| Node::new(node.levels()[..self.columns].to_vec()));
        Ok(at_levels(Partition { lattice: partition.lattice, ..best? }, levels))
    }

    /// What a partition of whole people shows of everybody.
    fn shown(&self, partition: &Partition, codes: usize) -> Result<Shown> {
        let level = |class: u32, column: usize| match partition.classes.label(class, column) {
            Label::Node { level, .. } => Ok(*level),
            _ => Err(Error::bug("people are released as a whole at levels of hierarchies only")),
        };
        let levels = |class: u32| (0..self.columns).map(|column| level(class, column)).collect::<Result<Vec<u8>>>();
        let levels = (0..partition.classes.len() as u32).map(levels).collect::<Result<_>>()?;
        let (mut of_people, tuples) = (vec![None; codes], self.table.base.entry_tuples());
        for part in &partition.assignments {
            of_people[self.table.base.person(tuples[part.tuple as usize])] = part.class;
        }
        Ok(Shown { levels, of_people })
    }

    /// The partition of rows in which everybody is shown so. Whoever is in a class that fails, or among people who look the same and of whom
    /// something fails, is left out with all of their rows, and the rest is judged anew. Nobody comes back, so that this ends, and
    /// what is left satisfies every requirement by itself.
    fn settled(&self, task: &Task<'_>, mut shown: Shown, watch: &dyn Watch) -> Result<Partition> {
        loop {
            watch.proceed()?;
            let settled = self.grouping(task, &shown).settle(&Task { max_suppressed: Ratio::from(1), ..*task })?;
            let people = task.table.base.entry_tuples();
            let person = |part: &Assignment| task.table.base.person(people[part.tuple as usize]);
            let left_out = settled.assignments.iter().filter(|part| part.class.is_none()).map(person);
            let mut failing: Vec<usize> = left_out.filter(|&person| shown.of_people[person].is_some()).collect();
            if failing.is_empty() {
                failing = failing_by_all_rows(task, &settled);
            }
            if failing.is_empty() {
                let is_within = settled.suppressed() <= task.rows_to_spare();
                return if is_within { Ok(settled) } else { Err(not_whole(task.requirements, task.knows)) };
            }
            failing.into_iter().for_each(|person| shown.of_people[person] = None);
        }
    }

    /// The classes of rows that such people have.
    fn grouping(&self, task: &Task<'_>, shown: &Shown) -> Grouping {
        let table = task.table;
        let (mut grouping, mut made) = (Grouping::new(self.columns), HashMap::new());
        for class in 0..table.base.classes() {
            let (tuples, counts) = table.base.entries(class);
            for (place, (&shows, &count)) in tuples.iter().zip(counts).enumerate() {
                let tuple = (table.base.first_entry(class) + place) as u32;
                let at = shown.of_people[table.base.person(shows)];
                let class = at.map(|at| {
                    *made.entry((class, at)).or_insert_with(|| {
                        grouping.class(shown.levels[at as usize].iter().enumerate().map(|(column, &level)| {
                            let hierarchy = &table.quasi[column].hierarchy;
                            let node = hierarchy.level(usize::from(level)).node_of(table.base.code(class, column));
                            Label::Node { level, node }
                        }))
                    })
                });
                grouping.assign(Assignment { tuple, class, shows, count });
            }
        }
        grouping
    }
}

/// At which levels all rows of a person are shown.
#[derive(Clone)]
struct Shown {
    /// Combinations of levels, one level for each column.
    levels: Vec<Vec<u8>>,
    /// Which of them everybody has; none who is left out.
    of_people: Vec<Option<u32>>,
}

impl Shown {
    /// Everybody at the same levels.
    fn at(node: &Node, codes: usize) -> Self {
        Self { levels: vec![node.levels().to_vec()], of_people: vec![Some(0); codes] }
    }

    /// The places of combinations that differ.
    fn different_levels(&self) -> Vec<u32> {
        let mut seen = HashSet::new();
        (0..).zip(&self.levels).filter(|(_, levels)| seen.insert(*levels)).map(|(place, _)| place).collect()
    }

    /// The same with everybody who is left out at these levels.
    fn with_all_others_at(&self, levels: u32) -> Self {
        let of_people = self.of_people.iter().map(|own| own.or(Some(levels))).collect();
        Self { levels: self.levels.clone(), of_people }
    }
}

/// For each person, the classes of the base that their rows are in, one for each row, in the order of the base.
fn rows_of_people(table: &CountedTable, codes: usize) -> Vec<Vec<u32>> {
    let mut rows = vec![Vec::new(); codes];
    for class in 0..table.base.classes() {
        let (tuples, counts) = table.base.entries(class);
        for (&tuple, &count) in tuples.iter().zip(counts) {
            rows[table.base.person(tuple)].extend(std::iter::repeat_n(class as u32, count as usize));
        }
    }
    rows
}

/// A column that has, for everybody, what all of their rows have: the code of each person, and what these may become.
fn in_a_row(table: &CountedTable, column: usize, rows: &[Vec<u32>]) -> (Vec<u32>, QuasiColumn) {
    let known = &table.quasi[column];
    let leaves =
        |rows: &Vec<u32>| -> Vec<u32> { rows.iter().map(|&class| table.base.code(class as usize, column)).collect() };
    let mut numbered = Sequences::default();
    let of_people: Vec<u32> = rows.iter().map(|rows| numbered.number(leaves(rows))).collect();
    let names: Vec<String> = (0..numbered.items.len()).map(|number| name(0, number)).collect();
    let height = known.hierarchy.height();
    let mut levels = vec![Level::of_values(&names)];
    for (above_values, level) in known.hierarchy.levels().iter().enumerate().take(height).skip(1) {
        let mut above = Sequences::default();
        let nodes = |leaves: &Vec<u32>| leaves.iter().map(|&leaf| level.node_of(leaf)).collect();
        let labels: Vec<String> =
            numbered.items.iter().map(|leaves| name(above_values, above.number(nodes(leaves)) as usize)).collect();
        levels.push(Level::from_labels(labels.iter().map(String::as_str)));
    }
    if height > 0 {
        levels.push(Level::root(names.len()));
    }
    let dictionary = Arc::new(Dictionary::of_type(names, None, &ColumnType::text()));
    let hierarchy = Hierarchy::new(levels);
    let (round_ends, counts) = (OnceLock::new(), Vec::new());
    (of_people, QuasiColumn { dictionary, hierarchy, counts, ordered: false, round_ends, ..known.clone() })
}

/// How many rows everybody has: a column that no level may generalize.
fn numbers_of_rows(rows: &[Vec<u32>]) -> (Vec<u32>, QuasiColumn) {
    let mut numbered = Sequences::default();
    let of_people = rows.iter().map(|rows| numbered.number(vec![rows.len() as u32])).collect();
    let names: Vec<String> = (0..numbered.items.len()).map(|number| name(0, number)).collect();
    let dictionary = Arc::new(Dictionary::of_type(names, None, &ColumnType::text()));
    let hierarchy = Hierarchy::suppress(&dictionary);
    let column = QuasiColumn {
        // It is no column of the table's: whoever names columns passes it over.
        name: String::new(),
        dictionary,
        hierarchy,
        counts: Vec::new(),
        weight: 0.0,
        min_level: 0,
        max_level: 0,
        ordered: false,
        round_ends: OnceLock::new(),
    };
    (of_people, column)
}

/// Names whose order is that of their numbers; no two levels share one, since what has the same text is the same.
fn name(level: usize, number: usize) -> String {
    format!("{level}.{number:010}")
}

/// Sequences of codes, numbered in the order in which they came.
#[derive(Default)]
struct Sequences {
    items: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, u32>,
}

impl Sequences {
    fn number(&mut self, sequence: Vec<u32>) -> u32 {
        let next = self.items.len() as u32;
        *self.numbers.entry(sequence).or_insert_with_key(|sequence| {
            self.items.push(sequence.clone());
            next
        })
    }
}

/// The rows by what their people have in each column.
fn base_of(table: &CountedTable, codes: &[Vec<u32>], quasi: &[QuasiColumn]) -> FrequencySet {
    let mut rows: Vec<(Vec<u32>, u32, u64)> = Vec::with_capacity(table.base.tuples());
    table.base.each_entry(|_, tuple, count| {
        let person = table.base.person(tuple);
        rows.push((codes.iter().map(|codes| codes[person]).collect(), tuple, count));
    });
    rows.sort_unstable();
    rows.dedup_by(|next, kept| {
        let same = (&next.0, next.1) == (&kept.0, kept.1);
        kept.2 += if same { next.2 } else { 0 };
        same
    });
    let sizes: Vec<usize> = quasi.iter().map(|column| column.dictionary.len()).collect();
    let rows = rows.iter().map(|(codes, tuple, count)| (codes.as_slice(), *tuple, *count));
    FrequencySet::from_sorted(KeyLayout::new(&sizes), table.base.sensitive().clone(), rows)
}

fn count_values(base: &FrequencySet, quasi: &mut [QuasiColumn]) {
    for (column, quasi) in quasi.iter_mut().enumerate() {
        quasi.counts = vec![0; quasi.dictionary.len()];
        for (class, &size) in base.sizes().iter().enumerate() {
            quasi.counts[base.code(class, column) as usize] += size;
        }
    }
}

fn not_whole(requirements: &[Requirement], knows: Knows) -> Error {
    let names: Vec<String> = requirements.iter().map(|requirement| requirement.model.name()).collect();
    let (detail, keys) = match knows {
        Knows::AllRows => (
            "people with all of their rows do, but not the people of all rows that look the same",
            "`suppress = \"rows\"` and `knows = \"one-row\"` ask for less, too",
        ),
        Knows::OneRow => (
            "once people are left out, classes fail that did not: they are compared with those who stay",
            "`suppress = \"rows\"` asks for less, too",
        ),
    };
    Error::no_release(format!("no release of whole people was found that satisfies {}", names.join(" and ")))
        .detail(detail)
        .hint(format!("ask for less, or give a quasi-identifier more levels; {keys}"))
}

/// What is said of those who stay is not true of the whole table: without others there may be a release.
fn none_of_others(task: &Task<'_>, error: Error) -> Error {
    if error.kind() != Kind::NoRelease {
        return error;
    }
    let names: Vec<String> = task.requirements.iter().map(|requirement| requirement.model.name()).collect();
    Error::no_release(format!("no release of whole people was found that satisfies {}", names.join(" and ")))
        .detail("some people were left out, and no release of all others was found")
        .hint("raise `max-suppressed`, ask for less, or give a quasi-identifier more levels")
}

fn nobody_left(task: &Task<'_>) -> Error {
    let names: Vec<String> = task.requirements.iter().map(|requirement| requirement.model.name()).collect();
    Error::no_release(format!("no release of whole people was found that satisfies {}", names.join(" and ")))
        .detail("everybody has a row that would have to be left out")
        .hint("ask for less, or give a quasi-identifier more levels; `suppress = \"rows\"` leaves out such rows alone")
}

fn too_many_people(task: &Task<'_>, leaving: u64, limit: u64) -> Error {
    let people = task.table.people.as_ref().map_or(0, |people| people.count);
    let enough = (leaving as f64 / people.max(1) as f64 * 1e4).ceil() / 1e4;
    Error::no_release("no release was found without leaving out more people than `max-suppressed` allows")
        .detail(format!("with {leaving} of {people} people left out it may do; {limit} are allowed"))
        .hint(format!("raise `max-suppressed` to {enough}, ask for less, or give a quasi-identifier more levels"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_order_of_their_numbers() {
        let names: Vec<String> = [0, 9, 10, 99, 100].map(|number| name(1, number)).to_vec();
        assert!(names.is_sorted());
    }

    /// Nobody is told to give up what they did not ask for.
    #[test]
    fn a_refusal_speaks_of_what_was_asked() {
        let refused = |knows| not_whole(&[], knows).to_string();
        assert!(refused(Knows::AllRows).contains("`knows = \"one-row\"`"));
        assert!(refused(Knows::OneRow).contains("`suppress = \"rows\"` asks for less, too"));
        assert!(!refused(Knows::OneRow).contains("knows"));
    }

    #[test]
    fn sequences_are_numbered_as_they_come() {
        let mut sequences = Sequences::default();
        let numbers: Vec<u32> = [vec![1, 2], vec![2, 1], vec![1, 2], vec![1]]
            .into_iter()
            .map(|sequence| sequences.number(sequence))
            .collect();
        assert_eq!(numbers, [0, 1, 0, 2]);
    }
}

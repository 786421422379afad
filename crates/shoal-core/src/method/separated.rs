//! How do classes become a partition whose release keeps sensitive values in a table of their own?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::Task;
use super::anatomy::Records;
use super::grouping::{sensitive_counts, too_much_suppressed};
use super::partition::{Assignment, Classes, ColumnSums, Partition};
use crate::Result;
use crate::frequency::{EquivalenceClass, TableProfile};
use crate::model::{accepts_all, releasable};
use crate::objective::{Candidate, LabelSums, Shown, values};

/// The class of a record that is in none.
pub(super) const UNPLACED: u32 = u32::MAX;

/// The class of each record.
#[derive(Debug)]
pub(super) struct Separation {
    pub(super) class_of: Vec<u32>,
    pub(super) classes: u32,
}

impl Separation {
    /// Is every record in a class that satisfies every requirement?
    pub(super) fn is_complete(&self, task: &Task<'_>, records: &Records, profile: &TableProfile) -> bool {
        if self.class_of.contains(&UNPLACED) {
            return false;
        }
        let counting = Counting::new(task, records, self, profile);
        (0..self.classes).all(|class| counting.accepts(class))
    }

    /// The partition; what fails a requirement is suppressed, which is an error if it is more than the task allows.
    pub(super) fn settle(self, task: &Task<'_>, records: &Records) -> Result<Partition> {
        let mut assignments = self.assignments(records);
        let table = task.table;
        let set = sensitive_counts(&assignments, self.classes as usize, table.base.sensitive());
        let input = TableProfile::of_input(&table.sensitive, table.rows);
        let accepted = releasable(task.requirements, &table.sensitive, &set, &input);
        let mut number: Vec<Option<u32>> = vec![None; self.classes as usize];
        let (mut next, mut squares) = (0, 0u128);
        for place in (0..set.classes()).filter(|&place| accepted[place]) {
            number[set.code(place, 0) as usize] = Some(next);
            next += 1;
            squares += u128::from(set.sizes()[place]).pow(2);
        }
        for part in &mut assignments {
            part.class = part.class.and_then(|class| number[class as usize]);
        }
        let suppressed: u64 = assignments.iter().filter(|part| part.class.is_none()).map(|part| part.count).sum();
        if suppressed > task.rows_to_spare() || suppressed >= table.rows {
            return Err(too_much_suppressed(task, suppressed));
        }
        let assignments = in_random_order(assignments, records);
        let sums = ColumnSums { squares, ..untouched(task, &assignments, suppressed) };
        let shown = Shown::Labels { quasi: sums.quasi.clone(), sensitive: sums.sensitive.clone() };
        let candidate = Candidate { columns: table.columns(), classes: u64::from(next), squares, suppressed, shown };
        let objectives = values(&candidate);
        Ok(Partition {
            classes: Classes::from_places(Vec::new(), Vec::new(), next as usize),
            assignments,
            sensitive: None,
            node: None,
            gap: None,
            objectives,
            lattice: None,
            sums,
            level_of_people: None,
            is_separated: true,
            remark: None,
        })
    }

    fn assignments(&self, records: &Records) -> Vec<Assignment> {
        let record = |(at, &class): (usize, &u32)| Assignment {
            tuple: records.entries[at],
            class: (class != UNPLACED).then_some(class),
            shows: records.shows[at],
            count: 1,
        };
        self.class_of.iter().enumerate().map(record).collect()
    }
}

/// By tuple, and the classes of a tuple in a random order: rows take them in the order of the table, and if that were the
/// order of their numbers, a row with a smaller number than an equal one before it could only have another sensitive value.
fn in_random_order(mut assignments: Vec<Assignment>, records: &Records) -> Vec<Assignment> {
    use rayon::slice::ParallelSliceMut;
    let hasher = FixedState::with_seed(u64::from_le_bytes(
        *records.key.first_chunk().expect("the key is longer than eight bytes"),
    ));
    assignments.par_sort_unstable_by_key(|part| (part.tuple, hasher.hash_one(part.class), part.class));
    assignments.dedup_by(|next, kept| {
        let same = (next.tuple, next.class) == (kept.tuple, kept.class);
        kept.count += if same { next.count } else { 0 };
        same
    });
    assignments
}

/// What the columns come to if every released row shows its own values.
fn untouched(task: &Task<'_>, assignments: &[Assignment], suppressed: u64) -> ColumnSums {
    let table = task.table;
    let released = table.rows - suppressed;
    let own = LabelSums { covered_leaves: released.into(), information: released as f64, levels: 0.0, bits: 0.0 };
    let mut quasi = vec![own; table.quasi.len()];
    let mut base = 0;
    for part in assignments.iter().filter(|part| part.class.is_none()) {
        while base + 1 < table.base.classes() && part.tuple as usize >= table.base.first_entry(base + 1) {
            base += 1;
        }
        for (column, sums) in quasi.iter_mut().enumerate() {
            let rows = table.quasi[column].counts[table.base.code(base, column) as usize];
            sums.bits += part.count as f64 * (table.rows as f64 / rows as f64).log2();
        }
    }
    ColumnSums { quasi, sensitive: vec![own; table.sensitive.len()], squares: 0 }
}

/// The sensitive tuples of each class, while records are still being added.
pub(super) struct Counting<'a> {
    task: &'a Task<'a>,
    profile: &'a TableProfile,
    /// The sensitive tuples that each class began with, sorted; where each class's begin, and one more.
    began_with: Vec<u32>,
    starts: Vec<usize>,
    /// What was added since.
    added: hashbrown::HashMap<u32, Vec<u32>>,
}

impl<'a> Counting<'a> {
    pub(super) fn new(
        task: &'a Task<'a>,
        records: &Records,
        separation: &Separation,
        profile: &'a TableProfile,
    ) -> Self {
        let placed = || separation.class_of.iter().zip(&records.shows).filter(|(class, _)| **class != UNPLACED);
        let mut starts = vec![0; separation.classes as usize + 1];
        placed().for_each(|(&class, _)| starts[class as usize + 1] += 1);
        for class in 1..starts.len() {
            starts[class] += starts[class - 1];
        }
        let (mut began_with, mut next) = (vec![0; starts.last().copied().unwrap_or(0)], starts.clone());
        // Records come by sensitive tuple, so each class's are sorted.
        for (&class, &shows) in placed() {
            began_with[next[class as usize]] = shows;
            next[class as usize] += 1;
        }
        Self { task, profile, began_with, starts, added: hashbrown::HashMap::new() }
    }

    pub(super) fn accepts(&self, class: u32) -> bool {
        self.is_accepted(class, None)
    }

    /// Would a class be accepted with one more record?
    pub(super) fn accepts_with(&self, class: u32, shows: u32) -> bool {
        self.is_accepted(class, Some(shows))
    }

    pub(super) fn add(&mut self, class: u32, shows: u32) {
        self.added.entry(class).or_default().push(shows);
    }

    fn is_accepted(&self, class: u32, one_more: Option<u32>) -> bool {
        let mut tuples = self.began_with[self.starts[class as usize]..self.starts[class as usize + 1]].to_vec();
        tuples.extend(self.added.get(&class).into_iter().flatten());
        tuples.extend(one_more);
        tuples.sort_unstable();
        let (codes, counts): (Vec<u32>, Vec<u64>) =
            tuples.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).unzip();
        let class = EquivalenceClass::new(self.task.table.base.sensitive(), &codes, &counts);
        accepts_all(self.task.requirements, &class, self.profile)
    }
}

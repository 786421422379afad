//! Which classes has a method closed so far, and what becomes of records that fit into none?

use rayon::prelude::*;

use super::diversity::Diversity;
use super::{Assignment, Grouping, Label, Task};

/// Some records with a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    /// Their quasi-identifiers: a class of the base frequency set.
    pub(super) class: u32,
    /// The place of their tuple among all of the base frequency set.
    pub(super) tuple: u32,
    /// The sensitive tuple that they show.
    pub(super) shows: u32,
    /// How many records.
    pub(super) count: u64,
}

/// Classes in the order in which they were closed, and who is left out.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    /// The parts of all classes, one class after the other.
    pub(super) parts: Vec<Part>,
    ends: Vec<usize>,
    left_out: Vec<Part>,
}

impl Draft {
    /// Makes a class of the parts that were added since the last.
    pub(super) fn end_class(&mut self) {
        self.ends.push(self.parts.len());
    }

    /// Makes a class of these parts.
    pub(super) fn close(&mut self, parts: &[Part]) {
        self.parts.extend_from_slice(parts);
        self.end_class();
    }

    /// Takes so many records of each tuple out of some parts; they are in no class.
    pub(super) fn leave_out(&mut self, parts: &mut Vec<Part>, of_tuples: &[u64]) {
        for part in parts.iter_mut() {
            let count = of_tuples[part.tuple as usize];
            part.count -= count;
            if count > 0 {
                self.left_out.push(Part { count, ..*part });
            }
        }
        parts.retain(|part| part.count > 0);
    }

    /// Opens the class that was closed last; its parts.
    fn reopen_last(&mut self) -> Option<Vec<Part>> {
        self.ends.pop()?;
        Some(self.parts.split_off(self.ends.last().copied().unwrap_or(0)))
    }

    /// What to do with the last records if they cannot be a class: they are suppressed, if so many may be; else the
    /// classes that were closed last join them until all together are good enough.
    pub(super) fn close_rest(&mut self, mut rest: Vec<Part>, task: &Task<'_>, diversity: &Diversity<'_>) {
        let mut counts = TupleCounts::new(diversity.tuples.len());
        counts.add(&rest);
        if rest.is_empty() || (counts.size <= task.rows_to_spare() && !counts.are_accepted(diversity)) {
            self.left_out.extend(rest);
            return;
        }
        while !counts.are_accepted(diversity) {
            let Some(reopened) = self.reopen_last() else {
                self.left_out.extend(rest);
                return;
            };
            counts.add(&reopened);
            rest.extend(reopened);
        }
        self.close(&rest);
    }

    /// The classes with the smallest labels that cover their records; `shows` says what a part shows.
    pub(super) fn into_grouping(self, task: &Task<'_>, shows: impl Fn(&Part) -> u32) -> Grouping {
        let (table, covers) = (task.table, task.covers());
        let begin = |class: usize| class.checked_sub(1).map_or(0, |before| self.ends[before]);
        let labels = |class: usize| -> Vec<Label> {
            let parts = &self.parts[begin(class)..self.ends[class]];
            let codes = |column: usize| parts.iter().map(move |part| table.base.code(part.class as usize, column));
            covers.iter().enumerate().map(|(column, cover)| cover.label(codes(column))).collect()
        };
        let labels: Vec<Vec<Label>> = (0..self.ends.len()).into_par_iter().map(labels).collect();
        let assignment =
            |part: &Part, class| Assignment { tuple: part.tuple, class, shows: shows(part), count: part.count };
        let mut grouping = Grouping::new(table.quasi.len());
        for (class, labels) in labels.into_iter().enumerate() {
            let number = grouping.class(labels);
            let parts = &self.parts[begin(class)..self.ends[class]];
            parts.iter().for_each(|part| grouping.assign(assignment(part, Some(number))));
        }
        self.left_out.iter().for_each(|part| grouping.assign(assignment(part, None)));
        grouping
    }
}

/// How often each sensitive tuple occurs among some records.
#[derive(Debug)]
pub(super) struct TupleCounts {
    by_tuple: Vec<u64>,
    /// The tuples that occur, sorted.
    present: Vec<u32>,
    pub(super) size: u64,
}

impl TupleCounts {
    /// None yet, of so many tuples.
    pub(super) fn new(tuples: usize) -> Self {
        Self { by_tuple: vec![0; tuples], present: Vec::new(), size: 0 }
    }

    pub(super) fn add(&mut self, parts: &[Part]) {
        parts.iter().for_each(|part| self.add_records(part.shows, part.count));
    }

    pub(super) fn add_records(&mut self, tuple: u32, count: u64) {
        self.size += count;
        if self.by_tuple[tuple as usize] == 0 && count > 0 {
            let place = self.present.partition_point(|&known| known < tuple);
            self.present.insert(place, tuple);
        }
        self.by_tuple[tuple as usize] += count;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.present.drain(..).for_each(|tuple| self.by_tuple[tuple as usize] = 0);
        self.size = 0;
    }

    /// Would these records be a class that is good enough?
    pub(super) fn are_accepted(&self, diversity: &Diversity<'_>) -> bool {
        let counts: Vec<u64> = self.present.iter().map(|&tuple| self.by_tuple[tuple as usize]).collect();
        !counts.is_empty() && diversity.accepts(&self.present, &counts)
    }
}

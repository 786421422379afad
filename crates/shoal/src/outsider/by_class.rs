//! What does each class hold, where everything fits into memory?

use std::ops::Range;

use rayon::prelude::*;

use super::entries::Entries;
use super::listed::Block;
use super::members::Members;
use super::narrow::Narrow;
use super::numbered::Numbered;
use super::text_counts::{TextCounts, renumber};
use super::texts::{Texts, renumbered};

/// The members of all classes, class by class: texts of sensitive columns, the person where people are known, and how often each
/// such combination stands there. One may come several times.
#[derive(Debug)]
pub(super) struct ByClass {
    classes: Numbered,
    /// Where the members of each class begin; one more at the end.
    starts: Vec<usize>,
    /// For each column behind the quasi-identifiers, the number of each member's text.
    held: Vec<Narrow>,
    /// How often each member stands there; nothing if all do once.
    counts: Option<Vec<u64>>,
}

/// What one thread has counted, and the numbers of all that its own numbers stand for.
struct Part {
    entries: Entries,
    /// Of its classes; no list where they are the same.
    classes: Vec<u32>,
    /// Of its texts, for each column; no list where they are the same.
    texts: Vec<Vec<u32>>,
}

impl ByClass {
    /// No class, of a table with so many columns, the first of which are quasi-identifiers.
    pub(super) fn nothing(quasi: usize, columns: usize) -> Self {
        let held = (quasi..columns).map(|_| Narrow::zeros(0, 0)).collect();
        Self { classes: Numbered::new(quasi), starts: vec![0], held, counts: None }
    }

    /// What all threads have counted, and its texts: the numbers are those of the first thread, as far as it has them.
    pub(super) fn join(first: TextCounts, others: impl IntoIterator<Item = TextCounts>) -> (Texts, Self) {
        let (mut texts, mut classes, entries) = first.into_parts();
        let columns = texts.columns();
        let mut parts = vec![Part { entries, classes: Vec::new(), texts: vec![Vec::new(); columns] }];
        for other in others {
            let (its_texts, its_classes, entries) = other.into_parts();
            let of_texts = texts.adopt(&its_texts);
            let mut combination = Vec::new();
            let number = |shown: &[u32]| {
                combination.clear();
                combination.extend(renumber(shown, &of_texts));
                classes.number(&combination)
            };
            let of_classes = its_classes.iter().map(number).collect();
            parts.push(Part { entries, classes: of_classes, texts: of_texts });
        }
        classes.close();
        let quasi = columns - parts[0].held_columns();
        let largest: Vec<u32> = (quasi..columns).map(|column| largest_number(&parts, &texts, column, quasi)).collect();
        let all = Self::sorted(classes, &parts, quasi, &largest);
        (texts, all)
    }

    /// A counting sort. Each column is put in order by itself, so that threads share nothing but what they read.
    fn sorted(classes: Numbered, parts: &[Part], quasi: usize, largest: &[u32]) -> Self {
        let starts = starts(classes.len(), parts);
        let members = starts[classes.len()];
        let column = |(at, &largest): (usize, &u32)| {
            let mut column = Narrow::zeros(members, largest);
            each_place(&starts, parts, |part, block, row, place| {
                column.set(place, renumbered(block.column(1 + at).get(row), &part.texts[quasi + at]));
            });
            column
        };
        let in_order = || largest.par_iter().enumerate().map(column).collect::<Vec<Narrow>>();
        let count = || {
            let is_single = |part: &Part| part.entries.blocks().iter().all(Block::is_of_single_rows);
            (!parts.iter().all(is_single)).then(|| {
                let mut counts = vec![0; members];
                each_place(&starts, parts, |_, block, row, place| counts[place] = block.count(row));
                counts
            })
        };
        let (held, counts) = rayon::join(in_order, count);
        Self { classes, starts, held, counts }
    }

    /// The same where the last column says how often each row stands there; nothing if it says of one more than can be counted.
    pub(super) fn weighted(mut self, weights: &[u64]) -> Option<Self> {
        let last = self.held.pop()?;
        let weight = |at: usize| weights[last.get(at) as usize].checked_mul(self.count(at));
        let counts: Vec<u64> = (0..self.members()).map(weight).collect::<Option<_>>()?;
        counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count))?;
        Some(Self { counts: Some(counts), ..self })
    }

    /// How many classes there are.
    pub(super) fn classes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of a class's text in each quasi-identifier.
    pub(super) fn shown(&self, class: usize) -> &[u32] {
        self.classes.combination(class as u32)
    }

    /// The rows of a class.
    pub(super) fn rows(&self, class: usize) -> u64 {
        let places = self.starts[class]..self.starts[class + 1];
        self.counts.as_ref().map_or(places.len() as u64, |counts| counts[places].iter().sum())
    }

    /// The members of a class, instead of those that were there before.
    pub(super) fn read(&self, class: usize, members: &mut Members) {
        members.clear();
        for at in self.starts[class]..self.starts[class + 1] {
            members.push(self.held.iter().map(|column| column.get(at)), self.count(at));
        }
    }

    /// All classes in ranges of about as many members, some for each thread.
    pub(super) fn ranges(&self) -> Vec<Range<usize>> {
        const FOR_EACH_THREAD: usize = 4;
        let members = self.members().div_ceil(FOR_EACH_THREAD * rayon::current_num_threads()).max(1);
        let (mut ranges, mut first) = (Vec::new(), 0);
        while first < self.classes() {
            let enough = self.starts[first] + members;
            let end = self.starts.partition_point(|&start| start < enough).min(self.classes());
            ranges.push(first..end);
            first = end;
        }
        ranges
    }

    fn members(&self) -> usize {
        self.starts[self.classes()]
    }

    #[inline]
    fn count(&self, at: usize) -> u64 {
        self.counts.as_ref().map_or(1, |counts| counts[at])
    }
}

impl Part {
    fn held_columns(&self) -> usize {
        self.entries.width() - 1
    }
}

/// The largest number that a column may have behind the quasi-identifiers: people may be known by numbers that stand for no text.
fn largest_number(parts: &[Part], texts: &Texts, column: usize, quasi: usize) -> u32 {
    match texts.len(column).checked_sub(1) {
        Some(largest) => largest as u32,
        None => {
            let blocks = parts.iter().flat_map(|part| part.entries.blocks());
            let in_block = |block: &Block| block.column(1 + column - quasi).largest();
            blocks.map(in_block).max().unwrap_or(0)
        }
    }
}

/// Where the members of each class begin; one more at the end.
fn starts(classes: usize, parts: &[Part]) -> Vec<usize> {
    let mut starts = vec![0; classes + 1];
    for part in parts {
        for block in part.entries.blocks() {
            let column = block.column(0);
            (0..block.len()).for_each(|row| starts[1 + renumbered(column.get(row), &part.classes) as usize] += 1);
        }
    }
    let mut end = 0;
    for start in &mut starts {
        end += *start;
        *start = end;
    }
    starts
}

/// Tells the place of every row.
fn each_place(starts: &[usize], parts: &[Part], mut act: impl FnMut(&Part, &Block, usize, usize)) {
    let mut next = starts.to_vec();
    for part in parts {
        for block in part.entries.blocks() {
            let column = block.column(0);
            for row in 0..block.len() {
                let place = &mut next[renumbered(column.get(row), &part.classes) as usize];
                act(part, block, row, *place);
                *place += 1;
            }
        }
    }
}

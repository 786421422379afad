//! How is each part of a summary made from the table, and from the summaries of classes that become one?

use std::sync::Arc;

use super::super::FrequencySet;
use super::Reads;
use super::becoming::Becoming;
use super::counts::{CountsOf, Held};
use super::distinct::Distinct;
use super::pairs::{HeldPairs, Pairs, PairsOf};

/// What is kept of each class, and how it follows from the table as it was counted.
#[derive(Debug)]
pub(super) struct Kept {
    what: Reads,
    /// The value of each sensitive tuple; empty where it is the tuple itself.
    value_of_tuple: Vec<u32>,
    /// How many different values there can be.
    values: usize,
    /// Where a value is somebody's: what it is, and who has it.
    pairs: Arc<Pairs>,
}

/// What is kept of each class beside its size.
#[derive(Debug)]
pub(super) enum Part {
    /// Some distinct values of a column.
    Distinct(usize, Distinct),
    /// The counts of all values of a column.
    Counts(usize, CountsOf),
    /// Who has which values of a column.
    People(usize, PairsOf, Arc<Pairs>),
    /// The counts of all combinations of sensitive values.
    Tuples(CountsOf),
}

impl Kept {
    pub(super) fn new(read: Reads, base: &FrequencySet) -> Self {
        let tuples = base.sensitive();
        // The places of so many values could not be numbered.
        let what = match read {
            Reads::Distinct { column, .. } if base.rows() > u32::MAX.into() => Reads::Counts { column },
            read => read,
        };
        let mut all_pairs = Pairs::default();
        let value_of_tuple: Vec<u32> = match what {
            Reads::Tuples => Vec::new(),
            Reads::People { column } => {
                let person = tuples.person_place().expect("people are read only where tuples tell them");
                let of_tuple = |tuple: u32| (tuples.tuple(tuple)[column], tuples.tuple(tuple)[person]);
                let of_tuples: Vec<(u32, u32)> = (0..tuples.len() as u32).map(of_tuple).collect();
                let (pairs, places) = Pairs::new(&of_tuples);
                all_pairs = pairs;
                places
            }
            Reads::Distinct { column, .. } | Reads::Counts { column } => {
                (0..tuples.len() as u32).map(|tuple| tuples.tuple(tuple)[column]).collect()
            }
        };
        let values = value_of_tuple.iter().max().map_or(tuples.len(), |&last| last as usize + 1);
        Self { what, value_of_tuple, values, pairs: all_pairs.into() }
    }
}

/// What the classes of a table hold of a column.
struct OfTable<'a> {
    base: &'a FrequencySet,
    value_of_tuple: &'a [u32],
}

impl Held for OfTable<'_> {
    #[inline]
    fn entries(&self, class: usize) -> (&[u32], &[u64]) {
        self.base.entries(class)
    }

    #[inline]
    fn value(&self, tuple: u32) -> u32 {
        // All tuples have a value, or none: then they are values themselves.
        self.value_of_tuple.get(tuple as usize).copied().unwrap_or(tuple)
    }
}

impl HeldPairs for OfTable<'_> {
    #[inline]
    fn add_to(&self, class: usize, places: &mut Vec<u32>) {
        places.extend(self.base.entries(class).0.iter().map(|&tuple| self.value(tuple)));
    }

    const SORTED: bool = false;
}

/// The parts of new classes of these sizes, from the classes of the table that became them. What takes long is left out for classes of fewer
/// records than `least`.
pub(super) fn from_base(kept: &[Kept], base: &FrequencySet, class_of: &[u32], sizes: &[u64], least: u64) -> Vec<Part> {
    let becoming = Becoming::new(class_of, sizes.len());
    let mut parts = Vec::with_capacity(kept.len());
    for Kept { what, value_of_tuple, values, pairs } in kept {
        let table = OfTable { base, value_of_tuple };
        let counts = || CountsOf::merged(&table, &becoming, sizes, *values);
        parts.push(match *what {
            Reads::Tuples => Part::Tuples(counts()),
            Reads::Counts { column } => Part::Counts(column, counts()),
            Reads::People { column } => {
                let of_classes =
                    PairsOf::merged(&table, &becoming, pairs, counts_people(&parts), |class| sizes[class] >= least);
                Part::People(column, of_classes, pairs.clone())
            }
            Reads::Distinct { column, most } => {
                let mut distinct = Distinct::new(most, sizes, others(&parts));
                for (old, &class) in class_of.iter().enumerate() {
                    distinct.add(class as usize, base.entries(old).0.iter().map(|&tuple| table.value(tuple)));
                }
                Part::Distinct(column, distinct)
            }
        });
    }
    parts
}

/// The parts of new classes of these sizes, from those of the classes that became them.
pub(super) fn merged(kept: &[Kept], old: &[Part], class_of: &[u32], sizes: &[u64]) -> Vec<Part> {
    let becoming = Becoming::new(class_of, sizes.len());
    let mut parts = Vec::with_capacity(old.len());
    for (part, Kept { values, .. }) in old.iter().zip(kept) {
        let merged = |counts| CountsOf::merged(counts, &becoming, sizes, *values);
        parts.push(match part {
            Part::Tuples(counts) => Part::Tuples(merged(counts)),
            Part::Counts(column, counts) => Part::Counts(*column, merged(counts)),
            Part::People(column, old, pairs) => {
                let of_classes = PairsOf::merged(old, &becoming, pairs, counts_people(&parts), |_| true);
                Part::People(*column, of_classes, pairs.clone())
            }
            Part::Distinct(column, old) => {
                let mut distinct = Distinct::new(old.most(), sizes, others(&parts));
                for (class, &became) in class_of.iter().enumerate() {
                    distinct.add(became as usize, old.of(class).iter().copied());
                }
                Part::Distinct(*column, distinct)
            }
        });
    }
    parts
}

/// Are people to be counted? Those of one column are those of all.
fn counts_people(so_far: &[Part]) -> bool {
    !so_far.iter().any(|part| matches!(part, Part::People(..)))
}

/// The distinct values of other columns that are kept of the same classes.
fn others(parts: &[Part]) -> impl Iterator<Item = &Distinct> {
    parts.iter().filter_map(|part| match part {
        Part::Distinct(_, distinct) => Some(distinct),
        _ => None,
    })
}

impl Part {
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Distinct(_, distinct) => distinct.bytes(),
            Self::People(_, pairs, _) => pairs.bytes(),
            Self::Counts(_, counts) | Self::Tuples(counts) => counts.bytes(),
        }
    }
}

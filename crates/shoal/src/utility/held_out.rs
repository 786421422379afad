//! Which rows do learners learn from, and which are they asked about?

use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;
use hashbrown::HashMap;

use super::origins::Origins;
use super::{Compared, Tuples};
use shoal_core::frequency::CountedTable;
use shoal_core::method::Partition;

/// One row in so many is asked about.
const ONE_IN: u64 = 3;

/// Rows of the original are held out by what stands in them, so that every release of a table, by whatever method, is asked
/// about the same ones. What they have become is taken out of the release: nobody learns from a row they are asked about.
#[derive(Debug)]
pub(super) struct HeldOut<'a> {
    /// How many rows of each tuple of the original are asked about.
    pub tested: Vec<u64>,
    /// How many are learned from.
    pub original: Vec<u64>,
    /// What is learned from the release.
    pub release: Lesson<'a>,
}

/// Tuples of a release, and how many rows of each are learned from: parts of rows where it is not said which row has which
/// sensitive value.
#[derive(Debug)]
pub(super) struct Lesson<'a> {
    pub tuples: Cow<'a, Tuples>,
    pub weights: Vec<f64>,
}

impl<'a> HeldOut<'a> {
    /// Where it is known what each row has become.
    pub fn new(compared: &'a Compared, Origins(origins): &Origins) -> Self {
        let mut left = compared.release.counts.clone();
        let mut tested = vec![0; origins.len()];
        let draw = Draw::new(compared);
        for (tuple, rows) in origins.iter().enumerate() {
            let mut drawn = draw.of_tuple(tuple);
            for rows in rows {
                let held_out = (0..rows.count).filter(|_| drawn()).count() as u64;
                tested[tuple] += held_out;
                if let Some(became) = rows.became {
                    left[became as usize] = left[became as usize].saturating_sub(held_out);
                }
            }
        }
        let weights = left.into_iter().map(|rows| rows as f64).collect();
        Self::of(compared, tested, Lesson { tuples: Cow::Borrowed(&compared.release), weights })
    }

    /// Where quasi-identifiers are shown as they are, and for each class the sensitive values that its rows have: every row
    /// that is left has each value that is left, in parts. `compared` is the table beside itself.
    pub fn separated(compared: &'a Compared, table: &CountedTable, partition: &Partition) -> Self {
        let mut tested = vec![0; compared.original.counts.len()];
        let mut left: Vec<Vec<(u32, u64)>> = vec![Vec::new(); partition.classes.len()];
        let draw = Draw::new(compared);
        for parts in partition.assignments.chunk_by(|a, b| a.tuple == b.tuple) {
            let tuple = parts[0].tuple;
            let mut drawn = draw.of_tuple(tuple as usize);
            for part in parts {
                let held_out = (0..part.count).filter(|_| drawn()).count() as u64;
                tested[tuple as usize] += held_out;
                if let Some(class) = part.class {
                    left[class as usize].push((tuple, part.count - held_out));
                }
            }
        }
        let width = compared.columns.len();
        let mut lesson = Lesson {
            tuples: Cow::Owned(Tuples { codes: vec![Vec::new(); width], ..Tuples::default() }),
            weights: Vec::new(),
        };
        left.iter().for_each(|rows| lesson.push_class(compared, table.quasi.len(), rows));
        Self::of(compared, tested, lesson)
    }

    fn of(compared: &Compared, tested: Vec<u64>, release: Lesson<'a>) -> Self {
        let original = compared.original.counts.iter().zip(&tested).map(|(all, tested)| all - tested).collect();
        Self { tested, original, release }
    }
}

impl Lesson<'_> {
    /// Each row of a class with each sensitive tuple of the class, by the share of rows that have it.
    fn push_class(&mut self, compared: &Compared, quasi: usize, rows: &[(u32, u64)]) {
        let all: u64 = rows.iter().map(|(_, count)| count).sum();
        let codes = &compared.original.codes;
        let part = |columns: std::ops::Range<usize>| {
            let mut counts: HashMap<Vec<u32>, u64> = HashMap::new();
            for &(tuple, count) in rows.iter().filter(|(_, count)| *count > 0) {
                let key = codes[columns.clone()].iter().map(|codes| codes[tuple as usize]).collect();
                *counts.entry(key).or_default() += count;
            }
            let mut counts: Vec<(Vec<u32>, u64)> = counts.into_iter().collect();
            counts.sort_unstable();
            counts
        };
        let (known, hidden) = (part(0..quasi), part(quasi..codes.len()));
        let tuples = self.tuples.to_mut();
        for (known, rows) in &known {
            for (hidden, share) in &hidden {
                let row = known.iter().chain(hidden);
                tuples.codes.iter_mut().zip(row).for_each(|(codes, &code)| codes.push(code));
                self.weights.push(*rows as f64 * *share as f64 / all as f64);
            }
        }
    }
}

/// Decides about rows by their texts, whatever order tuples and columns are in.
struct Draw<'a> {
    compared: &'a Compared,
    columns: Vec<usize>,
}

impl<'a> Draw<'a> {
    fn new(compared: &'a Compared) -> Self {
        let mut columns: Vec<usize> = (0..compared.columns.len()).collect();
        columns.sort_by_key(|&column| &compared.columns[column].name);
        Self { compared, columns }
    }

    /// Is the next row of a tuple held out?
    fn of_tuple(&self, tuple: usize) -> impl FnMut() -> bool + use<> {
        let state = FixedState::with_seed(0);
        let mut hasher = state.build_hasher();
        for &column in &self.columns {
            let code = self.compared.original.codes[column][tuple];
            hasher.write(self.compared.columns[column].values[code as usize].as_bytes());
            hasher.write_u8(0xff);
        }
        let of_tuple = hasher.finish();
        let mut row = 0u64;
        move || {
            let mut hasher = state.build_hasher();
            hasher.write_u64(of_tuple);
            hasher.write_u64(row);
            row += 1;
            hasher.finish().is_multiple_of(ONE_IN)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compared::testing::{column, compared};
    use super::super::origins::Rows;
    use super::*;

    /// Sixty rows of three tuples, whose first column is shown as one label for the first two.
    fn tables() -> Compared {
        let columns = vec![column("a", 3, &[&[0, 1], &[2]]), column("s", 2, &[&[0], &[1]])];
        let mut tables = compared(columns, &[&[0, 0], &[1, 0], &[2, 1]], &[&[0, 0], &[1, 1]]);
        tables.quasi = 1;
        tables.original.counts = vec![30, 20, 10];
        tables.release.counts = vec![45, 10];
        tables
    }

    #[test]
    fn what_is_asked_about_is_in_no_lesson() {
        let tables = tables();
        let rows = |became, count| Rows { became, count };
        // Five of the first tuple are suppressed.
        let origins =
            Origins(vec![vec![rows(Some(0), 25), rows(None, 5)], vec![rows(Some(0), 20)], vec![rows(Some(1), 10)]]);
        let held_out = HeldOut::new(&tables, &origins);
        let tested: u64 = held_out.tested.iter().sum();
        assert!((10..30).contains(&tested), "about a third of 60: {tested}");
        for (tuple, all) in [30, 20, 10].into_iter().enumerate() {
            assert_eq!(held_out.original[tuple] + held_out.tested[tuple], all);
        }
        assert_eq!(held_out.release.weights[1], held_out.original[2] as f64);
        let rest = held_out.original[0] + held_out.original[1];
        let most = rest as f64;
        assert!((most - 5.0..=most).contains(&held_out.release.weights[0]), "{held_out:?}");
    }

    #[test]
    fn the_order_of_columns_and_tuples_does_not_matter() {
        let tables = tables();
        let mut turned = compared(
            vec![column("s", 2, &[&[0], &[1]]), column("a", 3, &[&[0, 1], &[2]])],
            &[&[1, 2], &[0, 1], &[0, 0]],
            &[&[0, 0]],
        );
        turned.original.counts = vec![10, 20, 30];
        let count = |compared: &Compared, tuple: usize, rows: u64| {
            let draw = Draw::new(compared);
            let mut drawn = draw.of_tuple(tuple);
            (0..rows).map(|_| drawn()).collect::<Vec<bool>>()
        };
        for (one, other, rows) in [(0, 2, 30), (1, 1, 20), (2, 0, 10)] {
            assert_eq!(count(&tables, one, rows), count(&turned, other, rows));
        }
    }

    #[test]
    fn rows_of_a_class_share_its_values() {
        let tables = tables();
        let mut lesson = Lesson {
            tuples: Cow::Owned(Tuples { codes: vec![Vec::new(); 2], ..Tuples::default() }),
            weights: Vec::new(),
        };
        // Two rows of the first tuple (value 0) and one of the third (value 1): each is 0 by two thirds.
        lesson.push_class(&tables, 1, &[(0, 2), (2, 1), (1, 0)]);
        assert_eq!(lesson.tuples.codes, [[0, 0, 2, 2], [0, 1, 0, 1]]);
        assert_eq!(lesson.weights, [4.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0]);
    }
}

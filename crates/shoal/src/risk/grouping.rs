//! How many groups do rows fall into by some of their columns, and how many are alone?

use rayon::prelude::*;

/// Codes, one for each row or for each group of equal rows.
pub trait Coded: Sync {
    /// The code at a place.
    fn code(&self, place: usize) -> u32;

    /// Every code is below this.
    fn domain(&self) -> u64;
}

/// What some columns tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Distinction {
    /// How many rows there are.
    pub rows: u64,
    /// How many combinations of values occur.
    pub distinct: u64,
    /// The rows whose values no other row has.
    pub alone: u64,
    /// The ordered pairs of rows with the same values.
    alike: u128,
}

impl Distinction {
    /// Groups rows by these columns. There are `weights.len()` different ones, each as often as its weight says.
    pub fn of<C: Coded + ?Sized>(columns: &[&C], weights: &[u64]) -> Self {
        let (keys, space) = keys(columns, weights.len());
        let mut grouping = Self::default();
        // A table of all keys is much quicker than sorting, as long as it is not larger than the rows.
        match dense(space, keys.len()) {
            Some(space) => {
                let mut counts = vec![0u64; space];
                keys.iter().zip(weights).for_each(|(&key, weight)| counts[key as usize] += weight);
                counts.into_iter().filter(|&count| count > 0).for_each(|count| grouping.add(count));
            }
            None => {
                let mut pairs: Vec<(u64, u64)> = keys.into_iter().zip(weights.iter().copied()).collect();
                pairs.par_sort_unstable_by_key(|pair| pair.0);
                let runs = pairs.chunk_by(|a, b| a.0 == b.0);
                runs.for_each(|run| grouping.add(run.iter().map(|pair| pair.1).sum()));
            }
        }
        grouping
    }

    /// Groups so many rows by these columns; the same as [`of`](Self::of) with a weight of one for each, in less memory.
    pub fn of_rows<C: Coded + ?Sized>(columns: &[&C], rows: usize) -> Self {
        let (mut keys, space) = keys(columns, rows);
        let mut grouping = Self::default();
        match dense(space, rows) {
            Some(space) => {
                let mut counts = vec![0u64; space];
                keys.iter().for_each(|&key| counts[key as usize] += 1);
                counts.into_iter().filter(|&count| count > 0).for_each(|count| grouping.add(count));
            }
            None => {
                keys.par_sort_unstable();
                keys.chunk_by(|a, b| a == b).for_each(|run| grouping.add(run.len() as u64));
            }
        }
        grouping
    }

    /// Adds a group of so many rows.
    pub fn add(&mut self, count: u64) {
        self.rows += count;
        self.distinct += 1;
        self.alone += u64::from(count == 1);
        self.alike += u128::from(count) * u128::from(count - 1);
    }

    /// The ordered pairs of rows that differ in some of the columns.
    pub fn told_apart(&self) -> u128 {
        u128::from(self.rows) * u128::from(self.rows.saturating_sub(1)) - self.alike
    }

    /// The combinations that occur by the number of rows: 1 where the columns are a key.
    pub fn distinction(&self) -> f64 {
        self.distinct as f64 / self.rows.max(1) as f64
    }

    /// The share of the pairs of rows that differ in some of the columns; none if there are no pairs.
    pub fn separation(&self) -> Option<f64> {
        let pairs = u128::from(self.rows) * u128::from(self.rows.saturating_sub(1));
        (pairs > 0).then(|| self.told_apart() as f64 / pairs as f64)
    }
}

/// The number of keys, if a table of all of them is small enough.
pub fn dense(space: u64, rows: usize) -> Option<usize> {
    usize::try_from(space).ok().filter(|&space| space <= rows.max(1 << 16))
}

/// A number for each row, equal where all codes are, and how many numbers there may be.
pub fn keys<C: Coded + ?Sized>(columns: &[&C], rows: usize) -> (Vec<u64>, u64) {
    let (mut keys, mut space) = (vec![0u64; rows], 1u64);
    for column in columns {
        let domain = column.domain().max(1);
        if space.checked_mul(domain).is_none() {
            space = renumber(&mut keys);
        }
        // There are at most 2^32 rows and 2^32 codes, so renumbered keys leave enough room.
        space = space.saturating_mul(domain);
        let add = |(row, key): (usize, &mut u64)| *key = *key * domain + u64::from(column.code(row));
        keys.par_iter_mut().enumerate().with_min_len(1 << 14).for_each(add);
    }
    (keys, space)
}

/// Replaces each key by its place among those that occur; their number.
fn renumber(keys: &mut [u64]) -> u64 {
    let mut occurring = keys.to_vec();
    occurring.par_sort_unstable();
    occurring.dedup();
    keys.par_iter_mut().for_each(|key| *key = occurring.partition_point(|other| other < key) as u64);
    occurring.len() as u64
}

/// All combinations of at most so many of these columns, small ones first.
pub fn combinations(columns: &[usize], largest: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    let mut longest: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..largest {
        let longer = |subset: &Vec<usize>| {
            let subset = subset.clone();
            let last = subset.last().copied();
            let later = columns.iter().filter(move |column| last.is_none_or(|last| **column > last));
            later.map(move |&column| [subset.as_slice(), &[column]].concat())
        };
        longest = longest.iter().flat_map(longer).collect();
        all.extend_from_slice(&longest);
    }
    all
}

/// How many combinations of at most so many of these columns there are.
pub fn number_of_combinations(columns: usize, largest: usize) -> u64 {
    let (mut of_size, mut all) = (1u64, 0u64);
    for size in 1..=largest.min(columns) as u64 {
        of_size = of_size.saturating_mul(columns as u64 + 1 - size) / size;
        all = all.saturating_add(of_size);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    struct Column(Vec<u32>, u64);

    impl Coded for Column {
        fn code(&self, place: usize) -> u32 {
            self.0[place]
        }

        fn domain(&self) -> u64 {
            self.1
        }
    }

    #[test]
    fn figures_by_hand() {
        // Groups of 1, 1 and 2 of four rows: 5 of 6 pairs are told apart.
        let column = Column(vec![0, 1, 2, 2], 3);
        let grouping = Distinction::of(&[&column], &[1; 4]);
        assert_eq!((grouping.rows, grouping.distinct, grouping.alone), (4, 3, 2));
        assert_eq!((grouping.distinction(), grouping.separation()), (0.75, Some(5.0 / 6.0)));
        assert_eq!(Distinction::of(&[&column], &[0; 0]).separation(), None);
    }

    #[test]
    fn combinations_are_counted_and_listed() {
        assert_eq!(combinations(&[3, 5, 8], 2), [vec![3], vec![5], vec![8], vec![3, 5], vec![3, 8], vec![5, 8]]);
        for (columns, largest) in [(0, 3), (1, 3), (5, 2), (12, 3), (9, 9)] {
            let listed = combinations(&(0..columns).collect::<Vec<_>>(), largest);
            assert_eq!(listed.len() as u64, number_of_combinations(columns, largest));
        }
    }

    proptest! {
        #[test]
        fn groups_are_those_of_a_map(
            rows in prop::collection::vec((prop::array::uniform4(0u32..4), 1u64..4), 0..60), scale in 0usize..3,
        ) {
            // Large domains take the way by sorting and renumbering.
            let domain = [4, 1 << 20, 1 << 32][scale];
            let columns: Vec<Column> =
                (0..4).map(|at| Column(rows.iter().map(|row| row.0[at]).collect(), domain)).collect();
            let weights: Vec<u64> = rows.iter().map(|row| row.1).collect();
            let mut counts: HashMap<[u32; 4], u64> = HashMap::new();
            rows.iter().for_each(|(row, weight)| *counts.entry(*row).or_default() += weight);
            let grouping = Distinction::of(&columns.iter().collect::<Vec<_>>(), &weights);
            prop_assert_eq!(grouping.distinct, counts.len() as u64);
            prop_assert_eq!(grouping.alone, counts.values().filter(|&&count| count == 1).count() as u64);
            prop_assert_eq!(grouping.rows, weights.iter().sum::<u64>());
            let alike: u64 = counts.values().map(|count| count * (count - 1)).sum();
            prop_assert_eq!(grouping.alike, u128::from(alike));
            let columns: Vec<&Column> = columns.iter().collect();
            prop_assert_eq!(Distinction::of_rows(&columns, rows.len()), Distinction::of(&columns, &vec![1; rows.len()]));
        }
    }
}

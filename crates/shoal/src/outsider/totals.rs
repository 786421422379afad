//! How many people are there in all, and how many rows with each text?

use super::combinations::Combinations;
use super::members::Members;
use shoal_core::{Error, Result};

/// How many different numbers stand at the end of combinations.
pub(super) fn count_people(counts: &Combinations) -> Result<u64> {
    let (mut is_known, mut people): (Vec<bool>, u64) = (Vec::new(), 0);
    counts.each_class(|_, members| {
        for person in members.iter().filter_map(|(numbers, _)| numbers.last()) {
            let person = *person as usize;
            if person >= is_known.len() {
                is_known.resize(person + 1, false);
            }
            people += u64::from(!std::mem::replace(&mut is_known[person], true));
        }
    })?;
    Ok(people)
}

/// Lists of more texts than these together, some for each thread, take more memory than they save time.
const MANY_TEXTS: usize = 1 << 23;

/// For each sensitive column, the number of rows with each text.
pub(super) fn rows_with(counts: &Combinations, quasi: usize, sensitive: usize, rows: u64) -> Result<Vec<Vec<u64>>> {
    let columns = quasi..quasi + sensitive;
    let texts: usize = columns.clone().map(|column| counts.texts.len(column)).sum();
    let is_many = texts.saturating_mul(counts.parts()) > MANY_TEXTS;
    let nothing = || RowsWith::nothing(columns.clone().map(|column| counts.texts.len(column)));
    let mut all = nothing();
    if is_many {
        counts.each_class(|_, members| all.add(members))?;
    } else {
        let found = counts.fold_classes(nothing, |some, _, members| some.add(members))?;
        found.iter().for_each(|some| all.join(some));
    }
    // Counts may have been to a file and back since.
    if all.counted != rows {
        return Err(Error::bug(format!("{rows} rows were counted, but there are counts of {}", all.counted))
            .hint("this is a bug in Shoal, or of the disk: please report it"));
    }
    Ok(all.rows_with)
}

/// How many rows there are with each text of each sensitive column, and of any.
struct RowsWith {
    counted: u64,
    rows_with: Vec<Vec<u64>>,
}

impl RowsWith {
    /// No rows, of columns with so many texts.
    fn nothing(texts: impl Iterator<Item = usize>) -> Self {
        Self { counted: 0, rows_with: texts.map(|texts| vec![0; texts]).collect() }
    }

    fn add(&mut self, members: &Members) {
        for (numbers, count) in members.iter() {
            self.counted += count;
            numbers.iter().zip(&mut self.rows_with).for_each(|(&text, rows)| rows[text as usize] += count);
        }
    }

    fn join(&mut self, other: &Self) {
        self.counted += other.counted;
        for (rows, others) in self.rows_with.iter_mut().flatten().zip(other.rows_with.iter().flatten()) {
            *rows += others;
        }
    }
}

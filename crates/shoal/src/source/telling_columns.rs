//! Which columns that are published as they are tell which rows are one person's?
//!
//! What stays with a person and is somebody else's hardly ever does so as well as a pseudonym, though nobody calls it one: a number of insurance, a
//! date of birth.

use hashbrown::{HashMap, HashSet};
use shoal_core::warning::Warning;

/// What is known of such a column while rows are read, by the numbers that one thread gives to people: the hash of what everybody has, as long as
/// nobody has two values.
#[derive(Debug)]
pub(super) struct TellingColumn(Option<HashMap<u32, u64>>);

impl Default for TellingColumn {
    fn default() -> Self {
        Self(Some(HashMap::new()))
    }
}

impl TellingColumn {
    /// A row of a person, and what it shows.
    #[inline]
    pub(super) fn add(&mut self, person: u32, shown: Option<&str>) {
        let Some(known) = &mut self.0 else { return };
        let hash = foldhash::quality::FixedState::with_seed(0);
        let shown = std::hash::BuildHasher::hash_one(&hash, shown);
        if *known.entry(person).or_insert(shown) != shown {
            self.0 = None;
        }
    }

    /// Takes it for a column that tells nobody apart.
    pub(super) fn give_up(&mut self) {
        self.0 = None;
    }

    pub(super) fn bytes(&self) -> usize {
        // A person, a hash, and a byte of the table for both.
        self.0.as_ref().map_or(0, |known| known.capacity() * 17)
    }

    /// Does the column tell most people apart in all of their rows, by what all threads know together, each with the final numbers of its people?
    pub(super) fn tells<'a>(threads: impl Iterator<Item = (Self, &'a [u32])>) -> bool {
        let mut all: HashMap<u32, u64> = HashMap::new();
        for (thread, person_of) in threads {
            let Some(known) = thread.0 else { return false };
            for (person, shown) in known {
                if *all.entry(person_of[person as usize]).or_insert(shown) != shown {
                    return false;
                }
            }
        }
        let different = all.values().collect::<HashSet<_>>().len();
        different > 1 && different * 2 > all.len()
    }
}

/// What everybody should know who publishes such a column.
pub fn warning(column: &str) -> Warning {
    let text = format!(
        "`{column}` is published as it is, is the same in all rows of a person, and hardly anybody shares it: it shows which rows are one person's as \
         a pseudonym does; make it an `identifier`, which is left out, or a `quasi-identifier`, which is made vaguer"
    );
    Warning::new("linkable-rows", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What three people show, in two threads that number them by themselves.
    fn tells(first: &[(u32, &str)], second: &[(u32, &str)]) -> bool {
        let thread = |rows: &[(u32, &str)]| {
            let mut column = TellingColumn::default();
            rows.iter().for_each(|&(person, shown)| column.add(person, Some(shown)));
            column
        };
        TellingColumn::tells([(thread(first), &[0, 1, 2][..]), (thread(second), &[2, 1, 0][..])].into_iter())
    }

    #[test]
    fn a_column_tells_people_apart_that_stays_with_each() {
        assert!(tells(&[(0, "a"), (0, "a"), (1, "b")], &[(0, "c"), (2, "a")]));
        assert!(!tells(&[(0, "a"), (0, "b"), (1, "c")], &[(0, "d")]), "somebody has two values in one thread");
        assert!(!tells(&[(0, "a"), (1, "b")], &[(0, "c"), (2, "d")]), "or in two");
        assert!(!tells(&[(0, "a"), (1, "a")], &[(0, "a")]), "all have the same");
    }

    #[test]
    fn what_many_share_tells_nobody_apart() {
        let rows: Vec<(u32, &str)> = (0..3).map(|person| (person, ["m", "f"][person as usize % 2])).collect();
        assert!(tells(&rows, &[]), "two values among three");
        let mut column = TellingColumn::default();
        (0..10).for_each(|person| column.add(person, Some(["m", "f"][person as usize % 2])));
        let names: Vec<u32> = (0..10).collect();
        assert!(!TellingColumn::tells([(column, names.as_slice())].into_iter()));
    }
}

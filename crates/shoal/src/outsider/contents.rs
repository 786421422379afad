//! Which rows of whom does each class hold, as one number for each class?
//!
//! What a plan says and what is staged are compared by these numbers. They take little memory however many rows there are, and that two
//! classes that differ have the same is as likely as that 64 bits of a hash agree.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::OutsiderTable;
use shoal_core::Result;
use shoal_core::frequency::SensitiveColumn;

/// Rows of one class: whose they are, and what they say.
#[derive(Debug, Default)]
pub struct ClassContents(Vec<(u32, u64)>);

impl ClassContents {
    /// So many rows of somebody that say this.
    pub fn add(&mut self, person: u32, said: &[u32], count: u64) {
        self.0.push((person, hash(said).wrapping_mul(count)));
    }

    /// The number of the class, which depends on what people are called only if that is said to matter; nothing is left in it.
    pub fn number(&mut self, are_named: bool) -> u64 {
        self.0.sort_unstable();
        let of_person = |rows: &[(u32, u64)]| {
            let said = rows.iter().fold(0, |sum: u64, row| sum.wrapping_add(row.1));
            hash(&(are_named.then_some(rows[0].0), said))
        };
        let people = self.0.chunk_by(|a, b| a.0 == b.0).map(of_person);
        let sum = people.fold(0, u64::wrapping_add);
        self.0.clear();
        hash(&sum)
    }
}

fn hash(what: &(impl std::hash::Hash + ?Sized)) -> u64 {
    FixedState::with_seed(0).hash_one(what)
}

impl OutsiderTable {
    /// The numbers of all classes, sorted, with the codes that the models have for values; nothing where it is not known whose rows are whose.
    pub fn contents(&self, columns: &[SensitiveColumn]) -> Result<Option<Vec<u64>>> {
        if self.people.is_none() {
            return Ok(None);
        }
        let codes = self.model_codes(columns)?;
        let (mut contents, mut numbers, mut said) = (ClassContents::default(), Vec::new(), Vec::new());
        self.counts.each_class(|_, members| {
            for (texts, count) in members.iter() {
                let Some((&person, held)) = texts.split_last() else { continue };
                said.clear();
                said.extend(held.iter().zip(&codes).map(|(&text, codes)| codes[text as usize]));
                contents.add(person, &said, count);
            }
            numbers.push(contents.number(self.people_are_numbered));
        })?;
        numbers.sort_unstable();
        Ok(Some(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(rows: &[(u32, u32, u64)], are_named: bool) -> u64 {
        let mut contents = ClassContents::default();
        rows.iter().for_each(|&(person, said, count)| contents.add(person, &[said], count));
        contents.number(are_named)
    }

    #[test]
    fn rows_of_others_make_another_class() {
        let rows = [(1, 7, 2), (1, 8, 1), (2, 7, 1)];
        for are_named in [true, false] {
            let number = |rows: &[(u32, u32, u64)]| number(rows, are_named);
            // In any order, and as they come.
            assert_eq!(number(&rows), number(&[(2, 7, 1), (1, 7, 1), (1, 8, 1), (1, 7, 1)]));
            assert_ne!(number(&rows), number(&[(1, 7, 1), (1, 8, 1), (2, 7, 2)]), "a row of 1 is one of 2");
            assert_ne!(number(&rows), number(&[(1, 7, 2), (1, 9, 1), (2, 7, 1)]), "a row says something else");
        }
        let renamed = [(5, 7, 2), (5, 8, 1), (3, 7, 1)];
        assert_ne!(number(&rows, true), number(&renamed, true));
        assert_eq!(number(&rows, false), number(&renamed, false));
    }
}

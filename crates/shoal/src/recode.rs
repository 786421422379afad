//! What does each row of the release show?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::frequency::CountedTable;
use crate::lattice::Node;
use crate::method::{Assignment, Partition};

/// What becomes of the rows of a table: a class for each tuple, and what each class shows.
#[derive(Debug)]
pub struct Recoding {
    /// `shown[column][class]`: the text for a quasi-identifier; `None` is a missing value.
    shown: Vec<Vec<Option<String>>>,
    /// The level of each column, where the method has one for all rows.
    node: Option<Node>,
    columns: usize,
    /// The codes of every tuple, quasi-identifiers first, one tuple after the other.
    codes: Vec<u32>,
    assignments: Vec<Assignment>,
    /// Where the assignments of each tuple begin; one more at the end.
    starts: Vec<u32>,
    suppressed: u64,
}

impl Recoding {
    /// The recoding that puts a partition on the rows of its table.
    pub fn new(table: &CountedTable, partition: &Partition) -> Self {
        let shown = |column: usize| {
            let dictionary = &table.quasi[column].dictionary;
            let marker = dictionary.missing().map(|code| dictionary.value(code));
            let text = |class: &Vec<crate::method::Label>| {
                let text = class[column].text(table, column);
                (Some(text) != marker).then(|| text.to_owned())
            };
            partition.classes.iter().map(text).collect()
        };
        let mut starts = vec![0u32; table.base.tuples() + 1];
        for assignment in &partition.assignments {
            starts[assignment.tuple as usize + 1] += 1;
        }
        for tuple in 0..table.base.tuples() {
            starts[tuple + 1] += starts[tuple];
        }
        Self {
            shown: (0..table.quasi.len()).map(shown).collect(),
            node: partition.node.clone(),
            columns: table.quasi.len() + table.sensitive.len(),
            codes: codes_of_tuples(table),
            assignments: partition.assignments.clone(),
            starts,
            suppressed: partition.suppressed(),
        }
    }

    /// The text that a class shows for a quasi-identifier; `None` is a missing value.
    pub fn shown(&self, column: usize, class: u32) -> Option<&str> {
        self.shown[column][class as usize].as_deref()
    }

    /// Does every row keep its own value in this column?
    pub fn is_untouched(&self, column: usize) -> bool {
        self.node.as_ref().is_some_and(|node| node.levels()[column] == 0)
    }

    /// How many rows are suppressed.
    pub fn suppressed(&self) -> u64 {
        self.suppressed
    }

    /// Something that no outsider knows and that is the same in every run on the same data.
    pub fn fingerprint(&self, salt: u64) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (part, chunk) in bytes.chunks_exact_mut(8).enumerate() {
            let hasher = FixedState::with_seed(salt ^ part as u64);
            let counts: Vec<u64> = self.assignments.iter().map(|assignment| assignment.count).collect();
            chunk.copy_from_slice(&hasher.hash_one((&self.codes, counts, part)).to_le_bytes());
        }
        bytes
    }

    /// Hands out the places in the classes, row by row.
    pub fn dealer(&self) -> Dealer<'_> {
        Dealer::new(self)
    }

    fn tuple(&self, tuple: u32) -> &[u32] {
        &self.codes[tuple as usize * self.columns..][..self.columns]
    }
}

fn codes_of_tuples(table: &CountedTable) -> Vec<u32> {
    let mut codes = Vec::with_capacity(table.base.tuples() * (table.quasi.len() + table.sensitive.len()));
    for class in 0..table.base.classes() {
        for &sensitive in table.base.entries(class).0 {
            codes.extend((0..table.quasi.len()).map(|column| table.base.code(class, column)));
            codes.extend_from_slice(table.base.sensitive().tuple(sensitive));
        }
    }
    codes
}

/// Where a row goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Into a class of the release.
    Class(u32),
    /// It is suppressed.
    Suppressed,
    /// There is no place for it: the table is not the one that was counted.
    Nowhere,
}

/// Gives each row that streams by its place, in the order of the assignments, until all are taken.
#[derive(Debug)]
pub struct Dealer<'a> {
    recoding: &'a Recoding,
    tuples: HashTable<u32>,
    hasher: FixedState,
    /// For each tuple, the assignment that is being filled and how many of its places are taken.
    next: Vec<(u32, u64)>,
    dealt: u64,
}

impl<'a> Dealer<'a> {
    fn new(recoding: &'a Recoding) -> Self {
        let hasher = FixedState::default();
        let count = recoding.starts.len() - 1;
        let mut tuples = HashTable::with_capacity(count);
        for tuple in 0..count as u32 {
            let hash = hasher.hash_one(recoding.tuple(tuple));
            tuples.insert_unique(hash, tuple, |&tuple| hasher.hash_one(recoding.tuple(tuple)));
        }
        let next = recoding.starts[..count].iter().map(|&start| (start, 0)).collect();
        Self { recoding, tuples, hasher, next, dealt: 0 }
    }

    /// The place of the next row with these codes.
    pub fn deal(&mut self, codes: &[u32]) -> Place {
        let recoding = self.recoding;
        let hash = self.hasher.hash_one(codes);
        let Some(&tuple) = self.tuples.find(hash, |&tuple| recoding.tuple(tuple) == codes) else {
            return Place::Nowhere;
        };
        let end = recoding.starts[tuple as usize + 1];
        let (at, taken) = &mut self.next[tuple as usize];
        while *at < end && *taken == recoding.assignments[*at as usize].count {
            (*at, *taken) = (*at + 1, 0);
        }
        if *at == end {
            return Place::Nowhere;
        }
        *taken += 1;
        self.dealt += 1;
        match recoding.assignments[*at as usize].class {
            Some(class) => Place::Class(class),
            None => Place::Suppressed,
        }
    }

    /// Was every place taken? If not, rows are missing that were there when the table was counted.
    pub fn is_exhausted(&self) -> bool {
        self.dealt == self.recoding.assignments.iter().map(|assignment| assignment.count).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two tuples: of the three rows with the first, two go into class 0 and one into class 1; of the two with the
    /// second, one goes into class 1 and one is suppressed.
    fn recoding() -> Recoding {
        let assignment = |tuple, class, count| Assignment { tuple, class, count };
        Recoding {
            shown: vec![vec![Some("a".to_owned()), None]],
            node: None,
            columns: 2,
            codes: vec![0, 7, 1, 7],
            assignments: vec![
                assignment(0, Some(0), 2),
                assignment(0, Some(1), 1),
                assignment(1, Some(1), 1),
                assignment(1, None, 1),
            ],
            starts: vec![0, 2, 4],
            suppressed: 1,
        }
    }

    #[test]
    fn counts_are_split_between_classes_in_the_order_of_the_assignments() {
        let recoding = recoding();
        let mut dealer = recoding.dealer();
        let (first, second) = ([0, 7], [1, 7]);
        let dealt = [first, second, first, second, first].map(|tuple| dealer.deal(&tuple));
        let expected = [Place::Class(0), Place::Class(1), Place::Class(0), Place::Suppressed, Place::Class(1)];
        assert_eq!(dealt, expected);
        assert!(dealer.is_exhausted());
    }

    #[test]
    fn a_row_too_many_has_no_place() {
        let recoding = recoding();
        let mut dealer = recoding.dealer();
        (0..2).for_each(|_| assert_ne!(dealer.deal(&[1, 7]), Place::Nowhere));
        assert_eq!(dealer.deal(&[1, 7]), Place::Nowhere);
        assert_eq!(dealer.deal(&[1, 7]), Place::Nowhere, "and none appears later");
        assert_eq!(dealer.deal(&[0, 7]), Place::Class(0), "others keep theirs");
    }

    #[test]
    fn an_unknown_row_has_no_place() {
        let recoding = recoding();
        let mut dealer = recoding.dealer();
        assert_eq!(dealer.deal(&[0, 8]), Place::Nowhere);
        assert_eq!(dealer.deal(&[7, 0]), Place::Nowhere);
        assert!(!dealer.is_exhausted());
    }

    #[test]
    fn a_row_too_few_leaves_a_place() {
        let recoding = recoding();
        let mut dealer = recoding.dealer();
        for tuple in [[0, 7], [0, 7], [0, 7], [1, 7]] {
            assert!(!dealer.is_exhausted());
            dealer.deal(&tuple);
        }
        assert!(!dealer.is_exhausted());
    }

    #[test]
    fn a_fingerprint_depends_on_the_salt_and_the_data() {
        let (one, mut other) = (recoding(), recoding());
        assert_eq!(one.fingerprint(1), recoding().fingerprint(1));
        assert_ne!(one.fingerprint(1), one.fingerprint(2));
        other.assignments[0].count = 3;
        assert_ne!(one.fingerprint(1), other.fingerprint(1));
    }
}

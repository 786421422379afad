//! Which sensitive values does a group of indistinguishable records hold, and how often?

use std::cell::OnceCell;

use super::people::CountedPeople;
use super::{PeopleOfClass, Summary};

/// The distinct combinations of sensitive values in a table, sorted; a combination's place is its code. Where people are counted, whose
/// record it is belongs to the combination, behind all values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SensitiveTuples {
    /// How many codes a combination has.
    width: usize,
    /// Is the last of them a person?
    people: bool,
    codes: Vec<u32>,
    len: usize,
}

impl SensitiveTuples {
    /// From the sorted distinct tuples, one after the other.
    pub fn new(columns: usize, codes: Vec<u32>) -> Self {
        // Without sensitive columns all records share the one empty tuple.
        let len = codes.len().checked_div(columns).unwrap_or(1);
        Self { width: columns, people: false, codes, len }
    }

    /// The same where the last code of a tuple is a person.
    #[must_use]
    pub fn of_people(self) -> Self {
        debug_assert!(self.width > 0);
        Self { people: true, ..self }
    }

    /// How many sensitive columns there are.
    pub fn columns(&self) -> usize {
        self.width - usize::from(self.people)
    }

    /// Does a tuple say whose it is?
    pub fn tell_people(&self) -> bool {
        self.people
    }

    /// The place of the person in a tuple.
    pub(super) fn person_place(&self) -> Option<usize> {
        self.people.then(|| self.width - 1)
    }

    /// How many distinct tuples there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The tuples in which all sensitive columns but one have the same value, and the place of each of these among them: what is left of tuples to
    /// somebody who has used what the others say.
    pub fn of_one_column(&self, column: usize) -> (Self, Vec<u32>) {
        let tuples: Vec<Vec<u32>> = (0..self.len() as u32)
            .map(|tuple| {
                let is_kept = |place: usize| place == column || place >= self.columns();
                let codes = self.tuple(tuple).iter().enumerate();
                codes.map(|(place, &code)| if is_kept(place) { code } else { 0 }).collect()
            })
            .collect();
        let mut distinct = tuples.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let place = |tuple: &Vec<u32>| distinct.binary_search(tuple).map_or(0, |place| place as u32);
        let places = tuples.iter().map(place).collect();
        let len = distinct.len();
        (Self { width: self.width, people: self.people, codes: distinct.concat(), len }, places)
    }

    /// The codes of a tuple: one for each column, and the person where people are counted.
    pub fn tuple(&self, tuple: u32) -> &[u32] {
        let start = tuple as usize * self.width;
        &self.codes[start..start + self.width]
    }

    /// With one sensitive column whose codes all occur, a tuple's code is the value's own.
    fn is_identity(&self) -> bool {
        self.width == 1 && self.codes.last().is_none_or(|&last| last as usize + 1 == self.codes.len())
    }
}

/// The records that an outsider cannot tell apart by their quasi-identifiers.
#[derive(Debug)]
pub struct EquivalenceClass<'a> {
    size: u64,
    holds: Holds<'a>,
}

/// What is known of the sensitive values in a class.
#[derive(Debug)]
enum Holds<'a> {
    /// Everything.
    Tuples { tuples: &'a SensitiveTuples, codes: &'a [u32], counts: &'a [u64], marginals: Marginals },
    /// As much as models read of it: the class of this number in a summary.
    Summary { summary: &'a Summary, class: usize, marginals: Marginals },
    /// How often values count, where people are counted.
    People(CountedPeople<'a>),
}

/// The values of each sensitive column and their counts, once somebody has asked.
type Marginals = OnceCell<Vec<(Vec<u32>, Vec<u64>)>>;

/// The distinct values of one sensitive column in a class, sorted by code, and how often each occurs.
#[derive(Debug, Clone, Copy)]
pub struct Counts<'a> {
    /// The values' codes.
    pub codes: &'a [u32],
    /// How often each occurs; never 0.
    pub counts: &'a [u64],
}

impl<'a> EquivalenceClass<'a> {
    /// A class of these sensitive tuples, sorted by code, each with its count.
    pub fn new(tuples: &'a SensitiveTuples, codes: &'a [u32], counts: &'a [u64]) -> Self {
        Self::with_size(tuples, codes, counts, counts.iter().sum())
    }

    /// The same where the sum of the counts is known.
    pub(super) fn with_size(tuples: &'a SensitiveTuples, codes: &'a [u32], counts: &'a [u64], size: u64) -> Self {
        debug_assert_eq!(size, counts.iter().sum::<u64>());
        Self { size, holds: Holds::Tuples { tuples, codes, counts, marginals: OnceCell::new() } }
    }

    /// A class of a summary.
    #[inline]
    pub(super) fn of_summary(summary: &'a Summary, class: usize) -> Self {
        Self { size: summary.sizes()[class], holds: Holds::Summary { summary, class, marginals: OnceCell::new() } }
    }

    /// A class in which people are counted.
    pub(super) fn of_people(people: CountedPeople<'a>, size: u64) -> Self {
        Self { size, holds: Holds::People(people) }
    }

    /// How many records it has; how many people, or parts of people, where those are counted.
    #[inline]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The people whose records it has.
    ///
    /// # Panics
    /// If its sensitive tuples do not tell.
    pub fn people(&self) -> PeopleOfClass<'_> {
        PeopleOfClass::of(self)
    }

    /// How many different people have its records; in a summary, as far as there are no more than somebody reads.
    pub fn distinct_people(&self) -> u64 {
        if let Holds::Summary { summary, class, .. } = self.holds
            && let Some(count) = summary.people_of(class)
        {
            return count;
        }
        self.distinct(self.person_place())
    }

    /// Is it known whose its records are?
    pub(super) fn tells_people(&self) -> bool {
        self.tuples().tell_people()
    }

    fn person_place(&self) -> usize {
        self.tuples().person_place().expect("people are counted only where tuples tell them")
    }

    /// Who has which value of a sensitive column: (value, person), sorted.
    ///
    /// # Panics
    /// In a summary, if no model said that it reads them.
    pub(super) fn people_with_values(&self, column: usize) -> Vec<(u32, u32)> {
        if let Holds::Summary { summary, class, .. } = self.holds
            && let Some(pairs) = summary.people_with_values(class, column)
        {
            return pairs;
        }
        let (tuples, person) = (self.tuples(), self.person_place());
        let pair = |&tuple: &u32| (tuples.tuple(tuple)[column], tuples.tuple(tuple)[person]);
        let mut pairs: Vec<(u32, u32)> = self.entries().codes.iter().map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// How many people have each value of a sensitive column, if a summary has kept that.
    pub(super) fn people_having(&self, column: usize) -> Option<(Vec<u32>, Vec<u64>)> {
        match self.holds {
            Holds::Summary { summary, class, .. } => summary.people_having(class, column),
            Holds::Tuples { .. } | Holds::People(_) => None,
        }
    }

    /// How many sensitive columns its records have.
    pub fn sensitive_columns(&self) -> usize {
        match &self.holds {
            Holds::People(people) => people.columns(),
            _ => self.tuples().columns(),
        }
    }

    fn tuples(&self) -> &'a SensitiveTuples {
        match self.holds {
            Holds::Tuples { tuples, .. } => tuples,
            Holds::Summary { summary, .. } => summary.tuples(),
            Holds::People(_) => unreachable!("nobody asks for the tuples of people"),
        }
    }

    /// The sensitive tuples of the class, and how often each occurs.
    ///
    /// # Panics
    /// In a summary, if no model said that it reads them.
    fn entries(&self) -> Counts<'a> {
        match self.holds {
            Holds::Tuples { codes, counts, .. } => Counts { codes, counts },
            Holds::Summary { summary, class, .. } => summary.tuples_of(class).expect("a model says what it reads"),
            Holds::People(_) => unreachable!("nobody asks for the tuples of people"),
        }
    }

    /// The values of a sensitive column.
    ///
    /// # Panics
    /// In a summary, if no model said that it reads them.
    pub fn counts(&self, column: usize) -> Counts<'_> {
        let marginals = match &self.holds {
            Holds::Summary { summary, class, marginals } => match summary.counts_of(*class, column) {
                Some(counts) => return counts,
                None => marginals,
            },
            Holds::Tuples { marginals, .. } => marginals,
            Holds::People(people) => return people.counts(column),
        };
        let entries = self.entries();
        if self.tuples().is_identity() {
            return entries;
        }
        let marginals = marginals.get_or_init(|| (0..self.tuples().width).map(|c| self.marginal(entries, c)).collect());
        let (codes, counts) = &marginals[column];
        Counts { codes, counts }
    }

    /// How many distinct values of a sensitive column it holds; in a summary, as far as there are no more than somebody reads.
    pub fn distinct(&self, column: usize) -> u64 {
        let kept = match self.holds {
            Holds::Summary { summary, class, .. } => summary.distinct_of(class, column),
            Holds::Tuples { .. } | Holds::People(_) => None,
        };
        kept.map_or_else(|| self.counts(column).codes.len(), <[u32]>::len) as u64
    }

    fn marginal(&self, entries: Counts<'_>, column: usize) -> (Vec<u32>, Vec<u64>) {
        let tuples = self.tuples();
        let mut pairs: Vec<(u32, u64)> =
            entries.iter().map(|(tuple, count)| (tuples.tuple(tuple)[column], count)).collect();
        pairs.sort_unstable();
        let mut marginal: (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
        for (code, count) in pairs {
            match marginal.1.last_mut() {
                Some(last) if marginal.0.last() == Some(&code) => *last += count,
                _ => {
                    marginal.0.push(code);
                    marginal.1.push(count);
                }
            }
        }
        marginal
    }

    /// Asks `visit` about each part of the class in which all sensitive columns but `column` are equal: to
    /// somebody who knows those, such a part is the class (Definition 4.5 of l-diversity).
    pub fn for_each_block(&self, column: usize, mut visit: impl FnMut(&EquivalenceClass<'_>)) {
        let (tuples, entries) = (self.tuples(), self.entries());
        let others = |tuple: u32| {
            let codes = &tuples.tuple(tuple)[..tuples.columns()];
            (&codes[..column], &codes[column + 1..])
        };
        let mut order: Vec<usize> = (0..entries.codes.len()).collect();
        order.sort_by_key(|&at| (others(entries.codes[at]), entries.codes[at]));
        for block in order.chunk_by(|&a, &b| others(entries.codes[a]) == others(entries.codes[b])) {
            let codes: Vec<u32> = block.iter().map(|&at| entries.codes[at]).collect();
            let counts: Vec<u64> = block.iter().map(|&at| entries.counts[at]).collect();
            visit(&EquivalenceClass::new(tuples, &codes, &counts));
        }
    }
}

impl Counts<'_> {
    /// How many distinct values there are.
    pub fn distinct(&self) -> usize {
        self.codes.len()
    }

    /// The values and their counts.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.codes.iter().copied().zip(self.counts.iter().copied())
    }

    /// The largest count.
    pub fn largest(&self) -> u64 {
        self.counts.iter().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The block of section 4.3: {(s1,v1), (s1,v2), (s2,v3), (s3,v3)}.
    fn block() -> SensitiveTuples {
        SensitiveTuples::new(2, vec![0, 0, 0, 1, 1, 2, 2, 2])
    }

    #[test]
    fn marginals_add_up() {
        let tuples = block();
        let class = EquivalenceClass::new(&tuples, &[0, 1, 2, 3], &[1, 1, 1, 1]);
        assert_eq!(class.size(), 4);
        assert_eq!(class.counts(0).iter().collect::<Vec<_>>(), [(0, 2), (1, 1), (2, 1)]);
        assert_eq!(class.counts(1).iter().collect::<Vec<_>>(), [(0, 1), (1, 1), (2, 2)]);
    }

    #[test]
    fn knowing_the_other_column_splits_the_class() {
        let tuples = block();
        let class = EquivalenceClass::new(&tuples, &[0, 1, 2, 3], &[1, 1, 1, 1]);
        let mut distinct = Vec::new();
        class.for_each_block(1, |part| distinct.push(part.counts(1).distinct()));
        assert_eq!(distinct, [2, 1, 1], "v1 and v2 for s1; v3 alone for s2 and for s3");
    }

    #[test]
    fn a_single_column_with_gaps_is_renamed() {
        let tuples = SensitiveTuples::new(1, vec![1, 5]);
        let class = EquivalenceClass::new(&tuples, &[0, 1], &[2, 3]);
        assert_eq!(class.counts(0).iter().collect::<Vec<_>>(), [(1, 2), (5, 3)]);
    }
}

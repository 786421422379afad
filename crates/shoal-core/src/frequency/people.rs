//! Whose records does a class hold, and how often does each sensitive value count when people do instead of records?

use std::cell::OnceCell;

use super::held::{ends, having_leaves, summed};
use super::sensitive::{common_multiple, divide};
use super::{Counts, EquivalenceClass, InducedCounts, Induction};

/// The people of a class, each with the values that they have there.
///
/// Somebody with five records is one person, and has each of their values once, however many records show it.
#[derive(Debug)]
pub struct PeopleOfClass<'a> {
    class: &'a EquivalenceClass<'a>,
    count: u64,
    /// For each sensitive column, who has which value: (value, person), sorted, once somebody has asked.
    values: Vec<OnceCell<Vec<(u32, u32)>>>,
    /// The same by person: (person, value), sorted.
    by_person: Vec<OnceCell<Vec<(u32, u32)>>>,
}

/// A class in which people are counted: for each sensitive column how often a value counts, once somebody has asked.
#[derive(Debug)]
pub(super) struct CountedPeople<'a> {
    people: &'a PeopleOfClass<'a>,
    counted_as: CountedAs,
    columns: Vec<OnceCell<(Vec<u32>, Vec<u64>)>>,
}

/// How somebody with several values is counted.
#[derive(Debug, Clone, Copy)]
enum CountedAs {
    Having,
    Packed,
    Sharing,
}

impl CountedPeople<'_> {
    pub(super) fn columns(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn counts(&self, column: usize) -> Counts<'_> {
        let counted = || match self.counted_as {
            CountedAs::Having => self.people.having_value(column),
            CountedAs::Packed => packed(self.people.having_value(column), self.people.count),
            CountedAs::Sharing => shared(self.people.by_person(column)),
        };
        let (codes, counts) = self.columns[column].get_or_init(counted);
        Counts { codes, counts }
    }
}

impl<'a> PeopleOfClass<'a> {
    pub(super) fn of(class: &'a EquivalenceClass<'a>) -> Self {
        let nothing = || (0..class.sensitive_columns()).map(|_| OnceCell::new()).collect();
        Self { class, count: class.distinct_people(), values: nothing(), by_person: nothing() }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their records.
    pub fn class(&self) -> &EquivalenceClass<'a> {
        self.class
    }

    /// Who has which value of a sensitive column: (value, person), sorted.
    pub fn with_values(&self, column: usize) -> &[(u32, u32)] {
        self.values[column].get_or_init(|| self.class.people_with_values(column))
    }

    fn by_person(&self, column: usize) -> &[(u32, u32)] {
        self.by_person[column].get_or_init(|| by_person(self.with_values(column)))
    }

    /// A class in which each value counts once for everybody who has it. Counts may add up to more than there are people: a value's
    /// share of these is the confidence with which somebody who knows a person is in the class can say that they have it.
    pub fn having(&self) -> EquivalenceClass<'_> {
        self.counted(CountedAs::Having, self.count)
    }

    /// A class in which everybody counts once, under as few values as possible: as many as have the most frequent value under that, of
    /// the others as many as have the second most frequent, and so on until everybody is counted.
    ///
    /// However each person is counted under one value that they have, the j most frequent values together do not get more people: so
    /// whatever is asked of how evenly people spread over values, if it holds here then for each such choice.
    pub fn packed(&self) -> EquivalenceClass<'_> {
        self.counted(CountedAs::Packed, self.count)
    }

    /// A class in which everybody counts once, in equal parts under each value of a column that they have; how many parts somebody has
    /// is in the size of the class. Exact up to eighteen values for a person, and to 2^-24 of a person beyond.
    pub fn sharing(&self, column: usize) -> EquivalenceClass<'_> {
        self.counted(CountedAs::Sharing, self.count * parts(self.by_person(column)))
    }

    fn counted(&self, counted_as: CountedAs, size: u64) -> EquivalenceClass<'_> {
        let columns = (0..self.values.len()).map(|_| OnceCell::new()).collect();
        EquivalenceClass::of_people(CountedPeople { people: self, counted_as, columns }, size)
    }

    /// How many people have each leaf of a column; with generalized values, times [`Induction::scale`].
    pub fn having_leaves(&self, column: usize, induction: &Induction) -> InducedCounts<'static> {
        let (codes, counts) = match induction.is_trivial() {
            true => self.having_value(column),
            false => summed(having_leaves(self.by_person(column), induction)),
        };
        InducedCounts { codes: codes.into(), counts: counts.into() }
    }

    /// Of how many people each value is the least that they have, and of how many it is the greatest.
    pub fn ends(&self, column: usize) -> [(Vec<u32>, Vec<u64>); 2] {
        ends(self.by_person(column)).map(summed)
    }

    fn having_value(&self, column: usize) -> (Vec<u32>, Vec<u64>) {
        if let Some(having) = self.class.people_having(column) {
            return having;
        }
        let of_value = self.with_values(column).chunk_by(|a, b| a.0 == b.0);
        of_value.map(|people| (people[0].0, people.len() as u64)).unzip()
    }
}

/// So many people under as few of these values as possible.
fn packed((codes, having): (Vec<u32>, Vec<u64>), people: u64) -> (Vec<u32>, Vec<u64>) {
    let mut order: Vec<usize> = (0..codes.len()).collect();
    order.sort_by_key(|&place| (std::cmp::Reverse(having[place]), codes[place]));
    let mut left = people;
    let mut counted: Vec<(u32, u64)> = Vec::new();
    for place in order {
        let count = having[place].min(left);
        left -= count;
        if count > 0 {
            counted.push((codes[place], count));
        }
    }
    counted.sort_unstable();
    counted.into_iter().unzip()
}

/// How often values count when each of these people, (person, value), sorted, has equal parts of all of theirs.
pub(super) fn shared(by_person: &[(u32, u32)]) -> (Vec<u32>, Vec<u64>) {
    let parts = parts(by_person);
    let mut counts = vec![0u64; by_person.iter().map(|pair| pair.1 as usize + 1).max().unwrap_or(0)];
    for values in by_person.chunk_by(|a, b| a.0 == b.0) {
        let equal: Vec<(u32, u64)> = values.iter().map(|&(_, value)| (value, 1)).collect();
        divide(parts, &equal).into_iter().for_each(|(value, given)| counts[value as usize] += given);
    }
    (0u32..).zip(counts).filter(|(_, count)| *count > 0).unzip()
}

/// Into how many parts a person is divided at most. Distances multiply the parts of two tables and the number of values: even a hundred million people of
/// whom each has a value of their own leave room for that in 128 bits.
const MOST_PARTS: u64 = 1 << 24;

/// Into how many parts each of these people, (person, value), sorted, is divided.
fn parts(by_person: &[(u32, u32)]) -> u64 {
    common_multiple(by_person.chunk_by(|a, b| a.0 == b.0).map(|values| values.len() as u128), MOST_PARTS)
}

/// (person, value), sorted.
pub(super) fn by_person(with_values: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut by_person: Vec<(u32, u32)> = with_values.iter().map(|&(value, person)| (person, value)).collect();
    by_person.sort_unstable();
    by_person
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::SensitiveTuples;

    /// Records of (value, person), each with its count.
    fn tuples(records: &[(u32, u32)]) -> SensitiveTuples {
        SensitiveTuples::new(2, records.iter().flat_map(|&(value, person)| [value, person]).collect()).of_people()
    }

    fn counts(class: &EquivalenceClass<'_>) -> Vec<(u32, u64)> {
        class.counts(0).iter().collect()
    }

    /// Four people have the flu, and each of them something else.
    #[test]
    fn what_all_have_is_not_hidden_by_what_each_has_besides() {
        let tuples = tuples(&[(0, 1), (0, 2), (0, 3), (0, 4), (1, 1), (2, 2), (3, 3), (4, 4)]);
        let class = EquivalenceClass::new(&tuples, &[0, 1, 2, 3, 4, 5, 6, 7], &[1, 9, 1, 1, 1, 1, 1, 1]);
        let people = class.people();
        assert_eq!((class.size(), people.count()), (16, 4));
        assert_eq!(counts(&people.having()), [(0, 4), (1, 1), (2, 1), (3, 1), (4, 1)]);
        assert_eq!(counts(&people.packed()), [(0, 4)], "everybody has the flu");
        let sharing = people.sharing(0);
        assert_eq!(counts(&sharing), [(0, 4), (1, 1), (2, 1), (3, 1), (4, 1)], "halves");
        assert_eq!(sharing.size(), 8);
    }

    #[test]
    fn parts_of_people_are_exact() {
        // One has three values, one has two of them, one has one.
        let tuples = tuples(&[(0, 7), (1, 7), (1, 8), (2, 7), (2, 8), (2, 9)]);
        let class = EquivalenceClass::new(&tuples, &[0, 1, 2, 3, 4, 5], &[5, 1, 1, 1, 1, 2]);
        let people = class.people();
        assert_eq!(people.with_values(0), [(0, 7), (1, 7), (1, 8), (2, 7), (2, 8), (2, 9)]);
        let sharing = people.sharing(0);
        assert_eq!((counts(&sharing), sharing.size()), (vec![(0, 2), (1, 5), (2, 11)], 18), "sixths");
        assert_eq!(counts(&people.packed()), [(2, 3)]);
        assert_eq!(counts(&people.having()), [(0, 1), (1, 2), (2, 3)]);
    }

    /// Somebody with each number of values from one on.
    #[test]
    fn people_are_divided_into_a_bounded_number_of_parts() {
        let up_to = |most: u32| (1..=most).flat_map(|person| (0..person).map(move |value| (value, person)));
        let parts = |most| parts(&by_person(&up_to(most).collect::<Vec<_>>()));
        assert_eq!((parts(3), parts(18), parts(19)), (6, 12_252_240, 1 << 24));
    }

    #[test]
    fn one_record_for_each_person_is_counted_as_records_are() {
        let tuples = tuples(&[(0, 1), (0, 2), (3, 4), (3, 5), (3, 6)]);
        let class = EquivalenceClass::new(&tuples, &[0, 1, 2, 3, 4], &[1; 5]);
        let people = class.people();
        for counted in [people.having(), people.packed(), people.sharing(0)] {
            assert_eq!((counts(&counted), counted.size()), (vec![(0, 2), (3, 3)], 5));
        }
    }
}

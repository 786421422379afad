//! How many people have each value of a column, and which is the least and the greatest that everybody has?

use rayon::prelude::*;

use super::people::{by_person, shared};
use super::{Induction, SensitiveTuples};

/// The people of a table by what they have in a sensitive column.
#[derive(Debug, Clone)]
pub struct HeldByPeople {
    /// How often each code counts where everybody has equal parts of all of theirs.
    pub(super) parts: Vec<u64>,
    /// How many have each leaf, times [`Induction::scale`].
    pub(super) having: Vec<u64>,
    /// Of how many each code is the least that they have.
    pub(super) least: Vec<u64>,
    /// Of how many each code is the greatest that they have.
    pub(super) greatest: Vec<u64>,
    /// How many people there are.
    pub(super) people: u64,
}

impl HeldByPeople {
    /// Of people with values, (value, person), in any order and as often as it comes; generalized values count for their leaves.
    pub fn new(mut pairs: Vec<(u32, u32)>, induction: &Induction) -> Self {
        pairs.par_sort_unstable();
        pairs.dedup();
        let by_person = by_person(&pairs);
        let (codes, counts) = shared(&by_person);
        let [least, greatest] = ends(&by_person);
        let having = match induction.is_trivial() {
            true => counted(pairs.iter().map(|pair| (pair.0, 1))),
            false => counted(having_leaves(&by_person, induction).into_iter()),
        };
        let people = by_person.chunk_by(|a, b| a.0 == b.0).count() as u64;
        let parts = counted(codes.into_iter().zip(counts));
        Self { parts, having, least: counted(least.into_iter()), greatest: counted(greatest.into_iter()), people }
    }

    /// Of everybody in a table with these tuples, all of which occur; nothing if they do not tell people.
    pub(super) fn of_tuples(tuples: &SensitiveTuples, column: usize, induction: &Induction) -> Option<Self> {
        let person = tuples.person_place()?;
        let pair = |tuple: u32| (tuples.tuple(tuple)[column], tuples.tuple(tuple)[person]);
        Some(Self::new((0..tuples.len() as u32).map(pair).collect(), induction))
    }
}

/// The sums of counts by their codes.
fn counted(counts: impl Iterator<Item = (u32, u64)>) -> Vec<u64> {
    let mut by_code = Vec::new();
    for (code, count) in counts {
        if by_code.len() <= code as usize {
            by_code.resize(code as usize + 1, 0);
        }
        by_code[code as usize] += count;
    }
    by_code
}

/// The least and the greatest value of each of these people, (person, value), sorted.
pub(super) fn ends(by_person: &[(u32, u32)]) -> [Vec<(u32, u64)>; 2] {
    let of_person = |own: &[(u32, u32)]| ((own[0].1, 1), (own[own.len() - 1].1, 1));
    let (least, greatest) = by_person.chunk_by(|a, b| a.0 == b.0).map(of_person).unzip();
    [least, greatest]
}

/// How much each of these people, (person, value), sorted, has of each leaf. Somebody with a generalized value has its leaves as far as it counts for them;
/// of several that count for one leaf the one that counts most does, so that nobody has a leaf more than once.
pub(super) fn having_leaves(by_person: &[(u32, u32)], induction: &Induction) -> Vec<(u32, u64)> {
    let (mut all, mut own) = (Vec::new(), Vec::new());
    for values in by_person.chunk_by(|a, b| a.0 == b.0) {
        own.clear();
        values.iter().for_each(|&(_, code)| induction.each_part(code, |leaf, parts| own.push((leaf, parts))));
        own.sort_unstable();
        all.extend(own.chunk_by(|a, b| a.0 == b.0).filter_map(<[_]>::last).filter(|part| part.1 > 0));
    }
    all
}

/// Codes, sorted, with the sums of their counts.
pub(super) fn summed(mut counts: Vec<(u32, u64)>) -> (Vec<u32>, Vec<u64>) {
    counts.sort_unstable();
    let sum = |same: &[(u32, u64)]| (same[0].0, same.iter().map(|one| one.1).sum::<u64>());
    counts.chunk_by(|a, b| a.0 == b.0).map(sum).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::SensitiveColumn;
    use crate::table::Dictionary;

    /// One has 0 and 2, one has 2, one has 1 and 2: equal parts in halves.
    #[test]
    fn everybody_is_counted_in_four_ways() {
        let pairs = vec![(2, 8), (0, 7), (2, 7), (2, 9), (1, 9), (2, 9)];
        let held = HeldByPeople::new(pairs, &Induction::none());
        assert_eq!((held.people, held.parts), (3, vec![1, 1, 4]));
        assert_eq!(held.having, [1, 1, 3]);
        assert_eq!((held.least, held.greatest), (vec![1, 1, 1], vec![0, 0, 3]));
    }

    /// Whoever shows a label of two leaves has each of them by half; who shows a leaf besides has that one whole, and once.
    #[test]
    fn nobody_has_a_leaf_more_than_once() {
        let dictionary = Dictionary::new(["anemia", "flu", "hepatitis"].map(str::to_owned), None, false);
        let mut column = SensitiveColumn::new("s", &dictionary, None, vec![1, 1, 1]);
        let hemal = column.add_generalized("hemal disease", vec![0, 2], 2);
        let induction = column.induction(&[1, 1, 1]);
        let held = HeldByPeople::new(vec![(hemal, 1), (hemal, 2), (0, 2), (1, 3)], &induction);
        assert_eq!((induction.scale(), held.people), (2, 3));
        assert_eq!(held.having, [1 + 2, 2, 1 + 1]);
    }
}

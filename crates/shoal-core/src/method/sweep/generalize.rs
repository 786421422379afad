//! Which sensitive values must be generalized so that some records together are diverse enough?

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::super::diversity::Diversity;
use super::super::draft::Part;
use super::values::Generalizable;
use crate::frequency::Induction;

/// Generalizes sensitive values (section III.C of the paper) until the records are diverse: each time one that covers the
/// dominant value, the least general of those, of the first record that has it, to its parent. `None` if they are not
/// diverse when no such value has a parent. Of other records that are released beside these, so many show each code; without
/// them, generalized values count for what they do in the input, though the release is to tell.
pub(super) fn generalize(
    parts: &[Part],
    values: &Generalizable,
    diversity: &Diversity<'_>,
    beside: Option<&[u64]>,
) -> Option<Vec<Part>> {
    let judge = Judge::new(diversity, values, beside);
    let mut piles = Piles::new(parts, diversity, values.parents.len());
    while !judge.is_diverse(&piles.counts) {
        let dominant = judge.dominant(&piles.counts)?;
        let mut chain = std::iter::successors(Some(dominant), |&code| values.parents[code as usize]);
        let code = chain.find(|&code| piles.counts[code as usize] > 0)?;
        let parent = values.parents[code as usize]?;
        let enough = |records: u64| {
            let after = piles.after(code, parent, records);
            judge.dominant(&after) != Some(dominant) || judge.is_diverse(&after)
        };
        let records = smallest(piles.counts[code as usize], enough);
        piles.take(code, parent, records);
    }
    Some(piles.into_parts(values))
}

/// The smallest number from 1 on for which something holds, or the largest allowed; once it holds, it goes on to hold.
///
/// While a value is dominant, each record of it that is generalized moves a part of the largest share to smaller ones, also
/// where the release tells what generalized values count for, since it then shows the dominant one less often: cumulative
/// frequencies do not rise, so that it is as good as asking after each record.
fn smallest(largest: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut not, mut step) = (0, 1);
    while not + step < largest && !holds(not + step) {
        (not, step) = (not + step, step * 2);
    }
    let mut does = largest.min(not + step);
    while not + 1 < does {
        let middle = not.midpoint(does);
        if holds(middle) { does = middle } else { not = middle }
    }
    does
}

/// Judges records by how many of them show each code.
struct Judge<'a> {
    diversity: &'a Diversity<'a>,
    values: &'a Generalizable,
    /// How many of the other records that are released show each code, where that matters.
    beside: &'a [u64],
    /// How values spread over leaves, unless the release tells.
    induction: Option<Induction>,
    by_input: bool,
}

impl<'a> Judge<'a> {
    fn new(diversity: &'a Diversity<'a>, values: &'a Generalizable, beside: Option<&'a [u64]>) -> Self {
        let weights = diversity.weights();
        let induction = match beside {
            None => Some(values.induction_of_input(weights)),
            Some(_) => values.fixed_induction(weights),
        };
        Self { diversity, values, beside: beside.unwrap_or_default(), induction, by_input: beside.is_none() }
    }

    fn is_diverse(&self, counts: &[u64]) -> bool {
        if self.by_input {
            let codes: Vec<u32> = (0..counts.len() as u32).collect();
            return self.diversity.is_diverse(&codes, counts);
        }
        self.diversity.is_diverse_beside(counts, self.beside)
    }

    /// The most frequent leaf; of several, the one with the smallest code.
    fn dominant(&self, counts: &[u64]) -> Option<u32> {
        let of_release = || {
            let shown: Vec<u64> = counts.iter().zip(self.beside).map(|(here, beside)| here + beside).collect();
            Cow::Owned(self.values.induction_of(&shown))
        };
        let induction = self.induction.as_ref().map_or_else(of_release, Cow::Borrowed);
        let mut masses = vec![0u128; induction.leaves()];
        for (code, &count) in (0..).zip(counts).filter(|(_, count)| **count > 0) {
            induction.each_part(code, |leaf, parts| masses[leaf as usize] += u128::from(count) * u128::from(parts));
        }
        let largest = masses.iter().copied().max().filter(|&largest| largest > 0)?;
        masses.iter().position(|&mass| mass == largest).map(|leaf| leaf as u32)
    }
}

/// Records by what they show.
struct Piles<'a> {
    parts: &'a [Part],
    /// How many records show each code.
    counts: Vec<u64>,
    /// For each code, the parts with records that show it, in order, and how many of them do.
    piles: Vec<BTreeMap<u32, u64>>,
}

impl<'a> Piles<'a> {
    fn new(parts: &'a [Part], diversity: &Diversity<'_>, codes: usize) -> Self {
        let (mut counts, mut piles) = (vec![0; codes], vec![BTreeMap::new(); codes]);
        for (place, part) in parts.iter().enumerate() {
            let code = diversity.code(part.shows) as usize;
            counts[code] += part.count;
            piles[code].insert(place as u32, part.count);
        }
        Self { parts, counts, piles }
    }

    /// How many records show each code once so many of one show another.
    fn after(&self, from: u32, to: u32, records: u64) -> Vec<u64> {
        let mut after = self.counts.clone();
        after[from as usize] -= records;
        after[to as usize] += records;
        after
    }

    /// The first so many records that show one code show another.
    fn take(&mut self, from: u32, to: u32, records: u64) {
        self.counts[from as usize] -= records;
        self.counts[to as usize] += records;
        let mut open = records;
        while open > 0 {
            let Some(mut first) = self.piles[from as usize].first_entry() else { break };
            let (place, taken) = (*first.key(), open.min(*first.get()));
            open -= taken;
            *first.get_mut() -= taken;
            if *first.get() == 0 {
                first.remove();
            }
            *self.piles[to as usize].entry(place).or_default() += taken;
        }
    }

    fn into_parts(self, values: &Generalizable) -> Vec<Part> {
        let mut shown: Vec<(u32, u32, u64)> = Vec::with_capacity(self.parts.len());
        for (code, pile) in self.piles.into_iter().enumerate() {
            shown.extend(pile.into_iter().map(|(place, count)| (place, code as u32, count)));
        }
        shown.sort_unstable();
        let part = |(place, code, count): (u32, u32, u64)| {
            let part = self.parts[place as usize];
            Part { shows: values.with_code(part.shows, code), count, ..part }
        };
        shown.into_iter().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::smallest;

    #[test]
    fn the_smallest_is_found_wherever_it_is() {
        for largest in 1..40 {
            for first in 1..=largest + 1 {
                assert_eq!(smallest(largest, |number| number >= first), first.min(largest));
            }
        }
    }
}

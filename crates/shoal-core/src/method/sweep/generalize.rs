//! Which sensitive values must be generalized so that some records together are diverse enough?

use std::collections::BTreeMap;

use super::super::diversity::Diversity;
use super::super::draft::Part;
use super::values::Generalizable;
use crate::frequency::Induction;

/// Generalizes sensitive values (section III.C of the paper) until the records are diverse: each time one that covers the
/// dominant value, the least general of those, of the first record that has it, to its parent. `None` if they are not
/// diverse when no such value has a parent.
pub(super) fn generalize(
    parts: &[Part],
    values: &Generalizable,
    diversity: &Diversity<'_>,
    induction: &Induction,
) -> Option<Vec<Part>> {
    let mut piles = Piles::new(parts, diversity, values.parents.len());
    let mut masses = Masses::new(&piles.counts, induction);
    while !piles.is_diverse(diversity) {
        let dominant = masses.dominant()?;
        let mut chain = std::iter::successors(Some(dominant), |&code| values.parents[code as usize]);
        let code = chain.find(|&code| piles.counts[code as usize] > 0)?;
        let parent = values.parents[code as usize]?;
        let enough = |records: u64| {
            let after = masses.moved(code, parent, records, induction);
            after.dominant() != Some(dominant) || piles.is_diverse_after(code, parent, records, diversity)
        };
        let records = smallest(piles.counts[code as usize], enough);
        masses = masses.moved(code, parent, records, induction);
        piles.take(code, parent, records);
    }
    Some(piles.into_parts(values))
}

/// The smallest number from 1 on for which something holds, or the largest allowed; once it holds, it goes on to hold.
///
/// While a value is dominant, each record of it that is generalized moves a part of the largest share to smaller ones:
/// cumulative frequencies do not rise, so that it is as good as asking after each record.
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

/// The induced number of records of each leaf, times the scale of the induction.
#[derive(Clone)]
struct Masses(Vec<i128>);

impl Masses {
    fn new(counts: &[u64], induction: &Induction) -> Self {
        let mut masses = Self(vec![0; induction.leaves()]);
        for (code, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            masses.add(code as u32, i128::from(count), induction);
        }
        masses
    }

    fn add(&mut self, code: u32, records: i128, induction: &Induction) {
        induction.each_part(code, |leaf, parts| self.0[leaf as usize] += records * i128::from(parts));
    }

    fn moved(&self, from: u32, to: u32, records: u64, induction: &Induction) -> Self {
        let mut after = self.clone();
        after.add(from, -i128::from(records), induction);
        after.add(to, records.into(), induction);
        after
    }

    /// The most frequent leaf; of several, the one with the smallest code.
    fn dominant(&self) -> Option<u32> {
        let largest = self.0.iter().copied().max().filter(|&largest| largest > 0)?;
        self.0.iter().position(|&mass| mass == largest).map(|leaf| leaf as u32)
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

    fn is_diverse(&self, diversity: &Diversity<'_>) -> bool {
        self.is_diverse_after(0, 0, 0, diversity)
    }

    fn is_diverse_after(&self, from: u32, to: u32, records: u64, diversity: &Diversity<'_>) -> bool {
        let after = |code: u32| {
            self.counts[code as usize] + if code == to { records } else { 0 } - if code == from { records } else { 0 }
        };
        let codes: Vec<u32> = (0..self.counts.len() as u32).filter(|&code| after(code) > 0).collect();
        let counts: Vec<u64> = codes.iter().map(|&code| after(code)).collect();
        diversity.is_diverse(&codes, &counts)
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

//! How far is the distribution of a class from a reference?
//!
//! The Earth Mover's Distance in the three ground distances of t-closeness (sections 5.1 and 5.2 of the paper),
//! as exact fractions, and the Kullback-Leibler divergence. Each visits only the values that the class holds: what
//! the class lacks contributes as one sum that the reference knows.

use crate::exact::Ratio;
use crate::frequency::Distribution;
use crate::hierarchy::{Hierarchy, Level};

/// A class's counts and the reference they are compared with.
#[derive(Debug, Clone, Copy)]
pub struct Masses<'a> {
    /// The values that the class holds, sorted.
    pub codes: &'a [u32],
    /// How often each occurs.
    pub counts: &'a [u64],
    /// The sum of the counts.
    pub total: u64,
    /// What they are compared with.
    pub reference: &'a Distribution,
}

impl Masses<'_> {
    /// |p - q| times both totals, for a value or node with this many records here and in the reference.
    fn difference(&self, here: u64, reference: u64) -> u128 {
        let scaled_here = u128::from(here) * u128::from(self.reference.total());
        scaled_here.abs_diff(u128::from(reference) * u128::from(self.total))
    }

    /// Of each value that the class holds, how many records it has here and in the reference; with a hierarchy, of each node on each level
    /// below the root.
    pub fn with_reference(&self, hierarchy: Option<&Hierarchy>) -> Vec<(u64, u64)> {
        let values = || self.codes.iter().zip(self.counts);
        let Some(hierarchy) = hierarchy else {
            return values().map(|(&code, &count)| (count, self.reference.counts()[code as usize])).collect();
        };
        let mut all = Vec::new();
        for level in 0..hierarchy.height() {
            let (nodes, sums) = (hierarchy.level(level), self.reference.level_sums(level));
            let mut here: Vec<(u32, u64)> = values().map(|(&code, &count)| (nodes.node_of(code), count)).collect();
            here.sort_unstable();
            let of_node = |same: &[(u32, u64)]| (same.iter().map(|node| node.1).sum(), sums[same[0].0 as usize]);
            all.extend(here.chunk_by(|a, b| a.0 == b.0).map(of_node));
        }
        all
    }

    fn both_totals(&self) -> u128 {
        u128::from(self.total) * u128::from(self.reference.total())
    }
}

/// Every two values are 1 apart: half the sum of |p - q|.
pub fn equal(masses: Masses<'_>) -> Ratio {
    let (mut work, mut covered) = (0, 0);
    for (&code, &count) in masses.codes.iter().zip(masses.counts) {
        let reference = masses.reference.counts()[code as usize];
        work += masses.difference(count, reference);
        covered += reference;
    }
    work += masses.difference(0, masses.reference.total() - covered);
    Ratio::new(work, 2 * masses.both_totals())
}

/// The i-th and the j-th of m values that occur in the reference are |i - j| / (m - 1) apart: the sum over all
/// prefixes of the difference that has to cross their border, over m - 1.
///
/// Between two values of the class its own running sum stands still while the reference's rises, so their
/// difference changes sign at most once: two running sums of the reference give the sum over the gap.
pub fn ordered(masses: Masses<'_>) -> Ratio {
    let ranking = masses.reference.ranking();
    let values = ranking.codes.len();
    if values < 2 {
        return Ratio::ZERO;
    }
    // Sum over borders i in from..to of |here * N - cumulative[i] * n|, in the places of `cumulative`.
    let gap = |here: u64, from: usize, to: usize| -> u128 {
        let scaled = u128::from(here) * u128::from(masses.reference.total());
        let total = u128::from(masses.total);
        let crossing = from + ranking.cumulative[from..to].partition_point(|&sum| u128::from(sum) * total <= scaled);
        let sum = |a: usize, b: usize| {
            if a < b { ranking.cumulative_sums[b - 1] - ranking.cumulative_sums[a - 1] } else { 0 }
        };
        let below = (crossing - from) as u128 * scaled - sum(from, crossing) * total;
        let above = sum(crossing, to) * total - (to - crossing) as u128 * scaled;
        below + above
    };
    let (mut work, mut here, mut from) = (0, 0, 1);
    for (&code, &count) in masses.codes.iter().zip(masses.counts) {
        let border = ranking.codes.partition_point(|&known| known < code) + 1;
        if border > from {
            work += gap(here, from, border.min(values));
            from = border;
        }
        here += count;
    }
    if from < values {
        work += gap(here, from, values);
    }
    Ratio::new(work, (values as u128 - 1) * masses.both_totals())
}

/// Two values are as far apart as the level of their lowest common ancestor, over the height.
///
/// In a tree whose edges all weigh 1 / (2 height) that is the length of the path between two leaves, so the
/// distance is half the sum of |p - q| over all nodes below the root, over the height. It is the paper's sum of
/// cost(N) written without the minimum.
pub fn hierarchical(masses: Masses<'_>, hierarchy: &Hierarchy) -> Ratio {
    let height = hierarchy.height();
    if height == 0 {
        return Ratio::ZERO;
    }
    let mut work = 0;
    let mut nodes: Vec<(u32, u64)> = Vec::new();
    for level in 0..height {
        if hierarchy.level(level).len() <= FEW_NODES {
            work += few_nodes(masses, hierarchy.level(level), masses.reference.level_sums(level));
            continue;
        }
        nodes.clear();
        nodes.extend(
            masses.codes.iter().map(|&code| hierarchy.level(level).node_of(code)).zip(masses.counts.iter().copied()),
        );
        // Leaves are mostly in order as they are.
        if !nodes.is_sorted() {
            nodes.sort_unstable();
        }
        let sums = masses.reference.level_sums(level);
        let mut covered = 0;
        for same in nodes.chunk_by(|a, b| a.0 == b.0) {
            let reference = sums[same[0].0 as usize];
            work += masses.difference(same.iter().map(|node| node.1).sum(), reference);
            covered += reference;
        }
        work += masses.difference(0, masses.reference.total() - covered);
    }
    Ratio::new(work, 2 * height as u128 * masses.both_totals())
}

/// The nodes of a level with no more are counted one by one.
const FEW_NODES: usize = 32;

/// The sum of |p - q| over all nodes of a level, times both totals.
fn few_nodes(masses: Masses<'_>, level: &Level, reference: &[u64]) -> u128 {
    let mut here = [0; FEW_NODES];
    for (&code, &count) in masses.codes.iter().zip(masses.counts) {
        here[level.node_of(code) as usize] += count;
    }
    reference.iter().zip(here).map(|(&reference, here)| masses.difference(here, reference)).sum()
}

/// The sum of p log(p / q); infinite where a value of the class does not occur in the reference.
pub fn kullback_leibler(masses: Masses<'_>) -> f64 {
    let term = |(&code, &count): (&u32, &u64)| {
        let expected = u128::from(masses.reference.counts()[code as usize]) * u128::from(masses.total);
        let found = u128::from(count) * u128::from(masses.reference.total());
        count as f64 / masses.total as f64 * (found as f64 / expected as f64).ln()
    };
    masses.codes.iter().zip(masses.counts).map(term).sum::<f64>().max(0.0)
}

/// The largest difference between the share of a class's people who have a value and that of all people, times the way from that value to the
/// nearest other one: `steps` of those of which the longest way has `longest`.
///
/// Where everybody has one value, that is no more than the Earth Mover's Distance: what a value has too much or too little must go
/// at least to the nearest other one.
pub fn having(masses: Masses<'_>, steps: impl Fn(u32) -> u64, longest: u64) -> Ratio {
    let way = |code: u32, count: u64| {
        masses.difference(count, masses.reference.counts()[code as usize]) * u128::from(steps(code))
    };
    let here = masses.codes.iter().zip(masses.counts).map(|(&code, &count)| way(code, count));
    let mut most = here.max().unwrap_or(0);
    for &code in masses.reference.by_frequency() {
        // No value that is less frequent differs by more.
        if masses.difference(0, masses.reference.counts()[code as usize]) * u128::from(longest) <= most {
            break;
        }
        if masses.codes.binary_search(&code).is_err() {
            most = most.max(way(code, 0));
        }
    }
    Ratio::new(most, u128::from(longest) * masses.both_totals())
}

/// The largest divergence of those who have a value, and those who have it not, from the same among all people.
///
/// Where everybody has one value, that is no more than the divergence of values: it only tells less of them apart.
pub fn having_kullback_leibler(masses: Masses<'_>) -> f64 {
    let term = |here: u64, all: u64| {
        let (found, expected) =
            (u128::from(here) * u128::from(masses.reference.total()), u128::from(all) * u128::from(masses.total));
        match here {
            0 => 0.0,
            _ => here as f64 / masses.total as f64 * (found as f64 / expected as f64).ln(),
        }
    };
    let divergence = |code: u32, count: u64| {
        let all = masses.reference.counts()[code as usize];
        term(count, all) + term(masses.total - count, masses.reference.total() - all)
    };
    let here = masses.codes.iter().zip(masses.counts).map(|(&code, &count)| divergence(code, count));
    // Of the values that the class lacks, the most frequent differs most.
    let lacking = masses.reference.by_frequency().iter().find(|code| masses.codes.binary_search(code).is_err());
    here.chain(lacking.map(|&code| divergence(code, 0))).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::{Counts, Induction};

    /// One of a million numbers, of all of which there are as many, is half the way from them. Of ten million people there are 2^24 parts each.
    #[test]
    fn parts_of_many_people_leave_room_for_an_ordered_distance() {
        let (values, of_each) = (1u32 << 20, 10 << 24);
        let codes: Vec<u32> = (0..values).collect();
        let counts = vec![of_each; values as usize];
        let everybody = Counts { codes: &codes, counts: &counts };
        let reference = Distribution::induced(everybody, &Induction::none(), values as usize, None);
        let total = of_each * u64::from(values);
        let masses = Masses { codes: &[0], counts: &[total], total, reference: &reference };
        assert_eq!(ordered(masses), Ratio::new(1, 2));
    }
}

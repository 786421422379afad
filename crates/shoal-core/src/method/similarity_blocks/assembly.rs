//! How are points of different kinds put together, each with its nearest?

use super::points::{Neighbours, Points, Wanted};
use crate::watch::Watch;

/// Sets of so many points of different kinds, and what is left over.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    /// How many points a set has.
    pub(super) size: usize,
    /// The points of the sets, one set after the other, each seed first.
    pub(super) members: Vec<u32>,
    /// The points that are in no set, and how many of each.
    pub(super) leftovers: Vec<(u32, u64)>,
    /// How near the members are to their seeds.
    pub(super) nearness: Nearness,
}

/// How near what was put together is, and how sure that is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Nearness {
    /// The sum of the distances of all members to their seeds.
    pub(super) distances: f64,
    /// How many neighbours were looked for.
    pub(super) searches: u64,
    /// How many of those found are known to be the nearest.
    pub(super) nearest: u64,
}

impl Nearness {
    pub(super) fn joined(self, other: Self) -> Self {
        Self {
            distances: self.distances + other.distances,
            searches: self.searches + other.searches,
            nearest: self.nearest + other.nearest,
        }
    }

    pub(super) fn mean_distance(&self) -> f64 {
        if self.searches == 0 { 0.0 } else { self.distances / self.searches as f64 }
    }

    pub(super) fn share_of_nearest(&self) -> f64 {
        if self.searches == 0 { 1.0 } else { self.nearest as f64 / self.searches as f64 }
    }
}

impl Assembly {
    /// Puts points together until fewer than `size` kinds are left. A seed is of the kind of which most are left, and of
    /// those the first point; its set takes the nearest points of other kinds. As many sets as possible are made: where
    /// that leaves no choice, a kind that must not be left out is taken even if another is nearer.
    pub(super) fn new(points: &Points, size: u64, neighbours: &mut dyn Neighbours, watch: &dyn Watch) -> Self {
        let mut left = points.totals();
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let mut assembly = Self { size, ..Self::default() };
        let mut seeds = Seeds::new(points, left.len());
        let mut sets = most_sets(&left, size);
        let mut chosen: Vec<u32> = Vec::new();
        while sets > 0 && !watch.is_stopped() {
            let slack = slack(&left, size, sets);
            let kind = (0..left.len()).max_by_key(|&kind| (left[kind], std::cmp::Reverse(kind))).unwrap_or(0);
            let seed = seeds.next(kind, left[kind], sets, neighbours);
            chosen.clear();
            assembly.add(seed, kind as u32, &mut chosen, &mut left, neighbours);
            while chosen.len() < size {
                let must = must_have(&left, &chosen, sets, slack, size - chosen.len());
                let wanted = must.as_ref().map_or(Wanted::Except(&chosen), |kinds| Wanted::Only(kinds));
                let found = neighbours.nearest(points.ranks(seed), wanted).expect("enough kinds are left for a set");
                assembly.nearness.distances += found.distance;
                assembly.nearness.searches += 1;
                assembly.nearness.nearest += u64::from(found.is_nearest);
                let kind = points.kinds[found.point as usize];
                assembly.add(found.point, kind, &mut chosen, &mut left, neighbours);
            }
            sets -= 1;
            watch.advance(size as u64);
        }
        let all = 0..points.len() as u32;
        assembly.leftovers =
            all.map(|point| (point, neighbours.left(point))).filter(|&(_, count)| count > 0).collect();
        assembly
    }

    fn add(
        &mut self,
        point: u32,
        kind: u32,
        chosen: &mut Vec<u32>,
        left: &mut [u64],
        neighbours: &mut dyn Neighbours,
    ) {
        neighbours.take(point);
        self.members.push(point);
        left[kind as usize] -= 1;
        chosen.push(kind);
    }

    /// The sets, one after the other.
    pub(super) fn sets(&self) -> impl Iterator<Item = &[u32]> {
        self.members.chunks_exact(self.size.max(1))
    }
}

/// How many sets of `size` different kinds there can be at most: a kind is in as many as it has points.
fn most_sets(left: &[u64], size: usize) -> u64 {
    let total: u64 = left.iter().sum();
    let reachable = |sets: u64| places(left, sets) >= sets as u128 * size as u128;
    let (mut possible, mut impossible) = (0, total + 1);
    while possible + 1 < impossible {
        let middle = u64::midpoint(possible, impossible);
        if reachable(middle) { possible = middle } else { impossible = middle }
    }
    possible
}

fn places(left: &[u64], sets: u64) -> u128 {
    left.iter().map(|&count| u128::from(count.min(sets))).sum()
}

/// How many more places there are than `sets` sets need.
fn slack(left: &[u64], size: usize, sets: u64) -> u128 {
    places(left, sets) - sets as u128 * size as u128
}

/// The kinds of which one must be chosen, if not all will do.
///
/// With one set fewer to make, a kind that has as many points as there are sets loses a place, chosen or not; another
/// loses one only if it is chosen. So each such kind that is not chosen costs one place of the slack.
fn must_have(left: &[u64], chosen: &[u32], sets: u64, slack: u128, to_choose: usize) -> Option<Vec<u32>> {
    // What was chosen for this set is no longer counted in `left`.
    let is_full = |kind: &u32| left[*kind as usize] >= sets && !chosen.contains(kind);
    let full = (0..left.len() as u32).filter(is_full);
    (full.clone().count() as u128 > slack + (to_choose as u128 - 1)).then(|| full.collect())
}

/// Where the next seed of each kind comes from.
struct Seeds {
    of_kind: Vec<Vec<u32>>,
    cursors: Vec<Cursor>,
}

/// How far seeds have been taken.
#[derive(Debug, Clone, Copy, Default)]
struct Cursor {
    at: usize,
    /// How many of the point's were passed over.
    passed: u64,
    /// What is owed to passing over, in parts of a set.
    owed: u64,
}

impl Seeds {
    fn new(points: &Points, kinds: usize) -> Self {
        let mut of_kind = vec![Vec::new(); kinds];
        (0..points.len() as u32).for_each(|point| of_kind[points.kinds[point as usize] as usize].push(point));
        Self { of_kind, cursors: vec![Cursor::default(); kinds] }
    }

    /// The first point of a kind that has one left. Of a kind that has more left than there are sets to make, some are
    /// passed over, as many before each seed as come to a set: what will be left over is then near everywhere, and not all
    /// at the end of the order.
    fn next(&mut self, kind: usize, left: u64, sets: u64, neighbours: &dyn Neighbours) -> u32 {
        let (points, cursor) = (&self.of_kind[kind], &mut self.cursors[kind]);
        cursor.owed += left.saturating_sub(sets);
        let mut to_pass = cursor.owed / sets;
        cursor.owed %= sets;
        loop {
            let here = neighbours.left(points[cursor.at]).saturating_sub(cursor.passed);
            if to_pass < here {
                cursor.passed += to_pass;
                return points[cursor.at];
            }
            to_pass -= here;
            (cursor.at, cursor.passed) = ((cursor.at + 1) % points.len(), 0);
        }
    }
}

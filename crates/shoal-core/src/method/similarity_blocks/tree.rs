//! Which of the points that are left is nearest?

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::points::{Neighbour, Neighbours, Points, Wanted};
use super::space::Space;

/// A tree of boxes: each holds the points of the two below it, so that a box that is farther away than the best point so
/// far need not be opened, nor one that holds no wanted kind. Without a limit on the points looked at, what it finds is the
/// nearest; with one, it is the nearest of those in the boxes that could hold nearer ones, the most promising first.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    space: &'a Space,
    points: &'a Points,
    /// How many points a search looks at before it takes the best so far.
    effort: u64,
    left: Vec<u64>,
    /// Which bit of a box's mask stands for each kind: the most frequent have one of their own, the rest share the last.
    bit_of: Vec<u8>,
    nodes: Vec<Node>,
    /// The smallest rank in each column of each box, then the largest.
    corners: Vec<u32>,
    /// The points in the order of their boxes.
    order: Vec<u32>,
    box_of: Vec<u32>,
    alive: usize,
    alive_at_build: usize,
    /// Boxes yet to be opened, kept for its memory. Distances are never negative: their bits are in their order.
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    parent: u32,
    /// The first of two boxes below it, the other follows; 0 if there are none.
    below: u32,
    first: u32,
    last: u32,
    /// The kinds that are left in it.
    mask: u128,
}

/// How many points a box holds that is not divided further.
const SMALL: usize = 12;
const SHARED_BIT: u8 = 127;

impl<'a> Tree<'a> {
    pub(super) fn new(space: &'a Space, points: &'a Points, effort: u64) -> Self {
        let totals = points.totals();
        let mut by_frequency: Vec<usize> = (0..totals.len()).collect();
        by_frequency.sort_by_key(|&kind| Reverse(totals[kind]));
        let mut bit_of = vec![SHARED_BIT; totals.len()];
        by_frequency.iter().zip(0..SHARED_BIT).for_each(|(&kind, bit)| bit_of[kind] = bit);
        let mut tree = Self {
            space,
            points,
            effort,
            left: points.counts.clone(),
            bit_of,
            nodes: Vec::new(),
            corners: Vec::new(),
            order: Vec::new(),
            box_of: vec![0; points.len()],
            alive: 0,
            alive_at_build: 0,
            open: BinaryHeap::new(),
        };
        tree.build();
        tree
    }

    /// Builds the boxes anew over what is left: they become smaller as points go.
    fn build(&mut self) {
        self.nodes.clear();
        self.corners.clear();
        self.order = (0..self.points.len() as u32).filter(|&point| self.left[point as usize] > 0).collect();
        (self.alive, self.alive_at_build) = (self.order.len(), self.order.len());
        if self.order.is_empty() {
            return;
        }
        let mut order = std::mem::take(&mut self.order);
        self.add_node(0, 0, &order);
        let mut at = 0;
        while at < self.nodes.len() {
            let Node { first, last, .. } = self.nodes[at];
            let here = &mut order[first as usize..last as usize];
            if here.len() > SMALL {
                self.sort_for_division(at, here);
                let middle = first + (last - first) / 2;
                self.nodes[at].below = self.nodes.len() as u32;
                self.add_node(at as u32, first, &order[first as usize..middle as usize]);
                self.add_node(at as u32, middle, &order[middle as usize..last as usize]);
            } else {
                here.iter().for_each(|&point| self.box_of[point as usize] = at as u32);
            }
            at += 1;
        }
        self.order = order;
    }

    fn add_node(&mut self, parent: u32, first: u32, points: &[u32]) {
        let columns = self.space.columns();
        let corner = self.corners.len();
        self.corners.extend_from_slice(self.points.ranks(points[0]));
        self.corners.extend_from_slice(self.points.ranks(points[0]));
        let (least, most) = self.corners[corner..].split_at_mut(columns);
        for &point in points {
            for (column, &rank) in self.points.ranks(point).iter().enumerate() {
                least[column] = least[column].min(rank);
                most[column] = most[column].max(rank);
            }
        }
        let mask = points.iter().fold(0, |mask, &point| mask | self.bit(point));
        self.nodes.push(Node { parent, below: 0, first, last: first + points.len() as u32, mask });
    }

    /// Puts the nearer half of a box's points before the farther one, along its longest side.
    fn sort_for_division(&self, node: usize, points: &mut [u32]) {
        let (least, most) = self.corners(node);
        let extent = |column: usize| self.space.along(column, least[column], most[column]);
        let longest = (0..least.len()).max_by(|&a, &b| extent(a).total_cmp(&extent(b)).then(b.cmp(&a)));
        let middle = points.len() / 2;
        match longest.filter(|&column| extent(column) > 0.0) {
            Some(column) => {
                points.select_nth_unstable_by_key(middle, |&point| (self.points.ranks(point)[column], point))
            }
            // All at one place: then at least kinds are kept apart.
            None => points.select_nth_unstable_by_key(middle, |&point| (self.points.kinds[point as usize], point)),
        };
    }

    fn corners(&self, node: usize) -> (&[u32], &[u32]) {
        let columns = self.space.columns();
        self.corners[node * 2 * columns..][..2 * columns].split_at(columns)
    }

    fn bit(&self, point: u32) -> u128 {
        1 << self.bit_of[self.points.kinds[point as usize] as usize]
    }

    /// The bits of boxes that may hold a wanted kind.
    fn mask(&self, wanted: Wanted<'_>) -> u128 {
        let bit = |&kind: &u32| self.bit_of[kind as usize];
        match wanted {
            Wanted::Only(kinds) => kinds.iter().map(bit).fold(0, |mask, bit| mask | 1 << bit),
            // Others may share the last bit.
            Wanted::Except(kinds) => {
                kinds.iter().map(bit).filter(|&bit| bit != SHARED_BIT).fold(!0, |mask, bit| mask & !(1 << bit))
            }
        }
    }
}

impl Neighbours for Tree<'_> {
    fn nearest(&mut self, ranks: &[u32], wanted: Wanted<'_>) -> Option<Neighbour> {
        let mask = self.mask(wanted);
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        if self.nodes.first().is_some_and(|root| root.mask & mask != 0) {
            open.push(Reverse((0, 0)));
        }
        let (mut best, mut looked_at): (Option<(u64, u32)>, u64) = (None, 0);
        let mut is_nearest = true;
        while let Some(Reverse((bound, node))) = open.pop() {
            if best.is_some_and(|(distance, _)| bound >= distance) {
                break;
            }
            if best.is_some() && looked_at >= self.effort {
                is_nearest = false;
                break;
            }
            let Node { below, first, last, .. } = self.nodes[node as usize];
            if below == 0 {
                for &point in &self.order[first as usize..last as usize] {
                    if self.left[point as usize] == 0 || !wanted.holds(self.points.kinds[point as usize]) {
                        continue;
                    }
                    looked_at += 1;
                    let found = (self.space.distance(ranks, self.points.ranks(point)).to_bits(), point);
                    if best.is_none_or(|best| found < best) {
                        best = Some(found);
                    }
                }
                continue;
            }
            for child in [below, below + 1] {
                if self.nodes[child as usize].mask & mask == 0 {
                    continue;
                }
                let (least, most) = self.corners(child as usize);
                let bound = self.space.to_box(ranks, least, most).to_bits();
                if best.is_none_or(|(distance, _)| bound < distance) {
                    open.push(Reverse((bound, child)));
                }
            }
        }
        self.open = open;
        best.map(|(bits, point)| Neighbour { point, distance: f64::from_bits(bits), is_nearest })
    }

    fn take(&mut self, point: u32) {
        let left = &mut self.left[point as usize];
        debug_assert!(*left > 0, "only what is left can be taken");
        *left -= 1;
        if *left > 0 {
            return;
        }
        self.alive -= 1;
        if self.alive > 4 * SMALL && self.alive * 2 < self.alive_at_build {
            return self.build();
        }
        let mut at = self.box_of[point as usize] as usize;
        let Node { first, last, .. } = self.nodes[at];
        let remaining = self.order[first as usize..last as usize].iter().filter(|&&point| self.left[point as usize] > 0);
        let mut mask = remaining.fold(0, |mask, &point| mask | self.bit(point));
        while self.nodes[at].mask != mask {
            self.nodes[at].mask = mask;
            if at == 0 {
                break;
            }
            at = self.nodes[at].parent as usize;
            let below = self.nodes[at].below as usize;
            mask = self.nodes[below].mask | self.nodes[below + 1].mask;
        }
    }

    fn left(&self, point: u32) -> u64 {
        self.left[point as usize]
    }
}

//! Into which groups of values does a column divide a cell, and how can they be told apart?

use super::span::{Ruler, Span, join_all, loss_of};

/// The groups of one column in a cell: values, or children of the node that covers them, in their order.
#[derive(Debug)]
pub(super) struct Groups {
    pub(super) column: usize,
    ids: Vec<u32>,
    rows: Vec<u64>,
    /// For each group, the span of every column that is measured.
    spans: Vec<Span>,
    stride: usize,
    /// Do they have an order, so that they are cut at a value?
    ordered: bool,
}

/// A way to divide groups in two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cut {
    /// The groups before this one, and the rest.
    Before(u32),
    /// This group, and the rest.
    Alone(u32),
    /// So many groups, the largest first, and the rest.
    Largest(u32),
    /// The groups before this one and some of its own records, so that both sides are equally large; and the rest.
    Within(u32),
}

/// What a cut of a column gains.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gain {
    pub(super) gained: f64,
    pub(super) column: usize,
    pub(super) cut: Cut,
}

/// What becomes of the records of a cell.
#[derive(Debug)]
pub(super) struct Split<'g> {
    groups: &'g Groups,
    /// The part of each group.
    pub(super) part_of: Vec<u32>,
    pub(super) parts: usize,
    /// So many records of this group go to the part before its own.
    pub(super) divided: Option<(u32, u64)>,
}

impl Groups {
    pub(super) fn new(column: usize, stride: usize, ordered: bool) -> Self {
        Self { column, ids: vec![], rows: vec![], spans: vec![], stride, ordered }
    }

    /// Adds a group after the others.
    pub(super) fn push(&mut self, id: u32, rows: u64, spans: &[Span]) {
        debug_assert!(self.ids.last().is_none_or(|&last| last < id) && spans.len() == self.stride);
        self.ids.push(id);
        self.rows.push(rows);
        self.spans.extend_from_slice(spans);
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    fn spans(&self, group: usize) -> &[Span] {
        self.at(&self.spans, group)
    }

    fn at<'s>(&self, spans: &'s [Span], place: usize) -> &'s [Span] {
        &spans[place * self.stride..][..self.stride]
    }

    /// Adds records to the group that was pushed last.
    pub(super) fn add(&mut self, rows: u64) -> &mut [Span] {
        let last = self.ids.len() - 1;
        self.rows[last] += rows;
        &mut self.spans[last * self.stride..]
    }

    /// The place of a group among the others.
    #[inline]
    pub(super) fn place(&self, id: u32) -> usize {
        self.ids.partition_point(|&known| known < id)
    }

    /// All cuts in two and what each gains over showing `whole`, by these rulers. No side has fewer than `least` records.
    pub(super) fn gains(
        &self,
        rulers: &[Ruler<'_>],
        whole: &[Span],
        least: u64,
        relaxed: bool,
    ) -> Vec<Gain> {
        let total: u64 = self.rows.iter().sum();
        let lost = loss_of(rulers, whole) * total as f64;
        let mut gains = Vec::new();
        if self.len() < 2 {
            return gains;
        }
        let mut consider = |cut: Cut, rows: u64, first: &[Span], second: &[Span]| {
            if rows < least || total - rows < least {
                return;
            }
            let kept = loss_of(rulers, first) * rows as f64 + loss_of(rulers, second) * (total - rows) as f64;
            // What is gained must be more than what rounding can make up.
            if lost - kept > 1e-9 * total as f64 {
                gains.push(Gain { gained: lost - kept, column: self.column, cut });
            }
        };
        let by_place: Vec<usize> = (0..self.len()).collect();
        let (before, after) = self.running(rulers, &by_place);
        if self.ordered {
            let mut rows = 0;
            for place in 1..self.len() {
                rows += self.rows[place - 1];
                consider(Cut::Before(place as u32), rows, self.at(&before, place - 1), self.at(&after, place));
            }
            if relaxed {
                let middle = self.middle();
                let whole_group = self.rows[middle] == total;
                if !whole_group {
                    let (first, second) = (self.at(&before, middle), self.at(&after, middle));
                    consider(Cut::Within(middle as u32), total / 2, first, second);
                }
            }
            return gains;
        }
        let mut others = self.spans(0).to_vec();
        for place in 0..self.len() {
            let (one_side, other_side) = (place.saturating_sub(1), (place + 1).min(self.len() - 1));
            others.copy_from_slice(if place == 0 { self.at(&after, 1) } else { self.at(&before, one_side) });
            if place > 0 && place < other_side {
                join_all(rulers, &mut others, self.at(&after, other_side));
            }
            consider(Cut::Alone(place as u32), self.rows[place], self.spans(place), &others);
        }
        let largest = self.largest_first();
        let (before, after) = self.running(rulers, &largest);
        let mut rows = self.rows[largest[0]];
        for many in 2..self.len() - 1 {
            rows += self.rows[largest[many - 1]];
            consider(Cut::Largest(many as u32), rows, self.at(&before, many - 1), self.at(&after, many));
        }
        gains
    }

    /// The spans of all groups up to each, and from each on, in this order.
    fn running(&self, rulers: &[Ruler<'_>], order: &[usize]) -> (Vec<Span>, Vec<Span>) {
        let mut up_to = Vec::with_capacity(self.spans.len());
        let mut from = vec![self.spans[0]; self.spans.len()];
        let mut so_far = self.spans(order[0]).to_vec();
        for &group in order {
            join_all(rulers, &mut so_far, self.spans(group));
            up_to.extend_from_slice(&so_far);
        }
        so_far.copy_from_slice(self.spans(order[order.len() - 1]));
        for (place, &group) in order.iter().enumerate().rev() {
            join_all(rulers, &mut so_far, self.spans(group));
            from[place * self.stride..][..self.stride].copy_from_slice(&so_far);
        }
        (up_to, from)
    }

    fn largest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&group| std::cmp::Reverse(self.rows[group]));
        order
    }

    /// The group that holds the median.
    fn middle(&self) -> usize {
        let total: u64 = self.rows.iter().sum();
        let mut sum = 0;
        let reached = |rows: &u64| {
            sum += rows;
            sum * 2 > total
        };
        self.rows.iter().position(reached).unwrap_or(0)
    }

    /// The cuts of an ordered column, the nearest to the median first.
    pub(super) fn medians(&self, relaxed: bool) -> Vec<Cut> {
        let total: u64 = self.rows.iter().sum();
        let mut rows = 0;
        let mut cuts: Vec<(u64, Cut)> = (1..self.len())
            .map(|place| {
                rows += self.rows[place - 1];
                ((2 * rows).abs_diff(total), Cut::Before(place as u32))
            })
            .collect();
        cuts.sort_unstable();
        let within = (relaxed && self.len() > 1).then_some(Cut::Within(self.middle() as u32));
        within.into_iter().chain(cuts.into_iter().map(|(_, cut)| cut)).collect()
    }

    /// What a cut does.
    pub(super) fn split(&self, cut: Cut) -> Split<'_> {
        let mut part_of = vec![1; self.len()];
        let mut divided = None;
        match cut {
            Cut::Before(place) => part_of[..place as usize].fill(0),
            Cut::Alone(place) => part_of[place as usize] = 0,
            Cut::Largest(many) => {
                self.largest_first()[..many as usize].iter().for_each(|&group| part_of[group] = 0);
            }
            Cut::Within(place) => {
                part_of[..place as usize].fill(0);
                let before: u64 = self.rows[..place as usize].iter().sum();
                divided = Some((place, self.rows.iter().sum::<u64>() / 2 - before));
            }
        }
        Split { groups: self, part_of, parts: 2, divided }
    }

    /// Every group apart that may be, by `accepted`; those that may not are together, with as many of the others, the
    /// smallest first, as it takes. `None` if that leaves one part.
    pub(super) fn apart(&self, accepted: &[bool], together: impl Fn(&Split<'_>) -> bool) -> Option<Split<'_>> {
        let mut alone: Vec<usize> = self.largest_first();
        alone.retain(|&group| accepted[group]);
        while !alone.is_empty() {
            let mut part_of = vec![alone.len() as u32; self.len()];
            (0..).zip(&alone).for_each(|(part, &group)| part_of[group] = part);
            let parts = alone.len() + usize::from(alone.len() < self.len());
            if parts < 2 {
                return None;
            }
            let split = Split { groups: self, part_of, parts, divided: None };
            if parts == alone.len() || together(&split) {
                return Some(split);
            }
            alone.pop();
        }
        None
    }
}

impl<'g> Split<'g> {
    /// Each group is a part.
    pub(super) fn each_alone(groups: &'g Groups) -> Self {
        Split { groups, part_of: (0..groups.len() as u32).collect(), parts: groups.len(), divided: None }
    }

    /// The column that is cut.
    pub(super) fn column(&self) -> usize {
        self.groups.column
    }

    /// The place of the group with this id.
    #[inline]
    pub(super) fn group(&self, id: u32) -> usize {
        self.groups.place(id)
    }
}

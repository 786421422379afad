//! What would it cost records to join another class nearby?

use super::Cuts;
use super::cell::Cutter;
use super::span::{Span, join_all, loss_of, spans_of};
use crate::method::Member;

/// With so many of its neighbours, the nearest, a class is put together and cut anew.
const PARTNERS: usize = 3;

/// Classes that lie near each other, with what a row of each loses.
pub(super) struct Neighbours<'a> {
    pub(super) cutter: &'a Cutter<'a>,
    pub(super) classes: Vec<Vec<Member>>,
    pub(super) rows: Vec<u64>,
    pub(super) losses: Vec<f64>,
    /// The spans of each class, one class after the other.
    spans: Vec<Span>,
    /// The columns, those with few values first: where those differ, most is lost, and the others need no look.
    columns: Vec<usize>,
    /// Which classes have changed since they were looked at.
    pub(super) changed: Vec<bool>,
}

/// Records that stay together, and what they span.
pub(super) struct Unit {
    pub(super) members: Vec<Member>,
    pub(super) rows: u64,
    pub(super) spans: Vec<Span>,
}

impl<'a> Neighbours<'a> {
    pub(super) fn new(cutter: &'a Cutter<'a>, classes: Vec<Vec<Member>>) -> Self {
        let width = cutter.rulers.len();
        let many = classes.len();
        let mut columns: Vec<usize> = (0..width).collect();
        columns.sort_by_key(|&column| cutter.table.quasi[column].dictionary.len());
        let (rows, losses, spans) = (vec![0; many], vec![0.0; many], Vec::with_capacity(many * width));
        let mut neighbours = Self { cutter, classes, rows, losses, spans, columns, changed: vec![true; many] };
        for class in 0..many {
            neighbours.spans.extend(cutter.spans(&neighbours.classes[class]));
            neighbours.measure(class);
        }
        neighbours
    }

    pub(super) fn total(&self) -> f64 {
        self.rows.iter().zip(&self.losses).map(|(&rows, loss)| rows as f64 * loss).sum()
    }

    fn spans(&self, class: usize) -> &[Span] {
        let width = self.cutter.rulers.len();
        &self.spans[class * width..][..width]
    }

    /// Takes the size and loss of a class whose spans are known.
    fn measure(&mut self, class: usize) {
        self.rows[class] = self.classes[class].iter().map(|member| member.count).sum();
        self.losses[class] = loss_of(self.cutter.rulers, self.spans(class));
    }

    /// Takes everything about a class anew.
    pub(super) fn renew(&mut self, class: usize) {
        if self.classes[class].is_empty() {
            (self.rows[class], self.losses[class]) = (0, 0.0);
            return;
        }
        let spans = self.cutter.spans(&self.classes[class]);
        let width = spans.len();
        self.spans[class * width..][..width].copy_from_slice(&spans);
        self.measure(class);
    }

    /// The records of a class that stay together: equal tuples where cuts are strict.
    pub(super) fn units(&self, class: usize) -> Vec<Unit> {
        let mut members = self.classes[class].clone();
        members.sort_unstable();
        let strict = self.cutter.cuts == Cuts::Strict;
        let together = |a: &Member, b: &Member| strict && a.base == b.base;
        let unit = |members: &[Member]| Unit {
            members: members.to_vec(),
            rows: members.iter().map(|member| member.count).sum(),
            spans: spans_of(self.cutter.rulers, self.cutter.table, members[0].base),
        };
        members.chunk_by(together).map(unit).collect()
    }

    /// The class, other than `home`, that a unit costs least to join, if that is less than `limit`.
    pub(super) fn cheapest(&self, home: usize, unit: &Unit, limit: f64) -> Option<(f64, usize)> {
        let mut best = (limit, None);
        for class in (0..self.classes.len()).filter(|&class| class != home && !self.classes[class].is_empty()) {
            let (rows, loss) = (self.rows[class] as f64, self.losses[class]);
            let joined = rows + unit.rows as f64;
            // The newcomers lose at least what the class loses already.
            let most = (best.0 + loss * rows) / joined;
            if loss >= most {
                continue;
            }
            let lost = self.joined_loss(class, &unit.spans, most);
            let cost = lost * joined - loss * rows;
            if cost < best.0 && self.cutter.acceptance.accepts(self.with(class, unit)) {
                best = (cost, Some(class));
            }
        }
        best.1.map(|class| (best.0, class))
    }

    fn with<'s>(&'s self, class: usize, unit: &'s Unit) -> impl Iterator<Item = Member> + Clone + 's {
        self.classes[class].iter().chain(&unit.members).copied()
    }

    pub(super) fn put(&mut self, class: usize, unit: &Unit) {
        unit.members.iter().for_each(|&member| add(&mut self.classes[class], member));
        let width = self.cutter.rulers.len();
        join_all(self.cutter.rulers, &mut self.spans[class * width..][..width], &unit.spans);
        self.measure(class);
        self.changed[class] = true;
    }

    pub(super) fn empty_class(&mut self) -> usize {
        self.classes.push(Vec::new());
        self.rows.push(0);
        self.losses.push(0.0);
        self.changed.push(false);
        self.spans.extend_from_within(..self.cutter.rulers.len());
        self.classes.len() - 1
    }

    /// The classes that it costs least to join with.
    pub(super) fn partners(&self, class: usize) -> Vec<usize> {
        let own = self.losses[class] * self.rows[class] as f64;
        let mut nearest: Vec<(f64, usize)> = Vec::with_capacity(PARTNERS + 1);
        for other in (0..self.classes.len()).filter(|&other| other != class && !self.classes[other].is_empty()) {
            let limit = if nearest.len() < PARTNERS { f64::INFINITY } else { nearest[PARTNERS - 1].0 };
            let rows = (self.rows[class] + self.rows[other]) as f64;
            let apart = own + self.losses[other] * self.rows[other] as f64;
            let most = (limit + apart) / rows;
            let cost = self.joined_loss(other, self.spans(class), most) * rows - apart;
            if cost < limit {
                let at = nearest.partition_point(|known| known.0 <= cost);
                nearest.insert(at, (cost, other));
                nearest.truncate(PARTNERS);
            }
        }
        nearest.into_iter().map(|(_, other)| other).collect()
    }

    /// What a row of a class would lose if these spans joined it; any number of at least `most` if it is not below that.
    #[inline]
    fn joined_loss(&self, class: usize, others: &[Span], most: f64) -> f64 {
        let spans = self.spans(class);
        let mut lost = 0.0;
        for &column in &self.columns {
            let ruler = &self.cutter.rulers[column];
            lost += ruler.loss(ruler.join(spans[column], others[column]));
            if lost >= most {
                break;
            }
        }
        lost
    }

    pub(super) fn loss_of_all(&self, members: &[Member]) -> f64 {
        let rows: u64 = members.iter().map(|member| member.count).sum();
        loss_of(self.cutter.rulers, &self.cutter.spans(members)) * rows as f64
    }
}

/// Adds records to a class; those of one tuple that come together again are one member.
pub(super) fn add(class: &mut Vec<Member>, member: Member) {
    match class.iter_mut().find(|known| known.tuple == member.tuple) {
        Some(known) => known.count += member.count,
        None => class.push(member),
    }
}

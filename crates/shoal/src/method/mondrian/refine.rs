//! Which records are better off in a neighbouring class?

use super::Cuts;
use super::cell::Cutter;
use super::span::{Span, join_all, loss_of, spans_of};
use crate::method::Member;

/// Rounds of moving and cutting, at most.
const ROUNDS: usize = 4;
/// A round that gains less than this part of the loss is the last.
const LITTLE: f64 = 0.002;

/// Classes that lie near each other, with what a row of each loses.
struct Neighbours<'a> {
    cutter: &'a Cutter<'a>,
    classes: Vec<Vec<Member>>,
    rows: Vec<u64>,
    losses: Vec<f64>,
    /// The spans of each class, one class after the other.
    spans: Vec<Span>,
    /// The columns, those with few values first: where those differ, most is lost, and the others need no look.
    columns: Vec<usize>,
    /// Which classes have changed since they were looked at.
    changed: Vec<bool>,
}

/// Records that stay together, and what they span.
struct Unit {
    members: Vec<Member>,
    rows: u64,
    spans: Vec<Span>,
}

/// Moves records between classes, and cuts classes that have grown, as long as that gains something.
pub(super) fn refine(cutter: &Cutter<'_>, classes: Vec<Vec<Member>>) -> Vec<Vec<Member>> {
    let mut neighbours = Neighbours::new(cutter, classes);
    let mut before = neighbours.total();
    for round in 0..ROUNDS {
        if neighbours.classes.len() < 2 {
            break;
        }
        for class in 0..neighbours.classes.len() {
            if !std::mem::replace(&mut neighbours.changed[class], false) {
                continue;
            }
            neighbours.move_out(class);
            if round > 0 {
                neighbours.dissolve(class);
            }
        }
        neighbours = neighbours.cut_again();
        let after = neighbours.total();
        if before - after <= LITTLE * before {
            break;
        }
        before = after;
    }
    neighbours.classes
}

impl<'a> Neighbours<'a> {
    fn new(cutter: &'a Cutter<'a>, classes: Vec<Vec<Member>>) -> Self {
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

    fn total(&self) -> f64 {
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
    fn renew(&mut self, class: usize) {
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
    fn units(&self, class: usize) -> Vec<Unit> {
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

    /// Moves each unit of a class to where it costs less, if what remains may still be a class.
    fn move_out(&mut self, class: usize) {
        for unit in self.units(class) {
            let rows = self.rows[class];
            if rows < unit.rows + self.cutter.acceptance.least_size() {
                continue;
            }
            let rest: Vec<Member> =
                self.classes[class].iter().copied().filter(|member| !unit.members.contains(member)).collect();
            if rest.is_empty() {
                continue;
            }
            let loss = loss_of(self.cutter.rulers, &self.cutter.spans(&rest));
            let saved = self.losses[class] * rows as f64 - loss * (rows - unit.rows) as f64;
            if saved <= 1e-9 * rows as f64 || !self.cutter.accepts(&rest) {
                continue;
            }
            if let Some((_, to)) = self.cheapest(class, &unit, saved * (1.0 - 1e-9)) {
                self.classes[class] = rest;
                self.renew(class);
                self.changed[class] = true;
                self.put(to, &unit);
            }
        }
    }

    /// Gives every unit of a class to others, if that costs less than the class does.
    fn dissolve(&mut self, class: usize) {
        let saved = self.losses[class] * self.rows[class] as f64 * (1.0 - 1e-9);
        let mut cost = 0.0;
        let as_it_was = |own: &Self, class: usize| (class, own.classes[class].clone(), own.changed[class]);
        let mut changed = vec![as_it_was(self, class)];
        let units = self.units(class);
        for unit in &units {
            let Some((more, to)) = self.cheapest(class, unit, saved - cost) else { break };
            cost += more;
            changed.push(as_it_was(self, to));
            self.put(to, unit);
        }
        if changed.len() > units.len() {
            self.classes[class].clear();
            self.renew(class);
            return;
        }
        for (class, members, was_changed) in changed.into_iter().rev() {
            (self.classes[class], self.changed[class]) = (members, was_changed);
            self.renew(class);
        }
    }

    /// The class, other than `home`, that a unit costs least to join, if that is less than `limit`.
    fn cheapest(&self, home: usize, unit: &Unit, limit: f64) -> Option<(f64, usize)> {
        let rulers = self.cutter.rulers;
        let mut best = (limit, None);
        for class in (0..self.classes.len()).filter(|&class| class != home && !self.classes[class].is_empty()) {
            let (rows, loss) = (self.rows[class] as f64, self.losses[class]);
            let joined = rows + unit.rows as f64;
            // The newcomers lose at least what the class loses already.
            let most = (best.0 + loss * rows) / joined;
            if loss >= most {
                continue;
            }
            let mut lost = 0.0;
            let spans = self.spans(class);
            for &column in &self.columns {
                let ruler = &rulers[column];
                lost += ruler.loss(ruler.join(spans[column], unit.spans[column]));
                if lost >= most {
                    break;
                }
            }
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

    fn put(&mut self, class: usize, unit: &Unit) {
        for &member in &unit.members {
            // Records of one tuple that come together again are one member.
            match self.classes[class].iter_mut().find(|known| known.tuple == member.tuple) {
                Some(known) => known.count += member.count,
                None => self.classes[class].push(member),
            }
        }
        let width = self.cutter.rulers.len();
        join_all(self.cutter.rulers, &mut self.spans[class * width..][..width], &unit.spans);
        self.measure(class);
        self.changed[class] = true;
    }

    /// The same with every class cut that can be; empty ones are gone.
    fn cut_again(self) -> Self {
        let (mut classes, mut changed) = (Vec::with_capacity(self.classes.len()), Vec::new());
        let with_members = self.classes.into_iter().zip(self.changed).filter(|(members, _)| !members.is_empty());
        for (members, was_changed) in with_members {
            if !was_changed {
                classes.push(members);
                changed.push(false);
                continue;
            }
            self.cutter.cut_completely(members, &mut classes);
            changed.resize(classes.len(), true);
        }
        Self { changed, ..Self::new(self.cutter, classes) }
    }
}

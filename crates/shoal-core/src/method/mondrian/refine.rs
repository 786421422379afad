//! Which records are better off in a neighbouring class?

use super::cell::Cutter;
use super::neighbours::{Neighbours, add};
use super::span::loss_of;
use crate::method::Member;

/// Rounds of moving and cutting, at most.
const ROUNDS: usize = 4;
/// A round that gains less than this part of the loss is the last.
const LITTLE: f64 = 0.002;

/// Moves records between classes, and cuts classes that have grown, as long as that gains something.
pub(super) fn refine(cutter: &Cutter<'_>, classes: Vec<Vec<Member>>) -> Vec<Vec<Member>> {
    let mut neighbours = Neighbours::new(cutter, classes);
    let mut before = neighbours.total();
    for round in 0..ROUNDS {
        if neighbours.classes.len() < 2 {
            break;
        }
        for class in 0..neighbours.classes.len() {
            let is_new = std::mem::replace(&mut neighbours.changed[class], false);
            if !is_new || neighbours.losses[class] <= 0.0 {
                continue;
            }
            neighbours.move_out(class);
            if round > 0 {
                neighbours.dissolve(class);
            }
            neighbours.cut_with_partners(class);
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

impl Neighbours<'_> {
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

    /// Puts a class together with one of its nearest and cuts both anew, if that loses less.
    fn cut_with_partners(&mut self, class: usize) {
        for partner in self.partners(class) {
            if self.classes[class].is_empty() || self.classes[partner].is_empty() {
                continue;
            }
            let mut union = self.classes[class].clone();
            self.classes[partner].iter().for_each(|&member| add(&mut union, member));
            union.sort_unstable();
            let mut parts = Vec::new();
            self.cutter.cut_completely(union, &mut parts);
            let lost = |class: usize| self.losses[class] * self.rows[class] as f64;
            let before = lost(class) + lost(partner);
            let after: f64 = parts.iter().map(|part| self.loss_of_all(part)).sum();
            // What was cut is accepted; what was not may be refused as a whole.
            if after < before * (1.0 - 1e-9) && (parts.len() > 1 || self.cutter.accepts(&parts[0])) {
                let mut places = [class, partner].into_iter();
                self.classes[partner].clear();
                self.renew(partner);
                for part in parts {
                    let place = places.next().unwrap_or_else(|| self.empty_class());
                    self.classes[place] = part;
                    self.renew(place);
                    self.changed[place] = true;
                }
            }
        }
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
        let mut neighbours = Self::new(self.cutter, classes);
        neighbours.changed = changed;
        neighbours
    }
}

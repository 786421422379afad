//! How near are the people of a class to all people, word for word and however slowly?

use std::collections::{BTreeMap, BTreeSet};

use super::naive::{Asked, MILLION, earth_movers};

/// Parts into which a person is divided: whoever has up to ten values has equal parts of them.
const PARTS: i128 = 2520;

/// For everybody the values that they have.
type Crowd<'a> = [BTreeSet<&'a str>];

/// How many have a value, and how many have it not.
type Split = BTreeMap<&'static str, i128>;

impl<'p> Asked<'p> {
    /// Are the people of a class near all people: in equal parts, by each value alone, and, where values have an order, by everybody's least
    /// and greatest?
    pub(super) fn are_close(&self, class: &Crowd<'p>, all: &Crowd<'p>) -> Option<bool> {
        let in_parts = self.is_close(&parts(class), &parts(all))?;
        let distance = self.parameters["distance"].as_str().expect("a name");
        if distance == "kl" {
            let by_values = with_and_without(class, all).into_iter().map(|(here, all)| self.is_close(&here, &all));
            let by_values: Option<Vec<bool>> = by_values.collect();
            return Some(by_values?.into_iter().all(|close| close) && in_parts);
        }
        let by_values = occurring(all).into_iter().all(|value| self.gap_is_small(distance, value, class, all));
        let by_ends = distance != "ordered"
            || [true, false].into_iter().all(|is_least| {
                let (here, there) = (ends(class, all, is_least), ends(all, all, is_least));
                self.is_close(&here, &there).expect("it is a fraction")
            });
        Some(in_parts && by_values && by_ends)
    }

    /// Is the difference of those who have a value, times the way to the nearest other value, at most t? That way is what it costs to move one record.
    fn gap_is_small(&self, distance: &str, value: &str, class: &Crowd<'p>, all: &Crowd<'p>) -> bool {
        let (size, everybody) = (class.len() as i128, all.len() as i128);
        let with = |crowd: &Crowd<'_>| crowd.iter().filter(|values| values.contains(value)).count() as i128;
        let gap = (with(class) * everybody - with(all) * size).abs();
        let only = |one: &str| -> BTreeMap<&'p str, i128> {
            occurring(all).into_iter().map(|value| (value, i128::from(value == one))).collect()
        };
        let others = occurring(all).into_iter().filter(|other| *other != value);
        let ways = others.map(|other| earth_movers(self.plan, self.column, distance, &only(value), &only(other)));
        let nearest = ways.min_by(|(a, b), (c, d)| (a * d).cmp(&(c * b)));
        nearest.is_none_or(|(way, scale)| gap * way * MILLION <= self.millionths("t") * size * everybody * scale)
    }
}

/// For each value of a table, how many of a class and of all have it, and how many have it not; nothing where that is nobody.
pub(super) fn with_and_without<'a>(class: &Crowd<'a>, all: &Crowd<'a>) -> Vec<(Split, Split)> {
    let split = |crowd: &Crowd<'_>, value: &str| {
        let mut split = BTreeMap::new();
        for values in crowd {
            *split.entry(if values.contains(value) { "with" } else { "without" }).or_default() += 1;
        }
        split
    };
    occurring(all).into_iter().map(|value| (split(class, value), split(all, value))).collect()
}

fn occurring<'a>(all: &Crowd<'a>) -> BTreeSet<&'a str> {
    all.iter().flatten().copied().collect()
}

/// How many parts of people each value has.
fn parts<'a>(crowd: &Crowd<'a>) -> BTreeMap<&'a str, i128> {
    let mut parts = BTreeMap::new();
    for values in crowd {
        for value in values {
            *parts.entry(*value).or_default() += PARTS / values.len() as i128;
        }
    }
    parts
}

/// Of how many each value is the least that they have, or the greatest; 0 for those that only others have.
fn ends<'a>(crowd: &Crowd<'a>, all: &Crowd<'a>, is_least: bool) -> BTreeMap<&'a str, i128> {
    let number = |value: &&str| value.parse::<i64>().expect("a number");
    let mut ends: BTreeMap<&str, i128> = occurring(all).into_iter().map(|value| (value, 0)).collect();
    for values in crowd {
        let own = values.iter().copied();
        let end = if is_least { own.min_by_key(number) } else { own.max_by_key(number) };
        *ends.entry(end.expect("everybody has a value")).or_default() += 1;
    }
    ends
}

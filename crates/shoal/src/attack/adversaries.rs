//! What do attackers believe who know how the sensitive column depends on some of the quasi-identifiers?

use std::collections::BTreeMap;

use hashbrown::HashMap;

use super::Scene;
use super::beliefs::{Belief, Person};
use crate::linking::People;
use shoal_core::{Error, Result};

/// How many beliefs are worked out at most, over all subsets of the quasi-identifiers. The smallest subsets come first;
/// each single quasi-identifier is always tried.
const MOST_BELIEFS: usize = 4_000_000;

/// A group of people who are alike in everything an attacker could know, their class, and their sensitive values.
struct Atom<'a> {
    class: usize,
    key: &'a [u32],
    records: u64,
    /// Leaves and how often each occurs.
    values: Vec<(u32, f64)>,
}

/// How many subsets were tried, and of how many.
#[derive(Debug, Clone, Copy)]
pub struct Tried {
    /// How many were.
    pub subsets: u64,
    /// How many proper subsets there are.
    pub of: u64,
    /// Are the quasi-identifiers those of the original, rather than what the release shows?
    pub from_original: bool,
}

/// Everybody, once for each subset of the quasi-identifiers that an attacker could know the sensitive column's dependence
/// on ("multiple adversaries"): f(s|q) is the table's share of s among those who agree with q in the subset, and f(s|q*)
/// its mean over the class. Neither no column (the independent prior) nor all of them (nothing is ever a breach) are asked.
///
/// `visit` gets the number of an atom with each person, so that it can take the worst over the subsets.
pub fn every_adversary(scene: &Scene<'_>, column: usize, mut visit: impl FnMut(usize, &Person<'_>)) -> Tried {
    let class_values: Vec<Vec<(u32, f64)>> =
        (0..scene.classes.len()).map(|class| values(scene, column, class)).collect();
    let (atoms, from_original) = atoms(scene, column, &class_values);
    let width = scene.quasi.len();
    let by_class = by_class(&atoms, scene.classes.len());
    let cost = cost(&atoms, &class_values);
    let subsets = subsets(width);
    let affordable = (MOST_BELIEFS / cost.max(1)).max(width);
    let tried = subsets.iter().take(affordable);
    for subset in tried {
        let groups = Groups::new(&atoms, subset);
        for (class, members) in by_class.iter().enumerate() {
            groups.visit_class(&atoms, class, members, &class_values[class], &mut visit);
        }
    }
    let of = (1u64 << width.min(62)).saturating_sub(2);
    Tried { subsets: subsets.len().min(affordable) as u64, of, from_original }
}

/// How many beliefs one subset takes.
fn cost(atoms: &[Atom<'_>], class_values: &[Vec<(u32, f64)>]) -> usize {
    atoms.iter().map(|atom| 1 + class_values[atom.class].len()).sum()
}

/// The sensitive values of a class of the release.
fn values(scene: &Scene<'_>, column: usize, class: usize) -> Vec<(u32, f64)> {
    let members = scene.classes.class(class);
    let (induced, total) = scene.induce(column, members.counts(column), members.size());
    let share = members.size() as f64 / total.max(1) as f64;
    induced.codes.iter().zip(induced.counts.iter()).map(|(&code, &count)| (code, count as f64 * share)).collect()
}

/// The people of the original, if each can be in one class only and they are not too many; otherwise those of the release,
/// as it shows them.
fn atoms<'a>(scene: &'a Scene<'_>, column: usize, class_values: &[Vec<(u32, f64)>]) -> (Vec<Atom<'a>>, bool) {
    let classes = scene.classes;
    if let Some(original) = scene.legible_original().filter(|original| original.known.len() == scene.quasi.len())
        && let Some(atoms) = atoms_of_original(scene, original, column)
        && cost(&atoms, class_values) <= MOST_BELIEFS
    {
        return (atoms, true);
    }
    let of_release = (0..classes.len())
        .map(|class| Atom {
            class,
            key: classes.key(class),
            records: classes.sizes()[class],
            values: class_values[class].clone(),
        })
        .collect();
    (of_release, false)
}

fn atoms_of_original<'a>(scene: &Scene<'_>, original: &'a People, column: usize) -> Option<Vec<Atom<'a>>> {
    let mut atoms = Vec::new();
    for entry in 0..original.table.len() {
        let class = match *original.candidates(entry) {
            // Somebody who was suppressed.
            [] => continue,
            [group] => original.linker().groups()[group as usize].classes[0] as usize,
            _ => return None,
        };
        let members = original.table.class(entry);
        let (induced, total) = scene.induce(column, members.counts(column), members.size());
        let share = members.size() as f64 / total.max(1) as f64;
        let values =
            induced.codes.iter().zip(induced.counts.iter()).map(|(&code, &count)| (code, count as f64 * share));
        atoms.push(Atom { class, key: original.table.key(entry), records: members.size(), values: values.collect() });
    }
    Some(atoms).filter(|atoms| !atoms.is_empty())
}

fn by_class(atoms: &[Atom<'_>], classes: usize) -> Vec<Vec<usize>> {
    let mut by_class = vec![Vec::new(); classes];
    atoms.iter().enumerate().for_each(|(place, atom)| by_class[atom.class].push(place));
    by_class
}

/// Every subset of so many columns but the empty and the full one, the smallest first. More than sixteen columns have more
/// subsets than could ever be afforded: then only single columns and pairs.
fn subsets(width: usize) -> Vec<Vec<usize>> {
    if width > 16 {
        let singles = (0..width).map(|column| vec![column]);
        let pairs = (0..width).flat_map(|a| (a + 1..width).map(move |b| vec![a, b]));
        return singles.chain(pairs).collect();
    }
    let all = (1u32..(1 << width) - 1).map(|mask| (0..width).filter(|column| mask >> column & 1 == 1).collect());
    let mut all: Vec<Vec<usize>> = all.collect();
    all.sort_by_key(Vec::len);
    all
}

/// The people who agree in a subset of the quasi-identifiers.
struct Groups {
    group_of: Vec<u32>,
    totals: Vec<f64>,
    counts: HashMap<(u32, u32), f64>,
    /// The values of each group, the most frequent first.
    by_frequency: Vec<Vec<u32>>,
}

impl Groups {
    fn new(atoms: &[Atom<'_>], subset: &[usize]) -> Self {
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
        let (group_of, totals, counts) = (Vec::new(), Vec::new(), HashMap::new());
        let mut groups = Self { group_of, totals, counts, by_frequency: Vec::new() };
        for atom in atoms {
            let next = numbers.len() as u32;
            let group = *numbers.entry(subset.iter().map(|&column| atom.key[column]).collect()).or_insert(next);
            if group == next {
                groups.totals.push(0.0);
                groups.by_frequency.push(Vec::new());
            }
            groups.group_of.push(group);
            for &(code, count) in &atom.values {
                groups.totals[group as usize] += count;
                let sum = groups.counts.entry((group, code)).or_insert_with(|| {
                    groups.by_frequency[group as usize].push(code);
                    0.0
                });
                *sum += count;
            }
        }
        for (group, codes) in (0..).zip(&mut groups.by_frequency) {
            let count = |code: &u32| groups.counts[&(group, *code)];
            codes.sort_by(|a, b| count(b).total_cmp(&count(a)).then(a.cmp(b)));
        }
        groups
    }

    fn share(&self, group: u32, code: u32) -> f64 {
        self.counts.get(&(group, code)).map_or(0.0, |count| count / self.totals[group as usize])
    }

    /// Theorem 3.1 for everybody in a class.
    fn visit_class(
        &self,
        atoms: &[Atom<'_>],
        class: usize,
        members: &[usize],
        values: &[(u32, f64)],
        visit: &mut impl FnMut(usize, &Person<'_>),
    ) {
        let records: f64 = members.iter().map(|&atom| atoms[atom].records as f64).sum();
        let mut mean = vec![0.0; values.len()];
        for &atom in members {
            let weight = atoms[atom].records as f64 / records;
            for (mean, &(code, _)) in mean.iter_mut().zip(values) {
                *mean += weight * self.share(self.group_of[atom], code);
            }
        }
        for &atom in members {
            let group = self.group_of[atom];
            let mut beliefs = posterior(values, &mean, |code| self.share(group, code));
            beliefs.retain(|belief| belief.posterior.is_finite());
            let is_lacking = |code: &&u32| values.binary_search_by_key(*code, |pair| pair.0).is_err();
            let lacking = self.by_frequency[group as usize].iter().find(is_lacking);
            let largest_ruled_out = lacking.map_or(0.0, |&code| self.share(group, code));
            let records = atoms[atom].records;
            visit(atom, &Person { class, records, beliefs: &beliefs, largest_ruled_out, values: None });
        }
    }
}

/// beta = n(q*,s) f(s|q)/f(s|q*) over the sum of these. A value that nobody of the class can have, though it is one of
/// those that a generalized value stands for, has no part in it.
fn posterior(values: &[(u32, f64)], class_shares: &[f64], share: impl Fn(u32) -> f64) -> Vec<Belief> {
    let term = |(&(code, count), &in_class): (&(u32, f64), &f64)| {
        if in_class > 0.0 { count * share(code) / in_class } else { 0.0 }
    };
    let sum: f64 = values.iter().zip(class_shares).map(term).sum();
    let belief =
        |pair: (&(u32, f64), &f64)| Belief { code: pair.0.0, prior: share(pair.0.0), posterior: term(pair) / sum };
    values.iter().zip(class_shares).map(belief).collect()
}

/// Everybody of the population who could be in the release: f(s|q) is the share of s among those with the same
/// quasi-identifiers, f(s|q*) among all who could be in the class. Of a class, as large a share is taken to be like a person
/// as of those who could be in it. `visit` gets with each the number of those it is: somebody who could be in several classes
/// comes up once for each.
pub fn population(
    scene: &Scene<'_>,
    people: &People,
    column: usize,
    mut visit: impl FnMut(usize, &Person<'_>),
) -> Result<()> {
    let of_original = values_in_original(scene, people, column);
    let mut by_class: Vec<Vec<usize>> = vec![Vec::new(); scene.classes.len()];
    for entry in 0..people.table.len() {
        for &group in people.candidates(entry).iter() {
            people.linker().groups()[group as usize]
                .classes
                .iter()
                .for_each(|&class| by_class[class as usize].push(entry));
        }
    }
    let shares_of = |entry: usize| -> HashMap<u32, f64> {
        let members = people.table.class(entry);
        let (induced, total) = scene.induce(column, members.counts(column), members.size());
        let shares = induced.codes.iter().zip(induced.counts.iter());
        shares.map(|(&code, &count)| (code, count as f64 / total as f64)).collect()
    };
    for (class, entries) in by_class.iter().enumerate() {
        let values = values(scene, column, class);
        let size: u64 = entries.iter().map(|&entry| people.table.sizes()[entry]).sum();
        let shares: Vec<HashMap<u32, f64>> = entries.iter().map(|&entry| shares_of(entry)).collect();
        let mean: Vec<f64> = values
            .iter()
            .map(|(code, _)| {
                let weighted = entries.iter().zip(&shares).map(|(&entry, shares)| {
                    people.table.sizes()[entry] as f64 * shares.get(code).copied().unwrap_or(0.0)
                });
                weighted.sum::<f64>() / size.max(1) as f64
            })
            .collect();
        if mean.contains(&0.0) {
            return Err(inconsistent(scene, class, column));
        }
        for (&entry, shares) in entries.iter().zip(&shares) {
            let share = |code: u32| shares.get(&code).copied().unwrap_or(0.0);
            let beliefs = posterior(&values, &mean, share);
            if beliefs.iter().any(|belief| belief.posterior.is_nan()) {
                continue;
            }
            let is_lacking = |code: &u32| values.binary_search_by_key(code, |pair| pair.0).is_err();
            let lacking = shares.iter().filter(|(code, _)| is_lacking(code)).map(|(_, &share)| share);
            let largest_ruled_out = lacking.fold(0.0, f64::max);
            let alike = u128::from(people.table.sizes()[entry]) * u128::from(scene.classes.sizes()[class]);
            let records = alike.div_ceil(u128::from(size.max(1))) as u64;
            let values = of_original.as_ref().map(|values| values[entry].as_slice());
            visit(entry, &Person { class, records, beliefs: &beliefs, largest_ruled_out, values });
        }
    }
    Ok(())
}

/// The values that those of the original have who are like each of these people in all that is known of both, and how many
/// have each.
fn values_in_original(scene: &Scene<'_>, people: &People, column: usize) -> Option<Vec<Vec<(u32, u64)>>> {
    let original = scene.original.as_ref()?;
    let shared: Vec<usize> = people.known.iter().copied().filter(|known| original.known.contains(known)).collect();
    let key = |of: &People, entry: usize| -> Vec<String> {
        shared.iter().map(|&quasi| of.value(entry, quasi).unwrap_or_default().to_owned()).collect()
    };
    let mut values: HashMap<Vec<String>, BTreeMap<u32, u64>> = HashMap::new();
    for entry in 0..original.table.len() {
        let alike = values.entry(key(original, entry)).or_default();
        for (code, count) in original.table.class(entry).counts(column).iter() {
            *alike.entry(code).or_default() += count;
        }
    }
    let of_entry = |entry| {
        values
            .get(&key(people, entry))
            .map_or_else(Vec::new, |values| values.iter().map(|(&code, &count)| (code, count)).collect())
    };
    Some((0..people.table.len()).map(of_entry).collect())
}

/// A prior that says of what the release shows that it cannot be.
fn inconsistent(scene: &Scene<'_>, class: usize, column: usize) -> Error {
    let shown: Vec<&str> = scene.classes.shown(class).collect();
    Error::table("the population table contradicts the release")
        .detail(format!(
            "nobody in it who could be in the class ({}) has a value of column `{}` that the class shows",
            shown.join(", "),
            scene.columns[column].name()
        ))
        .hint("give a population that the people of the release are part of")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_subsets_come_first() {
        assert_eq!(subsets(3), [vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2], vec![1, 2]]);
        assert_eq!(subsets(1), Vec::<Vec<usize>>::new());
        assert_eq!(subsets(17).len(), 17 + 136);
    }

    /// Section 3.1 by hand: a class with two of s and two of t; s is rare for this person (0.1 against 0.5 in the class).
    #[test]
    fn theorem_3_1_by_hand() {
        let beliefs = posterior(&[(0, 2.0), (1, 2.0)], &[0.5, 0.5], |code| [0.1, 0.9][code as usize]);
        assert!((beliefs[0].posterior - 0.1).abs() < 1e-12 && (beliefs[1].posterior - 0.9).abs() < 1e-12);
        let beliefs = posterior(&[(0, 3.0), (1, 1.0)], &[0.5, 0.5], |code| [0.1, 0.9][code as usize]);
        assert!((beliefs[0].posterior - 0.25).abs() < 1e-12, "0.3 / (0.3 + 0.9)");
    }
}

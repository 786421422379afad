//! What do the definitions say about people with several records, word for word and however slowly?

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::naive::{Asked, MILLION};
use super::naive_closeness::with_and_without;

impl Asked<'_> {
    /// Is a class of these rows accepted, where these rows are released, and each row is somebody's?
    pub(super) fn accepts_people(&self, people: &[u32], class: &[usize], released: &[usize]) -> Option<bool> {
        let everybody: BTreeSet<u32> = class.iter().map(|&row| people[row]).collect();
        let count = everybody.len() as i128;
        let having = |column: usize| {
            let mut having: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
            for &row in class {
                having.entry(self.cell(row, column)).or_default().insert(people[row]);
            }
            having
        };
        let having_here = if self.plan.sensitive.is_empty() { BTreeMap::new() } else { having(self.column) };
        let number = |having: &BTreeSet<u32>| having.len() as i128;
        let mut descending: Vec<i128> = having_here.values().map(number).collect();
        descending.sort_by(|a, b| b.cmp(a));
        // As many people as can be named by so many values.
        let named = |descending: &[i128], values: usize| descending.iter().take(values).sum::<i128>().min(count);
        let needs = |having: &BTreeMap<&str, BTreeSet<u32>>, values: usize| {
            let mut descending: Vec<i128> = having.values().map(number).collect();
            descending.sort_by(|a, b| b.cmp(a));
            named(&descending, values - 1) < count
        };
        Some(match self.id {
            "k-anonymity" => everybody.len() >= self.whole("k"),
            "distinct-l-diversity" => needs(&having_here, self.whole("l")),
            "p-sensitive-k-anonymity" => {
                let mut columns = 0..self.plan.sensitive.len();
                everybody.len() >= self.whole("k") && columns.all(|column| needs(&having(column), self.whole("p")))
            }
            "entropy-l-diversity" => {
                let counted =
                    (1..=descending.len()).map(|values| named(&descending, values) - named(&descending, values - 1));
                let share = |people: i128| people as f64 / count as f64;
                let entropy: f64 =
                    counted.filter(|people| *people > 0).map(|people| -share(people) * share(people).ln()).sum();
                let required = (self.millionths("l") as f64 / MILLION as f64).ln();
                if (entropy - required).abs() < 1e-9 {
                    return None;
                }
                entropy > required
            }
            "recursive-cl-diversity" => self.outweighs(&having_here, count, &[], self.millionths("c")),
            "pd-recursive-cl-diversity" => {
                self.outweighs(&having_here, count, &self.list("disclosable"), self.millionths("c"))
            }
            "npd-recursive-cl-diversity" => {
                let with = |value: &&str| having_here.get(value).map_or(0, number);
                let guarded = self.list("guarded");
                guarded.iter().all(|value| with(value) * 100 * MILLION >= self.millionths("c2") * count)
                    && self.outweighs(&having_here, count, &self.list("disclosable"), self.millionths("c1"))
            }
            "simple-l-diversity" => descending[0] * self.millionths("l") <= count * MILLION,
            "alpha-k-anonymity" => {
                let is_meant =
                    |value: &str| self.parameters.get("values").is_none() || self.list("values").contains(&value);
                let mut meant = having_here.iter().filter(|(value, _)| is_meant(value));
                everybody.len() >= self.whole("k")
                    && meant.all(|(_, having)| number(having) * MILLION <= self.millionths("alpha") * count)
            }
            "tau-l-diversity" => {
                let (tau, l) = (self.millionths("tau"), self.whole("l") as i128);
                (1..=l).all(|j| {
                    let f = named(&descending, j as usize);
                    f * MILLION * (l - 1) <= count * (tau * (l - 1) + (MILLION - tau) * (j - 1))
                })
            }
            "a-d-diversity" => self.has_kinds(&having_here, &everybody),
            "t-closeness" => {
                let all: Vec<usize> = (0..self.plan.rows.len()).collect();
                let is_table = self.parameters["reference"].as_str() == Some("table");
                let reference = if is_table { &all } else { released };
                return self.are_close(&self.values_of(people, class), &self.values_of(people, reference));
            }
            "bayes-optimal-privacy" => {
                let (here, all) = (self.values_of(people, class), self.values_of(people, released));
                with_and_without(&here, &all).iter().all(|(here, all)| self.beliefs_hold(here, all))
            }
            "epsilon-m-anonymity" => {
                let epsilon = self.millionths("epsilon");
                let is_relative = self.parameters.get("relative").is_some_and(|relative| relative == true);
                let parsed = |value: &str| value.parse::<i128>().expect("a number");
                having_here.keys().all(|value| {
                    let reach = if is_relative { epsilon * parsed(value).abs() } else { epsilon };
                    let is_near = |other: &str| (parsed(value) - parsed(other)).abs() * MILLION <= reach;
                    let near: BTreeSet<u32> = having_here
                        .iter()
                        .filter(|(other, _)| is_near(other))
                        .flat_map(|pair| pair.1.clone())
                        .collect();
                    near.len() as i128 * self.whole("m") as i128 <= count
                })
            }
            other => panic!("no naive version of {other} for people: write one"),
        })
    }

    /// Are those with the most common value that is not disclosable fewer than c times those who are sure to have neither it nor any of
    /// the l - 2 most common others?
    fn outweighs(&self, having: &BTreeMap<&str, BTreeSet<u32>>, people: i128, disclosable: &[&str], c: i128) -> bool {
        let l = self.whole("l");
        let secret = having.iter().filter(|(value, _)| !disclosable.contains(value));
        let Some((most, with)) = secret.max_by_key(|(_, having)| having.len()) else { return true };
        let mut others: Vec<usize> =
            having.iter().filter(|(value, _)| *value != most).map(|(_, having)| having.len()).collect();
        others.sort_by(|a, b| b.cmp(a));
        let with = with.len() as i128;
        let ruled_out: usize = others.iter().take(l.saturating_sub(2)).sum();
        l == 1 || with * MILLION < c * (people - with - ruled_out as i128).max(0)
    }

    fn has_kinds(&self, having: &BTreeMap<&str, BTreeSet<u32>>, everybody: &BTreeSet<u32>) -> bool {
        let groups = self.parameters["groups"].as_object().expect("named groups");
        let is_in = |group: &Value, value: &str| {
            group.as_array().expect("a list").iter().any(|known| known.as_str() == Some(value))
        };
        let mut of_kinds: Vec<Vec<&BTreeSet<u32>>> = Vec::new();
        for group in groups.values() {
            of_kinds.push(having.iter().filter(|(value, _)| is_in(group, value)).map(|(_, having)| having).collect());
        }
        of_kinds.retain(|of_kind| !of_kind.is_empty());
        let with_kind = |of_kind: &Vec<&BTreeSet<u32>>| -> BTreeSet<u32> {
            of_kind.iter().flat_map(|having| having.iter().copied()).collect()
        };
        // As many as it takes until as many people are named as there are.
        let takes = |mut numbers: Vec<usize>, people: usize| {
            numbers.sort_by(|a, b| b.cmp(a));
            (0..=numbers.len()).find(|&many| numbers[..many].iter().sum::<usize>() >= people).unwrap_or(numbers.len())
        };
        let kinds = takes(of_kinds.iter().map(|kind| with_kind(kind).len()).collect(), everybody.len());
        let values =
            |kind: &Vec<&BTreeSet<u32>>| takes(kind.iter().map(|having| having.len()).collect(), with_kind(kind).len());
        kinds >= self.whole("d") && of_kinds.iter().all(|kind| values(kind) >= self.whole("a"))
    }

    /// For everybody who has these rows, the values in them.
    fn values_of(&self, people: &[u32], rows: &[usize]) -> Vec<BTreeSet<&str>> {
        let mut of_people: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
        for &row in rows {
            of_people.entry(people[row]).or_default().insert(self.cell(row, self.column));
        }
        of_people.into_values().collect()
    }
}

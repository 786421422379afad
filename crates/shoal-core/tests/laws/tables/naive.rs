//! What do the definitions say about a list of records, word for word and however slowly?
//!
//! Nothing here shares code with the library: values are text, counts are taken record by record, fractions are
//! multiplied out with parameters in millionths, and the Earth Mover's Distance is a cheapest flow.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Plan;

/// Parameters are decimals; none of the tests' has more than six places.
pub(super) const MILLION: i128 = 1_000_000;

/// A requirement, as the naive judge sees it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub plan: &'a Plan,
    pub id: &'a str,
    pub parameters: &'a Value,
    /// The place of the sensitive column.
    pub column: usize,
    /// Is it asked of the blocks in which the other sensitive columns are equal?
    pub among: bool,
    /// Whose each row is, where people are counted.
    pub people: Option<&'a [u32]>,
}

impl Asked<'_> {
    /// Is a class of these rows accepted, where these rows are released? `None` where floating point cannot tell.
    pub fn accepts(&self, class: &[usize], released: &[usize]) -> Option<bool> {
        if !self.among {
            return self.accepts_block(class, released);
        }
        let mut blocks: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
        for &row in class {
            let others = (0..self.plan.sensitive.len()).filter(|&column| column != self.column);
            blocks.entry(others.map(|column| self.cell(row, column)).collect()).or_default().push(row);
        }
        let verdicts: Option<Vec<bool>> = blocks.values().map(|block| self.accepts_block(block, released)).collect();
        verdicts.map(|verdicts| verdicts.into_iter().all(|accepted| accepted))
    }

    pub(super) fn cell(&self, row: usize, column: usize) -> &str {
        &self.plan.rows[row][self.plan.quasi.len() + column]
    }

    fn counts(&self, rows: &[usize], column: usize) -> BTreeMap<&str, i128> {
        let mut counts = BTreeMap::new();
        for &row in rows {
            *counts.entry(self.cell(row, column)).or_default() += 1;
        }
        counts
    }

    pub(super) fn millionths(&self, key: &str) -> i128 {
        (self.parameters[key].as_f64().expect("a number") * MILLION as f64).round() as i128
    }

    pub(super) fn whole(&self, key: &str) -> usize {
        self.parameters[key].as_u64().expect("a whole number") as usize
    }

    pub(super) fn list(&self, key: &str) -> Vec<&str> {
        let list = self.parameters[key].as_array().map_or(&[][..], Vec::as_slice);
        list.iter().map(|value| value.as_str().expect("text")).collect()
    }

    fn accepts_block(&self, class: &[usize], released: &[usize]) -> Option<bool> {
        if let Some(people) = self.people {
            return self.accepts_people(people, class, released);
        }
        let counts = if self.plan.sensitive.is_empty() { BTreeMap::new() } else { self.counts(class, self.column) };
        let size = class.len() as i128;
        let mut descending: Vec<i128> = counts.values().copied().collect();
        descending.sort_by(|a, b| b.cmp(a));
        Some(match self.id {
            "k-anonymity" => class.len() >= self.whole("k"),
            "distinct-l-diversity" => counts.len() >= self.whole("l"),
            "entropy-l-diversity" => {
                let share = |&count: &i128| count as f64 / size as f64;
                let entropy: f64 = descending.iter().map(|count| -share(count) * share(count).ln()).sum();
                let required = (self.millionths("l") as f64 / MILLION as f64).ln();
                if (entropy - required).abs() < 1e-9 {
                    return None;
                }
                entropy > required
            }
            "recursive-cl-diversity" => {
                let l = self.whole("l");
                let tail: i128 = descending.iter().skip(l - 1).sum();
                l == 1 || descending[0] * MILLION < self.millionths("c") * tail
            }
            "pd-recursive-cl-diversity" => self.is_pd_recursive(&counts, self.millionths("c")),
            "npd-recursive-cl-diversity" => {
                let count = |value: &str| counts.get(value).copied().unwrap_or(0);
                let percent = self.millionths("c2");
                let guarded = self.list("guarded").iter().all(|value| count(value) * 100 * MILLION >= percent * size);
                guarded && self.is_pd_recursive(&counts, self.millionths("c1"))
            }
            "simple-l-diversity" => descending[0] * self.millionths("l") <= size * MILLION,
            "p-sensitive-k-anonymity" => {
                let mut columns = 0..self.plan.sensitive.len();
                class.len() >= self.whole("k")
                    && columns.all(|column| self.counts(class, column).len() >= self.whole("p"))
            }
            "alpha-k-anonymity" => {
                let is_meant =
                    |value: &str| self.parameters.get("values").is_none() || self.list("values").contains(&value);
                let meant = counts.iter().filter(|(value, _)| is_meant(value));
                class.len() >= self.whole("k")
                    && meant.map(|(_, &count)| count).all(|count| count * MILLION <= self.millionths("alpha") * size)
            }
            "tau-l-diversity" => {
                let (tau, l) = (self.millionths("tau"), self.whole("l") as i128);
                (1..=l).all(|j| {
                    let f: i128 = descending.iter().take(j as usize).sum();
                    f * MILLION * (l - 1) <= size * (tau * (l - 1) + (MILLION - tau) * (j - 1))
                })
            }
            "a-d-diversity" => {
                let groups = self.parameters["groups"].as_object().expect("named groups");
                let is_in = |group: &Value, value: &str| {
                    group.as_array().expect("a list").iter().any(|known| known.as_str() == Some(value))
                };
                let group_of = |value: &str| groups.iter().position(|(_, group)| is_in(group, value)).expect("a group");
                let present: BTreeSet<usize> = counts.keys().map(|value| group_of(value)).collect();
                let own = |value: &str| counts.keys().filter(|other| group_of(other) == group_of(value)).count();
                counts.keys().all(|value| own(value) >= self.whole("a")) && present.len() >= self.whole("d")
            }
            "t-closeness" => {
                let all: Vec<usize> = (0..self.plan.rows.len()).collect();
                let is_table = self.parameters["reference"].as_str() == Some("table");
                let reference = self.counts(if is_table { &all } else { released }, self.column);
                return self.is_close(&counts, &reference);
            }
            "epsilon-m-anonymity" => {
                let epsilon = self.millionths("epsilon");
                let is_relative = self.parameters.get("relative").is_some_and(|relative| relative == true);
                let number = |value: &str| value.parse::<i128>().expect("a number");
                let near = |value: &str, other: &str| {
                    let reach = if is_relative { epsilon * number(value).abs() } else { epsilon };
                    (number(value) - number(other)).abs() * MILLION <= reach
                };
                counts.keys().all(|value| {
                    let near: i128 = counts.iter().filter(|(other, _)| near(value, other)).map(|pair| pair.1).sum();
                    near * self.whole("m") as i128 <= size
                })
            }
            "bayes-optimal-privacy" => return Some(self.beliefs_hold(&counts, &self.counts(released, self.column))),
            other => panic!("no naive version of {other}: write one"),
        })
    }

    /// Prior and posterior of every value that is released, multiplied by both totals and a million.
    pub(super) fn beliefs_hold(&self, class: &BTreeMap<&str, i128>, released: &BTreeMap<&str, i128>) -> bool {
        let whole = total(class) * total(released) * MILLION;
        released.iter().all(|(value, &count)| {
            let prior = count * total(class) * MILLION;
            let posterior = class.get(value).copied().unwrap_or(0) * total(released) * MILLION;
            if self.parameters.get("difference").is_some() {
                return (prior - posterior).abs() * MILLION <= self.millionths("difference") * whole;
            }
            let (rho1, rho2) = (self.millionths("rho1") * whole, self.millionths("rho2") * whole);
            let (prior, posterior, whole) = (prior * MILLION, posterior * MILLION, whole * MILLION);
            let rises = prior < rho1 && posterior > rho2;
            let falls = prior > whole - rho1 && posterior < whole - rho2;
            !rises && !falls
        })
    }

    /// Definition 4.3 by its two cases.
    fn is_pd_recursive(&self, counts: &BTreeMap<&str, i128>, c: i128) -> bool {
        let l = self.whole("l");
        let disclosable = self.list("disclosable");
        let mut ranked: Vec<(&str, i128)> = counts.iter().map(|(value, count)| (*value, *count)).collect();
        ranked.sort_by_key(|&(_, count)| -count);
        let r = |i: usize| ranked[i - 1].1;
        let sum = |from: usize, to: usize| (from..=to).map(r).sum::<i128>();
        let Some(y) = ranked.iter().position(|(value, _)| !disclosable.contains(value)) else { return true };
        let (y, m) = (y + 1, ranked.len());
        match () {
            () if l == 1 => true,
            () if y < l => r(y) * MILLION < c * sum(l, m),
            () => r(y) * MILLION < c * (sum(l - 1, y - 1) + sum(y + 1, m)),
        }
    }

    pub(super) fn is_close(&self, class: &BTreeMap<&str, i128>, reference: &BTreeMap<&str, i128>) -> Option<bool> {
        let distance = self.parameters["distance"].as_str().expect("a name");
        if distance == "kl" {
            let (size, rows) = (total(class) as f64, total(reference) as f64);
            let term = |(value, &count): (&&str, &i128)| {
                let p = count as f64 / size;
                p * (p / (reference.get(value).copied().unwrap_or(0) as f64 / rows)).ln()
            };
            let divergence: f64 = class.iter().map(term).sum();
            let t = self.millionths("t") as f64 / MILLION as f64;
            return ((divergence - t).abs() > 1e-9).then_some(divergence < t);
        }
        let (work, scale) = earth_movers(self.plan, self.column, distance, class, reference);
        Some(work * MILLION <= self.millionths("t") * scale)
    }
}

pub fn total(counts: &BTreeMap<&str, i128>) -> i128 {
    counts.values().sum()
}

/// The Earth Mover's Distance by definition, as a fraction: the cheapest flow from one distribution to the other.
pub fn earth_movers(
    plan: &Plan,
    column: usize,
    distance: &str,
    class: &BTreeMap<&str, i128>,
    reference: &BTreeMap<&str, i128>,
) -> (i128, i128) {
    let mut values: Vec<&str> =
        class.keys().chain(reference.keys()).copied().collect::<BTreeSet<_>>().into_iter().collect();
    if distance == "ordered" {
        values.sort_by_key(|value| value.parse::<i64>().expect("a number"));
    }
    let path = |value: usize| {
        let paths = plan.sensitive[column].paths.as_ref().expect("a hierarchy");
        paths.iter().find(|path| path[0] == values[value]).expect("a leaf")
    };
    // Ground distances in whole numbers, all over `unit`.
    let unit = match distance {
        "equal" => 1,
        "ordered" => (values.len() as i128 - 1).max(1),
        "hierarchical" => path(0).len() as i128 - 1,
        other => panic!("no naive version of the distance {other}"),
    };
    let apart = |a: usize, b: usize| match distance {
        "equal" => i128::from(a != b),
        "ordered" => a.abs_diff(b) as i128,
        _ => (0..path(a).len()).find(|&level| path(a)[level] == path(b)[level]).expect("the root is shared") as i128,
    };
    let (size, rows) = (total(class), total(reference));
    let supply: Vec<i128> = values.iter().map(|value| class.get(value).copied().unwrap_or(0) * rows).collect();
    let demand: Vec<i128> = values.iter().map(|value| reference.get(value).copied().unwrap_or(0) * size).collect();
    let costs: Vec<Vec<i128>> = (0..values.len()).map(|a| (0..values.len()).map(|b| apart(a, b)).collect()).collect();
    (cheapest_flow(supply, demand, &costs), unit * size * rows)
}

/// The least cost of moving all supplies to the demands: cheapest paths through the residual network, one after the
/// other, found by Bellman and Ford.
fn cheapest_flow(mut supply: Vec<i128>, mut demand: Vec<i128>, costs: &[Vec<i128>]) -> i128 {
    let n = supply.len();
    let mut flow = vec![vec![0i128; n]; n];
    let mut total = 0;
    while supply.iter().any(|&left| left > 0) {
        // Nodes 0..n are sources, n..2n are sinks; `from` remembers the way.
        let mut cost: Vec<Option<i128>> = supply.iter().map(|&left| (left > 0).then_some(0)).collect();
        cost.resize(2 * n, None);
        let mut from: Vec<Option<usize>> = vec![None; 2 * n];
        for _ in 0..2 * n {
            for a in 0..n {
                for b in 0..n {
                    let there = cost[a].map(|cost| cost + costs[a][b]);
                    if there.is_some_and(|there| cost[n + b].is_none_or(|known| there < known)) {
                        (cost[n + b], from[n + b]) = (there, Some(a));
                    }
                    let back = cost[n + b].filter(|_| flow[a][b] > 0).map(|cost| cost - costs[a][b]);
                    if back.is_some_and(|back| cost[a].is_none_or(|known| back < known)) {
                        (cost[a], from[a]) = (back, Some(n + b));
                    }
                }
            }
        }
        let sink = (0..n).filter(|&b| demand[b] > 0).min_by_key(|&b| cost[n + b]).expect("supply meets demand");
        let mut way = vec![n + sink];
        while let Some(before) = from[way[way.len() - 1]] {
            way.push(before);
        }
        way.reverse();
        let backwards = way.windows(2).filter(|step| step[0] >= n).map(|step| flow[step[1]][step[0] - n]);
        let amount = backwards.chain([supply[way[0]], demand[sink]]).min().expect("at least two");
        for step in way.windows(2) {
            if step[0] < n { flow[step[0]][step[1] - n] += amount } else { flow[step[1]][step[0] - n] -= amount }
        }
        supply[way[0]] -= amount;
        demand[sink] -= amount;
        total += amount * cost[n + sink].expect("it was reached");
    }
    total
}

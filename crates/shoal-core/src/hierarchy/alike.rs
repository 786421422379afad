//! Which values can be put together so that the least is lost of what other columns tell?
//!
//! Each value has a profile: how often it occurs beside each value of other columns. Of all pairs of groups the one is joined whose
//! joint profile tells least less than both of theirs (the agglomerative information bottleneck, Slonim and Tishby 1999); what is lost
//! counts rows, so that rare values join early. Levels are what is left after so many joins.

use super::{ColumnValues, HierarchySpec, Suggestion, Tree};

/// What other columns tell of the values of a column: for each of them, how often a value stands beside each of its groups of values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profiles {
    /// For each other column: by value and then by group.
    columns: Vec<Beside>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Beside {
    groups: usize,
    counts: Vec<u64>,
}

impl Profiles {
    /// Adds a column with so many groups: a count for each value and group, values one after the other.
    pub fn add(&mut self, groups: usize, counts: Vec<u64>) {
        self.columns.push(Beside { groups, counts });
    }
}

/// More values than this are not told apart: the rarest of them stand together.
const MOST_VALUES: usize = 120;

/// Each level has about a third of the groups of the one below it.
const SHRINKS_BY: usize = 3;

/// A value of fewer rows is not named in a label, and none of fewer than have to look the same: the release may show it of nobody.
const NAMED_FROM: u64 = 20;

/// A label names so many values.
const NAMES: usize = 3;

/// Groups of the values of a column that tell much the same; none where there is nothing to tell them by. Where `k` rows have to look the same,
/// labels name no value of fewer.
pub fn alike(column: &ColumnValues<'_>, profiles: &Profiles, k: u64) -> Option<Suggestion> {
    let named_from = k.max(NAMED_FROM);
    let values = column.dictionary.present();
    if profiles.columns.is_empty() || values.len() < 2 * SHRINKS_BY {
        return None;
    }
    let levels = levels_of(values.len(), column.present_counts(), profiles, named_from);
    if levels.is_empty() {
        return None;
    }
    let label = |members: &[usize]| label(values, column.present_counts(), members, named_from);
    let paths: Vec<Vec<String>> = (0..values.len())
        .map(|value| {
            let group = |level: &Vec<Vec<usize>>| {
                level.iter().find(|members| members.contains(&value)).map(|members| label(members))
            };
            std::iter::once(values[value].clone()).chain(levels.iter().filter_map(group)).collect()
        })
        .collect();
    let spec = HierarchySpec::Tree(Tree::of_paths(&paths));
    spec.check_showing(true).ok()?;
    let reason = "its values are grouped so that little is lost of what other columns tell; put them where they belong if you know better";
    Some(Suggestion::new(spec, reason))
}

/// The groups of each level, by the places of their values, finest first.
fn levels_of(values: usize, counts: &[u64], profiles: &Profiles, named_from: u64) -> Vec<Vec<Vec<usize>>> {
    let mut joining =
        Joining::new(singles(values, counts, named_from).into_iter().map(|members| Group::of(members, profiles)));
    let mut wanted = joining.groups.len().div_ceil(SHRINKS_BY);
    let mut levels = Vec::new();
    while wanted >= 2 {
        joining.join_until(wanted);
        levels.push(joining.members());
        wanted = wanted.div_ceil(SHRINKS_BY);
    }
    levels
}

/// Groups on their way to fewer, and what each pair of them would lose as one: only what was joined is valued anew.
struct Joining {
    groups: Vec<Group>,
    /// By the places of two groups, the smaller first.
    costs: Vec<Vec<f64>>,
}

impl Joining {
    fn new(groups: impl Iterator<Item = Group>) -> Self {
        let groups: Vec<Group> = groups.collect();
        let costs = |one: usize| groups.iter().map(|other| groups[one].cost(other)).collect();
        Self { costs: (0..groups.len()).map(costs).collect(), groups }
    }

    fn join_until(&mut self, wanted: usize) {
        while self.groups.len() > wanted {
            let (one, other) = self.cheapest();
            let joined = self.groups.remove(other);
            self.groups[one].join(&joined);
            self.costs.remove(other);
            self.costs.iter_mut().for_each(|costs| {
                costs.remove(other);
            });
            for place in 0..self.groups.len() {
                let cost = self.groups[one].cost(&self.groups[place]);
                (self.costs[one][place], self.costs[place][one]) = (cost, cost);
            }
        }
    }

    /// The places of the two groups that lose least, the first of those that lose the same.
    fn cheapest(&self) -> (usize, usize) {
        let pairs = (0..self.groups.len()).flat_map(|one| (one + 1..self.groups.len()).map(move |other| (one, other)));
        let less = |a: &(usize, usize), b: &(usize, usize)| self.costs[a.0][a.1].total_cmp(&self.costs[b.0][b.1]);
        pairs.min_by(less).unwrap_or((0, 1))
    }

    fn members(&self) -> Vec<Vec<usize>> {
        let mut members: Vec<Vec<usize>> = self.groups.iter().map(|group| group.members.clone()).collect();
        members.sort();
        members
    }
}

/// Each value by itself, but rare ones together, and the rarest where there are very many.
fn singles(values: usize, counts: &[u64], named_from: u64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..values).collect();
    order.sort_by_key(|&value| (std::cmp::Reverse(counts[value]), value));
    let frequent = order.iter().take_while(|&&value| counts[value] >= named_from).count();
    let rare = order.split_off(frequent.min(MOST_VALUES));
    let mut groups: Vec<Vec<usize>> = order.into_iter().map(|value| vec![value]).collect();
    if !rare.is_empty() {
        groups.push(rare);
    }
    groups
}

/// Values that stand together, and how often they do beside each group of each other column.
struct Group {
    members: Vec<usize>,
    beside: Vec<Vec<u64>>,
}

impl Group {
    fn of(mut members: Vec<usize>, profiles: &Profiles) -> Self {
        members.sort_unstable();
        let sum = |beside: &Beside| {
            let of_group =
                |group: usize| members.iter().map(|value| beside.counts[value * beside.groups + group]).sum();
            (0..beside.groups).map(of_group).collect()
        };
        let beside = profiles.columns.iter().map(sum).collect();
        Self { members, beside }
    }

    fn join(&mut self, other: &Self) {
        self.members.extend(&other.members);
        self.members.sort_unstable();
        let counts = self.beside.iter_mut().flatten().zip(other.beside.iter().flatten());
        counts.for_each(|(count, more)| *count += more);
    }

    /// What is told less of the rows of both when they are one.
    fn cost(&self, other: &Self) -> f64 {
        self.beside.iter().zip(&other.beside).map(|(one, other)| told_less(one, other)).sum()
    }
}

/// The information in bits that joining two histograms loses: rows times the divergence from their mixture.
fn told_less(one: &[u64], other: &[u64]) -> f64 {
    let f = |count: u64| if count == 0 { 0.0 } else { count as f64 * (count as f64).log2() };
    let gained = |one: u64, other: u64| f(one + other) - f(one) - f(other);
    let (rows, others): (u64, u64) = (one.iter().sum(), other.iter().sum());
    let cells: f64 = one.iter().zip(other).map(|(&one, &other)| gained(one, other)).sum();
    (gained(rows, others) - cells).max(0.0)
}

/// What a group is called: by its most frequent values and how many others there are, so that a group and a larger one are never
/// called the same. Rare values are not named.
fn label(values: &[String], counts: &[u64], members: &[usize], named_from: u64) -> String {
    let mut named: Vec<usize> = members.iter().copied().filter(|&value| counts[value] >= named_from).collect();
    named.sort_by_key(|&value| (std::cmp::Reverse(counts[value]), value));
    let names: Vec<&str> = named.iter().take(NAMES).map(|&value| values[value].as_str()).collect();
    match (names.is_empty(), members.len() - names.len()) {
        (true, _) => "rare values".to_owned(),
        (false, 0) => names.join(", "),
        (false, others) => format!("{} and {others} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::testing::dictionary;
    use super::*;

    /// Six values; the first and the last three stand beside one group each.
    fn suggested(counts: [u64; 6]) -> Option<Suggestion> {
        suggested_for(counts, 2)
    }

    fn suggested_for(counts: [u64; 6], k: u64) -> Option<Suggestion> {
        let dictionary = dictionary(&["a", "b", "c", "x", "y", "z"], None);
        let column = ColumnValues { name: "c", dictionary: &dictionary, counts: &counts, may_print: true };
        let mut profiles = Profiles::default();
        let beside = |place: usize| if place < 3 { [counts[place], 0] } else { [0, counts[place]] };
        profiles.add(2, (0..6).flat_map(beside).collect());
        let suggestion = alike(&column, &profiles, k)?;
        suggestion.spec.build(&column, Path::new("")).expect("it can be built");
        Some(suggestion)
    }

    #[test]
    fn values_that_tell_the_same_stand_together() {
        let spec = suggested([30, 30, 30, 30, 30, 30]).expect("groups").spec.to_string();
        assert_eq!(spec, "{ tree = { \"a, b, c\" = [\"a\", \"b\", \"c\"], \"x, y, z\" = [\"x\", \"y\", \"z\"] } }");
    }

    #[test]
    fn rare_values_are_not_named() {
        let spec = suggested([30, 30, 3, 30, 19, 1]).expect("groups").spec.to_string();
        assert!(spec.contains("\"a, b\" = ") && spec.contains("\"x and 3 more\" = "), "{spec}");
    }

    #[test]
    fn values_of_fewer_rows_than_look_the_same_are_not_named() {
        let spec = suggested_for([60, 60, 30, 60, 60, 30], 50).expect("groups").spec.to_string();
        // Values themselves stand at the bottom, which no release shows of fewer than k.
        assert!(!spec.contains("c and") && !spec.contains(", c") && !spec.contains(", z"), "{spec}");
        assert!(suggested_for([30; 6], 50).is_none_or(|found| !found.spec.to_string().contains("\"a, b")));
    }

    #[test]
    fn joining_equal_profiles_loses_nothing_and_different_ones_all() {
        assert!(told_less(&[10, 30], &[5, 15]) < 1e-9);
        // Twenty rows, each of which told one of two groups: a bit each.
        assert!((told_less(&[10, 0], &[0, 10]) - 20.0).abs() < 1e-9);
    }

    #[test]
    fn without_other_columns_there_is_nothing_to_tell() {
        let dictionary = dictionary(&["a", "b", "c", "x", "y", "z"], None);
        let column = ColumnValues { name: "c", dictionary: &dictionary, counts: &[1; 6], may_print: true };
        assert_eq!(alike(&column, &Profiles::default(), 2), None);
    }
}

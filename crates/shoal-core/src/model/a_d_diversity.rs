//! Does every class hold several values of each kind it shows, and several kinds?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::step::fewer;
use super::{AlikeValues, Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::frequency::{EquivalenceClass, PeopleOfClass, Reads, TableProfile};
use crate::{Error, Result};

/// # (a,d)-diversity
///
/// **Definition.** Sensitive values are grouped by what they have in common (diseases with fever). In every equivalence
/// class each value present has at least `a - 1` other distinct values of its own group beside it, and at least `d`
/// groups are present.
/// **Protects against** knowledge about a group (a symptom): it leaves `a` candidates; and against similarity: the
/// values of a class belong to `d` groups.
/// **Does not protect against** skewness: a value may be far more frequent than its neighbours.
/// **Parameters.** `column`; `a` and `d`, whole numbers of at least 1; `groups`, one of: `{ level = 1 }` (a level of
/// the column's hierarchy), `{ stomach = ["Gastritis", ..], .. }`, `{ file = "groups.csv" }` (value, group), or
/// `{ likelihoods = "p.csv", delta = 0.1 }` (values sorted by P(k|S), a new group where the spread would exceed delta).
/// Every value that occurs must be in a group.
/// **Monotonicity.** Without suppression: a merged-in class could bring a value that stands alone in its group.
/// **Example.** {influenza, pneumonia, gastritis, dyspepsia} with the groups fever and stomach is (2,2)-diverse.
/// **People.** With `person`, groups are counted as distinct l-diversity counts values: added up from the one that most
/// people have a value of until they are as many as there are people; and so are the values of each group, among the
/// people who have one of them. Of four people, of whom A has flu three times and asthma, B flu and diabetes, C flu, and
/// D back pain, with flu and asthma in one group and the others in a second, three have a value of the first and two of
/// the second: d = 2; and all three of the first have flu: a = 1.
/// **Reference.** Wang and Shi, (a,d)-diversity, section 3.4, in its strong reading.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ADDiversity {
    /// How many different values of a group a class holds at least, if it holds any of them.
    #[schemars(range(min = 1), example = 2)]
    a: u64,
    /// How many groups a class shows at least.
    #[schemars(range(min = 1), example = 2)]
    d: u64,
    /// Which sensitive values are alike. Every value that occurs must be in a group.
    #[schemars(extend("examples" = [{ "level": 1 }]))]
    groups: Groups,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected { level = 1 }, { file = \"groups.csv\" }, { likelihoods = \"p.csv\", delta = 0.1 }, or { group = [values], .. }"
)]
enum Groups {
    /// Those that share a node at this level of the column's hierarchy.
    Level {
        /// The level of the hierarchy.
        level: u64,
    },
    /// Those that a file puts together.
    File {
        /// A CSV file: value, group.
        file: String,
    },
    /// Those that have about the same likelihood of what an attacker knows.
    Likelihoods {
        /// A CSV file: value, P(k|S); values are sorted by it.
        likelihoods: String,
        /// How far the likelihoods of a group may be apart; where they would be farther, a new group begins.
        #[schemars(range(min = 0, max = 1))]
        delta: f64,
    },
    /// The values of each group, by its name.
    Named(BTreeMap<String, Vec<String>>),
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    a: u64,
    d: u64,
    group_of: Vec<u32>,
    groups: usize,
}

impl Parameters for ADDiversity {
    const ID: &'static str = "a-d-diversity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, folder: &Path) -> Result<(), Complaint> {
        Complaint::unless_at_least("a", self.a as f64, 1.0)?;
        Complaint::unless_at_least("d", self.d as f64, 1.0)?;
        let complain = |error| Complaint { key: "groups", error };
        match &self.groups {
            Groups::Likelihoods { delta, .. } if !(0.0..=1.0).contains(delta) => {
                return Err(Complaint::new("groups", format!("`delta` must be between 0 and 1, not {delta}")));
            }
            Groups::Named(groups) => assert_no_value_twice(groups).map_err(complain)?,
            _ => {}
        }
        self.groups.listed(folder).map(|_| ()).map_err(complain)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        subject.refuse_generalized(Self::ID)?;
        let group_of = match &self.groups {
            Groups::Level { level } => groups_of_level(*level, subject)?,
            _ => groups_of_list(&self.groups.listed(subject.folder)?, subject)?,
        };
        let groups = group_of.iter().max().map_or(0, |&last| last as usize + 1);
        let name = subject.column().name().to_owned();
        Ok(Box::new(Model { column: subject.index, name, a: self.a, d: self.d, group_of, groups }))
    }

    fn files(&self) -> Vec<PathBuf> {
        match &self.groups {
            Groups::File { file } => vec![file.into()],
            Groups::Likelihoods { likelihoods, .. } => vec![likelihoods.into()],
            Groups::Level { .. } | Groups::Named(_) => Vec::new(),
        }
    }

    fn looser(&self) -> Vec<Self> {
        let by_a = fewer(self.a, 1).map(|a| Self { a, ..self.clone() });
        let by_d = fewer(self.d, 1).map(|d| Self { d, ..self.clone() });
        by_a.into_iter().chain(by_d).collect()
    }

    fn samples(subject: Subject<'_>) -> Vec<Self> {
        let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (code, value) in subject.column().values().iter().enumerate() {
            groups.entry(format!("group {}", code % 2)).or_default().push(value.clone());
        }
        let groups = Groups::Named(groups);
        vec![Self { a: 1, d: 2, groups: groups.clone() }, Self { a: 2, d: 1, groups }]
    }
}

impl Groups {
    /// (value, group) for each value that the policy or its file lists.
    fn listed(&self, folder: &Path) -> Result<Vec<(String, String)>> {
        match self {
            Groups::Level { .. } => Ok(Vec::new()),
            Groups::Named(groups) => {
                let pairs = |(group, values): (&String, &Vec<String>)| {
                    values.iter().map(|value| (value.clone(), group.clone())).collect::<Vec<_>>()
                };
                Ok(groups.iter().flat_map(pairs).collect())
            }
            Groups::File { file } => refuse_two_groups(read_pairs(&folder.join(file))?, &folder.join(file)),
            Groups::Likelihoods { likelihoods, delta } => {
                let path = folder.join(likelihoods);
                let number = |(place, (value, text)): (usize, (String, String))| match text.trim().parse::<f64>() {
                    Ok(number) if (0.0..=1.0).contains(&number) => Ok((value, number)),
                    _ => Err(Error::policy(format!(
                        "{}, row {}: a likelihood is a number between 0 and 1",
                        path.display(),
                        place + 1
                    ))),
                };
                let likelihoods: Result<Vec<_>> = refuse_two_groups(read_pairs(&path)?, &path)?.into_iter().enumerate().map(number).collect();
                Ok(group_by_likelihood(likelihoods?, *delta))
            }
        }
    }
}

/// Values sorted by likelihood; a new group begins where the largest and smallest of one would differ by more than
/// `delta`.
fn group_by_likelihood(mut likelihoods: Vec<(String, f64)>, delta: f64) -> Vec<(String, String)> {
    likelihoods.sort_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    let mut group = 0;
    let mut smallest = likelihoods.first().map_or(0.0, |first| first.1);
    let mut grouped = Vec::new();
    for (value, likelihood) in likelihoods {
        // Differences of decimals carry an error in their last digit; delta itself still counts as near enough.
        if likelihood - smallest > delta + 1e-12 {
            group += 1;
            smallest = likelihood;
        }
        grouped.push((value, group.to_string()));
    }
    grouped
}

fn assert_no_value_twice(groups: &BTreeMap<String, Vec<String>>) -> Result<()> {
    let mut group_of: BTreeMap<&str, &str> = BTreeMap::new();
    for (group, values) in groups {
        for value in values {
            if let Some(other) = group_of.insert(value, group) {
                // A group of one is often called like its value, which no message may show.
                let is_value = |name: &str| groups.values().flatten().any(|value| value == name);
                let which = match is_value(other) || is_value(group) {
                    true => "two groups".to_owned(),
                    false => format!("the groups `{other}` and `{group}`"),
                };
                return Err(Error::policy(format!("a value stands in {which}")).hint("give every value one group"));
            }
        }
    }
    Ok(())
}

/// A value that is listed twice must be listed alike.
fn refuse_two_groups(pairs: Vec<(String, String)>, path: &Path) -> Result<Vec<(String, String)>> {
    let mut group_of: BTreeMap<&str, &str> = BTreeMap::new();
    for (place, (value, group)) in pairs.iter().enumerate() {
        if group_of.insert(value, group).is_some_and(|other| other != group) {
            let row = place + 1;
            return Err(Error::policy(format!("{}, row {row}: a value that was listed before, otherwise", path.display()))
                .hint("give every value one row"));
        }
    }
    Ok(pairs)
}

fn read_pairs(path: &Path) -> Result<Vec<(String, String)>> {
    let bytes = crate::text_file::bytes("read", path)?;
    let delimiter = if bytes.iter().take_while(|&&byte| byte != b'\n').any(|&byte| byte == b';') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(&bytes[..]);
    let pair = |(place, record): (usize, csv::Result<csv::StringRecord>)| {
        let record = record.map_err(|_| Error::policy(format!("{}, row {}: not readable as CSV", path.display(), place + 1)))?;
        match (record.get(0), record.get(1), record.len()) {
            (Some(value), Some(group), 2) => Ok((value.to_owned(), group.to_owned())),
            _ => Err(Error::policy(format!("{}, row {}: expected a value and its group", path.display(), place + 1))),
        }
    };
    reader.records().enumerate().map(pair).collect()
}

fn groups_of_level(level: u64, subject: Subject<'_>) -> Result<Vec<u32>> {
    let column = subject.column();
    let Some(hierarchy) = column.hierarchy() else {
        return Err(Error::policy(format!("`groups = {{ level = {level} }}` needs a hierarchy for column `{}`", column.name()))
            .hint("give the column a `hierarchy`, or list the groups"));
    };
    let levels = hierarchy.levels();
    let level = levels.get(level as usize).ok_or_else(|| {
        Error::policy(format!("the hierarchy of column `{}` has no level {level}", column.name()))
            .hint(format!("its levels are 0 to {}", hierarchy.height()))
    })?;
    Ok(level.nodes_of_leaves().to_vec())
}

fn groups_of_list(listed: &[(String, String)], subject: Subject<'_>) -> Result<Vec<u32>> {
    let column = subject.column();
    let by_value: BTreeMap<&str, &str> = listed.iter().map(|(value, group)| (value.as_str(), group.as_str())).collect();
    let names: Vec<&str> = by_value.values().copied().collect::<std::collections::BTreeSet<_>>().into_iter().collect();
    let group_of = |leaf: usize| {
        let group = by_value.get(column.value(leaf as u32));
        group.map(|group| names.binary_search(group).expect("the name was collected") as u32)
    };
    let lacking = (0..column.leaves()).filter(|&leaf| column.input_counts()[leaf] > 0 && group_of(leaf).is_none()).count();
    if lacking > 0 {
        return Err(Error::policy(format!("`groups` leaves out {lacking} of the values that occur in column `{}`", column.name()))
            .hint("every value that occurs needs a group, a missing one too (under the first of `missing`)"));
    }
    Ok((0..column.leaves()).map(|leaf| group_of(leaf).unwrap_or(0)).collect())
}

impl Model {
    /// For each group that is present, how many of its values are.
    fn values_of_groups(&self, class: &EquivalenceClass<'_>) -> Vec<u64> {
        let mut values_of_group = vec![0u64; self.groups];
        for &code in class.counts(self.column).codes {
            values_of_group[self.group_of[code as usize] as usize] += 1;
        }
        values_of_group.retain(|&values| values > 0);
        values_of_group
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        format!("({}, {})-diversity of {}", self.a, self.d, self.name)
    }

    fn promise(&self, known: &str) -> String {
        let Self { a, d, name, .. } = self;
        format!(
            "Anyone who knows {known} is left with at least {d} different kinds of {name}, and with at least {a} different \
             values of each kind."
        )
    }

    fn promise_to_people(&self, known: &str) -> String {
        let Self { a, d, name, .. } = self;
        format!(
            "Anyone who knows {known} cannot say what the person has: of the people whose records look the same, some have none of any \
             {} kinds of {name}, and some of those with a kind have none of any {} values of it.",
            d.saturating_sub(1),
            a.saturating_sub(1)
        )
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::Two(Bound::at_least("a", self.a as f64), Bound::at_least("d", self.d as f64))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        let present = self.values_of_groups(class);
        let fewest = present.iter().copied().min().unwrap_or(0);
        OneOrTwo::Two(Quantity::whole(fewest), Quantity::whole(present.len() as u64))
    }

    /// Kinds are counted like values: as few as possible that everybody has one of; and of the people with a kind, as few values of it as possible.
    fn measure_people(&self, people: &PeopleOfClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        let with_values = people.with_values(self.column);
        let mut of_kind: Vec<(u32, u32)> =
            with_values.iter().map(|&(value, person)| (self.group_of[value as usize], person)).collect();
        of_kind.sort_unstable();
        of_kind.dedup();
        let kinds: Vec<(u32, u64)> =
            of_kind.chunk_by(|a, b| a.0 == b.0).map(|people| (people[0].0, people.len() as u64)).collect();
        let values_of = |kind: u32| {
            let of_value = with_values.chunk_by(|a, b| a.0 == b.0);
            of_value.filter(move |people| self.group_of[people[0].0 as usize] == kind).map(|people| people.len() as u64)
        };
        let fewest = kinds.iter().map(|&(kind, people)| fewest_that_cover(values_of(kind).collect(), people)).min();
        let fewest_kinds = fewest_that_cover(kinds.iter().map(|kind| kind.1).collect(), people.count());
        OneOrTwo::Two(Quantity::whole(fewest.unwrap_or(0)), Quantity::whole(fewest_kinds))
    }

    /// Every group that is too small is a reason of its own.
    fn lacks(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> f64 {
        let OneOrTwo::Two(of_values, of_groups) = self.bounds() else { return 0.0 };
        let present = self.values_of_groups(class);
        let values: f64 = present.iter().map(|&values| of_values.lacks(Quantity::whole(values))).sum();
        values + of_groups.lacks(Quantity::whole(present.len() as u64))
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::WithoutSuppression
    }

    fn fewest_values(&self) -> Option<(usize, u64)> {
        Some((self.column, self.a.saturating_mul(self.d)))
    }

    fn alike(&self) -> Option<AlikeValues<'_>> {
        let Self { column, a, d, .. } = *self;
        Some(AlikeValues { column, group_of: &self.group_of, a, d })
    }

    fn groups(&self) -> Option<&[u32]> {
        Some(&self.group_of)
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        Some(table.most_classes_with_distinct(self.column, self.a.saturating_mul(self.d)))
    }
}

/// How many of some things it takes at least, each of which so many people have, until everybody may have one.
fn fewest_that_cover(mut having: Vec<u64>, people: u64) -> u64 {
    having.sort_unstable_by(|a, b| b.cmp(a));
    let mut covered = 0;
    let needed = having.iter().take_while(|&&having| {
        let goes_on = covered < people;
        covered += having;
        goes_on
    });
    needed.count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likelihoods_are_cut_where_a_group_spreads_too_far() {
        let p = [("flu", 0.9), ("cold", 0.8), ("ulcer", 0.08), ("cut", 0.03), ("break", 0.0)];
        let grouped = group_by_likelihood(p.map(|(value, p)| (value.to_owned(), p)).to_vec(), 0.1);
        let groups: Vec<&str> = grouped.iter().map(|(_, group)| group.as_str()).collect();
        assert_eq!(groups, ["0", "0", "0", "1", "1"]);
    }
}

//! Are the numbers of every class spread so widely that no narrow interval holds many of them?

use std::path::Path;

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::step::{fewer, smaller_reach};
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::frequency::{Counts, EquivalenceClass, Reads, SensitiveColumn, TableProfile};
use crate::{Error, Result};

/// # (epsilon,m)-anonymity
///
/// **Definition.** In every equivalence class, at most 1/`m` of the records have a number within `epsilon` of that of
/// any one of them: between v - `epsilon` and v + `epsilon`, both included, for every value v of the class.
/// **Protects against** similarity of numbers: nobody's salary is known to a narrow interval with a confidence above
/// 1/`m`.
/// **Does not protect against** skewness against the whole table; a class may hold only large numbers, far apart.
/// **Parameters.** `column`, whose values are numbers; `epsilon`, at least 0, in the unit of the column;
/// `relative = true` makes it a fraction of v; `m`, a whole number of at least 2. A missing value is near itself only.
/// **Monotonicity.** Never: no value of a class that is added needs to be a neighbour of another of its values, but two
/// of them can be neighbours of one value in between.
/// **Example.** With `epsilon = 1`, salaries 3, 4, 5 are all within 1 of 4: not even `m = 2` holds. 6, 8, 11 reach `m = 3`.
/// **Reference.** Li, Tao and Xiao 2008; Wang and Shi, (a,d)-diversity, section 1.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EpsilonMAnonymity {
    /// How near two numbers are neighbours, in the unit of the column.
    #[schemars(range(min = 0), example = 500)]
    epsilon: f64,
    /// The neighbours of a number make up at most 1/`m` of a class.
    #[schemars(range(min = 2), example = 3)]
    m: u64,
    /// Is `epsilon` a fraction of the number itself?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(extend("default" = false))]
    relative: bool,
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    parameters: EpsilonMAnonymity,
    neighbours: Neighbours,
}

/// Which values of a column of numbers are near each other.
#[derive(Debug, Clone)]
pub struct Neighbours {
    /// The place of each leaf among all, sorted by number; what is no number stands at the end.
    rank: Vec<u32>,
    /// By rank, the first and the last rank that is near.
    near: Vec<(u32, u32)>,
}

impl Neighbours {
    /// The values within `epsilon` of each other, or within that fraction of the value. `None` if the column is no
    /// column of numbers, or the numbers are too long to be compared exactly.
    pub fn new(column: &SensitiveColumn, epsilon: Decimal, relative: bool) -> Option<Self> {
        if !column.column_type().is_number() && column.has_values() {
            return None;
        }
        let number = |leaf: u32| column.column_type().number(column.value(leaf));
        let mut sorted: Vec<(Option<Decimal>, u32)> =
            (0..column.leaves() as u32).map(|leaf| (number(leaf), leaf)).collect();
        sorted.sort_by_key(|&(number, leaf)| (number.is_none(), number, leaf));
        let mut rank = vec![0; sorted.len()];
        sorted.iter().enumerate().for_each(|(place, &(_, leaf))| rank[leaf as usize] = place as u32);
        let numbers: Vec<Decimal> = sorted.iter().map_while(|pair| pair.0).collect();
        let mut near = Vec::with_capacity(sorted.len());
        for &value in &numbers {
            let reach = if relative { value.abs().checked_mul(epsilon)? } else { epsilon };
            let (low, high) = (value.checked_sub(reach)?, value.checked_add(reach)?);
            let first = numbers.partition_point(|&other| other < low);
            let behind = numbers.partition_point(|&other| other <= high);
            near.push((first as u32, behind as u32 - 1));
        }
        near.extend((numbers.len() as u32..sorted.len() as u32).map(|place| (place, place)));
        Some(Self { rank, near })
    }

    /// The largest number of records near the value of one of them, and that value.
    pub fn most(&self, counts: Counts<'_>) -> (u64, Option<u32>) {
        let mut ranked: Vec<(u32, u32, u64)> =
            counts.iter().map(|(code, count)| (self.rank[code as usize], code, count)).collect();
        ranked.sort_unstable();
        let mut running = vec![0];
        running.extend(ranked.iter().scan(0, |sum, entry| {
            *sum += entry.2;
            Some(*sum)
        }));
        let near = |&(rank, code, _): &(u32, u32, u64)| {
            let (first, last) = self.near[rank as usize];
            let from = ranked.partition_point(|entry| entry.0 < first);
            let to = ranked.partition_point(|entry| entry.0 <= last);
            (running[to] - running[from], Some(code))
        };
        ranked.iter().map(near).max_by_key(|pair| pair.0).unwrap_or((0, None))
    }
}

/// The decimal that somebody wrote to get this number.
fn written(number: f64) -> Option<Decimal> {
    let text = number.to_string();
    Decimal::from_str_exact(&text).or_else(|_| Decimal::from_scientific(&text)).ok()
}

impl Parameters for EpsilonMAnonymity {
    const ID: &'static str = "epsilon-m-anonymity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        Complaint::unless_at_least("epsilon", self.epsilon, 0.0)?;
        Complaint::unless_at_least("m", self.m as f64, 2.0)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        subject.refuse_generalized(Self::ID)?;
        let column = subject.column();
        let name = column.name().to_owned();
        if !column.column_type().is_number() && column.has_values() {
            return Err(Error::policy(format!("`{}` needs numbers, which column `{name}` does not hold", Self::ID))
                .hint("for other values there are a-d-diversity, and t-closeness with a hierarchy"));
        }
        let neighbours = written(self.epsilon).and_then(|epsilon| Neighbours::new(column, epsilon, self.relative));
        let neighbours = neighbours.ok_or_else(|| {
            Error::policy(format!("the numbers of column `{name}` and `epsilon` are too long to be compared exactly"))
                .hint("at most 28 digits are, before and after the decimal point together")
        })?;
        Ok(Box::new(Model { column: subject.index, name, parameters: self.clone(), neighbours }))
    }

    fn warning(&self) -> Option<String> {
        (self.relative && self.epsilon >= 1.0)
            .then(|| "`relative = true` makes `epsilon` a fraction: 1 reaches from 0 to twice the value".to_owned())
    }

    fn looser(&self) -> Vec<Self> {
        let by_m = fewer(self.m, 2).map(|m| Self { m, ..self.clone() });
        let by_epsilon = smaller_reach(self.epsilon).map(|epsilon| Self { epsilon, ..self.clone() });
        by_m.into_iter().chain(by_epsilon).collect()
    }

    fn samples(subject: Subject<'_>) -> Vec<Self> {
        if !subject.column().column_type().is_number() {
            return Vec::new();
        }
        let sample = |epsilon, m, relative| Self { epsilon, m, relative };
        vec![sample(0.0, 2, false), sample(7.0, 2, false), sample(7.5, 2, false), sample(0.5, 2, true)]
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        let EpsilonMAnonymity { epsilon, m, relative } = self.parameters;
        let kind = if relative { ", relative" } else { "" };
        format!("({epsilon}, {m})-anonymity of {}{kind}", self.name)
    }

    fn promise(&self, known: &str) -> String {
        let EpsilonMAnonymity { epsilon, m, relative } = self.parameters;
        let (name, kind) = (&self.name, if relative { " of itself" } else { "" });
        format!("Anyone who knows {known} learns the record's {name} to within {epsilon}{kind} with a probability of at most 1 in {m}.")
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(Bound::at_least("m", self.parameters.m as f64))
    }

    /// How many times as large as the largest neighbourhood the class is: `m` must not exceed it.
    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        OneOrTwo::One(Quantity::ratio(class.size(), self.neighbours.most(class.counts(self.column)).0))
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::Never
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Dictionary;

    fn most(values: &[&str], epsilon: f64, relative: bool, counts: &[(&str, u64)]) -> u64 {
        let dictionary = Dictionary::new(values.iter().map(|&value| value.to_owned()), Some("?"), false);
        let column = SensitiveColumn::new("s", &dictionary, None, vec![1; dictionary.len()]);
        let neighbours = Neighbours::new(&column, written(epsilon).expect("a decimal"), relative).expect("numbers");
        let mut pairs: Vec<(u32, u64)> =
            counts.iter().map(|&(value, count)| (column.code(value).expect("a value"), count)).collect();
        pairs.sort_unstable();
        let (codes, counts): (Vec<u32>, Vec<u64>) = pairs.into_iter().unzip();
        neighbours.most(Counts { codes: &codes, counts: &counts }).0
    }

    #[test]
    fn low_salaries_are_near_each_other_and_others_are_not() {
        let all = ["3K", "4K", "5K", "6K", "8K", "11K"];
        assert_eq!(most(&all, 1.0, false, &[("3K", 1), ("4K", 1), ("5K", 1)]), 3);
        assert_eq!(most(&all, 1.0, false, &[("6K", 1), ("8K", 1), ("11K", 1)]), 1);
        assert_eq!(most(&all, 2.0, false, &[("6K", 1), ("8K", 1), ("11K", 1)]), 2, "a tie is near");
        assert_eq!(most(&all, 1.9, false, &[("6K", 1), ("8K", 1), ("11K", 1)]), 1);
    }

    #[test]
    fn where_all_values_are_missing_nothing_is_asked_of_their_kind() {
        let dictionary = Dictionary::new(std::iter::empty(), Some("?"), false);
        let column = SensitiveColumn::new("s", &dictionary, None, vec![3]);
        let subject = Subject { columns: &[column], index: 0, folder: Path::new("."), is_release: true };
        let numbers = EpsilonMAnonymity { epsilon: 1.0, m: 2, relative: false };
        assert!(numbers.resolve(subject).is_ok());
        let ordered = toml::de::ValueDeserializer::parse("{ t = 0.1, distance = 'ordered' }").expect("TOML");
        let closeness = super::super::DEFINITIONS.iter().find(|known| known.id == "t-closeness").expect("it is listed");
        assert!(closeness.parse(ordered).expect("parameters").resolve(subject).is_ok());
    }

    #[test]
    fn a_fraction_reaches_farther_from_a_larger_value() {
        let all = ["-10", "9", "10", "100", "110"];
        assert_eq!(most(&all, 0.1, true, &[("100", 2), ("110", 1)]), 3, "110 is within 10 of 100");
        assert_eq!(most(&all, 0.1, true, &[("9", 1), ("10", 1)]), 2, "9 is within 1 of 10");
        assert_eq!(most(&all, 0.1, true, &[("-10", 1), ("10", 1)]), 1);
        assert_eq!(most(&all, 0.29, true, &[("100", 1), ("?", 5)]), 5, "a missing value is near itself");
    }
}

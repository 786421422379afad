//! Is the most frequent sensitive value of a class outweighed by the rest, even after some are ruled out?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::step::{fewer, larger_factor};
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::Result;
use crate::frequency::{Counts, EquivalenceClass, PeopleOfClass, Reads, TableProfile};

/// # Recursive (c,l)-diversity
///
/// **Definition.** With the counts of a class's sensitive values in descending order r1, r2, .., rm:
/// r1 < c (rl + .. + rm). After an attacker has ruled out `l - 2` values other than the most frequent, that one
/// is still less than c times as frequent as all others together. With `l = 1` it always holds.
/// **Protects against** homogeneity, and against an attacker who can rule out up to `l - 2` values.
/// **Does not protect against** skewness against the whole table, or similarity of the values.
/// **Parameters.** `column`; `c`, a number above 0; `l`, a whole number of at least 1.
/// **Monotonicity.** Without suppression: two classes that satisfy it merge to one that does.
/// **Example.** Counts 2, 1, 1 satisfy recursive (c,3)-diversity for every c above 2, and not for c = 2: the
/// inequality is strict.
/// **People.** With `person`, a value counts once for everybody in the class who has it, and r1 must be less than c times
/// the number of people less r1, .., r(l-1): those who surely have none of these. Of four people, of whom A has flu three
/// times and asthma, B flu and diabetes, C flu, and D back pain, three have flu: recursive (c,2)-diversity for every c
/// above 3 / (4 - 3), and (c,3) for none.
/// **Reference.** Machanavajjhala et al. 2006, Definition 4.2.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecursiveClDiversity {
    /// The most frequent value occurs less than `c` times as often as all values from rank `l` on together.
    #[schemars(extend("exclusiveMinimum" = 0), example = 3)]
    c: f64,
    /// The rank from which on values count; an attacker may rule out `l - 2` values.
    #[schemars(range(min = 1), example = 3)]
    l: u64,
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    c: f64,
    l: u64,
}

impl Parameters for RecursiveClDiversity {
    const ID: &'static str = "recursive-cl-diversity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        check_c_and_l("c", self.c, self.l)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        subject.refuse_generalized(Self::ID)?;
        let name = subject.column().name().to_owned();
        Ok(Box::new(Model { column: subject.index, name, c: self.c, l: self.l }))
    }

    fn warning(&self) -> Option<String> {
        (self.l == 1).then(|| "`l = 1` always holds".to_owned())
    }

    fn looser(&self) -> Vec<Self> {
        let by_l = fewer(self.l, 2).map(|l| Self { l, ..self.clone() });
        let by_c = larger_factor(self.c).map(|c| Self { c, ..self.clone() });
        by_l.into_iter().chain(by_c).collect()
    }

    fn audited(subject: Subject<'_>) -> Vec<Self> {
        (2..=subject.column().distinct().min(5) as u64).map(|l| Self { c: 1.0, l }).collect()
    }

    fn samples(_: Subject<'_>) -> Vec<Self> {
        vec![Self { c: 2.0, l: 2 }, Self { c: 0.75, l: 2 }, Self { c: 3.0, l: 3 }]
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        format!("recursive ({}, {})-diversity of {}", self.c, self.l, self.name)
    }

    fn promise(&self, known: &str) -> String {
        bounded_guess(known, &self.name, "", self.c, self.l)
    }

    fn promise_to_people(&self, known: &str) -> String {
        bounded_guess_of_people(known, &self.name, "", self.c, self.l)
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(Bound::below("c", self.c))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        OneOrTwo::One(smallest_c(class.counts(self.column), class.size(), self.l, |_| false))
    }

    /// A value counts once for everybody who has it: its share is that of the people who do.
    fn measure_people(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        self.measure(&people.having(), table)
    }

    /// In all accepted parts as one, no value occurs as often as c times the tail, and that is no more than the tail of the class: its values
    /// from rank l on are all that can be in it. So of each value at least what it has beyond that is in failing parts.
    fn least_failing(&self, class: &EquivalenceClass<'_>, _: &TableProfile, _: f64) -> f64 {
        let counts = class.counts(self.column);
        let Some((_, tail)) = guarded_and_tail(counts, class.size(), self.l, |_| false) else { return 0.0 };
        counts.iter().map(|(_, count)| (count as f64 - self.c * tail as f64).max(0.0)).sum()
    }

    /// Of `values` equally frequent ones, which is as good as it gets, r1 is 1 and the tail `values - l + 1`.
    fn fewest_values(&self) -> Option<(usize, u64)> {
        let mut more = (1.0 / self.c).floor() as u64;
        // What the division has rounded up to a whole number may be less.
        if more > 0 && self.bounds().iter().all(|bound| bound.accepts(Quantity::ratio(1, more))) {
            more -= 1;
        }
        Some((self.column, if self.l == 1 { 1 } else { self.l.saturating_add(more) }))
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::WithoutSuppression
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        Some(table.most_classes_with_distinct(self.column, self.l))
    }
}

/// What all recursive definitions promise of the likeliest value, or of the likeliest of some.
pub(super) fn bounded_guess(known: &str, name: &str, which: &str, c: f64, l: u64) -> String {
    let after = match l.saturating_sub(2) {
        0 => String::new(),
        1 => " and can rule out one value".to_owned(),
        values => format!(" and can rule out {values} values"),
    };
    format!(
        "Anyone who knows {known}{after} still finds no {name}{which} {c} times as often as all others together, or more, among \
         the records that look the same."
    )
}

/// The same where people are counted.
pub(super) fn bounded_guess_of_people(known: &str, name: &str, which: &str, c: f64, l: u64) -> String {
    let after = match l.saturating_sub(2) {
        0 => String::new(),
        1 => ", nor the most common other value".to_owned(),
        values => format!(", nor any of the {values} most common other values"),
    };
    format!(
        "Of the people whose records look like one that somebody knows who knows {known}, those with any one {name}{which} are fewer than \
         {c} times those who do not have it{after}."
    )
}


/// `c` above 0 and `l` at least 1.
pub(super) fn check_c_and_l(key: &'static str, c: f64, l: u64) -> Result<(), Complaint> {
    Complaint::unless_at_least("l", l as f64, 1.0)?;
    if c.is_finite() && c > 0.0 {
        return Complaint::unless_exact(key, c);
    }
    Err(Complaint::new(key, format!("`{key}` must be above 0, not {c}")))
}

/// What merging classes of people promises where some values may be disclosed.
///
/// A class without another value is accepted, whatever its tail would be. Merged with another class, at most `ruled_out` of its values, each of which
/// everybody in it may have, are among the `l - 2` that are left out there: one of them takes no more people from the tail than come with it, but
/// several may take all that the other class had.
pub(super) fn promise_to_people_with(l: u64, disclosable: usize) -> Monotonicity {
    let ruled_out = l.saturating_sub(2).min(disclosable as u64);
    if ruled_out > 1 { Monotonicity::Never } else { Monotonicity::WithoutSuppression }
}

/// By how much the guarded count exceeds c times the tail: at least so many records are in failing parts, however the
/// class is divided.
///
/// The count of the class's guarded value is at most the sum of the parts' guarded counts, and the tail of the class at
/// least the sum of their tails (the l - 1 counts left out of the class's tail make up, in each part, no more than what
/// is left out there). Each accepted part's count is below c times its tail, each failing part's at most its size: so
/// count < c * tail + failing records.
pub(super) fn excess(counts: Counts<'_>, size: u64, c: f64, l: u64, may_be_disclosed: impl Fn(u32) -> bool) -> f64 {
    guarded_and_tail(counts, size, l, may_be_disclosed).map_or(0.0, |(guarded, tail)| guarded as f64 - c * tail as f64)
}

/// What c must exceed: the largest count that may not be disclosed, over what is left of the class without it
/// and without the `l - 2` largest counts of the other values.
///
/// Both cases of Definition 4.3 are this one: where the count is among the `l - 1` largest, the tail begins at
/// the l-th; where it is not, at the (l-1)-th with the count itself left out. So it does not matter which
/// of several equal counts is "the y-th".
pub(super) fn smallest_c(counts: Counts<'_>, size: u64, l: u64, may_be_disclosed: impl Fn(u32) -> bool) -> Quantity {
    let parts = guarded_and_tail(counts, size, l, may_be_disclosed);
    parts.map_or(Quantity::whole(0), |(guarded, tail)| Quantity::ratio(guarded, tail))
}

/// The largest count that may not be disclosed, and the tail; none if there is no such value, or l is 1.
fn guarded_and_tail(
    counts: Counts<'_>,
    size: u64,
    l: u64,
    may_be_disclosed: impl Fn(u32) -> bool,
) -> Option<(u64, u64)> {
    let guarded = counts.iter().filter(|&(code, _)| !may_be_disclosed(code)).max_by_key(|&(_, count)| count);
    let (guarded, largest) = guarded.filter(|_| l > 1)?;
    let others = counts.iter().filter(|&(code, _)| code != guarded).map(|(_, count)| count);
    // Where people are counted, they may have several values: then this is how many at least have none of these.
    Some((largest, size.saturating_sub(largest).saturating_sub(sum_of_largest(others, l - 2))))
}

fn sum_of_largest(counts: impl Iterator<Item = u64>, how_many: u64) -> u64 {
    if how_many <= 1 {
        return counts.max().filter(|_| how_many == 1).unwrap_or(0);
    }
    let mut counts: Vec<u64> = counts.collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts.iter().take(usize::try_from(how_many).unwrap_or(usize::MAX)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One record of each value is the best that so many values can do.
    #[test]
    fn fewest_values_are_enough_and_one_less_is_not() {
        for c in [0.3, 1.0 / 3.0, 0.333_333_333_333_333_37, 0.25, 0.5, 0.7, 1.0, 1.5, 4.0] {
            for l in 2..5 {
                let model = Model { column: 0, name: String::new(), l, c };
                let (_, fewest) = model.fewest_values().unwrap();
                let bounds = model.bounds();
                let accepts = |values: u64| bounds.iter().all(|b| b.accepts(Quantity::ratio(1, (values + 1).saturating_sub(l))));
                assert!(accepts(fewest) && !accepts(fewest - 1), "({c}, {l}): {fewest}");
            }
        }
    }
}

//! Are the sensitive values of every class spread evenly enough?

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::step::less;
use super::{Bound, Complaint, Monotonicity, OneOrTwo, Parameters, PrivacyModel, Quantity, Scope, Subject};
use crate::Result;
use crate::frequency::{Counts, EquivalenceClass, Reads, TableProfile};

/// # Entropy l-diversity
///
/// **Definition.** The entropy of the sensitive values in every equivalence class is at least log(`l`): the
/// class is as uncertain as one with `l` equally frequent values.
/// **Protects against** homogeneity, and against ruling out few values: no value can be very frequent.
/// **Does not protect against** skewness against the whole table, or similarity of the values.
/// **Parameters.** `column`; `l`, a number of at least 1. It cannot exceed what the whole table has: a table in
/// which nine of ten patients share a value allows only a small `l`.
/// **Monotonicity.** Without suppression: entropy is concave, so two classes that reach log(`l`) merge to one
/// that does; merging with a class that does not reach it can fail.
/// **Example.** Counts 2, 1, 1 have the entropy 1.5 log 2: the class is entropy 2.83-diverse.
/// **People.** With `person`, everybody counts once, under as few values as possible: as many as have the most frequent
/// value under that, and so on until all are counted. However else each is counted under one of their values, the entropy
/// is not smaller. Four people, of whom A has flu three times and asthma, B flu and diabetes, C flu, and D back pain, count as
/// 3 and 1: l = 4 / 3^(3/4) = 1.755.
/// **Reference.** Machanavajjhala et al. 2006, Definition 4.1 and Theorem 5.2.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntropyLDiversity {
    /// How many equally frequent values would leave as much doubt as a class has to.
    #[schemars(range(min = 1), example = 2.5)]
    l: f64,
}

#[derive(Debug)]
struct Model {
    column: usize,
    name: String,
    l: f64,
}

impl Parameters for EntropyLDiversity {
    const ID: &'static str = "entropy-l-diversity";
    const SCOPE: Scope = Scope::Diversity;

    fn check(&self, _: &Path) -> Result<(), Complaint> {
        Complaint::unless_at_least("l", self.l, 1.0)
    }

    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        subject.refuse_generalized(Self::ID)?;
        Ok(Box::new(Model { column: subject.index, name: subject.column().name().to_owned(), l: self.l }))
    }

    fn warning(&self) -> Option<String> {
        (self.l == 1.0).then(|| "`l = 1` accepts even classes in which everybody has the same value".to_owned())
    }

    /// Below 1.5 hardly anything is asked.
    fn looser(&self) -> Vec<Self> {
        less(self.l, 1.5).map(|l| Self { l }).into_iter().collect()
    }

    fn audited(_: Subject<'_>) -> Vec<Self> {
        vec![Self { l: 2.0 }]
    }

    fn samples(_: Subject<'_>) -> Vec<Self> {
        vec![Self { l: 1.5 }, Self { l: 2.0 }, Self { l: 3.0 }]
    }
}

impl PrivacyModel for Model {
    fn name(&self) -> String {
        format!("entropy {}-diversity of {}", self.l, self.name)
    }

    fn promise(&self, known: &str) -> String {
        let Self { l, name, .. } = self;
        format!("Anyone who knows {known} is as unsure of the record's {name} as if {l} values were equally likely, or more.")
    }

    fn promise_to_people(&self, known: &str) -> String {
        let Self { l, name, .. } = self;
        format!(
            "Anyone who knows {known} is as unsure which {name} the person has as if {l} values were equally likely, or more, even \
             where everybody with several is counted under the most common of theirs."
        )
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        OneOrTwo::One(Bound::at_least("l", self.l))
    }

    fn measure(&self, class: &EquivalenceClass<'_>, _: &TableProfile) -> OneOrTwo<Quantity> {
        OneOrTwo::One(Quantity::ExpOf(entropy(class.counts(self.column), class.size())))
    }

    /// Entropy is concave: that of all accepted parts as one is at least the weighted mean of theirs, so that it reaches log l, too.
    fn least_failing(&self, class: &EquivalenceClass<'_>, _: &TableProfile, _: f64) -> f64 {
        class.size() as f64 - largest_even_part(class.counts(self.column), self.l.ln() - MARGIN)
    }

    fn fewest_values(&self) -> Option<(usize, u64)> {
        Some((self.column, whole_values_for(self.l)))
    }

    fn reads(&self, _: usize) -> Vec<Reads> {
        vec![Reads::Counts { column: self.column }]
    }

    fn monotonicity(&self) -> Monotonicity {
        Monotonicity::WithoutSuppression
    }

    /// Who has several values in one class may be counted under another in the merged one, so that it can be less even than both: three
    /// values of which four of six people have each are 4 and 2 of them, those of 16, 2 and 2 of twenty as they are, both more even than l = 1.88;
    /// of all as one they are 20 and 6, l = 1.72.
    fn monotonicity_of_people(&self) -> Monotonicity {
        Monotonicity::Never
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        Some(table.most_classes_with_distinct(self.column, whole_values_for(self.l)))
    }
}

/// The entropy of the counts, in natural units: log n minus the mean of log count.
fn entropy(counts: Counts<'_>, size: u64) -> f64 {
    if counts.distinct() == 1 {
        return 0.0;
    }
    let size = size as f64;
    let sum: f64 = counts.counts.iter().map(|&count| count as f64 * (count as f64).ln()).sum();
    (size.ln() - sum / size).max(0.0)
}

/// More than sums of logarithms are off by, and than the tolerance of bounds: a part that is accepted has an entropy above the required one less this.
const MARGIN: f64 = 1e-9;

/// No part of these counts has more records and an entropy of at least `required`.
///
/// Of all parts of one size, that is the most even one in which each value has its count, or a limit where it has more: its largest counts add
/// up to the least, however many of them are taken. And the lower the limit, the more even is the part. So the limit is looked for
/// below which it is even enough, and a part that is not quite is the answer.
fn largest_even_part(counts: Counts<'_>, required: f64) -> f64 {
    let mut counts: Vec<f64> = counts.counts.iter().map(|&count| count as f64).collect();
    counts.sort_unstable_by(f64::total_cmp);
    // Of the smallest of them, the sum and that of n log n.
    let sums = counts.iter().scan((0.0, 0.0), |sums, count| Some(std::mem::replace(sums, (sums.0 + count, sums.1 + count * count.ln()))));
    let sums: Vec<(f64, f64)> = sums.collect();
    let is_even = |limit: f64, smaller: usize, (size, logs): (f64, f64)| {
        let others = (counts.len() - smaller) as f64;
        let all = size + others * limit;
        all.ln() - (logs + others * limit * limit.ln()) / all >= required
    };
    let Some(last) = (0..counts.len()).rfind(|&place| is_even(counts[place], place, sums[place])) else { return 0.0 };
    let smaller = last + 1;
    let size = sums[last].0 + counts[last];
    let Some(&next) = counts.get(smaller) else { return size };
    let others = (counts.len() - smaller) as f64;
    let (mut low, mut high) = (counts[last], next);
    while others * (high - low) > 0.5 {
        let middle = low.midpoint(high);
        let is_even = is_even(middle, smaller, sums[smaller]);
        if is_even { low = middle } else { high = middle }
    }
    size + others * high
}

/// At least this many distinct values are needed for an entropy of log(l).
fn whole_values_for(l: f64) -> u64 {
    (l * (1.0 - 1e-9)).ceil() as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn largest(counts: &[u64], l: f64) -> f64 {
        let codes: Vec<u32> = (0..counts.len() as u32).collect();
        largest_even_part(Counts { codes: &codes, counts }, l.ln() - MARGIN)
    }

    #[test]
    fn a_part_as_even_as_is_asked_has_little_of_what_is_frequent() {
        // Three values are as even as that only where each is as frequent as the others; a class of two never.
        assert!((3.0..4.0).contains(&largest(&[8, 1, 1], 3.0)));
        assert_eq!((largest(&[5, 5, 5], 3.0), largest(&[9, 8], 3.0), largest(&[7, 1], 1.0)), (15.0, 0.0, 8.0));
        // Of 2, 1 and 1 the entropy is 1.5 log 2; of 3, 1 and 1 it is less.
        assert!((4.0..5.0).contains(&largest(&[9, 1, 1], 2.0f64.powf(1.5))));
    }

    proptest! {
        #[test]
        fn no_larger_part_is_as_even(counts in prop::collection::vec(1..6u64, 1..5), l in 1.0..4.0f64) {
            let found = largest(&counts, l);
            let parts: u64 = counts.iter().map(|count| count + 1).product();
            for part in 1..parts {
                let mut rest = part;
                let part = counts.iter().map(|count| { let held = rest % (count + 1); rest /= count + 1; held });
                let part: Vec<u64> = part.filter(|held| *held > 0).collect();
                let (size, codes): (u64, Vec<u32>) = (part.iter().sum(), (0..part.len() as u32).collect());
                let is_even = entropy(Counts { codes: &codes, counts: &part }, size) >= l.ln();
                prop_assert!(!is_even || size as f64 <= found + 1e-6, "{:?} of {:?}, {}", part, counts, found);
            }
        }
    }
}

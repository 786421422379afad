//! What may stand in a report or a certificate that is published beside the release?
//!
//! # The rule
//!
//! A report is made by somebody who has the original, and read by somebody who has the release. It must tell the reader no
//! more about anybody than the release does. So everything in it is one of these, and the types of this module are the only
//! way in:
//!
//! 1. **Words of Shoal and of the policy.** Fixed sentences, names of columns, models and methods, numbers that a policy sets. Of
//!    a policy, no lists of values: a hierarchy or a list may name values that the release hides. (`Safe::words`, `Safe::of_*`)
//! 2. **What the release shows.** Any number that can be counted from it, and texts only if they stand in its cells, which is
//!    looked up ([`Shown`]): a value that was generalized or suppressed away has no way in.
//! 3. **Counts of the original** that are none, or at least the threshold ([`Rule::count`]): 10, or the `k` of the policy where that is more. What lies
//!    between is said to be fewer than the threshold. Where people are counted, so are rows that were left out of fewer people than that,
//!    however many rows it are ([`Rule::leaving_out`]).
//! 4. **Distributions of the original** by what the release shows ([`Rule::share_before`]). The release says of each group how many originals
//!    it can have had: at least the records that are surely in it, at most those that can be, and everybody who was left out. The
//!    range between is cut into pieces of at least the threshold, and the report tells the piece, never the count, nor a number that looks
//!    like one. So a difference between before and after never tells a small number of suppressed people; where the range is short, or
//!    nothing was suppressed, it tells nothing that the release does not, and if that is much, not even this. Groups are made of what the release shows; originals whose values it does not show
//!    are in none of them. The pieces are the same seen from below and from above, since the count of the one group of two is that of the other.
//!    Where people are counted, only what the release itself leaves open is told: all rows of a piece may be one person's.
//! 5. **Figures of the whole original** (associations, distances, accuracy) if it has at least ten times the threshold of rows, rounded to
//!    three digits, and shares no finer than the threshold allows ([`Rule::figure`], [`Rule::share`]).
//!    Where it is not told how many rows were left out, nothing is told from which that number follows, alone or together with the
//!    release ([`Rule::leaving_out`]): no loss, no distance, no figure that models reach against the original; of shares the bounds for as many
//!    as can have been left out; other figures with a digit less, counts of originals to the nearest multiple of the threshold; and the
//!    policy's limit only if it leaves all of these numbers possible.
//! 6. **Which combinations of levels satisfy the policy**, without counts: yes or no about the whole table. Where the minimality attack
//!    finds that even that tells something about somebody, it is left out.
//!
//! No hash of the original stands in it, unlike those of the policy and the release: whoever knows all of a table but one value
//! could try which value gives the hash.
//!
//! What it does not do: several figures together may tell more than each by itself. A published report is one more release of the same people;
//! publish one, not ten with different policies.

mod rule;
mod shown;

pub use rule::{GroupShown, Rule, Share, ShareWithin};
pub use shown::Shown;

use crate::{grouped, number, plural};
use shoal::attack::Finding;
use shoal::meaning::repeats::Repeats;
use shoal_core::model::Requirement;
use shoal_core::words::combinations;

/// Fewer rows for each value are hardly more than one.
const TOLD_MEAN: f64 = 1.1;

/// A text that may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Safe(String);

impl Safe {
    /// Words that were written when Shoal was.
    pub fn words(words: &'static str) -> Self {
        Self(words.to_owned())
    }

    /// Such words with safe texts in the places of `{}`.
    pub fn filled(words: &'static str, texts: &[&Safe]) -> Self {
        let mut texts = texts.iter();
        let mut parts = words.split("{}");
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            filled += texts.next().map_or("", |text| text.0.as_str());
            filled += part;
        }
        debug_assert!(texts.next().is_none(), "every text has its place: {words}");
        Self(filled)
    }

    /// The same with commas between, and an `and` before the last.
    pub fn listed(texts: &[Safe]) -> Self {
        Self(match texts {
            [] => String::new(),
            [one] => one.0.clone(),
            [first @ .., last] => {
                let first: Vec<&str> = first.iter().map(|text| text.0.as_str()).collect();
                format!("{} and {}", first.join(", "), last.0)
            }
        })
    }

    /// The same with something between.
    pub fn joined(texts: &[Safe], between: &'static str) -> Self {
        Self(texts.iter().map(|text| text.0.as_str()).collect::<Vec<_>>().join(between))
    }

    /// A count that the release shows, with its noun.
    pub fn of_release(count: u64, noun: &'static str) -> Self {
        Self(plural(count, noun))
    }

    /// A number that can be worked out from the release and the policy alone.
    pub fn number_of_release(value: f64) -> Self {
        Self(number(value))
    }

    /// A share that can be worked out from the release alone.
    pub fn share_of_release(share: f64) -> Self {
        Self(percent(share))
    }

    /// A whole number that can be worked out from the release and the policy alone.
    pub fn whole_of_release(value: u64) -> Self {
        Self(grouped(i64::try_from(value).unwrap_or(i64::MAX)))
    }

    /// How many combinations of levels the policy's hierarchies have.
    pub fn of_combinations(nodes: u128) -> Self {
        Self(combinations(nodes))
    }

    /// The name of a column, or what the policy or Shoal calls a thing.
    pub fn of_policy(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// What a requirement is called.
    pub fn of_requirement(requirement: &Requirement) -> Self {
        Self(requirement.model.name())
    }

    /// What it promises against those who know some columns.
    pub fn of_promise(requirement: &Requirement, known: &Safe) -> Self {
        Self(requirement.model.promise(&known.0))
    }

    /// That rows may not be people; of the original no more than how many rows have the same value on average.
    pub fn of_repeats(repeats: &Repeats, rule: Rule) -> Self {
        let (mean, rows) = repeats.mean();
        let told =
            if mean >= TOLD_MEAN && rule.tells_figures(rows) { rule.figure(mean, rows).0 } else { String::new() };
        let on_average = if told.is_empty() { told } else { format!(" (about {told} rows each on average)") };
        Self(format!("{}{on_average}; {}", repeats.evidence(), repeats.consequence()))
    }

    /// What is learned by an attack, in its own words.
    pub fn of_learned(finding: &Finding) -> Self {
        Self(finding.learned.clone())
    }

    /// What prevents it, in its own words.
    pub fn of_prevention(finding: &Finding) -> Self {
        Self(finding.prevented_by.clone())
    }

    /// A hash of what is published.
    pub fn of_hash(hash: &super::Hash) -> Self {
        Self(hash.to_string())
    }

    /// How long something took.
    pub fn of_seconds(seconds: f64) -> Self {
        Self(if seconds < 10.0 { format!("{seconds:.2} s") } else { format!("{seconds:.0} s") })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A share in percent, with as many digits as it takes to see it.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        _ if !percent.is_finite() => "–".to_owned(),
        0.0 => "0%".to_owned(),
        _ if percent < 0.05 => "<0.1%".to_owned(),
        _ if (9.95..99.95).contains(&percent) => format!("{percent:.0}%"),
        _ if percent >= 99.95 => "100%".to_owned(),
        _ => format!("{percent:.1}%"),
    }
}

/// A sentence with safe texts in it: `say!("{} of {}", a, b)`.
macro_rules! say {
    ($words:literal $(, $text:expr)* $(,)?) => { $crate::safe::Safe::filled($words, &[$(&$text),*]) };
}
pub(crate) use say;

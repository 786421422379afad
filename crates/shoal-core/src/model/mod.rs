//! What must an attacker not be able to learn?
//!
//! Each definition is one file, and one line in the list below; the policy, `shoal explain`, audits, reports and
//! the laws in the tests follow from the list.

mod among;
mod bound;
mod definition;
mod largest_part;
mod of_people;
mod requirement;
mod step;

pub use among::Among;
pub use bound::{Bound, OneOrTwo, Quantity, Side, TOLERANCE};
pub use definition::{AnyParameters, Complaint, Definition, NOT_SHOWN, Parameters, Scope, Subject};
pub use of_people::OfPeople;
pub use requirement::{Requirement, accepts_all, drop_until_stable, releasable, worst};

pub use epsilon_m_anonymity::Neighbours;

use crate::frequency::{EquivalenceClass, PeopleOfClass, Reads, TableProfile};
use crate::listed::Listed;

definition::models! {
    k_anonymity::KAnonymity,
    distinct_l_diversity::DistinctLDiversity,
    entropy_l_diversity::EntropyLDiversity,
    recursive_cl_diversity::RecursiveClDiversity,
    pd_recursive_cl_diversity::PdRecursiveClDiversity,
    npd_recursive_cl_diversity::NpdRecursiveClDiversity,
    simple_l_diversity::SimpleLDiversity,
    p_sensitive_k_anonymity::PSensitiveKAnonymity,
    alpha_k_anonymity::AlphaKAnonymity,
    tau_l_diversity::TauLDiversity,
    a_d_diversity::ADDiversity,
    t_closeness::TCloseness,
    epsilon_m_anonymity::EpsilonMAnonymity,
    bayes_optimal_privacy::BayesOptimalPrivacy,
}

/// A privacy definition: one or two quantities measured on each equivalence class, and a bound on each.
pub trait PrivacyModel: std::fmt::Debug + Send + Sync {
    /// As reports print it: `5-anonymity`.
    fn name(&self) -> String;
    /// What it promises, in a sentence for those who have never heard of it. `known` is what an attacker knows: `the
    /// age and zip code of a record`. It speaks of records, since those are counted; whether each is one person's is said beside it.
    fn promise(&self, known: &str) -> String;
    /// The same where people are counted: `known` is then something like `the age and zip code in a record of a person`.
    fn promise_to_people(&self, known: &str) -> String;
    /// What is required of the quantities.
    fn bounds(&self) -> OneOrTwo<Bound>;
    /// The quantities, in the order of the bounds.
    fn measure(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity>;
    /// What merging classes does to a verdict.
    fn monotonicity(&self) -> Monotonicity;

    /// What it reads of a class beside its size, of a table with so many sensitive columns: all that a search keeps for it. Unless
    /// a definition says that less will do, that is everything.
    fn reads(&self, _sensitive_columns: usize) -> Vec<Reads> {
        vec![Reads::Tuples]
    }

    /// The quantities where people are counted instead of records. Unless a definition says otherwise, everybody counts once, under as few
    /// values as possible ([`PeopleOfClass::packed`]).
    fn measure_people(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        self.measure(&people.packed(), table)
    }

    /// What merging classes does to a verdict where people are counted and nobody is in two classes. Whoever has several values may bring
    /// what others lack, so that even counting values promises nothing about merging with any class.
    ///
    /// With accepted ones it does: of people of whom none is in both classes, as many have a value in both as one as have it in either, and
    /// shares of people are weighted means of those in the parts, as shares of records are; so whatever is promised for these is promised for
    /// values that count once for everybody who has them, and for equal parts. But several values together may count for more people than there are:
    /// a definition that accepts some classes without a look at that says less. Of people under as few values as possible, the j most frequent values have min(n, h1 + .. + hj) of n, where h are the people who have each: a bound b < 1 on their share holds only if that sum is at most b n,
    /// and sums of the largest of both classes are no more than those of each added up.
    fn monotonicity_of_people(&self) -> Monotonicity {
        self.monotonicity().min(Monotonicity::WithoutSuppression)
    }

    /// What it reads of a class where people are counted: who has which values of the columns that it reads, or how many people there are.
    fn reads_of_people(&self, sensitive_columns: usize) -> Vec<Reads> {
        let of_people = |read: Reads| match read {
            Reads::Distinct { column, .. } | Reads::Counts { column } => Reads::People { column },
            read => read,
        };
        self.reads(sensitive_columns).into_iter().map(of_people).collect()
    }

    /// Does it count people rather than records?
    fn counts_people(&self) -> bool {
        false
    }

    /// The verdict, where it takes no more than a look at the class's size or number of values.
    fn at_a_glance(&self, _class: &EquivalenceClass<'_>) -> Option<bool> {
        None
    }

    /// However a class that fails is divided, at least this many of its records are in parts that fail, with up to
    /// the fraction `suppressed` of all records left out of the release.
    ///
    /// What the promise of monotonicity says by itself; a definition that can tell more, does. It need not be whole.
    fn least_failing(&self, class: &EquivalenceClass<'_>, _table: &TableProfile, suppressed: f64) -> f64 {
        match self.monotonicity() {
            Monotonicity::Always => class.size() as f64,
            Monotonicity::WithoutSuppression if suppressed == 0.0 || !self.depends_on_release() => 1.0,
            Monotonicity::WithoutSuppression | Monotonicity::Never => 0.0,
        }
    }

    /// Does the verdict on a class depend on which other records are released?
    fn depends_on_release(&self) -> bool {
        false
    }

    /// Does the verdict on a class depend on the input, so that a release alone cannot tell?
    fn depends_on_input(&self) -> bool {
        false
    }

    /// A sensitive column, and how many distinct values of it every accepted class has at least, where that is known.
    fn fewest_values(&self) -> Option<(usize, u64)> {
        None
    }

    /// A sensitive column, and the largest share of an accepted class that any single value of it has, where the definition bounds
    /// that by itself.
    fn largest_share(&self) -> Option<(usize, f64)> {
        None
    }

    /// Does it promise that nobody can be told from others by the quasi-identifiers? A release that shows those as they
    /// are cannot keep such a promise.
    fn hides_identity(&self) -> bool {
        false
    }

    /// Does it ask for nothing but the size of a class?
    fn is_about_size(&self) -> bool {
        false
    }

    /// Does it say what a generalized sensitive value counts for, so that a method may generalize some for its sake?
    fn counts_generalized(&self) -> bool {
        false
    }

    /// Does it compare the distribution of its column in a class with another one?
    fn compares_distributions(&self) -> bool {
        false
    }

    /// The sensitive column that it is about, where it takes the values of all others for known.
    fn among_others(&self) -> Option<usize> {
        None
    }

    /// Which sensitive values are alike, where it asks for several that are and for several that are not.
    fn alike(&self) -> Option<AlikeValues<'_>> {
        None
    }

    /// The group of each value of its column, by code, where it judges values in groups.
    fn groups(&self) -> Option<&[u32]> {
        None
    }

    /// Does it ask where values stand in the hierarchy of its column?
    fn uses_hierarchy(&self) -> bool {
        false
    }

    /// How far a class is from being good enough; 0 if it is. Where several parts of a class can each be the reason, it is less as soon as
    /// one of them is none any more.
    fn lacks(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> f64 {
        let lacks = self.bounds().zip_with(self.measure(class, table), |bound, quantity| bound.lacks(quantity));
        lacks.iter().sum()
    }

    /// What must be known beside the parameters to judge the release again, for the JSON summary.
    fn record(&self) -> Option<(&'static str, serde_json::Value)> {
        None
    }

    /// No release of this table can have more classes than this, if that is known.
    fn most_classes(&self, _table: &TableProfile) -> Option<u64> {
        None
    }

    /// Is the class good enough?
    fn accepts(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> bool {
        let verdicts = self.bounds().zip_with(self.measure(class, table), |bound, quantity| bound.accepts(quantity));
        verdicts.iter().all(|accepted| accepted)
    }
}

/// Sensitive values in groups of those that are alike, and what a class needs of them.
#[derive(Debug, Clone, Copy)]
pub struct AlikeValues<'a> {
    /// The place of the sensitive column.
    pub column: usize,
    /// The group of each value of that column, by code.
    pub group_of: &'a [u32],
    /// How many different values a class needs of each group that it shows.
    pub a: u64,
    /// How many groups it needs.
    pub d: u64,
}

/// What is promised about merging classes; a search may prune only by what is promised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Monotonicity {
    /// Nothing.
    Never,
    /// Two accepted classes merge to an accepted one, as long as no record is suppressed.
    WithoutSuppression,
    /// An accepted class merges with any class to an accepted one.
    Always,
}

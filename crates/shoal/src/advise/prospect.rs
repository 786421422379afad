//! What is there to know of a release that somebody might prefer?

use shoal_core::lattice::Node;

use crate::study::Candidate;

/// What a release loses, and what it promises.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(4)?, &Unwatched)?;
/// use shoal::{AdviseOptions, Prospect};
///
/// let now: Prospect = study.advise(&AdviseOptions::default(), &Unwatched)?.now?;
/// assert_eq!((now.released_rows, &now.promises[0][..]), (12, "4-anonymity"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Prospect {
    /// What it loses by the policy's objective.
    pub objective_value: f64,
    /// How many rows it leaves out.
    pub suppressed_rows: u64,
    /// How many rows it has.
    pub released_rows: u64,
    /// How many classes it has.
    pub classes: u64,
    /// Its levels, where each column has one for all rows.
    pub levels: Option<Node>,
    /// What it promises: the name of each requirement.
    pub promises: Vec<String>,
    /// Does it show some sensitive values more generally than they are? The objective does not count that.
    pub generalizes_sensitive: bool,
}

impl Prospect {
    /// Are these figures of the same release, as far as they tell?
    pub fn are_those_of(&self, other: &Self) -> bool {
        let of = |one: &Self| (one.objective_value.to_bits(), one.suppressed_rows, one.classes, one.levels.clone());
        of(self) == of(other)
    }

    pub(super) fn of(candidate: &Candidate) -> Self {
        Self {
            objective_value: candidate.objective_value(),
            suppressed_rows: candidate.suppressed_rows(),
            released_rows: candidate.released_rows(),
            classes: candidate.partition().classes.len() as u64,
            levels: candidate.levels().cloned(),
            promises: candidate.requirements().iter().map(|required| required.model.name()).collect(),
            generalizes_sensitive: candidate.partition().sensitive.is_some(),
        }
    }
}

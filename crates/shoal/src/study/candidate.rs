//! What would a release be like that nobody has written yet?

use std::fmt;
use std::sync::Arc;

use shoal_core::frequency::{CountedTable, TableProfile};
use shoal_core::lattice::Node;
use shoal_core::method::full_domain::satisfying_nodes;
use shoal_core::method::{EligibleRange, Partition, Task};
use shoal_core::model::Requirement;
use shoal_core::recode::Pseudonyms;
use shoal_core::table::MissingMarkers;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

use super::Study;
use super::shown::Shown;
use crate::audit::{Audit, NewRelease, Outline};
use crate::outsider::{Measured, OutsiderGroups, OutsiderTable};
use crate::policy::Policy;
use crate::verify::{whole_people, worsen_for_all_rows};

/// A release that could be written. It is unverified: what is said of it is counted from the partition, and a release comes into
/// being by [`Study::write`] alone.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(2)?, &Unwatched)?;
/// let candidate = study.best(&Unwatched)?;
/// assert_eq!(candidate.released_rows() + candidate.suppressed_rows(), 12);
/// // What its release would say, and what attackers could do to it.
/// assert!(candidate.measure()?.smallest >= 2);
/// assert!(candidate.audit(&Unwatched)?.holds());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Candidate {
    pub(super) study: Study,
    pub(super) partition: Arc<Partition>,
    pub(super) requirements: Arc<[Requirement]>,
    pub(super) eligible: EligibleRange,
    /// Did whoever asked choose its levels? A method keeps to the policy's limits by itself, and a recipe to its own.
    pub(super) is_chosen: bool,
    /// What stands in place of identifiers, once a release was made of it: a copy of that release has the same names.
    pub(super) names: Option<Arc<[(String, Pseudonyms)]>>,
    /// How long it took to find.
    pub(super) seconds: f64,
}

impl fmt::Debug for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let classes = self.partition.classes.len();
        f.debug_struct("Candidate").field("classes", &classes).field("levels", &self.levels()).finish_non_exhaustive()
    }
}

impl Candidate {
    /// The study that it was found by.
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// The policy that it follows.
    pub fn policy(&self) -> &Policy {
        self.study.policy()
    }

    /// The table that it is made of.
    pub fn table(&self) -> &CountedTable {
        self.study.table()
    }

    /// Who is in which class.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// What it has to satisfy, of the values that it shows.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// What the whole table would have allowed.
    pub fn eligible(&self) -> &EligibleRange {
        &self.eligible
    }

    /// Its levels, where each column has one for all rows.
    pub fn levels(&self) -> Option<&Node> {
        self.partition.node.as_ref()
    }

    /// Which combinations of levels would have done as well; none where it has none, or where there is too much to look at.
    pub fn alternatives(&self, watch: &dyn Watch) -> Option<Vec<Node>> {
        self.levels()?;
        satisfying_nodes(&Task { requirements: &self.requirements, ..self.study.task() }, watch)
    }

    /// What it loses by the policy's objective.
    pub fn objective_value(&self) -> f64 {
        self.partition.lost(self.policy().method.objective)
    }

    /// What it loses by every objective.
    pub fn objectives(&self) -> &[(&'static str, f64)] {
        &self.partition.objectives
    }

    /// How many rows it leaves out.
    pub fn suppressed_rows(&self) -> u64 {
        self.partition.suppressed()
    }

    /// How many rows it has.
    pub fn released_rows(&self) -> u64 {
        self.partition.released()
    }

    /// How many rows stand in it, kept ones without a value included.
    pub(super) fn written_rows(&self) -> u64 {
        let kept = if self.policy().output.keeps_suppressed() { self.suppressed_rows() } else { 0 };
        self.released_rows() + kept
    }

    /// What somebody would see who has only the release.
    pub fn as_outsider(&self) -> Result<OutsiderTable> {
        let (policy, table, partition) = (self.policy(), self.table(), &*self.partition);
        let markers = MissingMarkers::new(policy.input.missing.clone()).written();
        let columns = policy.layout(&self.study.counted.counted.layout.names).released_names();
        let quasi = if partition.is_separated { 1 } else { table.quasi.len() };
        let shown = Shown::new(table, partition);
        let groups = OutsiderGroups::new(columns, (quasi, table.sensitive.len()), markers, None);
        let mut groups = if shown.tells_people() { groups.of_people() } else { groups };
        if policy.output.keeps_suppressed() {
            groups.add_exempt(partition.suppressed());
        }
        for (class, tuple, count) in partition.sensitive_rows() {
            let texts = shown.texts(class, tuple);
            let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
            groups.add_of(&texts, shown.person(tuple).as_deref(), count)?;
        }
        groups.finish()
    }

    /// What some of its rows would show of the quasi-identifiers, of classes far from each other; `None` is a missing value.
    pub fn some_rows(&self, most: usize) -> Vec<Vec<Option<String>>> {
        let partition = &*self.partition;
        let shown = Shown::new(self.table(), partition);
        let rows = partition.sensitive_rows();
        let step = rows.len().div_ceil(most.max(1)).max(1);
        let quasi = if partition.is_separated { 1 } else { self.table().quasi.len() };
        let texts = |&(class, tuple, _): &(u32, u32, u64)| {
            let cells = shown.texts(class, tuple).into_iter().take(quasi);
            cells.map(|cell| cell.map(std::borrow::Cow::into_owned)).collect()
        };
        rows.iter().step_by(step).map(texts).collect()
    }

    /// What its requirements reach.
    pub fn measure(&self) -> Result<Measured> {
        let columns = self.partition.sensitive_columns(self.table());
        let input = TableProfile::of_input(columns, self.table().rows);
        let seen = self.as_outsider()?;
        let mut measured = seen.measure(columns, &self.requirements, Some(&input))?;
        let people = whole_people(&seen, self.policy(), columns, &input)?;
        worsen_for_all_rows(&mut measured, people.as_ref(), self.policy(), &self.requirements);
        Ok(measured)
    }

    /// What attackers could do to it, what its records risk, and what it is good for.
    pub fn audit(&self, watch: &dyn Watch) -> Result<Audit> {
        let release = self.as_outsider()?;
        let audit = self.as_new(&release, watch).audit()?;
        Ok(audit.with_repeats(self.study.repeats().iter().cloned()))
    }

    /// The figures alone that releases are compared by.
    pub fn outline(&self, watch: &dyn Watch) -> Result<Outline> {
        self.as_new(&self.as_outsider()?, watch).outline()
    }

    fn as_new<'a>(&'a self, release: &'a OutsiderTable, watch: &'a dyn Watch) -> NewRelease<'a> {
        let (policy, original, partition) = (self.policy(), self.table(), &*self.partition);
        NewRelease { policy, original, partition, release, samples: &[], watch }
    }

    /// Why it cannot be a release, if it cannot: too many rows would be left out.
    pub fn shortcoming(&self) -> Option<Error> {
        if !self.is_chosen {
            return None;
        }
        let (left_out, allowed) = (self.suppressed_rows(), self.study.task().rows_to_spare());
        let names = || self.requirements.iter().map(|one| one.model.name()).collect::<Vec<_>>().join(" and ");
        if self.released_rows() == 0 {
            return Some(Error::not_met(format!("no class of these levels satisfies {}", names())));
        }
        (left_out > allowed).then(|| {
            Error::not_met(format!("these levels satisfy {} only without {left_out} rows", names()))
                .detail(format!("the policy allows {allowed} of {} to be left out", self.table().rows))
                .hint("raise `max-suppressed`, or take other levels")
        })
    }
}

//! What would each of several ways to a release keep of a table?
//!
//! The table is counted once, and every way is tried on what was counted, also where an age turns out to need a weight; on a part of it,
//! where there is too much to try them all within seconds.

use std::path::Path;
use std::time::{Duration, Instant};

use super::choices::Choices;
use super::findings::TableFindings;
use super::method_choice::MethodChoice;
use super::starter::starter_policy;
use super::ways::{Attempt, worth_trying};
use crate::meaning::topic;
use crate::policy::{Policy, Role};
use crate::source::{LocalSource, Table};
use crate::study::{Candidate, Study};
use shoal_core::error::Kind;
use shoal_core::watch::{Go, Watch};
use shoal_core::{Error, Result};

/// What was tried.
#[derive(Debug, Clone)]
pub struct Trials {
    /// Each way, in the order in which they were tried.
    pub tried: Vec<Tried>,
    /// The place of the one that keeps most.
    pub proposed: Option<usize>,
    /// The rows of the table.
    pub rows: u64,
    /// The rows that they were tried on.
    pub looked_at: u64,
    /// The columns that counted more than others, and how much.
    pub weights: Vec<(String, f64)>,
    /// What was found before that, where all columns counted alike.
    pub all_alike: Option<Faded>,
}

/// What would be proposed if an age counted no more than other columns.
#[derive(Debug, Clone)]
pub struct Faded {
    /// The ages of which hardly anything would be left.
    pub columns: Vec<String>,
    /// The way that would be proposed.
    pub choice: MethodChoice,
    /// What it would lose.
    pub loss: f64,
}

/// What came of one way.
#[derive(Debug, Clone)]
pub struct Tried {
    /// What a policy would say.
    pub choice: MethodChoice,
    /// Was a last step left out that takes long and never loses more?
    pub before_last_step: bool,
    /// What it keeps, or why there is no release.
    pub outcome: Result<Kept, String>,
}

/// What a release would keep.
#[derive(Debug, Clone)]
pub struct Kept {
    /// What it loses, where every column counts alike: 0 is the table as it is, 1 nothing but `*`.
    pub loss: f64,
    /// What it loses by the policy's objective and weights, which the search has made small.
    pub objective_value: f64,
    /// How many rows are left out.
    pub left_out: u64,
    /// What is left of each quasi-identifier: 1 is everything, 0 is nothing but `*`.
    pub columns: Vec<(String, f64)>,
    /// The release that would be.
    pub candidate: Candidate,
}

/// So many cells (tuples times quasi-identifiers) can be tried in about a second each way.
const MOST_CELLS: usize = 600_000;

/// After this time a way is taken as far as it has come, and after the second it is given up.
const PATIENCE: (Duration, Duration) = (Duration::from_secs(3), Duration::from_secs(10));

/// A column of which less is left has as good as nothing left.
const NOTHING: f64 = 0.01;

/// Losses that are printed alike are the same.
const SAME: f64 = 0.0005;

/// An age of which less is left is not worth much.
const FADED: f64 = 0.2;

/// So much more may be lost of all columns together for the sake of an age.
const WORTH_AN_AGE: f64 = 0.15;

/// A table that was counted, and the ways worth trying on it.
struct Counted<'a> {
    findings: &'a TableFindings,
    study: Study,
    ways: Vec<Attempt>,
}

impl<'a> Counted<'a> {
    fn of(table: &Table, findings: &'a TableFindings, choices: &Choices, watch: &dyn Watch) -> Result<Self> {
        let first = policy_of(findings, choices, MethodChoice::full_domain(findings))?;
        let all = Study::count(LocalSource::to_read(table.clone()), &first, watch)?;
        let columns = all.table().quasi.len().max(1);
        let ways = worth_trying(findings, all.table().base.classes() as u64);
        Ok(Self { findings, study: all.sample(MOST_CELLS / columns)?, ways })
    }

    /// Tries each way; what `choices` say of the method does not matter. Weights change nothing in what was counted.
    fn try_out(&self, choices: &Choices, watch: &dyn Watch) -> Result<Trials> {
        watch.begin("trying", Some(self.ways.len() as u64));
        let mut tried = Vec::with_capacity(self.ways.len());
        for Attempt { choice, tried: tries } in &self.ways {
            let policy = policy_of(self.findings, choices, tries.clone())?;
            let outcome = outcome(&self.study, &policy, watch)?;
            tried.push(Tried { choice: choice.clone(), before_last_step: choice != tries, outcome });
            watch.advance(1);
        }
        watch.end();
        Ok(Trials {
            proposed: best(&tried),
            tried,
            rows: self.findings.rows,
            looked_at: self.study.table().rows,
            weights: choices.weights.clone(),
            all_alike: None,
        })
    }
}

fn policy_of(findings: &TableFindings, choices: &Choices, method: MethodChoice) -> Result<Policy> {
    let choices = Choices { method, ..choices.clone() };
    let text = starter_policy(findings, &choices, Path::new(""));
    Policy::parse(&text, "the proposed policy", Path::new(""))
}

/// What somebody chose, by the way that keeps most, and what came of each that was tried. Where hardly anything would be left of an age, and
/// nobody has said what matters most, the age does.
pub fn propose(
    table: &Table,
    findings: &TableFindings,
    mut choices: Choices,
    watch: &dyn Watch,
) -> Result<(Choices, Trials)> {
    let counted = Counted::of(table, findings, &choices, watch)?;
    let mut trials = counted.try_out(&choices, watch)?;
    if let Some(faded) = trials.faded().filter(|_| choices.weights.is_empty()) {
        // Among many columns one is easily lost, and few users can do without this one.
        let weight = findings.with_role(Role::QuasiIdentifier).count() as f64;
        let weights = faded.columns.iter().map(|name| (name.clone(), weight)).collect();
        let weighted = Choices { weights, weights_are_proposed: true, ..choices.clone() };
        let tried = counted.try_out(&weighted, watch)?;
        let is_worth_it = |kept: &Kept| kept.faded_ages().is_empty() && kept.loss <= faded.loss + WORTH_AN_AGE;
        if tried.best().is_some_and(|(_, kept)| is_worth_it(kept)) {
            (choices, trials) = (weighted, Trials { all_alike: Some(faded), ..tried });
        }
    }
    Ok((choices.following(&trials), trials))
}

impl Trials {
    /// What is proposed.
    pub fn best(&self) -> Option<(&Tried, &Kept)> {
        let tried = &self.tried[self.proposed?];
        tried.outcome.as_ref().ok().map(|kept| (tried, kept))
    }

    /// Those that would be proposed if only the loss decided, where every column counts alike.
    pub(super) fn losing_less(&self) -> impl Iterator<Item = (&Tried, &Kept)> {
        let least = self.best().map_or(0.0, |(_, kept)| kept.loss);
        let kept = self.tried.iter().filter_map(|tried| Some((tried, tried.outcome.as_ref().ok()?)));
        kept.filter(move |(_, kept)| kept.loss < least - SAME)
    }

    /// What is proposed, if hardly anything is left of an age.
    fn faded(&self) -> Option<Faded> {
        let (tried, kept) = self.best()?;
        let columns = kept.faded_ages();
        (!columns.is_empty()).then(|| Faded { columns, choice: tried.choice.clone(), loss: kept.loss })
    }
}

/// The place of the way that keeps most: of those that keep the ages, if any does for what an age is worth, the one that loses least.
fn best(tried: &[Tried]) -> Option<usize> {
    let figures = |kept: &Kept| (kept.loss, kept.objective_value, kept.loses_an_age());
    let kept = |tried: &Tried| tried.outcome.as_ref().ok().map(figures);
    best_of(&tried.iter().map(kept).collect::<Vec<_>>())
}

/// The same for their losses, what they make small, and whether an age is lost.
fn best_of(kept: &[Option<(f64, f64, bool)>]) -> Option<usize> {
    let all = || kept.iter().enumerate().filter_map(|(place, kept)| Some((place, (*kept)?)));
    let smallest = |one: &(usize, (f64, f64, bool)), other: &(usize, (f64, f64, bool))| one.1.1.total_cmp(&other.1.1);
    let (least, (loss, _, _)) = all().min_by(smallest)?;
    let is_worth_it = |(_, kept): &(usize, (f64, f64, bool))| !kept.2 && kept.0 <= loss + WORTH_AN_AGE;
    Some(all().filter(is_worth_it).min_by(smallest).map_or(least, |(place, _)| place))
}

/// What comes of a policy, in a time that somebody waits for.
fn outcome(study: &Study, policy: &Policy, watch: &dyn Watch) -> Result<Result<Kept, String>> {
    let within = Within { whole: watch, begun: Instant::now() };
    let found = study.with(policy, &within).and_then(|study| study.best(&within));
    watch.proceed()?;
    match found {
        Ok(candidate) => Ok(Ok(Kept::by(candidate))),
        Err(error) if error.kind() == Kind::Bug => Err(error),
        Err(error) if error.kind() == Kind::Cancelled => Ok(Err("it takes too long to be tried here".to_owned())),
        Err(error) => Ok(Err(why(&error))),
    }
}

/// The reason alone; what to do about it depends on what else was found.
fn why(error: &Error) -> String {
    error.message().to_owned()
}

fn is_an_age(column: &str) -> bool {
    topic::of(column).is_some_and(|topic| topic.is_of_age)
}

impl Kept {
    pub(super) fn by(candidate: Candidate) -> Self {
        let (rows, left_out) = (candidate.table().rows as f64, candidate.suppressed_rows());
        let quasi = candidate.table().quasi.iter().zip(&candidate.partition().sums.quasi);
        // The share that the objective `loss` speaks of, the other way round.
        let columns: Vec<(String, f64)> = quasi
            .map(|(column, sums)| {
                let leaves = column.hierarchy.domain_size() as f64;
                let (lost, least) = (sums.covered_leaves as f64 / leaves + left_out as f64, rows / leaves);
                let kept = if leaves > 1.0 { 1.0 - ((lost - least) / (rows - least)).clamp(0.0, 1.0) } else { 1.0 };
                (column.name.clone(), kept)
            })
            .collect();
        let part = 1.0 / columns.len().max(1) as f64;
        let loss = columns.iter().map(|(_, kept)| (2.0 - kept).powf(part)).product::<f64>() - 1.0;
        Self { loss, objective_value: candidate.objective_value(), left_out, columns, candidate }
    }

    /// The columns of which nothing is left.
    pub fn lost(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().filter(|(_, kept)| *kept < NOTHING).map(|(name, _)| name.as_str())
    }

    pub(super) fn loses_an_age(&self) -> bool {
        self.lost().any(is_an_age)
    }

    /// The ages of which hardly anything is left.
    fn faded_ages(&self) -> Vec<String> {
        let faded = self.columns.iter().filter(|(name, kept)| *kept < FADED && is_an_age(name));
        faded.map(|(name, _)| name.clone()).collect()
    }
}

/// Whoever watches the whole is asked for each way, too.
struct Within<'a> {
    whole: &'a dyn Watch,
    begun: Instant,
}

impl Watch for Within<'_> {
    fn go(&self) -> Go {
        let (enough, too_much) = PATIENCE;
        let here = match self.begun.elapsed() {
            time if time >= too_much => Go::Stop,
            time if time >= enough => Go::TakeBest,
            _ => Go::On,
        };
        self.whole.go().max(here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_kept_for_what_it_is_worth_and_not_for_everything_else() {
        let lost = |loss: f64| Some((loss, loss, true));
        let kept = |loss: f64| Some((loss, loss, false));
        assert_eq!(best_of(&[lost(0.268), lost(0.301), kept(0.322)]), Some(2));
        assert_eq!(best_of(&[lost(0.430), None, kept(0.848)]), Some(0), "an age, and nothing else");
        assert_eq!(best_of(&[kept(0.5), lost(0.4), kept(0.45)]), Some(2));
        assert_eq!(best_of(&[kept(0.3), kept(0.2), lost(0.25)]), Some(1));
        assert_eq!(best_of(&[Some((0.3, 0.9, false)), Some((0.4, 0.8, false))]), Some(1), "by what was made small");
        assert_eq!(best_of(&[None]), None);
    }
}

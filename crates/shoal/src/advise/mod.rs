//! What costs most of all that a policy asks for?
//!
//! Every answer is a release that was found: the policy with one thing changed is solved anew, from the same counts, and the settings
//! that change it are told, so that whoever runs it with them gets just what is said here.

mod blocked;
mod change;
mod columns;
mod methods;
mod no_release;
mod pairs;
mod prospect;
mod requirements;
mod suppression;
mod trial;

use std::time::{Duration, Instant};

use shoal_core::error::Kind;
use shoal_core::objective::order::exceeds;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

use crate::policy::{PolicyDocument, Setting};
use crate::study::{Candidate, Study};
pub use blocked::Blocked;
use change::Ladder;
pub use change::{Change, ChangeKind};
pub use prospect::Prospect;
use trial::{Outcome, Trials};

/// How long advice may take, and what it is relative to.
///
/// ```
/// use std::time::Duration;
/// use shoal::AdviseOptions;
///
/// let options = AdviseOptions { budget: Duration::from_secs(5), ..AdviseOptions::default() };
/// assert!(options.settings.is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct AdviseOptions {
    /// After this time nothing more is tried. The policy's own release is found in any case.
    pub budget: Duration,
    /// The policy as it stands in a file, if something was set besides; otherwise it is the study's.
    pub document: Option<PolicyDocument>,
    /// What was set besides: the settings of the advice come after these.
    pub settings: Vec<Setting>,
}

impl Default for AdviseOptions {
    fn default() -> Self {
        Self { budget: Duration::from_secs(60), document: None, settings: Vec::new() }
    }
}

/// What each thing that a policy asks for costs.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(4)?, &Unwatched)?;
/// use shoal::AdviseOptions;
///
/// let advice = study.advise(&AdviseOptions::default(), &Unwatched)?;
/// let now = advice.now.expect("there is a release of fours");
/// let first = advice.advice.first().expect("and others");
/// assert!(first.figures.objective_value <= now.objective_value);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Advice {
    /// The release of the policy as it is, or why there is none.
    pub now: Result<Prospect>,
    /// What else would give a release, the one that loses least first.
    pub advice: Vec<Advised>,
    /// What would give none, and why.
    pub without_release: Vec<(Change, Error)>,
    /// What there was no time for.
    pub not_tried: Vec<Change>,
    /// Which records keep columns from being finer; without a release, which keep the policy from having one.
    pub blocked: Vec<Blocked>,
}

/// A change, and the release that it would give.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(4)?, &Unwatched)?;
/// use shoal::AdviseOptions;
///
/// let advice = study.advise(&AdviseOptions::default(), &Unwatched)?;
/// for advised in &advice.advice {
///     println!("{}: loss {:.3}", advised.change.what, advised.figures.objective_value);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Advised {
    /// What is changed.
    pub change: Change,
    /// The release.
    pub figures: Prospect,
    /// How much less it loses than the policy's own, by the policy's objective; less than 0 where it loses more, none where there
    /// is nothing to compare with.
    pub gained: Option<f64>,
    /// What that comes to.
    pub effect: Effect,
}

/// What a change does to the loss.
///
/// ```
/// use shoal::Effect;
///
/// assert_eq!(Effect::Gains.id(), "gains");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// There was no release, and is one.
    Possible,
    /// Less is lost.
    Gains,
    /// As much is lost: what was changed costs nothing.
    Nothing,
    /// More is lost.
    Loses,
    /// There is a release, and the objective does not say what one of the two loses.
    Incomparable,
}

impl Effect {
    fn of(now: f64, then: f64) -> Self {
        match () {
            () if !now.is_finite() || !then.is_finite() => Self::Incomparable,
            () if exceeds(now, then) => Self::Gains,
            () if exceeds(then, now) => Self::Loses,
            () => Self::Nothing,
        }
    }

    /// Its name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Self::Possible => "possible",
            Self::Gains => "gains",
            Self::Nothing => "nothing",
            Self::Loses => "loses",
            Self::Incomparable => "incomparable",
        }
    }
}

/// What is asked about: a study, its release if there is one, and what was set besides the policy.
struct Asked<'a> {
    study: &'a Study,
    now: Option<&'a Candidate>,
    given: &'a [Setting],
}

impl Study {
    /// What each requirement, column and limit of the policy costs; where it has no release, which changes would give one.
    pub fn advise(&self, options: &AdviseOptions, watch: &dyn Watch) -> Result<Advice> {
        if self.follows_a_recipe() {
            return Err(Error::policy(
                "a recipe decides what a release looks like, so that there is nothing to change",
            )
            .hint("ask about a policy"));
        }
        let now = match self.best(watch) {
            Err(error) if error.kind() != Kind::NoRelease => return Err(error),
            now => now,
        };
        let begun = Instant::now();
        let document = match &options.document {
            Some(document) => document.clone(),
            None => PolicyDocument::of(self.policy(), "the policy")?,
        };
        let trials = Trials::new(self, document, &options.settings, (begun, options.budget), watch);
        let asked = Asked { study: self, now: now.as_ref().ok(), given: &options.settings };
        let mut advice = match &now {
            Ok(candidate) => asked.around(candidate, &trials)?,
            Err(_) => asked.towards_a_release(&trials)?,
        };
        advice.now = now.map(|candidate| Prospect::of(&candidate));
        advice.sort();
        Ok(advice)
    }
}

impl Asked<'_> {
    /// What one step in each direction would do to a release.
    fn around(&self, candidate: &Candidate, trials: &Trials<'_>) -> Result<Advice> {
        let blocked = blocked::below(candidate, trials);
        let mut ladders = requirements::steps(self);
        ladders.extend(requirements::removals(self));
        ladders.extend(columns::wider(self));
        ladders.extend(columns::given_up(self));
        ladders.extend(columns::finer(self));
        ladders.extend(suppression::more(self));
        ladders.extend(suppression::less(self));
        ladders.extend(blocked::leaving_out(self, &blocked));
        ladders.extend(methods::others(self));
        let mut changes: Vec<Change> = Vec::new();
        for change in ladders.into_iter().filter_map(|ladder| ladder.into_iter().next()) {
            // Two questions may have one answer: as many rows are to be left out for the sake of two columns.
            if change.is_sayable() && !changes.iter().any(|known| known.settings == change.settings) {
                changes.push(change);
            }
        }
        let mut advice = Advice::new(blocked);
        let lost = candidate.objective_value();
        trials.begin(Some(changes.len() as u64));
        for change in changes {
            match trials.run(&change)? {
                Outcome::Release(figures) => {
                    let gained = Some(lost - figures.objective_value).filter(|gained| gained.is_finite());
                    let effect = Effect::of(lost, figures.objective_value);
                    advice.advice.push(Advised { change, figures, gained, effect });
                }
                Outcome::NoRelease(error) => advice.without_release.push((change, error)),
                Outcome::OutOfTime => advice.not_tried.push(change),
            }
        }
        trials.end();
        advice.drop_repetitions();
        Ok(advice)
    }

    /// Which changes would give a release where there is none: the nearest step of each that does; if there is none at all, two at once.
    fn towards_a_release(&self, trials: &Trials<'_>) -> Result<Advice> {
        let blocked = blocked::at_the_top(self);
        let mut ladders = requirements::steps(self);
        ladders.extend(requirements::removals(self));
        ladders.extend(columns::wider(self));
        ladders.extend(suppression::more(self));
        ladders.extend(blocked::leaving_out(self, &blocked));
        ladders.extend(methods::others(self));
        ladders.iter_mut().for_each(|ladder| ladder.retain(Change::is_sayable));
        ladders.retain(|ladder| !ladder.is_empty());
        let mut advice = Advice::new(blocked);
        trials.begin(None);
        for ladder in &ladders {
            advice.climb(ladder, trials)?;
        }
        if advice.advice.is_empty() {
            pairs::try_pairs(&ladders, trials, &mut advice)?;
        }
        trials.end();
        Ok(advice)
    }
}

impl Advice {
    fn new(blocked: Vec<Blocked>) -> Self {
        let now = Err(Error::no_release("nothing was tried"));
        Self { now, advice: Vec::new(), without_release: Vec::new(), not_tried: Vec::new(), blocked }
    }

    /// Drops what gives the same release as a smaller change: a column that was allowed a level more and is given up by that already,
    /// more rows left out than are of use.
    fn drop_repetitions(&mut self) {
        let is_smaller = |one: &Advised, other: &Advised| match (one.change.kind, other.change.kind) {
            (ChangeKind::WiderLevels, ChangeKind::ColumnGivenUp) => one.change.about == other.change.about,
            (ChangeKind::RowsLeftOut, ChangeKind::RowsLeftOut) => true,
            _ => false,
        };
        let mut kept: Vec<Advised> = Vec::new();
        for one in std::mem::take(&mut self.advice) {
            if !kept.iter().any(|known| is_smaller(known, &one) && known.figures.are_those_of(&one.figures)) {
                kept.push(one);
            }
        }
        self.advice = kept;
    }

    /// Takes the nearest step of a ladder that gives a release.
    fn climb(&mut self, ladder: &Ladder, trials: &Trials<'_>) -> Result<()> {
        let mut refused = None;
        for change in ladder {
            match trials.run(change)? {
                Outcome::Release(figures) => {
                    self.possible(change.clone(), figures);
                    return Ok(());
                }
                Outcome::NoRelease(error) => refused = Some((change.clone(), error)),
                Outcome::OutOfTime => {
                    self.not_tried.push(change.clone());
                    return Ok(());
                }
            }
        }
        self.without_release.extend(refused);
        Ok(())
    }

    fn possible(&mut self, change: Change, figures: Prospect) {
        if !self.advice.iter().any(|known| known.change.settings == change.settings) {
            self.advice.push(Advised { change, figures, gained: None, effect: Effect::Possible });
        }
    }

    /// Puts what loses least first; what loses the same stays in the order in which it was tried.
    fn sort(&mut self) {
        self.advice.sort_by(|a, b| a.figures.objective_value.total_cmp(&b.figures.objective_value));
    }
}

#[cfg(test)]
mod tests;

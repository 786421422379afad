//! Which release would a changed policy have?

use std::cell::Cell;
use std::time::{Duration, Instant};

use shoal_core::error::Kind;
use shoal_core::watch::{Go, Watch};
use shoal_core::{Error, Result};

use super::change::Change;
use super::prospect::Prospect;
use crate::policy::{PolicyDocument, Setting};
use crate::study::Study;

/// Solves changed policies, as long as there is time.
pub(super) struct Trials<'a> {
    study: &'a Study,
    document: PolicyDocument,
    given: &'a [Setting],
    watch: Within<'a>,
    is_over: Cell<bool>,
}

/// What came of a change.
pub(super) enum Outcome {
    Release(Prospect),
    NoRelease(Error),
    /// There was no time to find out.
    OutOfTime,
}

/// Whoever watches the whole is asked for each part, too; a part that takes longer than there is time is stopped.
struct Within<'a> {
    whole: &'a dyn Watch,
    begun: Instant,
    budget: Duration,
}

impl Watch for Within<'_> {
    fn go(&self) -> Go {
        // The best that a stopped search has found is not what a run would find: it cannot be told as such.
        match self.whole.go() {
            Go::On if self.begun.elapsed() < self.budget => Go::On,
            _ => Go::Stop,
        }
    }
}

impl<'a> Trials<'a> {
    pub(super) fn new(
        study: &'a Study,
        document: PolicyDocument,
        given: &'a [Setting],
        (begun, budget): (Instant, Duration),
        watch: &'a dyn Watch,
    ) -> Self {
        let watch = Within { whole: watch, begun, budget };
        Self { study, document, given, watch, is_over: Cell::new(false) }
    }

    pub(super) fn begin(&self, of: Option<u64>) {
        self.watch.whole.begin("advising", of);
    }

    pub(super) fn end(&self) {
        self.watch.whole.end();
    }

    /// Is there no time left?
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get() || self.watch.go() != Go::On
    }

    /// The release of the policy with a change.
    pub(super) fn run(&self, change: &Change) -> Result<Outcome> {
        self.watch.whole.proceed()?;
        if self.is_over() {
            self.is_over.set(true);
            return Ok(Outcome::OutOfTime);
        }
        let found = self.solve(&change.settings);
        self.watch.whole.advance(1);
        match found {
            Ok(figures) => Ok(Outcome::Release(figures)),
            Err(error) => match error.kind() {
                Kind::Cancelled => {
                    self.watch.whole.proceed()?;
                    self.is_over.set(true);
                    Ok(Outcome::OutOfTime)
                }
                Kind::Bug | Kind::Changed | Kind::Place => Err(error),
                // A method that does not suit the policy says so, and has no release.
                Kind::Policy | Kind::Table | Kind::NoRelease | Kind::NotMet => Ok(Outcome::NoRelease(error)),
            },
        }
    }

    fn solve(&self, settings: &[Setting]) -> Result<Prospect> {
        let policy = self.document.clone().with(&[self.given, settings].concat())?.policy()?;
        let candidate = self.study.with(&policy, &self.watch)?.best(&self.watch)?;
        Ok(Prospect::of(&candidate))
    }
}

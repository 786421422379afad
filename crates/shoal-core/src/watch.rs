//! How far has a long run come, and shall it go on?

use std::sync::atomic::{AtomicU8, Ordering};

use crate::{Error, Result};

/// Whoever watches a run: told how far it has come, and asked whether it shall go on.
///
/// Every long loop asks, from whatever thread it runs on. A run that is stopped leaves nothing behind, and ends with an error of the
/// kind [`Cancelled`](crate::error::Kind::Cancelled). It is asked often: whoever has to think about the answer thinks now and then only.
///
/// ```
/// use std::time::{Duration, Instant};
/// use shoal_core::watch::{Go, Watch};
///
/// /// Gives a search some time, and takes what it has found by then.
/// struct Patience(Instant, Duration);
///
/// impl Watch for Patience {
///     fn go(&self) -> Go {
///         if self.0.elapsed() < self.1 { Go::On } else { Go::TakeBest }
///     }
/// }
/// assert_eq!(Patience(Instant::now(), Duration::ZERO).go(), Go::TakeBest);
/// ```
pub trait Watch: Sync {
    /// A stage begins; `of` is the number of its steps, if that is known.
    fn begin(&self, _stage: &str, _of: Option<u64>) {}
    /// Some steps are done.
    fn advance(&self, _steps: u64) {}
    /// The stage has ended.
    fn end(&self) {}
    /// Shall the run go on? An answer cannot be taken back: see [`Remembered`].
    fn go(&self) -> Go {
        Go::On
    }
}

/// What a run is to do next.
///
/// ```
/// use shoal_core::watch::Go;
///
/// // What cannot be taken back comes last.
/// assert!(Go::On < Go::TakeBest && Go::TakeBest < Go::Stop);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Go {
    /// Go on.
    On,
    /// A search is to end with the best that it has found; everything else goes on.
    TakeBest,
    /// Stop.
    Stop,
}

impl dyn Watch + '_ {
    /// An error if the run is to stop.
    pub fn proceed(&self) -> Result<()> {
        match self.go() {
            Go::Stop => Err(Error::cancelled()),
            Go::On | Go::TakeBest => Ok(()),
        }
    }

    /// Is the run to stop? A loop that is told so may end with anything: whoever called it asks `proceed` before
    /// making use of it.
    pub fn is_stopped(&self) -> bool {
        self.go() == Go::Stop
    }

    /// Is a search to end, with what it has found or without?
    pub fn ends_search(&self) -> bool {
        self.go() != Go::On
    }
}

/// Whoever watches, held to the furthest answer: what was cut short because of it is never taken for a result.
pub struct Remembered<'a> {
    watch: &'a dyn Watch,
    furthest: AtomicU8,
}

impl<'a> Remembered<'a> {
    /// Remembers what is answered from now on.
    pub fn new(watch: &'a dyn Watch) -> Self {
        Self { watch, furthest: AtomicU8::new(Go::On as u8) }
    }
}

impl Watch for Remembered<'_> {
    fn begin(&self, stage: &str, of: Option<u64>) {
        self.watch.begin(stage, of);
    }

    fn advance(&self, steps: u64) {
        self.watch.advance(steps);
    }

    fn end(&self) {
        self.watch.end();
    }

    fn go(&self) -> Go {
        let answers = [Go::On, Go::TakeBest, Go::Stop];
        let before = self.furthest.load(Ordering::Relaxed);
        if before == Go::Stop as u8 {
            return Go::Stop;
        }
        let answer = self.watch.go() as u8;
        answers[usize::from(self.furthest.fetch_max(answer, Ordering::Relaxed).max(answer))]
    }
}

/// Whoever watches, asked whether the run shall go on, and told nothing: for what is done side by side with other things, one of many.
pub struct Asked<'a>(pub &'a dyn Watch);

impl Watch for Asked<'_> {
    fn go(&self) -> Go {
        self.0.go()
    }
}

/// Nobody watches.
///
/// ```
/// use shoal_core::watch::{Go, Unwatched, Watch};
///
/// assert_eq!(Unwatched.go(), Go::On);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl Watch for Unwatched {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers one after the other.
    struct Fickle(AtomicU8);

    impl Watch for Fickle {
        fn go(&self) -> Go {
            [Go::On, Go::TakeBest, Go::On, Go::Stop, Go::On][usize::from(self.0.fetch_add(1, Ordering::Relaxed) % 5)]
        }
    }

    #[test]
    fn an_answer_cannot_be_taken_back() {
        let fickle = Fickle(AtomicU8::new(0));
        let remembered = Remembered::new(&fickle);
        let answers: Vec<Go> = (0..6).map(|_| remembered.go()).collect();
        assert_eq!(answers, [Go::On, Go::TakeBest, Go::TakeBest, Go::Stop, Go::Stop, Go::Stop]);
        let watch: &dyn Watch = &remembered;
        assert!(watch.is_stopped() && watch.ends_search() && watch.proceed().is_err());
    }
}

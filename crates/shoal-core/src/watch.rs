//! How far has a long run come, and shall it go on?

use crate::{Error, Result};

/// Whoever watches a run: told how far it has come, and asked whether it shall go on.
///
/// Every long loop asks. A run that is stopped leaves nothing behind, and ends with an error of the kind
/// [`Cancelled`](crate::error::Kind::Cancelled).
pub trait Watch: Sync {
    /// A stage begins; `of` is the number of its steps, if that is known.
    fn begin(&self, _stage: &str, _of: Option<u64>) {}
    /// Some steps are done.
    fn advance(&self, _steps: u64) {}
    /// The stage has ended.
    fn end(&self) {}
    /// Shall the run go on?
    fn go(&self) -> Go {
        Go::On
    }
}

/// What a run is to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
}

/// Nobody watches.
#[derive(Debug, Clone, Copy)]
pub struct Unwatched;

impl Watch for Unwatched {}

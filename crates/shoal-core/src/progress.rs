//! How far has a long run come?

/// Told about the stages of a run; the command line draws bars from it.
pub trait Progress: Sync {
    /// A stage begins; `total` is the number of steps, if it is known.
    fn begin(&self, _stage: &str, _total: Option<u64>) {}
    /// Some steps are done.
    fn advance(&self, _steps: u64) {}
    /// The stage has ended.
    fn end(&self) {}
}

/// Nobody is watching.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {}

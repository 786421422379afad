//! What happens to the work of an engine when somebody stops the run?
//!
//! Ending this program does not end a query that runs elsewhere: the engine has to be told.

use std::convert::Infallible;

use shoal::interruption::{self, Action, Undo};
use shoal_core::Result;

/// Until this is dropped, an interruption stops the engine.
pub(crate) fn on_interrupt(stop: impl FnOnce() + Send + 'static) -> Undo {
    let stop: Action = Box::new(stop);
    match interruption::undoable(|| Ok::<_, Infallible>(((), stop))) {
        Ok(((), undo)) => undo,
        Err(never) => match never {},
    }
}

/// Passes on what an engine has done. If it failed because somebody interrupted it, the program is about to end: nothing more is
/// to be said.
pub(crate) fn unless_interrupted<T>(result: Result<T>) -> Result<T> {
    while result.is_err() && interruption::is_stopping() {
        std::thread::park();
    }
    result
}

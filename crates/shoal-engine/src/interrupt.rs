//! What happens to the work of an engine when somebody stops the run?
//!
//! Ending this program does not end a query that runs elsewhere: the engine has to be told.

use std::convert::Infallible;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use shoal::interruption::{self, Action, Undo};
use shoal_core::Result;
use shoal_core::watch::Watch;

/// Until this is dropped, an interruption stops the engine.
pub(crate) fn on_interrupt(stop: impl FnOnce() + Send + 'static) -> Undo {
    let stop: Action = Box::new(stop);
    match interruption::undoable(|| Ok::<_, Infallible>(((), stop))) {
        Ok(((), undo)) => undo,
        Err(never) => match never {},
    }
}

/// How often whoever watches is asked while an engine works.
const EVERY: Duration = Duration::from_millis(50);

/// Lets an engine work until whoever watches has it stopped.
pub(crate) fn stoppable<T>(watch: &dyn Watch, stop: &(dyn Fn() + Sync), work: impl FnOnce() -> Result<T>) -> Result<T> {
    watch.proceed()?;
    let result = thread::scope(|scope| {
        let (working, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                if watch.is_stopped() {
                    return stop();
                }
            }
        });
        let result = work();
        drop(working);
        result
    });
    let result = unless_interrupted(result);
    if result.is_err() {
        watch.proceed()?;
    }
    result
}

/// Passes on what an engine has done. If it failed because somebody interrupted it, the program is about to end: nothing more is
/// to be said.
pub(crate) fn unless_interrupted<T>(result: Result<T>) -> Result<T> {
    while result.is_err() && interruption::is_stopping() {
        std::thread::park();
    }
    result
}

//! What happens to the work of an engine when somebody presses Ctrl-C?
//!
//! Ending this program does not end a query that runs elsewhere: the engine has to be told.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use shoal::{Error, Result};

/// Tells the engine to stop.
type Stop = Box<dyn Fn() + Send>;

static STOP: Mutex<Option<Stop>> = Mutex::new(None);
/// Locked while a release is being published; true once it is.
static PUBLISHED: Mutex<bool> = Mutex::new(false);
static WATCH: Once = Once::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that was interrupted.
const EXIT_CODE: i32 = 130;

/// From now on an interruption stops this engine and then ends the program.
pub(crate) fn on_interrupt(stop: Stop) -> Result<()> {
    *STOP.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop);
    let mut watching = Ok(());
    WATCH.call_once(|| {
        watching = ctrlc::set_handler(|| {
            let published = PUBLISHED.lock().unwrap_or_else(PoisonError::into_inner);
            if *published {
                // There is nothing left to stop; the program is about to say what it did.
                return;
            }
            INTERRUPTED.store(true, Ordering::SeqCst);
            eprintln!("\ninterrupted: nothing was published");
            if let Some(stop) = &*STOP.lock().unwrap_or_else(PoisonError::into_inner) {
                stop();
            }
            std::process::exit(EXIT_CODE);
        });
    });
    watching.map_err(|error| Error::new(format!("cannot listen to interruptions: {error}")))
}

/// Publishes while interruptions wait: it is done or not done, but never half.
pub(crate) fn publish<T>(publish: impl FnOnce() -> Result<T>) -> Result<T> {
    let mut published = PUBLISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let result = publish()?;
    *published = true;
    Ok(result)
}

/// Passes on what an engine has done. If it failed because somebody interrupted it, that was said already, and the program is
/// about to end: nothing more is to be said.
pub(crate) fn unless_interrupted<T>(result: Result<T>) -> Result<T> {
    while result.is_err() && INTERRUPTED.load(Ordering::SeqCst) {
        std::thread::park();
    }
    result
}

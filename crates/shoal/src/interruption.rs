//! What happens to a run when somebody stops it in the middle?
//!
//! Whoever makes something that must not stay behind says how to undo it; whoever is told to stop, by a signal, calls
//! [`stop`]. While something is being published, a stop waits: it is done or not done, but never half.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Undoes something.
pub type Action = Box<dyn FnOnce() + Send>;

static UNDO: Mutex<Vec<(u64, Action)>> = Mutex::new(Vec::new());
/// Locked while something is being published; true once it is.
static PUBLISHED: Mutex<bool> = Mutex::new(false);
static STOPPING: AtomicBool = AtomicBool::new(false);
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Something that is undone if the run is stopped before this is dropped.
pub struct Undo(u64);

impl fmt::Debug for Undo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Undo({})", self.0)
    }
}

/// Makes something, and how it is undone: a stop waits until both are known.
pub fn undoable<T, E>(make: impl FnOnce() -> Result<(T, Action), E>) -> Result<(T, Undo), E> {
    *PUBLISHED.lock().unwrap_or_else(PoisonError::into_inner) = false;
    let mut undo = UNDO.lock().unwrap_or_else(PoisonError::into_inner);
    let (made, action) = make()?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    undo.push((number, action));
    Ok((made, Undo(number)))
}

/// Does something that what was made before undoes as well; once a stop is under way, it is not done any more.
pub fn unless_stopping<T>(act: impl FnOnce() -> T) -> T {
    let _undo = UNDO.lock().unwrap_or_else(PoisonError::into_inner);
    act()
}

impl Drop for Undo {
    /// Where a stop is under way, this waits for the end of the program.
    fn drop(&mut self) {
        UNDO.lock().unwrap_or_else(PoisonError::into_inner).retain(|(number, _)| *number != self.0);
    }
}

/// Publishes while stops wait.
pub fn shielded<T, E>(publish: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    let mut published = PUBLISHED.lock().unwrap_or_else(PoisonError::into_inner);
    let result = publish()?;
    *published = true;
    Ok(result)
}

/// Something is published from now on, for as long as whoever takes it likes: a stop finds nothing left to stop, and does not wait for the end.
pub fn begin_to_publish() {
    *PUBLISHED.lock().unwrap_or_else(PoisonError::into_inner) = true;
}

/// Undoes all that is to be undone, unless something was published already: then there is nothing left to stop, and false comes
/// back. Where true comes back, the program has to end: nothing can be begun or published any more.
pub fn stop() -> bool {
    let published = PUBLISHED.lock().unwrap_or_else(PoisonError::into_inner);
    if *published {
        return false;
    }
    STOPPING.store(true, Ordering::SeqCst);
    let mut undo = UNDO.lock().unwrap_or_else(PoisonError::into_inner);
    undo.drain(..).rev().for_each(|(_, action)| action());
    // Both stay locked.
    std::mem::forget((published, undo));
    true
}

/// Has somebody stopped the run? It is about to end, and nothing more is to be said.
pub fn is_stopping() -> bool {
    STOPPING.load(Ordering::SeqCst)
}

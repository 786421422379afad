//! How is something long done, while Python goes on and can stop it?
//!
//! The work is done on a thread of its own, without Python's lock. The thread that asked looks after it now and then: only there can
//! Python tell that somebody has pressed Ctrl-C, and only there are bars drawn.

use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use shoal::{Go, Watch};
use shoal_core::{Error, Result};

use crate::error::raised;

/// How often somebody looks.
const OFTEN: Duration = Duration::from_millis(50);

/// How far the work has come, and whether it shall go on.
#[derive(Default)]
struct Progress {
    stage: Mutex<Option<(String, Option<u64>)>>,
    done: AtomicU64,
    is_stopped: AtomicBool,
}

impl Watch for Progress {
    fn begin(&self, stage: &str, of: Option<u64>) {
        self.done.store(0, Ordering::Relaxed);
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = Some((stage.to_owned(), of));
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn end(&self) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn go(&self) -> Go {
        if self.is_stopped.load(Ordering::Relaxed) { Go::Stop } else { Go::On }
    }
}

/// Which process has loaded the extension?
static LOADED_BY: OnceLock<u32> = OnceLock::new();

/// Notes the process. One that is forked from it later has none of its threads, and would wait for them in vain.
pub fn loaded() {
    LOADED_BY.get_or_init(process::id);
}

/// Does something long on the threads of this process; in one that was forked, on a single thread of its own. With several, what reads
/// a table block by block would start threads beside those, and what they share out would go to the threads that are not there.
fn on_threads<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    if LOADED_BY.get() == Some(&process::id()) {
        return work();
    }
    let thread = ThreadPoolBuilder::new().num_threads(1).build();
    thread.map_err(|_| Error::place("no thread could be started"))?.install(work)
}

/// Told when the work is done, however it ends.
#[derive(Default)]
struct End {
    is_there: Mutex<bool>,
    told: Condvar,
}

impl End {
    /// Waits for it, but not long; is it there?
    fn wait(&self) -> bool {
        let is_there = self.is_there.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.told.wait_timeout_while(is_there, OFTEN, |is_there| !*is_there);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

struct AtTheEnd<'a>(&'a End);

impl Drop for AtTheEnd<'_> {
    fn drop(&mut self) {
        *self.0.is_there.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.told.notify_all();
    }
}

/// Does something long; its errors become exceptions, and what Python raises meanwhile (Ctrl-C) stops it.
pub fn watched<T: Send>(py: Python<'_>, work: impl FnOnce(&dyn Watch) -> Result<T> + Send) -> PyResult<T> {
    let (progress, end) = (Progress::default(), End::default());
    let (mut bars, mut interruption) = (None, None);
    let result = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _told = AtTheEnd(&end);
            on_threads(|| work(&progress))
        });
        while !py.detach(|| end.wait()) {
            if interruption.is_some() {
                continue;
            }
            if let Err(error) = py.check_signals().and_then(|()| show(py, &progress, &mut bars)) {
                progress.is_stopped.store(true, Ordering::Relaxed);
                interruption = Some(error);
            }
        }
        worker.join()
    });
    if let Some(bars) = bars {
        bars.bind(py).call_method0("close")?;
    }
    // A panic is a bug, and pyo3 tells it as such.
    let result = result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    match interruption {
        Some(interruption) => Err(interruption),
        None => result.map_err(|error| raised(py, &error)),
    }
}

/// Draws how far it is.
fn show(py: Python<'_>, progress: &Progress, bars: &mut Option<Py<PyAny>>) -> PyResult<()> {
    let stage = progress.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let bars = match bars {
        Some(bars) => bars,
        None => bars.insert(py.import("shoal._progress")?.call_method0("Bars")?.unbind()),
    };
    let (stage, of) = stage.map_or((None, None), |(stage, of)| (Some(stage), of));
    bars.bind(py).call_method1("show", (stage, progress.done.load(Ordering::Relaxed), of))?;
    Ok(())
}

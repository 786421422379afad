//! What happens when somebody interrupts the program, ends it, or closes its terminal?
//!
//! `signal-hook` rather than `ctrlc`: exit codes tell which signal it was, and a signal that whoever started the program chose
//! to ignore (`nohup`, a job in the background) stays ignored.

use std::sync::atomic::{AtomicBool, Ordering};

use shoal::interruption;
use shoal_core::watch::Go;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::output::say_text;

/// Would whoever interrupts now get the best release that was found so far?
static OFFERED: AtomicBool = AtomicBool::new(false);
/// Has somebody asked for it?
static TAKEN: AtomicBool = AtomicBool::new(false);

/// While this lives, the first interruption ends a search, and the run goes on with the best that it has found; another one ends
/// the run.
pub struct BestSoFar(());

impl BestSoFar {
    pub fn offer() -> Self {
        OFFERED.store(true, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for BestSoFar {
    fn drop(&mut self) {
        OFFERED.store(false, Ordering::SeqCst);
    }
}

/// What a run is to do.
pub fn go() -> Go {
    if TAKEN.load(Ordering::Relaxed) { Go::TakeBest } else { Go::On }
}

/// Is there somebody at a prompt, which notices an interruption by itself and leaves the terminal as it was?
static AT_A_PROMPT: AtomicBool = AtomicBool::new(false);

/// Does the program go on after it has published something, so that there is nothing to wait for then?
static GOES_ON: AtomicBool = AtomicBool::new(false);

/// From now on, a signal ends the program also after something was published.
#[cfg(feature = "studio")]
pub fn end_at_once() {
    GOES_ON.store(true, Ordering::SeqCst);
}

/// From now on, signals undo what was begun and then end the program with 128 plus their number.
pub fn watch() {
    let ignored = ignored_signals();
    let meant = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !ignored.contains(signal));
    // Where signals cannot be listened to, they still end the program, and the next run removes what is left.
    let Ok(mut signals) = Signals::new(meant) else { return };
    std::thread::spawn(move || {
        let mut was_told = false;
        for signal in signals.forever() {
            if signal == SIGINT && AT_A_PROMPT.load(Ordering::SeqCst) {
                continue;
            }
            if signal == SIGINT && OFFERED.swap(false, Ordering::SeqCst) {
                TAKEN.store(true, Ordering::Relaxed);
                say_text("\ntaking the best release that was found so far; interrupt again to end without one");
                continue;
            }
            let (is_stopped, goes_on) = (interruption::stop(), GOES_ON.load(Ordering::SeqCst));
            match (is_stopped, goes_on) {
                // It may have published something before.
                (_, true) => say_text("\nended; what was not finished was undone"),
                (true, false) => say_text("\ninterrupted: nothing was published"),
                (false, false) if was_told => {
                    say_text("\nended after something was published; what goes to stdout may be cut off");
                }
                (false, false) => {}
            }
            // After publishing, the program is about to say what it did. Whoever asks twice does not want to hear it.
            if is_stopped || was_told || goes_on {
                show_cursor();
                std::process::exit(128 + signal);
            }
            was_told = true;
        }
    });
}

/// Bars hide it, on a terminal. In a file it would be a few bytes of nonsense.
fn show_cursor() {
    let stderr = console::Term::stderr();
    if stderr.is_term() {
        let _ = stderr.show_cursor();
    }
}

/// While a question is asked, an interruption is an answer.
pub fn leave_to_prompts(is_asked: bool) {
    AT_A_PROMPT.store(is_asked, Ordering::SeqCst);
}

/// The signals that were ignored when the program began, where the system tells.
fn ignored_signals() -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map(str::trim);
    let mask = mask.and_then(|mask| u64::from_str_radix(mask, 16).ok()).unwrap_or(0);
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| mask & (1 << (signal - 1)) != 0).collect()
}

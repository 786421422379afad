//! What does a long run look like, on a terminal and anywhere else?

use std::io::IsTerminal;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use shoal_core::watch::{Go, Watch};
use shoal_core::words::grouped;

use crate::{Context, say, signals};

/// Bars on stderr, if that is a terminal; otherwise a line now and then, so that a log tells that the run goes on.
pub struct Bars {
    shown: Shown,
    shared: Arc<Shared>,
    /// Says lines where there are no bars, also of stages that never tell how far they are.
    ticker: Option<JoinHandle<()>>,
}

/// What the run and the ticker know.
struct Shared {
    state: Mutex<State>,
    /// Something has begun or ended.
    changed: Condvar,
    between: Duration,
    say: Box<dyn Fn(&str) + Send + Sync>,
}

#[derive(Default)]
struct State {
    stage: Option<Stage>,
    has_ended: bool,
}

/// How much is shown.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Nothing,
    Bars,
    /// A line where a stage takes long.
    Lines,
    /// The end of every stage as well, and how long it took.
    EveryStage,
}

/// What is being done.
struct Stage {
    name: String,
    of: Option<u64>,
    done: u64,
    begun: Instant,
    said: Instant,
    bar: Option<ProgressBar>,
}

/// Who reads a log wants to know that a run goes on, and no more.
const BETWEEN_LINES: Duration = Duration::from_secs(15);

impl Bars {
    pub fn new(context: &Context) -> Self {
        let shown = match (context.quiet, context.verbose, std::io::stderr().is_terminal()) {
            (true, ..) => Shown::Nothing,
            (false, true, _) => Shown::EveryStage,
            (false, false, true) => Shown::Bars,
            (false, false, false) => Shown::Lines,
        };
        Self::saying(shown, BETWEEN_LINES, Box::new(|line: &str| say!("{line}")))
    }

    fn saying(shown: Shown, between: Duration, say: Box<dyn Fn(&str) + Send + Sync>) -> Self {
        let shared = Arc::new(Shared { state: Mutex::default(), changed: Condvar::new(), between, say });
        let ticks = matches!(shown, Shown::Lines | Shown::EveryStage);
        let tick = || {
            let shared = Arc::clone(&shared);
            // Without a thread to spare there are no lines, and the run is the same.
            std::thread::Builder::new().name("progress".to_owned()).spawn(move || shared.tick()).ok()
        };
        let ticker = if ticks { tick() } else { None };
        Self { shown, shared, ticker }
    }

    fn with_stage(&self, act: impl FnOnce(&mut Option<Stage>)) {
        if self.shown != Shown::Nothing
            && let Ok(mut state) = self.shared.state.lock()
        {
            act(&mut state.stage);
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).has_ended = true;
        self.shared.changed.notify_all();
        if let Some(ticker) = self.ticker.take() {
            let _ = ticker.join();
        }
    }
}

impl Shared {
    /// Says a line whenever a stage has gone on for a while without one, until all has ended.
    fn tick(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.has_ended {
            let wait = match &mut state.stage {
                None => self.between,
                Some(stage) if stage.said.elapsed() >= self.between => {
                    (self.say)(&stage.line(" so far"));
                    stage.said = Instant::now();
                    self.between
                }
                Some(stage) => self.between.saturating_sub(stage.said.elapsed()),
            };
            state = match self.changed.wait_timeout(state, wait) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }
}

impl Watch for Bars {
    fn begin(&self, name: &str, of: Option<u64>) {
        self.with_stage(|stage| {
            let now = Instant::now();
            let bar = (self.shown == Shown::Bars).then(|| bar(name, of));
            *stage = Some(Stage { name: name.to_owned(), of, done: 0, begun: now, said: now, bar });
        });
        self.shared.changed.notify_all();
    }

    fn advance(&self, steps: u64) {
        self.with_stage(|stage| stage.iter_mut().for_each(|stage| stage.advance(steps)));
    }

    fn end(&self) {
        self.with_stage(|stage| {
            let Some(stage) = stage.take() else { return };
            match &stage.bar {
                Some(bar) => bar.finish_and_clear(),
                None if self.shown == Shown::EveryStage => (self.shared.say)(&stage.line("")),
                None => {}
            }
        });
    }

    fn go(&self) -> Go {
        signals::go()
    }
}

impl Stage {
    fn advance(&mut self, steps: u64) {
        self.done += steps;
        if let Some(bar) = &self.bar {
            bar.inc(steps);
        }
    }

    fn line(&self, so_far: &str) -> String {
        let seconds = self.begun.elapsed().as_secs_f64();
        let done = match (self.of, self.done) {
            (Some(of), done) => format!("{} of {}", grouped(done), grouped(of)),
            // A stage that does not tell how far it is.
            (None, 0) => return format!("{}: {seconds:.1} s{so_far}", self.name),
            (None, done) => grouped(done),
        };
        format!("{}: {done}{so_far}, {seconds:.1} s", self.name)
    }
}

fn bar(name: &str, of: Option<u64>) -> ProgressBar {
    let bar = match of {
        Some(of) => ProgressBar::new(of).with_style(style("{msg:>10} {wide_bar} {human_pos}/{human_len} {eta}")),
        None => ProgressBar::new_spinner().with_style(style("{msg:>10} {spinner} {human_pos} ({per_sec})")),
    };
    bar.set_message(name.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are said while something goes on, with a moment between them.
    fn said(shown: Shown, run: impl FnOnce(&Bars)) -> Vec<String> {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&lines);
        let say = move |line: &str| to.lock().expect("nobody panicked").push(line.to_owned());
        let bars = Bars::saying(shown, Duration::from_millis(20), Box::new(say));
        run(&bars);
        drop(bars);
        let lines = lines.lock().expect("nobody panicked");
        lines.clone()
    }

    fn is_quiet_for_a_while(bars: &Bars) {
        bars.begin("clustering", None);
        std::thread::sleep(Duration::from_millis(500));
        bars.end();
    }

    #[test]
    fn a_stage_that_never_tells_how_far_it_is_is_told_of() {
        let lines = said(Shown::Lines, is_quiet_for_a_while);
        assert!(lines.len() >= 2 && lines.iter().all(|line| line.starts_with("clustering: 0.")), "{lines:?}");
        assert!(lines[0].ends_with(" s so far"), "{lines:?}");
        assert!(said(Shown::Nothing, is_quiet_for_a_while).is_empty());
        assert!(said(Shown::Bars, |bars| bars.begin("clustering", None)).is_empty());
    }

    #[test]
    fn steps_are_told_and_nothing_between_stages() {
        let lines = said(Shown::Lines, |bars| {
            bars.begin("reading", Some(2_000));
            bars.advance(1_500);
            std::thread::sleep(Duration::from_millis(200));
            bars.end();
        });
        assert!(lines.iter().any(|line| line.starts_with("reading: 1,500 of 2,000 so far, ")), "{lines:?}");
        assert!(said(Shown::Lines, |_| std::thread::sleep(Duration::from_millis(100))).is_empty());
        let ended = said(Shown::EveryStage, |bars| {
            bars.begin("reading", None);
            bars.end();
        });
        assert_eq!(ended.len(), 1, "{ended:?}");
    }
}

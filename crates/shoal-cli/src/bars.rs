//! What does a long run look like, on a terminal and anywhere else?

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use shoal_core::watch::{Go, Watch};
use shoal_core::words::grouped;

use crate::{Context, say, signals};

/// Bars on stderr, if that is a terminal; otherwise a line now and then, so that a log tells that the run goes on.
pub struct Bars {
    shown: Shown,
    stage: Mutex<Option<Stage>>,
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
        Self { shown, stage: Mutex::new(None) }
    }

    fn with_stage(&self, act: impl FnOnce(&mut Option<Stage>)) {
        if self.shown != Shown::Nothing
            && let Ok(mut stage) = self.stage.lock()
        {
            act(&mut stage);
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
    }

    fn advance(&self, steps: u64) {
        self.with_stage(|stage| stage.iter_mut().for_each(|stage| stage.advance(steps)));
    }

    fn end(&self) {
        self.with_stage(|stage| {
            let Some(stage) = stage.take() else { return };
            match &stage.bar {
                Some(bar) => bar.finish_and_clear(),
                None if self.shown == Shown::EveryStage => stage.say(""),
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
        } else if self.said.elapsed() >= BETWEEN_LINES {
            self.say(" so far");
            self.said = Instant::now();
        }
    }

    fn say(&self, so_far: &str) {
        let count = |number: u64| grouped(number);
        let done = match self.of {
            Some(of) => format!("{} of {}", count(self.done), count(of)),
            None => count(self.done),
        };
        say!("{}: {done}{so_far}, {:.1} s", self.name, self.begun.elapsed().as_secs_f64());
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

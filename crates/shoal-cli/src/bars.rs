//! What does a long run look like on a terminal?

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use shoal_core::watch::{Go, Watch};

use crate::signals;

/// Bars on stderr, if that is a terminal.
pub struct Bars {
    enabled: bool,
    bar: Mutex<Option<ProgressBar>>,
}

impl Bars {
    pub fn new(quiet: bool) -> Self {
        Self { enabled: !quiet && std::io::stderr().is_terminal(), bar: Mutex::new(None) }
    }

    fn with_bar(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        if self.enabled
            && let Ok(mut bar) = self.bar.lock()
        {
            act(&mut bar);
        }
    }
}

impl Watch for Bars {
    fn begin(&self, stage: &str, total: Option<u64>) {
        self.with_bar(|bar| {
            let new = match total {
                Some(total) => {
                    ProgressBar::new(total).with_style(style("{msg:>10} {wide_bar} {human_pos}/{human_len} {eta}"))
                }
                None => ProgressBar::new_spinner().with_style(style("{msg:>10} {spinner} {human_pos} ({per_sec})")),
            };
            new.set_message(stage.to_owned());
            new.enable_steady_tick(Duration::from_millis(120));
            *bar = Some(new);
        });
    }

    fn advance(&self, steps: u64) {
        self.with_bar(|bar| bar.iter().for_each(|bar| bar.inc(steps)));
    }

    fn end(&self) {
        self.with_bar(|bar| bar.take().iter().for_each(ProgressBar::finish_and_clear));
    }

    fn go(&self) -> Go {
        signals::go()
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

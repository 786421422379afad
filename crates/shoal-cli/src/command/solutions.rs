//! `shoal solutions`: every combination of levels that would do.

use std::path::PathBuf;

use clap::Args;
use shoal::policy::Policy;
use shoal::study::Study;
use shoal_core::{Error, Result};
use shoal_report::SolutionsReport;

use crate::Context;
use crate::bars::Bars;
use crate::command::chosen::{ONE_LEVEL, has_one_level};
use crate::command::settings::Settings;
use crate::exit::ExitCode;
use crate::output::{json_to_stdout, to_stdout, warn, word};
use crate::pipe::{Format, is_pipe};
use crate::{say, source};

#[derive(Args)]
pub struct Solutions {
    /// The policy
    policy: PathBuf,
    /// Read this table instead of the policy's; `-` is stdin
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    settings: Settings,
    /// List every satisfying combination, not only the minimal ones
    #[arg(long)]
    all: bool,
    /// List only so many of them, those that lose least
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Solutions {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let policy = self.settings.read(&self.policy)?;
        let bars = Bars::new(context);
        let source = source::to_count(&policy, self.input.as_deref(), &self.format)?;
        let study = Study::count(source, &policy, &bars)?;
        let warnings = study.warnings();
        warn(&warnings);
        let found = study.solutions(self.all, &bars)?;
        let why_none = (found.satisfying == 0).then(|| {
            let none = Error::no_release("no combination of levels satisfies the requirements");
            study.explained(none, &[], &bars)
        });
        let report = SolutionsReport::new(&policy, study.table(), &found, &warnings).explained_by(why_none.as_ref());
        let report = match self.top {
            Some(top) => report.only(top as usize),
            None => report,
        };
        if self.json {
            json_to_stdout(&report.to_json())?;
        } else {
            to_stdout(&report.to_text())?;
            // What came from stdin is not there a second time.
            let is_there = !self.input.as_deref().is_some_and(is_pipe);
            if found.satisfying > 0 && !self.all && !context.quiet && is_there {
                self.say_next_step(&policy);
            }
        }
        Ok(if found.satisfying > 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    /// How one of them is taken. Another method than the policy's has to be said, where that has no level for all rows.
    fn say_next_step(&self, policy: &Policy) {
        let method = if has_one_level(policy) { "" } else { ONE_LEVEL };
        let input = self.input.as_deref().map(|path| format!(" --input {}", word(path))).unwrap_or_default();
        let (file, settings) = (word(&self.policy), self.settings.words());
        say!("next: shoal anonymize {file}{input}{settings}{method} --solution 1");
        if self.settings.hides() {
            say!("      (`..` stands for what was set, which may be a secret)");
        }
    }
}

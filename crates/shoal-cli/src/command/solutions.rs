//! `shoal solutions`: every combination of levels that would do.

use std::path::PathBuf;

use clap::Args;
use shoal::study::Study;
use shoal_core::{Error, Result};
use shoal_report::SolutionsReport;

use crate::Context;
use crate::bars::Bars;
use crate::command::settings::Settings;
use crate::exit::ExitCode;
use crate::output::{json_to_stdout, to_stdout, warn};
use crate::pipe::Format;
use crate::source;

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
        }
        Ok(if found.satisfying > 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

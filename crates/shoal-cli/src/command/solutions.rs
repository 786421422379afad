//! `shoal solutions`: every combination of levels that would do.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use shoal::Result;
use shoal::meaning::repeats::Repeats;
use shoal::method::full_domain::solutions;
use shoal::pipeline::{prepare, task};
use shoal::report::SolutionsReport;
use shoal::warning::Warning;

use crate::Context;
use crate::bars::Bars;
use crate::command::settings::Settings;
use crate::output::{json_to_stdout, to_stdout, warn};
use crate::source;

#[derive(Args)]
pub struct Solutions {
    /// The policy
    policy: PathBuf,
    /// Read this table instead of the policy's
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
    /// List every satisfying combination, not only the minimal ones
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Solutions {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let policy = self.settings.read(&self.policy)?;
        let bars = Bars::new(context.quiet);
        let counted = source::open(&policy, self.input.as_deref(), None, true)?.count(&policy, &bars)?;
        let repeats = counted.repeats.iter().map(Repeats::warning);
        let warnings: Vec<Warning> = policy.warnings.iter().cloned().chain(repeats).collect();
        warn(&warnings);
        let table = prepare(&policy, counted)?;
        let requirements = policy.resolve(&table.sensitive, false)?;
        let found = solutions(&task(&policy, &table, &requirements), self.all, &bars)?;
        let report = SolutionsReport::new(&policy, &table, &found, &warnings);
        if self.json {
            json_to_stdout(&report.to_json())?;
        } else {
            to_stdout(&report.to_text())?;
        }
        Ok(if found.satisfying > 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

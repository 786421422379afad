//! `shoal anonymize`: the main job.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use shoal::policy::Policy;
use shoal::report::Summary;
use shoal::{Result, pipeline};

use crate::Context;
use crate::bars::Bars;
use crate::output::{json_to_stdout, warn};
use crate::source;

#[derive(Args)]
pub struct Anonymize {
    /// The policy
    policy: PathBuf,
    /// Read this table instead of the policy's
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Write the release here instead
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Let the release take the place of a table that is there already (a file is always replaced)
    #[arg(long)]
    overwrite: bool,
    /// Print the summary as JSON, on stdout
    #[arg(long)]
    json: bool,
}

impl Anonymize {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let policy = Policy::read(&self.policy)?;
        warn(&policy.warnings, context.quiet);
        let mut source = source::open(&policy, self.input.as_deref(), self.output.as_deref(), self.overwrite)?;
        let outcome = pipeline::anonymize(&policy, source.as_mut(), &Bars::new(context.quiet))?;
        let summary = Summary::new(&policy, &outcome);
        if self.json {
            json_to_stdout(&summary.to_json())?;
        } else if !context.quiet {
            eprint!("{}", summary.to_text());
            eprintln!("next: {}", source::next_step(&policy, &self.policy, &outcome.published));
        }
        Ok(ExitCode::SUCCESS)
    }
}

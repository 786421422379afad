//! `shoal anonymize`: the main job.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use shoal::policy::Policy;
use shoal::report::Summary;
use shoal::source::FileSource;
use shoal::{Result, pipeline};

use crate::Context;
use crate::bars::Bars;
use crate::output::{json_to_stdout, warn};

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
    /// Print the summary as JSON, on stdout
    #[arg(long)]
    json: bool,
}

impl Anonymize {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let policy = Policy::read(&self.policy)?;
        warn(&policy.warnings, context.quiet);
        let mut source = FileSource::new(&policy, self.input.as_deref(), self.output.as_deref())?;
        let outcome = pipeline::anonymize(&policy, &mut source, &Bars::new(context.quiet))?;
        let summary = Summary::new(&policy, &outcome);
        if self.json {
            json_to_stdout(&summary.to_json())?;
        } else if !context.quiet {
            eprint!("{}", summary.to_text());
            let table = source.sensitive_output().map(|path| format!(" --sensitive-table {}", path.display()));
            let table = table.unwrap_or_default();
            eprintln!("next: shoal audit {} --policy {}{table}", source.output().display(), self.policy.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}

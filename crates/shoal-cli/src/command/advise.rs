//! `shoal advise`: what does each thing that a policy asks for cost?

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use shoal::advise::{AdviseOptions, Change};
use shoal::policy::PolicyDocument;
use shoal::study::Study;
use shoal_core::Result;
use shoal_report::AdviceReport;

use crate::Context;
use crate::bars::Bars;
use crate::command::settings::Settings;
use crate::exit::ExitCode;
use crate::output::{json_to_stdout, to_stdout, warn, word};
use crate::pipe::Format;
use crate::source;

#[derive(Args)]
pub struct Advise {
    /// The policy
    policy: PathBuf,
    /// Read this table instead of the policy's; `-` is stdin
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    settings: Settings,
    /// Try nothing more after so many seconds; what was not tried is said
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    budget: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Advise {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let document = PolicyDocument::read(&self.policy)?;
        let policy = self.settings.read(&self.policy)?;
        let bars = Bars::new(context);
        let source = source::to_count(&policy, self.input.as_deref(), &self.format)?;
        let study = Study::count(source, &policy, &bars)?;
        let warnings = study.warnings();
        warn(&warnings);
        let options = AdviseOptions {
            budget: Duration::from_secs(self.budget),
            document: Some(document),
            settings: self.settings.settings.clone(),
        };
        let advice = study.advise(&options, &bars)?;
        let report = AdviceReport::new(&study, &advice, &warnings);
        if self.json {
            json_to_stdout(&report.to_json())?;
        } else {
            to_stdout(&report.to_text(|change| self.command(change)))?;
        }
        let is_possible = advice.now.is_ok() || !advice.advice.is_empty();
        Ok(if is_possible { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    /// The command that makes a release with a change.
    fn command(&self, change: &Change) -> String {
        let input = self.input.as_ref().map(|input| format!(" --input {}", word(input))).unwrap_or_default();
        let settings: String = change.words().iter().map(|setting| format!(" --set {}", word(setting))).collect();
        format!("shoal anonymize {}{input}{}{settings}", word(&self.policy), self.settings.words())
    }
}

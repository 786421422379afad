//! `shoal anonymize`: the main job.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use shoal::pipeline::{self, Outcome};
use shoal::policy::Policy;
use shoal::recipe::Making;
use shoal::report::Summary;
use shoal::source::{FileSource, is_same_file, write_whole};
use shoal::{Error, Result};

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
    /// Write how values were recoded to this file, for `shoal apply`
    #[arg(long, value_name = "FILE")]
    recipe: Option<PathBuf>,
    /// Print the summary as JSON, on stdout
    #[arg(long)]
    json: bool,
}

impl Anonymize {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let policy = Policy::read(&self.policy)?;
        warn(&policy.warnings, context.quiet);
        let mut source = FileSource::new(&policy, self.input.as_deref(), self.output.as_deref())?;
        let bars = Bars::new(context.quiet);
        let outcome = match &self.recipe {
            None => pipeline::anonymize(&policy, &mut source, &bars)?,
            Some(path) => self.with_recipe(path, &policy, &mut source, &bars)?,
        };
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

    /// The same, and what it takes to recode another table in the same way.
    fn with_recipe(&self, path: &Path, policy: &Policy, source: &mut FileSource, bars: &Bars) -> Result<Outcome> {
        let used = [source.input(), source.output(), &self.policy].into_iter().chain(source.sensitive_output());
        if let Some(other) = used.into_iter().find(|other| is_same_file(other, path)) {
            return Err(
                Error::new(format!("the recipe would replace {}", other.display())).hint("give it another name")
            );
        }
        let plan = Making::new(policy, path);
        let outcome = pipeline::follow(&plan, policy, source, bars)?;
        if let Some(recipe) = plan.recipe() {
            write_whole(path, &recipe.to_text())?;
        }
        Ok(outcome)
    }
}

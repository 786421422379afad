//! `shoal anonymize`: the main job.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use shoal::pipeline::{self, Outcome};
use shoal::policy::Policy;
use shoal::recipe::Making;
use shoal::report::Summary;
use shoal::source::{Source, is_same_file, write_whole};
use shoal::{Error, Result};

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
        let mut source = source::open(&policy, self.input.as_deref(), self.output.as_deref(), self.overwrite)?;
        let bars = Bars::new(context.quiet);
        let outcome = match &self.recipe {
            None => pipeline::anonymize(&policy, source.as_mut(), &bars)?,
            Some(path) => self.with_recipe(path, &policy, source.as_mut(), &bars)?,
        };
        let summary = Summary::new(&policy, &outcome);
        if self.json {
            json_to_stdout(&summary.to_json())?;
        } else if !context.quiet {
            eprint!("{}", summary.to_text());
            eprintln!("next: {}", source::next_step(&policy, &self.policy, &outcome.published));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The same, and what it takes to recode another table in the same way.
    fn with_recipe(&self, path: &Path, policy: &Policy, source: &mut dyn Source, bars: &Bars) -> Result<Outcome> {
        let used = source.files().into_iter().chain([self.policy.as_path()]);
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

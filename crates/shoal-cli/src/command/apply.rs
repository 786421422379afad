//! `shoal apply`: another table, recoded as one was before.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use shoal::recipe::{Application, Recipe};
use shoal::report::ApplicationReport;
use shoal::source::FileSource;
use shoal::{Result, pipeline};

use crate::Context;
use crate::bars::Bars;
use crate::output::{json_to_stdout, say_text, warn};

#[derive(Args)]
pub struct Apply {
    /// The recipe, as `anonymize --recipe` wrote it
    recipe: PathBuf,
    /// The table: the same columns, other rows
    table: PathBuf,
    /// Write the release here [default: TABLE.release.EXT beside the table]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Let the release take the place of a file that is no earlier release of these columns
    #[arg(long)]
    overwrite: bool,
    /// Suppress rows with values that the recipe does not know, instead of refusing the table
    #[arg(long)]
    suppress_unknown: bool,
    /// Print the summary as JSON, on stdout
    #[arg(long)]
    json: bool,
}

impl Apply {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let (recipe, policy) = Recipe::read(&self.recipe)?;
        warn(&policy.warnings);
        let plan = Application { recipe: &recipe, policy: &policy, suppress_unknown: self.suppress_unknown };
        let mut source = FileSource::new(&policy, Some(&self.table), self.output.as_deref())?;
        let mut intent = pipeline::intent(&policy, &source, self.overwrite)?;
        intent.reads("the recipe", &self.recipe);
        let mut outputs = intent.claim()?;
        let made = pipeline::make(&plan, &policy, &mut source, &mut outputs, &Bars::new(context.quiet))?;
        let outcome = made.publish(outputs)?;
        warn(&outcome.warnings_of_table());
        let report = ApplicationReport::new(&outcome);
        if self.json {
            json_to_stdout(&report.to_json()).map_err(|error| error.detail("the release itself is published"))?;
        } else if !context.quiet {
            say_text(&report.to_text());
        }
        Ok(ExitCode::SUCCESS)
    }
}

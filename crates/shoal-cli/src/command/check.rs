//! `shoal check`: is a policy right, as far as that can be told without its table?

use std::path::PathBuf;

use clap::Args;
use shoal_core::page::wrapped;
use shoal_core::{Result, printable};

use crate::command::settings::Settings;
use crate::exit::ExitCode;
use crate::output::{to_stdout, warn};

#[derive(Args)]
pub struct Check {
    /// The policy
    policy: PathBuf,
    #[command(flatten)]
    settings: Settings,
}

/// How wide lines are.
const WIDTH: usize = 80;

impl Check {
    pub fn run(&self) -> Result<ExitCode> {
        let policy = self.settings.read(&self.policy)?;
        policy.check_formats()?;
        policy.check_hierarchies()?;
        warn(&policy.warnings);
        let outline = policy.outline();
        let longest = outline.iter().map(|(verb, _)| verb.len()).max().unwrap_or(0);
        let indent = longest + 4;
        let mut text = format!("{} is right. A run by it\n", printable::line(&self.policy.display().to_string()));
        for (verb, what) in outline {
            // Names of columns are somebody else's.
            let lines = wrapped(&printable::line(&what), WIDTH - indent, "");
            text += &format!("  {verb:longest$}  {}\n", lines.replace('\n', &format!("\n{:indent$}", "")));
        }
        to_stdout(&(text + "The table itself was not looked at.\n"))?;
        Ok(ExitCode::SUCCESS)
    }
}

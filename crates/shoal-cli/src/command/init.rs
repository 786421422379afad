//! `shoal init`: a policy to start with.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use shoal::init::{self, Choices};
use shoal::publish::{Intent, OutputKind, Outputs, folder_of};
use shoal_core::Result;

use crate::Context;
use crate::bars::Bars;
use crate::command::written::Written;
use crate::exit::ExitCode;
use crate::interview::Interview;
use crate::output::{say_text, to_stdout, unless_stdout, word};
use crate::pipe::{Format, is_pipe};
use crate::say;

#[derive(Args)]
pub struct Init {
    /// The table; `-` is stdin
    table: PathBuf,
    #[command(flatten)]
    format: Format,
    /// Write the policy to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    overwrite: bool,
    /// Ask nothing: take what is proposed
    #[arg(long, short)]
    yes: bool,
    #[command(flatten)]
    written: Written,
}

impl Init {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let output = unless_stdout(self.output.as_deref());
        let mut outputs = output.map(|path| self.claim(path)).transpose()?;
        let bars = Bars::new(context);
        let table = self.format.only_table(&self.table)?;
        let mut findings = init::profile_written(&table, self.written.as_said(&self.table)?, &bars)?;
        match (context.quiet, init::warnings(&findings)) {
            (false, _) => say_text(&format!("{}\n", init::summary(&findings))),
            (true, warnings) if warnings.is_empty() => {}
            (true, warnings) => say_text(&warnings),
        }
        let is_terminal =
            [std::io::stdin().is_terminal(), std::io::stdout().is_terminal(), std::io::stderr().is_terminal()];
        let (choices, path) = if self.yes || context.quiet || is_terminal.contains(&false) || is_pipe(&self.table) {
            let (choices, trials) = init::propose(&table, &findings, Choices::proposed(&findings), &bars)?;
            if !context.quiet {
                say_text(&format!("{}\n", trials.to_text()));
            }
            (choices, output.map(Path::to_path_buf))
        } else {
            let answers = Interview::new(&mut findings, output.map(Path::to_path_buf), &bars).run()?;
            (answers.choices, Some(answers.policy))
        };
        match path {
            None => to_stdout(&init::starter_policy(&findings, &choices, Path::new(".")))?,
            Some(path) => {
                let mut outputs = outputs.take().map_or_else(|| self.claim(&path), Ok)?;
                outputs.write(&path, &init::starter_policy(&findings, &choices, &folder_of(&path)))?;
                outputs.publish()?;
                if !context.quiet {
                    say!("{} is a policy to begin with: look at the roles, then", path.display());
                    let input = if is_pipe(&self.table) { " --input FILE" } else { "" };
                    say!("next: shoal anonymize {}{input}", word(&path));
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// A policy that somebody has worked on is not replaced unless they say so.
    fn claim(&self, path: &Path) -> Result<Outputs> {
        let mut intent = Intent::new(self.overwrite);
        self.format.announce(&self.table, &mut intent);
        intent.writes("the policy", path, OutputKind::Edited);
        intent.claim()
    }
}

//! `shoal init`: a policy to start with.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use shoal::format::InputFormat;
use shoal::init::{self, Choices};
use shoal::source::write_whole;
use shoal::{Error, Result};

use crate::Context;
use crate::bars::Bars;
use crate::interview::{self, Interview};
use crate::output::{say, say_line, to_stdout, word};

#[derive(Args)]
pub struct Init {
    /// The table
    table: PathBuf,
    /// Write the policy to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    overwrite: bool,
    /// Ask nothing: take what is proposed
    #[arg(long, short)]
    yes: bool,
}

impl Init {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        // A policy that somebody has worked on is not replaced unless they say so.
        if let Some(path) = self.output.as_ref().filter(|path| path.exists() && !self.overwrite) {
            return Err(Error::new(format!("{} exists already", path.display()))
                .hint("give another name, or --overwrite to replace it"));
        }
        let mut findings = init::profile(&InputFormat::new(&self.table), &Bars::new(context.quiet))?;
        if !context.quiet {
            say(&init::summary(&findings));
        }
        let is_terminal =
            [std::io::stdin().is_terminal(), std::io::stdout().is_terminal(), std::io::stderr().is_terminal()];
        let (choices, path) = if self.yes || context.quiet || is_terminal.contains(&false) {
            (Choices::proposed(&findings), self.output.clone())
        } else {
            let answers = Interview::new(&mut findings, self.output.clone()).run()?;
            (answers.choices, Some(answers.policy))
        };
        match path {
            None => to_stdout(&init::starter_policy(&findings, &choices, Path::new(".")))?,
            Some(path) => {
                write_whole(&path, &init::starter_policy(&findings, &choices, &interview::folder_of(&path)))?;
                if !context.quiet {
                    say_line(&format!("{} is a policy to begin with: look at the roles, then", path.display()));
                    say_line(&format!("next: shoal anonymize {}", word(&path)));
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

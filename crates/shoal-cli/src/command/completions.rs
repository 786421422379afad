//! `shoal completions`: what a shell needs to complete commands and options.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use shoal_core::Result;

use crate::Cli;
use crate::exit::ExitCode;
use crate::output::as_it_is_to_stdout;

#[derive(Args)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub fn run(&self) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "shoal", &mut script);
        as_it_is_to_stdout(&String::from_utf8_lossy(&script))?;
        Ok(ExitCode::SUCCESS)
    }
}

//! `shoal man`: the manual pages of all commands.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use shoal::{Error, Result};

use crate::output::{say_line, word};
use crate::{Cli, Context};

#[derive(Args)]
pub struct Man {
    /// The folder to write them to, such as ~/.local/share/man/man1
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

impl Man {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let failed = |error: std::io::Error| Error::io("write", &self.out, &error);
        std::fs::create_dir_all(&self.out).map_err(failed)?;
        clap_mangen::generate_to(Cli::command(), &self.out).map_err(failed)?;
        if !context.quiet {
            say_line(&format!("the manual pages are in {}: `man {}/shoal.1`", self.out.display(), word(&self.out)));
        }
        Ok(ExitCode::SUCCESS)
    }
}

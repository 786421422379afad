//! `shoal init`: a policy to start with.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use shoal::format::InputFormat;
use shoal::{Error, Result, init};

use crate::Context;
use crate::bars::Bars;
use crate::output::to_stdout;

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
}

impl Init {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        // A policy that somebody has worked on is not replaced unless they say so.
        if let Some(path) = self.output.as_ref().filter(|path| path.exists() && !self.overwrite) {
            return Err(Error::new(format!("{} exists already", path.display()))
                .hint("give another name, or --overwrite to replace it"));
        }
        let findings = init::profile(&InputFormat::new(&self.table), &Bars::new(context.quiet))?;
        if !context.quiet {
            eprintln!("{}", init::summary(&findings));
        }
        match &self.output {
            None => to_stdout(&init::starter_policy(&findings, Path::new(".")))?,
            Some(path) => {
                let folder = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
                let policy = init::starter_policy(&findings, folder);
                std::fs::write(path, policy).map_err(|error| Error::io("write", path, &error))?;
                if !context.quiet {
                    eprintln!("{} is a policy to begin with: look at the roles, then", path.display());
                    eprintln!("next: shoal anonymize {}", path.display());
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

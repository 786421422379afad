//! `shoal init`: a policy to start with.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use shoal::Result;

use crate::Context;

#[derive(Args)]
pub struct Init {
    /// The table
    table: PathBuf,
    /// Write the policy to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Init {
    pub fn run(&self, _context: &Context) -> Result<ExitCode> {
        let _ = (&self.table, &self.output);
        Err(shoal::Error::new("not yet"))
    }
}

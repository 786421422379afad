//! `shoal schema`: what may stand in a policy, for editors.

use std::process::ExitCode;

use clap::Args;
use shoal::Result;
use shoal::policy::schema;

use crate::output::json_to_stdout;

#[derive(Args)]
pub struct PrintSchema {}

impl PrintSchema {
    pub fn run(&self) -> Result<ExitCode> {
        json_to_stdout(&schema())?;
        Ok(ExitCode::SUCCESS)
    }
}

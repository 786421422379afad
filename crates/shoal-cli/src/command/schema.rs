//! `shoal schema`: what may stand in a policy, for editors.

use clap::Args;
use shoal::policy::schema;
use shoal_core::Result;

use crate::exit::ExitCode;
use crate::output::as_it_is_to_stdout;

#[derive(Args)]
pub struct PrintSchema {}

impl PrintSchema {
    pub fn run(&self) -> Result<ExitCode> {
        as_it_is_to_stdout(&schema_text())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The schema as a file.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}

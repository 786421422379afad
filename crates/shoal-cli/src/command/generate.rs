//! `shoal generate`: made-up microdata.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use shoal::generate;
use shoal::publish::{Intent, OutputKind};
use shoal_core::{Error, Result};

use crate::Context;
use crate::exit::ExitCode;
use crate::output::unless_stdout;

#[derive(Args)]
pub struct Generate {
    /// Which table: census (people) or sales (orders)
    name: String,
    /// How many rows
    #[arg(long, value_name = "N")]
    rows: u64,
    /// Another seed, other people
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Write to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Let it take the place of a file that has other columns
    #[arg(long, requires = "output")]
    overwrite: bool,
}

impl Generate {
    pub fn run(&self, _: &Context) -> Result<ExitCode> {
        let Some(path) = unless_stdout(self.output.as_deref()) else {
            generate::write_csv(&self.name, self.rows, self.seed, &mut BufWriter::new(io::stdout().lock()))?;
            return Ok(ExitCode::SUCCESS);
        };
        let columns: Vec<String> = generate::columns(&self.name)?.iter().map(|name| (*name).to_owned()).collect();
        let mut intent = Intent::new(self.overwrite);
        intent.writes(
            "the table",
            path,
            OutputKind::Table { columns: columns.into(), format: Box::default(), names_format: false },
        );
        let mut outputs = intent.claim()?;
        let staged = outputs.create(path)?;
        let failed = |error: io::Error| Error::io("write", path, &error);
        staged.written_by(|file| {
            let mut file = BufWriter::new(file);
            generate::write_csv(&self.name, self.rows, self.seed, &mut file)?;
            file.flush().map_err(failed)
        })?;
        outputs.publish()?;
        Ok(ExitCode::SUCCESS)
    }
}

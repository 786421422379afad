//! `shoal generate`: made-up microdata.

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use shoal::{Error, Result, generate};

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
}

impl Generate {
    pub fn run(&self) -> Result<ExitCode> {
        match &self.output {
            None => generate::write_csv(&self.name, self.rows, self.seed, &mut BufWriter::new(io::stdout().lock()))?,
            Some(path) => {
                let file = std::fs::File::create(path).map_err(|error| Error::io("write", path, &error))?;
                generate::write_csv(&self.name, self.rows, self.seed, &mut BufWriter::new(file))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

//! `shoal studio`: everything in a browser, on one's own machine.

use std::path::PathBuf;
#[cfg(feature = "studio")]
use std::process::{Command, Stdio};

use clap::Args;
use shoal_core::{Error, Result};
#[cfg(feature = "studio")]
use shoal_studio::{Options, serve};

use crate::Context;
use crate::exit::ExitCode;
#[cfg(feature = "studio")]
use crate::{say, signals};

#[derive(Args)]
pub struct Studio {
    /// The table or the policy to open; without it, the page lists those in the current folder
    file: Option<PathBuf>,
    /// Listen on this port instead of any that is free
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Only print the address
    #[arg(long)]
    no_browser: bool,
}

/// In a build without it, the command says which one has it.
#[cfg(not(feature = "studio"))]
impl Studio {
    pub fn run(&self, _: &Context) -> Result<ExitCode> {
        // They are there for the help, which is the same in every build.
        let _ = (&self.file, self.port, self.no_browser);
        Err(Error::place("this build has no studio")
            .hint("`cargo install --path crates/shoal-cli --features full` builds one that has"))
    }
}

#[cfg(feature = "studio")]
impl Studio {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let folder = std::env::current_dir().map_err(|error| Error::io("open", ".".as_ref(), &error))?;
        let options = Options { folder, open: self.file.clone(), port: self.port };
        signals::end_at_once();
        serve(&options, |addresses| {
            // The address is the result, so that it is told even to those who asked for quiet.
            say!("{}", addresses.printed);
            if !context.quiet {
                say!(
                    "the studio is at this address, for you alone: it is on this machine only, and whoever has the address can see the table"
                );
                say!("end it with Ctrl-C; every change is in the policy file by then");
            }
            if !self.no_browser {
                open_browser(&addresses.once);
            }
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Opens the browser, where there is one that can be opened; the address was printed in any case.
#[cfg(feature = "studio")]
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/c", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let quiet = Command::new(program)
        .args(arguments)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    drop(quiet);
}

//! `shoal man`: the manual pages of all commands.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_mangen::Man as Page;
use shoal::publish::{Intent, MANUAL_MARK, OutputKind};
use shoal_core::{Error, Result};

use crate::exit::ExitCode;
use crate::output::word;
use crate::{Cli, Context, say};

#[derive(Args)]
pub struct Man {
    /// The folder to write them to, such as ~/.local/share/man/man1
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Replace files there that Shoal did not make
    #[arg(long)]
    overwrite: bool,
}

impl Man {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        std::fs::create_dir_all(&self.out).map_err(|error| Error::io("write", &self.out, &error))?;
        let mut shoal = Cli::command().disable_help_subcommand(true);
        shoal.build();
        let pages = pages(&shoal, "shoal")?;
        let mut intent = Intent::new(self.overwrite);
        pages.iter().for_each(|(name, _)| _ = intent.writes("a manual page", self.out.join(name), OutputKind::Manual));
        let mut outputs = intent.claim()?;
        pages.iter().try_for_each(|(name, text)| outputs.write(&self.out.join(name), text))?;
        outputs.publish()?;
        if !context.quiet {
            say!("the manual pages are in {}: `man {}/shoal.1`", self.out.display(), word(&self.out));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The pages of a command and of those below it, with the names of their files.
fn pages(command: &clap::Command, name: &str) -> Result<Vec<(String, String)>> {
    let page = Page::new(command.clone());
    let mut text = format!("{MANUAL_MARK}\n").into_bytes();
    page.render(&mut text).map_err(|error| Error::bug(format!("cannot make the page of `{name}`: {error}")))?;
    let mut all = vec![(page.get_filename(), String::from_utf8_lossy(&text).into_owned())];
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        all.extend(pages(inner, inner.get_name())?);
    }
    Ok(all)
}

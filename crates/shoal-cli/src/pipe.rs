//! What stands in a file called `-`: the standard input, or the standard output?

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use shoal::interruption;
use shoal::publish::Intent;
use shoal::source::{Handover, HeldFile, Table};
use shoal_core::{Error, Result};
use shoal_format as format;

use crate::output::word;

#[derive(Args, Default)]
pub struct Format {
    /// What a table called `-` is, on stdin or stdout: csv, tsv, jsonl, csv.gz, parquet, .. [default: csv]
    #[arg(long, value_name = "ENDING")]
    format: Option<String>,
}

/// What it is where nobody says.
const USUAL: &str = "csv";

/// Is it stdin or stdout?
pub fn is_pipe(path: &Path) -> bool {
    path == Path::new("-")
}

/// What stdin reads, as a file of ours.
fn redirected() -> Option<File> {
    #[cfg(unix)]
    let file = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned();
    #[cfg(windows)]
    let file = std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned();
    file.ok().map(File::from)
}

impl Format {
    /// The table that a word of the command line names; stdin goes to a file without a name first, since a table is read twice.
    pub fn table(&self, path: &Path) -> Result<Table> {
        if !is_pipe(path) {
            return Ok(path.into());
        }
        let name = self.named("stdin")?;
        format::check_read(&name)?;
        if !format::is_read_from_pipes(&name) {
            return Err(Error::policy(format!("a table in {} cannot come from stdin", self.ending()))
                .hint("write it to a file, and name that"));
        }
        Ok(Table::Held(HeldFile::spooled(name, io::stdin().lock())?.copied_from(redirected())))
    }

    fn ending(&self) -> &str {
        self.format.as_deref().unwrap_or(USUAL)
    }

    /// The only table of a command: what a file is, its name says.
    pub fn only_table(&self, path: &Path) -> Result<Table> {
        match &self.format {
            Some(ending) if !is_pipe(path) => {
                let file = path.display();
                Err(Error::policy(format!(
                    "`--format` says what stands on stdin, and {file} is a file, whose name says what it is"
                ))
                .hint(format!(
                    "give it a name that ends in .{0}, or write `- --format {0} < {1}`",
                    ending.trim_start_matches('.'),
                    word(path)
                )))
            }
            _ => self.table(path),
        }
    }

    /// `stdin` with the ending that says what it is.
    fn named(&self, name: &str) -> Result<PathBuf> {
        let ending = self.ending().trim_start_matches('.');
        if ending.is_empty() || ending.contains(['/', '\\', '#']) {
            return Err(Error::policy(format!("`--format {}` is no ending of a file's name", self.ending()))
                .hint("csv, tsv, jsonl, parquet, .."));
        }
        Ok(PathBuf::from(format!("{name}.{ending}")))
    }

    /// Says which file the table is, so that nothing is written over it: also the one that stdin is redirected from.
    pub fn announce(&self, path: &Path, intent: &mut Intent) {
        match redirected() {
            Some(file) if is_pipe(path) => intent.reads_open("the table", "stdin", &file),
            _ => intent.reads("the table", format::file_of(path)),
        };
    }

    /// Where a release is made that is to be printed once it is verified.
    pub fn printed(&self) -> Result<Handover> {
        let name = self.named("release")?;
        format::check_written(&name)?;
        Handover::of_nameless(name, print)
    }
}

/// Prints a release. Somebody who closes the pipe has seen enough.
fn print(release: &HeldFile) -> Result<()> {
    let mut file = release.from_the_start()?;
    interruption::begin_to_publish();
    let mut stdout = io::stdout().lock();
    match io::copy(&mut file, &mut stdout).and_then(|_| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::place(format!("cannot write to stdout: {error}")).detail("nothing was published"))
        }
        _ => Ok(()),
    }
}

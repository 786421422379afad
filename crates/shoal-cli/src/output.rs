//! How do results reach stdout, and files?

use std::io::{self, Write};
use std::path::Path;

use shoal::warning::Warning;
use shoal::{Error, Result};

/// Writes to stdout. Somebody who closes the pipe has seen enough: that is no failure.
pub fn to_stdout(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::new(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes an object to stdout.
pub fn json_to_stdout(value: &serde_json::Value) -> Result<()> {
    to_stdout(&format!("{value:#}\n"))
}

/// Writes warnings to stderr, also where nothing else is wanted there.
pub fn warn(warnings: &[Warning]) {
    warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
}

/// What a file is called, without its folder.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

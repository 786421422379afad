//! How do results reach stdout, and messages stderr, whoever listens there?

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use shoal::warning::Warning;
use shoal::{Error, Result};

/// Tells something on stderr, as `eprintln!` does; but if nobody listens any more, that is no reason to stop.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::output::say(format_args!($($text)*)) };
}

/// Writes a line to stderr, if that can be done.
pub fn say(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Writes a text that ends in a line of its own to stderr.
pub fn say_text(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

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
    warnings.iter().for_each(|warning| say!("warning: {warning}"));
}

/// What a file is called, without its folder.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The file that an option names; `-` is stdout.
pub fn unless_stdout(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| *path != Path::new("-"))
}

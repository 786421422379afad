//! How do results reach stdout, and messages stderr, whoever listens there?
//!
//! Names, labels and values come from tables that somebody else may have made. They pass through here, where nothing that a
//! terminal would obey is let through; colours of our own are drawn elsewhere.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use shoal_core::printable;
use shoal_core::warning::Warning;
use shoal_core::{Error, Result};

/// Tells something on stderr, in one line, whatever stands in it.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::output::say(format_args!($($text)*)) };
}

/// Writes a line to stderr. If nobody listens any more, that is no reason to stop.
pub fn say(line: fmt::Arguments<'_>) {
    say_text(&printable::line(&line.to_string()));
}

/// Writes a text of several lines to stderr, and a line ending after the last if it has none.
pub fn say_text(text: &str) {
    let text = printable::lines(text.strip_suffix('\n').unwrap_or(text));
    let _ = io::stderr().lock().write_all(format!("{text}\n").as_bytes());
}

/// Writes lines for people to stdout.
pub fn to_stdout(text: &str) -> Result<()> {
    as_it_is_to_stdout(&printable::lines(text))
}

/// Writes an object to stdout.
pub fn json_to_stdout(value: &serde_json::Value) -> Result<()> {
    as_it_is_to_stdout(&printable::json(&format!("{value:#}\n")))
}

/// Writes a text of our own to stdout. Somebody who closes the pipe has seen enough: that is no failure.
pub fn as_it_is_to_stdout(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::place(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes warnings to stderr, also where nothing else is wanted there.
pub fn warn(warnings: &[Warning]) {
    warnings.iter().for_each(|warning| say_text(&format!("warning: {warning}")));
}

/// What a file is called, without its folder.
pub fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The file that an option names; `-` is stdout.
pub fn unless_stdout(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| *path != Path::new("-"))
}

/// A path as a word of a command that can be copied into a shell.
pub fn word(path: impl AsRef<OsStr>) -> String {
    let path = path.as_ref();
    let bytes = path.as_encoded_bytes();
    // What begins with a dash would be an option.
    let before = if bytes.starts_with(b"-") { "./" } else { "" };
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+,:=@%".contains(byte);
    match path.to_str() {
        Some(text) if !text.is_empty() && bytes.iter().all(is_plain) => format!("{before}{text}"),
        Some(text) if !text.contains(printable::is_unprintable) => {
            format!("'{before}{}'", text.replace('\'', r"'\''"))
        }
        // Neither a terminal nor a message can show it; the shell can be told to make it.
        _ => {
            let octal = |byte: &u8| match byte {
                b if b.is_ascii_alphanumeric() || b"/._-".contains(b) => char::from(*b).to_string(),
                b => format!("\\{b:03o}"),
            };
            format!("\"$(printf '{before}{}')\"", bytes.iter().map(octal).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// What the words of a command are to a shell.
    fn understood(words: &str) -> String {
        let output = Command::new("sh").args(["-c", &format!("printf '<%s>' {words}")]).output().expect("a shell");
        String::from_utf8(output.stdout).expect("text")
    }

    #[test]
    fn a_shell_takes_each_path_for_one_word() {
        assert_eq!(word("a/policy.toml"), "a/policy.toml");
        assert_eq!(word("my policy.toml"), "'my policy.toml'");
        let nasty = [
            "it's",
            "a b",
            "$(id)",
            "`id`",
            "a;b",
            "a&b",
            "a|b",
            "*",
            "~",
            "#a",
            "a\\b",
            "a\"b",
            "!x",
            "a>b",
            "{a,b}",
            "é",
            "",
            "a\u{1b}[2Jb",
            "a\nb",
            "a\u{202e}b'",
            "100%d",
            "\tx",
        ];
        for path in nasty {
            assert_eq!(understood(&word(path)), format!("<{path}>"), "{}", word(path));
            assert!(!word(path).contains(printable::is_unprintable));
        }
        assert_eq!(understood(&word("-rf")), "<./-rf>");
        assert_eq!(understood(&word("- $x")), "<./- $x>");
    }
}

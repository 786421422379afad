//! What went wrong, where, and what can be done about it?

use std::fmt;
use std::path::Path;

use crate::printable;

/// A `Result` whose error is ours, unless another is named.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What an error means to the caller; the command line turns it into an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The run was sound and the answer is no: no release exists, a requirement does not hold (exit code 1).
    AnswerIsNo,
    /// The request was wrong or could not be carried out (exit code 2).
    Failed,
}

/// One lower-case sentence, the particulars below it, and a hint.
///
/// No sensitive value may stand in any of them: messages end up in logs.
#[derive(Debug, Clone)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    details: Vec<String>,
    hint: Option<String>,
}

impl Error {
    /// A request that was wrong or could not be carried out.
    pub fn new(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Failed, message: message.into(), details: Vec::new(), hint: None }
    }

    /// A sound run whose answer is no.
    pub fn answer_is_no(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::AnswerIsNo, ..Self::new(message) }
    }

    /// An operating-system error on a file: `cannot read a.csv: no such file`.
    pub fn io(doing: &str, path: &Path, error: &std::io::Error) -> Self {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
            std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            std::io::ErrorKind::StorageFull => "the disk is full".to_owned(),
            std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
            _ => error.to_string(),
        };
        Self::new(format!("cannot {doing} {}: {reason}", path.display()))
    }

    /// Adds a line of particulars.
    #[must_use]
    pub fn detail(mut self, line: impl Into<String>) -> Self {
        self.details.push(line.into());
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Puts the place before the message: `policy.toml, line 3: ..`.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }

    /// What this error means to the caller.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The sentence alone.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The hint, if there is one.
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names and values of a table may stand in all of them, and must not look like lines of their own.
        f.write_str(&printable::line(&self.message))?;
        for line in &self.details {
            write!(f, "\n  {}", printable::line(line))?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {}", printable::line(hint))?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// The candidate that is spelled most like `word`, if any is near enough to be meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let is_near = |(distance, candidate): &(usize, &str)| {
        let length = word.chars().count().max(candidate.chars().count());
        *distance <= (length / 3).max(1) && *distance < length
    };
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate))
        .filter(is_near)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_reads_as_sentence_particulars_hint() {
        let error =
            Error::new("no such column").detail("the table has `age`").hint("did you mean `age`?").at("a.toml, line 3");
        assert_eq!(
            error.to_string(),
            "a.toml, line 3: no such column\n  the table has `age`\nhint: did you mean `age`?"
        );
    }

    #[test]
    fn a_name_cannot_add_lines_or_move_the_cursor() {
        let error = Error::new("no column `a\nhint: trust me`").detail("`\u{1b}[2J`").hint("`\r`");
        assert_eq!(error.to_string(), "no column `a\\nhint: trust me`\n  `\\u{1b}[2J`\nhint: `\\r`");
    }

    #[test]
    fn the_nearest_spelling_is_proposed_only_when_it_is_near() {
        assert_eq!(nearest("sensitve", ["sensitive", "insensitive"]), Some("sensitive"));
        assert_eq!(nearest("Age", ["age", "zip"]), Some("age"));
        assert_eq!(nearest("colour", ["age", "zip"]), None);
        assert_eq!(nearest("age", ["name", "sex"]), None, "two of four letters differ");
        assert_eq!(nearest("l", ["k"]), None, "nothing is left of it");
    }
}

//! What went wrong, where, and what can be done about it?

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::printable;

/// A `Result` whose error is ours, unless another is named.
///
/// ```
/// use shoal_core::{Error, Result};
///
/// fn at_least_two(k: u64) -> Result<u64> {
///     if k < 2 { Err(Error::policy("one is no crowd").hint("take k = 2 or more")) } else { Ok(k) }
/// }
/// assert_eq!(at_least_two(5).ok(), Some(5));
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What an error means to whoever asked; the command line makes an exit code of it, Python a class of exceptions.
///
/// ```
/// use shoal_core::error::Kind;
///
/// assert_eq!(Kind::NoRelease.id(), "no-release");
/// assert!(Kind::NoRelease.is_an_answer() && !Kind::Policy.is_an_answer());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// What was asked for is wrong or contradicts itself: a policy, a recipe, an option.
    Policy,
    /// The table is not what it should be: its columns, its values, its format.
    Table,
    /// The run was sound, and no release satisfies what is required.
    NoRelease,
    /// The run was sound, and what was to be shown does not hold.
    NotMet,
    /// The table is not the one that was counted.
    Changed,
    /// Where something is read or written, that failed: a file, a folder, a database, a cluster.
    Place,
    /// Whoever watched the run stopped it.
    Cancelled,
    /// It should not have happened, whatever was asked.
    Bug,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Policy,
        Self::Table,
        Self::NoRelease,
        Self::NotMet,
        Self::Changed,
        Self::Place,
        Self::Cancelled,
        Self::Bug,
    ];

    /// Its name, everywhere.
    pub fn id(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Table => "table",
            Self::NoRelease => "no-release",
            Self::NotMet => "not-met",
            Self::Changed => "changed",
            Self::Place => "place",
            Self::Cancelled => "cancelled",
            Self::Bug => "bug",
        }
    }

    /// Was the run sound, and the answer is no?
    pub fn is_an_answer(self) -> bool {
        matches!(self, Self::NoRelease | Self::NotMet)
    }
}

/// One lower-case sentence, the particulars below it, and a hint.
///
/// No sensitive value may stand in any of them: messages end up in logs.
///
/// ```
/// use shoal_core::Error;
/// use shoal_core::error::Kind;
///
/// let error = Error::policy("`k` is missing").hint("add `k = 11`");
/// assert_eq!((error.kind(), error.message(), error.hint_text()), (Kind::Policy, "`k` is missing", Some("add `k = 11`")));
/// ```
#[derive(Debug, Clone)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    kind: Kind,
    message: String,
    details: Vec<String>,
    hint: Option<String>,
    closest: Option<Closest>,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// The combination of levels that came closest to a release, of those that were looked at, where there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closest {
    /// Each quasi-identifier and its level.
    pub levels: Vec<(String, u8)>,
    /// How many rows would have to be suppressed.
    pub suppressed_rows: u64,
    /// How many may be.
    pub allowed_rows: u64,
}

impl Error {
    /// An error of a kind.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            details: Vec::new(),
            hint: None,
            closest: None,
            source: None,
        }))
    }

    /// What was asked for is wrong.
    pub fn policy(message: impl Into<String>) -> Self {
        Self::new(Kind::Policy, message)
    }

    /// The table is not what it should be.
    pub fn table(message: impl Into<String>) -> Self {
        Self::new(Kind::Table, message)
    }

    /// No release satisfies what is required.
    pub fn no_release(message: impl Into<String>) -> Self {
        Self::new(Kind::NoRelease, message)
    }

    /// What was to be shown does not hold.
    pub fn not_met(message: impl Into<String>) -> Self {
        Self::new(Kind::NotMet, message)
    }

    /// The table is not the one that was counted.
    pub fn changed(message: impl Into<String>) -> Self {
        Self::new(Kind::Changed, message)
    }

    /// Reading or writing failed where something is.
    pub fn place(message: impl Into<String>) -> Self {
        Self::new(Kind::Place, message)
    }

    /// Whoever watched the run stopped it.
    pub fn cancelled() -> Self {
        Self::new(Kind::Cancelled, "stopped: nothing was published")
    }

    /// It should not have happened, whatever was asked.
    pub fn bug(message: impl Into<String>) -> Self {
        Self::new(Kind::Bug, message).hint("this is a bug in Shoal, not in your data: please report it with the policy")
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
        let of_system = match error.raw_os_error() {
            Some(code) => std::io::Error::from_raw_os_error(code),
            None => error.kind().into(),
        };
        let is_missing = of_system.kind() == std::io::ErrorKind::NotFound;
        let failed = Self::place(format!("cannot {doing} {}: {reason}", path.display())).from_source(of_system);
        if is_missing { failed.hint(instead_of(path)) } else { failed }
    }

    /// Adds a line of particulars.
    #[must_use]
    pub fn detail(mut self, line: impl Into<String>) -> Self {
        self.0.details.push(line.into());
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Puts the place before the message: `policy.toml, line 3: ..`.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Self {
        self.0.message = format!("{place}: {}", self.0.message);
        self
    }

    /// Keeps the error that this one comes from. It may quote values, so that nothing shows it by itself.
    #[must_use]
    pub fn from_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// Says which combination of levels came closest.
    #[must_use]
    pub fn with_closest(mut self, closest: Closest) -> Self {
        self.0.closest = Some(closest);
        self
    }

    /// Which combination of levels came closest, where there is no release and that is known.
    pub fn closest(&self) -> Option<&Closest> {
        self.0.closest.as_ref()
    }

    /// What this error means to whoever asked.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The sentence alone.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The particulars, line by line.
    pub fn details(&self) -> &[String] {
        &self.0.details
    }

    /// The hint, if there is one.
    pub fn hint_text(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names and values of a table may stand in all of them, and must not look like lines of their own.
        f.write_str(&printable::line(&self.0.message))?;
        for line in &self.0.details {
            write!(f, "\n  {}", printable::line(line))?;
        }
        if let Some(hint) = &self.0.hint {
            write!(f, "\nhint: {}", printable::line(hint))?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as &(dyn std::error::Error + 'static))
    }
}

/// What may be meant by the path of a file that is not there.
fn instead_of(path: &Path) -> String {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return format!("there is no folder {} either", folder.display());
    };
    let names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match nearest(&name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "paths on the command line begin in the current folder, those of a policy in the policy's".to_owned(),
    }
}

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

/// What somebody may have meant by a word that is none of these: those that have it as a part between dashes (`l-diversity` is part of
/// `entropy-l-diversity`), or else the nearest; all of them where none is near.
pub fn did_you_mean(word: &str, known: &[&str]) -> String {
    let lower = word.to_lowercase();
    let has_part = |name: &&&str| format!("-{name}-").contains(&format!("-{lower}-"));
    let parts: Vec<String> = known.iter().filter(has_part).map(|name| format!("`{name}`")).collect();
    match (parts.as_slice(), nearest(word, known.iter().copied())) {
        ([one], _) => format!("did you mean {one}?"),
        ([first @ .., last], _) => format!("did you mean {} or {last}?", first.join(", ")),
        ([], Some(near)) => format!("did you mean `{near}`?"),
        ([], None) => format!("expected one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_of_a_name_may_mean_several() {
        let known =
            ["k-anonymity", "distinct-l-diversity", "entropy-l-diversity", "a-d-diversity", "alpha-k-anonymity"];
        assert_eq!(
            did_you_mean("l-diversity", &known),
            "did you mean `distinct-l-diversity` or `entropy-l-diversity`?"
        );
        assert_eq!(did_you_mean("K", &known), "did you mean `k-anonymity` or `alpha-k-anonymity`?");
        assert_eq!(did_you_mean("k-anonymty", &known), "did you mean `k-anonymity`?");
        assert!(did_you_mean("privacy", &known).starts_with("expected one of k-anonymity, distinct"));
    }

    #[test]
    fn an_error_reads_as_sentence_particulars_hint() {
        let error = Error::table("no such column").detail("the table has `age`").hint("did you mean `age`?");
        assert_eq!(
            error.at("a.toml, line 3").to_string(),
            "a.toml, line 3: no such column\n  the table has `age`\nhint: did you mean `age`?"
        );
    }

    #[test]
    fn a_file_that_is_not_there_may_be_another_one() {
        let hint_for =
            |name: &str| Error::io("read", Path::new(name), &std::io::ErrorKind::NotFound.into()).to_string();
        assert!(hint_for("src/eror.rs").ends_with("\nhint: did you mean `error.rs`?"));
        assert!(hint_for("nowhere/a.csv").ends_with("\nhint: there is no folder nowhere either"));
        assert!(hint_for("patients-of-2024.csv").ends_with(
            "\nhint: paths on the command line begin in the current folder, those of a policy in the policy's"
        ));
    }

    #[test]
    fn a_name_cannot_add_lines_or_move_the_cursor() {
        let error = Error::table("no column `a\nhint: trust me`").detail("`\u{1b}[2J`").hint("`\r`");
        assert_eq!(error.to_string(), "no column `a\\nhint: trust me`\n  `\\u{1b}[2J`\nhint: `\\r`");
    }

    #[test]
    fn what_the_system_said_is_kept() {
        let error = Error::io("read", Path::new("a.csv"), &std::io::ErrorKind::NotFound.into());
        assert_eq!(error.kind(), Kind::Place);
        let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<std::io::Error>());
        assert_eq!(source.map(std::io::Error::kind), Some(std::io::ErrorKind::NotFound));
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

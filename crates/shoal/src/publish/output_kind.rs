//! Which files may an output take the place of without being told to?

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use shoal_core::Result;
use shoal_format::{self as format, InputFormat};

/// What an output is. It takes the place of an earlier one of its kind; of nothing else, unless somebody says so.
#[derive(Debug, Clone)]
pub enum OutputKind {
    /// A table; an earlier one has the same columns.
    Table {
        /// The columns that will be written.
        columns: Columns,
        /// How an earlier one would be read.
        format: Box<InputFormat>,
        /// Does the end of its name say how it is written?
        names_format: bool,
    },
    /// The page about a release.
    Report,
    /// The certificate of a release.
    Certificate,
    /// How a table was recoded.
    Recipe,
    /// A drawing.
    Plot,
    /// A page of the reference, or the schema beside them.
    Reference,
    /// A manual page.
    Manual,
    /// Something that people edit, so that there is no telling whether it is still what Shoal wrote.
    Edited,
}

/// The columns of a table, in any order, or why they cannot be told. They are asked for only where a file is found in its place, since
/// telling may mean to open the input; and only then, since an earlier run may give that file its name until the last moment.
#[derive(Clone)]
pub struct Columns(Arc<dyn Fn() -> Result<Vec<String>> + Send + Sync>);

impl Columns {
    /// What `tell` gives when it is asked.
    pub fn told_by(tell: impl Fn() -> Result<Vec<String>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }
}

impl From<Vec<String>> for Columns {
    fn from(columns: Vec<String>) -> Self {
        Self::told_by(move || Ok(columns.clone()))
    }
}

impl fmt::Debug for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Columns")
    }
}

/// What every report holds.
pub const REPORT_MARK: &str = "<meta name=\"generator\" content=\"Shoal\">";
/// What every plot holds.
pub const PLOT_MARK: &str = "<!-- made by shoal compare -->";
/// What every page of the reference begins with.
pub const REFERENCE_MARK: &str = "<!-- Made by `shoal reference`; change the program, not this file. -->";
/// What the schema of policies says of itself.
const SCHEMA_MARK: &str = "\"title\": \"Policy of Shoal\"";
/// What every manual page begins with.
pub const MANUAL_MARK: &str = ".\\\" made by shoal man";

/// Marks stand at the beginning; no more than this is read to find one.
const HEAD: u64 = 1 << 12;

impl OutputKind {
    /// Is the file at `path` an earlier output of this kind? An empty file holds nothing that could be lost.
    pub(super) fn is_of(&self, path: &Path) -> Result<bool> {
        if path.metadata().is_ok_and(|metadata| metadata.len() == 0) {
            return Ok(true);
        }
        Ok(match self {
            Self::Table { columns, format, .. } => has_columns(path, &(columns.0)()?, format),
            Self::Report => head(path).is_some_and(|head| head.contains(REPORT_MARK)),
            Self::Plot => head(path).is_some_and(|head| head.contains(PLOT_MARK)),
            Self::Reference => {
                head(path).is_some_and(|head| head.starts_with(REFERENCE_MARK) || head.contains(SCHEMA_MARK))
            }
            Self::Manual => head(path).is_some_and(|head| head.starts_with(MANUAL_MARK)),
            Self::Certificate => head(path).is_some_and(|head| is_json_of(&head, "certificate")),
            Self::Recipe => head(path).is_some_and(|head| is_json_of(&head, "recipe")),
            Self::Edited => false,
        })
    }

    /// Why a file that is not of this kind is left alone.
    pub(super) fn what_it_is_not(&self) -> &'static str {
        match self {
            Self::Table { .. } => "it does not have the columns that would be written",
            Self::Report => "it is no report of Shoal",
            Self::Certificate => "it is no certificate of Shoal",
            Self::Recipe => "it is no recipe of Shoal",
            Self::Plot => "it is no plot of Shoal",
            Self::Reference | Self::Manual => "Shoal did not make it",
            Self::Edited => "somebody may have worked on it",
        }
    }
}

fn has_columns(path: &Path, columns: &[String], format: &InputFormat) -> bool {
    // Whatever is written has a header.
    let input = InputFormat { path: path.to_owned(), is_part: true, header: Some(true), ..format.clone() };
    let Ok(reader) = format::open(&input) else { return false };
    let sorted = |names: &[String]| {
        let mut names = names.to_vec();
        names.sort();
        names
    };
    sorted(reader.columns()) == sorted(columns)
}

fn head(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Does a text begin as an object of Shoal whose first key is this one?
fn is_json_of(head: &str, key: &str) -> bool {
    let first = head.trim_start().strip_prefix('{').map(str::trim_start);
    let first = first.and_then(|rest| rest.strip_prefix('"')?.strip_prefix(key)?.strip_prefix('"'));
    first.is_some_and(|rest| rest.trim_start().starts_with(':')) && head.contains("\"shoal\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_of(kind: &OutputKind, text: &str) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, text).unwrap();
        kind.is_of(&path).unwrap()
    }

    #[test]
    fn an_output_is_known_by_its_mark() {
        assert!(is_of(&OutputKind::Certificate, "{\n  \"certificate\": 1,\n  \"shoal\": \"0.1.0\"\n}"));
        assert!(is_of(&OutputKind::Recipe, "{\"recipe\":1,\"shoal\":\"0.1.0\"}"));
        assert!(!is_of(&OutputKind::Recipe, "{\"certificate\":1,\"shoal\":\"0.1.0\"}"), "another kind");
        assert!(!is_of(&OutputKind::Certificate, "{\"certificate\": \"of somebody else\"}"));
        assert!(is_of(&OutputKind::Report, &format!("<html><head>{REPORT_MARK}</head></html>")));
        assert!(!is_of(&OutputKind::Report, "<html><head></head></html>"));
        assert!(!is_of(&OutputKind::Report, "key = secret"));
        assert!(is_of(&OutputKind::Plot, &format!("<svg>{PLOT_MARK}</svg>")));
        assert!(is_of(&OutputKind::Reference, &format!("{REFERENCE_MARK}\n")));
        assert!(
            is_of(&OutputKind::Reference, &format!("{{\n  {SCHEMA_MARK}\n}}")) && !is_of(&OutputKind::Reference, "{}")
        );
        for kind in [OutputKind::Edited, OutputKind::Report, OutputKind::Recipe] {
            assert!(is_of(&kind, ""), "nothing is lost with an empty file");
        }
        assert!(!is_of(&OutputKind::Edited, "x"));
    }

    #[test]
    fn a_table_is_known_by_its_columns() {
        let table = |columns: &[&str]| OutputKind::Table {
            columns: columns.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>().into(),
            format: Box::default(),
            names_format: true,
        };
        assert!(is_of(&table(&["age", "ill"]), "ill,age\nflu,30\n"));
        assert!(is_of(&table(&["age", "ill"]), "age,ill\n"), "without rows");
        assert!(!is_of(&table(&["age", "ill"]), "age,ill,name\n30,flu,Ann\n"));
        assert!(!is_of(&table(&["age", "ill"]), "a letter to nobody"));
    }
}

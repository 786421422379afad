//! What is known beforehand about the file a table is read from?

use std::borrow::Cow;
use std::fs::File;
use std::io::Seek;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use encoding_rs::Encoding;

use super::{Dialect, file_kind, open_file};
use shoal_core::error::nearest;
use shoal_core::table::NumberMarks;
use shoal_core::{Error, Result};

/// Where a table is and what its owner says about the way it is written; the rest is detected.
///
/// Only CSV files need more than a path and perhaps a table.
#[derive(Debug, Clone, Default)]
pub struct InputFormat {
    /// The file; the end of its name decides about its format. `clinic.sqlite#patients` names a table in it as well.
    pub path: PathBuf,
    /// The byte between two cells.
    pub delimiter: Option<u8>,
    /// The byte around cells that need it.
    pub quote: Option<u8>,
    /// Does the first row hold the names of the columns?
    pub header: Option<bool>,
    /// The WHATWG label of the encoding; a byte order mark overrules it.
    pub encoding: Option<String>,
    /// How numbers are written. Where decimals are as `3,5`, a comma is the last guess for a delimiter.
    pub marks: NumberMarks,
    /// How many lines of a text, or rows of a sheet, stand before the table: titles, comments.
    pub skip: u64,
    /// Names of columns that it should have, as far as they are known: they tell which delimiter is meant.
    pub names: Vec<String>,
    /// How missing values are marked; they tell nothing about whether there is a header.
    pub missing: Vec<String>,
    /// Which of several tables in the file: a sheet of a workbook, a table or view of a database.
    pub table: Option<String>,
    /// A query whose result is the table, where the file is a database.
    pub query: Option<String>,
    /// Do cells that begin like a formula have an apostrophe before them, which is no part of them?
    pub escaped_formulas: bool,
    /// Will a release have such apostrophes?
    pub release_escapes_formulas: bool,
    /// Is this one of many files that are a table together, so that it needs no rows of its own?
    pub is_part: bool,
    /// The file, where it is open already: the path is then only what it is called. One reader at a time can use it.
    pub handle: Option<Arc<File>>,
}

/// Labels worth proposing when one is misspelled; encoding_rs knows more than these.
const LABELS: [&str; 30] = [
    "utf-8",
    "utf8",
    "utf-16",
    "utf-16le",
    "utf-16be",
    "ascii",
    "us-ascii",
    "latin1",
    "iso-8859-1",
    "iso-8859-2",
    "iso-8859-5",
    "iso-8859-7",
    "iso-8859-9",
    "iso-8859-15",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1257",
    "cp1252",
    "macintosh",
    "koi8-r",
    "ibm866",
    "shift_jis",
    "euc-jp",
    "gbk",
    "gb18030",
    "big5",
    "euc-kr",
];

impl InputFormat {
    /// A file of which nothing is known but its place.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// The same with the table apart where the path names both: `clinic.sqlite#patients`. A file that is really called so
    /// comes first.
    pub(super) fn with_table_apart(&self) -> Cow<'_, Self> {
        match file_and_table(&self.path).filter(|_| self.handle.is_none()) {
            None => Cow::Borrowed(self),
            Some((path, table)) => Cow::Owned(Self { path, table: Some(table), query: None, ..self.clone() }),
        }
    }

    /// A file that [`create`](super::create) wrote like this dialect: nothing is left to detection.
    pub fn written_like(path: impl Into<PathBuf>, like: &Dialect) -> Self {
        let path = path.into();
        let dialect = like.clone().for_name(&path);
        Self {
            delimiter: Some(dialect.delimiter),
            quote: Some(dialect.quote),
            header: Some(dialect.header),
            encoding: Some(dialect.encoding.name().to_owned()),
            escaped_formulas: dialect.formulas.are_escaped(),
            ..Self::new(path)
        }
    }

    /// The same, read from a file that is open already.
    #[must_use]
    pub fn held_by(self, handle: Arc<File>) -> Self {
        Self { handle: Some(handle), ..self }
    }

    /// Opens the file, from its first byte on.
    pub(super) fn open(&self) -> Result<File> {
        let Some(handle) = &self.handle else { return open_file(&self.path) };
        let from_the_start = handle.try_clone().and_then(|mut file| file.rewind().map(|()| file));
        from_the_start.map_err(|error| Error::io("read", &self.path, &error))
    }

    /// The encoding that is asked for, if one is.
    pub(super) fn known_encoding(&self) -> Result<Option<&'static Encoding>> {
        let Some(label) = &self.encoding else { return Ok(None) };
        if let Some(encoding) = Encoding::for_label_no_replacement(label.as_bytes()) {
            return Ok(Some(encoding));
        }
        Err(Error::table(format!("there is no encoding `{label}`")).hint(match nearest(label, LABELS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "use a WHATWG label such as utf-8, windows-1252 or utf-16le".to_owned(),
        }))
    }

    /// How a release is opened, given how its input is: it always has a header and nothing before it, and a name
    /// that promises tabs keeps that promise. Whether the file is a release is not known, so that the first is left to be found out.
    #[must_use]
    pub fn of_release(self) -> Self {
        let header = self.header.filter(|&header| header);
        let delimiter = self.delimiter.filter(|_| !file_kind::is_tab_separated(&self.path));
        let escaped_formulas = self.release_escapes_formulas;
        Self { header, delimiter, skip: 0, table: None, query: None, escaped_formulas, ..self }
    }

    /// Refuses delimiters and quotes that could not be told from the text around them.
    pub(super) fn check_delimiter_and_quote(&self) -> Result<()> {
        for (option, byte) in [("delimiter", self.delimiter), ("quote", self.quote)] {
            if byte.is_some_and(|byte| !byte.is_ascii() || matches!(byte, b'\0' | b'\r' | b'\n')) {
                return Err(Error::table(format!("`{option}` must be one ASCII character and no line ending")));
            }
        }
        if self.delimiter == Some(self.quote.unwrap_or(b'"')) {
            return Err(Error::table("`delimiter` and `quote` are the same character"));
        }
        Ok(())
    }
}

/// The file that a path leads to, which may name a table in it as well.
pub fn file_of(path: &Path) -> PathBuf {
    file_and_table(path).map_or_else(|| path.to_path_buf(), |(file, _)| file)
}

/// The two parts of a path like `clinic.sqlite#patients`.
pub(super) fn file_and_table(path: &Path) -> Option<(PathBuf, String)> {
    let (file, table) = path.to_str()?.rsplit_once('#')?;
    let file = PathBuf::from(file);
    (!table.is_empty() && !path.exists() && file.is_file()).then(|| (file, table.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_name_a_table_unless_a_file_is_called_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a.sqlite"), "").expect("a file");
        assert_eq!(file_and_table(&path("a.sqlite#b")), Some((path("a.sqlite"), "b".to_owned())));
        assert_eq!(file_and_table(&path("c.sqlite#b")), None);
        assert_eq!(file_and_table(&path("a.sqlite#")), None);
        std::fs::write(path("a.sqlite#b"), "").expect("a file");
        assert_eq!(file_and_table(&path("a.sqlite#b")), None);
    }

    fn with_encoding(label: &str) -> InputFormat {
        InputFormat { encoding: Some(label.to_owned()), ..InputFormat::default() }
    }

    #[test]
    fn a_misspelled_encoding_is_answered_with_the_nearest() {
        assert_eq!(with_encoding("latin1").known_encoding().expect("a label"), Some(encoding_rs::WINDOWS_1252));
        let error = with_encoding("windows-125").known_encoding().expect_err("no label");
        assert_eq!(error.message(), "there is no encoding `windows-125`");
        assert!(error.hint_text().is_some_and(|hint| hint.contains("`windows-125")), "{error}");
        let error = with_encoding("klingon").known_encoding().expect_err("no label");
        assert!(error.hint_text().is_some_and(|hint| hint.contains("WHATWG")), "{error}");
    }

    #[test]
    fn every_proposed_encoding_exists() {
        for label in LABELS {
            assert!(with_encoding(label).known_encoding().is_ok(), "{label}");
        }
    }

    #[test]
    fn a_delimiter_must_differ_from_text_and_quote() {
        let with = |delimiter, quote| {
            InputFormat { delimiter: Some(delimiter), quote, ..InputFormat::default() }.check_delimiter_and_quote()
        };
        assert!(with(b';', Some(b'"')).is_ok());
        assert!(with(b'\n', None).is_err());
        assert!(with(0xa7, None).is_err());
        assert!(with(b'\'', Some(b'\'')).is_err());
        assert!(with(b'"', None).is_err());
    }
}

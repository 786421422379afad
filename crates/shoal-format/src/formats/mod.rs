//! Which formats are there, and what is known about each before a file of it is opened?

mod csv;
mod json_lines;
#[cfg(test)]
mod laws;
mod parquet;
mod sqlite;
mod workbook;

use std::fs::File;
use std::path::Path;

use super::compression::Compression;
use super::{Dialect, InputFormat, OutputColumn, TableReader, TableWriter};
use shoal_core::{Error, Result};

/// All formats. What needs one asks the name of a file, and then the entry, never for a format by its name.
pub static FORMATS: [&Format; 5] =
    [&csv::FORMAT, &json_lines::FORMAT, &parquet::FORMAT, &workbook::FORMAT, &sqlite::FORMAT];

/// A way in which tables are laid out in files. An entry is there whether or not the format is built in, so that a refusal
/// can say what would help.
#[derive(Debug)]
pub struct Format {
    /// What it is called: "Parquet".
    pub name: &'static str,
    /// What one of its files is: "a Parquet file".
    pub one_file: &'static str,
    /// How the names of its files end, without the dot; a release that is named for its owner gets the first.
    pub extensions: &'static [&'static str],
    /// Are its files made of text, so that `.gz` or `.zst` after the extension says how that is squeezed?
    pub is_text: bool,
    /// How its files begin, where they are no text.
    pub signatures: &'static [Signature],
    /// What there is in a file.
    pub holds: Holds,
    /// The form of numbers in it.
    pub numbers: NumberForm,
    /// How names of files end in which a release can be written: some of the extensions.
    pub written: &'static [&'static str],
    /// The feature that adds it, unless it is always there.
    pub feature: Option<&'static str>,
    /// The code for it, where it is built in.
    pub(crate) code: Option<Code>,
}

/// How files begin that are no text.
#[derive(Debug)]
pub struct Signature {
    /// The first bytes.
    pub bytes: &'static [u8],
    /// What such a file is, as far as they tell.
    pub what: &'static str,
    /// How the name of such a file should end: some of the extensions of its format.
    pub extensions: &'static [&'static str],
    /// What to do with it if it is something else that begins the same way.
    pub otherwise: Option<&'static str>,
}

/// The form in which a format writes numbers that are made of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberForm {
    /// As their text.
    Text,
    /// As the literals of JSON.
    Json,
    /// In a column of numbers.
    Typed,
}

/// What there is in a file of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// The file is a table.
    Table,
    /// Tables with names, which are called like this: "sheets".
    Named(&'static str),
    /// A database: tables with names, and the results of queries.
    Database,
}

/// How tables of a format are read and written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code {
    pub(crate) open: fn(&InputFormat, Compression) -> Result<Box<dyn TableReader>>,
    pub(crate) create: Option<Create>,
    /// How many lines or rows stand before a table, in formats where something may.
    pub(crate) titles: Option<fn(&InputFormat, Compression) -> Result<u64>>,
}

/// Starts a table.
pub(crate) type Create = fn(New<'_>) -> Result<Box<dyn TableWriter>>;

/// A table that is about to be written.
pub(crate) struct New<'a> {
    /// The name that the file will get.
    pub(crate) path: &'a Path,
    pub(crate) file: File,
    pub(crate) compression: Compression,
    pub(crate) columns: &'a [OutputColumn],
    pub(crate) like: &'a Dialect,
    pub(crate) missing_marker: &'a str,
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Format {
    /// Is it built in?
    pub fn is_built_in(&self) -> bool {
        self.code.is_some()
    }

    /// The code for it; an error that says which build would have it. `verb` is what was to be done to the file: "read".
    pub(crate) fn code(&self, verb: &str, path: &Path) -> Result<Code> {
        self.code.ok_or_else(|| {
            let error =
                Error::table(format!("cannot {verb} {}: this shoal was built without {}", path.display(), self.name));
            how_to_have(self).into_iter().fold(error, Error::hint)
        })
    }

    /// Refuses to look for a table in a file that is one, and for the results of queries where there are none.
    pub(crate) fn check_table(&self, input: &InputFormat) -> Result<()> {
        let (key, reason) = match (self.holds, &input.table, &input.query) {
            (Holds::Database, Some(_), Some(_)) => ("query", "`table` names it already".to_owned()),
            (Holds::Database, ..) | (Holds::Named(_), _, None) | (_, None, None) => return Ok(()),
            (Holds::Named(tables), ..) => ("query", format!("{} has {tables}, which `table` names", self.one_file)),
            (Holds::Table, Some(_), _) => ("table", "the file is one table".to_owned()),
            (Holds::Table, None, Some(_)) => ("query", "the file is one table and no database".to_owned()),
        };
        Err(Error::table(format!("{}: {reason}", input.path.display())).hint(format!("leave `{key}` out")))
    }
}

/// Which build would have a format, unless this one has.
pub(crate) fn how_to_have(format: &Format) -> Option<String> {
    (!format.is_built_in()).then(|| format!("`{}` builds one that has {}", install_with(&[format]), format.name))
}

/// The command that builds the program with these formats, and with those that it has.
fn install_with(more: &[&Format]) -> String {
    let built_in = FORMATS.iter().filter(|format| format.is_built_in());
    let features: Vec<&str> = built_in.chain(more).filter_map(|format| format.feature).collect();
    format!("cargo install --path crates/shoal-cli --features {}", features.join(","))
}

/// What can be read, for the hint of a message.
pub(crate) fn read() -> String {
    format!("read are {}, and folders of such files{}", endings(|format| format.extensions), left_out(|_| true))
}

/// What can be written, for the hint of a message.
pub(crate) fn written() -> String {
    format!("written are {}{}", endings(|format| format.written), left_out(|format| !format.written.is_empty()))
}

/// The endings of the names of files of some formats that are built in.
fn endings(wanted: fn(&Format) -> &'static [&'static str]) -> String {
    let of = |is_text: bool| -> Vec<String> {
        let formats = FORMATS.iter().filter(|format| format.is_built_in() && format.is_text == is_text);
        formats.flat_map(|format| wanted(format)).map(|extension| format!(".{extension}")).collect()
    };
    let mut endings = joined(&of(true), "and");
    let packed: Vec<String> = Compression::ENDINGS.iter().map(|(ending, _)| (*ending).to_owned()).collect();
    endings += &format!(", each also with {}", joined(&packed, "or"));
    match of(false).as_slice() {
        [] => {}
        [one] => endings += &format!(", and {one}"),
        others => endings += &format!(", {}", joined(others, "and")),
    }
    endings
}

/// What another build would have.
fn left_out(wanted: fn(&Format) -> bool) -> String {
    let others: Vec<&Format> =
        FORMATS.iter().copied().filter(|format| !format.is_built_in() && wanted(format)).collect();
    if others.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = others.iter().map(|format| format.name).collect();
    format!("; this shoal was built without {}, which `{}` adds", joined(&names, "and"), install_with(&others))
}

/// A list in a sentence: "a, b and c".
pub(crate) fn joined<T: AsRef<str>>(items: &[T], last: &str) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

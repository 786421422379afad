//! Which files of a folder are the table, and what do the names of its folders say?

use std::fs;
use std::path::{Path, PathBuf};

use super::file_kind;
use super::formats::{self, FORMATS, Holds};
use shoal_core::{Error, Result};

/// A file of a folder that is one table.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    /// What the folders on the way are named after: `year=2024`.
    said: Vec<(String, Option<String>)>,
}

/// How Hive, Spark and others name the folder of rows without a value.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

impl Part {
    /// The columns that folders are named after.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.said.iter().map(|(name, _)| name)
    }

    /// Their values for the rows of this file.
    pub(super) fn values(&self) -> impl Iterator<Item = Option<&str>> {
        self.said.iter().map(|(_, value)| value.as_deref())
    }
}

/// The files of a folder and of those in it, by path; at least one, all of one format. Names that begin with a dot or an
/// underscore are left out, as everywhere: they are marks and checksums of whoever wrote the folder.
pub(super) fn of(folder: &Path) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    collect(folder, &mut Vec::new(), &mut parts)?;
    let Some(first) = parts.first() else {
        return Err(Error::table(format!("{} is a folder without files", folder.display()))
            .hint("a folder is read as one table: all files in it, and in the folders in it"));
    };
    let format = file_kind::of(&first.path)?.0;
    if format.holds != Holds::Table {
        return Err(Error::table(format!("{} is {}, in a folder", first.path.display(), format.one_file))
            .detail(one_format())
            .hint("name one file as the table"));
    }
    for part in &parts {
        if file_kind::of(&part.path)?.0 != format {
            return Err(Error::table(format!("{} is not like the others in its folder", part.path.display()))
                .detail(one_format())
                .hint("move it elsewhere, or name one file as the table"));
        }
        if !part.names().eq(first.names()) {
            return Err(Error::table(format!(
                "{} is in folders of other names than the first file",
                part.path.display()
            ))
            .detail("folders like `year=2024` make a column, which all files must have"));
        }
    }
    Ok(parts)
}

fn one_format() -> String {
    let names = FORMATS.iter().filter(|format| format.holds == Holds::Table).map(|format| format.name);
    let names = formats::joined(&names.collect::<Vec<_>>(), "or");
    format!("a folder is read as one table, of files in one format: {names}")
}

fn collect(folder: &Path, said: &mut Vec<(String, Option<String>)>, parts: &mut Vec<Part>) -> Result<()> {
    let unreadable = |error: std::io::Error| Error::io("read", folder, &error);
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    paths.sort();
    for path in paths {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with(['.', '_']) {
            continue;
        }
        let metadata = fs::metadata(&path).map_err(|error| Error::io("read", &path, &error))?;
        if metadata.is_dir() {
            let column = name.split_once('=').map(|(name, value)| (unescaped(name), value_of(value)));
            let depth = said.len();
            said.extend(column);
            collect(&path, said, parts)?;
            said.truncate(depth);
        } else if metadata.len() > 0 {
            parts.push(Part { path, said: said.clone() });
        }
    }
    Ok(())
}

fn value_of(text: &str) -> Option<String> {
    (text != NO_VALUE).then(|| unescaped(text))
}

/// Characters that a file system might not take are written as `%3A`.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| byte == b'%') {
            Some(escaped) => {
                bytes.push(escaped);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_unescaped() {
        assert_eq!(unescaped("a%20b%3Ac"), "a b:c");
        assert_eq!(unescaped("100%"), "100%");
        assert_eq!(unescaped("%zz%C3%A9"), "%zzé");
        assert_eq!(value_of(NO_VALUE), None);
        assert_eq!(value_of(""), Some(String::new()));
    }
}

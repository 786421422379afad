//! Which files does a recipe need, and which places does it name?
//!
//! A recipe may come from somebody else, so it says nothing about where things are: it knows the files that it needs by their
//! names and their SHA-256, and looks for them beside itself unless somebody says where they are. Where tables are read and
//! written, which table of a file that is, and where keys are, is for whoever applies it to say.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::policy::engines;
use shoal_core::{Error, Result, text_file};

/// The SHA-256 of each file that a recipe needs, by its name.
pub(super) type Files = BTreeMap<String, String>;

/// What a recipe must not name: section and keys.
fn places() -> [(&'static str, Vec<&'static str>); 2] {
    let of_engines = engines::keys();
    let input = ["path", "table", "query"].into_iter().chain(of_engines).collect();
    [("input", input), ("output", vec!["path", "table", "sensitive-path", "report"])]
}

const KEY_FILE: &str = "key-file";

/// Takes out of a policy where its tables and keys are.
pub(super) fn without_places(policy: &mut Map<String, Value>) {
    for (section, keys) in places() {
        if let Some(Value::Object(section)) = policy.get_mut(section) {
            keys.iter().for_each(|key| drop(section.shift_remove(*key)));
        }
    }
    for column in columns(policy) {
        column.shift_remove(KEY_FILE);
    }
}

/// Refuses a policy that says where something is read or written.
pub(super) fn refuse_places(policy: &mut Map<String, Value>) -> Result<()> {
    let refused = |key: String| {
        Error::policy(format!(
            "the recipe has the key `{key}`, and no recipe says what to read, where to write or where a key is"
        ))
        .hint("nobody but you decides that (FILE#TABLE names a table of a file); ask for a recipe as `shoal anonymize POLICY --recipe FILE` writes it")
    };
    for (section, keys) in places() {
        let named = |key: &&&str| policy.get(section).is_some_and(|section| section.get(**key).is_some());
        if let Some(key) = keys.iter().find(named) {
            return Err(refused(format!("{section}.{key}")));
        }
    }
    match columns(policy).any(|column| column.contains_key(KEY_FILE)) {
        true => Err(refused(KEY_FILE.to_owned())),
        false => Ok(()),
    }
}

fn columns(policy: &mut Map<String, Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    let columns = policy.get_mut("columns").and_then(Value::as_object_mut);
    columns.into_iter().flat_map(|columns| columns.values_mut()).filter_map(Value::as_object_mut)
}

/// The paths of files that a policy reads: hierarchies, and the groups of sensitive values.
fn paths(policy: &mut Map<String, Value>) -> Vec<&mut String> {
    let mut tables: Vec<(&mut Map<String, Value>, &[&str])> = Vec::new();
    for (section, value) in policy {
        let (inner, key, files): (Vec<&mut Value>, &str, &[&str]) = match (section.as_str(), value) {
            ("columns", Value::Object(columns)) => (columns.values_mut().collect(), "hierarchy", &["file"]),
            ("require", Value::Array(requires)) => (requires.iter_mut().collect(), "groups", &["file", "likelihoods"]),
            _ => continue,
        };
        let inner = inner.into_iter().filter_map(|value| value.get_mut(key)?.as_object_mut());
        tables.extend(inner.map(|table| (table, files)));
    }
    let of_table = |(table, files): (_, &'static [&'static str])| {
        let table: &mut Map<String, Value> = table;
        table.iter_mut().filter(|(key, _)| files.contains(&key.as_str())).filter_map(|(_, value)| match value {
            Value::String(path) => Some(path),
            _ => None,
        })
    };
    tables.into_iter().flat_map(of_table).collect()
}

/// Puts the names of files into the place of their paths, which begin in `folder`; which files they are.
pub(super) fn named(policy: &mut Map<String, Value>, folder: &Path) -> Result<Files> {
    let mut files = Files::new();
    for path in paths(policy) {
        let place = folder.join(&*path);
        let sha256 = sha256_of(&place)?;
        let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if files.insert(name.clone(), sha256.clone()).is_some_and(|other| other != sha256) {
            return Err(Error::policy(format!("two files of the policy are called `{name}`, and differ"))
                .hint("a recipe knows files by their names: give one of them another"));
        }
        *path = name;
    }
    Ok(files)
}

/// Puts paths into the place of names: those that are given, or else `folder` and the name. What is there must be the file
/// that the recipe was made with.
pub(super) fn found(
    policy: &mut Map<String, Value>,
    files: &Files,
    folder: &Path,
    given: &[(String, PathBuf)],
) -> Result<()> {
    if let Some((name, _)) = given.iter().find(|(name, _)| !files.contains_key(name)) {
        return Err(Error::policy(format!("the recipe needs no file `{name}`")).hint(match files.keys().next() {
            None => "it needs none at all".to_owned(),
            Some(_) => {
                format!("it needs {}", files.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
            }
        }));
    }
    let mut needed: Vec<String> = paths(policy).into_iter().map(|name| name.clone()).collect();
    needed.sort_unstable();
    if let Some(name) = files.keys().find(|name| needed.binary_search(name).is_err()) {
        return Err(Error::policy(format!("the recipe names the file `{name}`, which its policy does not read")));
    }
    for path in paths(policy) {
        let name = &*path;
        let Some(expected) = files.get(name) else {
            return Err(Error::policy(format!("the recipe does not say which file `{name}` is")));
        };
        let is_bare = matches!(Path::new(name).components().collect::<Vec<_>>()[..], [Component::Normal(_)]);
        let place = match given.iter().find(|(given, _)| given == name) {
            Some((_, place)) => place.clone(),
            None if is_bare => folder.join(name),
            None => {
                return Err(Error::policy(format!("the recipe looks for a file outside of its folder, `{name}`"))
                    .hint("a recipe knows files by their names alone"));
            }
        };
        if !place.is_file() {
            return Err(Error::policy(format!("the recipe needs the file `{name}`, and {} is none", place.display()))
                .hint(format!("put it beside the recipe, or say where it is: --file {name}=PATH")));
        }
        if sha256_of(&place)? != *expected {
            return Err(Error::policy(format!("{} is not the file that the recipe was made with", place.display()))
                .detail("its SHA-256 is another one")
                .hint("restore the file, or make a new release and a new recipe with `shoal anonymize`"));
        }
        *path = place.to_str().map(str::to_owned).ok_or_else(|| {
            Error::policy(format!("the path {} is not UTF-8", place.display())).hint("move the file elsewhere")
        })?;
    }
    Ok(())
}

fn sha256_of(path: &Path) -> Result<String> {
    let bytes = text_file::bytes("read", path)?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

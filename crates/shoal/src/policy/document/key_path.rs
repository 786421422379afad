//! Where in a policy does a key stand?

use toml_edit::Key as TomlKey;

use crate::policy::engines;
use crate::policy::parse::{METHOD_KEYS, SECTIONS};
use crate::policy::schema::{Key, keys};
use shoal_core::error::did_you_mean;
use shoal_core::{Error, Result};

/// Where a key stands: `k`, `max-suppressed`, `input.missing`, `require[0].k`, `columns."zip code".hierarchy`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyPath {
    pub(super) place: Place,
    /// The key itself, and what is in it.
    pub(super) keys: Vec<String>,
}

/// What a key stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// A section, by its name, and for `[columns.NAME]` that of the column.
    Section(Vec<String>),
    /// A requirement, counted from 0.
    Requirement(usize),
    /// Every requirement that has the key.
    EveryRequirement,
    /// `method` alone: its name, and whatever belongs to the method that it is instead of.
    Method,
}

impl KeyPath {
    /// Reads a path, and refuses a key that no policy has.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let path = Self::read(text)?;
        path.known()?;
        Ok(path)
    }

    /// A path by the names in it, whatever characters they have.
    pub(super) fn of<const N: usize>(names: [&str; N]) -> Self {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let section = if names.first().is_some_and(|first| first == "columns") { 2 } else { 1 };
        let keys = names.split_off(section.min(names.len()));
        Self { place: Place::Section(names), keys }
    }

    /// Reads a path, whether or not there is such a key.
    pub(super) fn read(text: &str) -> Result<Self> {
        let wrong = || {
            Error::policy(format!("`{text}` names no key of a policy"))
                .hint("a key is named with its section, as in output.seed, columns.age.hierarchy or require[0].k")
        };
        if let Some(rest) = text.strip_prefix("require[") {
            let (number, rest) = rest.split_once("].").ok_or_else(wrong)?;
            let number = number.trim().parse().map_err(|_| wrong())?;
            return Ok(Self { place: Place::Requirement(number), keys: names(rest) });
        }
        let mut names = names(text);
        if names.is_empty() || names.iter().any(String::is_empty) {
            return Err(wrong());
        }
        let place = match (names[0].as_str(), names.len()) {
            ("method", 1) => Place::Method,
            ("method", 2) if names[1] == "name" => {
                names.truncate(1);
                Place::Method
            }
            (section, 1) if SECTIONS.contains(&section) => return Err(wrong()),
            (key, 1) if METHOD_KEYS.contains(&key) && key != "name" => Place::Section(vec!["method".to_owned()]),
            (_, 1) => Place::EveryRequirement,
            ("require", _) => {
                names.remove(0);
                Place::EveryRequirement
            }
            ("columns", 2) => return Err(wrong()),
            ("columns", _) => Place::Section(names.drain(..2).collect()),
            _ => Place::Section(names.drain(..1).collect()),
        };
        Ok(Self { place, keys: names })
    }

    /// Is it a key of the list, and not something within one?
    pub(super) fn is_whole(&self) -> bool {
        self.keys.len() <= 1
    }

    /// The section of the list of keys that it belongs to.
    fn section(&self) -> &str {
        match &self.place {
            Place::Section(names) => &names[0],
            Place::Requirement(_) | Place::EveryRequirement => "require",
            Place::Method => "method",
        }
    }

    /// What the list of keys says about it; an error if it is not there.
    pub(super) fn known(&self) -> Result<Key> {
        let (section, all) = (self.section(), keys());
        let name = if self.place == Place::Method { "name" } else { self.keys.first().map_or("", String::as_str) };
        if !SECTIONS.contains(&section) {
            let error = Error::policy(format!("there is no section `{section}`"));
            return Err(match elsewhere(&all, section) {
                Some(hint) => error.hint(hint),
                None => with_nearest(error, section, &SECTIONS),
            });
        }
        let here: Vec<&Key> = all.iter().filter(|key| key.section == section).collect();
        if let Some(key) = here.iter().find(|key| key.name == name) {
            return Ok((*key).clone());
        }
        if let ("input", Some(absent)) = (section, engines::absent(name)) {
            return Err(Error::policy(absent.refusal).hint(absent.hint));
        }
        let mut names: Vec<&str> = here.iter().map(|key| key.name.as_str()).collect();
        if self.place != Place::EveryRequirement {
            return Err(with_nearest(
                Error::policy(format!("there is no key `{name}` in {}", heading(section))),
                name,
                &names,
            ));
        }
        // Somebody who names no section may mean a key of any.
        names.push("method");
        names.extend(METHOD_KEYS.iter().filter(|key| **key != "name"));
        let error = Error::policy(format!("there is no key `{name}` of a requirement or of every method"));
        Err(match elsewhere(&all, name) {
            Some(hint) => error.hint(hint),
            None => with_nearest(error, name, &names),
        })
    }
}

/// In which sections there is a key of this name, if in any.
fn elsewhere(all: &[Key], name: &str) -> Option<String> {
    let mut found: Vec<String> =
        all.iter().filter(|key| key.name == name).map(|key| format!("`{}`", in_full(key))).collect();
    // Several models may have it.
    found.dedup();
    (!found.is_empty()).then(|| format!("there is {}", found.join(" and ")))
}

/// The error with what was probably meant, or what there is.
pub(super) fn with_nearest(error: Error, word: &str, known: &[&str]) -> Error {
    let mut once: Vec<&str> = Vec::new();
    for name in known {
        if !once.contains(name) {
            once.push(name);
        }
    }
    error.hint(did_you_mean(word, &once))
}

fn in_full(key: &Key) -> String {
    match key.section {
        "columns" => format!("columns.NAME.{}", key.name),
        "hierarchy" => format!("columns.NAME.hierarchy.{}", key.name),
        section => format!("{section}.{}", key.name),
    }
}

fn heading(section: &str) -> String {
    match section {
        "require" => "[[require]]".to_owned(),
        "columns" => "[columns.NAME]".to_owned(),
        section => format!("[{section}]"),
    }
}

/// How a key of a column is named: `columns."zip code".min-level`.
pub fn column_key(column: &str, key: &str) -> String {
    format!("columns.{}.{key}", TomlKey::new(column).display_repr())
}

/// The names in a dotted path; quotes keep the dots of a name. Who forgets them around a space is understood.
fn names(text: &str) -> Vec<String> {
    match TomlKey::parse(text) {
        Ok(keys) => keys.iter().map(|key| key.get().to_owned()).collect(),
        Err(_) => text.split('.').map(|name| name.trim().trim_matches(['"', '\'']).to_owned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(names: &[&str], keys: &[&str]) -> KeyPath {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        KeyPath { place: Place::Section(owned(names)), keys: owned(keys) }
    }

    #[test]
    fn paths_are_read_as_people_write_them() {
        let path = |text: &str| KeyPath::parse(text).unwrap();
        assert_eq!(path("input.missing"), section(&["input"], &["missing"]));
        assert_eq!(path("max-suppressed"), section(&["method"], &["max-suppressed"]));
        assert_eq!(path("method.search"), section(&["method"], &["search"]));
        assert_eq!(path("columns.age.min-level"), section(&["columns", "age"], &["min-level"]));
        assert_eq!(path("columns.\"a.b\".role"), section(&["columns", "a.b"], &["role"]));
        assert_eq!(path("columns.zip code.role"), section(&["columns", "zip code"], &["role"]));
        assert_eq!(path("columns.age.hierarchy.mask"), section(&["columns", "age"], &["hierarchy", "mask"]));
        assert_eq!(path("require[1].k"), KeyPath { place: Place::Requirement(1), keys: vec!["k".to_owned()] });
        assert_eq!(path("require.k"), path("k"));
        assert_eq!(path("k"), KeyPath { place: Place::EveryRequirement, keys: vec!["k".to_owned()] });
        assert_eq!(path("method").place, Place::Method);
        assert_eq!(path("method.name"), path("method"));
    }

    #[test]
    fn a_wrong_key_is_refused_with_what_may_be_meant() {
        let error = |text: &str| KeyPath::parse(text).unwrap_err().to_string();
        assert_eq!(error("input.mising"), "there is no key `mising` in [input]\nhint: did you mean `missing`?");
        assert_eq!(error("weights.x"), "there is no section `weights`\nhint: there is `require.weights`");
        assert!(error("methd").ends_with("\nhint: did you mean `method`?"), "{}", error("methd"));
        assert_eq!(error("inputs.path"), "there is no section `inputs`\nhint: did you mean `input`?");
        assert_eq!(error("columns.age.rolle"), "there is no key `rolle` in [columns.NAME]\nhint: did you mean `role`?");
        assert!(
            error("max-supressed").ends_with("\nhint: did you mean `max-suppressed`?"),
            "{}",
            error("max-supressed")
        );
        assert!(error("suppressed").ends_with("hint: there is `output.suppressed`"), "{}", error("suppressed"));
        for wrong in ["", "input", "columns.age", "require[x].k", "require[0]", "input..path", "."] {
            assert!(error(wrong).contains("names no key of a policy"), "{wrong}: {}", error(wrong));
        }
    }
}

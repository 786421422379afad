//! What does a release show in place of an identifier, and where does the key for that come from?

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{ColumnPolicy, Policy};
use crate::recode::Pseudonyms;
use crate::{Error, Result};

/// The environment variable with the key of pseudonyms, where no file is named.
pub const KEY_VARIABLE: &str = "SHOAL_PSEUDONYM_KEY";

/// What stands in place of an identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replacement {
    /// A name made with a key: the same in every release that is made with that key.
    Pseudonym {
        /// The file with the key, relative to the policy's folder; without one the environment has it.
        key_file: Option<PathBuf>,
    },
    /// A name made with a key that is drawn for this release and then forgotten.
    Random,
}

/// The same as a policy names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Replace {
    Pseudonym,
    Random,
}

/// A key that somebody could guess hides nothing: identifiers are few enough to try them all.
const LEAST_CHARACTERS: usize = 32;
const LEAST_DIFFERENT: usize = 10;
const HOW_TO_MAKE_ONE: &str = "make one with `openssl rand -hex 32 > pseudonym.key`, keep it secret, and keep it: \
                               without it no later release has the same pseudonyms";

impl Policy {
    /// How each identifier that is not dropped is replaced; an error if a key is missing or weak.
    pub fn pseudonyms(&self) -> Result<Vec<(String, Pseudonyms)>> {
        let replaced = self.columns.iter().filter_map(|column| Some((column, column.replace.as_ref()?)));
        replaced
            .map(|(column, replacement)| Ok((column.name.clone(), self.pseudonyms_of(column, replacement)?)))
            .collect()
    }

    /// The same with keys that are drawn and forgotten, for a release that nobody keeps.
    pub fn throwaway_pseudonyms(&self) -> Result<Vec<(String, Pseudonyms)>> {
        let replaced = self.columns.iter().filter(|column| column.replace.is_some());
        replaced.map(|column| Ok((column.name.clone(), self.pseudonyms_of(column, &Replacement::Random)?))).collect()
    }

    fn pseudonyms_of(&self, column: &ColumnPolicy, replacement: &Replacement) -> Result<Pseudonyms> {
        let key = match replacement {
            Replacement::Random => fresh_key()?,
            Replacement::Pseudonym { key_file: Some(file) } => key_in_file(&self.folder.join(file))?,
            Replacement::Pseudonym { key_file: None } => {
                key_in_environment().map_err(|error| error.at(&column.place))?
            }
        };
        Ok(Pseudonyms::new(&key))
    }
}

fn fresh_key() -> Result<Vec<u8>> {
    let mut key = vec![0; 32];
    getrandom::fill(&mut key)
        .map_err(|error| Error::new(format!("the operating system gives no random numbers: {error}")))?;
    Ok(key)
}

fn key_in_file(path: &Path) -> Result<Vec<u8>> {
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => Error::new(format!("the key in {} is no text", path.display())),
        _ => Error::io("read the key", path, &error).hint(HOW_TO_MAKE_ONE),
    })?;
    checked(&text).map_err(|error| error.at(path.display()))
}

fn key_in_environment() -> Result<Vec<u8>> {
    match std::env::var(KEY_VARIABLE) {
        Ok(text) => checked(&text).map_err(|error| error.at(KEY_VARIABLE)),
        Err(_) => Err(Error::new("pseudonyms need a key, and there is none")
            .detail(format!(
                "neither `key-file` beside `replace` nor the environment variable {KEY_VARIABLE} names one"
            ))
            .hint(HOW_TO_MAKE_ONE)),
    }
}

/// The bytes of a key. What stands around it, such as the end of a line, is no part of it, so that a file and the environment
/// can hold the same one.
fn checked(text: &str) -> Result<Vec<u8>> {
    let key = text.trim();
    let mut different: Vec<char> = key.chars().collect();
    let length = different.len();
    different.sort_unstable();
    different.dedup();
    if length < LEAST_CHARACTERS {
        let error =
            Error::new(format!("the key has {length} characters, and fewer than {LEAST_CHARACTERS} can be guessed"));
        return Err(error.hint(HOW_TO_MAKE_ONE));
    }
    if different.len() < LEAST_DIFFERENT {
        let error =
            Error::new(format!("the key has only {} different characters: that can be guessed", different.len()));
        return Err(error.hint(HOW_TO_MAKE_ONE));
    }
    Ok(key.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn a_key_is_long_and_varied_and_what_surrounds_it_is_not_it() {
        assert_eq!(checked(&format!("{GOOD}\r\n")).unwrap(), GOOD.as_bytes());
        assert!(checked(&GOOD[1..]).unwrap_err().to_string().starts_with("the key has 31 characters"));
        assert!(checked(&"ab".repeat(40)).unwrap_err().to_string().contains("only 2 different characters"));
        assert!(checked("  \n").unwrap_err().to_string().starts_with("the key has 0 characters"));
    }

    #[test]
    fn no_message_shows_a_key() {
        for weak in [&GOOD[..20], &"xyzzy".repeat(9)] {
            assert!(!checked(weak).unwrap_err().to_string().contains(weak));
        }
    }

    #[test]
    fn fresh_keys_differ() {
        assert_ne!(fresh_key().unwrap(), fresh_key().unwrap());
    }
}

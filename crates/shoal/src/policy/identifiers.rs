//! What does a release show in place of an identifier, and where does the key for that come from?

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ColumnPolicy, Policy};
use crate::key::{MODE_HINT, PseudonymKey, is_open_to_others};
use shoal_core::Result;
use shoal_core::recode::Pseudonyms;
use shoal_core::warning::Warning;

/// The environment variable with the key of pseudonyms, where no file is named.
pub const KEY_VARIABLE: &str = "SHOAL_PSEUDONYM_KEY";

/// What stands in place of an identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replacement {
    /// A name made with a key: the same in every release that is made with that key.
    Pseudonym {
        /// The file with the key, relative to the policy's folder; without one the environment has it.
        key_file: Option<PathBuf>,
        /// Whose names these are: a value has another one in every domain. Columns without a domain share theirs.
        domain: Option<String>,
    },
    /// A name made with a key that is drawn for this column of this release and then forgotten.
    Random,
}

/// The same as a policy names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Replace {
    /// A name made with a key: the same in every release that is made with that key.
    Pseudonym,
    /// A name made with a key that is drawn for this column of this release and then forgotten.
    Random,
}

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
        let (key, domain) = match replacement {
            Replacement::Random => (PseudonymKey::fresh()?, None),
            Replacement::Pseudonym { key_file: Some(file), domain } => {
                (PseudonymKey::read(&self.folder.join(file))?, domain.as_deref())
            }
            Replacement::Pseudonym { key_file: None, domain } => {
                let key = PseudonymKey::of_environment(KEY_VARIABLE).map_err(|error| error.at(&column.place))?;
                (key, domain.as_deref())
            }
        };
        Ok(Pseudonyms::new(key.bytes(), domain))
    }

    /// The files of keys that others can read, each once.
    pub(super) fn readable_keys(&self) -> Vec<Warning> {
        let mut files: Vec<PathBuf> = Vec::new();
        for column in &self.columns {
            let of_pseudonyms = match &column.replace {
                Some(Replacement::Pseudonym { key_file, .. }) => key_file.as_ref(),
                _ => None,
            };
            for file in of_pseudonyms.into_iter().chain(&column.noise_key) {
                let file = self.folder.join(file);
                if !files.contains(&file) && is_open_to_others(&file) {
                    files.push(file);
                }
            }
        }
        let warning = |file: PathBuf| {
            let name = file.display();
            Warning::new(
                "key-readable",
                format!(
                    "others than its owner can read or write {name}: whoever has the key can tell whose pseudonyms are whose, and take noise away \
                     ({MODE_HINT} {name})"
                ),
            )
        };
        files.into_iter().map(warning).collect()
    }
}

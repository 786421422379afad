//! How is another table recoded just as one was before?
//!
//! A recipe is what `anonymize --recipe` writes and `apply` follows: plain JSON, described in `docs/recipes.md`. It holds the
//! policy's own words and what the release shows, and nothing else: whoever has these two learns nothing from it.

mod application;
mod class_rules;
mod column_rule;
mod making;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::policy::Policy;
use crate::{Error, Result};
pub use application::Application;
use class_rules::ClassRules;
use column_rule::ColumnRule;
pub use making::Making;

/// The version of the format that this program writes and reads.
const VERSION: u32 = 1;

/// What must be known to recode a table as another one was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The version of the format.
    recipe: u32,
    /// The version of the program that wrote it.
    shoal: String,
    /// Where relative paths of the policy begin, seen from the folder of the recipe.
    folder: PathBuf,
    /// The SHA-256 of each hierarchy file, by its path in the policy.
    files: BTreeMap<String, String>,
    /// The policy, without the paths of its table and of its release.
    policy: Map<String, Value>,
    /// What each quasi-identifier shows, in the order of the policy.
    columns: Vec<ColumnRule>,
    /// What each class shows, in the order of `columns`, where columns have no level of their own: a row belongs to the first
    /// class that covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    classes: Option<ClassRules>,
}

impl Recipe {
    /// Reads a recipe and the policy in it.
    pub fn read(path: &Path) -> Result<(Self, Policy)> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::io("read", path, &error))?;
        let value: Value = serde_json::from_str(&text).map_err(|error| {
            Error::new(format!("{} is no JSON: {error}", path.display()))
                .hint("a recipe is what `shoal anonymize POLICY --recipe FILE` writes")
        })?;
        refuse_other_versions(&value).map_err(|error| error.at(path.display()))?;
        let recipe: Self = serde_json::from_value(value)
            .map_err(|error| Error::new(format!("{} is not a recipe: {error}", path.display())))?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf).join(&recipe.folder);
        let policy = recipe.policy(&format!("the policy in {}", path.display()), &folder)?;
        recipe.refuse_other_files(&folder)?;
        Ok((recipe, policy))
    }

    /// The text of the recipe.
    pub fn to_text(&self) -> String {
        let json =
            serde_json::to_string_pretty(self).expect("a recipe has text for keys and no number that JSON lacks");
        json + "\n"
    }

    fn policy(&self, name: &str, folder: &Path) -> Result<Policy> {
        let unreadable = |error: &dyn std::fmt::Display| Error::new(format!("{name} cannot be read: {error}"));
        let table: toml::Table =
            serde_json::from_value(Value::Object(self.policy.clone())).map_err(|e| unreadable(&e))?;
        let text = toml::to_string(&table).map_err(|error| unreadable(&error))?;
        Policy::parse(&text, name, folder)
    }

    /// A hierarchy that was changed since would recode in another way.
    fn refuse_other_files(&self, folder: &Path) -> Result<()> {
        for (file, expected) in &self.files {
            let path = folder.join(file);
            if sha256_of(&path)? != *expected {
                return Err(Error::new(format!(
                    "{} is not the hierarchy that the recipe was made with",
                    path.display()
                ))
                .detail("its SHA-256 is another one")
                .hint("restore the file, or make a new release and a new recipe with `shoal anonymize`"));
            }
        }
        Ok(())
    }
}

fn refuse_other_versions(recipe: &Value) -> Result<()> {
    match recipe.get("recipe").and_then(Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => Ok(()),
        Some(version) => {
            Err(Error::new(format!("a recipe of version {version}, and this program reads version {VERSION}"))
                .hint("make it anew with `shoal anonymize POLICY --recipe FILE`"))
        }
        None => Err(Error::new("this is not a recipe: it does not say `\"recipe\": 1`")
            .hint("a recipe is what `shoal anonymize POLICY --recipe FILE` writes")),
    }
}

fn sha256_of(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|error| Error::io("read the hierarchy", path, &error))?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

//! How is another table recoded just as one was before?
//!
//! A recipe is what `anonymize --recipe` writes and `apply` follows: plain JSON, described in `docs/recipes.md`. It holds the
//! policy's own words and what the release shows, and nothing else: whoever has these two learns nothing from it. It may come
//! from somebody else, and says nothing about what is read and where things are (`files`).

mod application;
mod check;
mod class_rules;
mod column_rule;
mod files;
mod making;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::policy::Policy;
pub use application::Application;
use class_rules::ClassRules;
use column_rule::ColumnRule;
use files::Files;
use shoal_core::{Error, Result, text_file};

/// The version of the format that this program writes and reads.
const VERSION: u32 = 2;

/// What must be known to recode a table as another one was.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(2)?, &Unwatched)?;
/// use shoal::Recipe;
///
/// let recipe = study.best(&Unwatched)?.recipe()?;
/// let text = recipe.to_text();
/// let (same, _policy) = Recipe::parse(&text, "a recipe", "".as_ref(), &[])?;
/// assert_eq!(same, recipe);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The version of the format.
    recipe: u32,
    /// The version of the program that wrote it.
    shoal: String,
    /// The SHA-256 of each file that the policy reads, by its name.
    files: Files,
    /// The policy, without the places of its table, its release and its keys.
    policy: Map<String, Value>,
    /// What each quasi-identifier shows, in the order of the policy.
    columns: Vec<ColumnRule>,
    /// What each class shows, in the order of `columns`, where columns have no level of their own: a row belongs to the first
    /// class that covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    classes: Option<ClassRules>,
}

impl Recipe {
    /// Reads a recipe and the policy in it. The files that it needs are beside it, or where `given` says, by their names.
    pub fn read(path: &Path, given: &[(String, PathBuf)]) -> Result<(Self, Policy)> {
        let text = text_file::text("read", path)?;
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        Self::parse(&text, &path.display().to_string(), &folder, given)
    }

    /// The recipe with this text, and the policy in it; `name` stands in messages.
    pub fn parse(text: &str, name: &str, folder: &Path, given: &[(String, PathBuf)]) -> Result<(Self, Policy)> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            Error::policy(format!("{name} is no JSON: {error}"))
                .hint("a recipe is what `shoal anonymize POLICY --recipe FILE` writes")
        })?;
        refuse_other_versions(&value).map_err(|error| error.at(name))?;
        let recipe: Self =
            serde_json::from_value(value).map_err(|error| Error::policy(format!("{name} is not a recipe: {error}")))?;
        let mut sections = recipe.policy.clone();
        files::refuse_places(&mut sections).map_err(|error| error.at(name))?;
        files::found(&mut sections, &recipe.files, folder, given).map_err(|error| error.at(name))?;
        let policy = policy(sections, &format!("the policy in {name}"))?;
        recipe.check(&policy).map_err(|error| error.at(name))?;
        Ok((recipe, policy))
    }

    /// The text of the recipe.
    pub fn to_text(&self) -> String {
        let json =
            serde_json::to_string_pretty(self).expect("a recipe has text for keys and no number that JSON lacks");
        json + "\n"
    }
}

/// The policy of these sections. Its paths are complete.
fn policy(sections: Map<String, Value>, name: &str) -> Result<Policy> {
    let unreadable = |error: &dyn std::fmt::Display| Error::policy(format!("{name} cannot be read: {error}"));
    let table: toml::Table = serde_json::from_value(Value::Object(sections)).map_err(|error| unreadable(&error))?;
    let text = toml::to_string(&table).map_err(|error| unreadable(&error))?;
    Policy::parse(&text, name, Path::new(""))
}

fn refuse_other_versions(recipe: &Value) -> Result<()> {
    match recipe.get("recipe").and_then(Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => Ok(()),
        Some(version) => {
            Err(Error::policy(format!("a recipe of version {version}, and this program reads version {VERSION}"))
                .hint("make it anew with `shoal anonymize POLICY --recipe FILE`"))
        }
        None => Err(Error::policy("this is not a recipe: it does not say `\"recipe\": 2`")
            .hint("a recipe is what `shoal anonymize POLICY --recipe FILE` writes")),
    }
}

//! How do values of Python become values of a policy?
//!
//! They come as JSON, which has all that a policy can say.

use std::collections::BTreeMap;

use shoal::Setting;
use shoal_core::{Error, Result};

/// A value as TOML has it.
pub fn value(key: &str, json: &str) -> Result<toml::Value> {
    serde_json::from_str(json).map_err(|_| {
        Error::policy(format!("`{key}` has a value that no policy can have"))
            .hint("values are text, numbers, True, False, and lists and dictionaries of these; None is none")
    })
}

/// Values by their names.
pub fn values(json: &str) -> Result<Vec<(String, toml::Value)>> {
    let values: toml::Table = serde_json::from_str(json).map_err(|_| {
        Error::policy("a parameter has a value that no policy can have")
            .hint("values are text, numbers, True, False, and lists and dictionaries of these; None is none")
    })?;
    Ok(values.into_iter().collect())
}

/// Settings for one run, from keys and values.
pub fn settings(given: &[(String, String)]) -> Result<Vec<Setting>> {
    given.iter().map(|(key, json)| setting(key, json)).collect()
}

/// A setting as somebody would write it on a command line: words without quotes.
pub fn setting(key: &str, json: &str) -> Result<Setting> {
    let text = match value(key, json)? {
        toml::Value::String(word) if word.parse::<toml::Value>().is_err() => word,
        other => other.to_string(),
    };
    Ok(Setting::new(key, text))
}

/// Levels by column, in the order of the columns.
pub fn levels(given: &BTreeMap<String, i64>, columns: &[&str]) -> Result<Vec<u8>> {
    if let Some(other) = given.keys().find(|name| !columns.contains(&name.as_str())) {
        let error = Error::policy(format!("`levels` names `{other}`, which is no quasi-identifier"));
        let near = shoal_core::error::nearest(other, columns.iter().copied());
        return Err(match near {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("there are {}", columns.join(", "))),
        });
    }
    let level = |column: &&str| {
        let level = given.get(*column).ok_or_else(|| {
            Error::policy(format!("`levels` does not say at which level `{column}` is"))
                .hint("name every quasi-identifier; 0 shows its values as they are")
        })?;
        u8::try_from(*level)
            .map_err(|_| Error::policy(format!("level {level} of `{column}` is none that there can be")))
    };
    columns.iter().map(level).collect()
}

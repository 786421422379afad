//! What is there to say about a key of a policy?

use serde_json::Value;

use super::type_words::{type_words, words};
use shoal_core::page::first_sentence;

/// A key of a policy, as its schema has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The section that it stands in; `hierarchy` is one, too.
    pub section: &'static str,
    /// Its name there.
    pub name: String,
    /// The model or method that it belongs to, where not all take it.
    pub of: Option<String>,
    /// Must it be given?
    pub is_required: bool,
    /// What may stand there, and what it means.
    pub schema: Value,
}

impl Key {
    /// Its section and its name: `input.missing`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// What it means, in sentences.
    pub fn meaning(&self) -> &str {
        self.schema["description"].as_str().unwrap_or_default()
    }

    /// The first of these sentences.
    pub fn summary(&self) -> &str {
        first_sentence(self.meaning())
    }

    /// What it is called where it stands, without the keys around it.
    pub(super) fn last_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or_default()
    }

    /// What may stand there: `a whole number of at least 2`.
    pub(super) fn kind(&self) -> String {
        match self.words().is_empty() {
            true => type_words(&self.schema),
            false => "one of these words".to_owned(),
        }
    }

    /// The words that may stand there, each with its meaning, where they have meanings of their own.
    pub(super) fn words(&self) -> Vec<(String, String)> {
        let words = words(&self.schema).unwrap_or_default();
        let have_meanings = words.len() > 1 && words.iter().any(|(_, meaning)| !meaning.is_empty());
        if have_meanings { words } else { Vec::new() }
    }

    /// What it says where it is left out, as a policy writes it.
    pub(super) fn default(&self) -> Option<String> {
        toml_text(self.schema.get("default")?)
    }

    /// The key as a line of a policy; what is no default says more.
    pub(super) fn example(&self) -> Option<String> {
        let default = self.schema.get("default");
        let words = words(&self.schema).unwrap_or_default().into_iter().map(|(word, _)| Value::String(word));
        let is_boolean = self.schema["type"] == "boolean";
        let value = match self.schema["examples"].get(0) {
            Some(example) => example.clone(),
            None if is_boolean => Value::Bool(default != Some(&Value::Bool(true))),
            None => words.into_iter().find(|word| Some(word) != default)?,
        };
        let value = toml_text(&value)?;
        let name = self.last_name();
        Some(match self.section == "hierarchy" && name == self.name {
            true => format!("hierarchy = {{ {name} = {value} }}"),
            false => format!("{name} = {value}"),
        })
    }
}

fn toml_text(value: &Value) -> Option<String> {
    toml::Value::try_from(value).ok().map(|value| value.to_string())
}

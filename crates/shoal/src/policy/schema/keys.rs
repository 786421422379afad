//! Which keys are there, in which section, and for whom?

use serde_json::{Value, json};

use super::{Key, schema};
use crate::policy::parse::METHOD_KEYS;

/// Every key of a policy, in the order of its sections. One that several models or methods take with a meaning of their own is
/// there for each of them.
///
/// ```
/// let keys = shoal::policy::keys();
/// let missing = keys.iter().find(|key| key.path() == "input.missing").unwrap();
/// assert_eq!(missing.schema["default"][0], "");
/// assert!(keys.iter().any(|key| key.path() == "require.k" && key.of.as_deref() == Some("k-anonymity")));
/// ```
pub fn keys() -> Vec<Key> {
    let schema = schema();
    let sections = &schema["properties"];
    let column = &sections["columns"]["additionalProperties"];
    let mut keys = of_table("input", &sections["input"]);
    keys.extend(of_table("output", &sections["output"]));
    keys.extend(of_table("columns", column));
    keys.extend(of_hierarchies(&column["properties"]["hierarchy"]));
    keys.extend(of_variants(
        "require",
        "model",
        "What the release promises: a model.",
        &["column", "among"],
        &sections["require"]["items"],
    ));
    keys.extend(of_variants("method", "name", "How classes are found: a method.", &METHOD_KEYS, &sections["method"]));
    keys
}

/// Can nothing but text stand there?
pub(in crate::policy) fn is_text(schema: &Value) -> bool {
    let alternatives = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    schema["type"] == "string" || alternatives.is_some_and(|all| all.iter().all(|one| one["type"] == "string"))
}

fn of_table(section: &'static str, table: &Value) -> Vec<Key> {
    let required = |name: &str| table["required"].as_array().is_some_and(|keys| keys.iter().any(|key| key == name));
    let properties = table["properties"].as_object().into_iter().flatten();
    let key = |(name, schema): (&String, &Value)| {
        let (name, is_required, schema) = (name.clone(), required(name), schema.clone());
        Key { section, name, of: None, is_required, schema }
    };
    properties.map(key).collect()
}

/// A key for each way to make a hierarchy, and those of its parameters, where it is a table.
fn of_hierarchies(hierarchy: &Value) -> Vec<Key> {
    let mut keys = Vec::new();
    for way in hierarchy["oneOf"].as_array().into_iter().flatten() {
        for mut key in of_table("hierarchy", way) {
            // The way as a whole has the example, and none of them is needed.
            key.schema["examples"] = json!([way["examples"][0][&key.name]]);
            key.is_required = false;
            let tables = key.schema["anyOf"].as_array().into_iter().flatten().chain([&key.schema]);
            let inner =
                tables.filter(|table| table["properties"].is_object()).flat_map(|table| of_table("hierarchy", table));
            let inner: Vec<Key> =
                inner.map(|inner| Key { name: format!("{}.{}", key.name, inner.name), ..inner }).collect();
            keys.push(key);
            keys.extend(inner);
        }
    }
    keys
}

/// The keys of a section that has several forms, told apart by the word under `tag`: first what they share.
fn of_variants(section: &'static str, tag: &str, meaning: &str, shared: &[&str], forms: &Value) -> Vec<Key> {
    let forms = || forms["oneOf"].as_array().into_iter().flatten();
    let words: Vec<Value> = forms().map(|form| form["properties"][tag].clone()).collect();
    let default = words.iter().find_map(|word| word.get("default").cloned());
    let mut schema = json!({ "description": meaning, "oneOf": words });
    let is_required = default.is_none();
    if let Some(default) = default {
        schema["default"] = default;
    }
    let mut keys = vec![Key { section, name: tag.to_owned(), of: None, is_required, schema }];
    let mut own = Vec::new();
    for form in forms() {
        for key in of_table(section, form).into_iter().filter(|key| key.name != tag) {
            if !shared.contains(&key.name.as_str()) {
                own.push(Key { of: form["title"].as_str().map(str::to_owned), ..key });
            } else if keys.iter().all(|known| known.name != key.name) {
                keys.push(key);
            }
        }
    }
    keys.extend(own);
    keys
}

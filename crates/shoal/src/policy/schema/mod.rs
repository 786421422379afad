//! What may stand in a policy, for programs and for people?
//!
//! Everything follows from the structs that read it: a JSON Schema (here), the list of its keys (`keys`), the pages of
//! `shoal explain` (`pages`), and the chapter of the reference (`chapter`).

mod chapter;
mod key;
mod keys;
mod pages;
mod plain;
mod type_words;

pub use chapter::chapter;
pub use key::Key;
pub(super) use keys::is_text;
pub use keys::keys;
pub use pages::{key_pages, pages};

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::engines;
use super::parse::{AMONG, ColumnSection, InputSection, MethodSection, OutputSection, STYLE_KEYS};
use shoal_core::listed::Listed;
use shoal_core::method::{METHODS, MethodEntry};
use shoal_core::model::{DEFINITIONS, Definition, Scope};
use shoal_core::schema::constant;

/// The JSON Schema (draft 2020-12) of a policy, with the keys of all engines that are registered.
///
/// ```
/// let schema = shoal::policy::schema();
/// assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
/// assert_eq!(schema["properties"]["input"]["properties"]["missing"]["default"][0], "");
/// ```
pub fn schema() -> Value {
    let mut generator =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
    let sections = json!({
        "input": input(&mut generator),
        "output": OutputSection::json_schema(&mut generator),
        "columns": {
            "description": "What each column is to an attacker, and what may become of its values, by its name.",
            "type": "object",
            "additionalProperties": ColumnSection::json_schema(&mut generator)
        },
        "require": {
            "description": "What the release must promise: a `[[require]]` for each promise.",
            "type": "array",
            "minItems": 1,
            "items": { "oneOf": DEFINITIONS.iter().map(|entry| requirement(entry, &mut generator)).collect::<Vec<_>>() }
        },
        "method": {
            "description": description_of::<MethodSection>(&mut generator),
            "oneOf": METHODS.iter().map(|entry| method(entry, &mut generator)).collect::<Vec<_>>()
        }
    });
    let mut root = Schema::default();
    let object = root.ensure_object();
    object.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
    object.insert("title".to_owned(), "Policy of Shoal".into());
    object.insert(
        "description".to_owned(),
        "Which columns could identify someone, which are sensitive, and what an attacker must not be able to learn."
            .into(),
    );
    object.insert("type".to_owned(), "object".into());
    object.insert("properties".to_owned(), sections);
    object.insert("required".to_owned(), json!(["columns", "require"]));
    object.insert("additionalProperties".to_owned(), false.into());
    object.insert("$defs".to_owned(), Value::Object(generator.take_definitions(false)));
    plain::make_plain(&mut root);
    // Not its bare value: this way every schema says first what it is about.
    serde_json::to_value(&root).expect("a schema is JSON")
}

fn description_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    T::json_schema(generator).remove("description").unwrap_or_default()
}

/// `[input]`, with what engines add to it.
fn input(generator: &mut SchemaGenerator) -> Value {
    let mut schema = InputSection::json_schema(generator);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for key in engines::known().iter().flat_map(|engine| engine.keys()) {
            let text = json!({ "description": key.description, "type": "string", "examples": [key.example] });
            properties.insert(key.name.to_owned(), text);
        }
    }
    schema.to_value()
}

/// `[[require]]` of a model: what the policy reads itself, and the model's own parameters.
fn requirement(definition: &Listed<Definition>, generator: &mut SchemaGenerator) -> Value {
    let summary = definition.page().summary() + ".";
    let mut shared = Map::new();
    shared.insert("model".to_owned(), constant(definition.id, &summary));
    if definition.scope != Scope::Table {
        shared.insert(
            "column".to_owned(),
            json!({
                "description": "The sensitive column that it is about; without it, each of them.",
                "type": "string",
                "examples": ["diagnosis"]
            }),
        );
    }
    if definition.scope == Scope::Diversity {
        let meaning =
            "The other sensitive columns count as quasi-identifiers for this test (Definition 4.5 of l-diversity).";
        let mut among = constant(AMONG, meaning);
        among["examples"] = json!([AMONG]);
        shared.insert("among".to_owned(), among);
    }
    variant(definition.schema(generator), definition.id, &summary, shared, &["model"])
}

/// `[method]` with a certain name: what every method takes, and its own parameters.
fn method(entry: &Listed<MethodEntry>, generator: &mut SchemaGenerator) -> Value {
    let (id, summary) = (entry.id(), entry.page().summary() + ".");
    let mut section = MethodSection::json_schema(generator);
    let Some(Value::Object(mut shared)) = section.remove("properties") else { return Value::Bool(false) };
    let is_default = id == METHODS[0].id();
    let mut name = constant(id, &summary);
    if is_default {
        name["default"] = id.into();
    }
    shared.insert("name".to_owned(), name);
    if !(entry.default)().is_local() {
        shared.retain(|key, _| !STYLE_KEYS.contains(&key.as_str()));
    }
    variant(entry.schema(generator), id, &summary, shared, if is_default { &[] } else { &["name"] })
}

/// The parameters of a model or a method, with what all of its kind take before them.
fn variant(own: Schema, title: &str, summary: &str, mut properties: Map<String, Value>, required: &[&str]) -> Value {
    let mut own = own.to_value();
    if let Some(Value::Object(parameters)) = own.get_mut("properties") {
        properties.append(parameters);
    }
    let own_required = own.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let required: Vec<Value> = required.iter().map(|key| Value::from(*key)).chain(own_required).collect();
    let mut schema = json!({
        "title": title,
        "description": summary,
        "type": "object",
        "properties": properties,
        "additionalProperties": false
    });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

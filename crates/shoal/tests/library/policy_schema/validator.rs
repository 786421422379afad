//! Does a value satisfy a JSON Schema? As much of draft 2020-12 as the schema of a policy uses; anything else is an error.

use regex::Regex;
use serde_json::{Map, Value};

/// Why a value does not satisfy a schema, whose `$ref`s are of `root`.
pub fn validate(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let Value::Object(keywords) = schema else {
        return if *schema == Value::Bool(false) { Err("nothing may stand here".to_owned()) } else { Ok(()) };
    };
    keywords.iter().try_for_each(|(keyword, argument)| check(root, keywords, (keyword, argument), value))
}

fn check(
    root: &Value,
    schema: &Map<String, Value>,
    (keyword, argument): (&String, &Value),
    value: &Value,
) -> Result<(), String> {
    let all = || argument.as_array().expect("a list of schemas");
    let fits = |one: &&Value| validate(root, one, value).is_ok();
    let holds = match keyword.as_str() {
        "$schema" | "$defs" | "title" | "description" | "default" | "examples" => true,
        "$ref" => {
            let pointer = argument
                .as_str()
                .and_then(|reference| reference.strip_prefix('#'))
                .expect("a reference into the schema");
            return validate(root, root.pointer(pointer).expect("what it refers to"), value);
        }
        "type" => match argument {
            Value::Array(names) => names.iter().any(|name| is_type(name, value)),
            name => is_type(name, value),
        },
        "const" => value == argument,
        "enum" => all().contains(value),
        "anyOf" => all().iter().any(|one| fits(&one)),
        "oneOf" => match all().iter().filter(fits).count() {
            1 => true,
            0 => return Err(format!("none of {} fits {value}: {}", all().len(), nearest(root, all(), value))),
            several => return Err(format!("{several} schemas fit {value}")),
        },
        "minimum" => value.as_f64().is_none_or(|number| number >= bound(argument)),
        "maximum" => value.as_f64().is_none_or(|number| number <= bound(argument)),
        "exclusiveMinimum" => value.as_f64().is_none_or(|number| number > bound(argument)),
        "exclusiveMaximum" => value.as_f64().is_none_or(|number| number < bound(argument)),
        "minLength" => value.as_str().is_none_or(|text| text.chars().count() as f64 >= bound(argument)),
        "maxLength" => value.as_str().is_none_or(|text| text.chars().count() as f64 <= bound(argument)),
        "pattern" => value.as_str().is_none_or(|text| pattern(argument).is_match(text)),
        "minItems" => value.as_array().is_none_or(|list| list.len() as f64 >= bound(argument)),
        "items" => return value.as_array().into_iter().flatten().try_for_each(|item| validate(root, argument, item)),
        "required" => all()
            .iter()
            .all(|key| value.as_object().is_none_or(|table| table.contains_key(key.as_str().expect("a key")))),
        "properties" => {
            let known = argument.as_object().expect("a table of schemas");
            let mut own =
                value.as_object().into_iter().flatten().filter_map(|(key, value)| Some((key, known.get(key)?, value)));
            return own.try_for_each(|(key, schema, value)| {
                validate(root, schema, value).map_err(|why| format!("{key}: {why}"))
            });
        }
        "additionalProperties" => {
            let known = schema.get("properties").and_then(Value::as_object);
            let mut others = value
                .as_object()
                .into_iter()
                .flatten()
                .filter(|(key, _)| known.is_none_or(|known| !known.contains_key(*key)));
            return others
                .try_for_each(|(key, value)| validate(root, argument, value).map_err(|why| format!("{key}: {why}")));
        }
        unknown => panic!("the validator does not know `{unknown}`"),
    };
    if holds { Ok(()) } else { Err(format!("{value} does not keep to {keyword} {argument}")) }
}

/// What the last of several says, that agrees in its first constant at least.
fn nearest(root: &Value, all: &[Value], value: &Value) -> String {
    all.iter()
        .filter_map(|one| validate(root, one, value).err())
        .min_by_key(|why| why.contains(" const "))
        .unwrap_or_default()
}

fn pattern(argument: &Value) -> Regex {
    Regex::new(argument.as_str().expect("a pattern")).expect("a sound pattern")
}

fn bound(argument: &Value) -> f64 {
    argument.as_f64().expect("a number")
}

fn is_type(name: &Value, value: &Value) -> bool {
    match name.as_str().expect("the name of a type") {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        unknown => panic!("the validator does not know the type `{unknown}`"),
    }
}

#[test]
fn the_validator_refuses_what_it_should() {
    use serde_json::json;

    let schema = json!({
        "type": "object",
        "properties": { "k": { "type": "integer", "minimum": 2 }, "name": { "oneOf": [{ "const": "a" }, { "const": "b" }] } },
        "required": ["k"],
        "additionalProperties": false
    });
    let fits = |value: Value| validate(&schema, &schema, &value).is_ok();
    assert!(fits(json!({ "k": 2 })) && fits(json!({ "k": 2, "name": "b" })));
    for wrong in [
        json!({}),
        json!({ "k": 1 }),
        json!({ "k": 2.5 }),
        json!({ "k": "2" }),
        json!({ "k": 2, "name": "c" }),
        json!({ "k": 2, "l": 1 }),
        json!([]),
    ] {
        assert!(!fits(wrong.clone()), "{wrong}");
    }
}

//! What of a schema is about Rust rather than about policies?

use schemars::Schema;
use schemars::transform::transform_subschemas;
use serde_json::{Map, Value};

/// Takes out of a schema what only Rust knows: what is optional may be left out, but TOML has no `null`, numbers have no
/// machine types, and a sentence may go on in the next line of its comment.
pub(super) fn make_plain(schema: &mut Schema) {
    if let Some(object) = schema.as_object_mut() {
        object.remove("format");
        object.retain(|key, value| !(key == "default" && value.is_null()));
        without_null(object);
        if let Some(Value::String(text)) = object.get_mut("description") {
            *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }
    transform_subschemas(&mut make_plain, schema);
}

fn without_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") else { return };
    let before = alternatives.len();
    alternatives.retain(|alternative| alternative.get("type").is_none_or(|name| name != "null"));
    if alternatives.len() == before || alternatives.len() > 1 {
        return;
    }
    // What is said of the key comes before what is said of its type.
    if let Some(Value::Array(alternatives)) = schema.remove("anyOf")
        && let Some(Value::Object(only)) = alternatives.into_iter().next()
    {
        for (key, value) in only {
            schema.entry(key).or_insert(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plain(value: Value) -> Value {
        let mut schema = Schema::try_from(value).unwrap();
        make_plain(&mut schema);
        schema.to_value()
    }

    #[test]
    fn nothing_of_rust_is_left() {
        let number = json!({ "type": ["integer", "null"], "format": "uint64", "minimum": 0, "default": null });
        assert_eq!(plain(number), json!({ "type": "integer", "minimum": 0 }));
        let words = json!({ "description": "Mine\n and yours.", "anyOf": [
            { "description": "Theirs.", "oneOf": [{ "const": "a" }] },
            { "type": "null" }
        ] });
        assert_eq!(plain(words), json!({ "description": "Mine and yours.", "oneOf": [{ "const": "a" }] }));
        let two = json!({ "anyOf": [{ "type": "integer", "format": "uint64" }, { "type": "string" }] });
        assert_eq!(plain(two), json!({ "anyOf": [{ "type": "integer" }, { "type": "string" }] }));
    }

    #[test]
    fn a_key_called_format_stays() {
        let table = json!({ "properties": { "format": { "type": ["string", "null"] } } });
        assert_eq!(plain(table), json!({ "properties": { "format": { "type": "string" } } }));
    }
}

//! What may stand in the place of a value, in plain words?

use serde_json::Value;

/// What a schema accepts: `a whole number of at least 2`.
pub(super) fn type_words(schema: &Value) -> String {
    if let Some(words) = words(schema) {
        let words: Vec<String> = words.iter().map(|(word, _)| format!("`\"{word}\"`")).collect();
        return one_of(&words);
    }
    if let Some(alternatives) = schema["anyOf"].as_array() {
        let alternatives: Vec<String> = alternatives.iter().map(type_words).collect();
        return one_of(&alternatives);
    }
    let ranged = |noun: &str| noun.to_owned() + &range(schema);
    if schema["type"].is_array() {
        // A number that may also stand in quotes.
        return ranged("a number");
    }
    match schema["type"].as_str() {
        Some("string") if schema["maxLength"] == 1 => "one character".to_owned(),
        Some("string") => "text".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("integer") => ranged("a whole number"),
        Some("array") => format!("a list of {}", several(&schema["items"])),
        Some("object") if schema["additionalProperties"].is_object() => {
            format!("a table of {}", several(&schema["additionalProperties"]))
        }
        Some("object") | None => "a table".to_owned(),
        Some(_) => ranged("a number"),
    }
}

/// The words that may stand there and what each means, if nothing else may.
pub(super) fn words(schema: &Value) -> Option<Vec<(String, String)>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| Some((text(value)?, String::new()))).collect();
    }
    if let Some(word) = text(&schema["const"]) {
        return Some(vec![(word, String::new())]);
    }
    let word = |one: &Value| Some((text(&one["const"])?, text(&one["description"]).unwrap_or_default()));
    schema["oneOf"].as_array()?.iter().map(word).collect()
}

fn several(schema: &Value) -> String {
    if let Some(words) = words(schema) {
        let words: Vec<String> = words.iter().map(|(word, _)| format!("`\"{word}\"`")).collect();
        return words.join(", ");
    }
    match schema["type"].as_str() {
        Some("string") => "texts".to_owned(),
        Some("integer") => "whole numbers".to_owned() + &range(schema),
        Some("array") => format!("lists of {}", several(&schema["items"])),
        Some("number") => "numbers".to_owned() + &range(schema),
        None if schema["type"].is_array() => "numbers".to_owned(),
        _ => "groups".to_owned(),
    }
}

fn one_of(alternatives: &[String]) -> String {
    match alternatives {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => alternatives.concat(),
    }
}

fn range(schema: &Value) -> String {
    let bound = |key: &str| schema[key].as_f64();
    match (bound("minimum"), bound("maximum"), bound("exclusiveMinimum"), bound("exclusiveMaximum")) {
        (Some(least), Some(most), ..) => format!(" from {least} to {most}"),
        (Some(least), None, _, Some(below)) => format!(" of at least {least} and below {below}"),
        (Some(least), ..) => format!(" of at least {least}"),
        (None, Some(most), Some(above), _) => format!(" above {above} and at most {most}"),
        (None, Some(most), ..) => format!(" of at most {most}"),
        (None, None, Some(above), Some(below)) => format!(" above {above} and below {below}"),
        (None, None, Some(above), None) => format!(" above {above}"),
        (None, None, None, Some(below)) => format!(" below {below}"),
        (None, None, None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::type_words;

    #[test]
    fn types_are_said_in_plain_words() {
        for (schema, words) in [
            (json!({ "type": "string" }), "text"),
            (json!({ "type": "string", "minLength": 1, "maxLength": 1 }), "one character"),
            (json!({ "type": "integer", "minimum": 2 }), "a whole number of at least 2"),
            (json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1 }), "a number above 0 and at most 1"),
            (json!({ "type": "number", "minimum": 0, "maximum": 0.5 }), "a number from 0 to 0.5"),
            (
                json!({ "type": "number", "minimum": 0, "exclusiveMaximum": 100 }),
                "a number of at least 0 and below 100",
            ),
            (json!({ "type": ["number", "string"] }), "a number"),
            (json!({ "type": "boolean" }), "true or false"),
            (json!({ "enum": [".", ","] }), "`\".\"` or `\",\"`"),
            (json!({ "oneOf": [{ "const": "a" }, { "const": "b" }, { "const": "c" }] }), "`\"a\"`, `\"b\"` or `\"c\"`"),
            (json!({ "type": "array", "items": { "type": "string" } }), "a list of texts"),
            (
                json!({ "type": "object", "additionalProperties": { "type": "array", "items": { "type": "string" } } }),
                "a table of lists of texts",
            ),
            (
                json!({ "anyOf": [{ "type": "integer", "minimum": 1 }, { "type": "string" }] }),
                "a whole number of at least 1 or text",
            ),
        ] {
            assert_eq!(type_words(&schema), words, "{schema}");
        }
    }
}

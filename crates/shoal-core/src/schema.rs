//! What does the JSON Schema of a policy say that is not in its structs?
//!
//! The structs that read a policy derive their schema, descriptions and all, so that both say the same. Here are the few
//! words that a derive cannot know.

use schemars::Schema;
use serde_json::{Value, json};

/// One of these words, each with what it means.
pub fn words(words: impl IntoIterator<Item = (String, String)>) -> Schema {
    let mut schema = Schema::default();
    schema.insert("oneOf".to_owned(), words.into_iter().map(|(word, meaning)| constant(&word, &meaning)).collect());
    schema
}

/// Adds to the words of an enum one that is read as one of the others.
pub fn another_word(word: &'static str, meaning: &'static str) -> impl FnMut(&mut Schema) {
    move |schema| {
        if let Some(words) = schema.get_mut("oneOf").and_then(Value::as_array_mut) {
            words.push(constant(word, meaning));
        }
    }
}

/// This word and no other.
pub fn constant(word: &str, meaning: &str) -> Value {
    json!({ "type": "string", "const": word, "description": meaning })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_word_stands_after_the_others() {
        let mut schema = words([("equal".to_owned(), "Alike.".to_owned())]);
        another_word("same", "The same.")(&mut schema);
        let expected = json!({ "oneOf": [
            { "type": "string", "const": "equal", "description": "Alike." },
            { "type": "string", "const": "same", "description": "The same." }
        ] });
        assert_eq!(schema, expected);
    }
}

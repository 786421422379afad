//! Which policies does the schema describe? Some of them, at random.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use regex::Regex;
use serde_json::{Map, Value, json};

/// A policy that the schema accepts, with a quasi-identifier and a sensitive column.
pub fn drawn(schema: &Value, seed: u64) -> Value {
    let mut draw = Draw { root: schema, random: ChaCha8Rng::seed_from_u64(seed), depth: 0 };
    let mut policy = draw.value(schema);
    let column = &schema["properties"]["columns"]["additionalProperties"];
    let columns = ["age", "zip code", "ill"].map(|name| (name.to_owned(), draw.value(column)));
    policy["columns"] = Value::Object(Map::from_iter(columns));
    policy["columns"]["age"] = json!({ "role": "quasi-identifier", "hierarchy": { "suppress": {} } });
    policy["columns"]["ill"] = json!({ "role": "sensitive" });
    for requirement in policy["require"].as_array_mut().into_iter().flatten() {
        if let Some(column) = requirement.get_mut("column") {
            *column = "ill".into();
        }
    }
    policy
}

struct Draw<'a> {
    root: &'a Value,
    random: ChaCha8Rng,
    /// How many tables and lists are around what is drawn.
    depth: u32,
}

/// Trees of groups end below this depth.
const DEEPEST: u32 = 12;

impl Draw<'_> {
    /// Something that satisfies the schema.
    fn value(&mut self, schema: &Value) -> Value {
        if let Some(pointer) = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix('#')) {
            return self.value(self.root.pointer(pointer).unwrap());
        }
        if let Some(example) = schema["examples"].get(0).filter(|_| self.random.random_bool(0.7)) {
            return example.clone();
        }
        if let Some(constant) = schema.get("const") {
            return constant.clone();
        }
        if let Some(words) = schema["enum"].as_array() {
            return words.choose(&mut self.random).unwrap().clone();
        }
        if let Some(forms) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
            let ends = |form: &&Value| form["type"] != "object";
            let form = forms.iter().find(ends).filter(|_| self.depth > DEEPEST);
            let form = form.unwrap_or_else(|| forms.choose(&mut self.random).unwrap());
            return self.value(form);
        }
        self.depth += 1;
        let value = self.plain(schema);
        self.depth -= 1;
        value
    }

    /// The same of a schema that is of one type.
    fn plain(&mut self, schema: &Value) -> Value {
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.choose(&mut self.random).unwrap().as_str(),
            kind => kind.as_str(),
        };
        match kind.unwrap() {
            "boolean" => self.random.random_bool(0.5).into(),
            "integer" => {
                let (least, most) = (schema["minimum"].as_i64().unwrap_or(0), schema["maximum"].as_i64());
                self.random.random_range(least..=most.unwrap_or(least + 3)).into()
            }
            "number" => self.number(schema),
            "string" => {
                let pattern = Regex::new(schema["pattern"].as_str().unwrap_or_default()).unwrap();
                ["x", "2.5", "30s"].into_iter().find(|text| pattern.is_match(text)).unwrap().into()
            }
            "array" => {
                let least = schema["minItems"].as_u64().unwrap_or(0);
                let most = if self.depth > DEEPEST { least } else { least + 2 };
                let length = self.random.random_range(least..=most);
                (0..length).map(|_| self.value(&schema["items"])).collect()
            }
            "object" => self.table(schema),
            other => panic!("nothing is drawn for {other}"),
        }
    }

    fn number(&mut self, schema: &Value) -> Value {
        let bound = |key: &str, exclusive: &str| schema[key].as_f64().or(schema[exclusive].as_f64());
        let least = bound("minimum", "exclusiveMinimum").unwrap_or(0.0);
        let most = bound("maximum", "exclusiveMaximum").unwrap_or(least + 4.0);
        // Strictly in between, and with few digits.
        let step = self.random.random_range(1..8_u32);
        (least + (most - least) * f64::from(step) / 8.0).into()
    }

    fn table(&mut self, schema: &Value) -> Value {
        let is_required =
            |key: &str| schema["required"].as_array().is_some_and(|keys| keys.iter().any(|one| one == key));
        let mut table = Map::new();
        for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
            if is_required(key) || self.random.random_bool(0.25) {
                table.insert(key.clone(), self.value(schema));
            }
        }
        if schema["additionalProperties"].is_object() {
            for name in ["first", "second"] {
                table.insert(name.to_owned(), self.value(&schema["additionalProperties"]));
            }
        }
        Value::Object(table)
    }
}

//! Does the schema of a policy say what its parser does?
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod policies;
mod validator;

use std::path::Path;

use serde_json::{Value, json};
use shoal::policy::engines::{EngineEntry, EngineKey, register};
use shoal::policy::{Key, Policy, PolicyDocument, keys, schema};
use shoal::{method, model, objective};

use policies::{json_of, literals, policies};
use validator::validate;

/// An engine, so that everything that a policy may say can be said.
static LAKE: EngineEntry = EngineEntry {
    name: "the lake",
    address: EngineKey { name: "lake", description: "The address of a lake.", example: "lake://localhost" },
    schemes: &["lake://"],
    more_keys: &[EngineKey { name: "depth", description: "How deep it is.", example: "10 m" }],
    reads_files: true,
    check: |_| Ok(()),
    next_step: |_| String::new(),
};

fn parsed(text: &str) -> shoal::Result<Policy> {
    register(&[&LAKE]);
    Policy::parse(text, "policy.toml", Path::new("/nowhere"))
}

fn accepted(schema: &Value, text: &str) -> Result<(), String> {
    validate(schema, schema, &json_of(text))
}

#[test]
fn what_the_parser_accepts_the_schema_accepts() {
    register(&[&LAKE]);
    let schema = schema();
    let (mut right, mut wrong) = (0, 0);
    for (place, text) in policies().into_iter().chain(literals()) {
        match parsed(&text) {
            Ok(_) => accepted(&schema, &text).unwrap_or_else(|why| panic!("{place}: {why}\n{text}")),
            Err(_) => wrong += 1,
        }
        right += 1;
    }
    assert!(right > 40 && right - wrong > 30, "{right} policies, {wrong} of them wrong: too few to tell");
}

#[test]
fn what_the_schema_refuses_the_parser_refuses() {
    let schema = schema();
    let values = [
        json!(0),
        json!(1),
        json!(2.5),
        json!(-1),
        json!("x"),
        json!(""),
        json!(true),
        json!([]),
        json!(["a"]),
        json!([3]),
        json!({}),
        json!({ "a": 1 }),
    ];
    let mut refused = 0;
    for (place, text) in policies() {
        let original = json_of(&text);
        for pointer in pointers(&original, String::new()) {
            for value in &values {
                let mut changed = original.clone();
                *changed.pointer_mut(&pointer).unwrap() = value.clone();
                let Ok(text) = toml::to_string(&changed) else { continue };
                let by_schema = accepted(&schema, &text);
                if let (Ok(_), Err(why)) = (parsed(&text), &by_schema) {
                    panic!("{place}, {pointer} = {value}: the parser takes it, the schema does not: {why}");
                }
                refused += usize::from(by_schema.is_err());
            }
        }
    }
    assert!(refused > 500, "{refused}");
}

/// Where every value stands that is no table with names of our own.
fn pointers(value: &Value, before: String) -> Vec<String> {
    let inner: Vec<String> = match value {
        Value::Object(table) => {
            table.iter().flat_map(|(key, value)| pointers(value, format!("{before}/{}", escaped(key)))).collect()
        }
        Value::Array(list) => {
            list.iter().enumerate().flat_map(|(at, value)| pointers(value, format!("{before}/{at}"))).collect()
        }
        _ => Vec::new(),
    };
    if before.is_empty() { inner } else { inner.into_iter().chain([before]).collect() }
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[test]
fn a_misspelled_key_is_refused_by_both() {
    let schema = schema();
    let mut misspelled = 0;
    for (place, text) in policies() {
        let original = json_of(&text);
        for pointer in pointers(&original, String::new()) {
            let (table, key) = pointer.rsplit_once('/').unwrap();
            // Names of columns, of groups and of values are the table's own.
            let is_own = key.parse::<usize>().is_ok()
                || table == "/columns"
                || ["tree", "weights", "groups"].iter().any(|own| table.contains(own));
            if is_own {
                continue;
            }
            let mut changed = original.clone();
            let table = changed.pointer_mut(table).unwrap().as_object_mut().unwrap();
            let value = table.shift_remove(&key.replace("~1", "/")).unwrap();
            table.insert(format!("{key}x"), value);
            let text = toml::to_string(&changed).unwrap();
            assert!(parsed(&text).is_err(), "{place}: {pointer}x");
            assert!(accepted(&schema, &text).is_err(), "{place}: {pointer}x");
            misspelled += 1;
        }
    }
    assert!(misspelled > 200, "{misspelled}");
}

#[test]
fn every_key_is_described_and_shows_what_may_stand_there() {
    register(&[&LAKE]);
    let (all, schema) = (keys(), schema());
    assert!(all.len() > 90, "{}", all.len());
    for key in &all {
        let path = key.path();
        let description = key.schema["description"].as_str().unwrap_or_default();
        let is_sentence =
            description.ends_with(['.', '?']) && description.starts_with(|c: char| c.is_uppercase() || c == '`');
        assert!(is_sentence, "{path}: {description}");
        let shows = ["examples", "default", "const", "oneOf", "enum"].iter().any(|word| key.schema.get(word).is_some());
        let is_clear = shows || key.schema["type"] == "boolean" || path.starts_with("hierarchy.");
        assert!(is_clear, "{path} has no example: {}", key.schema);
        for value in key.schema["examples"].as_array().into_iter().flatten().chain(key.schema.get("default")) {
            validate(&schema, &key.schema, value).unwrap_or_else(|why| panic!("{path} = {value}: {why}"));
        }
    }
}

/// A policy in which this key can stand, and how it is called there; nothing for the parts of hierarchies.
fn suited(key: &Key) -> Option<(PolicyDocument, String)> {
    let text = "[input]\npath = 'a.csv'\n[columns.age]\nrole = 'quasi-identifier'\nhierarchy = { suppress = {} }\n\
                [columns.pay]\nrole = 'sensitive'\n[[require]]\nmodel = 'k-anonymity'\nk = 5\n";
    let mut document = PolicyDocument::parse(text, "p.toml", Path::new("/nowhere")).unwrap();
    let mut set = |key: &str, value: Value| document.set(key, toml::Value::try_from(value).unwrap()).unwrap();
    let lake = |set: &mut dyn FnMut(&str, Value)| {
        set("input.lake", json!("lake://localhost"));
        set("output.table", json!("release"));
    };
    match (key.section, key.name.as_str()) {
        ("hierarchy", _) => return None,
        ("input", "depth" | "lake") | ("output", "table") => lake(&mut set),
        ("columns", "replace") => set("columns.age.role", json!("identifier")),
        ("columns", "key-file" | "domain") => {
            set("columns.age.role", json!("identifier"));
            set("columns.age.replace", json!("pseudonym"));
        }
        ("columns", "type") => {
            document.remove("columns.age.hierarchy").unwrap();
        }
        ("method", "numbers" | "categories" | "ends") => set("method.name", json!("mondrian")),
        _ => {}
    }
    if key.section == "columns" && ["replace", "key-file", "domain"].contains(&key.name.as_str()) {
        document.set("columns.sex.role", "quasi-identifier").unwrap();
    }
    if let ("method", Some(of)) = (key.section, &key.of) {
        document.set("method.name", of.as_str()).unwrap();
    }
    let mut path = match key.section {
        "columns" => format!("columns.age.{}", key.name),
        section => format!("{section}.{}", key.name),
    };
    if key.section == "require" {
        // The other parameters of the model have the values of their examples.
        let of = key.of.clone().or((key.name != "model").then(|| "distinct-l-diversity".to_owned()));
        if let Some(of) = &of {
            document.remove("k").unwrap();
            document.set("require[0].model", of.as_str()).unwrap();
            for other in keys().iter().filter(|other| other.of.as_ref() == Some(of) && other.is_required) {
                document
                    .set(
                        &format!("require[0].{}", other.name),
                        toml::Value::try_from(&other.schema["examples"][0]).unwrap(),
                    )
                    .unwrap();
            }
            if of == "bayes-optimal-privacy" && key.name != "difference" {
                document.set("require[0].rho1", 0.1).unwrap();
                document.set("require[0].rho2", 0.5).unwrap();
            }
        }
        path = format!("require[0].{}", key.name);
    }
    Some((document, path))
}

/// What the policy of a document says, without its text and its lines.
fn meaning(document: &PolicyDocument) -> shoal::Result<String> {
    let policy = document.policy()?;
    let Policy { input, output, columns, requirements, method, .. } = &policy;
    let text = format!("{input:?}\n{output:?}\n{columns:?}\n{requirements:?}\n{method:?}");
    let parts = text.split(", line ").map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
    Ok(parts.collect())
}

#[test]
fn the_examples_are_accepted_and_the_defaults_change_nothing() {
    register(&[&LAKE]);
    let (mut examples, mut defaults) = (0, 0);
    for key in keys() {
        let Some((document, path)) = suited(&key) else { continue };
        let set = |value: &Value| {
            let mut document = document.clone();
            document.set(&path, toml::Value::try_from(value).unwrap()).unwrap();
            document
        };
        for value in key.schema["examples"].as_array().into_iter().flatten() {
            let policy = set(value).policy().map(|_| ());
            // Groups by level need a hierarchy, which is for whoever reads the table to see.
            policy.unwrap_or_else(|error| panic!("{path} = {value}: {error}\n{}", set(value)));
            examples += 1;
        }
        if let Some(value) = key.schema.get("default") {
            assert_eq!(meaning(&set(value)).unwrap(), meaning(&document).unwrap(), "{path} = {value}");
            defaults += 1;
        }
    }
    assert!(examples > 40 && defaults > 20, "{examples} {defaults}");
}

#[test]
fn the_ranges_are_those_of_the_parser() {
    register(&[&LAKE]);
    let mut bounds = 0;
    for key in keys() {
        let Some((document, path)) = suited(&key) else { continue };
        let outside = [("minimum", -1.0), ("exclusiveMinimum", 0.0), ("maximum", 1.0), ("exclusiveMaximum", 0.0)];
        for (bound, step) in outside {
            let Some(number) = key.schema[bound].as_f64() else { continue };
            let value = number + step;
            let value = if value.fract() == 0.0 { toml::Value::from(value as i64) } else { value.into() };
            let mut outside = document.clone();
            outside.set(&path, value.clone()).unwrap();
            assert!(outside.policy().is_err(), "{path} = {value} is outside of the range in the schema, and accepted");
            assert!(validate(&key.schema, &key.schema, &serde_json::to_value(value).unwrap()).is_err());
            bounds += 1;
        }
    }
    assert!(bounds > 30, "{bounds}");
}

#[test]
fn the_words_are_those_of_the_lists() {
    let words = |path: &str| -> Vec<String> {
        let key = keys().into_iter().find(|key| key.path() == path).unwrap();
        key.schema["oneOf"].as_array().unwrap().iter().map(|word| word["const"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(words("require.model"), model::DEFINITIONS.iter().map(|model| model.id).collect::<Vec<_>>());
    assert_eq!(words("method.name"), method::METHODS.iter().map(|method| method.id()).collect::<Vec<_>>());
    assert_eq!(
        words("method.objective"),
        objective::OBJECTIVES.iter().map(|entry| entry.objective.id()).collect::<Vec<_>>()
    );
    assert_eq!(words("columns.role")[..4], ["identifier", "quasi-identifier", "sensitive", "insensitive"]);
}

#[test]
fn an_engine_adds_its_keys() {
    let keys: Vec<String> = {
        register(&[&LAKE]);
        keys().iter().map(Key::path).collect()
    };
    assert!(keys.contains(&"input.lake".to_owned()) && keys.contains(&"input.depth".to_owned()));
    let rest = "[columns.age]\nrole = 'quasi-identifier'\n[[require]]\nmodel = 'k-anonymity'\nk = 5\n";
    let policy =
        parsed(&format!("[input]\nlake = 'lake://h'\ndepth = '3 m'\ntable = 't'\n[output]\ntable = 'r'\n{rest}"))
            .unwrap();
    let engine = policy.input.engine.unwrap();
    assert_eq!((engine.address.engine().name, engine.option("depth")), ("the lake", Some("3 m")));
    for (input, said) in [
        ("lake = 'http://h'\ntable = 't'", "line 2: `lake` must be an address that begins with lake://"),
        ("lake = 'lake://h'", "does not say which table of the lake to read"),
        ("depth = '3 m'\npath = 'a.csv'", "line 2: `depth` needs to know where the table lives"),
        ("lake = 1\ntable = 't'", "line 2: found the number `1`, expected text"),
        ("laek = 'lake://h'\ntable = 't'", "did you mean `lake`?"),
        ("lake = 'lake://h'\ntable = 't'\nquote = '|'", "`quote` is for text files, and this table is in the lake"),
    ] {
        let error = parsed(&format!("[input]\n{input}\n[output]\ntable = 'r'\n{rest}")).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

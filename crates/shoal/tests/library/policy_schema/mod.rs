//! Does the schema of a policy say what its parser does?

#[path = "../../../../shoal-cli/tests/program/recorded/book.rs"]
mod book;
mod drawn;
mod policies;
#[path = "../../../../shoal-cli/tests/program/recorded/policy.rs"]
mod policy;
mod suited;
mod validator;

use std::path::Path;

use serde_json::{Value, json};
use shoal::policy::engines::{EngineEntry, EngineKey, register};
use shoal::policy::{Key, Policy, PolicyDocument, keys, schema};
use shoal_core::{method, model, objective};

use drawn::drawn;
use policies::{json_of, literals, policies, recorded};
use suited::suited;
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

fn parsed(text: &str) -> shoal_core::Result<Policy> {
    register([&LAKE]);
    Policy::parse(text, "policy.toml", Path::new("/nowhere"))
}

fn schema_with_lake() -> Value {
    register([&LAKE]);
    schema()
}

fn accepted(schema: &Value, text: &str) -> Result<(), String> {
    validate(schema, schema, &json_of(text))
}

/// Is this a mistake that a schema can see: a key that there is not, a value of the wrong type, a word that is none?
fn is_of_shape(error: &shoal_core::Error) -> bool {
    let shapes = [
        "there is no key",
        "there is no value",
        "there is no section",
        "there is no model",
        "there is no method",
        "there is no objective",
        "there is no hierarchy",
        "missing key",
        "without `model`",
        "here are two",
        "found ",
        "expected ",
        "must be a table",
        "must be a list",
        "must be text",
    ];
    shapes.iter().any(|shape| error.message().contains(shape))
}

/// What parser and schema must agree on: what the one accepts the other accepts, and what the one refuses for its shape the
/// other refuses. Is the policy accepted?
fn must_agree(schema: &Value, place: &str, policy: &str) -> bool {
    let (parsed, accepted) = (parsed(policy), accepted(schema, policy));
    match (&parsed, &accepted) {
        (Ok(_), Err(why)) => panic!("{place}: the parser accepts what the schema refuses: {why}\n{policy}"),
        (Err(error), Ok(())) if is_of_shape(error) => {
            panic!("{place}: the schema accepts what the parser refuses: {error}\n{policy}")
        }
        _ => parsed.is_ok(),
    }
}

#[test]
fn parser_and_schema_agree_on_every_policy_there_is() {
    let schema = schema_with_lake();
    let agreed =
        |all: Vec<(String, String)>| all.iter().filter(|(place, text)| must_agree(&schema, place, text)).count();
    let found = [agreed(policies()), agreed(recorded()), agreed(literals())];
    assert!(found[0] > 10 && found[1] > 150 && found[2] > 30, "too few policies are right to tell: {found:?}");
}

#[test]
fn what_the_schema_describes_the_parser_reads() {
    let schema = schema_with_lake();
    let is_read = |seed: u64| {
        let policy = drawn(&schema, seed);
        validate(&schema, &schema, &policy).unwrap_or_else(|why| panic!("{seed}: {why}\n{policy:#}"));
        must_agree(&schema, &format!("seed {seed}"), &toml::to_string(&policy).unwrap())
    };
    let read = (0..2000).filter(|seed| is_read(*seed)).count();
    assert!(read > 200, "{read}");
}

#[test]
fn a_wrong_value_is_refused_by_both() {
    let schema = schema_with_lake();
    let values = [
        json!(0),
        json!(1),
        json!(2.5),
        json!(-1),
        json!("x"),
        json!(""),
        json!("1.5"),
        json!("-7"),
        json!("30s"),
        json!("2 GB"),
        json!(true),
        json!([]),
        json!(["a"]),
        json!([3]),
        json!({}),
        json!({ "a": 1 }),
    ];
    let (mut refused, mut accepted) = (0, 0);
    for (place, original) in originals(&schema) {
        for pointer in pointers(&original, String::new()) {
            for value in &values {
                let mut changed = original.clone();
                *changed.pointer_mut(&pointer).unwrap() = value.clone();
                let Ok(text) = toml::to_string(&changed) else { continue };
                match must_agree(&schema, &format!("{place}, {pointer} = {value}"), &text) {
                    true => accepted += 1,
                    false => refused += 1,
                }
            }
        }
    }
    assert!(refused > 5000 && accepted > 500, "{refused} {accepted}");
}

#[test]
fn a_misspelled_key_is_refused_by_both() {
    let schema = schema_with_lake();
    let mut misspelled = 0;
    for (place, original) in originals(&schema) {
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
            let error = parsed(&text).err().unwrap_or_else(|| panic!("{place}: {pointer}x"));
            assert!(is_of_shape(&error), "{place}: {error}");
            assert!(accepted(&schema, &text).is_err(), "{place}: {pointer}x");
            misspelled += 1;
        }
    }
    assert!(misspelled > 500, "{misspelled}");
}

/// Policies that are right, to make mistakes in: those in files, and drawn ones.
fn originals(schema: &Value) -> Vec<(String, Value)> {
    let drawn = (0..200).map(|seed| (format!("seed {seed}"), drawn(schema, seed)));
    let all = policies().into_iter().map(|(place, text)| (place, json_of(&text))).chain(drawn);
    let right: Vec<_> =
        all.filter(|(_, policy)| toml::to_string(policy).is_ok_and(|text| parsed(&text).is_ok())).collect();
    assert!(right.len() > 30, "{}", right.len());
    right
}

/// Where every value stands.
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
fn every_key_is_described_and_shows_what_may_stand_there() {
    register([&LAKE]);
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

/// What the policy of a document says, without its text and its lines.
fn meaning(document: &PolicyDocument) -> shoal_core::Result<String> {
    let policy = document.policy()?;
    let Policy { input, output, columns, requirements, method, .. } = &policy;
    let text = format!("{input:?}\n{output:?}\n{columns:?}\n{requirements:?}\n{method:?}");
    // The lowest level is the lowest that there is, said or not.
    let text = text.replace("min_level: Some(0)", "min_level: None");
    let parts = text.split(", line ").map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
    Ok(parts.collect())
}

#[test]
fn the_examples_are_accepted_and_the_defaults_change_nothing() {
    register([&LAKE]);
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
    register([&LAKE]);
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
        objective::OBJECTIVES.iter().map(|entry| entry.item.id()).collect::<Vec<_>>()
    );
    assert_eq!(words("columns.role")[..4], ["identifier", "quasi-identifier", "sensitive", "insensitive"]);
}

#[test]
fn an_engine_adds_its_keys() {
    let keys: Vec<String> = {
        register([&LAKE]);
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

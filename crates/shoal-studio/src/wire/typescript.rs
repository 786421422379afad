//! Is what the page is written against still what the server says?

use std::path::Path;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::*;

/// What a schema is in TypeScript.
fn of(schema: &Value) -> String {
    let several = |key: &str| schema[key].as_array().cloned().unwrap_or_default();
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if !schema["const"].is_null() {
        return schema["const"].to_string();
    }
    let alternatives: Vec<Value> = ["enum", "oneOf", "anyOf"].into_iter().flat_map(several).collect();
    if !alternatives.is_empty() {
        let one = |value: &Value| if value.is_string() { value.to_string() } else { of(value) };
        return alternatives.iter().map(one).collect::<Vec<_>>().join(" | ");
    }
    match &schema["type"] {
        Value::Array(kinds) => {
            let one = |kind: &Value| {
                let mut single = schema.clone();
                single["type"] = kind.clone();
                of(&single)
            };
            kinds.iter().map(one).collect::<Vec<_>>().join(" | ")
        }
        Value::String(kind) => match kind.as_str() {
            "integer" | "number" => "number".to_owned(),
            "array" => {
                let item = of(&schema["items"]);
                match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
                    (Some(least), Some(most)) if least == most => {
                        format!("[{}]", vec![item; least as usize].join(", "))
                    }
                    _ => format!("Array<{item}>"),
                }
            }
            "object" => object(schema),
            kind => kind.to_owned(),
        },
        _ => "unknown".to_owned(),
    }
}

/// Every key is there, with null where there is nothing.
fn object(schema: &Value) -> String {
    let keys = schema["properties"].as_object().cloned().unwrap_or_default();
    let keys: Vec<String> = keys.iter().map(|(key, value)| format!("{key}: {}", of(value))).collect();
    format!("{{ {} }}", keys.join(", "))
}

/// All types, by name.
fn declarations() -> String {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    macro_rules! roots {
        ($($name:ty),* $(,)?) => { $(generator.subschema_for::<$name>();)* };
    }
    roots![
        Desk,
        Rows,
        SinglingOut,
        Distribution,
        Definitions,
        Page,
        Promises,
        HierarchyShown,
        LevelsTried,
        LatticeInfo,
        Open,
        Edit,
        Explore,
        Publish,
        Event,
        Explored,
        Advised,
        Solutions,
        Around,
        Neighbourhood,
        Candidate,
        Classes,
        PairsOfRows,
        Published,
        PublishPlan,
        FileEntry,
    ];
    // What comes of work differs, and the rest does not.
    let work = generator.root_schema_for::<Work<()>>().to_value();
    let work = object(&work).replace("result: null", "result: T | null");
    let mut lines = vec![format!("export type Work<T> = {work};\n")];
    let definitions = generator.take_definitions(true);
    lines.extend(
        definitions
            .iter()
            .filter(|(name, _)| !name.starts_with("Work_"))
            .map(|(name, schema)| format!("export type {name} = {};\n", of(schema))),
    );
    lines.sort();
    format!(
        "// Made from crates/shoal-studio/src/wire by its tests: SHOAL_RECORD=1 writes it anew.\n\n{}",
        lines.concat()
    )
}

#[test]
fn the_page_knows_the_types_of_the_server() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studio/src/wire.ts");
    let declared = declarations();
    assert!(!declared.contains("unknown") && declared.contains("result: T | null"), "{declared}");
    if std::env::var_os("SHOAL_RECORD").is_some() {
        std::fs::write(&path, &declared).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == declared, "{} is stale: run this test with SHOAL_RECORD=1", path.display());
}

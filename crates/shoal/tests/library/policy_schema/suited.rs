//! In which policy can a key stand?

use std::path::Path;

use serde_json::{Value, json};
use shoal::policy::{Key, PolicyDocument, keys};

/// A policy in which this key can stand, and how it is called there; nothing for the parts of hierarchies.
pub fn suited(key: &Key) -> Option<(PolicyDocument, String)> {
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
        ("columns", "publish") => {
            document.remove("columns.age.hierarchy").unwrap();
            document.set("columns.age.role", "insensitive").unwrap();
        }
        ("columns", "replace") => set("columns.age.role", json!("identifier")),
        ("columns", "key-file" | "domain") => {
            set("columns.age.role", json!("identifier"));
            set("columns.age.replace", json!("pseudonym"));
        }
        ("input", "knows" | "household") | ("method", "suppress") => set("input.person", json!("patient")),
        ("columns", "type") => {
            document.remove("columns.age.hierarchy").unwrap();
        }
        ("require", "column") => set("columns.diagnosis.role", json!("sensitive")),
        ("method", "numbers" | "categories" | "ends") => set("method.name", json!("mondrian")),
        _ => {}
    }
    if key.section == "columns" && ["publish", "replace", "key-file", "domain"].contains(&key.name.as_str()) {
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

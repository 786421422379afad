//! Which policies does one policy become when some of its values are varied?

use std::path::Path;
use std::str::FromStr;

use toml::{Table, Value};

use super::Candidate;
use crate::policy::Policy;
use shoal_core::{Error, Result};

/// A key of a policy and the values it is to have: `k=2,5,10`.
#[derive(Debug, Clone, PartialEq)]
pub struct Vary {
    key: String,
    values: Vec<String>,
}

impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("`{text}` is not KEY=VALUE,VALUE,.. such as k=2,5,10 or method=full-domain,mondrian");
        let (key, values) = text.split_once('=').ok_or_else(expected)?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        if key.trim().is_empty() || values.iter().any(String::is_empty) {
            return Err(expected());
        }
        Ok(Self { key: key.trim().to_owned(), values })
    }
}

/// The policies that a policy file becomes: one for each combination of values.
pub fn variants(file: &Path, varied: &[Vary]) -> Result<Vec<Candidate>> {
    let original = Policy::read(file)?;
    if varied.is_empty() {
        return Ok(vec![Candidate { file: file.to_owned(), settings: Vec::new(), policy: original }]);
    }
    let table: Table = toml::from_str(&original.text)
        .map_err(|error| Error::policy(format!("{}: {}", file.display(), error.message())))?;
    let mut combinations: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for vary in varied {
        let with = |settings: &Vec<(String, String)>| {
            let settings = settings.clone();
            vary.values.iter().map(move |value| [settings.clone(), vec![(vary.key.clone(), value.clone())]].concat())
        };
        combinations = combinations.iter().flat_map(with).collect();
    }
    combinations.into_iter().map(|settings| candidate(file, &original, &table, settings)).collect()
}

fn candidate(file: &Path, original: &Policy, table: &Table, settings: Vec<(String, String)>) -> Result<Candidate> {
    let mut table = table.clone();
    // A method takes its own parameters only, so which one it is must be known before they are set.
    let (methods, others): (Vec<_>, Vec<_>) = settings.iter().partition(|(key, _)| key == "method");
    for (key, value) in methods.into_iter().chain(others) {
        set(&mut table, key, value).map_err(|error| error.at(file.display()))?;
    }
    let named: Vec<String> = settings.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let name = format!("{} with {}", file.display(), named.join(", "));
    let text = toml::to_string(&table).map_err(|error| Error::policy(format!("{name}: {error}")))?;
    Ok(Candidate { file: file.to_owned(), settings, policy: Policy::parse(&text, &name, &original.folder)? })
}

/// What stands in `[method]` for all methods.
const OF_EVERY_METHOD: [&str; 2] = ["objective", "max-suppressed"];

fn set(policy: &mut Table, key: &str, value: &str) -> Result<()> {
    let value = read(value);
    match key.split_once('.') {
        None if key == "method" => {
            let method = section(policy, "method")?;
            if method.get("name") != Some(&value) {
                // Those of another method would be refused.
                method.retain(|key, _| OF_EVERY_METHOD.contains(&key));
            }
            method.insert("name".to_owned(), value);
            Ok(())
        }
        None if OF_EVERY_METHOD.contains(&key) => {
            section(policy, "method")?.insert(key.to_owned(), value);
            Ok(())
        }
        None => set_in_requirements(policy, key, &value),
        Some(("require", key)) => set_in_requirements(policy, key, &value),
        Some((name, rest)) => {
            let mut inner = section(policy, name)?;
            let mut keys: Vec<&str> = rest.split('.').collect();
            let last = keys.pop().unwrap_or_default();
            for key in keys {
                inner = section(inner, key)?;
            }
            inner.insert(last.to_owned(), value);
            Ok(())
        }
    }
}

fn section<'a>(table: &'a mut Table, name: &str) -> Result<&'a mut Table> {
    let entry = table.entry(name.to_owned()).or_insert_with(|| Value::Table(Table::new()));
    entry.as_table_mut().ok_or_else(|| Error::policy(format!("`{name}` is no section of the policy")))
}

/// Sets a parameter in every requirement that has it.
fn set_in_requirements(policy: &mut Table, key: &str, value: &Value) -> Result<()> {
    let requirements = policy.get_mut("require").and_then(Value::as_array_mut);
    let mut requirements: Vec<&mut Table> =
        requirements.into_iter().flatten().filter_map(Value::as_table_mut).collect();
    let mut known: Vec<String> = requirements.iter().flat_map(|table| table.keys().cloned()).collect();
    if known.iter().any(|known| known == key) {
        for requirement in requirements.iter_mut().filter(|requirement| requirement.contains_key(key)) {
            requirement.insert(key.to_owned(), value.clone());
        }
        return Ok(());
    }
    known.sort_unstable();
    known.dedup();
    known.retain(|key| key != "model" && key != "column");
    let keys: Vec<&str> = known.iter().map(String::as_str).chain(OF_EVERY_METHOD).chain(["method"]).collect();
    Err(Error::policy(format!("no requirement of the policy has `{key}` to vary"))
        .hint(format!("vary one of {}, or name another key with its section, as in method.refine", keys.join(", "))))
}

/// A value as TOML has it; what is none is text.
fn read(text: &str) -> Value {
    let table: Option<Table> = toml::from_str(&format!("value = {text}")).ok();
    table.and_then(|mut table| table.remove("value")).unwrap_or_else(|| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "[columns.a]\nrole = 'quasi-identifier'\n[[require]]\nmodel = 'k-anonymity'\nk = 5\n\
                          [method]\nname = 'full-domain'\nsearch = 'exhaustive'\nmax-suppressed = 0.1\n";

    fn varied(settings: &[(&str, &str)]) -> Result<String> {
        let mut table: Table = toml::from_str(POLICY).unwrap();
        for (key, value) in settings {
            set(&mut table, key, value)?;
        }
        Ok(toml::to_string(&table).unwrap())
    }

    #[test]
    fn keys_are_found_where_they_belong() {
        assert!(varied(&[("k", "7")]).unwrap().contains("k = 7"));
        assert!(varied(&[("require.k", "7")]).unwrap().contains("k = 7"));
        assert!(varied(&[("objective", "height")]).unwrap().contains("objective = \"height\""));
        assert!(varied(&[("max-suppressed", "0.02")]).unwrap().contains("max-suppressed = 0.02"));
        assert!(varied(&[("columns.a.min-level", "1")]).unwrap().contains("min-level = 1"));
        assert!(varied(&[("input.rows-with-missing", "drop")]).unwrap().contains("rows-with-missing = \"drop\""));
        let error = varied(&[("l", "3")]).unwrap_err().to_string();
        assert!(error.contains("no requirement of the policy has `l`") && error.contains("vary one of k, "), "{error}");
    }

    #[test]
    fn another_method_leaves_the_parameters_of_the_first() {
        let mondrian = varied(&[("method", "mondrian")]).unwrap();
        assert!(!mondrian.contains("search") && mondrian.contains("max-suppressed = 0.1"), "{mondrian}");
        assert!(varied(&[("method", "full-domain")]).unwrap().contains("search"));
    }

    #[test]
    fn values_are_separated_by_commas() {
        let vary: Vary = "k = 2, 5,10".parse().unwrap();
        assert_eq!(vary, Vary { key: "k".into(), values: vec!["2".into(), "5".into(), "10".into()] });
        for wrong in ["k", "k=", "=2", "k=2,,3"] {
            assert!(wrong.parse::<Vary>().unwrap_err().contains("is not KEY=VALUE"), "{wrong}");
        }
    }

    #[test]
    fn several_give_every_combination() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("p.toml");
        std::fs::write(&file, POLICY).unwrap();
        let varied: Vec<Vary> = ["k=2,3", "method=full-domain,mondrian"].map(|text| text.parse().unwrap()).to_vec();
        let found = variants(&file, &varied).unwrap();
        let settings: Vec<String> = found.iter().map(|c| format!("{} {}", c.settings[0].1, c.settings[1].1)).collect();
        assert_eq!(settings, ["2 full-domain", "2 mondrian", "3 full-domain", "3 mondrian"]);
        assert_eq!(found[3].policy.method.method.id(), "mondrian");
        assert_eq!(variants(&file, &[]).unwrap().len(), 1);
    }
}

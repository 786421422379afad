//! What does an audit say of what it does not try on a release in two tables?

use std::collections::BTreeSet;

use serde_json::Value;
use shoal::attack::ATTACKS;
use shoal::risk::RISKS;
use shoal::utility::MEASURES;

use crate::workbench::Workbench;

const POLICY: &str = "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\nsensitive-path = \"values.csv\"\n\
                      [columns.age]\nrole = \"quasi-identifier\"\n[columns.town]\nrole = \"quasi-identifier\"\n\
                      [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n\
                      [method]\nname = \"anatomy\"\n";
const TABLE: &str = "age,town,ill\n31,A,flu\n32,A,cold\n33,B,gout\n34,B,flu\n35,C,cold\n36,C,gout\n";
const AUDIT: &[&str] = &["audit", "release.csv", "--policy", "policy.toml", "--sensitive-table", "values.csv"];

fn bench() -> Workbench {
    let bench = Workbench::with(&[("table.csv", TABLE), ("policy.toml", POLICY)]);
    bench.must(&["anonymize", "policy.toml"]);
    bench
}

/// The ids under a key of some entries.
fn ids<'a>(entries: &'a Value, key: &str) -> BTreeSet<&'a str> {
    entries.as_array().unwrap().iter().filter_map(|entry| entry[key].as_str()).collect()
}

#[test]
fn every_attack_is_tried_or_named_with_a_reason() {
    let bench = bench();
    for more in [&["--json"][..], &["--original", "table.csv", "--json"]] {
        let audit = bench.json(&[AUDIT, more].concat());
        let (tried, not_tried) = (ids(&audit["attacks"], "attack"), ids(&audit["not_tried"], "attack"));
        for entry in ATTACKS {
            let id = entry.item.id();
            assert!(tried.contains(id) || not_tried.contains(id), "{more:?}: nothing is said of {id}");
        }
        for id in ["linkage", "minimality", "intersection", "bayes-optimal"] {
            let untried = audit["not_tried"].as_array().unwrap().iter().find(|untried| untried["attack"] == id);
            let untried = untried.unwrap_or_else(|| panic!("{more:?}: {id} is not said to be untried"));
            assert_eq!(untried["needs"], "a release in one table", "{untried}");
            assert!(untried["why"].as_str().is_some_and(|why| !why.is_empty()), "{untried}");
        }
    }
}

#[test]
fn risks_models_and_measures_that_are_left_out_are_named_with_a_reason() {
    let bench = bench();
    let audit = bench.json(&[AUDIT, &["--json"]].concat());
    let unmeasured = &audit["not_measured"];
    assert!(unmeasured.as_array().unwrap().iter().all(|entry| entry["why"].is_string()), "{unmeasured}");
    assert_eq!(ids(unmeasured, "risk"), RISKS.iter().map(|entry| entry.id()).collect());
    assert!(ids(unmeasured, "model").contains("k-anonymity"), "{unmeasured}");
    assert!(ids(unmeasured, "utility").is_empty(), "nobody asked: there is no original");
    let audit = bench.json(&[AUDIT, &["--original", "table.csv", "--json"]].concat());
    let utility = ids(&audit["not_measured"], "utility");
    assert!(MEASURES.iter().map(|entry| entry.id()).chain(["loss"]).all(|id| utility.contains(id)), "{utility:?}");
    let text = bench.must(&[AUDIT, &["--original", "table.csv"]].concat()).stdout;
    for said in [
        "not tried: linkage, which needs a release in one table: every quasi-identifier is shown as it is",
        "not measured: k-anonymity, ",
        "not measured: loss, ",
        "prosecutor-risk",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
}

#[test]
fn of_one_table_nothing_is_left_out() {
    let policy = POLICY.replace("anatomy", "mondrian").replace("sensitive-path = \"values.csv\"\n", "");
    let bench = Workbench::with(&[("table.csv", TABLE), ("policy.toml", &policy)]);
    bench.must(&["anonymize", "policy.toml"]);
    let audit = bench.json(&["audit", "release.csv", "--policy", "policy.toml", "--json"]);
    assert_eq!(audit["not_measured"], serde_json::json!([]));
}

//! Where does a release go, and what does the summary for programs hold?

use serde_json::Value;

use crate::workbench::Workbench;

#[test]
fn paths_in_a_policy_begin_at_the_policy_and_others_here() {
    let bench = Workbench::with_example("inpatients");
    for file in ["policy.toml", "inpatients.csv"] {
        bench.write(&format!("below/{file}"), bench.bytes(file));
        std::fs::remove_file(bench.path(file)).unwrap();
    }
    bench.must(&["anonymize", "below/policy.toml"]);
    let release = bench.text("below/release.csv");
    bench.must(&["anonymize", "below/policy.toml", "--output", "here.csv"]);
    assert_eq!(bench.text("here.csv"), release);
    bench.write("other.csv", bench.bytes("below/inpatients.csv"));
    bench.must(&["anonymize", "below/policy.toml", "--input", "other.csv", "-o", "of-other.csv"]);
    assert_eq!(bench.text("of-other.csv"), release);
}

#[test]
fn a_release_is_named_after_its_input() {
    let bench = Workbench::with_example("inpatients");
    bench.write("policy.toml", bench.text("policy.toml").replace("path = \"release.csv\"", ""));
    let summary = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!(summary["release"], "inpatients.release.csv");
    assert_eq!(bench.text("inpatients.release.csv").lines().count(), 13);
}

#[test]
fn an_earlier_release_is_replaced_and_nothing_else_is_left() {
    let bench = Workbench::with_example("inpatients");
    bench.must(&["anonymize", "policy.toml"]);
    bench.write("release.csv", bench.text("release.csv").lines().next().unwrap().to_owned() + "\n1,2,3,4\n");
    bench.must(&["anonymize", "policy.toml"]);
    assert!(bench.text("release.csv").starts_with("Zip Code,"));
    assert_eq!(bench.everything().len(), 3, "{:?}", bench.everything().keys());
}

#[cfg(unix)]
#[test]
fn a_release_has_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Workbench::with_example("inpatients");
    let ran = bench.run_in_shell("umask 027; \"$SHOAL\" anonymize policy.toml");
    assert_eq!(ran.code, 0, "{ran}");
    let mode = std::fs::metadata(bench.path("release.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

/// What stands at a path of keys: `class_size.min`.
fn at<'a>(value: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(value, |value, key| value.get(key).unwrap_or_else(|| panic!("no `{path}`\n{value:#}")))
}

fn all_numbers(value: &Value, paths: &[&str]) {
    paths.iter().for_each(|path| assert!(at(value, path).is_number(), "`{path}` is no number"));
}

fn all_whole(value: &Value, paths: &[&str]) {
    paths.iter().for_each(|path| assert!(at(value, path).is_u64(), "`{path}` is no whole number"));
}

const OBJECTIVES: [&str; 7] =
    ["height", "average-class-size", "discernibility", "precision", "non-uniform-entropy", "information", "loss"];

#[test]
fn the_summary_of_a_release_has_every_key() {
    let bench = Workbench::with_example("patients");
    let two = "model = \"alpha-k-anonymity\"\ncolumn = \"Disease\"\nalpha = 0.5\n";
    bench.write("policy.toml", bench.text("policy.toml").replace("model = \"k-anonymity\"\n", two));
    let summary = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!(summary["method"], "full-domain");
    assert_eq!(summary["objective"], "loss");
    assert_eq!(summary["guarantee"], "optimal");
    assert_eq!(summary["objective_value"], summary["objectives"]["loss"]);
    all_whole(&summary, &["rows", "dropped_rows", "released_rows", "suppressed_rows", "classes", "class_size.min"]);
    all_whole(&summary, &["class_size.max", "lattice.nodes", "lattice.checked", "levels.Age", "levels.ZIP Code"]);
    all_whole(&summary, &["peak_memory_bytes"]);
    all_numbers(&summary, &["objective_value", "class_size.mean"]);
    let seconds = ["read", "count", "hierarchies", "search", "recode", "verify", "write", "total"];
    seconds.iter().for_each(|stage| all_numbers(&summary, &[&format!("seconds.{stage}")]));
    OBJECTIVES.iter().for_each(|id| all_numbers(&summary, &[&format!("objectives.{id}")]));
    let models = summary["models"].as_array().unwrap();
    assert_eq!(models.len(), 3);
    for model in models {
        assert!(model["model"].is_string() && model["label"].is_string() && model["column"].is_string());
        assert_eq!(model["holds"], true);
    }
    all_numbers(&models[0], &["required.alpha", "required.k", "achieved.alpha", "achieved.k"]);
    all_numbers(&models[1], &["required", "achieved"]);
    let stages: f64 = seconds[..7].iter().map(|stage| summary["seconds"][stage].as_f64().unwrap()).sum();
    assert!(stages <= summary["seconds"]["total"].as_f64().unwrap(), "the stages are parts of the whole");
}

#[test]
fn the_list_of_solutions_has_every_key() {
    let bench = Workbench::with_example("patients");
    let minimal = bench.json(&["solutions", "policy.toml", "--json"]);
    all_whole(&minimal, &["rows", "nodes", "satisfying", "checked"]);
    assert!(minimal.get("all").is_none());
    let all = bench.json(&["solutions", "policy.toml", "--json", "--all"]);
    assert_eq!(all["minimal"], minimal["minimal"]);
    assert_eq!(all["all"].as_array().unwrap().len() as u64, all["satisfying"].as_u64().unwrap());
    for solution in all["all"].as_array().unwrap() {
        all_whole(solution, &["levels.ZIP Code", "levels.Age", "classes", "suppressed_rows"]);
        OBJECTIVES.iter().for_each(|id| all_numbers(solution, &[&format!("objectives.{id}")]));
    }
}

#[test]
fn an_audit_has_every_key() {
    let bench = Workbench::with_example("patients");
    bench.must(&["anonymize", "policy.toml"]);
    let audit = bench.json(&["audit", "release.csv", "--policy", "policy.toml", "--json"]);
    all_whole(&audit, &["rows", "classes", "class_size.min", "class_size.max"]);
    all_numbers(&audit, &["class_size.mean"]);
    let models = audit["models"].as_array().unwrap();
    let with_verdict: Vec<&Value> = models.iter().filter(|model| model.get("holds").is_some()).collect();
    assert_eq!(with_verdict.len(), 3, "those of the policy");
    let of = |id: &str, column: &str| {
        let meant = |model: &&Value| model["model"] == id && model["column"] == column && model.get("holds").is_none();
        models.iter().filter(meant).collect::<Vec<_>>()
    };
    let distances =
        |column| of("t-closeness", column).iter().map(|model| model["distance"].clone()).collect::<Vec<_>>();
    assert_eq!(distances("Salary"), ["equal", "ordered", "kl"]);
    assert_eq!(distances("Disease"), ["equal", "hierarchical", "kl"]);
    let values_of_l = |id| of(id, "Disease").iter().map(|model| model["l"].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(values_of_l("recursive-cl-diversity"), [2, 3, 4, 5]);
    assert_eq!(values_of_l("tau-l-diversity"), [2, 3, 4, 5]);
    assert!(models.iter().all(|model| model.get("achieved").is_some()));
    assert_eq!(of("recursive-cl-diversity", "Disease")[3]["achieved"], Value::Null, "what is infinite is null");
}

#[test]
fn a_release_in_two_tables_is_audited_as_a_pair() {
    let bench = Workbench::with(&[
        ("table.csv", "age,zip,ill\n23,11,flu\n27,13,cold\n35,59,cold\n59,12,flu\n61,54,cough\n65,25,cough\n"),
        (
            "policy.toml",
            "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
             [columns.zip]\nrole = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n[[require]]\n\
             model = \"simple-l-diversity\"\nl = 2\n[method]\nname = \"anatomy\"\n",
        ),
    ]);
    let summary = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!(summary["classes"], 3);
    assert!(summary["sensitive_release"].as_str().unwrap().ends_with("release.sensitive.csv"));
    let pair = ["audit", "release.csv", "--sensitive-table", "release.sensitive.csv", "--json"];
    let audit = bench.json(&[&pair[..], &["--policy", "policy.toml"]].concat());
    assert_eq!(audit["classes"], 3);
    let models = audit["models"].as_array().unwrap();
    assert!(models.iter().all(|model| model["model"] != "k-anonymity"), "it is not what such a release gives");
    let by_hand = bench.json(&[&pair[..], &["--quasi", "age,zip", "--sensitive", "ill"]].concat());
    assert_eq!(by_hand["classes"], 3);
    let alone = bench.run(&["audit", "release.csv", "--policy", "policy.toml"]);
    assert!(alone.code == 2 && alone.stderr.contains("--sensitive-table"), "{}", alone.stderr);
    bench.write("release.sensitive.csv", bench.text("release.sensitive.csv").replacen(",1\n", ",2\n", 1));
    let changed = bench.run(&[&pair[..], &["--policy", "policy.toml"]].concat());
    assert!(changed.code == 2 && changed.stderr.contains("do not belong together"), "{}", changed.stderr);
}

//! Which rows and columns are in a release, in which order, and what stands in them?

use std::collections::BTreeMap;

use serde_json::json;

use crate::workbench::{Workbench, rows};

const TABLE: &str = "\
id,note,zip,age,ill,pay
1,keep  me ,101,31,flu,1
2,007,101,32,cold,2
3,1e3,202,33,flu,3
4,\"x,y\",202,34,cold,4
5,,303,71,gout,5
6,é,101,35,cold,6
";

const POLICY: &str = r#"[input]
path = "table.csv"
[output]
shuffle = false
path = "release.csv"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10] }
[columns.zip]
role = "quasi-identifier"
hierarchy = { suppress = {} }
[columns.id]
role = "identifier"
[columns.note]
role = "insensitive"
[columns.ill]
role = "sensitive"
[columns.pay]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
[method]
max-suppressed = 0.2
"#;

fn bench() -> Workbench {
    Workbench::with(&[("table.csv", TABLE), ("policy.toml", POLICY)])
}

/// A bench whose policy has something else in one place.
fn changed(replace: &str, with: &str) -> Workbench {
    let bench = bench();
    assert_eq!(POLICY.matches(replace).count(), 1, "`{replace}` is not unique");
    bench.write("policy.toml", POLICY.replace(replace, with));
    bench
}

const RELEASE: &str = "\
note,zip,age,ill,pay
keep  me ,101,\"[30, 40)\",flu,1
007,101,\"[30, 40)\",cold,2
1e3,202,\"[30, 40)\",flu,3
\"x,y\",202,\"[30, 40)\",cold,4
é,101,\"[30, 40)\",cold,6
";

#[test]
fn rows_columns_and_untouched_cells_stay_as_they_are() {
    let bench = bench();
    let summary = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!(bench.text("release.csv"), RELEASE);
    assert_eq!(summary["suppressed_rows"], 1);
    assert_eq!(summary["levels"], json!({"age": 1, "zip": 0}));
    let levels: Vec<&String> = summary["levels"].as_object().unwrap().keys().collect();
    assert_eq!(levels, ["age", "zip"], "in the order of the policy");
}

#[test]
fn suppressed_rows_can_be_kept_as_stars() {
    let bench = changed("path = \"release.csv\"", "path = \"release.csv\"\nsuppressed = \"keep\"");
    let summary = bench.json(&["anonymize", "policy.toml", "--json"]);
    let expected = RELEASE.replace("é,", "*,*,*,*,*\né,");
    assert_eq!(bench.text("release.csv"), expected);
    assert_eq!((&summary["released_rows"], &summary["suppressed_rows"]), (&json!(5), &json!(1)));
    let audit = bench.json(&["audit", "release.csv", "--policy", "policy.toml", "--json"]);
    assert_eq!((&audit["rows"], &audit["suppressed_rows"], &audit["holds"]), (&json!(5), &json!(1), &json!(true)));
    // Without a policy that says so, a row of stars is a row, and a class of one.
    let columns = ["--quasi", "age,zip", "--sensitive", "ill"];
    let strict = bench.json(&[&["audit", "release.csv", "--json"], &columns[..]].concat());
    assert_eq!((&strict["rows"], &strict["class_size"]["min"]), (&json!(6), &json!(1)));
    bench.write("drop.toml", POLICY);
    assert_eq!(bench.run(&["audit", "release.csv", "--policy", "drop.toml"]).code, 1);
}

#[test]
fn other_columns_are_dropped_or_passed_through() {
    let without_pay = "[columns.note]\nrole = \"insensitive\"\n";
    for (word, expected) in [("drop", "zip,age,ill,pay"), ("insensitive", "note,zip,age,ill,pay")] {
        let bench = changed(without_pay, "");
        let policy = bench.text("policy.toml").replace("[output]", &format!("other-columns = \"{word}\"\n[output]"));
        bench.write("policy.toml", policy);
        bench.must(&["anonymize", "policy.toml"]);
        assert_eq!(bench.text("release.csv").lines().next(), Some(expected));
        assert_eq!(bench.text("release.csv").lines().count(), 6);
        bench.must(&["audit", "release.csv", "--policy", "policy.toml"]);
    }
}

#[test]
fn rows_with_a_missing_value_are_left_out_before_anything_else() {
    let bench = changed("[output]", "rows-with-missing = \"drop\"\n[output]");
    let summary = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!(bench.text("release.csv"), RELEASE);
    assert_eq!((&summary["rows"], &summary["dropped_rows"]), (&json!(5), &json!(1)));
    assert_eq!(summary["suppressed_rows"], 0);
}

fn shuffled(seed: u64) -> Vec<Vec<String>> {
    let bench = changed("shuffle = false", &format!("seed = {seed}"));
    bench.must(&["generate", "census", "--rows", "300", "-o", "table.csv", "--overwrite"]);
    let census = r#"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 20, 40] }
[columns.income]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
[method]
max-suppressed = 0.1
"#;
    let (head, _) =
        bench.text("policy.toml").split_once("[columns.age]").map(|(a, b)| (a.to_owned(), b.len())).unwrap();
    bench.write("policy.toml", head.replace("[output]", "other-columns = \"insensitive\"\n[output]") + census);
    bench.must(&["anonymize", "policy.toml"]);
    rows(&bench.text("release.csv"))
}

fn multiset(rows: &[Vec<String>]) -> BTreeMap<&[String], usize> {
    let mut counts = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(row.as_slice()).or_default() += 1);
    counts
}

#[test]
fn shuffling_changes_the_order_and_nothing_else() {
    let (one, again, other) = (shuffled(1), shuffled(1), shuffled(2));
    assert_eq!(one, again, "the same seed gives the same order");
    assert_ne!(one, other, "another seed gives another");
    assert_eq!(one[0], other[0], "the header stays");
    assert_eq!(multiset(&one), multiset(&other));
    let mut in_order = one.clone();
    in_order[1..].sort();
    assert_ne!(one, in_order);
}

#[test]
fn shuffled_rows_are_those_of_the_table() {
    let bench = changed("shuffle = false", "");
    bench.must(&["anonymize", "policy.toml"]);
    assert_eq!(multiset(&rows(&bench.text("release.csv"))), multiset(&rows(RELEASE)));
}

#[test]
fn a_quasi_identifier_without_a_hierarchy_is_warned_about() {
    let bench = changed("hierarchy = { suppress = {} }\n", "");
    let ran = bench.must(&["anonymize", "policy.toml"]);
    assert!(ran.stderr.contains("warning: column `zip` has no hierarchy"), "{ran}");
    assert_eq!(bench.text("release.csv"), RELEASE);
    bench.write("policy.toml", bench.text("policy.toml").replace("shuffle = false", ""));
    let quiet = bench.must(&["anonymize", "policy.toml", "--quiet"]);
    let warning = "warning: column `zip` has no hierarchy: its values are shown as they are or not at all\n";
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", warning));
    let json = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!(json["warnings"][0]["id"], "no-hierarchy", "{json}");
}

#[test]
fn levels_stay_within_their_bounds() {
    let levels = |replace, with| bench_levels(&changed(replace, with));
    assert_eq!(
        levels("hierarchy = { intervals = [10] }", "hierarchy = { intervals = [10] }\nmin-level = 2"),
        json!({"age": 2, "zip": 0})
    );
    assert_eq!(
        levels("hierarchy = { suppress = {} }", "hierarchy = { suppress = {} }\nmin-level = 1"),
        json!({"age": 1, "zip": 1})
    );
    let impossible = changed("hierarchy = { intervals = [10] }", "hierarchy = { intervals = [10] }\nmax-level = 0");
    let ran = impossible.run(&["anonymize", "policy.toml"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("max-level"), "{ran}");
}

fn bench_levels(bench: &Workbench) -> serde_json::Value {
    bench.json(&["anonymize", "policy.toml", "--json"])["levels"].clone()
}

/// One of the two columns has to go up; the weight says which.
#[test]
fn a_heavier_column_is_generalized_less() {
    let table = "a,b,s\nx,x,1\nx,y,2\ny,x,3\ny,y,4\n";
    let policy = |a: &str, b: &str| {
        let column = |name: &str, weight: &str| {
            format!(
                "[columns.{name}]\nrole = \"quasi-identifier\"\nhierarchy = {{ suppress = {{}} }}\nweight = {weight}\n"
            )
        };
        format!(
            "[input]\npath = \"t.csv\"\n{}{}[columns.s]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n",
            column("a", a),
            column("b", b)
        )
    };
    for (a, b, expected) in [("1", "0.1", json!({"a": 0, "b": 1})), ("0.1", "1", json!({"a": 1, "b": 0}))] {
        let bench = Workbench::with(&[("t.csv", table), ("policy.toml", &policy(a, b))]);
        assert_eq!(bench_levels(&bench), expected, "weights {a} and {b}");
    }
}

#[test]
fn a_requirement_without_a_column_is_about_each_sensitive_one() {
    let bench = changed("model = \"k-anonymity\"\nk = 2", "model = \"distinct-l-diversity\"\nl = 2");
    let models = bench.json(&["anonymize", "policy.toml", "--json"])["models"].clone();
    let about = |index: usize| models[index]["column"].as_str();
    assert_eq!((about(0), about(1), about(2)), (Some("ill"), Some("pay"), None));
}

/// Definition 4.5: whoever knows the other sensitive column must not learn this one.
#[test]
fn among_counts_the_other_sensitive_columns_as_known() {
    let table = "q,ill,pay\na,flu,1\na,cold,2\na,flu,1\na,cold,2\n";
    let policy = r#"[input]
path = "t.csv"
[columns.q]
role = "quasi-identifier"
[columns.ill]
role = "sensitive"
[columns.pay]
role = "sensitive"
[[require]]
model = "distinct-l-diversity"
column = "ill"
l = 2
"#;
    let bench = Workbench::with(&[("t.csv", table), ("policy.toml", policy)]);
    bench.must(&["anonymize", "policy.toml"]);
    bench.write("among.toml", format!("{policy}among = \"all-sensitive\"\n"));
    let ran = bench.run(&["anonymize", "among.toml"]);
    assert_eq!(ran.code, 1, "who knows the pay knows the illness\n{ran}");
    assert_eq!(bench.run(&["audit", "t.csv", "--policy", "among.toml"]).code, 1);
}

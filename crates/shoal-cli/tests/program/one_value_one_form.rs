//! Is what was counted as one value also shown as one, and nothing else shown at all?

use crate::workbench::Workbench;

const POLICY: &str = r#"
[input]
path = "table.jsonl"
missing = ["", "?"]
[output]
path = "release.jsonl"
[columns.zip]
role = "quasi-identifier"
hierarchy = { suppress = {} }
[columns.cond]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
"#;

#[test]
fn a_number_and_the_same_in_quotes_are_not_taken_for_each_other() {
    let table = "{\"zip\":13053,\"cond\":\"flu\"}\n{\"zip\":\"13053\",\"cond\":\"cold\"}\n";
    let bench = Workbench::with(&[("policy.toml", POLICY), ("table.jsonl", table)]);
    let ran = bench.run(&["anonymize", "policy.toml"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("column `zip` has numbers or truth values both bare and in quotes"), "{ran}");
    assert!(!bench.path("release.jsonl").exists());
}

#[test]
fn a_string_is_written_in_one_way_however_it_was_escaped() {
    let table = "{\"zip\":\"A\",\"cond\":\"flu\"}\n{\"zip\":\"\\u0041\",\"cond\":\"cold\"}\n";
    let bench = Workbench::with(&[("policy.toml", POLICY), ("table.jsonl", table)]);
    bench.must(&["anonymize", "policy.toml"]);
    let release = "{\"zip\":\"A\",\"cond\":\"flu\"}\n{\"zip\":\"A\",\"cond\":\"cold\"}\n";
    assert_eq!(bench.text("release.jsonl"), release);
}

#[test]
fn an_audit_sees_what_an_outsider_sees() {
    let bench = Workbench::with(&[("policy.toml", POLICY)]);
    bench.write("mixed.csv", "zip,cond\n,flu\n?,cold\n");
    let ran = bench.run(&["audit", "mixed.csv", "--policy", "policy.toml"]);
    assert_eq!(ran.code, 1, "an empty cell and a question mark are told apart\n{ran}");
    bench.write("alike.csv", "zip,cond\n?,flu\n?,cold\n");
    bench.must(&["audit", "alike.csv", "--policy", "policy.toml"]);
    bench.write("more.csv", "zip,cond,ssn\n1,flu,123\n1,cold,456\n");
    let ran = bench.run(&["audit", "more.csv", "--policy", "policy.toml"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("the table has column `ssn`, which the policy does not release"), "{ran}");
}

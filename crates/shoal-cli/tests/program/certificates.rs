//! Does a certificate tell a release that was changed from one that was not?

use serde_json::Value;

use crate::workbench::Workbench;

fn certified() -> Workbench {
    let bench = Workbench::with_example("inpatients");
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    bench
}

const AUDIT: [&str; 4] = ["audit", "release.csv", "--certificate", "c.json"];

#[test]
fn a_release_is_what_its_certificate_says() {
    let bench = certified();
    let ran = bench.must(&AUDIT);
    assert!(ran.stdout.starts_with("the table is what its certificate says"), "{ran}");
    assert!(ran.stdout.contains("entropy 2.5-diversity of Condition     ≥ 2.5     2.828  holds"), "{ran}");
    let json = bench.json(&[&AUDIT[..], &["--json", "--policy", "policy.toml"]].concat());
    assert_eq!(json["certificate"]["holds"], true, "{json:#}");
}

#[test]
fn the_same_run_gives_the_same_certificate_and_says_nothing_of_the_input() {
    let bench = certified();
    let first = bench.text("c.json");
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json", "--threads", "1"]);
    assert_eq!(bench.text("c.json"), first);
    let certificate: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(certificate["release"]["rows"], 12);
    assert_eq!(certificate["levels"]["Age"], 3);
    assert!(!first.contains("Cancer") && !first.contains("13053"), "{first}");
}

#[test]
fn one_changed_byte_is_found() {
    let bench = certified();
    let release = bench.text("release.csv");
    // Somebody moves to another class.
    let changed = release.replacen("1305*", "1306*", 1);
    assert_ne!(release, changed);
    bench.write("release.csv", &changed);
    let ran = bench.run(&AUDIT);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(
        ran.stdout.starts_with("the table is NOT what its certificate says\n  the release is another file"),
        "{ran}"
    );
    // What differs in what it promises is said, too.
    assert!(ran.stdout.contains("4-anonymity does not hold now, unlike in the certificate"), "{ran}");
}

#[test]
fn a_file_that_is_no_table_any_more_is_found() {
    let bench = certified();
    bench.write("release.csv", bench.text("release.csv") + "x");
    let ran = bench.run(&AUDIT);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("the release is another file"), "{ran}");
}

#[test]
fn a_changed_policy_is_found() {
    let bench = certified();
    bench.write("policy.toml", bench.text("policy.toml") + "\n# a remark\n");
    let ran = bench.run(&[&AUDIT[..], &["--policy", "policy.toml"]].concat());
    assert_eq!((ran.code, ran.stdout.contains("the policy is another file")), (1, true), "{ran}");
}

#[test]
fn both_tables_of_a_release_are_certified() {
    let bench = Workbench::with_example("inpatients");
    let policy =
        bench.text("policy.toml").replace("name = \"full-domain\"\nsearch = \"optimal\"\n", "name = \"anatomy\"\n");
    let (start, end) = (policy.find("[[require]]").unwrap(), policy.rfind("[[require]]").unwrap());
    bench.write("policy.toml", format!("{}{}", &policy[..start], &policy[end..]));
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    let audit = [&AUDIT[..], &["--sensitive-table", "release.sensitive.csv"]].concat();
    bench.must(&audit);
    let table = bench.text("release.sensitive.csv");
    bench.write("release.sensitive.csv", table.replacen("Cancer", "cancer", 1));
    let ran = bench.run(&audit);
    assert_eq!((ran.code, ran.stdout.contains("the table of sensitive values is another file")), (1, true), "{ran}");
}

#[test]
fn what_is_no_certificate_is_refused() {
    let bench = certified();
    for text in ["{}", "not json", "{\"certificate\": 99}"] {
        bench.write("c.json", text);
        let ran = bench.run(&AUDIT);
        assert_eq!((ran.code, ran.stderr.contains("c.json is")), (2, true), "{ran}");
    }
}

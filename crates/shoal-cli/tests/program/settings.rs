//! Does `--set` do what a change of the policy would do?

use crate::refusal::{POLICY, TABLE, bench, must_refuse};
use crate::workbench::Workbench;

/// The policy with a requirement that the table cannot keep, and one that it can.
fn strict() -> Workbench {
    let bench = Workbench::with(&[("table.csv", TABLE)]);
    bench.write("policy.toml", POLICY.replace("k = 2", "k = 5 # too many"));
    bench.write(
        "changed.toml",
        POLICY.replace("k = 2", "k = 4").replace("objective = \"loss\"", "objective = \"height\""),
    );
    bench
}

const SET: [&str; 4] = ["--set", "k=4", "--set", "objective=height"];

#[test]
fn a_setting_counts_for_a_run() {
    let bench = strict();
    assert_eq!(bench.run(&["anonymize", "policy.toml"]).code, 1);
    let ran = bench.must(&[&["anonymize", "policy.toml"][..], &SET].concat());
    assert!(ran.stderr.contains("4-anonymity"), "{ran}");
    assert!(
        ran.stderr.contains("next: shoal audit release.csv --policy policy.toml --set k=4 --set objective=height\n"),
        "{ran}"
    );
    let with_set = bench.bytes("release.csv");
    bench.must(&["anonymize", "changed.toml"]);
    assert_eq!(with_set, bench.bytes("release.csv"));
    assert!(bench.text("policy.toml").contains("k = 5 # too many"), "the policy itself stays as it is");

    assert_eq!(bench.run(&["audit", "release.csv", "--policy", "policy.toml"]).code, 1);
    bench.must(&[&["audit", "release.csv", "--policy", "policy.toml"][..], &SET].concat());
    assert_eq!(bench.run(&["solutions", "policy.toml"]).code, 1);
    bench.must(&[&["solutions", "policy.toml"][..], &SET].concat());
    let json = bench.json(&["compare", "policy.toml", "--set", "k=2", "--vary", "objective=loss,height", "--json"]);
    assert_eq!(json["points"].as_array().map(Vec::len), Some(2));
    assert!(json["points"].as_array().unwrap().iter().all(|point| point["classes"].as_u64() > Some(1)), "{json}");
}

#[test]
fn a_certificate_is_about_the_policy_as_it_was_set() {
    let bench = strict();
    bench.must(&["anonymize", "policy.toml", "--set", "k=4", "--certificate", "c.json"]);
    let audit = ["audit", "release.csv", "--certificate", "c.json", "--policy", "policy.toml"];
    bench.must(&[&audit[..], &["--set", "k=4"]].concat());
    let ran = bench.run(&[&audit[..], &["--set", "k=3"]].concat());
    assert!(ran.code == 1 && ran.stdout.contains("policy"), "{ran}");
    // Without a policy there is nothing to set.
    let ran = bench.run(&["audit", "release.csv", "--certificate", "c.json", "--set", "k=3"]);
    assert!(ran.code == 2 && ran.stderr.contains("--set changes a policy, and there is none"), "{ran}");
}

#[test]
fn a_recipe_is_applied_with_other_promises_but_not_with_other_rules() {
    let bench = bench();
    bench.must(&["anonymize", "policy.toml", "--overwrite", "--recipe", "r.json"]);
    let apply = ["apply", "r.json", "table.csv", "--overwrite", "-o", "applied.csv"];
    bench.must(&[&apply[..], &["--set", "output.seed=7"]].concat());
    let seeded = bench.text("applied.csv");
    bench.must(&apply);
    let mut lines: Vec<&str> = seeded.lines().collect();
    assert_ne!(seeded, bench.text("applied.csv"), "the order of rows follows from the seed");
    lines.sort_unstable();
    let applied = bench.text("applied.csv");
    let mut others: Vec<&str> = applied.lines().collect();
    others.sort_unstable();
    assert_eq!(lines, others);
    let ran = bench.run(&[&apply[..], &["--set", "k=5"]].concat());
    assert!(ran.code != 0 && ran.stderr.contains("5-anonymity"), "{ran}");
    for key in ["columns.age.min-level=1", "method=mondrian", "max-suppressed=0.5"] {
        let ran = bench.run(&[&apply[..], &["--set", key]].concat());
        assert!(ran.code == 2 && ran.stderr.contains("cannot be set: the recipe has followed from ["), "{ran}");
    }
}

#[test]
fn a_hierarchy_is_tried_out_without_changing_the_policy() {
    let bench = bench();
    let show = ["hierarchy", "show", "policy.toml", "--column", "age"];
    let set = ["--set", "columns.age.hierarchy={ intervals = [30] }"];
    assert!(!bench.must(&show).stdout.contains("[30, 60)"));
    assert!(bench.must(&[&show[..], &set].concat()).stdout.contains("[30, 60)"));
    bench.write("h.csv", "a;*\nb;*\n");
    let parts = ["--set changes a policy, and there is none", "name a policy in place of the hierarchy file"];
    must_refuse(&bench, &["hierarchy", "check", "h.csv", "--set", "k=3"], 2, &parts);
}

#[test]
fn a_wrong_setting_is_refused_with_what_may_be_meant() {
    let bench = bench();
    // What may be a secret is left out of messages.
    let ran = bench.run(&[
        "anonymize",
        "policy.toml",
        "--overwrite",
        "--set",
        "input.path=table.csv",
        "--set",
        "output.seed=5",
    ]);
    let next = "--policy policy.toml --set input.path=.. --set output.seed=5\n      (`..` stands for what was set, which may be a secret)\n";
    assert!(ran.stderr.ends_with(next), "{ran}");
    bench.write("release.csv", "age,sex,disease\n");
    for (setting, parts) in [
        ("input.mising=[]", &["there is no key `mising` in [input]", "did you mean `missing`?"][..]),
        ("max-supressed=0.1", &["there is no key `max-supressed`", "did you mean `max-suppressed`?"]),
        ("suppressed=keep", &["there is no key `suppressed`", "there is `output.suppressed`"]),
        ("colums.age.min-level=1", &["there is no section `colums`", "did you mean `columns`?"]),
        ("columns.age.min-levle=1", &["there is no key `min-levle`", "did you mean `min-level`?"]),
        ("weights.x=3", &["there is no section `weights`", "there is `require.weights`"]),
        ("l=3", &["policy.toml: no requirement of the policy has `l` to set", "set one of k, "]),
        ("require[3].k=3", &["there is no `require[3]`", "the policy has one requirement, `require[0]`"]),
        ("k=many", &["policy.toml with k = many, line 16: found text, expected a whole number"]),
        ("k=1", &["policy.toml with k = 1, line 16: `k` must be at least 2, not 1"]),
        ("method=mondrain", &["there is no method `mondrain`", "did you mean `mondrian`?"]),
        ("columns.Age.min-level=1", &["missing key `role`"]),
        ("input=x", &["`input` names no key of a policy", "columns.age.hierarchy"]),
        ("columns.disease.hierarchy={ tree = { Yaws = [] } }", &["columns.disease.hierarchy = ..", "has no values"]),
    ] {
        must_refuse(&bench, &["anonymize", "policy.toml", "--overwrite", "--set", setting], 2, parts);
    }
    let ran = bench.run(&["anonymize", "policy.toml", "--set", "k"]);
    assert!(ran.code == 2 && ran.stderr.contains("`k` is not KEY=VALUE (for example k=5"), "{ran}");
}

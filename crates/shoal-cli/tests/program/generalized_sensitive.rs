//! Is a release that shows some sensitive values generalized what it should be, in every format, and does an audit agree?

use std::fmt::Write;

use serde_json::{Value, json};

use crate::workbench::{Workbench, rows};

const TREE: &str = "{ tree = { hemal = [\"hepatitis\", \"anemia\"], respiratory = [\"phthisis\", \"flu\"] } }";

fn policy(input: &str, output: &str, extra: &str, require: &str) -> String {
    format!(
        r#"[input]
path = "{input}"
missing = ["?"]
[output]
path = "{output}"
{extra}
[columns.id]
role = "insensitive"
[columns.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [5, 10, 20] }}
[columns.town]
role = "quasi-identifier"
hierarchy = {{ tree = {{ north = ["A", "B"], south = ["C", "D"] }} }}
[columns.ill]
role = "sensitive"
hierarchy = {TREE}
[[require]]
model = "tau-l-diversity"
tau = 0.5
l = 3
{require}
[method]
name = "sweep"
max-suppressed = 0.1
"#
    )
}

/// Three in four have hepatitis; some cells are missing, a sensitive one among them.
fn table() -> String {
    let mut text = "id,age,town,ill\n".to_owned();
    for id in 0..400 {
        let age = if id % 31 == 0 { "?".to_owned() } else { (20 + id * 7 % 40).to_string() };
        let town = ["A", "B", "C", "D", "?"][(id * 13 % 17) % 5];
        let ill = match id % 20 {
            0..15 => "hepatitis",
            15 | 16 => "anemia",
            17 => "phthisis",
            18 => "flu",
            _ => "?",
        };
        writeln!(text, "{id},{age},{town},{ill}").unwrap();
    }
    text
}

/// The cells of a release, whatever its format, as CSV would show them.
fn cells(bench: &Workbench, release: &str) -> Vec<Vec<String>> {
    // Whoever releases everything as it is only changes the format.
    let copy =
        "[input]\nmissing = [\"?\"]\nother-columns = \"insensitive\"\n[columns.none]\nrole = \"quasi-identifier\"\n";
    if release.ends_with(".csv") {
        return rows(&bench.text(release));
    }
    let columns = copy.replace("none", "town") + "max-level = 0\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    bench.write("copy.toml", columns);
    bench.must(&["anonymize", "copy.toml", "--input", release, "--output", "copy.csv"]);
    rows(&bench.text("copy.csv"))
}

#[test]
fn every_format_shows_the_same_and_an_audit_agrees() {
    let bench = Workbench::with(&[("table.csv", &table())]);
    for extra in ["", "suppressed = \"keep\""] {
        let mut seen: Option<(Vec<Vec<String>>, Value)> = None;
        for format in ["csv", "jsonl", "parquet"] {
            for threads in ["1", "3"] {
                let output = format!("release.{format}");
                bench.write(
                    "policy.toml",
                    policy("table.csv", &output, extra, "[[require]]\nmodel = \"k-anonymity\"\nk = 3\n"),
                );
                let summary = bench.json(&["anonymize", "policy.toml", "--json", "--threads", threads]);
                let release = cells(&bench, &output);
                let generalized =
                    release[1..].iter().filter(|row| ["hemal", "respiratory", "*"].contains(&row[3].as_str()));
                let suppressed = release.iter().filter(|row| row.iter().all(|cell| cell == "*")).count();
                let generalized = generalized.count() - suppressed;
                assert!(generalized > 0);
                assert_eq!(summary["generalized_sensitive"], json!({ "ill": generalized }), "{format} {extra}");
                let audit = bench.json(&["audit", &output, "--policy", "policy.toml", "--json"]);
                assert_eq!(audit["holds"], json!(true), "{format} {extra}");
                assert_eq!(audit["models"][0]["achieved"], summary["models"][0]["achieved"], "{format} {extra}");
                assert_eq!(audit["classes"], summary["classes"]);
                let found = (release, summary["objectives"].clone());
                assert!(*seen.get_or_insert_with(|| found.clone()) == found, "{format} {extra} on {threads} threads");
            }
        }
    }
}

#[test]
fn people_are_told_how_many() {
    let bench =
        Workbench::with(&[("table.csv", &table()), ("policy.toml", &policy("table.csv", "release.csv", "", ""))]);
    let said = bench.must(&["anonymize", "policy.toml"]).stderr;
    assert!(said.contains("%) show a generalized `ill`"), "{said}");
}

/// Each value keeps what it was; only what is generalized becomes something else.
#[test]
fn a_value_is_generalized_along_its_own_branch() {
    let bench =
        Workbench::with(&[("table.csv", &table()), ("policy.toml", &policy("table.csv", "release.csv", "", ""))]);
    bench.must(&["anonymize", "policy.toml"]);
    let before = rows(&table());
    for row in &rows(&bench.text("release.csv"))[1..] {
        let original = &before[row[0].parse::<usize>().unwrap() + 1][3];
        let above: &[&str] = match original.as_str() {
            "hepatitis" | "anemia" => &["hemal", "*"],
            "phthisis" | "flu" => &["respiratory", "*"],
            _ => &["*"],
        };
        assert!(row[3] == *original || above.contains(&row[3].as_str()), "{original} is shown as {}", row[3]);
    }
}

/// A model that cannot judge generalized values keeps them as they are, and the refusal says so.
#[test]
fn not_every_model_lets_values_be_generalized() {
    let require = "[[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n";
    let bench =
        Workbench::with(&[("table.csv", &table()), ("policy.toml", &policy("table.csv", "r.csv", "", require))]);
    let ran = bench.run(&["anonymize", "policy.toml"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("sensitive values were not generalized: policy.toml, line "), "{ran}");
    let widths = policy("table.csv", "r.csv", "", "").replace(TREE, "{ suppress = {} }");
    bench.write("policy.toml", widths);
    let ran = bench.run(&["anonymize", "policy.toml"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("a hierarchy that depends on the data"), "{ran}");
}

/// Whoever has the certificate and the release needs nothing else, whatever the generalized values count for; and values that the release
/// shows nowhere by themselves are numbers.
#[test]
fn a_certificate_suffices_where_values_are_generalized() {
    let hierarchical = "[[require]]\nmodel = \"t-closeness\"\nt = 0.9\ndistance = \"hierarchical\"\n";
    let beliefs = "[[require]]\nmodel = \"bayes-optimal-privacy\"\ndifference = 0.9\n";
    let weights = "weights = { hepatitis = 1, anemia = 1.5, phthisis = 1, flu = 2, \"?\" = 1 }\n";
    for require in ["", hierarchical, beliefs, weights] {
        let policy = policy("table.csv", "release.csv", "", require);
        let bench = Workbench::with(&[("table.csv", &table()), ("policy.toml", &policy)]);
        bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
        let audit = bench.json(&["audit", "release.csv", "--certificate", "c.json", "--json"]);
        assert_eq!(audit["certificate"]["holds"], true, "{require}{audit:#}");
        let certificate: Value = serde_json::from_str(&bench.text("c.json")).unwrap();
        let stated = &certificate["stated_by_its_maker"];
        assert_eq!(stated["models"], json!([]), "{require}{certificate:#}");
        let release = rows(&bench.text("release.csv"));
        let named = stated["hierarchies"]["ill"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
        for label in named.filter_map(Value::as_str) {
            assert!(release[1..].iter().any(|row| row[3] == label), "{require}{label} is not shown");
        }
        assert!(release[1..].iter().any(|row| row[3] == "hemal"), "{require}nothing is generalized");
    }
}

/// Four of five with `a` become `x`, so that the release shows `a` and `b` once each, and `x` counts for both alike. By the ratio of the
/// input, five to one, no number of them would do.
#[test]
fn where_the_release_tells_weights_those_of_the_release_decide() {
    let policy = |weights: &str, tree: &str, most: &str| {
        format!(
            "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ intervals = [5, 20] }}\n[columns.ill]\nrole = \"sensitive\"\nhierarchy = {{ tree = {tree} }}\n\
             [[require]]\nmodel = \"tau-l-diversity\"\ntau = 0.5\nl = 2\nweights = {weights}\n[method]\nname = \"sweep\"\n\
             max-suppressed = {most}\n"
        )
    };
    let table = "age,ill\n31,a\n32,a\n33,a\n41,a\n42,a\n43,b\n";
    let tree = "{ x = [\"a\", \"b\"] }";
    for most in ["0", "0.3"] {
        let bench = Workbench::with(&[("table.csv", table), ("policy.toml", &policy("\"released\"", tree, most))]);
        let made = bench.json(&["anonymize", "policy.toml", "--json"]);
        assert_eq!(made["released_rows"], 6, "{made:#}");
        let audit = bench.json(&["audit", "release.csv", "--policy", "policy.toml", "--json"]);
        assert_eq!((&audit["holds"], &audit["models"][0]["achieved"]), (&json!(true), &json!(0.5)), "{audit:#}");
    }
}

//! Does an audit read from the text of a release what the run that made it lost, and what it is still good for?

use std::fmt::Write;

use serde_json::Value;

use crate::workbench::Workbench;

const SWEEP: &str =
    "[[require]]\nmodel = \"tau-l-diversity\"\ntau = 0.6\nl = 3\n[method]\nname = \"sweep\"\nmax-suppressed = 0.1\n";

fn policy(rest: &str) -> String {
    format!(
        r#"[input]
path = "table.csv"
missing = ["?"]
[output]
path = "release.csv"
shuffle = true
seed = 3
[columns.age]
role = "quasi-identifier"
hierarchy = {{ intervals = [5, 10, 20] }}
weight = 0.5
[columns.zip]
role = "quasi-identifier"
hierarchy = {{ mask = {{ from = "right" }} }}
[columns.town]
role = "quasi-identifier"
hierarchy = {{ tree = {{ north = ["A", "B"], south = ["C", "D"] }} }}
[columns.ill]
role = "sensitive"
hierarchy = {{ tree = {{ hemal = ["hepatitis", "anemia"], respiratory = ["phthisis", "flu"] }} }}
{rest}"#
    )
}

fn table() -> String {
    let mut text = "age,zip,town,ill\n".to_owned();
    for row in 0..600 {
        let age = 20 + row * row % 47;
        let (zip, town) = (1300 + row * 7 % 40, ["A", "B", "C", "D", "?"][(row * 13 % 17) % 5]);
        let ill = if age < 40 { ["flu", "phthisis", "hepatitis"][row % 3] } else { ["hepatitis", "anemia"][row % 2] };
        writeln!(text, "{age},{zip},{town},{ill}").unwrap();
    }
    text
}

/// What the run says, and what an audit of its release with the original says.
fn both(policy: &str) -> (Value, Value) {
    let bench = Workbench::with(&[("table.csv", &table()), ("policy.toml", policy)]);
    let made = bench.json(&["anonymize", "policy.toml", "--json"]);
    let audit = ["audit", "release.csv", "--policy", "policy.toml", "--original", "table.csv", "--json"];
    (made, bench.json(&audit))
}

fn assert_same_objectives(made: &Value, audited: &Value, what: &str) {
    let (made, audited) =
        (made["objectives"].as_object().unwrap(), audited["utility"]["objectives"].as_object().unwrap());
    assert_eq!(made.len(), audited.len());
    for (id, value) in made {
        match (value.as_f64(), audited[id].as_f64()) {
            (Some(made), Some(read)) => {
                assert!(
                    (made - read).abs() <= 1e-9 * made.abs().max(1.0),
                    "{what}, {id}: {made} was lost, {read} is read"
                );
            }
            (made, read) => assert_eq!(made, read, "{what}, {id}"),
        }
    }
}

#[test]
fn objectives_read_from_the_text_are_those_of_the_run() {
    let diverse = "[[require]]\nmodel = \"k-anonymity\"\nk = 5\n[[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n";
    for method in [
        "name = \"full-domain\"",
        "name = \"full-domain\"\nmax-suppressed = 0.1",
        "name = \"mondrian\"",
        "name = \"mondrian\"\nnumbers = \"hierarchy\"",
        "name = \"mondrian\"\nends = \"exact\"",
        "name = \"mondrian\"\nobjective = \"precision\"",
        "name = \"mondrian\"\ncategories = \"sets\"",
        "name = \"one-dimensional\"\nmax-suppressed = 0.05",
    ] {
        let (made, audited) = both(&policy(&format!("{diverse}[method]\n{method}\n")));
        assert_same_objectives(&made, &audited, method);
    }
    let (made, audited) = both(&policy(SWEEP));
    assert_same_objectives(&made, &audited, "sweep");
    let excess = &audited["utility"]["excessive_protection"][0];
    assert!(excess["smallest"].as_f64().unwrap() >= 0.0, "{excess}");
}

#[test]
fn full_domain_generalization_holds_rows_out() {
    let (_, audited) = both(&policy(
        "[[require]]\nmodel = \"k-anonymity\"\nk = 3\n[method]\nname = \"full-domain\"\nmax-suppressed = 0.1\n",
    ));
    let utility = &audited["utility"];
    for learned in utility["learners"].as_array().unwrap() {
        assert_eq!(learned["held_out"], true);
        assert_eq!(learned["target"], "ill");
        let share = |key: &str| learned[key].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&share("release")) && share("original") > share("majority"), "{learned}");
    }
    assert_eq!(utility["squared_error"]["age"]["matched"], "linked");
    let within = |value: &Value| (0.0..=1.0).contains(&value["total_variation"].as_f64().unwrap());
    assert!(utility["marginals"].as_object().unwrap().values().all(within));
    assert_eq!(utility["pairs"].as_array().unwrap().len(), 6);
    assert!(utility["pairs"].as_array().unwrap().iter().all(within));
}

#[test]
fn means_have_a_squared_error() {
    let method = "[[require]]\nmodel = \"k-anonymity\"\nk = 5\n[method]\nname = \"microaggregation\"\n";
    let (_, audited) = both(&policy(method));
    let error = &audited["utility"]["squared_error"]["age"];
    assert_eq!(error["matched"], "means", "{error}");
    assert!(error["relative"].as_f64().is_some_and(|error| error > 0.0 && error < 1.0), "{error}");
}

#[test]
fn the_original_itself_has_lost_nothing() {
    let bench = Workbench::with(&[("table.csv", &table())]);
    let audit =
        ["audit", "table.csv", "--quasi", "age,zip,town", "--sensitive", "ill", "--original", "table.csv", "--json"];
    let utility = bench.json(&audit)["utility"].clone();
    for id in ["loss", "precision", "information", "non-uniform-entropy", "height"] {
        assert_eq!(utility["objectives"][id].as_f64().unwrap(), 0.0, "{id}");
        assert!(
            utility["columns"]
                .as_object()
                .unwrap()
                .values()
                .all(|column| column[id].as_f64().is_none_or(|lost| lost < 1e-9))
        );
    }
    assert_eq!(utility["queries"]["median_relative_error"], 0.0);
    assert_eq!(utility["squared_error"]["age"]["relative"], 0.0);
    for distance in utility["marginals"].as_object().unwrap().values().chain(utility["pairs"].as_array().unwrap()) {
        assert!(distance["total_variation"].as_f64().unwrap() < 1e-9);
    }
    for learned in utility["learners"].as_array().unwrap() {
        assert_eq!(learned["original"], learned["release"]);
    }
}

/// Ages 21, 22, 31, 40 become two ranges: 2 and 2 of 4 leaves, a share of 1/2 for each row. With x = 2 of 4 rows and 4 leaves,
/// y = (2 - 1) / (4 - 1) = 1/3, which is the loss of the only column.
#[test]
fn ranges_of_other_programs_are_read_without_a_policy() {
    let original = "age,ill\n21,flu\n22,cold\n31,flu\n40,cold\n";
    for (young, old) in [("20-29", "30-49"), ("<30", "30+"), ("[20, 30)", "[30, 50)")] {
        let release = format!("age,ill\n\"{young}\",flu\n\"{young}\",cold\n\"{old}\",flu\n\"{old}\",cold\n");
        let bench = Workbench::with(&[("original.csv", original), ("release.csv", &release)]);
        let audit =
            ["audit", "release.csv", "--quasi", "age", "--sensitive", "ill", "--original", "original.csv", "--json"];
        let utility = bench.json(&audit)["utility"].clone();
        let loss = utility["objectives"]["loss"].as_f64().unwrap();
        assert!((loss - 1.0 / 3.0).abs() < 1e-12, "{young}: {loss}");
        assert_eq!(utility["marginals"]["age"]["total_variation"], 0.0, "{young}");
    }
}

#[test]
fn labels_that_tell_nothing_have_no_loss_rather_than_none() {
    let original = "age,ill\n21,flu\n22,cold\n31,flu\n40,cold\n";
    let release = "age,ill\nyoung,flu\nyoung,cold\nold,flu\nold,cold\n";
    let bench = Workbench::with(&[("original.csv", original), ("release.csv", release)]);
    let audit = ["audit", "release.csv", "--quasi", "age", "--sensitive", "ill", "--original", "original.csv"];
    let said = bench.must(&audit).stdout;
    assert!(said.contains("what the labels of `age` stand for cannot be told from their text"), "{said}");
    assert!(said.contains("a policy or --hierarchy can tell"), "{said}");
    assert!(!said.contains("shows numbers that are not in the original"), "{said}");
    assert!(said.contains("not tried: linkage, which needs a policy or --hierarchy that tells what"), "{said}");
    assert!(said.contains("what all columns have lost: loss –, height –"), "{said}");
    let utility = bench.json(&[&audit[..], &["--json"]].concat())["utility"].clone();
    for id in ["loss", "precision", "information", "non-uniform-entropy"] {
        assert!(utility["objectives"][id].is_null() && utility["columns"]["age"][id].is_null(), "{id}");
        assert!(!utility["columns"]["ill"][id].is_null(), "{id}");
    }
    assert!(utility["marginals"]["age"]["total_variation"].is_null());
    assert!(utility["associations"].as_array().unwrap().is_empty() && utility["squared_error"]["age"].is_null());
    // What is asked about the illness alone can be answered, and is right.
    assert_eq!(utility["queries"]["median_relative_error"], 0.0);
    // A number that nobody has is a mean, which says what it says.
    bench.write("release.csv", "age,ill\n21.5,flu\n21.5,cold\n35.5,flu\n35.5,cold\n");
    let said = bench.must(&audit).stdout;
    assert!(
        said.contains("`age` shows numbers that are not in the original: objectives count each as exact"),
        "{said}"
    );
}

/// All of three share a value that nine in ten of the table have: disclosed with certainty, but no belief rises from below 0.1.
#[test]
fn disclosures_are_told_beside_the_breaches_that_are_none() {
    let release = "q,ill\n".to_owned() + &"a,flu\n".repeat(3) + &"b,flu\n".repeat(5) + &"b,cold\n".repeat(2);
    let bench = Workbench::with(&[("release.csv", &release)]);
    let audit = ["audit", "release.csv", "--quasi", "q", "--sensitive", "ill"];
    let said = bench.must(&audit).stdout;
    let line =
        "no breach of beliefs: bayes-optimal (independent) of ill (3 positive disclosures, 3 negative disclosures)";
    assert!(said.contains(line), "{said}");
    let exposed = said.lines().find(|line| line.starts_with("no record is exposed to")).unwrap_or_default();
    assert!(!exposed.contains("bayes-optimal"), "{said}");
    let found = bench.json(&[&audit[..], &["--json"]].concat());
    let beliefs = found["attacks"].as_array().unwrap().iter().find(|attack| attack["attack"] == "bayes-optimal");
    assert_eq!(beliefs.unwrap()["positive_disclosures"], 3);
}

#[test]
fn a_target_has_to_be_a_column() {
    let bench = Workbench::with(&[("table.csv", &table())]);
    let audit =
        ["audit", "table.csv", "--quasi", "age,town", "--sensitive", "ill", "--original", "table.csv", "--target"];
    let ran = bench.run(&[&audit[..], &["towm"]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("`--target towm` is neither") && ran.stderr.contains("did you mean `town`?"), "{ran}");
    let json = bench.json(&[&audit[..], &["town", "--json"]].concat());
    assert_eq!(json["utility"]["learners"][0]["target"], "town");
    let twice: Vec<Value> = (0..2).map(|_| bench.json(&[&audit[..], &["town", "--json"]].concat())).collect();
    assert_eq!(twice[0], twice[1], "an audit says the same every time");
}

/// Figure 2(a) of (tau,l)-diversity, made from Figure 1(a).
#[test]
fn the_paper_s_release_protects_just_as_asked() {
    let figure = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shoal-core/tests/data").join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let policy = r#"[columns.id]
role = "insensitive"
[columns.Age]
role = "quasi-identifier"
hierarchy = { file = "age.csv" }
[columns.Zipcode]
role = "quasi-identifier"
hierarchy = { file = "zipcode.csv" }
[columns.Disease]
role = "sensitive"
hierarchy = { file = "disease.csv" }
[[require]]
model = "tau-l-diversity"
tau = 0.5
l = 3
"#;
    let bench = Workbench::with(&[("policy.toml", policy)]);
    bench.write("original.csv", figure("tau_l_fig1a_microdata.csv"));
    bench.write("release.csv", include_bytes!("data/figure-2a.csv"));
    bench.write("disease.csv", include_bytes!("data/disease-taxonomy.csv"));
    // The paper's leaves are all that could occur: twenty ages, and ten zip codes below each `*`.
    let age = |age: u32| format!("{age};[{0}0,{0}9];[20,39];*\n", age / 10);
    bench.write("age.csv", (20..40).map(age).collect::<String>());
    let zip = |code: u32| format!("100{code:02};100{}*;100**;*\n", code / 10);
    bench.write("zipcode.csv", (0..100).map(zip).collect::<String>());
    let audit = ["audit", "release.csv", "--policy", "policy.toml", "--original", "original.csv", "--json"];
    let utility = bench.json(&audit)["utility"].clone();
    // Every class has F = 0.5, 0.75, 1, 1, which is all that (0.5, 3) allows.
    assert_eq!(utility["excessive_protection"][0]["smallest"], 0.0);
    // Example 4: the information of tuple 1 is 0.7.
    let tuple_1 = 0.1 + 0.1 + 0.5;
    let kept = 2.0 * tuple_1 + 2.0 * 1.2 + 4.0 * (0.1 + 0.1 + 1.0) + 4.0 * (1.0 / 20.0 + 0.01 + 1.0);
    let information = utility["objectives"]["information"].as_f64().unwrap();
    assert!((information - (1.0 - kept / 36.0)).abs() < 1e-12, "{information}");
}

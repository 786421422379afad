//! Does a policy with the change that `advise` tells give just the release that it tells?

use serde_json::Value;

use crate::workbench::Workbench;

/// Rows with three quasi-identifiers, one of them with an awkward name, and two sensitive columns.
fn table() -> String {
    let mut text = "age,\"zip, old\",sex,ill,pay\n".to_owned();
    for row in 0..120_u64 {
        // Some values are rare, and sensitive values depend a little on the others.
        let (age, zip) = (20 + (row * row) % 37, 10_000 + (row * 7_919) % 13 * 11 + row % 3);
        let (sex, ill, pay) = (
            ["m", "f"][(row % 5 / 2) as usize % 2],
            ["flu", "cold", "gout", "ache"][(row * row % 11 % 4) as usize],
            row % 6,
        );
        text += &format!("{age},{zip},{sex},{ill},{pay}\n");
    }
    text
}

const COLUMNS: &str = r#"
[input]
path = "table.csv"
[output]
path = "release.csv"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns."zip, old"]
role = "quasi-identifier"
hierarchy = { mask = { from = "right" } }
[columns.sex]
role = "quasi-identifier"
hierarchy = { suppress = {} }
[columns.ill]
role = "sensitive"
[columns.pay]
role = "sensitive"
"#;

fn bench(rest: &str) -> Workbench {
    Workbench::with(&[("table.csv", &table()), ("policy.toml", &format!("{COLUMNS}{rest}"))])
}

fn list<'a>(json: &'a Value, key: &str) -> &'a Vec<Value> {
    json[key].as_array().unwrap()
}

/// Runs `advise`, and `anonymize` with the settings of every row; returns how many rows there were.
fn hold(bench: &Workbench, given: &[&str]) -> Value {
    let advice = bench.json(&[&["advise", "policy.toml", "--json", "--budget", "600"], given].concat());
    if !advice["now"].is_null() {
        let now = bench.json(&[&["anonymize", "policy.toml", "--overwrite", "--json"], given].concat());
        same(&advice["now"], &now, "the policy as it is");
    }
    for row in list(&advice, "advice") {
        let words: Vec<&str> = list(row, "set").iter().map(|word| word.as_str().unwrap()).collect();
        let settings: Vec<&str> = words.iter().flat_map(|word| ["--set", word]).collect();
        let made = bench.json(&[&["anonymize", "policy.toml", "--overwrite", "--json"], given, &settings].concat());
        same(row, &made, &words.join(" "));
        if let (Some(gained), Some(now)) = (row["gained"].as_f64(), advice["now"]["objective_value"].as_f64()) {
            assert_eq!(gained, now - row["objective_value"].as_f64().unwrap(), "{words:?}");
            assert!(row["effect"] != "gains" || gained > 0.0, "{row}");
        }
    }
    for row in list(&advice, "without_release") {
        let settings: Vec<&str> = list(row, "set").iter().flat_map(|word| ["--set", word.as_str().unwrap()]).collect();
        let ran = bench.run(&[&["anonymize", "policy.toml", "--overwrite"], given, &settings].concat());
        assert!(ran.code > 0, "{settings:?}\n{ran}");
    }
    assert!(list(&advice, "not_tried").is_empty());
    let value = |row: &Value| row["objective_value"].as_f64().unwrap_or(f64::INFINITY);
    let values: Vec<f64> = list(&advice, "advice").iter().map(value).collect();
    assert!(values.is_sorted(), "{values:?}");
    advice
}

fn same(told: &Value, made: &Value, settings: &str) {
    for key in ["objective_value", "suppressed_rows", "released_rows", "classes"] {
        assert_eq!(told[key], made[key], "{key} of {settings}");
    }
    if !told["levels"].is_null() {
        assert_eq!(told["levels"], made["levels"], "{settings}");
    }
    let labels: Vec<&Value> = list(made, "models").iter().map(|model| &model["label"]).collect();
    assert_eq!(list(told, "promises").iter().collect::<Vec<_>>(), labels, "{settings}");
}

fn kinds(advice: &Value) -> Vec<&str> {
    let mut kinds: Vec<&str> = list(advice, "advice").iter().map(|row| row["kind"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

const K: &str = "[[require]]\nmodel = \"k-anonymity\"\nk = 5\n";

#[test]
fn a_run_with_the_settings_of_a_row_gives_what_the_row_says() {
    let l = "[[require]]\nmodel = \"distinct-l-diversity\"\nl = 3\n";
    let t = "[[require]]\nmodel = \"t-closeness\"\ncolumn = \"ill\"\nt = 0.3\n";
    let bench = bench(&format!("{K}{l}{t}[method]\nmax-suppressed = 0.05\n"));
    let advice = hold(&bench, &[]);
    let all = ["column-given-up", "looser-requirement", "more-suppressed", "other-method", "without-requirement"];
    for kind in all {
        assert!(kinds(&advice).contains(&kind), "{kind}: {:?}", kinds(&advice));
    }
    // The same on top of what somebody sets besides.
    hold(&bench, &["--set", "require[1]=none", "--set", "require[0].k=4", "--set", "objective=precision"]);
    hold(&bench, &["--set", "method.search=exhaustive"]);
    hold(&bench, &["--set", "method=mondrian", "--set", "max-suppressed=0"]);
}

#[test]
fn bounded_levels_and_other_objectives_hold_too() {
    let bounded = COLUMNS.replace("20] }\n", "20] }\nmax-level = 2\nmin-level = 1\n");
    let bench = Workbench::with(&[("table.csv", &table())]);
    let model = "[[require]]\nmodel = \"entropy-l-diversity\"\ncolumn = \"ill\"\nl = 1.8\n";
    bench.write("policy.toml", format!("{bounded}{K}{model}[method]\nmax-suppressed = 0.1\n"));
    let advice = hold(&bench, &[]);
    assert!(kinds(&advice).contains(&"wider-levels"), "{:?}", kinds(&advice));
    let refused: Vec<&Value> = list(&advice, "without_release").iter().map(|row| &row["what"]).collect();
    assert!(refused.iter().any(|what| what.as_str().unwrap().starts_with("mondrian")), "{refused:?}");
    for objective in ["height", "discernibility", "non-uniform-entropy"] {
        hold(&bench, &["--set", &format!("objective={objective}")]);
    }
    // Where rows have levels of their own, there is no height that could be compared.
    let advice = hold(&bench, &["--set", "objective=height"]);
    let is_local = |row: &&Value| row["set"] == serde_json::json!(["method.local=true"]);
    let local = list(&advice, "advice").iter().find(is_local).unwrap();
    assert_eq!(
        (&local["effect"], &local["gained"], &local["objective_value"]),
        (&"incomparable".into(), &Value::Null, &Value::Null)
    );
    let text = bench.must(&["advise", "policy.toml", "--set", "objective=height"]).stdout;
    assert!(
        text.contains("What these would lose is nothing that `height` could tell: full-domain with local = true"),
        "{text}"
    );
}

#[test]
fn the_examples_hold() {
    for (example, rows) in [("inpatients", 5), ("patients", 5)] {
        let bench = Workbench::with_example(example);
        let advice = hold(&bench, &[]);
        assert!(list(&advice, "advice").len() > rows, "{example}: {advice}");
    }
}

#[test]
fn every_local_method_holds() {
    let bench = bench(K);
    for method in ["microaggregation", "sweep", "one-dimensional", "similarity-blocks", "anatomy", "best"] {
        let requirement = ["--set", "require[0].model=p-sensitive-k-anonymity", "--set", "require[0].p=2"];
        let method = format!("method={method}");
        let given = [&requirement[..], &["--set", &method]].concat();
        let advice = bench.run(&[&["advise", "policy.toml", "--json", "--budget", "600"], &given[..]].concat());
        // Some cannot keep such a promise, and say so.
        if advice.code == 0 {
            hold(&bench, &given);
        } else {
            assert_eq!(
                bench.run(&[&["anonymize", "policy.toml"], &given[..]].concat()).code,
                advice.code,
                "{method}\n{advice}"
            );
        }
    }
}

#[test]
fn without_a_release_every_row_gives_one() {
    let l = "[[require]]\nmodel = \"distinct-l-diversity\"\ncolumn = \"ill\"\nl = 4\n";
    let bounded = COLUMNS
        .replace("20] }\n", "20] }\nmax-level = 1\n")
        .replace("\"right\" } }\n", "\"right\" } }\nmax-level = 1\n");
    let bench = Workbench::with(&[("table.csv", &table())]);
    bench.write("policy.toml", format!("{bounded}{K}{l}[method]\nmax-suppressed = 0.01\n"));
    assert_eq!(bench.run(&["anonymize", "policy.toml"]).code, 1);
    let advice = hold(&bench, &[]);
    assert!(advice["now"].is_null() && advice["no_release"]["text"].is_string());
    assert!(!list(&advice, "advice").is_empty());

    // Two at once, where one is not enough.
    bench.write("policy.toml", format!("{COLUMNS}{}{}", K.replace('5', "200"), l.replace('4', "9")));
    let advice = hold(&bench, &[]);
    assert_eq!(kinds(&advice), ["two"]);
    let ran = bench.must(&["advise", "policy.toml"]);
    assert!(ran.stdout.contains("No single change would give one; these two at once would:"), "{ran}");

    // And where nothing helps, the answer is no.
    let t = "[[require]]\nmodel = \"distinct-l-diversity\"\ncolumn = \"pay\"\nl = 50\n";
    bench.write("policy.toml", format!("{COLUMNS}{}{}{t}", K.replace('5', "200"), l.replace('4', "9")));
    let ran = bench.run(&["advise", "policy.toml"]);
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stdout.contains("Neither one change nor two of those that were tried would give one."), "{ran}");
}

#[test]
fn a_command_of_the_text_can_be_copied_into_a_shell() {
    let bench = bench(&format!("{K}[method]\nmax-suppressed = 0.01\n"));
    let text = bench.must(&["advise", "policy.toml", "--set", "output.seed=7"]).stdout;
    let commands: Vec<&str> =
        text.lines().filter_map(|line| line.split_once("shoal anonymize ").map(|two| two.1)).collect();
    assert!(commands.len() > 2, "{text}");
    for command in commands {
        assert!(command.contains("--set output.seed=7"), "{command}");
        let ran = bench.run_in_shell(&format!("$SHOAL anonymize {command} --overwrite"));
        assert_eq!(ran.code, 0, "{command}\n{ran}");
    }
}

#[test]
fn no_sensitive_value_and_no_value_of_a_rare_record_is_told() {
    let bench = bench(&format!("{K}[method]\nmax-suppressed = 0.01\n"));
    for arguments in [&["advise", "policy.toml"][..], &["advise", "policy.toml", "--json"]] {
        let said = bench.must(arguments).stdout;
        // Zip codes begin with 10; ages and ranges of them with a bracket.
        for value in ["flu", "cold", "gout", "ache", "100", "101", "[2", "[3", "[4"] {
            let is_told = said
                .split(|c: char| !c.is_alphanumeric() && c != '[')
                .any(|word| word.starts_with(value) && word != "100");
            assert!(!is_told, "{value}: {said}");
        }
    }
}

#[test]
fn a_run_without_time_says_what_it_left_out() {
    let bench = bench(K);
    let ran = bench.must(&["advise", "policy.toml", "--budget", "0"]);
    assert!(ran.stdout.contains("Nothing that there was time for would lose less."), "{ran}");
    assert!(ran.stdout.contains("There was no time for these: 4-anonymity instead of 5-anonymity;"), "{ran}");
    let json = bench.json(&["advise", "policy.toml", "--budget", "0", "--json"]);
    assert!(list(&json, "advice").is_empty() && list(&json, "not_tried").len() > 5);
}

//! Are numbers published as the policy says, and are promises about what is shown?

use std::collections::BTreeMap;

use serde_json::json;

use crate::workbench::{Workbench, rows};

const POLICY: &str = r#"[input]
path = "table.csv"
missing = ["", "NA"]
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 20] }
[columns.pay]
role = "sensitive"
publish = { round = 100, top = 1500 }
[columns.bonus]
role = "insensitive"
publish = { bottom = 10 }
[[require]]
model = "distinct-l-diversity"
column = "pay"
l = 2
"#;

fn table() -> String {
    let row = |n: u32| {
        let bonus = if n.is_multiple_of(7) { "NA".to_owned() } else { (n % 30).to_string() };
        format!("{},{},{bonus}\n", 20 + n % 40, 900 + n * 37 % 900)
    };
    "age,pay,bonus\n".to_owned() + &(0..120).map(row).collect::<String>()
}

fn bench() -> Workbench {
    Workbench::with(&[("policy.toml", POLICY), ("table.csv", &table())])
}

/// How often each text occurs in a column.
fn counts(table: &str, column: usize) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    rows(table)[1..].iter().for_each(|row| *counts.entry(row[column].clone()).or_default() += 1);
    counts
}

#[test]
fn what_is_shown_is_rounded_and_bounded() {
    let bench = bench();
    let summary = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert_eq!(
        summary["published_numbers"],
        json!({ "pay": { "round": 100.0, "top": 1500.0 }, "bonus": { "bottom": 10.0 } })
    );
    // The naive way, on whole numbers.
    let mut pays: BTreeMap<String, usize> = BTreeMap::new();
    let mut bonuses: BTreeMap<String, usize> = BTreeMap::new();
    for row in &rows(&table())[1..] {
        let pay: u32 = row[1].parse().unwrap();
        *pays.entry(((pay + 50) / 100 * 100).min(1500).to_string()).or_default() += 1;
        let bonus = row[2].parse::<u32>().map_or("NA".to_owned(), |bonus| bonus.max(10).to_string());
        *bonuses.entry(bonus).or_default() += 1;
    }
    let release = bench.text("table.release.csv");
    assert_eq!(counts(&release, 1), pays);
    assert_eq!(counts(&release, 2), bonuses, "missing values stay as they are");
    let ran = bench.must(&["anonymize", "policy.toml", "--report", "r.html"]);
    assert!(
        ran.stderr.contains("numbers of `pay` are published rounded to multiples of 100, as 1500 where they are more"),
        "{ran}"
    );
    assert!(bench.text("r.html").contains("rounded to multiples of 100"));
    let ran = bench.must(&["audit", "table.release.csv", "--policy", "policy.toml", "--original", "table.csv"]);
    let said =
        "numbers of `pay` are published rounded to multiples of 100, as 1500 where they are more; what is measured";
    assert!(ran.stdout.contains(said), "{ran}");
    let audit =
        bench.json(&["audit", "table.release.csv", "--policy", "policy.toml", "--original", "table.csv", "--json"]);
    assert_eq!(audit["published_numbers"], summary["published_numbers"]);
    let audit = bench.json(&["audit", "table.csv", "--quasi", "age", "--json"]);
    assert!(audit.get("published_numbers").is_none(), "without a policy nobody knows");
}

/// All incomes above the top are one value, and a class of them has no diversity.
#[test]
fn models_judge_what_is_shown() {
    let bench = Workbench::with(&[("table.csv", "age,pay\n20,5000\n21,6000\n22,7000\n23,8000\n")]);
    let policy = POLICY.replace("[columns.bonus]\nrole = \"insensitive\"\npublish = { bottom = 10 }\n", "");
    bench.write("policy.toml", &policy);
    let ran = bench.run(&["anonymize", "policy.toml"]);
    assert_eq!(ran.code, 1, "{ran}");
    bench.must(&["anonymize", "policy.toml", "--set", "columns.pay.publish={ round = 1000 }"]);
}

#[test]
fn noise_is_drawn_afresh_or_with_a_key() {
    let bench = bench();
    let noise = |more: &str| {
        POLICY.replace(
            "publish = { round = 100, top = 1500 }",
            &format!("publish = {{ noise = {{ laplace = 50 }} }}{more}"),
        )
    };
    bench.write("policy.toml", noise(""));
    let release = || {
        bench.must(&["anonymize", "policy.toml"]);
        bench.text("table.release.csv")
    };
    let (first, second) = (release(), release());
    assert_ne!(counts(&first, 1), counts(&second, 1), "fresh noise is other noise, whatever the seed");
    assert_ne!(counts(&first, 1), counts(&table(), 1));
    bench.must(&["audit", "table.release.csv", "--policy", "policy.toml"]);
    let ran = bench.run(&["audit", "table.release.csv", "--policy", "policy.toml", "--original", "table.csv"]);
    assert!(ran.code == 2 && ran.stderr.contains("the noise of `pay` was drawn afresh"), "{ran}");
    let ran = bench.run(&["anonymize", "policy.toml", "--recipe", "r.json"]);
    assert!(ran.code == 2 && ran.stderr.contains("no recipe carries the noise of `pay`"), "{ran}");
    bench.must(&["keys", "pseudonym", "-o", "noise.key"]);
    bench.write("policy.toml", noise("\nkey-file = \"noise.key\""));
    assert_eq!(release(), release());
    bench.must(&["audit", "table.release.csv", "--policy", "policy.toml", "--original", "table.csv"]);
}

/// The rows of a release of a table by noise with a key, in an order that does not depend on how they were written.
fn noisy(bench: &Workbench, table: &str) -> Vec<Vec<String>> {
    bench.write("noisy.csv", table);
    bench.must(&["anonymize", "noisy.toml", "--output", "noisy.release.csv", "--overwrite"]);
    let mut rows = rows(&bench.text("noisy.release.csv"))[1..].to_vec();
    rows.sort();
    rows
}

fn noisy_bench() -> Workbench {
    let bench = Workbench::new();
    bench.must(&["keys", "pseudonym", "-o", "noise.key"]);
    bench.write(
        "noisy.toml",
        "[input]\npath = \"noisy.csv\"\n[columns.id]\nrole = \"insensitive\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
         hierarchy = { intervals = [100] }\n[columns.pay]\nrole = \"sensitive\"\npublish = { noise = { uniform = 50 } }\n\
         key-file = \"noise.key\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n",
    );
    bench
}

#[test]
fn noise_with_a_key_does_not_depend_on_the_order_of_rows() {
    let bench = noisy_bench();
    // Every third row is there twice.
    let lines: Vec<String> =
        (0..60).map(|n| format!("{},{},{}.25\n", n / 3 * 3, 20 + n / 3, 1000 + n / 3 * 37)).collect();
    let table = |lines: &[String]| format!("id,age,pay\n{}", lines.concat());
    let one = noisy(&bench, &table(&lines));
    let backwards: Vec<String> = lines.iter().rev().cloned().collect();
    assert_eq!(noisy(&bench, &table(&backwards)), one);
    let of_first: BTreeMap<&String, usize> = one.iter().filter(|row| row[0] == "0").map(|row| (&row[2], 1)).collect();
    assert_eq!(of_first.len(), 3, "equal rows have noise of their own: {of_first:?}");
}

/// Somebody who knows the pay of a row in one table and sees both releases learns its exact change if the noise is the same.
#[test]
fn only_the_same_row_has_the_same_noise_in_another_table() {
    let bench = noisy_bench();
    let table = |raise: u32| {
        let row = |n: u32| format!("{n},{},{}.25\n", 20 + n, 1000 + n * 37 + if n < 30 { raise } else { 0 });
        format!("id,age,pay\n{}", (0..60).map(row).collect::<String>())
    };
    let pays = |rows: Vec<Vec<String>>| -> BTreeMap<u32, f64> {
        rows.iter().map(|row| (row[0].parse().unwrap(), row[2].parse().unwrap())).collect()
    };
    let (before, after) = (pays(noisy(&bench, &table(0))), pays(noisy(&bench, &table(100))));
    let exact = (0..30).filter(|id| (after[id] - before[id] - 100.0).abs() < 1e-6).count();
    assert!(exact <= 2, "{exact} of 30 changes can be told to the cent");
    assert!((30..60).all(|id| after[&id] == before[&id]), "what has not changed cannot be averaged");
}

/// Of twice the scale, the same draw is twice the noise: twice the one number less the other would be the pay itself.
#[test]
fn noise_of_two_scales_does_not_cancel_out() {
    let bench = noisy_bench();
    let table = format!(
        "id,age,pay\n{}",
        (0..60).map(|n| format!("{n},{},{}.25\n", 20 + n, 1000 + n * 37)).collect::<String>()
    );
    let policy = bench.text("noisy.toml");
    let pays = |noise: &str| -> BTreeMap<u32, f64> {
        bench.write("noisy.toml", policy.replace("uniform = 50", noise));
        noisy(&bench, &table).iter().map(|row| (row[0].parse().unwrap(), row[2].parse().unwrap())).collect()
    };
    for (little, much, times) in [("uniform = 50", "uniform = 100", 2.0), ("laplace = 10", "laplace = 50", 5.0)] {
        let (little, much) = (pays(little), pays(much));
        let solved = |id: &u32| (times * little[id] - much[id]) / (times - 1.0);
        let exact = (0..60).filter(|id| (solved(id) - f64::from(1000 + id * 37) - 0.25).abs() < 0.02).count();
        assert!(exact <= 3, "{exact} of 60 numbers follow from two releases");
    }
}

#[test]
fn every_format_keeps_numbers_numbers() {
    let bench = bench();
    bench.must(&["anonymize", "policy.toml", "-o", "r.jsonl"]);
    for (from, to) in [("r.jsonl", "s.jsonl"), ("r.jsonl", "s.parquet")] {
        // A release of the release: ages are labels by now.
        let policy = POLICY.replace("hierarchy = { intervals = [10, 20] }", "hierarchy = { suppress = {} }");
        bench.write("again.toml", &policy);
        bench.must(&["anonymize", "again.toml", "--input", from, "-o", to]);
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let bench = bench();
    for (publish, expected) in [
        ("{ round = 0 }", "`round` must be above 0"),
        ("{ top = 1, bottom = 2 }", "`bottom` must be below `top`"),
        ("{}", "it says nothing"),
        ("{ noise = { cauchy = 5 } }", "cauchy"),
    ] {
        bench.write("policy.toml", POLICY.replace("{ round = 100, top = 1500 }", publish));
        let ran = bench.run(&["check", "policy.toml"]);
        assert!(ran.code == 2 && ran.stderr.contains(expected), "{publish}\n{ran}");
    }
    bench.write("policy.toml", POLICY.replace("hierarchy = { intervals = [10, 20] }", "publish = { round = 5 }"));
    let ran = bench.run(&["check", "policy.toml"]);
    assert!(ran.stderr.contains("`publish` is for sensitive and insensitive columns"), "{ran}");
    bench.write("policy.toml", POLICY);
    bench.write("table.csv", table() + "30,much,5\n");
    let ran = bench.run(&["anonymize", "policy.toml"]);
    assert!(ran.code == 2 && ran.stderr.contains("row 121, column `pay`: it is no number"), "{ran}");
    assert!(!ran.stderr.contains("much"), "no sensitive value is shown\n{ran}");
}

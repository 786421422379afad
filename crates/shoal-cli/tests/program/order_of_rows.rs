//! Does the order of rows tell anything?

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::workbench::Workbench;

/// 2,000 people, each with a zip code, an age and one of eight diseases.
fn table(order: impl Fn(usize) -> usize) -> String {
    let row = |place: usize| {
        let person = order(place);
        let (zip, age) = (10_000 + (person * 7919) % 400, 18 + (person * 104_729) % 70);
        format!("{zip},{age},disease {}\n", (person * 31 + person / 7) % 8)
    };
    std::iter::once("zip,age,disease\n".to_owned()).chain((0..2_000).map(row)).collect()
}

/// A policy that shows only one of the two quasi-identifiers, as it is wherever five share it.
fn policy(shown: &str, output: &str) -> String {
    let other = if shown == "zip" { "age" } else { "zip" };
    format!(
        "[input]\npath = \"table.csv\"\n[output]\npath = \"{shown}.csv\"\n{output}\n[columns.{shown}]\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ suppress = {{}} }}\n[columns.{other}]\nrole = \"identifier\"\n[columns.disease]\nrole = \"sensitive\"\n\
         [[require]]\nmodel = \"k-anonymity\"\nk = 5\n"
    )
}

fn released(output: &str) -> Workbench {
    let zip = policy("zip", output);
    let age = policy("age", output);
    let bench = Workbench::with(&[("table.csv", &table(|place| place)), ("zip.toml", &zip), ("age.toml", &age)]);
    bench.must(&["anonymize", "zip.toml"]);
    bench.must(&["anonymize", "age.toml"]);
    bench
}

/// How many rows of the original come out if each row of one release is taken for the person of the row beside it.
fn given_back(bench: &Workbench) -> usize {
    let (zips, ages) = (bench.text("zip.csv"), bench.text("age.csv"));
    let mut originals: HashMap<String, usize> = HashMap::new();
    bench.text("table.csv").lines().skip(1).for_each(|row| *originals.entry(row.to_owned()).or_default() += 1);
    let beside = zips.lines().zip(ages.lines()).skip(1).filter(|(zip, age)| {
        let (zip, disease) = zip.split_once(',').unwrap();
        let (age, same) = age.split_once(',').unwrap();
        let original = originals.get_mut(&format!("{zip},{age},{disease}")).filter(|left| **left > 0);
        disease == same && original.map(|left| *left -= 1).is_some()
    });
    beside.count()
}

const AUDIT: [&str; 9] =
    ["audit", "zip.csv", "--quasi", "zip", "--sensitive", "disease", "--with", "age.csv", "--json"];

#[test]
fn two_releases_side_by_side_give_nobody_back() {
    let bench = released("");
    let found = given_back(&bench);
    assert!(found < 60, "{found} of 2,000 rows");
    let audit = bench.json(&AUDIT);
    let finding =
        &audit["attacks"].as_array().unwrap().iter().find(|attack| attack["attack"] == "intersection").unwrap();
    assert_eq!(finding["by_order"], false, "{finding}");
}

#[test]
fn rows_in_the_order_of_the_table_are_warned_of_and_attacked() {
    let bench = released("shuffle = false");
    assert_eq!(given_back(&bench), 2_000);
    let ran = bench.must(&["anonymize", "zip.toml"]);
    assert!(ran.stderr.contains("warning: `shuffle = false` leaves rows in the order of the table"), "{ran}");
    let audit = bench.json(&AUDIT);
    let finding =
        &audit["attacks"].as_array().unwrap().iter().find(|attack| attack["attack"] == "intersection").unwrap();
    assert_eq!((&finding["by_order"], &finding["certain"]), (&json!(true), &json!(true)), "{finding}");
    assert_eq!((&finding["severity"], &finding["in_both"]), (&json!("high"), &json!(2000)), "{finding}");
    // Everybody who is alone with zip code and age has one disease, and so have some who share both.
    assert!(finding["exposed_records"].as_u64().unwrap() >= finding["alone_in_both"].as_u64().unwrap(), "{finding}");
    assert!(finding["learned"].as_str().unwrap().contains("stand in one order"), "{finding}");
    let warned = audit["warnings"].as_array().unwrap().iter().any(|warning| warning["id"] == "order-of-rows");
    assert!(warned, "{}", audit["warnings"]);
}

/// There may be no value to be learned, and still a row to be found.
#[test]
fn rows_laid_side_by_side_are_told_apart() {
    // Twenty-five zip codes times twenty-five ages: each row is alone with both, and among twenty-five with either.
    let both = |place: usize| (place / 25, place % 25);
    let order = (0..625).map(|place| both(place * 7 % 625));
    let (mut zips, mut ages) = ("zip,ward\n".to_owned(), "age,floor\n".to_owned());
    for (zip, age) in order {
        zips += &format!("{zip},{}\n", age % 2);
        ages += &format!("{age},{}\n", age % 2);
    }
    ages = ages.replace("floor", "ward");
    let bench = Workbench::with(&[("zip.csv", &zips), ("age.csv", &ages)]);
    let audit = bench.json(&["audit", "zip.csv", "--quasi", "zip,ward", "--with", "age.csv", "--json"]);
    let found: Vec<&Value> =
        audit["attacks"].as_array().unwrap().iter().filter(|attack| attack["attack"] == "intersection").collect();
    let [finding] = found[..] else { panic!("{found:?}") };
    // 12 or 13 rows have a zip code and a ward, 25 an age; one has all of it.
    assert_eq!((&finding["by_order"], &finding["exposed_records"]), (&json!(true), &json!(625)), "{finding}");
    assert_eq!((&finding["alone_in_both"], &finding["few"]), (&json!(625), &json!(4)), "{finding}");
    assert!(
        finding["column"].is_null() && finding["learned"].as_str().unwrap().contains("whose row it is"),
        "{finding}"
    );
    // Whom that does not expose has to know it, too.
    let none = bench.json(&["audit", "zip.csv", "--quasi", "zip,ward", "--with", "age.csv", "--few", "0", "--json"]);
    let finding = none["attacks"].as_array().unwrap().iter().find(|attack| attack["attack"] == "intersection").unwrap();
    assert_eq!(finding["exposed_records"], 0, "{finding}");
    assert!(none["warnings"].as_array().unwrap().iter().any(|warning| warning["id"] == "order-of-rows"), "{none}");
}

/// What the audit of the zip codes beside the ages finds.
fn intersection(bench: &Workbench) -> Value {
    let audit = bench.json(&AUDIT);
    audit["attacks"].as_array().unwrap().iter().find(|attack| attack["attack"] == "intersection").unwrap().clone()
}

/// A table with rows that are suppressed where zip codes are shown, and others where ages are.
fn with_loners() -> String {
    let lines = table(|place| place);
    let changed = lines.lines().enumerate().map(|(place, line)| match place % 59 {
        7 if place > 0 => format!("{},{}\n", 50_000 + place, line.split_once(',').unwrap().1),
        _ => format!("{line}\n"),
    });
    changed.collect()
}

#[test]
fn rows_that_only_one_release_has_do_not_hide_the_order() {
    for (output, is_found) in [("shuffle = false", true), ("", false)] {
        let suppressing = |shown| policy(shown, output) + "[method]\nmax-suppressed = 0.1\n";
        let (zip, age) = (suppressing("zip"), suppressing("age"));
        let bench = Workbench::with(&[("table.csv", &with_loners()), ("zip.toml", &zip), ("age.toml", &age)]);
        bench.must(&["anonymize", "zip.toml"]);
        bench.must(&["anonymize", "age.toml"]);
        let rows = |name: &str| bench.text(name).lines().count() - 1;
        assert!(rows("zip.csv") < 1_900 && rows("age.csv") == 2_000, "{} and {}", rows("zip.csv"), rows("age.csv"));
        let finding = intersection(&bench);
        assert_eq!(finding["by_order"], is_found, "{output} {finding}");
        if !is_found {
            continue;
        }
        // Everybody who is in both, and hardly anybody in the place of somebody else.
        assert_eq!((&finding["severity"], &finding["certain"]), (&json!("high"), &json!(false)), "{finding}");
        assert!(finding["in_both"].as_u64().unwrap() as usize == rows("zip.csv"), "{finding}");
        assert!(finding["learned"].as_str().unwrap().contains("each has rows that the other lacks"), "{finding}");
        // The same where the other release is the longer one, and where both lack rows.
        let some: String = bench
            .text("age.csv")
            .lines()
            .enumerate()
            .filter(|(at, _)| at % 83 != 40)
            .map(|(_, line)| format!("{line}\n"))
            .collect();
        bench.write("age.csv", some);
        let finding = intersection(&bench);
        assert_eq!(finding["by_order"], true, "{finding}");
        let in_both = finding["in_both"].as_u64().unwrap();
        // 1,830 rows, of which about 22 are gone here.
        assert!((1_770..=1_830).contains(&in_both), "{finding}");
    }
}

/// Two releases of the same columns have one order, which is that of a hash of what they show: nothing follows from it.
#[test]
fn an_order_that_follows_from_what_is_shown_tells_nothing() {
    let bench = released("");
    bench.write("age.csv", bench.bytes("zip.csv"));
    assert_eq!(intersection(&bench)["by_order"], false);
    let fewer: String = bench
        .text("zip.csv")
        .lines()
        .enumerate()
        .filter(|(at, _)| at % 50 != 7)
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    bench.write("age.csv", fewer);
    assert_eq!(intersection(&bench)["by_order"], false);
}

#[test]
fn an_audit_says_when_a_release_stands_in_the_order_of_its_original() {
    for (output, stands) in [("shuffle = false", true), ("", false)] {
        // Rows that were suppressed leave no gap.
        let suppressing = policy("zip", output) + "[method]\nmax-suppressed = 0.1\n";
        let bench = Workbench::with(&[("table.csv", &table(|place| place)), ("zip.toml", &suppressing)]);
        bench.write("table.csv", bench.text("table.csv").replace("10007,", "99999,").replacen("99999,", "10007,", 3));
        bench.must(&["anonymize", "zip.toml"]);
        assert!(bench.text("zip.csv").lines().count() < 2_001, "nothing was suppressed");
        for arguments in [&["--policy", "zip.toml"][..], &["--quasi", "zip", "--sensitive", "disease"]] {
            let all = [&["audit", "zip.csv", "--original", "table.csv", "--json"], arguments].concat();
            let warnings = bench.json(&all)["warnings"].clone();
            let ids = warnings.as_array().unwrap().iter().filter(|warning| warning["id"] == "order-of-rows");
            let of_audit = ids.filter(|warning| warning["text"].as_str().unwrap().contains("order of the original"));
            assert_eq!(of_audit.count(), usize::from(stands), "{output} {warnings}");
        }
    }
}

/// Equal multisets of shown rows are one file, whatever the order of the input was.
#[test]
fn the_order_of_the_table_leaves_no_trace() {
    for extension in ["csv", "jsonl", "parquet", "csv.gz"] {
        let policy = policy("age", "").replace("age.csv", &format!("age.{extension}"));
        let bench = Workbench::with(&[("table.csv", &table(|place| place)), ("age.toml", &policy)]);
        bench.must(&["anonymize", "age.toml"]);
        let one = bench.bytes(&format!("age.{extension}"));
        bench.write("table.csv", table(|place| (place * 777 + 5) % 2_000));
        bench.must(&["anonymize", "age.toml"]);
        assert!(bench.bytes(&format!("age.{extension}")) == one, "{extension}");
    }
}

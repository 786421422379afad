//! Is a release the same, however little memory it is made in?

use std::fmt::Write;

use crate::refusal::must_refuse;
use crate::workbench::Workbench;

const POLICY: &str = r#"[input]
path = "table.csv"
#LIMIT
[output]
path = "release.csv"
#SHUFFLE
[columns.zip]
role = "quasi-identifier"
hierarchy = { mask = { from = "right" } }
[columns.town]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 300
[[require]]
model = "entropy-l-diversity"
l = 2
[method]
max-suppressed = 0.1
"#;

/// More rows than are read at once, of a thousand tuples.
fn bench() -> Workbench {
    let mut table = "zip,town,disease\n".to_owned();
    for row in 0u64..60_000 {
        // The upper bits of a product with an odd number are as good as random here.
        let random = row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
        let (zip, town, disease) = (random % 51, random / 51 % 5, random / 255 % 4);
        writeln!(table, "{},town {town},disease {disease}", 100 + zip * zip / 17).unwrap();
    }
    Workbench::with(&[("table.csv", &table), ("policy.toml", POLICY)])
}

#[test]
fn a_release_does_not_depend_on_the_memory_it_is_made_in() {
    let bench = bench();
    for shuffle in ["shuffle = false", ""] {
        let policy = POLICY.replace("#SHUFFLE", shuffle);
        bench.write("policy.toml", &policy);
        let expected = bench.json(&["anonymize", "policy.toml", "--json"]);
        let release = bench.text("release.csv");
        // The thousand tuples take about twenty thousand bytes; each of three threads may have a quarter of the limit.
        for limit in ["34KB", "60KB", "1MB", "1GiB"] {
            bench.write("policy.toml", policy.replace("#LIMIT", &format!("memory-limit = \"{limit}\"")));
            for threads in ["1", "2", "3"] {
                let found = bench.json(&["anonymize", "policy.toml", "--json", "--threads", threads]);
                assert!(bench.text("release.csv") == release, "{limit} on {threads} threads");
                for key in ["levels", "models", "classes", "objectives"] {
                    assert_eq!(found[key], expected[key], "{limit} on {threads} threads");
                }
            }
        }
        assert_eq!(bench.everything().len(), 3, "nothing else is left: {:?}", bench.everything().keys());
    }
}

#[test]
fn what_must_be_in_memory_and_does_not_fit_is_refused() {
    let bench = bench();
    bench.write("policy.toml", POLICY.replace("#LIMIT", "memory-limit = \"14KB\""));
    let parts =
        ["the distinct combinations of values alone take more than `memory-limit` allows", "hint: raise the limit"];
    must_refuse(&bench, &["anonymize", "policy.toml", "--threads", "1"], 2, &parts);
    bench.write("policy.toml", POLICY.replace("#LIMIT", "memory-limit = 2000"));
    must_refuse(&bench, &["anonymize", "policy.toml"], 2, &["column `zip` has the most", "hint: raise the limit"]);
}

const OF_PEOPLE: &str = r#"[input]
path = "table.csv"
person = "patient"
#HOUSEHOLD
#LIMIT
[output]
path = "release.csv"
[columns.zip]
role = "quasi-identifier"
hierarchy = { mask = { from = "right" } }
[columns.town]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 30
[[require]]
model = "distinct-l-diversity"
l = 2
[method]
max-suppressed = 0.1
"#;

/// More rows than are read at once, of two thousand people, of whom four live together each. Everybody's row has a zip code of its own.
fn bench_of_people() -> Workbench {
    let mut table = "patient,home,zip,town,disease\n".to_owned();
    for row in 0u64..60_000 {
        let random = row.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
        let (patient, town, disease) = (random % 2000, random / 2000 % 5, random / 10_000 % 4);
        let home = format!("the house of {} with a long name", patient / 4);
        writeln!(table, "P{patient},{home},{},town {town},disease {disease}", 100 + patient % 50).unwrap();
    }
    Workbench::with(&[("table.csv", &table), ("policy.toml", OF_PEOPLE)])
}

#[test]
fn people_are_counted_alike_in_any_memory() {
    let bench = bench_of_people();
    for suppress in ["", "suppress = \"people\"\n"] {
        let policy = format!("{OF_PEOPLE}{suppress}").replace("#HOUSEHOLD", "household = \"home\"");
        bench.write("policy.toml", &policy);
        let expected = bench.json(&["anonymize", "policy.toml", "--json"]);
        assert_eq!(expected["people"]["count"], 2000);
        let release = bench.text("release.csv");
        let mut refused = 0;
        for limit in ["500KB", "1MB", "2MB", "4MB", "1GiB"] {
            bench.write("policy.toml", policy.replace("#LIMIT", &format!("memory-limit = \"{limit}\"")));
            for threads in ["1", "3"] {
                let ran = bench.run(&["anonymize", "policy.toml", "--json", "--threads", threads]);
                if ran.code != 0 {
                    assert!(ran.stderr.contains("than `memory-limit` allows"), "{limit} on {threads} threads: {ran}");
                    refused += 1;
                    continue;
                }
                let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
                assert!(bench.text("release.csv") == release, "{limit} on {threads} threads");
                for key in ["levels", "models", "classes", "objectives", "people", "households"] {
                    assert_eq!(found[key], expected[key], "{limit} on {threads} threads");
                }
            }
        }
        assert!(refused <= 6, "most of them must do: {refused}");
        assert_eq!(bench.everything().len(), 3, "nothing else is left: {:?}", bench.everything().keys());
    }
}

/// Few people in many households: what takes the memory is named, and no column is blamed for it.
#[test]
fn households_that_do_not_fit_into_memory_are_named() {
    let policy = OF_PEOPLE.replace("#HOUSEHOLD", "household = \"home\"").replace("#LIMIT", "memory-limit = 20000");
    // Everybody is at home in many houses.
    let mut table = "patient,home,zip,town,disease\n".to_owned();
    for row in 0..2000 {
        writeln!(table, "P{},the house of {row} with a long name,{},town,flu", row % 20, 100 + row % 20).unwrap();
    }
    let bench = Workbench::with(&[("table.csv", &table), ("policy.toml", &policy)]);
    let parts = ["who lives together takes the most: ", "or leave out `household` in [input]"];
    must_refuse(&bench, &["anonymize", "policy.toml", "--threads", "1"], 2, &parts);
}

#[test]
fn rows_of_every_format_are_shuffled_and_none_is_lost() {
    let bench = bench();
    let sorted = |name: &str| {
        let text = bench.text(name);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    bench.write("policy.toml", POLICY.replace("#SHUFFLE", "shuffle = false"));
    bench.must(&["anonymize", "policy.toml", "-o", "in-order.jsonl"]);
    bench.write("policy.toml", POLICY.replace("#SHUFFLE", ""));
    for name in ["release.jsonl", "release.parquet"] {
        bench.must(&["anonymize", "policy.toml", "-o", name]);
        let release = bench.bytes(name);
        for threads in ["1", "3"] {
            bench.must(&["anonymize", "policy.toml", "-o", name, "--threads", threads]);
            assert!(bench.bytes(name) == release, "{name} on {threads} threads");
        }
    }
    assert_eq!(sorted("release.jsonl"), sorted("in-order.jsonl"));
    assert_ne!(bench.text("release.jsonl"), bench.text("in-order.jsonl"));
}

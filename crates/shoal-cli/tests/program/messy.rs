//! Do tables as people have them become a release worth having, without a word of help?
//!
//! Each goes through `init --yes`, `anonymize` and `audit`; the age, or whatever stands for it, must not be lost.

mod draws;
mod tables;

use std::time::{Duration, Instant};

use crate::workbench::{Workbench, rows};

/// Nobody waits longer for a first result.
const PATIENCE: Duration = Duration::from_secs(60);

/// A table as somebody has it.
pub struct Messy {
    /// What is messy about it, and the name of its file.
    pub name: &'static str,
    pub file: &'static str,
    pub bytes: Vec<u8>,
    /// The column that tells how old somebody is.
    pub age: &'static str,
    /// The delimiter of its release.
    pub delimiter: u8,
}

/// The cells of a column of a release.
fn column(bench: &Workbench, table: &Messy, release: &str) -> Vec<String> {
    if table.file.ends_with(".jsonl") {
        let value = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()[table.age].clone();
        return bench.text(release).lines().map(|line| value(line).to_string()).collect();
    }
    let text = bench.text(release);
    let mut reader = csv::ReaderBuilder::new().delimiter(table.delimiter).from_reader(text.as_bytes());
    let place = reader.headers().unwrap().iter().position(|name| name == table.age);
    let place = place.unwrap_or_else(|| panic!("{}: the release has no {}", table.name, table.age));
    reader.records().map(|record| record.unwrap()[place].to_owned()).collect()
}

#[test]
fn strange_tables_become_releases_worth_having() {
    let tables = tables::all();
    assert!(tables.len() >= 12);
    for table in tables {
        let begin = Instant::now();
        let bench = Workbench::new();
        bench.write(table.file, &table.bytes);
        bench.must(&["init", table.file, "--yes", "-o", "policy.toml"]);
        let release = format!("release.{}", table.file.split_once('.').unwrap().1);
        bench.must(&["anonymize", "policy.toml", "-o", &release]);
        // Where people are counted, their release does not tell whose rows are whose.
        let counts_people = bench.text("policy.toml").contains("\nperson = ");
        let ran = bench.run(&["audit", &release, "--policy", "policy.toml"]);
        assert_eq!(ran.code, i32::from(counts_people), "{}: {ran}", table.name);
        assert!(ran.stdout.contains("could NOT be judged") == counts_people, "{}: {ran}", table.name);
        let ages = column(&bench, &table, &release);
        let hidden = ages.iter().filter(|age| age.trim_matches('"') == "*").count();
        let policy = bench.text("policy.toml");
        assert!(hidden * 2 < ages.len(), "{}: {hidden} of {} ages are lost\n{policy}", table.name, ages.len());
        let mut labels = ages.clone();
        labels.sort();
        labels.dedup();
        assert!(labels.len() >= 2, "{}: every age is {}\n{policy}", table.name, labels[0]);
        assert!(begin.elapsed() < PATIENCE, "{}: {:?}", table.name, begin.elapsed());
    }
}

#[test]
fn what_is_published_is_looked_at_and_strictness_stops_it() {
    let mut text = "age,sex,contact\n".to_owned();
    for row in 0..60 {
        text += &format!("{},{},person{row}@example.org\n", 20 + row % 40, ["f", "m"][row % 2]);
    }
    let policy = "[input]\npath = 'a.csv'\n[output]\npath = 'b.csv'\n[columns.age]\nrole = 'quasi-identifier'\n\
                  hierarchy = { intervals = [10, 20] }\n[columns.sex]\nrole = 'quasi-identifier'\nhierarchy = { suppress = {} }\n\
                  [columns.contact]\nrole = 'insensitive'\n[[require]]\nmodel = 'k-anonymity'\nk = 2\n";
    let bench = Workbench::with(&[("a.csv", &text), ("p.toml", policy)]);
    let strict = bench.run(&["anonymize", "p.toml", "--strict"]);
    assert_eq!(strict.code, 1, "{strict}");
    assert!(strict.stderr.contains("60 of 60 different values are written like e-mail addresses"), "{strict}");
    assert!(!strict.stderr.contains("person1@"), "{strict}");
    assert!(!bench.path("b.csv").exists());
    let ran = bench.must(&["anonymize", "p.toml"]);
    assert!(ran.stderr.contains("warning: `contact` is published"), "{ran}");
    for asked in [&["solutions", "p.toml"][..], &["advise", "p.toml"], &["compare", "p.toml"]] {
        let ran = bench.must(asked);
        assert!(ran.stderr.contains("warning: `contact` is published"), "whoever only asks is told, too: {ran}");
    }
    assert_eq!(rows(&bench.text("b.csv")).len(), 61);
    // Without the column there is nothing left to warn of.
    bench.must(&["anonymize", "p.toml", "--strict", "--set", "columns.contact.role=identifier", "-o", "c.csv"]);
}

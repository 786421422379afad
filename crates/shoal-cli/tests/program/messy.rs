//! Do tables as people have them become a release worth having, without a word of help?
//!
//! Each goes through `init --yes`, `anonymize` and `audit`; the age, or whatever stands for it, must not be lost.

mod draws;
mod elsewhere;
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
    /// What some of its columns are to become.
    pub roles: &'static [(&'static str, &'static str)],
}

/// What a policy says of a column.
fn role_of<'a>(policy: &'a str, column: &str) -> &'a str {
    let headings = [format!("[columns.{column}]\nrole = \""), format!("[columns.\"{column}\"]\nrole = \"")];
    let after = headings.iter().find_map(|heading| Some(policy.split_once(heading)?.1));
    after.unwrap_or_else(|| panic!("no {column} in\n{policy}")).split('"').next().unwrap()
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
    let tables = tables::all().into_iter().chain(elsewhere::all());
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
        for (column, role) in table.roles {
            assert_eq!(role_of(&policy, column), *role, "{}: {column}\n{policy}", table.name);
        }
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

/// What a run of `init --yes` says, and the policy.
fn proposed(name: &str, text: &str) -> (String, String) {
    let bench = Workbench::with(&[(name, text)]);
    let ran = bench.must(&["init", name, "--yes", "-o", "policy.toml"]);
    (ran.stderr.replace("\n  ", " "), bench.text("policy.toml"))
}

fn text_of(table: &str) -> String {
    let all = tables::all().into_iter().chain(elsewhere::all());
    let table = all.into_iter().find(|known| known.file == table).unwrap();
    String::from_utf8(table.bytes).unwrap()
}

#[test]
fn notes_are_left_out_with_a_warning_and_published_with_another() {
    let text = text_of("notes.csv");
    let (said, policy) = proposed("notes.csv", &text);
    let left_out = "`diagnosis notes`, `treatment`, `job description` look like free text, in which anybody may be named, and are left out";
    assert!(said.contains(left_out) && policy.replace("\n# ", " ").contains(left_out), "{said}");
    let bench = Workbench::with(&[("notes.csv", &text), ("p.toml", &policy)]);
    let ran = bench.must(&["anonymize", "p.toml", "--strict", "-o", "a.csv"]);
    assert!(!ran.stderr.contains("rows may not be people"), "notes that repeat name nobody: {ran}");
    let shown = ["anonymize", "p.toml", "--strict", "-o", "b.csv", "--set", "columns.treatment.role=insensitive"];
    let ran = bench.run(&shown);
    assert!(ran.code == 1 && ran.stderr.contains("could be free text, which may name people"), "{ran}");
}

#[test]
fn a_release_names_nobodys_own_number() {
    let (_, policy) = proposed("staff.csv", &text_of("staff.csv"));
    assert!(!policy.contains("categories = \"sets\""), "{policy}");
}

#[test]
fn whose_rows_they_are_is_seen_in_a_library_too() {
    let (said, policy) = proposed("library.csv", &text_of("library.csv"));
    assert!(policy.contains("\nperson = \"reader no\""), "{policy}");
    assert!(said.contains("600 rows are those of 200 people"), "{said}");
}

#[test]
fn what_stands_below_a_table_is_no_person() {
    let people: String =
        (0..60).map(|row| format!("{},{},{}\n", 20 + row % 40, ["f", "m"][row % 2], row % 7)).collect();
    let below = "the last 3 rows do not look like people";
    let (said, policy) =
        proposed("a.csv", &format!("age,sex,visits\n{people}Total,,180\n,,\nSource: a register of 2024,,\n"));
    assert!(said.contains(below) && policy.replace("\n# ", " ").contains(below), "{said}\n{policy}");
    let (said, _) = proposed("a.csv", &format!("age,sex,visits\n{people}"));
    assert!(!said.contains("do not look like people"), "{said}");
}

#[test]
fn words_among_numbers_are_missing_values() {
    let people: String = (0..90)
        .map(|row| {
            format!(
                "{},{},{}\n",
                if row % 30 == 0 { "unknown".to_owned() } else { (20 + row % 40).to_string() },
                ["f", "m"][row % 2],
                row % 7
            )
        })
        .collect();
    let (_, policy) = proposed("a.csv", &format!("age,sex,visits\n{people}"));
    assert!(policy.contains("missing = [\"unknown\", \"\"] # as it seems"), "{policy}");
    assert!(policy.contains("hierarchy = { intervals"), "{policy}");
}

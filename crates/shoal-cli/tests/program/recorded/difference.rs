//! In which cases do two records differ, and how?

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::kept::Records;
use super::record::{Record, SAID};

/// The most lines that are shown of a text that changed.
const MOST_LINES: usize = 40;

/// A paragraph for each case that differs.
pub fn between(before: &Records, after: &Records) -> String {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let paragraphs = names.into_iter().map(|name| match (before.get(name), after.get(name)) {
        (Some(before), Some(after)) if before == after => String::new(),
        (Some(before), Some(after)) => {
            format!("== {name}\n{}{}", of_hashes(before, after), of_texts(&before.said, &after.said))
        }
        (None, _) => format!("== {name}: there was no such case\n"),
        (_, None) => format!("== {name}: there is no such case any more\n"),
    });
    paragraphs.collect()
}

fn of_hashes(before: &Record, after: &Record) -> String {
    let files: BTreeSet<&String> = before.hashes.keys().chain(after.hashes.keys()).collect();
    let mut lines = String::new();
    for file in files.into_iter().filter(|file| *file != SAID) {
        let what = match (before.hashes.get(file), after.hashes.get(file)) {
            (before, after) if before == after => continue,
            (None, _) => "was not written before",
            (_, None) => "is not written any more",
            _ => "has other contents",
        };
        writeln!(lines, "{file} {what}").unwrap();
    }
    lines
}

/// The lines of one text that the other lacks.
fn of_texts(before: &str, after: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let lines = changes(&before, &after);
    let mut shown: String = lines.iter().take(MOST_LINES).map(|line| format!("{line}\n")).collect();
    if lines.len() > MOST_LINES {
        writeln!(shown, ".. and {} lines more", lines.len() - MOST_LINES).unwrap();
    }
    shown
}

/// Lines that went (-) and came (+), by a longest common subsequence.
fn changes(before: &[&str], after: &[&str]) -> Vec<String> {
    let mut common = vec![vec![0u32; after.len() + 1]; before.len() + 1];
    for i in (0..before.len()).rev() {
        for j in (0..after.len()).rev() {
            common[i][j] = match before[i] == after[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < before.len() || j < after.len() {
        if i < before.len() && j < after.len() && before[i] == after[j] {
            (i, j) = (i + 1, j + 1);
        } else if i < before.len() && (j == after.len() || common[i + 1][j] >= common[i][j + 1]) {
            lines.push(format!("- {}", before[i]));
            i += 1;
        } else {
            lines.push(format!("+ {}", after[j]));
            j += 1;
        }
    }
    lines
}

#[test]
fn a_difference_names_cases_files_and_lines() {
    let record = |said: &str, hashes: &[(&str, &str)]| Record {
        said: said.to_owned(),
        hashes: hashes.iter().map(|(file, hash)| ((*file).to_owned(), (*hash).to_owned())).collect(),
    };
    let before = Records::from([
        ("gone".to_owned(), record("", &[])),
        ("same".to_owned(), record("a\n", &[("x", "1")])),
        ("unlike".to_owned(), record("a\nb\nc\n", &[(SAID, "1"), ("old", "1"), ("release.csv", "1")])),
    ]);
    let after = Records::from([
        ("new".to_owned(), record("", &[])),
        ("same".to_owned(), record("a\n", &[("x", "1")])),
        ("unlike".to_owned(), record("a\nB\nc\nd\n", &[(SAID, "2"), ("release.csv", "2"), ("second", "1")])),
    ]);
    assert_eq!(
        between(&before, &after),
        "== gone: there is no such case any more\n== new: there was no such case\n== unlike\nold is not written any more\n\
         release.csv has other contents\nsecond was not written before\n- b\n+ B\n+ d\n"
    );
    assert_eq!(between(&before, &before), "");
}

#[test]
fn long_differences_are_cut_short() {
    let text: String = (0..100).map(|line| format!("{line}\n")).collect();
    let shown = of_texts(&text, "");
    assert!(shown.starts_with("- 0\n- 1\n") && shown.ends_with("- 39\n.. and 60 lines more\n"), "{shown}");
}

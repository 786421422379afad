//! Which cases are there, and what does each do?
//!
//! A book is a text file about one concept. In it, `== NAME` begins a case; `with PART ..` names files of `parts/` that its
//! policy begins with; lines that begin with `$` are what the program is asked to do, one after the other; all other lines
//! belong to the policy. A case that asks for nothing is anonymized.

use std::collections::BTreeSet;
use std::path::Path;

use super::policy;

/// Something to do, in a folder of its own.
pub struct Case {
    pub name: String,
    /// The text of `policy.toml`.
    pub policy: String,
    /// The arguments of each run of the program.
    pub commands: Vec<Vec<String>>,
}

const USUAL: &str = "anonymize policy.toml --output release.csv --json";

/// The cases of all books, in the order of their names.
pub fn cases(home: &Path) -> Vec<Case> {
    let books = std::fs::read_dir(home.join("cases")).unwrap().map(|entry| entry.unwrap().path());
    let mut cases: Vec<Case> = books.flat_map(|book| of_book(&text(&book), &home.join("parts"))).collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "two cases have the same name");
    cases
}

fn of_book(book: &str, parts: &Path) -> Vec<Case> {
    let (_, first) = book.split_once("\n== ").expect("a book has a case");
    first.split("\n== ").map(|case| of_text(case, parts)).collect()
}

fn of_text(text_of_case: &str, parts: &Path) -> Case {
    let (name, rest) = text_of_case.split_once('\n').unwrap_or((text_of_case, ""));
    let (mut texts, mut own, mut commands) = (Vec::new(), String::new(), Vec::new());
    for line in rest.lines() {
        if let Some(names) = line.strip_prefix("with ") {
            texts.extend(names.split(' ').map(|part| text(&parts.join(part).with_extension("toml"))));
        } else if let Some(command) = line.strip_prefix("$ ") {
            commands.push(words(command));
        } else {
            own.push_str(line);
            own.push('\n');
        }
    }
    if commands.is_empty() {
        commands.push(words(USUAL));
    }
    texts.push(own);
    Case { name: name.to_owned(), policy: policy::of_parts(&texts), commands }
}

/// The words of a command; what stands in double quotes is one of them.
fn words(command: &str) -> Vec<String> {
    let quoted = command.split('"').enumerate();
    let pieces = quoted.flat_map(|(place, piece)| match place % 2 {
        0 => piece.split_whitespace().map(str::to_owned).collect(),
        _ => vec![piece.to_owned()],
    });
    pieces.collect()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_book_has_cases_with_policies_and_commands() {
    let book = "# About rows.\n\n== first\n# why\n[method]\nname = \"best\"\n\n== second\n$ audit \"a b.csv\" --json\n$ explain\n";
    let cases = of_book(book, Path::new("nowhere"));
    assert_eq!(cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>(), ["first", "second"]);
    assert_eq!(cases[0].policy, "# why\n[method]\nname = \"best\"\n");
    assert_eq!(cases[0].commands, [["anonymize", "policy.toml", "--output", "release.csv", "--json"]]);
    assert_eq!(cases[1].commands, [vec!["audit", "a b.csv", "--json"], vec!["explain"]]);
}

//! Does the program take the options that the documentation names?
//!
//! Since it asks the program, `cargo test` builds that, too, with the same features of the same libraries as everything else.

use std::process::Command;

const DOCUMENTATION: &str = include_str!("../../../CONTRIBUTING.md");

#[test]
fn options_are_as_documented() {
    let help = Command::new(env!("CARGO_BIN_EXE_shoal-torture")).arg("--help").output().expect("the program");
    let help = String::from_utf8(help.stdout).expect("text");
    let section = DOCUMENTATION.split("\n## ").find(|section| section.starts_with("Random cases")).expect("a section");
    // What stands before `--` in a command is for cargo.
    let (_, section) = section.split_once("shoal-torture --").expect("a command");
    let section = section.replace("`cargo build --release --features full`", "");
    let options = section.split(|letter: char| !(letter.is_alphanumeric() || letter == '-'));
    let options: Vec<&str> = options.filter(|word| word.starts_with("--") && word.len() > 2).collect();
    assert!(options.len() >= 6, "{options:?}");
    for option in options {
        assert!(help.contains(&format!("{option} <")), "{option} is not in\n{help}");
    }
}

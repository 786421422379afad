//! Whatever a table, a file or a label is called, a terminal only shows it, and a shell only passes it on.

use std::process::Command;

use crate::workbench::{Ran, Workbench};

/// What clears screens, rings, rewrites lines, makes links, reverses text and adds lines.
const NASTY: [&str; 7] = [
    "\u{1b}[2J",
    "\u{7}",
    "x\ry",
    "\u{1b}]8;;http://example.org\u{1b}\\here\u{1b}]8;;\u{1b}\\",
    "\u{202e}txet",
    "\u{9b}31m",
    "a\nhint: trust me",
];

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// A string of TOML.
fn toml(text: &str) -> String {
    let escaped: String = text.chars().map(|c| format!("\\U{:08X}", u32::from(c))).collect();
    format!("\"{escaped}\"")
}

/// A table whose names and values are all of this kind.
fn table(nasty: &str) -> String {
    let names: Vec<String> = ["a", "b", "c"].iter().map(|name| quoted(&format!("{name}{nasty}"))).collect();
    let row = |at: usize| {
        format!("{},{},{}\n", at / 4, quoted(&format!("v{nasty}{}", at / 4)), quoted(&format!("s{nasty}{}", at % 2)))
    };
    format!("{}\n{}", names.join(","), (0..8).map(row).collect::<String>())
}

fn policy(nasty: &str) -> String {
    let column = |name: &str| toml(&format!("{name}{nasty}"));
    format!(
        "[input]\nheader = true\ndelimiter = \",\"\n[columns.{}]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [1, 4] }}\n[columns.{}]\n\
         role = \"quasi-identifier\"\nhierarchy = {{ file = \"labels.csv\" }}\n[columns.{}]\nrole = \"sensitive\"\n\
         [[require]]\nmodel = \"k-anonymity\"\nk = 2\n",
        column("a"),
        column("b"),
        column("c")
    )
}

#[track_caller]
fn check(ran: &Ran, what: &str) {
    for (stream, text) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
        let raw = text.chars().find(|c| (*c != '\n' && c.is_control()) || matches!(c, '\u{202a}'..='\u{202e}'));
        assert_eq!(raw, None, "{what}, {stream}: {text:?}");
        assert!(!text.lines().any(|line| line.starts_with("hint: trust me")), "{what}, {stream}: {text:?}");
    }
}

#[test]
fn no_command_passes_on_what_a_terminal_would_obey() {
    for nasty in NASTY {
        let bench = Workbench::new();
        // A name of a file cannot hold a slash.
        let name = format!("t{}.csv", nasty.replace('/', ""));
        bench.write(&name, table(nasty));
        bench.write(
            "labels.csv",
            (0..2)
                .map(|at| format!("{};{};*\n", quoted(&format!("v{nasty}{at}")), quoted(&format!("l{nasty}"))))
                .collect::<String>(),
        );
        bench.write("policy.toml", policy(nasty));
        let column = format!("b{nasty}");
        let (quasi, wrong) = (format!("a{nasty}"), format!("d{nasty}"));
        let certificate = format!("c{}.json", nasty.replace('/', ""));
        let runs: Vec<Vec<&str>> = vec![
            vec!["init", &name],
            vec!["init", &name, "-o", "made.toml"],
            vec!["anonymize", "policy.toml", "--input", &name, "-o", "release.csv", "--certificate", &certificate],
            vec!["anonymize", "policy.toml", "--input", &name, "-o", "release.csv", "--json"],
            vec!["audit", "release.csv", "--policy", "policy.toml", "--original", &name],
            vec!["audit", "release.csv", "--policy", "policy.toml", "--original", &name, "--reveal", "--json"],
            vec!["audit", "release.csv", "--certificate", &certificate],
            vec!["audit", &name, "--quasi", &quasi, "--sensitive", &column, "--reveal"],
            vec!["audit", &name, "--quasi", &wrong],
            vec!["solutions", "policy.toml", "--input", &name, "--all"],
            vec!["compare", "policy.toml", "--input", &name, "--vary", "k=2,3"],
            vec!["hierarchy", "check", "policy.toml", "--table", &name],
            vec!["hierarchy", "check", "labels.csv", "--table", &name, "--column", &quasi],
            vec!["hierarchy", "check", "labels.csv", "--table", &name, "--column", &wrong],
            vec!["hierarchy", "show", "policy.toml", "--table", &name],
            vec!["hierarchy", "show", "labels.csv"],
            vec!["hierarchy", "suggest", &name, "--column", &column],
            vec!["explain", &column],
            vec!["anonymize", &name],
            vec!["no-such-command", &name],
            vec!["apply", &name, &name],
        ];
        for arguments in runs {
            let ran = bench.run(&arguments);
            check(&ran, &format!("{arguments:?}"));
            assert!(ran.code <= 2, "{ran}");
        }
        // Without a policy nobody says that the semicolons of a link separate nothing.
        if !nasty.contains(';') {
            check_what_is_proposed(&bench, &name);
        }
    }
}

/// What was proposed is a policy, whatever the columns are called.
fn check_what_is_proposed(bench: &Workbench, table: &str) {
    let ran = bench.must(&["init", table, "-o", "made.toml", "--overwrite"]);
    check(&ran, "init");
    let ran = bench.run(&["anonymize", "made.toml", "-o", "again.csv"]);
    assert!(ran.code < 2, "{ran}\n{}", bench.text("made.toml"));
    check(&ran, "made.toml");
    assert!(!bench.text("made.toml").contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{7}', '\r']));
}

#[test]
fn what_is_next_can_be_copied_into_a_shell() {
    for folder in ["a b", "it's", "$(touch hacked)", "`id`;", "-rf", "é", "\u{1b}[2J", "#x"] {
        let bench = Workbench::new();
        let policy = format!("{folder}/my policy.toml");
        bench.write(&format!("{folder}/table.csv"), "age,ill\n20,x\n20,y\n20,x\n20,y\n");
        bench.write(
            &policy,
            "[input]\npath = \"table.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n[columns.ill]\n\
                              role = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n",
        );
        // A path that begins with a dash has to be given as such.
        let given = format!("./{policy}");
        let ran = bench.must(&["anonymize", &given, "-o", &format!("./{folder}/my release.csv")]);
        let next = ran.stderr.lines().find_map(|line| line.strip_prefix("next: ")).unwrap();
        let command = next.replacen("shoal", env!("CARGO_BIN_EXE_shoal"), 1);
        let shell = Command::new("sh").args(["-c", &command]).current_dir(bench.path("")).output().unwrap();
        assert!(shell.status.success(), "{next}\n{}", String::from_utf8_lossy(&shell.stderr));
        assert!(!bench.path("hacked").exists());
    }
}

//! Does `shoal check` say what a run would do, and find what is wrong, without the table?

use crate::refusal::{POLICY, SENSITIVE, must_refuse};
use crate::workbench::Workbench;

/// A sound policy, whose table is elsewhere.
fn bench() -> Workbench {
    Workbench::with(&[("policy.toml", POLICY)])
}

#[test]
fn a_sound_policy_is_right_without_its_table() {
    let bench = bench();
    let before = bench.everything();
    let ran = bench.must(&["check", "policy.toml"]);
    for line in [
        "policy.toml is right. A run by it\n",
        "  reads     table.csv\n",
        "  drops     `name`\n",
        "  recodes   `age` (intervals), `sex`\n",
        "  shows     `disease`, of which nothing is required\n",
        "  promises  k-anonymity (k = 2)\n",
        "  writes    release.csv\n",
        "\nThe table itself was not looked at.\n",
    ] {
        assert!(ran.stdout.contains(line), "{line}{ran}");
    }
    assert!(ran.stderr.contains("warning: column `sex` has no hierarchy"), "{ran}");
    assert!(bench.everything() == before, "{ran}");
}

#[test]
fn names_of_files_that_cannot_be_read_or_written_are_found() {
    let bench = bench();
    for (setting, said) in [
        ("output.path=release.ods", "a release cannot be written as"),
        ("output.path=release.pdf", "release.pdf"),
        ("input.path=table.docx", "table.docx"),
    ] {
        must_refuse(&bench, &["check", "policy.toml", "--set", setting], 2, &[said]);
    }
    for (setting, read) in [("input.path=clinic.sqlite#patients", "clinic.sqlite"), ("input.path=folder", "folder")] {
        let ran = bench.must(&["check", "policy.toml", "--set", setting]);
        assert!(ran.stdout.contains(read), "{ran}");
    }
}

#[test]
fn what_is_set_counts() {
    let bench = bench();
    let ran = bench.must(&["check", "policy.toml", "--set", "k=7", "--set", "method=mondrian"]);
    assert!(ran.stdout.contains("k-anonymity (k = 7)") && ran.stdout.contains("by        mondrian,"), "{ran}");
    must_refuse(
        &bench,
        &["check", "policy.toml", "--set", "k=1"],
        2,
        &["policy.toml with k = 1, line 16: `k` must be"],
    );
}

#[test]
fn hierarchies_in_files_are_looked_at() {
    let bench = bench();
    let hierarchy = |column: &str, file: &str| {
        let role = if column == "disease" { "sensitive" } else { "quasi-identifier" };
        let section = format!("[columns.{column}]\nrole = \"{role}\"");
        bench
            .write("policy.toml", POLICY.replace(&section, &format!("{section}\nhierarchy = {{ file = \"{file}\" }}")));
    };
    hierarchy("sex", "none.csv");
    must_refuse(&bench, &["check", "policy.toml"], 2, &["policy.toml, line 10: cannot read the hierarchy none.csv"]);
    bench.write("ragged.csv", "Xanthoma;skin;*\nYaws;*\n");
    hierarchy("disease", "ragged.csv");
    must_refuse(&bench, &["check", "policy.toml"], 2, &["policy.toml, line 12: the hierarchy ragged.csv"]);
    bench.write("disease.csv", "Xanthoma;skin;*\nYaws;skin;*\n");
    hierarchy("disease", "disease.csv");
    bench.must(&["check", "policy.toml"]);
}

#[test]
fn neither_values_nor_secrets_are_shown() {
    let bench = bench();
    let guarded = "model = \"npd-recursive-cl-diversity\"\nc1 = 2\nc2 = 10\nl = 2\nguarded = [\"Yaws\"]";
    bench.write("policy.toml", POLICY.replace("model = \"k-anonymity\"\nk = 2", guarded));
    let ran = bench.must(&["check", "policy.toml"]);
    assert!(ran.stdout.contains("guarded = .."), "{ran}");
    assert!(SENSITIVE.iter().all(|value| !ran.stdout.contains(value)), "{ran}");
}

#[cfg(feature = "engines")]
#[test]
fn a_table_in_an_engine_is_named_without_its_password() {
    let bench = bench();
    let input = "postgres = \"postgres://ann:secret@db.example/clinic\"\ntable = \"visits\"";
    let policy = POLICY.replace("path = \"table.csv\"", input).replace("path = \"release.csv\"", "table = \"r\"");
    bench.write("policy.toml", policy);
    let ran = bench.must(&["check", "policy.toml"]);
    assert!(ran.stdout.contains("reads     table visits in PostgreSQL at postgres://ann@db.example/clinic\n"), "{ran}");
    assert!(!ran.stdout.contains("secret") && ran.stdout.contains("writes    table r\n"), "{ran}");
}

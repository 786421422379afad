//! Is a policy about a table in an engine checked completely before anything is contacted?

use crate::refusal::{POLICY, bench, must_refuse};

const DEAD: &str = "postgres = \"postgres://ann:hush-hush@127.0.0.1:1/clinic\"";

/// The sound policy with other places to read from and write to.
fn policy(input: &str, output: &str) -> String {
    POLICY.replace("path = \"table.csv\"", input).replace("path = \"release.csv\"", output)
}

#[cfg(feature = "engines")]
#[test]
fn where_a_table_is_and_where_its_release_goes_must_make_sense_together() {
    let table = "table = \"release\"";
    let cases: &[(&str, &str, &[&str])] = &[
        ("table = \"people\"", table, &["line 2", "`table` needs to know where the table lives", "postgres://"]),
        ("path = \"table.csv\"", table, &["line 4", "`table` in [output] is for tables of an engine", "set `path`"]),
        ("postgres = \"db.example\"\ntable = \"t\"", table, &["line 2", "begins with postgres://", "for example"]),
        ("spark = \"http://h\"\ntable = \"t\"", table, &["line 2", "begins with sc://"]),
        ("DEAD", table, &["line 2", "does not say which table of PostgreSQL to read", "`query = "]),
        (
            "DEAD\ntable = \"t\"\nquery = \"select 1\"",
            table,
            &["line 4", "names several tables to read", "keep one of"],
        ),
        ("DEAD\npath = \"t.csv\"", table, &["line 3", "`path` is for files", "name it with `table`"]),
        ("DEAD\ntable = \"t\"\nformat = \"csv\"", table, &["line 4", "`format` is for tables in Spark", "remove it"]),
        ("spark = \"sc://h\"\ntable = \"t\"\nformat = \"csv\"", table, &["line 4", "`format` is the format of files"]),
        ("DEAD\ntable = \" \"", table, &["line 3", "`table` is empty"]),
        ("DEAD\ntable = \"t\"\nspark = \"sc://h\"", table, &["in Spark and in PostgreSQL", "keep one of"]),
        ("DEAD\ntable = \"t\"\nencoding = \"utf-8\"", table, &["line 4", "`encoding` is for text files", "remove it"]),
        ("DEAD\ntable = \"t\"", "", &["does not say where in PostgreSQL the release goes", "in [output]"]),
        ("DEAD\ntable = \"t\"", "path = \"release.csv\"", &["becomes a table there, not a file", "instead of `path`"]),
        ("DEAD\ntable = \"t\"", "path = \"release.csv\"\ntable = \"r\"", &["a table and a file", "keep one of"]),
    ];
    let bench = bench();
    for (input, output, parts) in cases {
        bench.write("policy.toml", policy(&input.replace("DEAD", DEAD), output));
        let message = must_refuse(&bench, &["anonymize", "policy.toml"], 2, parts);
        assert!(!message.contains("hush"), "{message}");
    }
}

#[cfg(feature = "engines")]
#[test]
fn a_flag_for_files_is_refused() {
    let bench = bench();
    bench.write("policy.toml", policy(&format!("{DEAD}\ntable = \"t\""), "table = \"r\""));
    let arguments = ["anonymize", "policy.toml", "--output", "a.csv"];
    must_refuse(&bench, &arguments, 2, &["--output is for files, and the table of this policy is in PostgreSQL"]);
}

#[cfg(not(feature = "engines"))]
#[test]
fn a_program_without_engines_says_so() {
    let bench = bench();
    bench.write("policy.toml", policy(&format!("{DEAD}\ntable = \"t\""), "table = \"r\""));
    let parts = ["policy.toml, line 2: this shoal was built without engines", "--features engines"];
    must_refuse(&bench, &["anonymize", "policy.toml"], 2, &parts);
    must_refuse(&bench, &["check", "policy.toml"], 2, &parts);
    let set = ["check", "policy.toml", "--set", "input.spark=sc://localhost"];
    must_refuse(&bench, &set, 2, &["this shoal was built without engines", "--features engines"]);
}

//! Do hints say what to do, to whoever meant well and wrote something else?

use crate::workbench::Workbench;

const POLICY: &str = "[input]\npath = 'table.csv'\n[columns.age]\nrole = 'quasi-identifier'\nhierarchy = { intervals = [10, 20] }\n\
                      [columns.sex]\nrole = 'quasi-identifier'\nhierarchy = { suppress = {} }\n[[require]]\nmodel = 'k-anonymity'\nk = 2\n";

fn bench() -> Workbench {
    let rows: String = (0..60).map(|row| format!("{},{}\n", 20 + row % 40, ["f", "m"][row % 2])).collect();
    Workbench::with(&[("table.csv", &format!("age,sex\n{rows}")), ("policy.toml", POLICY)])
}

/// Each is refused with these words; a text without line breaks.
fn refused(bench: &Workbench, arguments: &[&str], parts: &[&str]) {
    let ran = bench.run(arguments);
    let said = ran.stderr.replace("\n  ", " ");
    assert_eq!(ran.code, 2, "{arguments:?}: {ran}");
    parts.iter().for_each(|part| assert!(said.contains(part), "{arguments:?}, {part}: {ran}"));
}

#[test]
fn a_table_is_no_policy() {
    let bench = bench();
    for command in ["anonymize", "check", "solutions"] {
        refused(
            &bench,
            &[command, "table.csv"],
            &["table.csv is a table by its name", "hint: `shoal init table.csv` proposes"],
        );
    }
    bench.write("policy.txt", POLICY);
    bench.must(&["check", "policy.txt"]);
}

#[test]
fn a_key_of_the_policy_is_set_by_set() {
    let bench = bench();
    refused(
        &bench,
        &["anonymize", "policy.toml", "--k", "5"],
        &["unexpected argument '--k'", "'--set k=VALUE' sets it"],
    );
    refused(&bench, &["anonymize", "policy.toml", "--max-suppressed=0.1"], &["'--set max-suppressed=VALUE' sets it"]);
    bench.must(&["anonymize", "policy.toml", "--set", "k=5"]);
    for other in [&["anonymize", "policy.toml", "--nonsense"][..], &["init", "table.csv", "--k", "5"]] {
        let ran = bench.run(other);
        assert!(ran.code == 2 && !ran.stderr.contains("--set"), "{ran}");
    }
}

#[test]
fn files_of_other_programs_are_called_so() {
    let bench = bench();
    for (file, program) in [("a.sav", "SPSS"), ("a.dta", "Stata"), ("a.sas7bdat", "SAS")] {
        bench.write(file, "x");
        let parts =
            [&*format!("{file} is a file of {program}, and is not read here"), "save the table as CSV or Parquet"];
        refused(&bench, &["init", file, "--yes"], &parts);
        refused(&bench, &["audit", file, "--quasi", "age"], &parts);
    }
    let parts = ["a release cannot be written as out.pdf", "give it another name; written are .csv"];
    refused(&bench, &["anonymize", "policy.toml", "-o", "out.pdf"], &parts);
}

#[test]
fn an_audit_needs_columns_or_a_policy() {
    let bench = bench();
    let parts = ["nothing says which columns could identify someone", "`--policy POLICY` judges", "`--quasi age,zip"];
    refused(&bench, &["audit", "table.csv"], &parts);
    bench.must(&["audit", "table.csv", "--quasi", "age"]);
    assert_eq!(bench.run(&["audit", "table.csv", "--policy", "policy.toml"]).code, 1, "as it is, it promises nothing");
}

#[test]
fn a_row_that_is_too_short_may_stand_below_the_table() {
    let bench = bench();
    bench.write("short.csv", "age,sex,n\n31,f,1\n35,m,2\n31,f,1\n35,m,2\nSource: a register\n");
    refused(
        &bench,
        &["init", "short.csv", "--yes"],
        &["1 cell where the header has 3", "delete it where it is none of the table"],
    );
    bench.write("long.csv", "age,sex\n31,f\n35,m\n31,f,1\n");
    refused(
        &bench,
        &["init", "long.csv", "--yes"],
        &["3 cells where the header has 2", "put cells that hold a delimiter"],
    );
}

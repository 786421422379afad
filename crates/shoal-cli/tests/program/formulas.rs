//! Cells that a spreadsheet program would take for formulas: told, or escaped, and audited all the same.

use crate::workbench::Workbench;

const TABLE: &str = "age,job,ill,note\n20,=cmd|x,@a,-5\n20,=cmd|x,b,-5\n20,=cmd|x,@a,+49 30\n20,=cmd|x,b,'=1\n\
                     30,clerk,@a,x\n30,clerk,b,x\n30,clerk,@a,\"=a,b\"\n30,clerk,'@a,\n";

fn policy(output: &str) -> String {
    format!(
        "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n{output}\n[columns.age]\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ intervals = [10] }}\n[columns.job]\nrole = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n\
         [columns.note]\nrole = \"insensitive\"\n[[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n"
    )
}

#[test]
fn formulas_are_kept_with_a_warning() {
    let bench = Workbench::with(&[("table.csv", TABLE), ("policy.toml", &policy(""))]);
    let ran = bench.must(&["anonymize", "policy.toml"]);
    let said = "warning: cells of the release begin like a formula, which a spreadsheet program would run; if the release may \
                be opened in one, set `formulas = \"escape\"` in [output]";
    assert!(ran.stderr.contains(said), "{ran}");
    let json = bench.json(&["anonymize", "policy.toml", "--json"]);
    assert!(json["warnings"].as_array().unwrap().iter().any(|warning| warning["id"] == "formulas"), "{json}");
    // Other formats have types, or are no spreadsheets.
    for name in ["release.jsonl", "release.parquet"] {
        let ran = bench.must(&["anonymize", "policy.toml", "-o", name]);
        assert!(!ran.stderr.contains("formula"), "{ran}");
    }
}

#[test]
fn escaped_formulas_are_verified_and_audited_as_what_they_stand_for() {
    for shuffle in ["", "\nshuffle = true"] {
        let escaped = policy(&format!("formulas = \"escape\"{shuffle}"));
        let bench =
            Workbench::with(&[("table.csv", TABLE), ("policy.toml", &escaped), ("keep.toml", &policy(shuffle))]);
        let ran = bench.must(&["anonymize", "policy.toml"]);
        assert!(!ran.stderr.contains("formula"), "{ran}");
        let release = bench.text("release.csv");
        for cell in ["'=cmd|x", ",'@a,", ",''@a,", "'+49 30", "''=1", "\"'=a,b\"", ",-5\n"] {
            assert!(release.contains(cell), "{cell}\n{release}");
        }
        assert!(!release.contains(",=") && !release.contains(",@") && !release.contains(",+"), "{release}");
        let audited =
            bench.json(&["audit", "release.csv", "--policy", "policy.toml", "--original", "table.csv", "--json"]);
        bench.must(&["anonymize", "keep.toml"]);
        let kept = bench.json(&["audit", "release.csv", "--policy", "keep.toml", "--original", "table.csv", "--json"]);
        for key in ["models", "attacks", "risk", "utility"] {
            assert_eq!(audited[key], kept[key], "{key}");
        }
    }
}

#[test]
fn names_of_columns_stay_and_are_told() {
    let table = "=age,ill\n20,a\n20,b\n";
    let policy = "[input]\npath = \"table.csv\"\nheader = true\n[output]\npath = \"release.csv\"\nformulas = \"escape\"\n[columns.\"=age\"]\n\
                  role = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let bench = Workbench::with(&[("table.csv", table), ("policy.toml", policy)]);
    let ran = bench.must(&["anonymize", "policy.toml"]);
    assert!(
        ran.stderr.contains("the name of a column begins like a formula") && ran.stderr.contains("rename it"),
        "{ran}"
    );
    bench.must(&["audit", "release.csv", "--policy", "policy.toml"]);
}

/// A hierarchy is made to be edited, and many would do so in a spreadsheet program.
#[test]
fn a_hierarchy_with_formulas_is_warned_of() {
    let bench = Workbench::with(&[("table.csv", TABLE)]);
    let suggest = |column: &str| {
        bench.must(&["hierarchy", "suggest", "table.csv", "--column", column, "-o", &format!("{column}.csv")])
    };
    let ran = suggest("job");
    assert!(ran.stderr.contains("warning: cells of job.csv begin like a formula"), "{ran}");
    assert!(!suggest("age").stderr.contains("formula"));
}

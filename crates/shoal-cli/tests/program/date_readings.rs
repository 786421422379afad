//! Are dates that can be read in two ways refused where that matters, and read as the policy says?

use crate::workbench::Workbench;

/// Twelve stays; every date is one day-first and month-first.
const TABLE: &str = "admitted,age,ill\n03/04/2024,31,a\n05/04/2024,32,b\n06/07/2024,33,a\n07/08/2024,34,b\n\
                     03/05/2024,35,a\n01/02/2024,36,b\n02/01/2024,37,a\n09/10/2024,38,b\n10/09/2024,39,a\n\
                     11/12/2024,40,b\n12/11/2024,41,a\n08/07/2024,42,b\n";

fn policy(column: &str, rest: &str) -> String {
    format!(
        "[input]\npath = \"table.csv\"\n[columns.admitted]\n{column}\n[columns.age]\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ intervals = [10] }}\n[columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\n\
         k = 2\n{rest}\n"
    )
}

const DATES: &str = "role = \"quasi-identifier\"\nhierarchy = { dates = [\"month\", \"quarter\", \"year\"] }";
const MONDRIAN: &str = "[method]\nname = \"mondrian\"";

fn bench(column: &str, rest: &str) -> Workbench {
    Workbench::with(&[("table.csv", TABLE), ("policy.toml", &policy(column, rest))])
}

fn refused(column: &str, rest: &str) -> String {
    let ran = bench(column, rest).run(&["anonymize", "policy.toml"]);
    assert_eq!(ran.code, 2, "{ran}");
    ran.stderr
}

#[test]
fn both_readings_and_the_key_are_named() {
    for (column, rest) in [(DATES, ""), (DATES, MONDRIAN), ("role = \"quasi-identifier\"", MONDRIAN)] {
        let said = refused(column, rest);
        assert!(said.contains("column `admitted`: the dates can be read in several ways"), "{said}");
        assert!(said.contains("may be 2024-02-01 day-first, or 2024-01-02 month-first"), "{said}");
        assert!(
            said.contains("say in [columns.\"admitted\"]: `dates = \"day-first\"` or `dates = \"month-first\"`"),
            "{said}"
        );
    }
}

#[test]
fn a_sensitive_date_is_not_shown() {
    let required = "[[require]]\nmodel = \"t-closeness\"\ncolumn = \"admitted\"\nt = 0.5\ndistance = ";
    let said = refused("role = \"sensitive\"", &format!("{required}\"ordered\""));
    assert!(said.contains("the dates can be read in several ways") && !said.contains("/2024"), "{said}");
    let ran = bench("role = \"sensitive\"", &format!("{required}\"equal\"")).run(&["anonymize", "policy.toml"]);
    assert_eq!(ran.code, 0, "their order does not matter\n{ran}");
}

#[test]
fn the_policy_chooses() {
    for (key, month) in [("day-first", "2024-04"), ("month-first", "2024-03")] {
        let bench = bench(&format!("{DATES}\ndates = \"{key}\""), "");
        bench.json(&["anonymize", "policy.toml", "--json", "--recipe", "r.json", "--certificate", "c.json"]);
        let release = bench.text("table.release.csv");
        assert!(release.contains("2024"), "{release}");
        let drawn = bench.run(&["hierarchy", "show", "policy.toml", "--column", "admitted"]);
        assert!(drawn.stdout.contains(month), "{drawn}");
        let audit = ["audit", "table.release.csv", "--policy", "policy.toml", "--original", "table.csv"];
        assert_eq!(bench.run(&audit).code, 0);
        // A table with fewer dates is read in the same way.
        let ran = bench.run(&["apply", "r.json", "table.csv", "-o", "again.csv"]);
        assert_eq!(ran.code, 0, "{ran}");
        assert_eq!(bench.text("again.csv").lines().count(), release.lines().count());
    }
}

#[test]
fn a_column_that_is_passed_through_is_not_asked_about() {
    let suppressed = "role = \"quasi-identifier\"\nhierarchy = { suppress = {} }";
    for (column, rest) in [("role = \"insensitive\"", MONDRIAN), ("role = \"sensitive\"", MONDRIAN), (suppressed, "")] {
        let ran = bench(column, rest).run(&["anonymize", "policy.toml"]);
        assert_eq!(ran.code, 0, "{column}\n{ran}");
    }
}

#[test]
fn two_digits_are_no_year_of_the_first_century() {
    let table = "born,ill\n31.12.55,a\n30.11.55,b\n15.01.49,a\n14.02.49,b\n";
    let policy = |key: &str| {
        format!(
            "[input]\npath = \"table.csv\"\n[columns.born]\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ dates = [\"year\", \"decade\"] }}\n{key}\n[columns.ill]\nrole = \"sensitive\"\n\
             [[require]]\nmodel = \"k-anonymity\"\nk = 2\n"
        )
    };
    let bench = Workbench::with(&[("table.csv", table), ("policy.toml", &policy(""))]);
    let ran = bench.run(&["anonymize", "policy.toml"]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("column `born`: the years have two digits"), "{ran}");
    assert!(ran.stderr.contains("`two-digit-years = 1930`, which is 1930 to 2029"), "{ran}");
    for (first, year) in [(1930, "1955"), (1950, "2049")] {
        bench.write("policy.toml", policy(&format!("two-digit-years = {first}")));
        assert_eq!(bench.run(&["anonymize", "policy.toml"]).code, 0);
        assert!(bench.text("table.release.csv").contains(year), "{}", bench.text("table.release.csv"));
    }
    bench.write("policy.toml", policy("two-digit-years = 50"));
    let ran = bench.run(&["anonymize", "policy.toml"]);
    assert!(ran.code == 2 && ran.stderr.contains("`two-digit-years` must be a year, not 50"), "{ran}");
}

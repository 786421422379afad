//! Does an audit of a release say what `anonymize` said of it, where their readings could differ?

use serde_json::{Value, json};

use crate::workbench::Workbench;

/// What the run says, and what an audit with the original says.
fn both(bench: &Workbench) -> (Value, Value) {
    let made = bench.json(&["anonymize", "policy.toml", "--json"]);
    let audit = ["audit", "release.csv", "--policy", "policy.toml", "--original", "table.csv", "--json"];
    (made, bench.json(&audit))
}

fn assert_agree(made: &Value, audited: &Value) {
    assert_eq!(audited["holds"], json!(true));
    for (said, read) in made["models"].as_array().unwrap().iter().zip(audited["models"].as_array().unwrap()) {
        assert_eq!((&said["achieved"], &said["holds"]), (&read["achieved"], &read["holds"]), "{said}");
    }
    assert_eq!(made["objectives"], audited["utility"]["objectives"]);
    assert_eq!(made["rows"], audited["utility"]["original_rows"]);
}

/// Of the rows without a missing value, half have flu; of all, three in four.
#[test]
fn rows_that_the_policy_drops_are_no_part_of_the_original() {
    let table = "age,ill\n30,flu\n30,cold\n40,flu\n40,cold\n?,flu\n?,flu\n?,flu\n?,flu\n";
    let policy = "[input]\npath = \"table.csv\"\nmissing = [\"?\"]\nrows-with-missing = \"drop\"\n[output]\npath = \"release.csv\"\n\
        [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { suppress = {} }\n[columns.ill]\nrole = \"sensitive\"\n\
        [[require]]\nmodel = \"t-closeness\"\nt = 0\ndistance = \"equal\"\nreference = \"table\"\n";
    let bench = Workbench::with(&[("table.csv", table), ("policy.toml", policy)]);
    let (made, audited) = both(&bench);
    assert_eq!(made["models"][0]["achieved"], json!(0.0));
    assert_agree(&made, &audited);
}

/// `hemal` covers anemia, too, which nobody has: in the run it counts for hepatitis alone.
#[test]
fn generalized_values_count_for_values_that_occur() {
    let mut table = "age,ill\n".to_owned();
    for row in 0..60 {
        let ill = ["hepatitis", "hepatitis", "hepatitis", "phthisis", "gout"][row % 5];
        table += &format!("{},{ill}\n", 20 + row % 7);
    }
    let tree = "{ tree = { hemal = [\"hepatitis\", \"gout\", \"anemia\"], respiratory = [\"phthisis\", \"flu\"] } }";
    let policy = format!(
        "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ intervals = [5] }}\n[columns.ill]\nrole = \"sensitive\"\nhierarchy = {tree}\n\
         [[require]]\nmodel = \"tau-l-diversity\"\ntau = 0.55\nl = 2\n[method]\nname = \"sweep\"\n"
    );
    let bench = Workbench::with(&[("table.csv", &table), ("policy.toml", &policy)]);
    let (made, audited) = both(&bench);
    assert!(!made["generalized_sensitive"].as_object().unwrap().is_empty(), "{made}");
    assert_agree(&made, &audited);
    let noted = |audit: &Value, text: &str| {
        audit["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains(text))
    };
    assert!(noted(&audited, "that occur in the original"), "{}", audited["notes"]);
    let alone = bench.json(&["audit", "release.csv", "--policy", "policy.toml", "--json"]);
    assert!(noted(&alone, "all leaves below it"), "{}", alone["notes"]);
}

/// Level 1 has a group `A` of A and B, and a group `B` of C and D.
#[test]
fn a_group_named_like_a_leaf_does_not_count_as_the_leaf() {
    let hierarchy = "A;A;*\nB;A;*\nC;B;*\nD;B;*\n";
    let table = "town,sex,ill\nA,f,x\nB,f,y\nC,f,x\nD,f,y\nA,m,x\nA,m,y\nC,m,x\nC,m,x\n";
    for method in
        ["name = \"full-domain\"", "name = \"full-domain\"\nlocal = true", "name = \"mondrian\"", "name = \"sweep\""]
    {
        let policy = format!(
            "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.town]\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ file = \"town.csv\" }}\n[columns.sex]\nrole = \"quasi-identifier\"\nhierarchy = {{ suppress = {{}} }}\n\
             [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n[method]\n{method}\n"
        );
        let bench = Workbench::with(&[("table.csv", table), ("town.csv", hierarchy), ("policy.toml", &policy)]);
        let (made, audited) = both(&bench);
        assert_agree(&made, &audited);
        assert!(made["objectives"]["loss"].as_f64().unwrap() > 0.0, "{method}");
    }
}

/// A range from 2.10 on has 2.1 in it, and a local method suppresses rows.
#[test]
fn two_texts_of_a_number_and_suppressed_rows_count_alike() {
    let mut table = "age,zip,ill\n".to_owned();
    for row in 0..40 {
        let age = ["2.1", "2.10", "3", "3.0", "5", "8"][row * 7 % 6];
        table += &format!("{age},{},{}\n", 100 + row * 3 % 11, ["x", "y", "z"][row % 3]);
    }
    table += "99,999,w\n";
    for (method, objective) in [("mondrian", "non-uniform-entropy"), ("one-dimensional", "loss"), ("sweep", "loss")] {
        let policy = format!(
            "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ intervals = [1, 5] }}\n[columns.zip]\nrole = \"quasi-identifier\"\n\
             hierarchy = {{ mask = {{ from = \"right\" }} }}\n[columns.ill]\nrole = \"sensitive\"\n[[require]]\n\
             model = \"alpha-k-anonymity\"\nalpha = 0.5\nk = 3\n[method]\nname = \"{method}\"\nobjective = \"{objective}\"\nmax-suppressed = 0.1\n"
        );
        let bench = Workbench::with(&[("table.csv", &table), ("policy.toml", &policy)]);
        let (made, audited) = both(&bench);
        assert_agree(&made, &audited);
    }
}

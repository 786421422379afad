//! Tables that are no single text file: folders of files, workbooks, databases in a file.

use rusqlite::Connection;
use rust_xlsxwriter::Workbook;

use crate::workbench::Workbench;

const ROWS: [(u32, &str, &str); 6] = [
    (31, "10115", "flu"),
    (34, "10117", "cold"),
    (38, "10119", "flu"),
    (52, "20095", "gout"),
    (55, "20097", "flu"),
    (59, "20099", "cold"),
];

const POLICY: &str = r#"
[output]
path = "release.csv"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10, 20] }
[columns.zip]
role = "quasi-identifier"
hierarchy = { mask = { from = "right" } }
[columns.disease]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 3
"#;

fn csv(rows: &[(u32, &str, &str)]) -> String {
    let row = |(age, zip, disease): &(u32, &str, &str)| format!("{age},{zip},{disease}\n");
    format!("age,zip,disease\n{}", rows.iter().map(row).collect::<String>())
}

/// The release that the same rows have in one CSV file.
fn expected() -> String {
    let bench = Workbench::new();
    bench.write("table.csv", csv(&ROWS));
    released(&bench, "path = \"table.csv\"")
}

fn released(bench: &Workbench, input: &str) -> String {
    bench.write("policy.toml", format!("[input]\n{input}\n{POLICY}"));
    bench.must(&["anonymize", "policy.toml", "--quiet"]);
    bench.must(&["audit", "release.csv", "--policy", "policy.toml", "--quiet"]);
    bench.text("release.csv")
}

#[test]
fn a_folder_of_files_is_one_table() {
    let bench = Workbench::new();
    bench.write("table/part-0.csv", csv(&ROWS[..2]));
    bench.write("table/part-1.csv", csv(&ROWS[2..]));
    bench.write("table/_SUCCESS", "");
    assert_eq!(released(&bench, "path = \"table\""), expected());
    let inside = bench.run(&["anonymize", "policy.toml", "--output", "table/release.csv"]);
    assert_eq!(inside.code, 2);
    assert!(inside.stderr.contains("would be one of the files of its own input"), "{}", inside.stderr);
}

#[test]
fn a_sheet_of_a_workbook_is_a_table() {
    let bench = Workbench::new();
    let mut workbook = Workbook::new();
    workbook.add_worksheet().set_name("notes").expect("a name").write(0, 0, "nothing").expect("written");
    let sheet = workbook.add_worksheet().set_name("people").expect("a name");
    for (column, name) in ["age", "zip", "disease"].into_iter().enumerate() {
        sheet.write(0, column as u16, name).expect("written");
    }
    for (row, (age, zip, disease)) in (1..).zip(ROWS) {
        sheet.write(row, 0, age).expect("written");
        sheet.write(row, 1, zip).expect("written");
        sheet.write(row, 2, disease).expect("written");
    }
    workbook.save(bench.path("table.xlsx")).expect("saved");
    assert_eq!(released(&bench, "path = \"table.xlsx\"\ntable = \"people\""), expected());
    assert_eq!(released(&bench, "path = \"table.xlsx#people\""), expected());
    let written = bench.run(&["anonymize", "policy.toml", "--output", "release.ods"]);
    assert_eq!(written.code, 2);
    assert!(written.stderr.contains("a release cannot be written as release.ods"), "{}", written.stderr);
}

#[test]
fn a_table_of_an_sqlite_file_is_a_table() {
    let bench = Workbench::new();
    let database = Connection::open(bench.path("clinic.sqlite")).expect("a database");
    database
        .execute_batch("CREATE TABLE people (age INTEGER, zip TEXT, disease TEXT); CREATE TABLE other (x)")
        .expect("made");
    for row in ROWS {
        database.execute("INSERT INTO people VALUES (?, ?, ?)", row).expect("inserted");
    }
    assert_eq!(released(&bench, "path = \"clinic.sqlite\"\ntable = \"people\""), expected());
    assert_eq!(released(&bench, "path = \"clinic.sqlite\"\nquery = \"SELECT * FROM people\""), expected());
    assert_eq!(released(&bench, "path = \"clinic.sqlite#people\""), expected());
    let unnamed = bench.run(&["init", "clinic.sqlite"]);
    assert_eq!(unnamed.code, 2);
    assert!(unnamed.stderr.contains("has several tables: `other`, `people`"), "{}", unnamed.stderr);
    bench.must(&["init", "clinic.sqlite#people", "-o", "proposed.toml"]);
    assert!(bench.text("proposed.toml").contains("path = \"clinic.sqlite#people\""));
}

/// Whoever applies a recipe says which table is read.
#[test]
fn a_recipe_does_not_say_which_table_is_read() {
    let bench = Workbench::new();
    let database = Connection::open(bench.path("clinic.sqlite")).expect("a database");
    database
        .execute_batch("CREATE TABLE people (age INTEGER, zip TEXT, disease TEXT); CREATE TABLE other (x)")
        .expect("made");
    for row in ROWS {
        database.execute("INSERT INTO people VALUES (?, ?, ?)", row).expect("inserted");
    }
    for input in ["table = \"people\"", "query = \"SELECT * FROM people\""] {
        bench.write("policy.toml", format!("[input]\npath = \"clinic.sqlite\"\n{input}\n{POLICY}"));
        bench.must(&["anonymize", "policy.toml", "--recipe", "recipe.json", "--quiet"]);
        let recipe: serde_json::Value = serde_json::from_str(&bench.text("recipe.json")).expect("JSON");
        assert_eq!(recipe["policy"]["input"], serde_json::json!({}), "{recipe}");
        bench.must(&["apply", "recipe.json", "clinic.sqlite#people", "-o", "again.csv"]);
        assert_eq!(bench.text("again.csv"), expected());
        let ran = bench.run(&["apply", "recipe.json", "clinic.sqlite"]);
        assert!(ran.code == 2 && ran.stderr.contains("FILE#TABLE"), "{ran}");
    }
}

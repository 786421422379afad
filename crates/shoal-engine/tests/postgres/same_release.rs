//! Is the release of a table the one that its file gives?

use std::path::{Path, PathBuf};

use shoal::generate::write_csv;
use shoal_core::method::{METHODS, MethodEntry};
use tempfile::TempDir;

use crate::database::{Database, address};
use crate::run::{Rest, locally, on_server};

const CENSUS: &str = "age int, sex text, race text, \"marital status\" varchar(40), education text, \
    \"country of birth\" text, \"work class\" text, \"zip code\" char(5), \"birth date\" date, occupation text, \
    income int, \"salary class\" text";

const COLUMNS: &str = r#"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20, 40] }
[columns.sex]
role = "quasi-identifier"
[columns."zip code"]
role = "quasi-identifier"
hierarchy = { mask = { from = "right" } }
min-level = 2
[columns."marital status"]
role = "quasi-identifier"
hierarchy = { file = "marital-status.csv" }
[columns.occupation]
role = "sensitive"
hierarchy = { file = "occupation.csv" }
"#;

/// A folder with the hierarchies of the census and so many of its rows in `in.csv`.
fn census(rows: u64) -> (TempDir, Vec<u8>) {
    let folder = TempDir::new().unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/census");
    for name in ["marital-status.csv", "occupation.csv"] {
        std::fs::copy(example.join(name), folder.path().join(name)).unwrap();
    }
    let mut csv = Vec::new();
    write_csv("census", rows, 7, &mut csv).unwrap();
    std::fs::write(folder.path().join("in.csv"), &csv).unwrap();
    (folder, csv)
}

/// The columns of the census as the generator writes them.
fn census_columns(csv: &[u8]) -> String {
    let header = csv.split(|&byte| byte == b'\n').next().unwrap();
    let header = std::str::from_utf8(header).unwrap();
    let kinds = CENSUS.split(", ").map(str::trim);
    let kind = |name: &str| {
        let quoted = if name.contains(' ') { format!("\"{name}\" ") } else { format!("{name} ") };
        kinds.clone().find(|column| column.starts_with(&quoted)).unwrap_or_else(|| panic!("{name}")).to_owned()
    };
    header.split(',').map(kind).collect::<Vec<_>>().join(", ")
}

fn assert_same(name: &str, rows: u64, input: &str, output: &str, columns: &[String]) {
    let (folder, csv) = census(rows);
    let mut database = Database::new(name);
    database.load("people", &census_columns(&csv), &csv);
    let schema = database.schema.clone();
    for columns in columns {
        let rest = Rest { input, output, columns };
        let (local_summary, local) = locally(folder.path(), rest);
        let (from, to) = (format!("table = \"{schema}.people\""), format!("{schema}.release"));
        let summary = on_server(folder.path(), &address(), &from, &to, rest, true);
        let summary = summary.unwrap_or_else(|error| panic!("{columns}\n{error}"));
        assert_eq!(summary, local_summary, "{columns}");
        let released = database.rows(&format!("SELECT * FROM {to}"));
        assert_eq!(released.len(), local.len(), "{columns}");
        let difference = released.iter().zip(&local).find(|(one, other)| one != other);
        assert!(difference.is_none(), "{columns}\n{difference:?}");
    }
}

/// A method that is new in the list is tried here, too.
#[test]
fn every_method_gives_the_release_that_it_gives_on_a_file() {
    let mut methods: Vec<String> = Vec::new();
    for id in METHODS.iter().map(MethodEntry::id).filter(|id| *id != "anatomy") {
        let diversity = match id {
            "similarity-blocks" => "\"a-d-diversity\"\na = 1\nd = 2\ngroups = { level = 1 }",
            _ => "\"distinct-l-diversity\"\nl = 2",
        };
        let require = format!("[[require]]\nmodel = \"k-anonymity\"\nk = 4\n[[require]]\nmodel = {diversity}\n");
        methods.push(format!("{COLUMNS}{require}[method]\nname = \"{id}\"\nmax-suppressed = 0.1\n"));
    }
    assert_same("methods", 1500, "other-columns = \"drop\"", "", &methods);
}

#[test]
fn generalized_sensitive_values_are_those_of_the_file() {
    let require = "[[require]]\nmodel = \"tau-l-diversity\"\ntau = 0.4\nl = 6\n";
    let columns = format!("{COLUMNS}{require}[method]\nname = \"sweep\"\nmax-suppressed = 0.05\n");
    assert_same("sweep", 1500, "other-columns = \"drop\"", "", &[columns]);
}

#[test]
fn suppressed_rows_that_are_kept_are_kept_alike() {
    let method = |name: &str| {
        format!(
            "{COLUMNS}[[require]]\nmodel = \"k-anonymity\"\nk = 10\n[method]\nname = \"{name}\"\nmax-suppressed = 0.1\n"
        )
    };
    let methods = [method("full-domain"), method("one-dimensional")];
    assert_same("kept", 1500, "other-columns = \"insensitive\"", "suppressed = \"keep\"", &methods[..1]);
    assert_same("kept_moved", 1500, "other-columns = \"drop\"", "suppressed = \"keep\"", &methods[1..]);
}

#[test]
fn a_hundred_thousand_people() {
    let columns = format!("{COLUMNS}[[require]]\nmodel = \"k-anonymity\"\nk = 5\n[method]\nmax-suppressed = 0.02\n");
    assert_same("census", 100_000, "other-columns = \"insensitive\"", "shuffle = true", &[columns]);
}

#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn the_census_extract_that_everybody_uses() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/adult");
    assert!(shared.is_dir(), "../shared/data was there when this was built");
    let folder = TempDir::new().unwrap();
    let csv = std::fs::read(shared.join("adult.csv")).unwrap();
    std::fs::write(folder.path().join("in.csv"), &csv).unwrap();
    let hierarchy = |name: &str| PathBuf::from(&shared).join(format!("hierarchies/{name}.csv")).display().to_string();
    let mut columns = String::new();
    for name in ["age", "sex", "race", "marital-status", "education"] {
        columns += &format!(
            "[columns.{name}]\nrole = \"quasi-identifier\"\nhierarchy = {{ file = \"{}\" }}\n",
            hierarchy(name)
        );
    }
    columns += "[columns.occupation]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 5\n\
                [[require]]\nmodel = \"entropy-l-diversity\"\nl = 2\n";
    let mut database = Database::new("adult");
    let names = std::str::from_utf8(csv.split(|&byte| byte == b'\n').next().unwrap()).unwrap().trim();
    let kind = |name: &str| match name {
        "age" | "fnlwgt" | "education-num" | "capital-gain" | "capital-loss" | "hours-per-week" => "int",
        _ => "text",
    };
    let table: Vec<String> = names.split(',').map(|name| format!("\"{name}\" {}", kind(name))).collect();
    database.load("adult", &table.join(", "), &csv);
    let schema = database.schema.clone();
    for (method, missing) in [("full-domain", "drop"), ("mondrian", "keep")] {
        let columns = format!("{columns}[method]\nname = \"{method}\"\nmax-suppressed = 0.04\n");
        let input = format!("other-columns = \"drop\"\nmissing = [\"\", \"?\"]\nrows-with-missing = \"{missing}\"");
        let rest = Rest { input: &input, output: "", columns: &columns };
        let (local_summary, local) = locally(folder.path(), rest);
        let (from, to) = (format!("table = \"{schema}.adult\""), format!("{schema}.release"));
        let summary = on_server(folder.path(), &address(), &from, &to, rest, true).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(summary, local_summary, "{method}");
        assert!(database.rows(&format!("SELECT * FROM {to}")) == local, "{method}");
    }
}

#[test]
fn rows_that_are_not_people_are_noticed_as_in_a_file() {
    let csv = b"patient id,number,age,ill\nP1,1,30,flu\nP1,1,31,cold\nP2,2,30,flu\nP3,3,31,cold\n,,30,flu\n,,31,cold\nP4,4,,flu\n";
    let columns = "[columns.\"patient id\"]\nrole = \"identifier\"\n[columns.number]\nrole = \"identifier\"\n[columns.age]\n\
                   role = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    for (at, input) in ["", "rows-with-missing = \"drop\""].into_iter().enumerate() {
        let folder = TempDir::new().unwrap();
        std::fs::write(folder.path().join("in.csv"), csv).unwrap();
        let mut database = Database::new(&format!("not_people_{at}"));
        database.load("visits", "\"patient id\" text, number int, age int, ill text", csv);
        let (from, to) = (format!("table = \"{}.visits\"", database.schema), format!("{}.release", database.schema));
        let rest = Rest { input, output: "", columns };
        let (local, _) = locally(folder.path(), rest);
        let remote = on_server(folder.path(), &address(), &from, &to, rest, false).unwrap();
        assert_eq!(local["warnings"], remote["warnings"]);
        let about = remote["warnings"].as_array().unwrap().iter().filter(|w| w["id"] == "rows-are-not-people");
        let rows = ["5 rows hold 4", "4 rows hold 3"][at];
        assert!(
            about.clone().count() == 2 && about.clone().all(|w| w["text"].as_str().unwrap().contains(rows)),
            "{remote:#}"
        );
    }
}

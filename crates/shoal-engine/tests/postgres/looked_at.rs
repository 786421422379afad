//! Is a column that is published without having been counted looked at, as one of a file is?

use tempfile::TempDir;

use crate::database::{Database, address};
use crate::run::{Rest, locally, on_server};

#[test]
fn what_is_published_is_warned_of_as_in_a_file() {
    let row = |n: u32| format!("{},{},somebody{n}@example.org\n", 20 + n % 10, n / 2);
    let csv = format!("age,hhid,mail\n{}", (0..100).map(row).collect::<String>());
    let (folder, mut database) = (TempDir::new().unwrap(), Database::new("looked_at"));
    std::fs::write(folder.path().join("in.csv"), &csv).unwrap();
    database.load("people", "age int, hhid int, mail text", csv.as_bytes());
    let columns = "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10] }\n[columns.hhid]\nrole = \"insensitive\"\n\
                   [columns.mail]\nrole = \"insensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let rest = Rest { input: "", output: "", columns };
    let (from, to) = (format!("table = \"{}.people\"", database.schema), format!("{}.release", database.schema));
    let remote = on_server(folder.path(), &address(), &from, &to, rest, true).unwrap();
    let (local, _) = locally(folder.path(), rest);
    assert_eq!(remote["warnings"], local["warnings"]);
    let said = remote["warnings"].to_string();
    assert!(said.contains("`mail` is published") && said.contains("`hhid` is published"), "{said}");
    assert!(!said.contains("somebody"), "{said}");
}

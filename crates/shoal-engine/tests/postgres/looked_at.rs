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

#[test]
fn a_query_runs_once_for_all_columns_that_are_looked_at() {
    let mut database = Database::new("looked_at_once");
    let schema = database.schema.clone();
    database.load("people", "age int", b"age\n30\n30\n31\n31\n");
    let mut runs = |insensitive: &[&str]| {
        database.run(&format!("DROP SEQUENCE IF EXISTS {schema}.runs; CREATE SEQUENCE {schema}.runs"));
        let once = format!("with once as materialized (select nextval('{schema}.runs') as n)");
        let named: String = insensitive.iter().map(|name| format!(", 'x' as {name}")).collect();
        let from = format!("query = \"{once} select age{named} from {schema}.people, once where n > 0\"");
        let columns: String =
            insensitive.iter().map(|name| format!("[columns.{name}]\nrole = \"insensitive\"\n")).collect();
        let columns = format!(
            "[columns.age]\nrole = \"quasi-identifier\"\n{columns}[[require]]\nmodel = \"k-anonymity\"\nk = 2\n"
        );
        let rest = Rest { input: "", output: "", columns: &columns };
        let (folder, to) = (TempDir::new().unwrap(), format!("{schema}.release"));
        on_server(folder.path(), &address(), &from, &to, rest, true).unwrap();
        database.rows(&format!("SELECT last_value FROM {schema}.runs"))[0][0].clone().unwrap().parse::<u32>().unwrap()
    };
    let counting = runs(&[]);
    assert_eq!(runs(&["a"]), counting + 1);
    assert_eq!(runs(&["a", "b", "c"]), counting + 1);
}

//! Does the order of a table leave a trace in its release?

use shoal_core::method::METHODS;

use crate::database::{Database, address};
use crate::run::{Rest, on_server};

const COLUMNS: &str = "[columns.age]\nrole = \"quasi-identifier\"\n[columns.job]\nrole = \"quasi-identifier\"\n[columns.ill]\n\
    role = \"sensitive\"\n[columns.note]\nrole = \"insensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 7\n\
    [[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n[method]\n";

/// Of many equal rows, each with a note of its own, the same go to the same classes.
#[test]
fn equal_rows_are_dealt_by_what_they_show() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut database = Database::new("order");
    let schema = database.schema.clone();
    for (name, order) in [("one", "n"), ("other", "-n")] {
        database.run(&format!(
            "CREATE TABLE {schema}.{name} AS SELECT 20 + n % 2 AS age, CASE WHEN n / 2 % 2 = 0 THEN 'a' ELSE 'b' END AS job, \
             CASE WHEN n % 3 = 0 THEN 'x' ELSE 'y' END AS ill, 'note ' || n AS note FROM generate_series(1, 211) n ORDER BY {order}"
        ));
    }
    let mut scattered = 0;
    for id in METHODS.iter().map(|entry| entry.id()).filter(|id| *id != "anatomy" && *id != "similarity-blocks") {
        let columns = format!("{COLUMNS}name = \"{id}\"\n");
        let rest = Rest { input: "", output: "", columns: &columns };
        let release = |database: &mut Database, name: &str| {
            let (from, to) = (format!("table = \"{schema}.{name}\""), format!("{schema}.release"));
            on_server(folder.path(), &address(), &from, &to, rest, true)
                .unwrap_or_else(|error| panic!("{id}\n{error}"));
            database.rows_in_order(&format!("SELECT * FROM {to}"))
        };
        let one = release(&mut database, "one");
        assert!(one == release(&mut database, "other"), "{id}: the releases differ");
        let mut shown: Vec<_> = one.iter().map(|row| &row[..2]).collect();
        shown.sort_unstable();
        shown.dedup();
        scattered += usize::from(shown.len() > 1);
    }
    assert!(scattered > 1, "too few releases with several classes");
}

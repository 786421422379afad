//! Is what cannot work refused, early, and with a reason that helps?

use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::database::{Database, address, environment};
use crate::run::{Rest, on_server, policy, refusal};

const COLUMNS: &str = "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10, 100] }\n\
    [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";

const REST: Rest<'static> = Rest { input: "", output: "", columns: COLUMNS };

fn people(schema: &str) -> Database {
    let mut database = Database::new(schema);
    database.load("people", "age int, ill text", b"age,ill\n30,flu\n30,flu\n31,cold\n31,cold\n");
    database
}

fn refused(database: &Database, from: &str, to: &str, rest: Rest<'_>) -> String {
    let folder = TempDir::new().unwrap();
    let from = from.replace("SCHEMA", &database.schema);
    let to = to.replace("SCHEMA", &database.schema);
    refusal(on_server(folder.path(), &address(), &from, &to, rest, false)).to_string()
}

fn assert_contains(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "`{part}` is not in\n{text}"));
}

#[test]
fn a_dead_port_and_an_unknown_host_are_given_up_within_seconds() {
    let folder = TempDir::new().unwrap();
    for url in ["postgres://a@127.0.0.1:1/b", "postgres://a@no-such-host.invalid/b"] {
        let begin = Instant::now();
        let error = refusal(on_server(folder.path(), url, "table = \"t\"", "r", REST, false)).to_string();
        assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
        assert_contains(&error, &["cannot reach PostgreSQL at postgres://", "hint: is it running"]);
    }
}

#[test]
fn no_such_table_or_column_or_database() {
    let database = people("missing_things");
    let error = refused(&database, "table = \"SCHEMA.nobody\"", "SCHEMA.release", REST);
    assert_contains(&error, &["does not exist (SQLSTATE 42P01)", "hint: names are as in SQL"]);
    let error = refused(&database, "query = \"select age from SCHEMA.people\"", "SCHEMA.release", REST);
    assert_contains(&error, &["the query has no column `ill`"]);
    let error = refused(&database, "query = \"selec age\"", "SCHEMA.release", REST);
    assert_contains(&error, &["cannot read the query: syntax error", "(SQLSTATE 42601)"]);
    let error = refused(&database, "table = \"SCHEMA.people\"", "nowhere.release", REST);
    assert_contains(&error, &["there is no schema `nowhere`"]);
    let folder = TempDir::new().unwrap();
    let other = address().rsplit_once('/').unwrap().0.to_owned() + "/nowhere";
    let error = refusal(on_server(folder.path(), &other, "table = \"t\"", "r", REST, false)).to_string();
    assert_contains(&error, &["there is no database at postgres://shoal@", "/nowhere"]);
}

#[test]
fn a_column_that_cannot_be_a_quasi_identifier() {
    let mut database = people("types_refused");
    let schema = database.schema.clone();
    for kind in ["json", "bytea", "int[]", "interval", "point"] {
        database.run(&format!(
            "DROP TABLE IF EXISTS {schema}.odd; CREATE TABLE {schema}.odd AS SELECT NULL::{kind} AS age, 'flu' AS ill"
        ));
        let error = refused(&database, "table = \"SCHEMA.odd\"", "SCHEMA.release", REST);
        assert_contains(
            &error,
            &["column `age` of table", "cannot be a quasi-identifier", "hint: give it another role"],
        );
    }
}

#[test]
fn an_existing_table_is_replaced_only_when_asked_for() {
    let mut database = people("existing");
    let schema = database.schema.clone();
    database.run(&format!("CREATE TABLE {schema}.release AS SELECT 'precious' AS thing"));
    let error = refused(&database, "table = \"SCHEMA.people\"", "SCHEMA.release", REST);
    assert_contains(&error, &["exists already", "--overwrite"]);
    assert_eq!(database.rows(&format!("SELECT * FROM {schema}.release")), [[Some("precious".to_owned())]]);
    let folder = TempDir::new().unwrap();
    let (from, to) = (format!("table = \"{schema}.people\""), format!("{schema}.release"));
    on_server(folder.path(), &address(), &from, &to, REST, true).unwrap();
    assert_eq!(database.rows(&format!("SELECT count(*) FROM {schema}.release")), [[Some("4".to_owned())]]);
    let error =
        refusal(on_server(folder.path(), &address(), &from, &format!("{schema}.people"), REST, true)).to_string();
    assert_contains(&error, &["the release would replace its own input"]);
}

/// Whichever way leads to it, and whatever would go with it.
#[test]
fn what_is_read_is_not_replaced_under_another_name() {
    let mut database = people("own_input");
    let schema = database.schema.clone();
    database.run(&format!(
        "CREATE FUNCTION {schema}.everybody() RETURNS SETOF {schema}.people LANGUAGE sql AS 'SELECT * FROM {schema}.people';
         CREATE TABLE {schema}.visits (year int, age int, ill text) PARTITION BY LIST (year);
         CREATE TABLE {schema}.visits_2024 PARTITION OF {schema}.visits FOR VALUES IN (2024);
         INSERT INTO {schema}.visits SELECT 2024, age, ill FROM {schema}.people"
    ));
    let folder = TempDir::new().unwrap();
    for (from, to) in [
        ("query = \"select * from SCHEMA.people\"", "SCHEMA.people"),
        ("query = \"select * from SCHEMA.everybody()\"", "SCHEMA.people"),
        ("query = \"select age, ill from SCHEMA.visits_2024\"", "SCHEMA.visits"),
        ("query = \"select age, ill from SCHEMA.visits\"", "SCHEMA.visits_2024"),
    ] {
        let [from, to] = [from, to].map(|text| text.replace("SCHEMA", &schema));
        let error = refusal(on_server(folder.path(), &address(), &from, &to, REST, true)).to_string();
        assert_contains(
            &error,
            &["the release would replace its own input", "hint: give `table` in [output] another name"],
        );
    }
    for table in ["people", "visits"] {
        assert_eq!(database.rows(&format!("SELECT count(*) FROM {schema}.{table}")), [[Some("4".to_owned())]]);
    }
    // What is not read is replaced.
    database.run(&format!("CREATE TABLE {schema}.release AS SELECT 'earlier' AS age"));
    let from = format!("query = \"select * from {schema}.people\"");
    on_server(folder.path(), &address(), &from, &format!("{schema}.release"), REST, true).unwrap();
    assert_eq!(database.rows(&format!("SELECT count(*) FROM {schema}.release")), [[Some("4".to_owned())]]);
}

#[test]
fn columns_that_are_left_out_need_not_be_readable() {
    let mut database = Database::new("column_rights");
    let schema = database.schema.clone();
    database.load("people", "note text, age int, ward text", b"note,age,ward\nx,30,a\ny,30,b\nx,31,a\ny,31,b\n");
    database.run(&format!(
        "GRANT USAGE, CREATE ON SCHEMA {schema} TO reader; GRANT SELECT (age, ward) ON {schema}.people TO reader"
    ));
    let columns = "[columns.age]\nrole = \"quasi-identifier\"\n\
                   [columns.ward]\nrole = \"insensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let (folder, reader) = (TempDir::new().unwrap(), environment("SHOAL_TEST_POSTGRES_READER"));
    let input = "other-columns = \"drop\"";
    let (from, to) = (format!("table = \"{schema}.people\""), format!("{schema}.release"));
    on_server(folder.path(), &reader, &from, &to, Rest { input, columns, ..REST }, false).unwrap();
}

#[test]
fn no_right_to_read_or_to_write() {
    let mut database = people("rights");
    let schema = database.schema.clone();
    let reader = environment("SHOAL_TEST_POSTGRES_READER");
    let folder = TempDir::new().unwrap();
    let (from, to) = (format!("table = \"{schema}.people\""), format!("{schema}.release"));
    database.run(&format!("GRANT USAGE ON SCHEMA {schema} TO reader; GRANT SELECT ON {schema}.people TO reader"));
    let error = refusal(on_server(folder.path(), &reader, &from, &to, REST, false)).to_string();
    assert_contains(&error, &["user `reader` has no right to create tables", "GRANT CREATE ON SCHEMA"]);
    database.run(&format!("REVOKE SELECT ON {schema}.people FROM reader; GRANT CREATE ON SCHEMA {schema} TO reader"));
    let error = refusal(on_server(folder.path(), &reader, &from, &to, REST, false)).to_string();
    assert_contains(&error, &["permission denied for table people (SQLSTATE 42501)", "granted to `reader`"]);
}

#[test]
fn more_combinations_than_fit_are_refused_with_the_column_and_the_level() {
    let mut database = Database::new("many");
    let schema = database.schema.clone();
    database.run(&format!(
        "CREATE TABLE {schema}.people AS SELECT n AS age, 'flu' AS ill FROM generate_series(1, 100000) n"
    ));
    let rest = Rest { input: "memory-limit = \"500KB\"", ..REST };
    let error = refused(&database, "table = \"SCHEMA.people\"", "SCHEMA.release", rest);
    assert_contains(&error, &["`memory-limit`", "column `age` contributes most", "of its hierarchy has"]);
}

#[test]
fn a_query_that_gives_other_rows_each_time() {
    let database = people("volatile");
    let query = "query = \"select (random() * 1000000)::int as age, ill from SCHEMA.people\"";
    let columns = COLUMNS.to_owned() + "[method]\nmax-suppressed = 0\n";
    let error = refused(&database, query, "SCHEMA.release", Rest { columns: &columns, ..REST });
    assert_contains(
        &error,
        &["the query changed while it was being anonymized; nothing was published", "hint: run it again"],
    );
}

#[test]
fn a_value_is_not_quoted_in_a_message() {
    let mut database = people("quoted");
    let schema = database.schema.clone();
    database.run(&format!("INSERT INTO {schema}.people VALUES (1, 'secret disease')"));
    let query = "query = \"select age, ill::int as ill from SCHEMA.people\"";
    let error = refused(&database, query, "SCHEMA.release", REST);
    assert_contains(&error, &["SQLSTATE 22P02", "the log of the server"]);
    assert!(!error.contains("flu") && !error.contains("secret"), "{error}");
}

#[test]
fn what_engines_cannot_do_yet_is_said_before_anything_is_contacted() {
    let folder = TempDir::new().unwrap();
    let dead = "postgres://a@127.0.0.1:1/b";
    let refused = |columns: &str| {
        refusal(on_server(folder.path(), dead, "table = \"t\"", "r", Rest { columns, ..REST }, false)).to_string()
    };
    let anatomy = COLUMNS.replace("model = \"k-anonymity\"\nk = 2", "model = \"distinct-l-diversity\"\nl = 2");
    let error = refused(&(anatomy + "[method]\nname = \"anatomy\"\n"));
    assert_contains(&error, &["`anatomy` makes a release of two tables", "hint: copy the table to a file"]);
    let error = refused(&(COLUMNS.to_owned() + "[columns.name]\nrole = \"identifier\"\nreplace = \"random\"\n"));
    assert_contains(&error, &["engine.toml, line", "engines cannot make pseudonyms", "hint: remove `replace`"]);
}

#[test]
fn what_a_policy_says_of_its_place_is_checked_before_anything_is_contacted() {
    let folder = TempDir::new().unwrap();
    let dead = "postgres://a@127.0.0.1:1/b";
    let wrong = |address: &str, from: &str| policy(folder.path(), address, from, "r", REST).unwrap_err().to_string();
    assert_contains(
        &wrong("db.example", "table = \"t\""),
        &["engine.toml, line 2", "must be an address that begins with postgres://"],
    );
    assert_contains(&wrong(dead, ""), &["does not say which table of PostgreSQL to read"]);
    assert_contains(&wrong(dead, "table = \"t\"\nquery = \"select 1\""), &["names several tables"]);
    assert_contains(&wrong(dead, "path = \"a.csv\""), &["`path` is for files"]);
    assert_contains(&wrong(dead, "table = \"t\"\ndelimiter = \";\""), &["line 4", "`delimiter` is for text files"]);
    assert_contains(&wrong(dead, "table = \"t\"\nspark = \"sc://h\""), &["in Spark and in PostgreSQL"]);
}

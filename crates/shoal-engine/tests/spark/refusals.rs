//! What does somebody read whose request cannot be met, and is nothing left behind?

use std::net::TcpListener;
use std::time::{Duration, Instant};

use crate::bench::{Bench, NASTY, spark};

const OUTPUT: &str = "path = \"release.parquet\"";

fn policy() -> String {
    format!("{NASTY}[method]\nname = \"full-domain\"\nmax-suppressed = 0.3\n")
}

/// The columns of a query that is made up on the cluster.
const MADE_UP: &str = "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10, 50] }\n\
    [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";

#[track_caller]
fn assert_says(error: &shoal_core::Error, parts: &[&str]) {
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing:\n{text}");
    }
    assert!(text.contains("hint: "), "{text}");
}

#[test]
fn a_port_where_nobody_listens_is_told_within_seconds() {
    let bench = Bench::new();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let begin = Instant::now();
    let address = format!("sc://127.0.0.1:{port}/;token=secret;user_id=ann");
    let error = bench.refused(&address, "table = \"t\"", OUTPUT, &policy());
    assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
    assert_says(&error, &[&format!("sc://127.0.0.1:{port}"), "nobody listens there"]);
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[test]
fn a_host_that_does_not_exist_is_told() {
    let error = Bench::new().refused("sc://no-such-host.invalid:15002", "table = \"t\"", OUTPUT, &policy());
    assert_says(&error, &["there is no host `no-such-host.invalid`"]);
}

#[test]
fn what_is_not_there_is_told() {
    let bench = Bench::new();
    bench.nasty("table.parquet");
    let error = bench.refused(&spark(), "path = \"nothing.parquet\"", OUTPUT, &policy());
    assert_says(&error, &["cannot read", "nothing.parquet", "PATH_NOT_FOUND, SQLSTATE 42K03"]);
    let error = bench.refused(&spark(), "table = \"nowhere.patients\"", OUTPUT, &policy());
    assert_says(&error, &["cannot read nowhere.patients", "TABLE_OR_VIEW_NOT_FOUND, SQLSTATE 42P01"]);
    let error = bench.refused(&spark(), "query = \"SELEC age FRM t\"", OUTPUT, &policy());
    assert_says(&error, &["cannot read the query", "PARSE_SYNTAX_ERROR"]);
    let without = policy().replace("[columns.age]", "[columns.agee]");
    let error = bench.refused(&spark(), "path = \"table.parquet\"", OUTPUT, &without);
    assert_says(&error, &["has no column `agee`", "did you mean `age`?"]);
    assert_eq!(bench.names(), ["table.parquet"]);
}

#[test]
fn a_type_without_plain_values_is_no_quasi_identifier() {
    let query = "query = \"SELECT array(id) AS age, id AS ill FROM range(10)\"";
    let error = Bench::new().refused(&spark(), query, OUTPUT, MADE_UP);
    assert_says(&error, &["column `age` of the query cannot be a quasi-identifier", "ARRAY"]);
}

#[test]
fn no_right_to_write_is_told() {
    let bench = Bench::new();
    bench.nasty("table.parquet");
    let error = bench.refused(&spark(), "path = \"table.parquet\"", "path = \"/proc/release.parquet\"", &policy());
    assert_says(&error, &["cannot write the release to /proc/release.parquet: permission denied"]);
}

#[test]
fn values_that_spark_quotes_are_not_passed_on() {
    let query = "query = \"SELECT cast(concat('secret', id) AS INT) AS age, id AS ill FROM range(10)\"";
    let error = Bench::new().refused(&spark(), query, OUTPUT, MADE_UP);
    assert_says(&error, &["cannot count the rows of the query", "CAST_INVALID_INPUT"]);
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[test]
fn a_table_that_changes_is_refused_and_nothing_is_left() {
    let bench = Bench::new();
    let query = "query = \"SELECT CAST((id + unix_micros(current_timestamp())) % 100003 AS INT) AS age, \
        id % 3 AS ill FROM range(5000)\"";
    let error = bench.refused(&spark(), query, OUTPUT, MADE_UP);
    assert_says(&error, &["the query changed while it was being anonymized; nothing was published"]);
    assert!(bench.names().is_empty(), "{:?}", bench.names());
}

#[test]
fn too_many_tuples_are_refused_while_they_come() {
    let bench = Bench::new();
    let query = "query = \"SELECT cast(id AS INT) AS age, id % 3 AS ill FROM range(3000000)\"";
    let columns = format!("memory-limit = \"4MB\"\n{MADE_UP}");
    let error = bench.refused(&spark(), query, OUTPUT, &columns);
    assert_says(&error, &["`memory-limit`", "column `age` contributes most"]);
    assert!(bench.names().is_empty());
}

//! Does a cluster of two workers make the release of the local path, as a folder and as a table of its catalog?

use shoal::run::anonymize;
use shoal::study::{RecipeFile, Writing};
use shoal_core::watch::Unwatched;

use crate::bench::{Bench, census_columns, path, rows, spark};
use crate::sql;

#[test]
fn the_census_is_the_same_from_a_cluster() {
    let bench = Bench::new();
    bench.census("census.csv", 100_000);
    let rest = census_columns();
    let local = bench.local(&path("census.csv"), &path("local.parquet"), &rest).unwrap();
    let remote = bench.remote(&spark(), &path("census.csv"), &path("release.parquet"), &rest).unwrap();
    assert!(local == remote, "{} rows locally and {} on the cluster differ", local.len(), remote.len());
    assert_eq!(bench.names(), ["census.csv", "local.parquet", "release.parquet"], "nothing else is left");
}

#[test]
fn a_table_becomes_a_table_and_is_replaced_only_when_asked() {
    let bench = Bench::new();
    bench.census("census.csv", 4000);
    let columns = census_columns().replace("max-suppressed = 0.02", "max-suppressed = 0.3");
    let server = spark();
    let census = bench.path("census.csv");
    sql::run(&server, "CREATE SCHEMA IF NOT EXISTS clinic");
    sql::run(&server, "DROP TABLE IF EXISTS clinic.people");
    sql::run(&server, "DROP TABLE IF EXISTS clinic.release");
    let options = format!("OPTIONS (path '{}', header 'true', inferSchema 'false')", census.display());
    sql::run(&server, &format!("CREATE TABLE clinic.people USING csv {options}"));
    // Without values, a cell of this table is null; in a file of text it is an empty text. Both are missing.
    let (input, output) = ("table = \"clinic.people\"", "table = \"clinic.release\"");

    bench.run(&server, input, output, &columns, false, &Unwatched).unwrap();
    let local = bench.local(&path("census.csv"), &path("local.parquet"), &columns).unwrap();
    assert!(sql::rows(&server, "SELECT * FROM clinic.release") == local, "the releases differ");

    let refused = bench.refused(&server, input, output, &columns);
    assert!(refused.to_string().contains("table clinic.release exists already"), "{refused}");
    assert!(refused.hint_text().unwrap().contains("--overwrite"));

    let coarser = columns.replace("k = 5", "k = 8").replace("max-suppressed = 0.3", "max-suppressed = 0.9");
    bench.run(&server, input, output, &coarser, true, &Unwatched).unwrap();
    let local = bench.local(&path("census.csv"), &path("local.parquet"), &coarser).unwrap();
    assert!(sql::rows(&server, "SELECT * FROM clinic.release") == local, "the releases differ");
    let tables: Vec<String> =
        sql::rows(&server, "SHOW TABLES IN clinic").into_iter().map(|row| row[1].clone()).collect();
    assert_eq!(tables, ["people", "release"], "nothing else is left");
}

#[test]
fn a_folder_is_replaced_only_when_asked() {
    let bench = Bench::new();
    bench.census("census.csv", 2000);
    let columns = census_columns().replace("max-suppressed = 0.02", "max-suppressed = 0.4");
    let server = spark();
    let (input, output) = (&path("census.csv"), &path("release.csv"));
    let first = bench.remote(&server, input, output, &columns).unwrap();
    let refused = bench.refused(&server, input, output, &columns);
    assert!(refused.to_string().contains("release.csv exists already"), "{refused}");
    let coarser = columns.replace("k = 5", "k = 8").replace("max-suppressed = 0.4", "max-suppressed = 0.9");
    bench.run(&server, input, output, &coarser, true, &Unwatched).unwrap();
    let second = rows(&crate::bench::files(&bench.path("release.csv")));
    assert!(first != second, "nothing was replaced");
    assert!(second == bench.local(&path("census.csv"), &path("local.csv"), &coarser).unwrap(), "the releases differ");
    assert_eq!(bench.names(), ["census.csv", "local.csv", "release.csv"], "nothing else is left");
}

#[test]
fn what_is_read_is_not_replaced_under_another_name() {
    let bench = Bench::new();
    bench.census("census.csv", 500);
    let columns = census_columns().replace("max-suppressed = 0.02", "max-suppressed = 0.9");
    let server = spark();
    sql::run(&server, "DROP TABLE IF EXISTS default.own_people");
    let census = bench.path("census.csv");
    let options = format!("OPTIONS (path '{}', header 'true', inferSchema 'false')", census.display());
    sql::run(&server, &format!("CREATE TABLE default.own_people USING csv {options}"));
    let (table, folder) = ("table = \"default.own_people\"", format!("path = \"{}\"", bench.path("").display()));
    for (input, output) in [
        ("table = \"own_people\"", table),
        ("query = \"SELECT * FROM Own_People\"", table),
        (&*path("census.csv"), &*folder),
        (&format!("table = \"csv.`{}`\"", census.display()), &path("census.csv")),
    ] {
        let refused = bench.run(&server, input, output, &columns, true, &Unwatched).unwrap_err();
        assert!(refused.to_string().contains("could take the place of its own input"), "{input}\n{refused}");
    }
    assert_eq!(sql::rows(&server, "SELECT count(*) FROM own_people"), [["500"]]);
    // Nor by what is said about a release.
    let policy = bench.on_spark(&server, &path("census.csv"), &path("release.csv"), &columns);
    let writing = Writing::new().overwriting(true).with(RecipeFile { path: census });
    let refused = anonymize(shoal_engine::open(&policy, false).unwrap(), &policy, writing, &Unwatched).unwrap_err();
    assert!(refused.to_string().contains("the recipe would replace its own input"), "{refused}");
    sql::run(&server, "DROP TABLE default.own_people");
}

/// A kill between two renames leaves the name of a release empty.
#[test]
fn what_a_killed_run_had_put_aside_is_back_before_anything_else() {
    let bench = Bench::new();
    bench.census("census.csv", 2000);
    let columns = census_columns().replace("max-suppressed = 0.02", "max-suppressed = 0.4");
    let server = spark();
    let (input, output) = (&path("census.csv"), &path("release.csv"));
    let first = bench.remote(&server, input, output, &columns).unwrap();
    std::fs::rename(bench.path("release.csv"), bench.path("release.csv.shoal-replaced-0a1b2c3d")).unwrap();
    let refused = bench.refused(&server, input, output, &columns);
    assert!(refused.to_string().contains("release.csv exists already"), "{refused}");
    assert!(first == rows(&crate::bench::files(&bench.path("release.csv"))), "the earlier release is back");

    sql::run(&server, "CREATE SCHEMA IF NOT EXISTS ward");
    sql::run(&server, "DROP TABLE IF EXISTS ward.release");
    sql::run(&server, "DROP TABLE IF EXISTS ward.release_shoal_replaced_0a1b2c3d");
    sql::run(&server, "CREATE TABLE ward.release_shoal_replaced_0a1b2c3d AS SELECT 'earlier' AS a");
    let refused = bench.refused(&server, input, "table = \"ward.release\"", &columns);
    assert!(refused.to_string().contains("table ward.release exists already"), "{refused}");
    assert_eq!(sql::rows(&server, "SELECT * FROM ward.release"), [["earlier"]]);
}

/// Whoever only looks at a table, and may replace a release, does not bring an earlier one back.
#[test]
fn what_was_put_aside_stays_there_while_nothing_is_written() {
    let bench = Bench::new();
    bench.census("census.csv", 500);
    let aside = bench.path("release.csv.shoal-replaced-0a1b2c3d");
    std::fs::create_dir(&aside).unwrap();
    let input = format!("spark = \"{}\"\n{}", spark(), path("census.csv"));
    let policy = bench.policy(&input, &path("release.csv"), &census_columns());
    let source = shoal_engine::open(&policy, true).unwrap();
    drop(source);
    assert!(aside.exists() && !bench.path("release.csv").exists());
}

#[test]
fn where_this_machine_cannot_rename_the_workers_copy_what_was_verified() {
    let bench = Bench::new();
    bench.census("census.csv", 2000);
    let columns = census_columns().replace("max-suppressed = 0.02", "max-suppressed = 0.4");
    // The same folder, under a name that only the cluster knows.
    let remote = format!("viewfs://shoal{}", bench.path("release.parquet").display());
    bench.run(&spark(), &path("census.csv"), &format!("path = \"{remote}\""), &columns, false, &Unwatched).unwrap();
    let files = crate::bench::files(&bench.path("release.parquet"));
    let local = bench.local(&path("census.csv"), &path("local.parquet"), &columns).unwrap();
    assert!(rows(&files) == local, "the releases differ");
    assert!(bench.path("release.parquet/_SUCCESS").exists());
    for name in bench.names().iter().filter(|name| name.contains("staging")) {
        let count = format!("SELECT count(*) FROM parquet.`{}`", bench.path(name).display());
        assert_eq!(sql::rows(&spark(), &count), [["0"]], "what was staged is gone");
    }
}

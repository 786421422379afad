//! Does a table in which people have several rows give the release of the local path on a server?

use std::collections::BTreeMap;

use serde_json::Value;
use shoal::run::anonymize;
use shoal::source::LocalSource;
use shoal::study::Writing;
use shoal_core::watch::Unwatched;
use shoal_report::Summary;

use crate::bench::{Bench, files, path, rows, sail, spark};
use crate::sql;
use crate::visits::{COLUMNS, METHODS, PERSON};

/// What a policy says of its input and its columns.
fn rest(input: &str, method: &str) -> String {
    format!(
        "{PERSON}other-columns = \"drop\"\n{input}\n{COLUMNS}[[require]]\nmodel = \"k-anonymity\"\nk = 5\n\
         [method]\nmax-suppressed = 0.1\n{method}\n"
    )
}

fn people(release: &shoal::study::Release) -> Value {
    Summary::new(release).to_json()["people"].clone()
}

/// The release of the local path and what is said of its people.
fn locally(bench: &Bench, output: &str, rest: &str) -> (Vec<Vec<String>>, Value) {
    let (input, columns) = rest.split_at(rest.find("[columns").unwrap());
    let policy = bench.policy(&format!("{}\n{input}", path("visits.csv")), &path(output), columns);
    let source = LocalSource::new(&policy, None, None).unwrap();
    let release = anonymize(source, &policy, Writing::new(), &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    (rows(&[bench.path(output)]), people(&release))
}

fn assert_same(bench: &Bench, server: &str, format: &str, rest: &str) {
    let (local, local_people) = locally(bench, &format!("local.{format}"), rest);
    let output = format!("release.{format}");
    let release = bench.run(server, &path("visits.csv"), &path(&output), rest, true, &Unwatched);
    let release = release.unwrap_or_else(|error| panic!("{rest}\n{error}"));
    assert_eq!(people(&release), local_people, "{rest}");
    assert!(local_people.is_object());
    let remote = rows(&files(&bench.path(&output)));
    assert!(!local.is_empty() && local == remote, "{rest}\n{} and {} rows, which differ", local.len(), remote.len());
    assert_eq!(bench.names(), [format!("local.{format}"), output, "visits.csv".to_owned()], "nothing else is left");
}

#[test]
fn every_method_that_counts_people_gives_the_release_of_the_local_path() {
    for method in METHODS {
        let bench = Bench::new();
        bench.visits("visits.csv", 2000);
        assert_same(&bench, &sail(), "parquet", &rest("", method));
    }
}

#[test]
fn people_are_left_out_and_known_by_all_of_their_rows_as_on_this_machine() {
    let whole = "suppress = \"people\"";
    let lenient = |rest: String| rest.replace("max-suppressed = 0.1", "max-suppressed = 0.9");
    let ways = [
        rest("", whole),
        lenient(rest("knows = \"all-rows\"", "")),
        rest("missing = [\"\", \"0\"]\nrows-with-missing = \"drop\"", whole),
    ];
    for rest in ways {
        let bench = Bench::new();
        bench.visits("visits.csv", 2000);
        assert_same(&bench, &sail(), "csv", &rest);
    }
}

#[test]
fn a_cluster_counts_people_in_folders_and_tables() {
    let bench = Bench::new();
    bench.visits("visits.csv", 3000);
    let (server, rest) = (spark(), rest("", "name = \"mondrian\""));
    assert_same(&bench, &server, "parquet", &rest);

    let (local, _) = locally(&bench, "local.parquet", &rest);
    sql::run(&server, "CREATE SCHEMA IF NOT EXISTS visits");
    sql::run(&server, "DROP TABLE IF EXISTS visits.release");
    for _ in 0..2 {
        bench.run(&server, &path("visits.csv"), "table = \"visits.release\"", &rest, true, &Unwatched).unwrap();
        assert!(sql::rows(&server, "SELECT * FROM visits.release") == local, "the releases differ");
        let tables = sql::rows(&server, "SHOW TABLES IN visits").into_iter().map(|row| row[1].clone());
        assert_eq!(tables.collect::<Vec<_>>(), ["release"], "nothing else is left");
    }
    // Where this machine cannot rename, the workers copy the release without its people.
    let elsewhere = format!("path = \"viewfs://shoal{}\"", bench.path("copied.parquet").display());
    bench.run(&server, &path("visits.csv"), &elsewhere, &rest, false, &Unwatched).unwrap();
    assert!(rows(&files(&bench.path("copied.parquet"))) == local, "the releases differ");
}

/// Everybody's rows, however many: the file that the tests start from has some with several.
#[test]
fn people_have_several_rows() {
    let bench = Bench::new();
    bench.visits("visits.csv", 2000);
    let mut of_people: BTreeMap<String, u64> = BTreeMap::new();
    rows(&[bench.path("visits.csv")]).into_iter().for_each(|row| *of_people.entry(row[0].clone()).or_default() += 1);
    assert!(of_people.len() < 1000 && of_people.values().any(|&rows| rows > 5));
}

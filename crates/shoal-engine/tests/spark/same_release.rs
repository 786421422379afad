//! Does a policy give the same release wherever the table lives?

use std::path::Path;

use shoal_core::method::METHODS;

use crate::bench::{Bench, NASTY, census_columns, path, sail};

/// Quasi-identifiers and the sensitive column: where equal rows go to different classes, a file and a server deal them out by different
/// hashes of what else they show.
fn without_others(rows: Vec<Vec<String>>, others: &[usize]) -> Vec<Vec<String>> {
    let keep = |row: Vec<String>| {
        let cells = row.into_iter().enumerate().filter(|(at, _)| !others.contains(at));
        cells.map(|(_, cell)| cell).collect()
    };
    let mut rows: Vec<Vec<String>> = rows.into_iter().map(keep).collect();
    rows.sort();
    rows
}

#[test]
fn every_method_gives_the_release_of_the_local_path() {
    let bench = Bench::new();
    bench.nasty("table.parquet");
    // The places of `called` and `note` in the release.
    let others = [4, 9];
    for method in METHODS.iter().map(|entry| entry.id()).filter(|id| *id != "anatomy") {
        let rest = format!("{NASTY}[method]\nname = \"{method}\"\nmax-suppressed = 0.3\n");
        let local = bench.local(&path("table.parquet"), &path("local.parquet"), &rest);
        let output = path(&format!("{method}.parquet"));
        let remote = bench.remote(&sail(), &path("table.parquet"), &output, &rest);
        match (local, remote) {
            (Ok(local), Ok(remote)) => {
                assert!(!local.is_empty());
                let (local, remote) = (without_others(local, &others), without_others(remote, &others));
                assert!(local == remote, "{method}: the releases differ");
            }
            (Err(local), Err(remote)) => assert_eq!(local.to_string(), remote.to_string(), "{method}"),
            (local, remote) => panic!("{method}: {:?} but {:?}", local.map(|_| ()), remote.map(|_| ())),
        }
    }
}

/// Which of equal rows goes where follows from what they show, not from where they are.
#[test]
fn the_order_of_the_table_leaves_no_trace() {
    let bench = Bench::new();
    let row =
        |row: usize| format!("{},{},{},note {row}\n", 20 + row % 2, ["a", "b"][row / 2 % 2], ["x", "y"][row % 3 % 2]);
    let table = |order: &dyn Fn(usize) -> usize| {
        std::iter::once("age,job,ill,note\n".to_owned())
            .chain((0..211).map(|place| row(order(place))))
            .collect::<String>()
    };
    let rest = "[columns.age]\nrole = \"quasi-identifier\"\n[columns.job]\nrole = \"quasi-identifier\"\n[columns.ill]\n\
        role = \"sensitive\"\n[columns.note]\nrole = \"insensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 7\n\
        [method]\nname = \"microaggregation\"\n";
    std::fs::write(bench.path("one.csv"), table(&|place| place)).unwrap();
    std::fs::write(bench.path("other.csv"), table(&|place| 210 - place)).unwrap();
    let one = bench.remote(&sail(), &path("one.csv"), &path("one-release.csv"), rest).unwrap();
    let other = bench.remote(&sail(), &path("other.csv"), &path("other-release.csv"), rest).unwrap();
    assert_eq!(one.len(), 211);
    assert!(one == other, "the releases differ");
}

#[test]
fn full_domain_releases_are_alike_in_every_cell() {
    let bench = Bench::new();
    bench.nasty("table.parquet");
    let ways = [
        ("plain", "", "", "max-suppressed = 0.3"),
        ("kept", "", "suppressed = \"keep\"", "max-suppressed = 0.3"),
        ("dropped", "rows-with-missing = \"drop\"\n", "", "max-suppressed = 0.6"),
        ("marked", "missing = [\"007\", \"Flu\"]\n", "", "max-suppressed = 0.3"),
        ("shuffled", "", "shuffle = true", "max-suppressed = 0.3"),
    ];
    for (name, input, output, method) in ways {
        let rest = format!("{input}{NASTY}[method]\nname = \"full-domain\"\n{method}\n");
        let local = bench
            .local(&path("table.parquet"), &format!("{}\n{output}", path(&format!("local-{name}.parquet"))), &rest)
            .unwrap();
        let output = format!("{}\n{output}", path(&format!("{name}.parquet")));
        let remote = bench.remote(&sail(), &path("table.parquet"), &output, &rest).unwrap();
        // Where suppressed rows are kept all columns become text, and Spark writes the times of `called` in its own way.
        let others: &[usize] = if name == "kept" { &[4] } else { &[] };
        assert!(!local.is_empty(), "{name}");
        assert!(without_others(local, others) == without_others(remote, others), "{name}: the releases differ");
    }
}

#[test]
fn csv_is_read_and_written_as_on_this_machine() {
    let bench = Bench::new();
    bench.census("census.csv", 3000);
    let rest = census_columns().replace("max-suppressed = 0.02", "max-suppressed = 0.2");
    let local = bench.local(&path("census.csv"), &path("local.csv"), &rest).unwrap();
    let remote = bench.remote(&sail(), &path("census.csv"), &path("release.csv"), &rest).unwrap();
    assert!(local == remote, "the releases differ");
    assert_eq!(bench.names(), ["census.csv", "local.csv", "release.csv"], "nothing else is left");
}

#[test]
fn a_query_is_anonymized_like_the_table_it_gives() {
    let bench = Bench::new();
    bench.nasty("table.parquet");
    let rest = format!("{NASTY}[method]\nname = \"mondrian\"\n");
    let local = bench.local(&path("table.parquet"), &path("local.parquet"), &rest).unwrap();
    let query = format!("query = \"SELECT * FROM parquet.`{}`;\"", bench.path("table.parquet").display());
    let remote = bench.remote(&sail(), &query, &path("release.parquet"), &rest).unwrap();
    assert!(without_others(local, &[4, 9]) == without_others(remote, &[4, 9]), "the releases differ");
}

#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn adult_is_the_same_where_it_is_at_hand() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/adult");
    assert!(folder.is_dir(), "../shared/data was there when this was built");
    let folder = folder.canonicalize().unwrap();
    let bench = Bench::new();
    std::fs::copy(folder.join("adult.csv"), bench.path("adult.csv")).unwrap();
    let mut rest = "missing = [\"?\"]\nother-columns = \"drop\"\n".to_owned();
    for name in ["age", "sex", "race", "marital-status", "education"] {
        let hierarchy = folder.join(format!("hierarchies/{name}.csv"));
        rest += &format!("[columns.{name}]\nrole = \"quasi-identifier\"\nhierarchy = {{ file = {hierarchy:?} }}\n");
    }
    rest += "[columns.occupation]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 5\n\
        [[require]]\nmodel = \"entropy-l-diversity\"\nl = 2\n[method]\nmax-suppressed = 0.01\nname = ";
    for method in ["full-domain", "mondrian"] {
        let rest = format!("{rest}\"{method}\"\n");
        let local = bench.local(&path("adult.csv"), &path("local.parquet"), &rest).unwrap();
        let output = path(&format!("{method}.parquet"));
        let remote = bench.remote(&sail(), &path("adult.csv"), &output, &rest).unwrap();
        assert!(local.len() > 48_000);
        assert!(local == remote, "{method}: {} rows locally and {} on the server differ", local.len(), remote.len());
    }
}
